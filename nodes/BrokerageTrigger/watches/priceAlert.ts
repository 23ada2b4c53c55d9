/** Starts the workflow when a price does what it is waited for. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import { getCurrentPrice } from '../../../client/market/quotes';
import {
  firstState,
  nextState,
  type Alert,
  type AlertKind,
  type AlertRule,
  type AlertState,
} from '../../../client/stream/market-data/price-alerts';
import { pollPrice } from '../../../client/stream/market-data/price-polling';
import { oneOf, plainDecimal } from '../../../client/values/input';
import { paiseTo, rupeesToPaise, type MoneyUnit } from '../../../client/values/money';
import { toIst } from '../../../client/values/time';
import { findInstrument } from '../../Brokerage/common/lookup';
import { clock } from '../../host/clock';
import { group, seconds, unitOf } from './parameters';
import type { Watch } from './watch';

export interface AlertSettings {
  rule: AlertRule;
  once: boolean;
  everyMs: number;
  unit: MoneyUnit;
}

/** What is stored between two activations. */
interface Stored {
  alert?: AlertState;
  /** Stands for the instrument and the condition that the state belongs to. */
  alertFor?: string;
  /** When the alerts began to be counted, milliseconds since the epoch. */
  alertSince?: number;
}

/** What the alerts of triggers that have ended in this process remembered, by trigger: n8n stores it only with an alert. */
const remembered = new Map<string, Stored>();

export const priceAlert: Watch = {
  start: async (context, open) => {
    const settings = readAlertSettings(context.n8n);
    const service = await open();
    const { symbol, exchange, refId } = await findInstrument(
      service,
      context.n8n.getNodeParameter('instrument'),
      'instrument',
      'Instrument',
      context.signal,
    );
    const stored: Stored = context.manual ? {} : context.n8n.getWorkflowStaticData('node');
    const purpose = JSON.stringify([service.connection.environment, refId, settings.rule]);
    const past = remembered.get(context.id);
    if (!context.manual && past !== undefined && isNewer(past, stored)) Object.assign(stored, past);
    if (context.isAfresh || stored.alertFor !== purpose) {
      delete stored.alert;
      stored.alertSince = clock.now();
    }
    stored.alertFor = purpose;
    if (settings.once && (stored.alert?.count ?? 0) > 0) return { stop: async () => undefined };

    const done = new AbortController();
    const take = (price: number): void => {
      if (done.signal.aborted) return;
      const { state, alert } = stored.alert
        ? nextState(settings.rule, stored.alert, price)
        : { state: firstState(settings.rule, price), alert: undefined };
      if (JSON.stringify(state) !== JSON.stringify(stored.alert)) stored.alert = state;
      if (alert)
        void context.emit(
          [alertOutput(alert, settings, { symbol, exchange, refId, environment: service.connection.environment })],
          `alert:${stored.alertSince}:${alert.count}`,
        );
      if (settings.once && state.count > 0) done.abort();
    };
    await pollPrice(
      {
        clock,
        random: Math.random,
        environment: service.connection.environment,
        everyMs: settings.everyMs,
        price: async (signal) => (await getCurrentPrice(service.transport, symbol, exchange, signal)).price,
        onPrice: take,
        onOutage: context.outage,
        onFatal: context.fatal,
      },
      AbortSignal.any([context.signal, done.signal]),
    );
    return {
      stop: async () => {
        done.abort();
        const { alert, alertFor, alertSince } = stored;
        if (!context.manual) remembered.set(context.id, { alert, alertFor, alertSince });
      },
    };
  },
  waitsFor: (n8n) => `the price condition ${String(n8n.getNodeParameter('condition', ''))}`,
};

/** Whether what this process remembers is of the same alerts as what n8n has stored, or n8n has stored none, and not older. */
function isNewer(past: Stored, stored: Stored): boolean {
  return (
    stored.alertSince === undefined ||
    (past.alertSince === stored.alertSince && (past.alert?.count ?? 0) >= (stored.alert?.count ?? 0))
  );
}

function alertOutput(
  { price, from, count }: Alert,
  { rule, unit }: AlertSettings,
  instrument: { symbol: string; exchange: string; refId: number; environment: string },
): Record<string, unknown> {
  return {
    event: 'priceAlert',
    condition: rule.kind,
    symbol: instrument.symbol,
    exchange: instrument.exchange,
    price: paiseTo(unit, price),
    ...(rule.kind === 'moves'
      ? { moved_from: paiseTo(unit, from), change_percent: Math.round(((price - from) / from) * 10_000) / 100 }
      : 'level' in rule
        ? { level: paiseTo(unit, rule.level) }
        : { low: paiseTo(unit, rule.low), high: paiseTo(unit, rule.high) }),
    alert_number: count,
    event_time_ist: toIst(clock.now()),
    ref_id: instrument.refId,
    environment: instrument.environment,
  };
}

/** @throws InputError that names the parameter. */
export function readAlertSettings(n8n: ITriggerFunctions): AlertSettings {
  const options = group(n8n, 'options');
  return {
    rule: readRule(n8n, rupeesToPaise(options.rearm ?? 0, 'rearm', { label: 'Re-Arm Distance' })),
    once: n8n.getNodeParameter('once', false) === true,
    everyMs: seconds(options.askEvery ?? 5, 'askEvery', 'Ask Every', 1),
    unit: unitOf(options),
  };
}

const CONDITIONS: readonly AlertKind[] = ['crossesAbove', 'crossesBelow', 'entersBand', 'leavesBand', 'moves'];

function readRule(n8n: ITriggerFunctions, rearm: number): AlertRule {
  const kind = oneOf(n8n.getNodeParameter('condition', 'crossesAbove'), CONDITIONS, 'condition', 'Condition');
  const rupees = (name: string, label: string): number => {
    const paise = rupeesToPaise(n8n.getNodeParameter(name), name, { label });
    if (paise === 0) throw new InputError(`${label} must be above 0.`, { parameter: name });
    return paise;
  };
  if (kind === 'crossesAbove' || kind === 'crossesBelow') {
    const level = rupees('level', 'Level');
    if (kind === 'crossesAbove' && rearm >= level) {
      throw new InputError('Re-Arm Distance is so large that the price could never go back by it.', {
        parameter: 'rearm',
        hint: 'Choose less than the level.',
      });
    }
    return { kind, level, rearm };
  }
  if (kind === 'moves') {
    const direction = oneOf(
      n8n.getNodeParameter('direction', 'both'),
      ['up', 'down', 'both'] as const,
      'direction',
      'Direction',
    );
    return { kind, hundredths: readPercent(n8n.getNodeParameter('percent')), direction };
  }
  const [low, high] = [rupees('low', 'Low'), rupees('high', 'High')];
  if (low >= high) throw new InputError('Low must be below High.', { parameter: 'low' });
  if (kind === 'leavesBand' && 2 * rearm > high - low) {
    throw new InputError('Re-Arm Distance is so large that the price could never be back in the band.', {
      parameter: 'rearm',
      hint: 'Choose less than half of the width of the band.',
    });
  }
  return { kind, low, high, rearm };
}

/** A percentage with up to two decimals, in hundredths of a percent. */
function readPercent(value: unknown): number {
  const digits = plainDecimal(value);
  const hundredths =
    digits === undefined || digits.negative || digits.fraction.length > 2
      ? NaN
      : Number(`${digits.whole}${digits.fraction.padEnd(2, '0')}`);
  if (!(hundredths > 0))
    throw new InputError('Percent must be above 0 and have two decimals at most.', { parameter: 'percent' });
  return hundredths;
}
