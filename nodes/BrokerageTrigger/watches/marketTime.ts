/** Starts the workflow at times of the exchange, on trading days. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import { followDailyTimes } from '../../../client/market/calendar/daily-times';
import { isTradingDayNow } from '../../../client/market/trading-day-now';
import { followSandboxTimes } from '../../../client/stream/connection/sandbox-market-times';
import { showValue, wholeNumber } from '../../../client/values/input';
import { istDate, toIst } from '../../../client/values/time';
import { clock } from '../../host/clock';
import { expiriesOf, isChosenDay, readDayRule } from './marketDays';
import { splitList, parameterOf } from './parameters';
import type { Watch } from './watch';

const TIME = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const MAX_TIMES = 50;
const MAX_REPEAT_MINUTES = 360;
/** The most with repetitions: each is asked about the trading day, and a sandbox takes no more. */
const MAX_STARTS = 400;

/** Data that n8n stores for the trigger. */
interface Stored {
  /** The last time that started the workflow, or when it was published, milliseconds: no time before counts. */
  marketTime?: number;
}

export const marketTime: Watch = {
  start: async (context, open) => {
    const times = readMarketTimes(context.n8n);
    const rule = readDayRule(context.n8n);
    const service = await open();
    const { environment } = service.connection;
    const stopping = new AbortController();
    const signal = AbortSignal.any([context.signal, stopping.signal]);
    // An underlying that nobody has is told at once, and not on a day on which nothing happens.
    if ('underlying' in rule) await expiriesOf(rule, istDate(service.transport.marketClock.now()), service, signal);
    const isToday = async (at: number): Promise<boolean> => await isChosenDay(rule, at, context, service, signal);
    const output = (at: number, lateMs: number): Record<string, unknown> => ({
      event: 'marketTime',
      time: toIst(at).slice(11, 19),
      date: istDate(at),
      event_time_ist: toIst(at),
      late_seconds: Math.floor(lateMs / 1_000),
      environment,
    });
    if (context.manual) await context.start(output(service.transport.marketClock.now(), 0));
    else if (environment === 'sandbox')
      await followSandboxTimes(
        service.deps,
        times,
        {
          reached: async (at) => {
            if (await isToday(at)) void context.start(output(at, 0));
          },
          lost: (reason) => context.warn(`the sandbox's clock is not followed (${reason}); it connects again`),
          fatal: context.fatal,
        },
        signal,
      );
    else {
      const stored: Stored = context.n8n.getWorkflowStaticData('node');
      const last = (context.isAfresh ? undefined : stored.marketTime) ?? clock.now();
      stored.marketTime = last;
      const notToday =
        rule.kind === 'every'
          ? 'there is no trading on this day'
          : 'there is no trading on this day, or it is none of the days that are set';
      void followDailyTimes(
        {
          clock,
          isTradingDay: async (at) => (await isTradingDayNow(service.transport, at, signal)) && (await isToday(at)),
          due: (at, lateMs) => {
            stored.marketTime = at;
            void context.emit([output(at, lateMs)], `marketTime:${at}`);
          },
          closed: (at) => context.info(`does not start the workflow at ${toIst(at)}: ${notToday}`),
          passed: (at) => context.warn(`${toIst(at)} passed while n8n was away; the workflow is not started for it`),
          unknown: (error) =>
            context.warn(
              'the calendar of the exchanges could not be read, so the workflow starts although today may be a holiday',
              error,
            ),
        },
        times,
        last,
        signal,
      );
    }
    return {
      stop: async () => {
        stopping.abort(new Error('The trigger was stopped'));
        await Promise.resolve();
      },
    };
  },
  waitsFor: (n8n) => `the times ${String(parameterOf(n8n, 'marketTimes', ''))}`,
};

/** Reads a time of the day. @returns such as `09:20:00`; undefined if it is none */
function timeFrom(text: string): string | undefined {
  const [, hours = '', minutes, seconds = '00'] = TIME.exec(text) ?? [];
  return minutes === undefined ? undefined : `${hours.padStart(2, '0')}:${minutes}:${seconds}`;
}

/** @returns times such as `09:20:00`, each once, ascending, with their repetitions. @throws InputError that names the parameter. */
export function readMarketTimes(n8n: ITriggerFunctions): string[] {
  const typedTimes = splitList(parameterOf(n8n, 'marketTimes', ''));
  const wrong = typedTimes.find((time) => timeFrom(time) === undefined);
  if (wrong !== undefined || typedTimes.length === 0)
    throw new InputError(
      wrong === undefined
        ? 'No time is given.'
        : `Times must be such as 09:20 or 15:10:30, but one is ${showValue(wrong)}.`,
      { parameter: 'marketTimes', hint: 'Give times in IST, separated by commas: 09:20, 15:10.' },
    );
  const times = typedTimes.flatMap((time) => timeFrom(time) ?? []);
  if (times.length > MAX_TIMES)
    throw new InputError(`Times has ${times.length} times; one trigger takes at most ${MAX_TIMES}.`, {
      parameter: 'marketTimes',
      hint: 'For one time after another, give the first, and set Repeat Every (Minutes). Else remove some, or spread them over several triggers.',
    });
  const starts = [...new Set(repeated(times, n8n))].sort();
  if (starts.length > MAX_STARTS)
    throw new InputError(
      `The repetition comes to ${starts.length} times a day; one trigger takes at most ${MAX_STARTS}.`,
      {
        parameter: 'repeatEvery',
        hint: 'Repeat less often, or until an earlier time. For each candle, choose Market Data and Candles.',
      },
    );
  return starts;
}

/** Adds the repetitions of times. @throws InputError that names the parameter. */
function repeated(times: readonly string[], n8n: ITriggerFunctions): string[] {
  const every = wholeNumber(parameterOf(n8n, 'repeatEvery', 0), 'repeatEvery', {
    ...{ label: 'Repeat Every (Minutes)', min: 0, max: MAX_REPEAT_MINUTES },
  });
  if (every === 0) return [...times];
  const until = timeFrom(String(parameterOf(n8n, 'repeatUntil', '')).trim());
  const latest = [...times].sort().at(-1) ?? '';
  if (until === undefined || until < latest)
    throw new InputError(
      until === undefined
        ? `Repeat Until must be a time such as 15:15, but is ${showValue(parameterOf(n8n, 'repeatUntil', ''))}.`
        : `Repeat Until (${until}) is before ${latest}, which is one of the times.`,
      { parameter: 'repeatUntil', hint: 'Give the last time of the day in IST, such as 15:15.' },
    );
  const [end, step] = [secondsOf(until), every * 60];
  return times.flatMap((time) => {
    const start = secondsOf(time);
    return Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, n) => timeAt(start + n * step));
  });
}

/** Returns the second of the day of a time such as `09:20:00`. */
const secondsOf = (time: string): number => Date.parse(`1970-01-01T${time}Z`) / 1_000;

/** Returns the time of a second of the day. */
const timeAt = (second: number): string => new Date(second * 1_000).toISOString().slice(11, 19);
