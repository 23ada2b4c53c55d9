/** Numbers as files write them: 1563.00, 1,563.00, 11,20,967, 1.563,00, ₹1,563.00, 1.2E+07, 78.42M, 1.25Cr. */

/** Sign between rupees and paise. */
export type DecimalSign = 'point' | 'comma';

/** Texts of programs for a price that they do not know. */
export const MISSING_PRICE = /^(-|0+(\.0+)?)?$/;
/** The same, where 0 is a number. */
export const NO_PRICE = /^(|-+|null|none|nan|n\/?a)$/i;
/** Programs write 0 in all prices of a row in which nothing was traded. */
export const ZERO = /^0+(\.0+)?$/;

const PLAIN = /^(\d+(\.\d+)?|\.\d+)$/;
/** Thousands in groups of three, or of two as in India; behind a point what is less than one. */
const GROUPED = /^(\d{1,3}(,\d{3})+|\d{1,2}(,\d{2})*,\d{3})(\.\d+)?$/;
/** The same with signs exchanged. */
const COMMA = /^(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/;
/** A multiple at the end of a quantity, and its zeros. */
const MULTIPLE = /[ ]?(K|M|B|L|LAKHS?|LACS?|CR)$/i;
const ZEROS: Record<string, number> = { K: 3, M: 6, B: 9, L: 5, C: 7 };
/** Rupees as spreadsheets write a currency. */
const RUPEES = /^(?:₹|RS\.?|INR) ?/i;
/** 1.56E+03, as spreadsheets and programs write a long number. */
const POWER = /^(\d+)(?:[.,](\d+))?E([+-]?)(\d{1,2})$/i;

/** A number with a power of ten, written out; undefined for any other text. */
function writtenOut(text: string): string | undefined {
  const match = POWER.exec(text);
  if (match === null) return undefined;
  const [, whole = '', part = '', sign, power] = match;
  const digits = whole + part;
  const point = whole.length + (sign === '-' ? -1 : 1) * Number(power);
  const padded = digits.padStart(digits.length - Math.min(0, point - 1), '0').padEnd(point, '0');
  const at = Math.max(1, point);
  return at >= padded.length ? padded : `${padded.slice(0, at)}.${padded.slice(at)}`;
}

/** A number in the plain way of programs; undefined where it is none in this form. */
export function plainNumber(written: string, sign: DecimalSign): string | undefined {
  const text = written.replace(RUPEES, '');
  const long = writtenOut(text);
  if (long !== undefined) return long;
  if (sign === 'comma') return COMMA.test(text) ? text.replace(/\./g, '').replace(',', '.') : undefined;
  if (PLAIN.test(text)) return text;
  return GROUPED.test(text) ? text.replace(/,/g, '') : undefined;
}

/** The zeros of the multiple at the end of a text; undefined where there is none. */
const zerosOf = (text: string): number | undefined => ZEROS[MULTIPLE.exec(text)?.[1]?.[0]?.toUpperCase() ?? ''];

/** Reads a quantity, a safe integer; undefined for any other text. Portals write thousands, millions, lakhs and crores as letters. */
export function quantityOf(text: string, sign: DecimalSign): number | undefined {
  const zeros = zerosOf(text);
  const number = plainNumber(text.replace(MULTIPLE, ''), sign);
  if (number === undefined) return undefined;
  const [whole, part = ''] = number.split('.') as [string, string?];
  if (zeros === undefined && !/^0*$/.test(part)) return undefined;
  const digits = zeros === undefined ? whole : `${whole}${part.slice(0, zeros).padEnd(zeros, '0')}`;
  if (zeros !== undefined && part.length > zeros) return undefined;
  const quantity = Number(digits);
  return Number.isSafeInteger(quantity) ? quantity : undefined;
}

/** Returns the sign of a file that a cell tells: both signs, or groups that cannot be decimals; undefined where it may be either. */
export function signIn(text: string): DecimalSign | undefined {
  if (!text.includes(',')) return undefined;
  const bare = text.replace(MULTIPLE, '');
  const [isPoint, isComma] = [plainNumber(bare, 'point') !== undefined, plainNumber(bare, 'comma') !== undefined];
  return isPoint === isComma ? undefined : isPoint ? 'point' : 'comma';
}

/** True if a cell is written with one comma that may be either sign: 1,563. */
export const isUnclear = (text: string): boolean => /^\d{1,3},\d{3}$/.test(text.replace(RUPEES, ''));

/** True if a cell of a column of currencies says rupees, as programs write them, or nothing. */
export const isInRupees = (text: string): boolean => /^(|INR|RS\.?|RUPEES?|₹)$/i.test(text);
