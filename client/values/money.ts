/** Rupees and paise, exact: worked out on the digits of the text, never by multiplying a fraction. */
import { InputError } from '../base/errors';
import { quantityText, rupeesText } from './amounts';
import { plainDecimal, showValue, unfilledHint, wholeNumber } from './input';

/** Unit of prices in parameters and output: rupees with up to two decimals, or the exchange's own integers (paise). */
export type MoneyUnit = 'rupees' | 'paise';

const PAISE_PER_RUPEE = 100;

/** Paise as decimal rupees text with two decimals: 150005 → "1500.05". */
export function paiseToText(paise: number): string {
  const digits = String(Math.abs(paise)).padStart(3, '0');
  return `${paise < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Paise as a number of rupees: the double nearest to the exact decimal, so that it prints as that decimal. A fraction
 * of a paisa (an average price) is kept: 150005.5 → 1500.055.
 */
export function paiseToRupees(paise: number): number {
  return paise / PAISE_PER_RUPEE;
}

/**
 * An amount in rupees, as a number or text, in paise.
 * @throws InputError when it is no plain decimal number, has more than two decimals (the error names the nearest
 *   amounts that have two), is negative without `allowNegative`, or is beyond 2^53 − 1 paise.
 */
export function rupeesToPaise(
  value: unknown,
  parameter: string,
  { label = parameter, allowNegative = false }: { label?: string; allowNegative?: boolean } = {},
): number {
  const digits = plainDecimal(value);
  if (digits === undefined) {
    throw new InputError(`${label} must be an amount in rupees such as 1500.05, but is ${showValue(value)}.`, {
      parameter,
      hint: unfilledHint(
        value,
        'Enter digits with at most two decimals, without separators, currency sign or exponent.',
      ),
    });
  }
  if (digits.negative && !allowNegative) {
    throw new InputError(`${label} must not be negative, but is ${showValue(value)}.`, { parameter });
  }
  const sign = digits.negative ? -1 : 1;
  const towardsZero = Number(digits.whole + digits.fraction.slice(0, 2).padEnd(2, '0'));
  if (!Number.isSafeInteger(towardsZero + 1)) {
    throw new InputError(`${label} ${showValue(value)} is too large.`, { parameter });
  }
  if (digits.fraction.length > 2) {
    const nearest = [sign * towardsZero, sign * (towardsZero + 1)].sort((a, b) => a - b);
    throw new InputError(`${label} ${showValue(value)} has more than two decimals.`, {
      parameter,
      hint: `The nearest amounts are ${nearest.map(rupeesText).join(' and ')}.`,
    });
  }
  return sign * towardsZero;
}

/**
 * A price as entered, in the unit that the person chose, in paise.
 * @throws InputError as `rupeesToPaise`, or when paise are not a whole number.
 */
export function priceToPaise(
  value: unknown,
  unit: MoneyUnit,
  parameter: string,
  { label = parameter, allowNegative = false }: { label?: string; allowNegative?: boolean } = {},
): number {
  if (unit === 'rupees') return rupeesToPaise(value, parameter, { label, allowNegative });
  return wholeNumber(value, parameter, {
    label: `${label} (paise)`,
    min: allowNegative ? -Number.MAX_SAFE_INTEGER : 0,
  });
}

/**
 * A price that may lie between two paise, such as 295.23195 rupees, in paise: 29523.195.
 * @throws InputError if it is no plain decimal number, is negative without `allowNegative`, or is beyond 2^53 − 1 paise.
 */
export function exactPaise(
  value: unknown,
  unit: MoneyUnit,
  parameter: string,
  { label = parameter, allowNegative = false }: { label?: string; allowNegative?: boolean } = {},
): number {
  const digits = plainDecimal(value);
  if (digits === undefined) {
    throw new InputError(`${label} must be a price such as 1500.05, but is ${showValue(value)}.`, {
      parameter,
      hint: unfilledHint(value, 'Enter digits, without separators, currency sign or exponent.'),
    });
  }
  if (digits.negative && !allowNegative)
    throw new InputError(`${label} must not be negative, but is ${showValue(value)}.`, { parameter });
  const fraction = unit === 'rupees' ? digits.fraction.padEnd(2, '0') : `00${digits.fraction}`;
  const whole = unit === 'rupees' ? `${digits.whole}${fraction.slice(0, 2)}` : digits.whole;
  const paise = Number(`${whole}.${fraction.slice(2)}`);
  if (!Number.isSafeInteger(Math.ceil(paise)))
    throw new InputError(`${label} ${showValue(value)} is too large.`, { parameter });
  return digits.negative ? -paise : paise;
}

/** Returns a percentage without its sign: an alert's `1.5%` says the same as 1.5 where percent is asked for. */
function withoutPercentSign(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  return text.endsWith('%') ? text.slice(0, -1).trim() : value;
}

/**
 * A share such as -1.2345 percent with any number of decimals, with or without the sign, in hundredths of a percent: -123.45.
 * @throws InputError as `exactPaise`.
 */
export function exactHundredths(
  value: unknown,
  parameter: string,
  { label = parameter, allowNegative = false }: { label?: string; allowNegative?: boolean } = {},
): number {
  const share = withoutPercentSign(value);
  if (plainDecimal(share) === undefined)
    throw new InputError(`${label} must be a percentage such as 2.5, but is ${showValue(value)}.`, {
      parameter,
      hint: unfilledHint(value, 'Enter digits, without separators or exponent.'),
    });
  return exactPaise(share, 'rupees', parameter, { label, allowNegative });
}

/**
 * A share such as 2.5 percent, as a number or text, with or without the sign, in hundredths of a percent.
 * @throws InputError when it is no plain decimal number, is negative, has more than two decimals, or is beyond
 *   2^53 − 1 hundredths.
 */
export function percentToHundredths(value: unknown, parameter: string, label = parameter): number {
  const digits = plainDecimal(withoutPercentSign(value));
  if (digits === undefined || digits.negative || digits.fraction.length > 2)
    throw new InputError(`${label} must be a percentage with at most two decimals, but is ${showValue(value)}.`, {
      parameter,
      hint: unfilledHint(value, 'Enter digits such as 2.5, without separators or exponent.'),
    });
  const hundredths = Number(digits.whole + digits.fraction.padEnd(2, '0'));
  if (!Number.isSafeInteger(hundredths))
    throw new InputError(`${label} ${showValue(value)} is too large.`, { parameter });
  return hundredths;
}

/** Paise in the unit that the person chose; null and undefined stay what they are. */
export function paiseTo<T extends number | null | undefined>(unit: MoneyUnit, paise: T): T | number {
  return typeof paise === 'number' && unit === 'rupees' ? paiseToRupees(paise) : paise;
}

/** An amount of paise as an error names it, in the unit that the person chose: ₹1,500.05, or 150005 paise. */
export function showMoney(unit: MoneyUnit, paise: number): string {
  return unit === 'rupees' ? rupeesText(paise) : `${quantityText(paise)} paise`;
}

/**
 * Checks a price in paise against the tick size of its instrument (docs/service/instruments.md#instrument-record).
 * @throws InputError that names the nearest valid prices below and above.
 */
export function requireOnTick(
  paise: number,
  tickSize: number,
  unit: MoneyUnit,
  parameter: string,
  { label = parameter, allowNegative = false }: { label?: string; allowNegative?: boolean } = {},
): void {
  if (!Number.isSafeInteger(tickSize) || tickSize <= 0 || paise % tickSize === 0) return;
  const below = Math.floor(paise / tickSize) * tickSize;
  const nearest = [below, below + tickSize].filter((price) => price > 0 || allowNegative);
  throw new InputError(
    `${label} ${showMoney(unit, paise)} is not a multiple of the tick size ${showMoney(unit, tickSize)}.`,
    {
      parameter,
      hint: `The nearest price${nearest.length > 1 ? 's are' : ' is'} ${nearest.map((price) => showMoney(unit, price)).join(' and ')}.`,
    },
  );
}
