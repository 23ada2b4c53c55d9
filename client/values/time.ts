/**
 * Instants, dates and times of day. Exchange dates are IST (UTC+05:30, no daylight saving) whatever the time zone of the
 * workflow or the machine; nanoseconds since the Unix epoch are decimal text.
 */
import { InputError } from '../base/errors';
import { showValue, unfilledHint } from './input';
import { isoText, sheetDay } from './written-dates';

/** Milliseconds of a day. */
export const MS_PER_DAY = 86_400_000;
const IST_OFFSET_MS = (5 * 60 + 30) * 60_000;
const NS_PER_MS = 1_000_000n;
/** 2000-01-01 to 2100-01-01: what lies outside is not a time of an order (docs/service/orders-v2.md#order-record). */
const PLAUSIBLE_MS = { from: 946_684_800_000, to: 4_102_444_800_000 };

/** Milliseconds since the epoch as ISO-8601 in IST: 2026-11-21T09:15:00.000+05:30. */
export function toIst(ms: number): string {
  return `${new Date(ms + IST_OFFSET_MS).toISOString().slice(0, -1)}+05:30`;
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** `toIst` and `istDate` for many instants in a row: what the last one has in common with the next is not worked out again. */
export class IstFormatter {
  private day = NaN;
  private date = '';

  /** As `istDate`. @param ms since the epoch */
  dateOf(ms: number): string {
    const day = Math.floor((ms + IST_OFFSET_MS) / MS_PER_DAY);
    if (day !== this.day) {
      this.day = day;
      this.date = istDate(ms);
    }
    return this.date;
  }

  /** As `toIst`. @param ms since the epoch */
  textOf(ms: number): string {
    const date = this.dateOf(ms);
    const inDay = ms + IST_OFFSET_MS - this.day * MS_PER_DAY;
    const seconds = Math.floor(inDay / 1000);
    const minutes = Math.floor(seconds / 60);
    const fraction = String(inDay % 1000).padStart(3, '0');
    return `${date}T${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}.${fraction}+05:30`;
  }
}

/** The day that was asked for last, and its date: prices of a day come by the hundred thousand. */
let lastDay = NaN;
let lastDate = '';

/** The IST calendar date (YYYY-MM-DD) of an instant in milliseconds since the epoch. */
export function istDate(ms: number): string {
  const day = Math.floor((ms + IST_OFFSET_MS) / MS_PER_DAY);
  if (day !== lastDay) {
    lastDate = new Date(ms + IST_OFFSET_MS).toISOString().slice(0, 10);
    lastDay = day;
  }
  return lastDate;
}

/** The day of the week (0 is Sunday) and the minute of the day (0 to 1439) in IST of an instant in milliseconds since the epoch. */
export function istMinute(ms: number): { weekday: number; minute: number } {
  const at = new Date(ms + IST_OFFSET_MS);
  return { weekday: at.getUTCDay(), minute: at.getUTCHours() * 60 + at.getUTCMinutes() };
}

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)(?::00)?(?: ?([AP])\.?M\.?)?(?: ?IST)?$/i;
const NOON = 12;

/** Returns a time of day as people type it (9:15, 15:05, 15:05:00, 3:05 PM, 15:05 IST) as HH:MM; undefined for anything else. */
export function readTimeOfDay(value: unknown): string | undefined {
  const [, hours, minutes, half] = TIME_OF_DAY.exec(typeof value === 'string' ? value.trim() : '') ?? [];
  if (hours === undefined) return undefined;
  if (half === undefined) return `${hours.padStart(2, '0')}:${minutes}`;
  const written = Number(hours);
  if (written < 1 || written > NOON) return undefined;
  return `${String((written % NOON) + (/p/i.test(half) ? NOON : 0)).padStart(2, '0')}:${minutes}`;
}

/** The IST time of day (HH:MM) of an instant in milliseconds since the epoch. */
export function istTimeOfDay(ms: number): string {
  return new Date(ms + IST_OFFSET_MS).toISOString().slice(11, 16);
}

/** Nanoseconds since the epoch (decimal text) as ISO-8601 in IST; null for 0, null, and what is no plausible time. */
export function nanosToIst(nanos: unknown): string | null {
  const ms = nanosToMs(nanos);
  return ms === null ? null : toIst(ms);
}

/** Returns the day, IST, of nanoseconds since the epoch (decimal text), YYYY-MM-DD; '' as `nanosToIst` is null. */
export function dayOfNanos(nanos: unknown): string {
  return (nanosToIst(nanos) ?? '').slice(0, 10);
}

/**
 * Nanoseconds since the epoch (decimal text) in whole milliseconds; null for 0, null, and what is no plausible time. So is every number:
 * those that are exact end in April 1970.
 */
export function nanosToMs(nanos: unknown): number | null {
  if (typeof nanos !== 'string' || !/^\d{1,19}$/.test(nanos)) return null;
  const ms = Number(BigInt(nanos) / NS_PER_MS);
  return ms >= PLAUSIBLE_MS.from && ms < PLAUSIBLE_MS.to ? ms : null;
}

/** Milliseconds since the epoch in nanoseconds, as decimal text. */
export function msToNanos(ms: number): string {
  return String(BigInt(Math.trunc(ms)) * NS_PER_MS);
}

/** The instant (milliseconds since the epoch) at which an IST date begins, plus an optional IST time of day HH:MM. */
export function istInstant(date: string, timeOfDay = '00:00'): number {
  return Date.parse(`${date}T${timeOfDay}:00.000+05:30`);
}

/** The date so many calendar days later (or earlier, when negative). Dates are YYYY-MM-DD. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * MS_PER_DAY).toISOString().slice(0, 10);
}

/** The date so many calendar months later (or earlier, when negative); the last day of a shorter month where it has no such day. */
export function addMonths(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, lastDay));
  return first.toISOString().slice(0, 10);
}

/** YYYY-MM-DD as the number YYYYMMDD. */
export function dateToNumber(date: string): number {
  return Number(compactDate(date));
}

/** The number YYYYMMDD as YYYY-MM-DD; null if it is no date (0 in rows that do not expire). */
export function numberToDate(number: number): string | null {
  const text = String(number);
  return /^\d{8}$/.test(text) ? realDate(text.slice(0, 4), text.slice(4, 6), text.slice(6)) : null;
}

/** The months as exchanges write them. */
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Returns the month (1 to 12) that a word begins with, in any case: 11 for Nov and November; 0 for none. */
export function monthNumber(word: string): number {
  return MONTHS.indexOf(word.slice(0, 3).toUpperCase()) + 1;
}

/** The month of a date YYYYMMDD, given as a number, as exchanges write it: NOV; '' when it is no date. */
export function monthWord(date: number): string {
  return MONTHS[(Math.floor(date / 100) % 100) - 1] ?? '';
}

/** The month (1 to 12) as people write it: Nov. */
export function monthName(month: number): string {
  const word = MONTHS[month - 1] ?? '';
  return word.slice(0, 1) + word.slice(1).toLowerCase();
}

/** Returns YYYY-MM-DD in the form 26 Nov 2026. */
export function showDate(date: string): string {
  return `${Number(date.slice(8))} ${monthName(Number(date.slice(5, 7)))} ${date.slice(0, 4)}`;
}

/** YYYY-MM-DD as YYYYMMDD text. */
export function compactDate(date: string): string {
  return date.replaceAll('-', '');
}

/** The date when the calendar has it, else null (31 February). */
function realDate(year: string, month: string, day: string): string | null {
  const date = `${year}-${month}-${day}`;
  const ms = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date ? null : date;
}

const DATE_PART = /^(\d{4})(-?)(\d{2})\2(\d{2})$/;
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?(?:\[[^\]]+\])?$/i;

/** A luxon DateTime, as n8n's expressions hand it over: an instant, and the day that it is in its own zone. */
interface ZonedTime {
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
  readonly millisecond?: number;
  toMillis(): number;
  toISODate(): string | null;
}

function isZonedTime(value: unknown): value is ZonedTime {
  return (
    typeof value === 'object' &&
    value !== null &&
    'toMillis' in value &&
    typeof value.toMillis === 'function' &&
    'toISODate' in value &&
    typeof value.toISODate === 'function'
  );
}

/** Epochs are told from dates as numbers (YYYYMMDD) by their digits: ten for seconds, twelve or thirteen for milliseconds. */
const EPOCH = /^\d{10}$|^\d{12,13}$/;

/** Returns the instant of a value that names no day, milliseconds since the epoch; NaN if it is none. */
function instantOf(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  if (isZonedTime(value)) return value.toMillis();
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  return EPOCH.test(text) ? Number(text) * (text.length === 10 ? 1_000 : 1) : NaN;
}

const zonedTimes = new Map<string, Intl.DateTimeFormat>();
/** Formats that are kept; a process meets a zone or two. */
const MAX_ZONES = 50;

/**
 * The date and the time of day of an instant in a zone.
 * @returns undefined if the runtime does not know the zone
 */
function wallClock(ms: number, zone: string): { date: string; time: string } | undefined {
  let format = zonedTimes.get(zone);
  if (format === undefined) {
    try {
      format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    } catch {
      return undefined;
    }
    if (zonedTimes.size >= MAX_ZONES) zonedTimes.clear();
    zonedTimes.set(zone, format);
  }
  const [date, time] = format.format(ms).split(' ') as [string, string];
  return { date, time };
}

/**
 * Returns the day of an instant without a zone: the day in the workflow's zone if it is a midnight there, as a picked or computed day is;
 * the IST day otherwise.
 */
function dayOfInstant(ms: number, zone: string): string {
  const there = ms % 1_000 === 0 ? wallClock(ms, zone) : undefined;
  return there?.time === '00:00:00' ? there.date : istDate(ms);
}

/** Milliseconds of a date-time text; a text without a zone is IST; undefined if it is none. */
function dateTimeToMs(text: string): number | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = '+05:30'] = match;
  const date = realDate(year!, month!, day!);
  if (date === null) return undefined;
  const offset = /^z$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const ms = Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Returns the calendar day that the user means, as YYYY-MM-DD. Accepts YYYY-MM-DD and YYYYMMDD (text or number), 20 Nov 2026 and the like; a date-time without a zone
 * or with an offset, and a luxon DateTime: the day that is written in it; a Date, a time in UTC (Z) and an epoch in seconds or
 * milliseconds, which have no zone: see `dayOfInstant`.
 * @param zone the workflow's time zone.
 * @throws InputError for anything else, and for dates that the calendar does not have.
 */
export function parseDate(value: unknown, parameter: string, label = parameter, zone = INDIA): string {
  if (isZonedTime(value)) return value.toISODate() ?? refuseDate(value, parameter, label, false);
  const instant = instantOf(value);
  if (isPlausible(instant)) return dayOfInstant(instant, zone);
  const text = typeof value === 'number' || typeof value === 'string' ? isoText(String(value).trim()) : '';
  const plain = DATE_PART.exec(text);
  const date = plain === null ? undefined : realDate(plain[1]!, plain[3]!, plain[4]!);
  if (typeof date === 'string') return date;
  const ms = date === undefined ? dateTimeToMs(text) : undefined;
  if (ms !== undefined) return isInUtc(text) ? dayOfInstant(ms, zone) : text.slice(0, 10);
  return refuseDate(value, parameter, label, plain !== null);
}

const INDIA = 'Asia/Kolkata';

/** False for NaN too. */
const isPlausible = (ms: number): boolean => Math.abs(ms) < PLAUSIBLE_MS.to;

/** True if a date-time text is written in UTC, as programs write an instant whatever the zone. */
const isInUtc = (text: string): boolean => /(?:Z|[+-]00:?00)$/i.test(text);

function refuseDate(value: unknown, parameter: string, label: string, isDate: boolean): never {
  throw new InputError(
    isDate
      ? `${label} ${showValue(value)} is not a day of the calendar.`
      : `${label} must be a date such as 2026-11-21, but is ${showValue(value)}.`,
    {
      parameter,
      hint: unfilledHint(
        value,
        `${sheetHint(value)}Dates are read as days in India (IST), written YYYY-MM-DD or YYYYMMDD.`,
      ),
    },
  );
}

/** Returns what a number of a spreadsheet means; '' for any other value. */
function sheetHint(value: unknown): string {
  const day = typeof value === 'number' || typeof value === 'string' ? sheetDay(String(value).trim()) : undefined;
  return day === undefined
    ? ''
    : `${showValue(value)} counts days as a spreadsheet does, as of ${day}: give the cell the format of a date. `;
}

/**
 * An instant in milliseconds since the epoch. Takes what `parseDate` takes; a date alone is its first instant in IST,
 * a date-time without a zone is IST.
 * @throws InputError for anything else.
 */
export function parseInstant(value: unknown, parameter: string, label = parameter): number {
  const instant = instantOf(value);
  if (isPlausible(instant)) return instant;
  const ms = typeof value === 'string' ? dateTimeToMs(isoText(value.trim())) : undefined;
  return ms ?? istInstant(parseDate(value, parameter, label));
}

/**
 * A time of day such as 15:05 as `daily` (HH:MM), or an instant as `at`: milliseconds since the epoch, read as `parseInstant` does.
 * @throws InputError for anything else.
 */
export function parseTimeOrInstant(
  value: unknown,
  parameter: string,
  label = parameter,
): { daily: string } | { at: number } {
  const daily = readTimeOfDay(value);
  if (daily !== undefined) return { daily };
  const isPlain = typeof value === 'string' || typeof value === 'number';
  const text = isPlain ? isoText(String(value).trim()) : '';
  const isDated = isPlausible(instantOf(value)) || DATE_PART.test(text) || dateTimeToMs(text) !== undefined;
  if (isPlain && !isDated)
    throw new InputError(`${label} must be a time of the day (IST) such as 15:05, but is ${showValue(value)}.`, {
      parameter,
      hint: unfilledHint(
        value,
        'Enter hours and minutes with a colon, such as 15:05 or 3:05 PM; for another day, the date in front: 2026-12-24 15:05.',
      ),
    });
  return { at: parseInstant(value, parameter, label) };
}

/**
 * Reads as `parseInstant`, for the end of a range of days: a midnight in the workflow's zone, or in that of a luxon DateTime, is the day
 * that the user sees there, and becomes its beginning in IST.
 * @param zone the workflow's time zone.
 */
export function parseDayOrInstant(value: unknown, parameter: string, label: string, zone: string): number {
  const ms = parseInstant(value, parameter, label);
  if (isZonedTime(value)) {
    const day = isOwnMidnight(value) ? value.toISODate() : null;
    return day === null ? ms : istInstant(day);
  }
  const text = typeof value === 'string' ? isoText(value.trim()) : '';
  if (Number.isNaN(instantOf(value)) && !isInUtc(text)) return ms;
  const there = ms % 1_000 === 0 ? wallClock(ms, zone) : undefined;
  return there?.time === '00:00:00' ? istInstant(there.date) : ms;
}

/** Returns true if a luxon DateTime is the beginning of a day in its own zone. */
function isOwnMidnight(value: ZonedTime): boolean {
  return (['hour', 'minute', 'second', 'millisecond'] as const).every((unit) => value[unit] === 0);
}
