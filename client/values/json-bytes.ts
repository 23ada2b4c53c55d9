/** The bytes that JSON is written with. */

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COLON = 0x3a;
export const COMMA = 0x2c;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const BLANK = 0x20;
export const PLUS = 0x2b;
export const MINUS = 0x2d;
export const DOT = 0x2e;
/** The first letter of null. */
export const LETTER_N = 0x6e;
export const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;

export function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}

/** Returns true if the byte is an e, small or capital. */
export function isExponent(byte: number | undefined): boolean {
  return byte === 0x65 || byte === 0x45;
}

/** Returns true if the byte can be part of a number. */
export function isNumberByte(byte: number): boolean {
  return isDigit(byte) || byte === DOT || isExponent(byte) || byte === MINUS || byte === PLUS;
}
