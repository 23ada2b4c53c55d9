import { DAY, MINUTE, MONTHS, SECOND } from '../../shared/dates';

/** Times as files write them. */

/** No time is written longer than this, characters; a longer cell is none, and is not read. */
const MAX_TIME_LENGTH = 80;
/** Minutes of India over UTC. */
const INDIA = 330;
/** Digits of a count since 1970, and how many milliseconds one of it is. */
const COUNTS: Record<number, number> = { 10: 1000, 13: 1, 16: 1e-3, 19: 1e-6 };

/** Order of a date of three numbers, such as 03/12/2020. */
export type DateOrder = 'day-month-year' | 'month-day-year' | 'year-month-day';
export const DATE_ORDERS: readonly DateOrder[] = ['day-month-year', 'month-day-year', 'year-month-day'];

/** Zones differ by quarters of an hour, the farthest by so many minutes from UTC. */
const QUARTER = 15;
const FARTHEST = 14 * 60;

/** Minutes over UTC of `IST`, `UTC`, `Z`, `+05:30`, `+0530`, `+5:30` or `+00`; undefined for any other text. */
export function offsetOf(zone: string): number | undefined {
  if (/^(IST|Asia\/(Kolkata|Calcutta))$/i.test(zone)) return INDIA;
  if (/^(UTC|GMT|Z)$/i.test(zone)) return 0;
  const match = /^(?:GMT|UTC)?([+-])(\d\d?)(?::?(\d\d))?$/i.exec(zone);
  if (!match) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  // 09:15-09:16 is a bar from then until then, and no time of a zone.
  if (minutes > FARTHEST || minutes % QUARTER !== 0) return undefined;
  return match[1] === '-' ? -minutes : minutes;
}

const WORD = '([A-Za-z]{3,9})\\.?';
/** The ways in which files write a date whose parts tell themselves apart, and the places of year, month and day in each. */
const DATES: readonly [RegExp, (m: RegExpExecArray) => [string, string, string]][] = [
  [/^(\d{4})([-/.])(\d\d?)\2(\d\d?)$/, (m) => [m[1]!, m[3]!, m[4]!]],
  [/^(\d{4})(\d\d)(\d\d)$/, (m) => [m[1]!, m[2]!, m[3]!]],
  [new RegExp(`^(\\d\\d?)[-/ .]?${WORD}[-/ .,]+(\\d{4}|\\d\\d)$`), (m) => [m[3]!, m[2]!, m[1]!]],
  [new RegExp(`^(\\d\\d?)${WORD}(\\d{4}|\\d\\d)$`), (m) => [m[3]!, m[2]!, m[1]!]],
  [new RegExp(`^${WORD}[-/ .]+(\\d\\d?)[-/ .,]+(\\d{4})$`), (m) => [m[3]!, m[1]!, m[2]!]],
  [new RegExp(`^(\\d{4})[-/ .]${WORD}[-/ .](\\d\\d?)$`), (m) => [m[1]!, m[2]!, m[3]!]],
];
/** Three numbers: only their order tells which is the day. */
const NUMBERS = /^(\d\d?)([-/.])(\d\d?)\2(\d{4}|\d\d)$/;
const MONTH_NAMES = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
];

/** From 1; 0 for no month. A month is written as a number, in three letters, in four (Sept), or in full. */
function monthOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const word = text.toUpperCase();
  const short = MONTHS.indexOf(word === 'SEPT' ? 'SEP' : word);
  return (short >= 0 ? short : MONTH_NAMES.indexOf(word)) + 1;
}

/** Midnight (UTC) of a day; undefined when it is none. */
function midnightOf(year: string, month: string, date: string): number | undefined {
  const at = Date.UTC(Number(year.length === 2 ? `20${year}` : year), monthOf(month) - 1, Number(date));
  const read = new Date(at);
  return read.getUTCMonth() === monthOf(month) - 1 && read.getUTCDate() === Number(date) ? at : undefined;
}

/** The same of a date of three numbers that is written in an order. */
function inOrder([, first, , second, third]: RegExpExecArray, order: DateOrder): number | undefined {
  const [a, b, c] = [first!, second!, third!];
  if (order === 'day-month-year') return midnightOf(c, b, a);
  if (order === 'month-day-year') return midnightOf(c, a, b);
  return c.length === 2 && a.length === 2 ? midnightOf(a, b, c) : undefined;
}

/**
 * The days that a date of three numbers may mean, by the order: milliseconds of midnight (UTC), undefined where it is no day then.
 * @returns undefined for a date that is written otherwise
 */
export function timeReadings(text: string): Record<DateOrder, number | undefined> | undefined {
  const match = NUMBERS.exec(dateWritten(text));
  if (match === null) return undefined;
  return Object.fromEntries(DATE_ORDERS.map((order) => [order, inOrder(match, order)])) as Record<
    DateOrder,
    number | undefined
  >;
}

/** The date that was read last: the rows of a day are together. */
let latest: { text: string; order: DateOrder; at: number | undefined } = {
  text: '',
  order: 'day-month-year',
  at: undefined,
};

/** Midnight (UTC) of a date; undefined when it is none. */
function dateOf(text: string, order: DateOrder): number | undefined {
  if (latest.text !== text || latest.order !== order) latest = { text, order, at: parseDate(text, order) };
  return latest.at;
}

function parseDate(text: string, order: DateOrder): number | undefined {
  const numbers = NUMBERS.exec(text);
  if (numbers !== null) return inOrder(numbers, order);
  for (const [form, parts] of DATES) {
    const match = form.exec(text);
    if (match) return midnightOf(...parts(match));
  }
  return undefined;
}

/** Milliseconds since midnight of HH:MM, HH:MM:SS, HHMM or HHMMSS, also with AM or PM; undefined when it is none. */
function clockOf(text: string): number | undefined {
  const match =
    /^(\d\d?):(\d\d)(?::(\d\d)(?:[.:]\d+)?)?(?:\s*([AaPp])\.?[Mm]\.?)?$/.exec(text) ??
    /^(\d\d?)(\d\d)(\d\d)?$/.exec(text);
  if (!match) return undefined;
  const half = match[4]?.toLowerCase();
  const written = Number(match[1]);
  if (half !== undefined && (written < 1 || written > 12)) return undefined;
  const hours = half === undefined ? written : (written % 12) + (half === 'p' ? 12 : 0);
  const [minutes, seconds] = [Number(match[2]), Number(match[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return hours * 60 * MINUTE + minutes * MINUTE + seconds * SECOND;
}

/** Beginning of the time of day in a cell that has a date before it: behind a T, a comma or blanks. */
const CLOCK = /[T,\s](\d\d?:\d\d(?::\d\d(?:[.:]\d+)?)?(?:\s*[AaPp]\.?[Mm]\.?)?|\d{4}|\d{6})$/;

/** Date and time of day of one cell; two empty texts where it holds not both. */
function halvesOf(text: string): [date: string, clock: string] {
  const match = CLOCK.exec(text);
  if (match === null) return ['', ''];
  const date = text.slice(0, match.index).trim();
  return [date.endsWith(',') ? date.slice(0, -1).trimEnd() : date, match[1]!];
}

/** `Nov 27 09:15:00 IST 2025`: the year is last. */
const YEAR_LAST = /^([A-Za-z]{3} \d\d?) (\d\d:\d\d:\d\d) ([A-Z]{3}) (\d{4})$/;

/**
 * A cell without the name of its weekday, and of its zone behind the offset: `Thu Nov 27 2025 09:15:00 GMT+0530 (India Standard Time)`,
 * `2025-11-27T09:15+05:30[Asia/Kolkata]`.
 */
function bare(text: string): string {
  const dated = text.replace(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+/i, '');
  const zoneAt = dated.endsWith(')') ? dated.lastIndexOf('(') : dated.endsWith(']') ? dated.lastIndexOf('[') : -1;
  return (zoneAt < 0 ? dated : dated.slice(0, zoneAt).trimEnd()).replace(YEAR_LAST, '$1 $4 $2 $3');
}

/** The date of a cell, without the time behind it. */
function dateWritten(text: string): string {
  if (text.length > MAX_TIME_LENGTH) return '';
  const [date] = halvesOf(withoutZone(bare(text))[0]);
  return date === '' ? bare(text) : date;
}

/** Of a time of day with its zone both apart: minutes over UTC, undefined where it has none. */
function withoutZone(text: string): [rest: string, zone: number | undefined] {
  const match = /(?:Z|IST|(?:UTC|GMT)?[+-]\d\d?(?::?\d\d)?|UTC|GMT|Asia\/(?:Kolkata|Calcutta))$/i.exec(text);
  const before = text.slice(0, match?.index ?? 0).trimEnd();
  const zone = match === null || !/\d:\d\d|T\d{4}(\d\d)?$/.test(before) ? undefined : offsetOf(match[0]);
  return zone === undefined ? [text, undefined] : [before, zone];
}

/** A time that was read. */
export interface ReadTime {
  /** Milliseconds since the epoch; of a date alone its midnight in India. */
  at: number;
  /** True if only a date stood there. */
  dateOnly: boolean;
}

/**
 * Reads one cell with date and time, or one with each.
 * @param offset minutes over UTC of times that do not say theirs
 * @param order of a date of three numbers
 * @returns undefined when it is not a time
 */
export function parseTime(
  text: string,
  clock: string | undefined,
  offset: number,
  order: DateOrder = 'day-month-year',
): ReadTime | undefined {
  if (text.length > MAX_TIME_LENGTH || (clock?.length ?? 0) > MAX_TIME_LENGTH) return undefined;
  // A table of numbers writes a count as 1762746300.0.
  const count = /^(\d+)(?:\.0+)?$/.exec(text)?.[1];
  const perCount = count === undefined ? undefined : COUNTS[count.length];
  if (perCount !== undefined) return { at: Math.floor(Number(count) * perCount), dateOnly: false };
  // 20251110091500
  const digits = clock === undefined ? /^((?:19|20)\d{6})(\d{4}|\d{6})$/.exec(text) : null;
  if (digits !== null) return parseTime(digits[1]!, digits[2]!, offset, order);
  if (clock === undefined && !text.includes(':')) {
    const date = dateOf(bare(text), order);
    if (date !== undefined) return { at: date - INDIA * MINUTE, dateOnly: true };
  }
  const [rest, zone] = withoutZone(clock ?? bare(text));
  // A date beside its time may itself be written with midnight: 2025-11-28 00:00:00.
  const [ofDate, ofClock] = clock === undefined ? halvesOf(rest) : [bare(text).replace(/[T ]00:00(:00)?$/, ''), rest];
  const date = dateOf(ofDate, order);
  const time = clockOf(ofClock);
  if (date === undefined || time === undefined || time >= DAY) return undefined;
  return { at: date + time - (zone ?? offset) * MINUTE, dateOnly: false };
}
