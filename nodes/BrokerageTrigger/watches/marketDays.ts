/** The days of a time of the exchange: reads the fields, and finds out whether a trading day is one of them. */
import { attempt } from '../../../client/attempt';
import type { ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import { tradingDayOf } from '../../../client/instruments/catalogue';
import { listExpiries } from '../../../client/instruments/expiries';
import { EXCHANGES } from '../../../client/instruments/instrument';
import { readUnderlying, underlyingSymbol } from '../../../client/instruments/underlying';
import {
  DAY_RULES,
  expectedTradingDay,
  matchesDayRule,
  needsAdjacentDays,
  tradingDayAt,
  type TradingDayNeighbours,
  type DayRule,
} from '../../../client/market/calendar/trading-day-selection';
import { belongsToSessions } from '../../../client/market/calendar/special-sessions';
import { oneOf, wholeNumber } from '../../../client/values/input';
import { istDate, istTimeOfDay } from '../../../client/values/time';
import { findInList } from '../../shared/lists';
import type { TriggerContext } from '../context/triggerContext';
import type { TriggerService } from '../context/triggerService';
import { parameterOf, splitWords } from './parameters';

const WEEKDAYS = ['1', '2', '3', '4', '5'] as const;

/** @throws InputError that names the parameter. */
export function readDayRule(n8n: ITriggerFunctions): DayRule {
  const kind = oneOf(parameterOf(n8n, 'days', 'every'), DAY_RULES, 'days', 'Days');
  switch (kind) {
    case 'weekdays': {
      const weekdays = splitWords(parameterOf(n8n, 'weekdays', [])).map((word) =>
        Number(oneOf(word, WEEKDAYS, 'weekdays', 'Weekdays')),
      );
      if (weekdays.length > 0) return { kind, weekdays };
      throw new InputError('No weekday is chosen: the workflow would never start.', {
        parameter: 'weekdays',
        hint: 'Choose one or more, or set Days to Every Trading Day.',
      });
    }
    case 'dayOfMonth':
      return {
        kind,
        day: wholeNumber(parameterOf(n8n, 'dayOfMonth', 1), 'dayOfMonth', { label: 'Day of Month', min: 1, max: 31 }),
      };
    case 'expiry':
    case 'beforeExpiry': {
      const of = oneOf(parameterOf(n8n, 'expiryKind', 'any'), ['any', 'monthly'] as const, 'expiryKind', 'Expiries');
      const written = parameterOf(n8n, 'expiryOf', 'NIFTY');
      const text = typeof written === 'string' ? written.trim() : '';
      if (text === '')
        throw new InputError('Expiry Of is empty.', {
          parameter: 'expiryOf',
          hint: 'Enter the symbol of an underlying, such as NIFTY or BANKNIFTY.',
        });
      return { kind, underlying: readUnderlying(text), monthlyOnly: of === 'monthly' };
    }
    default:
      return { kind };
  }
}

/**
 * Returns true if the rule selects the trading day of an instant (milliseconds). If the service does not know the days next to it, the
 * calendar decides; if expiries cannot be read, the result is false, which the log says.
 */
export async function isChosenDay(
  rule: DayRule,
  at: number,
  context: TriggerContext,
  service: TriggerService,
  signal: AbortSignal,
): Promise<boolean> {
  if (rule.kind === 'every') return true;
  const result = await attempt(isChosen(rule, at, service, signal));
  if (result.ok) return result.value;
  if (!signal.aborted)
    context.warn('it is not known whether today is one of its days; the workflow does not start', result.error);
  return false;
}

async function isChosen(rule: DayRule, at: number, service: TriggerService, signal: AbortSignal): Promise<boolean> {
  const [date, time] = [istDate(at), istTimeOfDay(at)];
  if (!belongsToSessions(date, time)) return false;
  const day: TradingDayNeighbours = {
    date,
    previous: expectedTradingDay(date, -1),
    next: expectedTradingDay(date, 1),
    expiries: 'underlying' in rule ? await expiriesOf(rule, date, service, signal) : [],
  };
  if (needsAdjacentDays(rule)) {
    const tradingDay = await attempt(tradingDayOf(service.transport, EXCHANGES[0], date, signal));
    // A holiday that was announced since is known to the service alone; the next day it may not know yet.
    if (tradingDay.ok) Object.assign(day, { previous: tradingDay.value.previous, next: tradingDay.value.next });
  }
  const [previous, next] = [tradingDayAt(day.previous, -1, time), tradingDayAt(day.next, 1, time)];
  return matchesDayRule(rule, { ...day, previous, next });
}

/** Days of expiry from a date on, on the first exchange that has the underlying. @throws InputError if none has it */
export async function expiriesOf(
  { underlying, monthlyOnly }: Extract<DayRule, { underlying: string }>,
  date: string,
  service: TriggerService,
  signal: AbortSignal,
): Promise<string[]> {
  let missing: unknown;
  for (const exchange of EXCHANGES) {
    const result = await attempt(
      findInList(
        service,
        exchange,
        (list) => listExpiries(list, underlyingSymbol(list, underlying), date, 'expiryOf'),
        signal,
      ),
    );
    if (result.ok) return result.value.filter(({ monthly }) => monthly || !monthlyOnly).map(({ date: day }) => day);
    missing ??= result.error;
  }
  throw missing;
}
