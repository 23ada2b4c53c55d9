import { DAY, MINUTE, MONTHS, SECOND } from '../../shared/dates';

/** Times as files write them. */

/** No time is written longer than this, characters; a longer cell is none, and is not read. */
const MAX_TIME_LENGTH = 60;
/** Minutes of India over UTC. */
const INDIA = 330;
/** Digits of a count since 1970, and how many milliseconds one of it is. */
const COUNTS: Record<number, number> = { 10: 1000, 13: 1, 16: 1e-3, 19: 1e-6 };

/** Minutes over UTC of `IST`, `UTC`, `Z`, `+05:30` or `+0530`; undefined for any other text. */
export function offsetOf(zone: string): number | undefined {
  if (/^(IST|Asia\/(Kolkata|Calcutta))$/i.test(zone)) return INDIA;
  if (/^(UTC|GMT|Z)$/i.test(zone)) return 0;
  const found = /^([+-])(\d\d):?(\d\d)$/.exec(zone);
  if (!found) return undefined;
  const minutes = Number(found[2]) * 60 + Number(found[3]);
  return found[1] === '-' ? -minutes : minutes;
}

/** The ways in which files write a date, and where year, month and day stand in each. */
const DATES: readonly [RegExp, (m: RegExpExecArray) => [string, string, string]][] = [
  [/^(\d{4})[-/](\d\d)[-/](\d\d)$/, (m) => [m[1]!, m[2]!, m[3]!]],
  [/^(\d{4})(\d\d)(\d\d)$/, (m) => [m[1]!, m[2]!, m[3]!]],
  [/^(\d\d)[-/](\d\d)[-/](\d{4})$/, (m) => [m[3]!, m[2]!, m[1]!]],
  [/^(\d\d)[- ]([A-Za-z]{3})[- ](\d{4})$/, (m) => [m[3]!, String(MONTHS.indexOf(m[2]!.toUpperCase()) + 1), m[1]!]],
  [/^(\d\d)-([A-Za-z]{3})-(\d\d)$/, (m) => [`20${m[3]!}`, String(MONTHS.indexOf(m[2]!.toUpperCase()) + 1), m[1]!]],
];

/** The date that was read last: the rows of a day stand together. */
let latest: { text: string; at: number | undefined } = { text: '', at: undefined };

/** Midnight (UTC) of a date; undefined when it is none. */
function dateOf(text: string): number | undefined {
  if (latest.text !== text) latest = { text, at: parseDate(text) };
  return latest.at;
}

function parseDate(text: string): number | undefined {
  for (const [form, order] of DATES) {
    const found = form.exec(text);
    if (!found) continue;
    const [year, month, date] = order(found).map(Number) as [number, number, number];
    const at = Date.UTC(year, month - 1, date);
    const read = new Date(at);
    return read.getUTCMonth() === month - 1 && read.getUTCDate() === date ? at : undefined;
  }
  return undefined;
}

/** Milliseconds since midnight of HH:MM, HH:MM:SS, HHMM or HHMMSS; undefined when it is none. */
function clockOf(text: string): number | undefined {
  const found = /^(\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/.exec(text) ?? /^(\d\d)(\d\d)(\d\d)?$/.exec(text);
  if (!found) return undefined;
  const [hours, minutes, seconds] = [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return hours * 60 * MINUTE + minutes * MINUTE + seconds * SECOND;
}

/** Date and time of day of one cell, with a T or blanks between them; two empty texts where it holds not both. */
function halvesOf(text: string): [date: string, clock: string] {
  const from = Math.max(text.lastIndexOf('T'), text.lastIndexOf(' ')) + 1;
  let end = from;
  while (end > 0 && 'T '.includes(text[end - 1]!)) end--;
  return end > 0 && /^\d/.test(text.slice(from)) ? [text.slice(0, end), text.slice(from)] : ['', ''];
}

/** A time that was read. */
export interface ReadTime {
  /** Milliseconds since the epoch; of a date alone its midnight in India. */
  at: number;
  /** Whether only a date stood there. */
  dateOnly: boolean;
}

/**
 * Reads one cell with date and time, or one with each.
 * @param offset minutes over UTC of times that do not say theirs
 * @returns undefined when it is not a time
 */
export function parseTime(text: string, clock: string | undefined, offset: number): ReadTime | undefined {
  if (text.length > MAX_TIME_LENGTH || (clock?.length ?? 0) > MAX_TIME_LENGTH) return undefined;
  const perCount = /^\d+$/.test(text) ? COUNTS[text.length] : undefined;
  if (perCount !== undefined) return { at: Math.floor(Number(text) * perCount), dateOnly: false };
  if (clock === undefined && !text.includes(':')) {
    const date = dateOf(text);
    if (date !== undefined) return { at: date - INDIA * MINUTE, dateOnly: true };
  }
  const whole = clock ?? text;
  const found = /(?:Z|UTC|IST|[+-]\d\d:?\d\d)$/.exec(whole);
  const before = whole.slice(0, found?.index ?? 0).trimEnd();
  const zone = found === null || !/\d:\d\d/.test(before) ? undefined : offsetOf(found[0]);
  const bare = zone === undefined ? whole : before;
  const [ofDate, ofClock] = clock === undefined ? halvesOf(bare) : [text, bare];
  const date = dateOf(ofDate);
  const time = clockOf(ofClock);
  if (date === undefined || time === undefined || time >= DAY) return undefined;
  return { at: date + time - (zone ?? offset) * MINUTE, dateOnly: false };
}
