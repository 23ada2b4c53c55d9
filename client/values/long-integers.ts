/**
 * Long integers of JSON in quotes, before `JSON.parse` makes doubles of them: identifiers and nanosecond times of the
 * service have 19 digits, and a double keeps 15 to 17.
 */
import {
  BACKSLASH,
  BLANK,
  COLON,
  COMMA,
  DOT,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  isDigit,
  isExponent,
  isNumberByte,
} from './json-bytes';

/** Integers with fewer digits are below 2^53. */
const LONG_DIGITS = 16;
/** Up to so many bytes a loop copies faster than a call. */
const SHORT_COPY = 48;
const MAX_SAFE = '9007199254740991';

/**
 * Returns the text with quotes around each integer beyond 2^53 − 1. They have sixteen digits and more, so that checking every sixteenth
 * byte meets each of them; the bytes around one show if it is a value.
 * @returns undefined if that is uncertain for any (a number in a list, blanks around it, text that looks like one).
 */
function quoteSampled(bytes: Buffer): string | undefined {
  const { length } = bytes;
  let out: Buffer | undefined;
  let read = 0;
  let written = 0;
  for (let sample = LONG_DIGITS - 1; sample < length; sample += LONG_DIGITS) {
    // Sixteen digits around this one would hold that of eight before it or that of eight behind it.
    if (!isDigit(bytes[sample]!) || (!isDigit(bytes[sample - 8]!) && !isDigit(bytes[sample + 8]!))) continue;
    let from = sample;
    while (from > 0 && isDigit(bytes[from - 1]!)) from--;
    let to = sample + 1;
    while (to < length && isDigit(bytes[to]!)) to++;
    if (to - from < LONG_DIGITS) continue;
    const after = bytes[to];
    const start = bytes[from - 1] === MINUS ? from - 1 : from;
    const before = bytes[start - 1] ?? BLANK;
    if (before === COLON && isEndOfKey(bytes, start - 2)) {
      if (after !== DOT && !isExponent(after) && isUnsafe(bytes, from, to)) {
        written = quote(bytes, read, start, to, (out ??= spaceFor(bytes)), written);
        read = to;
      }
    } else if (before === COLON || before === COMMA || before === OPEN_BRACKET || before <= BLANK) return undefined;
    // After anything else digits are part of a text, of a fraction or of an exponent.
    sample += (to - sample) & -LONG_DIGITS;
  }
  return finish(bytes, read, out, written);
}

/**
 * Returns true if the byte is the quote that ends a key. A quote that opens a text comes after a bracket, comma, colon or blank, one within
 * a text after a backslash.
 */
function isEndOfKey(bytes: Uint8Array, quote: number): boolean {
  if (quote < 1 || bytes[quote] !== QUOTE) return false;
  const last = bytes[quote - 1]!;
  return (
    last > BLANK &&
    last !== COLON &&
    last !== COMMA &&
    last !== OPEN_BRACKET &&
    last !== OPEN_BRACE &&
    last !== BACKSLASH
  );
}

/** As `quoteSampled`, for any JSON: steps over every text as a whole. Slower, and always certain. */
function quoteScanned(bytes: Buffer): string {
  const { length } = bytes;
  let out: Buffer | undefined;
  let read = 0;
  let written = 0;
  for (let at = 0; at < length;) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      for (at++; at < length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
      at++;
    } else if (isDigit(byte) || byte === MINUS) {
      const start = at;
      const from = byte === MINUS ? at + 1 : at;
      for (at = from; at < length && isDigit(bytes[at]!);) at++;
      const to = at;
      while (at < length && isNumberByte(bytes[at]!)) at++;
      if (at === to && to - from >= LONG_DIGITS && isUnsafe(bytes, from, to)) {
        written = quote(bytes, read, start, to, (out ??= spaceFor(bytes)), written);
        read = to;
      }
    } else at++;
  }
  return finish(bytes, read, out, written);
}

/** Room for a copy with quotes: two for sixteen bytes at most. Pages that are never written to cost nothing. */
function spaceFor(bytes: Buffer): Buffer {
  return Buffer.allocUnsafe(bytes.length + Math.ceil(bytes.length / (LONG_DIGITS / 2)));
}

/** Copies the bytes between `read` and `from`, and in quotes those between `from` and `to`; returns the end of the copy. */
function quote(bytes: Buffer, read: number, from: number, to: number, out: Buffer, written: number): number {
  if (from - read > SHORT_COPY) written += bytes.copy(out, written, read, from);
  else while (read < from) out[written++] = bytes[read++]!;
  out[written++] = QUOTE;
  while (from < to) out[written++] = bytes[from++]!;
  out[written++] = QUOTE;
  return written;
}

/** Returns the copy as text, with the bytes after `read` at its end. */
function finish(bytes: Buffer, read: number, out: Buffer | undefined, written: number): string {
  if (out === undefined) return bytes.toString('utf8');
  return out.toString('utf8', 0, written + bytes.copy(out, written, read));
}

/** Returns true if an integer of sixteen digits or more, which are those from `from` to `to`, is beyond 2^53 − 1. */
function isUnsafe(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > LONG_DIGITS) return true;
  for (let at = 0; at < LONG_DIGITS; at++) {
    const difference = bytes[from + at]! - MAX_SAFE.charCodeAt(at);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/**
 * Returns the JSON in UTF-8 bytes as text, with quotes around each integer beyond ±(2^53 − 1). Bytes that are not JSON become some other
 * text that is not JSON either.
 */
export function withQuotedLongIntegers(json: Buffer): string {
  return quoteSampled(json) ?? quoteScanned(json);
}
