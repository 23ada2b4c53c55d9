/** Reads values that the user or an expression entered: refused with a sentence unless they are exactly of the required type. */
import { InputError } from '../base/errors';
import { startOf } from './length';
import { redact } from './redact';
import { trimEndOf, withoutInvisible } from './trim-end';

/** Characters that look like nothing or like a blank: an error shows them as \u200b. */
const UNSEEN = /[\p{Cf}\u00A0\u2000-\u200A\u202F\u205F\u3000]/gu;
const MAX_SHOWN_LENGTH = 80;
/**
 * Maximum number of characters of a value to search for secrets before it is shown: a secret that begins in the shown part is seen whole.
 */
const MAX_LOOKED_AT = 2_000;
/** A number is never written longer than this, characters. */
const MAX_NUMBER_LENGTH = 400;
/** Digits of the largest identifier. */
const MAX_ID_DIGITS = 19;

/**
 * Returns a value for display in an error: short, on one line, without anything that looks like a secret, since a secret may be in the
 * wrong field.
 */
export function showValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = Object.is(value, -0) ? '-0' : String(value);
  const clean = redact(text.slice(0, MAX_LOOKED_AT));
  const line = JSON.stringify(clean.length > MAX_SHOWN_LENGTH ? `${clean.slice(0, MAX_SHOWN_LENGTH)}…` : clean).replace(
    UNSEEN,
    (sign) => `\\u${sign.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );
  return typeof value === 'string' ? line : line.slice(1, -1);
}

/** Placeholder that an alert, or an expression that was not worked out, leaves in a field: {{ticker}}, {ticker}, {{ $json.body.side }}. */
const PLACEHOLDER = /\{\{[^{}]{1,80}\}\}|\{[A-Za-z_][\w.]{0,40}\}/;

/** Rest of an expression that finds nothing, alone in a text or behind an exchange: NSE:undefined. */
const NOTHING = /(?:^|:)\s*(?:undefined|null|NaN|\[object Object\])?$/;
const NOTHING_HINT =
  "If the field is an expression, it finds nothing in this item: look at the item that comes in for the name to read. Behind n8n's Webhook the fields of an alert are in $json.body; where that is one text, the alert was no JSON, and has no fields.";

/** Error of a spreadsheet, as its cell gives it: #N/A, #REF!, #DIV/0!, #NAME?. */
const SHEET_ERROR = /^#(?:N\/A|DIV\/0!|[A-Z_]{3,20}[!?])$/;

/** Returns true for a value that an expression gives which finds nothing. */
export function isNothing(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_NUMBER_LENGTH && NOTHING.test(value.trim());
  return value === undefined || value === null || Number.isNaN(value);
}

/**
 * Returns what to do about a value for which an expression found nothing, about the error of a spreadsheet, or a placeholder that nothing has
 * filled in; the other hint for any other value.
 */
export function unfilledHint(value: unknown, otherwise?: string): string | undefined {
  if (isNothing(value)) return NOTHING_HINT;
  if (typeof value !== 'string') return otherwise;
  if (SHEET_ERROR.test(value.trim().slice(0, MAX_SHOWN_LENGTH).toUpperCase()))
    return `${showValue(value.trim())} is an error of a spreadsheet: fix the formula of the cell that it comes from.`;
  const [found] = PLACEHOLDER.exec(value.slice(0, MAX_LOOKED_AT)) ?? [];
  if (found === undefined) return otherwise;
  const shown = redact(found);
  return /^\{\{\s*\$/.test(found)
    ? `${shown} counts only where the field is set to Expression, and not to Fixed.`
    : `Nothing has filled in ${shown}: a site does so only in the message of an alert of its own, and {{strategy.…}} only in that of a strategy.`;
}

/**
 * The plain decimal digits of an entered number, given as a number or as text; blanks around text are dropped.
 * @returns undefined for anything else: blank, NaN, infinite, −0, hexadecimal, with an exponent or separators, longer than any number.
 */
export function plainDecimal(value: unknown): { negative: boolean; whole: string; fraction: string } | undefined {
  if (typeof value !== 'number' && typeof value !== 'string' && typeof value !== 'bigint') return undefined;
  if (Object.is(value, -0)) return undefined;
  const text = String(value).trim();
  if (text.length > MAX_NUMBER_LENGTH) return undefined;
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return undefined;
  const negative = match[1] === '-';
  const whole = match[2]!.replace(/^0+(?=\d)/, '');
  const fraction = trimEndOf(match[3] ?? '', (digit) => digit === '0');
  if (negative && whole === '0' && fraction === '') return undefined;
  return { negative, whole, fraction };
}

/**
 * A whole number, given as a number or as text.
 * @param parameter the node parameter that an error names.
 * @throws InputError if it is not a whole number, beyond 2^53 − 1 in size, or outside `min`…`max`.
 */
export function wholeNumber(
  value: unknown,
  parameter: string,
  { label = parameter, min = 0, max = Number.MAX_SAFE_INTEGER }: { label?: string; min?: number; max?: number } = {},
): number {
  const digits = plainDecimal(value);
  const number =
    digits === undefined || digits.fraction !== '' ? NaN : Number(`${digits.negative ? '-' : ''}${digits.whole}`);
  if (!Number.isSafeInteger(number)) {
    throw new InputError(`${label} must be a whole number, but is ${showValue(value)}.`, {
      parameter,
      hint: unfilledHint(value, 'Enter digits only, without separators, decimals or an exponent.'),
    });
  }
  if (number < min || number > max) {
    const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `from ${min} to ${max}`;
    throw new InputError(`${label} must be ${range}, but is ${number}.`, { parameter });
  }
  return number;
}

const ID_HINT = 'Use the id from the operation that placed or listed it.';
const MAX_INT64 = 9223372036854775807n;

/**
 * An identifier of up to 19 digits as decimal text, whatever its size (order_id, basket_id, …).
 * @throws InputError if it is not one, or came as a number beyond 2^53 − 1, whose last digits are already lost.
 */
export function readIdentifier(value: unknown, parameter: string, label = parameter): string {
  if (typeof value === 'number' && Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new InputError(
      `${label} ${showValue(value)} came as a number that is too long to be exact: its last digits are already lost.`,
      {
        parameter,
        hint: 'Pass the id as text. The ids that these nodes return are text already.',
      },
    );
  }
  const digits = plainDecimal(value);
  if (
    digits === undefined ||
    digits.negative ||
    digits.fraction !== '' ||
    digits.whole.length > MAX_ID_DIGITS ||
    BigInt(digits.whole) > MAX_INT64 ||
    digits.whole === '0'
  ) {
    throw new InputError(`${label} must be the digits of an id, but is ${showValue(value)}.`, {
      parameter,
      hint: isNothing(value) ? ID_HINT : unfilledHint(value, ID_HINT),
    });
  }
  return digits.whole;
}

/**
 * A word of a closed list.
 * @throws InputError that names the words that are allowed.
 */
export function oneOf<T extends string>(
  value: unknown,
  allowed: readonly T[],
  parameter: string,
  label = parameter,
): T {
  const found = allowed.find((word) => word === value);
  if (found === undefined) {
    throw new InputError(`${label} must be one of ${allowed.join(', ')}, but is ${showValue(value)}.`, {
      parameter,
      hint: unfilledHint(value, 'Choose from its list. An expression must give exactly one of these words.'),
    });
  }
  return found;
}

/**
 * Text that is not blank, with the blanks around it dropped.
 * @throws InputError if it is blank, not text, too long, or holds control characters (CR and LF among them).
 */
export function plainText(
  value: unknown,
  parameter: string,
  { label = parameter, longest = 200 }: { label?: string; longest?: number } = {},
): string {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (text === undefined || text === null || (typeof text === 'string' && text.trim() === ''))
    throw new InputError(`${label} is empty.`, { parameter, hint: unfilledHint(value) });
  if (typeof text !== 'string')
    throw new InputError(`${label} must be text, but is ${showValue(value)}.`, { parameter });
  const trimmed = text.trim();
  if (trimmed.length > longest)
    throw new InputError(`${label} is longer than ${longest} characters: it begins with ${startOf(trimmed)}`, {
      parameter,
    });
  if (/[\p{Cc}\p{Cs}]/u.test(trimmed)) {
    throw new InputError(
      `${label} ${showValue(trimmed)} holds a line break or another character that cannot be sent.`,
      {
        parameter,
      },
    );
  }
  return trimmed;
}

/**
 * Text as `plainText`, that says something.
 * @throws InputError as `plainText`, for the rest of an expression that found nothing, an error of a spreadsheet, and a placeholder
 */
export function filledText(
  value: unknown,
  parameter: string,
  { label = parameter, ...options }: { label?: string; longest?: number } = {},
): string {
  const text = plainText(value, parameter, { label, ...options });
  const hint = unfilledHint(text);
  if (hint !== undefined)
    throw new InputError(`${label} is ${showValue(text)}, which says nothing.`, { parameter, hint });
  if (withoutInvisible(text).trim() === '')
    throw new InputError(`${label} is ${showValue(text)}, a sign that nobody sees.`, {
      parameter,
      hint: 'Type it again, or remove the field.',
    });
  return text;
}
