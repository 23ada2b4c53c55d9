/** A written derivative contract, before the instrument master says whether it exists. */
import { monthNumber } from '../../values/time';

/** A written expiry; a month alone means its monthly expiry. */
export interface ExpiryReading {
  /** Full year; undefined when only day and month were written. */
  year?: number;
  month: number;
  /** Undefined for the monthly expiry. */
  day?: number;
  /**
   * Set where another reading is the usual one: the year of 29 DEC counts only if that is the next December, else a day is meant; 26 DEC
   * 01 is a day of 2026 only if no other reading is listed.
   */
  counts?: 'if it is next' | 'if no other does';
}

/** A written contract. */
export interface Contract {
  /** The underlying as written, capitals. */
  underlying: string;
  kind: 'OPT' | 'FUT';
  optionType: 'CE' | 'PE' | null;
  /** Paise; null for a future. */
  strike: number | null;
  /** Every way in which the expiry can be read; empty when none was written. */
  expiries: ExpiryReading[];
}

export const MONTH_NAMES = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The year of two or four digits. */
export function fullYear(digits: string): number {
  return digits.length === 2 ? 2000 + Number(digits) : Number(digits);
}

/** Returns the paise of decimal rupees; undefined for anything but a price of at most two decimals: a zero in front is a part of a date (26DEC0826000CE). */
export function strikePaise(rupees: string): number | undefined {
  const match = /^(0|[1-9]\d{0,8})(?:\.(\d{1,2}))?$/.exec(rupees);
  return match === null ? undefined : Number(match[1]! + (match[2] ?? '').padEnd(2, '0')) || undefined;
}

/** Returns an expiry from digits and a month's name; undefined for an impossible day or month, and for 1500, which is no year. */
export function expiryOf(parts: { year?: string; month: string; day?: string }): ExpiryReading | undefined {
  const month = /^\d+$/.test(parts.month) ? Number(parts.month) : monthNumber(parts.month);
  const day = parts.day === undefined ? undefined : Number(parts.day);
  if (!(month >= 1 && month <= 12) || (day !== undefined && !(day >= 1 && day <= 31))) return undefined;
  const year = parts.year === undefined ? undefined : fullYear(parts.year);
  if (year !== undefined && !(year >= 2000 && year < 2100)) return undefined;
  return {
    ...(year === undefined ? {} : { year }),
    month,
    ...(day === undefined ? {} : { day }),
  };
}
