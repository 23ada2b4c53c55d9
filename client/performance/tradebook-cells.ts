/** Cells of a tradebook as brokers write them. What is only partly understood is undefined, never guessed. */
import type { Json } from '../values/json';
import { monthNumber } from '../values/time';

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Digits, with commas only where they group them as in India or in English: 1,00,000 or 100,000, never 10,5. */
const NUMBER = /^-?(?:\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.\d+)?$/;

/** Returns a number; of an amount also one after ₹ or Rs. */
export function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  const text = amountText(value);
  return NUMBER.test(text) ? Number(text.replaceAll(',', '')) : undefined;
}

function amountText(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim().replace(/^(?:₹|Rs\.?|INR) ?/i, '') : '';
}

/** Returns true if an amount can only be one of rupees: it has a fraction, be it .00, or the sign of rupees. */
export function showsRupees(value: Json | undefined): boolean {
  if (typeof value === 'number') return !Number.isInteger(value);
  const text = amountText(value);
  return NUMBER.test(text) && (text.includes('.') || text !== textOf(value));
}

/** Returns 1 of a purchase, -1 of a sale. A bonus, a split or a buyback is neither. */
export function sideIn(text: string): 1 | -1 | undefined {
  if (/^(?:B|BUY|BOUGHT|PURCHASE)$|_BUY$/i.test(text)) return 1;
  return /^(?:S|SELL|SOLD|SALE)$|_SELL$/i.test(text) ? -1 : undefined;
}

/** Products of a day: also cover and bracket orders. */
const INTRADAY = /^(?:IDAY|I|MIS|INTRA ?DAY|BO|CO|BRACKET|COVER)$/i;
/** Products that are kept beyond the day. */
const KEPT = /^(?:CNC|C|D|DELIVERY|NRML|NORMAL|CARRY ?FORWARD|MARGIN|MTF)$/i;

/** Returns IDAY or CNC; '' where the cell is empty, undefined where it tells another product. */
export function productIn(text: string): string | undefined {
  if (text === '') return '';
  const plain = text.replace(/^[A-Z_]*TYPE_/i, '').replace(/[-\s]+/g, ' ');
  if (INTRADAY.test(plain)) return 'IDAY';
  return KEPT.test(plain) ? 'CNC' : undefined;
}

/** Digits of a count since 1970, and the milliseconds of one of it. */
const COUNTS: Readonly<Record<number, number>> = { 10: 1_000, 13: 1, 16: 1e-3, 19: 1e-6 };
const MONTH =
  '\\d\\d?|JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?|SEPT?(?:EMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?';
/** 2026-11-20, 2026/11/20, 20261120. */
const YEAR_FIRST = /^(\d{4})(?:([-/.])(\d\d)\2(\d\d)|(\d\d)(\d\d))(?!\d)(.*)$/s;
/** 20-11-2026, 20/11/26, 20.11.2026, 20-Nov-2026, 20 November 2026. */
const DAY_FIRST = new RegExp(`^(\\d\\d?)([-/. ])(${MONTH})\\2(\\d{4}|\\d\\d)(?!\\d)(.*)$`, 'is');

/** Returns YYYY-MM-DD of the day with which a text begins, and what follows. */
function dayIn(text: string): { day: string; rest: string } | undefined {
  const first = YEAR_FIRST.exec(text);
  const second = first === null ? DAY_FIRST.exec(text) : null;
  const [year, month, date, rest] =
    first === null
      ? [second?.[4], second?.[3], second?.[1], second?.[5]]
      : [first[1], first[3] ?? first[5], first[4] ?? first[6], first[7]];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const number = String(/\d/.test(month) ? Number(month) : monthNumber(month)).padStart(2, '0');
  const day = `${year.length === 2 ? `20${year}` : year}-${number}-${date.padStart(2, '0')}`;
  const at = Date.parse(`${day}T00:00:00Z`);
  // The thirty-first of February would be a day of March.
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
  return isDay ? { day, rest: (rest ?? '').replace(/^[T,\s]+/, '') } : undefined;
}

const CLOCK = /^(\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)? ?([AP]M)?\s?(Z|[+-]\d\d:?\d\d|IST)?$/i;

/** Returns the milliseconds since the epoch; in India where the text names no zone. A count since 1970 has no time beside it. */
export function instantOf(date: string, time: string): number | undefined {
  const perCount = /^\d+$/.test(date) ? COUNTS[date.length] : undefined;
  if (perCount !== undefined) return time === '' ? Math.floor(Number(date) * perCount) : undefined;
  const first = dayIn(date);
  if (first === undefined) return undefined;
  const second = time === '' ? undefined : dayIn(time);
  const { day, rest } = second ?? { day: first.day, rest: time === '' ? first.rest : time };
  if (rest === '') return Date.parse(`${day}T00:00:00+05:30`);
  const [whole, written = '', minute = '', seconds = '00', half = '', zone = ''] = CLOCK.exec(rest) ?? [];
  if (whole === undefined) return undefined;
  const given = Number(written);
  if (half !== '' && (given < 1 || given > 12)) return undefined;
  const hour = half === '' ? given : (given % 12) + (/^P/i.test(half) ? 12 : 0);
  const offset =
    zone === '' || /^IST$/i.test(zone) ? '+05:30' : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase();
  const at = Date.parse(`${day}T${String(hour).padStart(2, '0')}:${minute}:${seconds}${offset}`);
  return Number.isNaN(at) ? undefined : at;
}
