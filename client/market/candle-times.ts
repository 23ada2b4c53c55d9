/**
 * Faults that the times of bars prove: that they lie in the future, or are shifted by the difference between UTC and IST, or by a day. Exchanges
 * trade at known hours (client/market/calendar), so a shift shows where it carries bars beyond them. What shows in no bar stays unproved.
 */
import { istDate, istInstant, MS_PER_DAY, toIst } from '../values/time';
import { isHoliday, isWeekend } from './calendar/holidays';
import { specialSessions } from './calendar/special-sessions';
import { sessionsOn } from './calendar/trading-hours';

/** The bars of one symbol, and what is known of their time. */
export interface BarTimes {
  /** Start of each bar, milliseconds since the epoch. */
  times: readonly number[];
  barMs: number;
  exchange: string;
  /** Milliseconds since the epoch: bars that start in [from, to). */
  window: { from: number; to: number };
  /** The service's clock at its answer, milliseconds since the epoch; undefined if it does not say. */
  answeredAt: number | undefined;
  /** True for a service that may simulate a market at any hour of any day: hours and weekends prove nothing there. */
  isSimulated: boolean;
}

/** A fault of bars: what they are and what they should be, in words, and the difference. */
export interface TimeFault {
  what: string;
  asked: string;
  answered: string;
}

const MINUTE_MS = 60_000;
const IST_AHEAD_MS = 5.5 * 3_600_000;
/** The service's clock is told in whole seconds, and a bar may be marked by its end. */
const CLOCK_SLACK_MS = 2 * MINUTE_MS;
/** Hours of a day in which every exchange trades, milliseconds since midnight: most bars lie in them. */
const USUAL_OPEN_MS = 9.25 * 3_600_000;
const USUAL_CLOSE_MS = 15.5 * 3_600_000;
/** Trading before the open, and after the close at the price of the close. */
const BEFORE_OPEN_MS = 15 * MINUTE_MS;
const AFTER_CLOSE_MS = 30 * MINUTE_MS;
/** Minimum number of bars beyond the hours, and their share: an index is worked out again in the evening. */
const MIN_BARS_BEYOND = 3;
const MIN_SHARE_BEYOND = 0.2;
/** A stretch of the hours without a bar, from which on it counts. */
const MIN_EMPTY_MS = 15 * MINUTE_MS;
/** Days that a shift by a day must show on: sessions at a weekend are rare. */
const MIN_WEEKEND_DAYS = 2;
const MIN_DAYS = 5;

/** Returns what the times of bars prove against them; undefined if nothing. */
export function timeFaultOf(bars: BarTimes): TimeFault | undefined {
  return futureFault(bars) ?? (bars.isSimulated ? undefined : (zoneFault(bars) ?? dayFault(bars)));
}

const spanOf = (times: readonly number[]): string => {
  const [first, last] = extremesOf(times);
  return first === last ? shown(first) : `${shown(first)} to ${shown(last)}`;
};
const shown = (ms: number): string => toIst(ms).slice(0, 16).replace('T', ' ');

function extremesOf(times: readonly number[]): [first: number, last: number] {
  let [first, last] = [Infinity, -Infinity];
  for (const at of times) {
    if (at < first) first = at;
    if (at > last) last = at;
  }
  return [first, last];
}

function futureFault({ times, barMs, answeredAt }: BarTimes): TimeFault | undefined {
  if (answeredAt === undefined || times.length === 0) return undefined;
  const [, last] = extremesOf(times);
  if (last <= answeredAt + barMs + CLOCK_SLACK_MS) return undefined;
  return {
    what: 'time, which is still to come',
    asked: `no later than ${shown(answeredAt)} IST`,
    answered: `${spanOf(times)} IST`,
  };
}

/** Hours of one day with what is traded before the open and after the close, milliseconds since the epoch. */
interface DayHours {
  open: number;
  close: number;
}

/** Hours of days, by their dates: bars of a day come by the hundred. */
class Hours {
  private readonly byDate = new Map<string, readonly DayHours[]>();

  constructor(private readonly exchange: string) {}

  of(date: string): readonly DayHours[] {
    const dayHours = this.byDate.get(date);
    if (dayHours !== undefined) return dayHours;
    // Those of derivatives are the longer ones.
    const made = sessionsOn(this.exchange, true, date).map(({ from, to }) => ({
      open: istInstant(date, from) - BEFORE_OPEN_MS,
      close: istInstant(date, to) + AFTER_CLOSE_MS,
    }));
    this.byDate.set(date, made);
    return made;
  }

  has(ms: number): boolean {
    const inDay = (ms + IST_AHEAD_MS) % MS_PER_DAY;
    if (inDay >= USUAL_OPEN_MS && inDay < USUAL_CLOSE_MS) return true;
    return this.of(istDate(ms)).some(({ open, close }) => ms >= open && ms < close);
  }
}

/**
 * Bars of less than a day that were stamped with the time of India as if it were UTC, or the other way round: they lie beyond the hours,
 * each lies within them if it is moved back, and the hours of a day that was asked for have a stretch without any.
 */
function zoneFault(bars: BarTimes): TimeFault | undefined {
  const { times, barMs, exchange } = bars;
  if (barMs > 3_600_000 || times.length < MIN_BARS_BEYOND) return undefined;
  const hours = new Hours(exchange);
  let beyond = 0;
  for (const at of times) if (!hours.has(at)) beyond += 1;
  if (beyond < MIN_BARS_BEYOND || beyond < times.length * MIN_SHARE_BEYOND) return undefined;
  const shift = [IST_AHEAD_MS, -IST_AHEAD_MS].find((ms) => times.every((at) => hours.has(at - ms)));
  if (shift === undefined || !hasEmptyHours(bars, hours)) return undefined;
  return {
    what: `time zone, as they are 5:30 hours too ${shift > 0 ? 'late' : 'early'}`,
    asked: `${spanOf(times.map((at) => at - shift))} IST`,
    answered: `${spanOf(times)} IST`,
  };
}

/** Returns true if a usual trading day of the bars has a stretch of its hours, asked for and over, that lacks them. */
function hasEmptyHours({ times, window, answeredAt = Infinity }: BarTimes, hours: Hours): boolean {
  const byDate = new Map<string, number[]>();
  for (const at of times) {
    const date = istDate(at);
    const own = byDate.get(date);
    if (own === undefined) byDate.set(date, [at]);
    else own.push(at);
  }
  const usual = [...byDate].filter(
    ([date]) => specialSessions(date) === undefined && !isWeekend(date) && isHoliday(date) !== true,
  );
  // A single day beyond the published holidays may have a special session.
  if (usual.length === 1 && isHoliday(usual[0]![0]) === undefined) return false;
  return usual.some(([date, own]) => {
    const [first, last] = extremesOf(own);
    return hours.of(date).some(({ open, close }) => {
      const from = Math.max(open + BEFORE_OPEN_MS, window.from);
      const to = Math.min(close - AFTER_CLOSE_MS, window.to, answeredAt);
      return (
        to - from >= MIN_EMPTY_MS &&
        (Math.min(first, to) - from >= MIN_EMPTY_MS || to - Math.max(last, from) >= MIN_EMPTY_MS)
      );
    });
  });
}

/** Bars that lie on several days of a weekend, and on none if they are moved by a day. */
function dayFault({ times, barMs }: BarTimes): TimeFault | undefined {
  if (barMs > MS_PER_DAY) return undefined;
  const days = new Set<number>();
  for (const at of times) days.add(Math.floor((at + IST_AHEAD_MS) / MS_PER_DAY));
  const isOff = (day: number): boolean => {
    const date = istDate(day * MS_PER_DAY);
    return isWeekend(date) && specialSessions(date) === undefined;
  };
  if (days.size < MIN_DAYS || [...days].filter(isOff).length < MIN_WEEKEND_DAYS) return undefined;
  const shift = [1, -1].find((by) => ![...days].some((day) => isOff(day - by)));
  if (shift === undefined) return undefined;
  return {
    what: `day, as they are a day too ${shift > 0 ? 'late' : 'early'}`,
    asked: 'trading days',
    answered: `${spanOf(times)} with Saturdays or Sundays`,
  };
}
