/** When the exchanges trade continuously, in IST (exchange rules: Sessions). Dated, since the hours change. */
import { isHoliday, isWeekend } from './holidays';
import { addDays, istDate, istInstant, istTimeOfDay } from '../../values/time';

interface Hours {
  /** First IST date (YYYY-MM-DD) on which these hours hold. */
  since: string;
  from: string;
  /** Exclusive. */
  to: string;
}

const CASH: readonly Hours[] = [{ since: '2010-01-04', from: '09:15', to: '15:30' }];
const DERIVATIVES: readonly Hours[] = [
  { since: '2010-01-04', from: '09:15', to: '15:30' },
  { since: '2026-08-03', from: '09:15', to: '15:40' },
];
const COMMODITIES_FROM = '09:00';
/** MCX follows the United States: it trades longer while they have no daylight saving time. */
const COMMODITIES_TO = { usSummer: '23:30', usWinter: '23:55' };

/** The day of the month of the nth Sunday of a month (1 to 12). */
function nthSunday(year: number, month: number, nth: number): number {
  const firstDay = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  return 1 + ((7 - firstDay) % 7) + (nth - 1) * 7;
}

/** Whether the United States have daylight saving time on a date: second Sunday of March to first Sunday of November. */
function isUsSummer(date: string): boolean {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const at = month * 100 + day;
  return at >= 300 + nthSunday(year, 3, 2) && at < 1100 + nthSunday(year, 11, 1);
}

function hoursOn(exchange: string, derivative: boolean, date: string): { from: string; to: string } {
  if (exchange === 'MCX')
    return { from: COMMODITIES_FROM, to: isUsSummer(date) ? COMMODITIES_TO.usSummer : COMMODITIES_TO.usWinter };
  const table = derivative ? DERIVATIVES : CASH;
  return table.findLast(({ since }) => since <= date) ?? table[0]!;
}

/**
 * Whether an exchange trades continuously at an instant (milliseconds since the epoch), by the weekday and the clock;
 * holidays are for the caller to know.
 * @returns also the hours in words.
 */
export function tradesNow(exchange: string, derivative: boolean, now: number): { open: boolean; hours: string } {
  const date = istDate(now);
  const { from, to } = hoursOn(exchange, derivative, date);
  const time = istTimeOfDay(now);
  return {
    open: !isWeekend(date) && time >= from && time < to,
    hours: `Monday to Friday from ${from} to ${to} IST`,
  };
}

/**
 * Whether an exchange trades continuously at an instant (milliseconds since the epoch), by its hours and the published holidays.
 * @returns undefined where that is not known: on a holiday MCX may trade in the evening.
 */
export function isInHours(exchange: string, derivative: boolean, now: number): boolean | undefined {
  if (!tradesNow(exchange, derivative, now).open) return false;
  const holiday = isHoliday(istDate(now));
  return holiday === undefined || (holiday && exchange === 'MCX') ? undefined : !holiday;
}

/**
 * The first day (YYYY-MM-DD) whose expiring contracts still trade at an instant (milliseconds since the epoch): today until the
 * close of derivatives, then tomorrow.
 */
export function firstTradedExpiry(exchange: string, now: number): string {
  const date = istDate(now);
  return istTimeOfDay(now) < hoursOn(exchange, true, date).to ? date : addDays(date, 1);
}

/**
 * When an exchange opens next after an instant; both milliseconds since the epoch. Special sessions are not known.
 * @returns undefined where it is not known: no holidays are published for the day, or MCX may open only in the evening.
 */
export function nextOpening(exchange: string, after: number): number | undefined {
  for (let date = istDate(after); ; date = addDays(date, 1)) {
    const at = istInstant(date, hoursOn(exchange, false, date).from);
    if (at <= after || isWeekend(date)) continue;
    const holiday = isHoliday(date);
    if (holiday === false) return at;
    if (holiday === undefined || exchange === 'MCX') return undefined;
  }
}
