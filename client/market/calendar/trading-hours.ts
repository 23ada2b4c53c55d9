/** Hours of continuous trading on the exchanges, in IST (docs/service/exchange-rules.md#sessions). Dated, since the hours change. */
import { isHoliday, isWeekend } from './holidays';
import { specialCommoditySessions, specialSessions, type SpecialSession } from './special-sessions';
import { addDays, istDate, istInstant, istTimeOfDay } from '../../values/time';

interface Hours extends SpecialSession {
  /** First IST date (YYYY-MM-DD) on which these hours hold. */
  since: string;
}

const CASH: readonly Hours[] = [{ since: '2010-01-04', from: '09:15', to: '15:30' }];
const DERIVATIVES: readonly Hours[] = [
  { since: '2010-01-04', from: '09:15', to: '15:30' },
  { since: '2026-08-03', from: '09:15', to: '15:40' },
];
const COMMODITIES_FROM = '09:00';
/** MCX follows the United States: it trades longer while they have no daylight saving time. */
const COMMODITIES_TO = { usSummer: '23:30', usWinter: '23:55' };
/** Farm products on MCX close earlier: those that are priced abroad too at 21:00, the others at 17:00 (the exchange's circulars of 2019 to 2024). */
const FARM_PRODUCTS_TO: ReadonlyMap<string, string> = new Map([
  ['CARDAMOM', '17:00'],
  ['COTTON', '21:00'],
  ['COTTONCNDY', '21:00'],
  ['KAPAS', '21:00'],
  ['MENTHAOIL', '17:00'],
]);

/** The day of the month of the nth Sunday of a month (1 to 12). */
function nthSunday(year: number, month: number, nth: number): number {
  const firstDay = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  return 1 + ((7 - firstDay) % 7) + (nth - 1) * 7;
}

/** Returns true if the United States have daylight saving time on a date: second Sunday of March to first Sunday of November. */
function isUsSummer(date: string): boolean {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const at = month * 100 + day;
  return at >= 300 + nthSunday(year, 3, 2) && at < 1100 + nthSunday(year, 11, 1);
}

/** Earliest opening of MCX on a weekday that is a holiday of the stock exchanges: in the evening, if at all. */
const COMMODITIES_ON_HOLIDAYS_FROM = '17:00';

/**
 * Returns the sessions that an exchange has on a date (YYYY-MM-DD, IST) if it trades at all; usually one.
 * @param asset the underlying, by which some of MCX close earlier; left out for the longest hours.
 */
export function sessionsOn(
  exchange: string,
  derivative: boolean,
  date: string,
  asset?: string,
): readonly SpecialSession[] {
  if (exchange === 'MCX') {
    const special = specialCommoditySessions(date);
    if (special !== undefined) return special;
    const from = isHoliday(date) === true ? COMMODITIES_ON_HOLIDAYS_FROM : COMMODITIES_FROM;
    const latest = isUsSummer(date) ? COMMODITIES_TO.usSummer : COMMODITIES_TO.usWinter;
    return [{ from, to: FARM_PRODUCTS_TO.get(asset ?? '') ?? latest }];
  }
  const table = derivative ? DERIVATIVES : CASH;
  return specialSessions(date) ?? [table.findLast(({ since }) => since <= date) ?? table[0]!];
}

/** True if an exchange is known to have a session with special hours on a date, also on a holiday or at a weekend. */
const isSpecial = (exchange: string, date: string): boolean =>
  (exchange === 'MCX' ? specialCommoditySessions(date) : specialSessions(date)) !== undefined;

/** State of an exchange at an instant, as far as clock and calendar show. */
export interface HoursState {
  /** True within the hours that the day has if it is a trading day. */
  inHours: boolean;
  /** True if it may be a trading day: from Monday to Friday, or one with a special session. The caller checks holidays. */
  isUsualDay: boolean;
  /** The hours in words. */
  hours: string;
}

/**
 * Returns the state of continuous trading on an exchange at an instant (milliseconds since the epoch), by the clock alone.
 * @param asset as in `sessionsOn`
 */
export function hoursState(exchange: string, derivative: boolean, now: number, asset?: string): HoursState {
  const date = istDate(now);
  const sessions = sessionsOn(exchange, derivative, date, asset);
  const time = istTimeOfDay(now);
  const special = isSpecial(exchange, date);
  const stretches = sessions.map(({ from, to }) => `${from} to ${to}`).join(' and ');
  return {
    inHours: sessions.some(({ from, to }) => time >= from && time < to),
    isUsualDay: special || !isWeekend(date),
    hours: special ? `today from ${stretches} IST` : `Monday to Friday from ${stretches} IST`,
  };
}

/**
 * Returns true if an exchange trades continuously at an instant (milliseconds since the epoch), by its hours, the published holidays and
 * the special sessions.
 * @param asset as in `sessionsOn`
 * @returns undefined if unknown: on a holiday MCX may trade in the evening.
 */
export function isInHours(exchange: string, derivative: boolean, now: number, asset?: string): boolean | undefined {
  const { inHours, isUsualDay } = hoursState(exchange, derivative, now, asset);
  if (!inHours || !isUsualDay) return false;
  const date = istDate(now);
  if (isSpecial(exchange, date)) return true;
  const holiday = isHoliday(date);
  return holiday === undefined || (holiday && exchange === 'MCX') ? undefined : !holiday;
}

/**
 * The first day (YYYY-MM-DD) whose expiring contracts still trade at an instant (milliseconds since the epoch): today until the
 * close of derivatives, then tomorrow.
 */
export function firstTradedExpiry(exchange: string, now: number): string {
  const date = istDate(now);
  const isOver = sessionsOn(exchange, true, date).every(({ to }) => istTimeOfDay(now) >= to);
  return isOver ? addDays(date, 1) : date;
}

/**
 * Returns the next opening of an exchange after an instant; both milliseconds since the epoch.
 * @returns undefined if unknown: no holidays are published for the day, or MCX may open only in the evening.
 */
export function nextOpening(exchange: string, after: number): number | undefined {
  for (let date = istDate(after); ; date = addDays(date, 1)) {
    const at = sessionsOn(exchange, false, date)
      .map(({ from }) => istInstant(date, from))
      .find((opening) => opening > after);
    if (at === undefined) continue;
    if (isSpecial(exchange, date)) return at;
    if (isWeekend(date)) continue;
    const holiday = isHoliday(date);
    if (holiday === false) return at;
    if (holiday === undefined || exchange === 'MCX') return undefined;
  }
}
