/** Texts of values for people. */
import { MONTH_WORDS } from '../../shared/dates';
import { rupees } from '../../shared/money';
import type { Value, ValueKind } from './types';

/** "20 Nov 2026" of YYYY-MM-DD. */
export function longDate(date: string): string {
  const [year, month, day] = date.split('-');
  return `${Number(day)} ${MONTH_WORDS[Number(month) - 1]} ${year}`;
}

/** Units of a fund or a NAV with its fixed number of decimals. */
function decimals(value: number, places: number): string {
  const digits = String(Math.abs(value)).padStart(places + 1, '0');
  const whole = rupees(Number(digits.slice(0, -places)) * 100).slice(0, -3);
  return `${value < 0 ? '-' : ''}${whole}.${digits.slice(-places)}`;
}

export function formatValue(value: Value, kind: ValueKind): string {
  if (value === null) return '';
  if (typeof value === 'string') return kind === 'date' ? longDate(value) : value;
  switch (kind) {
    case 'money':
    case 'price':
      return rupees(value);
    case 'quantity':
      return rupees(value * 100).slice(0, -3);
    case 'units':
      return decimals(value, 3);
    case 'nav':
      return decimals(value, 4);
    case 'percent':
      return `${value.toFixed(2).replace(/^-(?=0\.00$)/, '')} %`;
    default:
      return String(value);
  }
}

/** The number a spreadsheet or JSON holds: funds' units and NAVs as decimals, `money` by its own divisor. */
export function numericValue(value: number, kind: ValueKind, moneyDivisor: 1 | 100): number {
  switch (kind) {
    case 'money':
    case 'price':
      return value / moneyDivisor;
    case 'units':
      return value / 1_000;
    case 'nav':
      return value / 10_000;
    default:
      return value;
  }
}

export function isNumeric(kind: ValueKind): boolean {
  return kind !== 'text' && kind !== 'date' && kind !== 'time';
}

/** "ABXXXXXX4K": enough to recognise a PAN, not enough to use it. */
export function maskedPan(pan: string): string {
  return `${pan.slice(0, 2)}${'X'.repeat(Math.max(0, pan.length - 4))}${pan.slice(-2)}`;
}

/** "a****@example.com". */
export function maskedEmail(email: string): string {
  return email.replace(/^(.)[^@]*/, (_all, first: string) => `${first}****`);
}
