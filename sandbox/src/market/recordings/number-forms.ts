/** Numbers as files write them: 1563.00, 1,563.00, 11,20,967, 1.563,00, 78.42M. */

/** Sign between rupees and paise. */
export type DecimalSign = 'point' | 'comma';

const PLAIN = /^(\d+(\.\d+)?|\.\d+)$/;
/** Thousands in groups of three, or of two as in India; behind a point what is less than one. */
const GROUPED = /^(\d{1,3}(,\d{3})+|\d{1,2}(,\d{2})*,\d{3})(\.\d+)?$/;
/** The same with signs exchanged. */
const COMMA = /^(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/;
const MULTIPLES: Record<string, number> = { K: 3, M: 6, B: 9 };

/** A number in the plain way of programs; undefined where it is none in this form. */
export function plainNumber(text: string, sign: DecimalSign): string | undefined {
  if (sign === 'comma') return COMMA.test(text) ? text.replace(/\./g, '').replace(',', '.') : undefined;
  if (PLAIN.test(text)) return text;
  return GROUPED.test(text) ? text.replace(/,/g, '') : undefined;
}

/** Reads a quantity, a safe integer; undefined for any other text. Portals write thousands and millions as letters. */
export function quantityOf(text: string, sign: DecimalSign): number | undefined {
  const zeros = MULTIPLES[text.at(-1) ?? ''];
  const number = plainNumber(zeros === undefined ? text : text.slice(0, -1), sign);
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
  const bare = /[KMB]$/.test(text) ? text.slice(0, -1) : text;
  const [isPoint, isComma] = [plainNumber(bare, 'point') !== undefined, plainNumber(bare, 'comma') !== undefined];
  return isPoint === isComma ? undefined : isPoint ? 'point' : 'comma';
}

/** True if a cell is written with one comma that may be either sign: 1,563. */
export const isUnclear = (text: string): boolean => /^\d{1,3},\d{3}$/.test(text);

/** True if a cell of a column of currencies says rupees, as programs write them, or nothing. */
export const isInRupees = (text: string): boolean => /^(|INR|RS\.?|RUPEES?|₹)$/i.test(text);
