/**
 * Reads JSON from bytes piece by piece, without making a text or an object of it: for replies of tens of megabytes that
 * become columns at once. Positions go in and out; `MORE` says that the bytes end before the value does.
 */
import type { UnreadableReplyError } from '../base/errors';
import { MAX_REPLY_FIELD_LENGTH, startOf } from './length';
import {
  BACKSLASH,
  BLANK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DIGIT_0,
  DOT,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  isExponent,
  isNumberByte,
} from './json-bytes';

/** The bytes end before the value does. */
export const NEEDS_MORE = -1;
/** Up to so many digits a number is exact in a double, whatever they are. */
const EXACT_DIGITS = 15;
/** A number is never written longer than this. */
const MAX_NUMBER_BYTES = 400;
const NO_BYTES = new Uint8Array(0);

/** Base of the readers of each kind of reply. */
export abstract class JsonScanner {
  protected end = 0;
  /** Bounds of the string that was read last; its bytes are in `stringBytes`. */
  protected stringFrom = 0;
  protected stringTo = 0;
  protected stringBytes: Uint8Array = NO_BYTES;
  /** The number that was read last. */
  protected number = 0;

  constructor(protected bytes: Buffer) {}

  /** The error for bytes that are not what they should be; `why` is part of a sentence. */
  protected abstract unreadable(why: string, cause?: unknown): UnreadableReplyError;

  /** Returns true if these bytes and a closing quote are at this position. */
  protected isQuoted(text: Uint8Array, at: number): boolean {
    const { bytes } = this;
    const { length } = text;
    if (at + length >= this.end || bytes[at + length] !== QUOTE) return false;
    for (let offset = 0; offset < length; offset++) if (bytes[at + offset] !== text[offset]) return false;
    return true;
  }

  /** Reads a number into `number`. @throws UnreadableReplyError for one that cannot be exact. */
  protected readInteger(from: number): number {
    const { bytes, end } = this;
    const negative = bytes[from] === MINUS;
    const digitsFrom = negative ? from + 1 : from;
    let at = digitsFrom;
    let value = 0;
    for (; at < end; at++) {
      const digit = bytes[at]! - DIGIT_0;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at >= end) return NEEDS_MORE;
    const byte = bytes[at]!;
    if (at - digitsFrom <= EXACT_DIGITS && byte !== DOT && !isExponent(byte)) {
      if (at === digitsFrom && byte !== QUOTE) throw this.unreadable('a number in it cannot be read');
      this.number = negative ? -value : value;
      return at;
    }
    while (at < end && isNumberByte(bytes[at]!)) at++;
    if (at - from > MAX_NUMBER_BYTES) throw this.unreadable(`a number in it is longer than ${MAX_NUMBER_BYTES} digits`);
    if (at >= end) return NEEDS_MORE;
    const text = bytes.toString('latin1', from, at);
    this.number = Number(text);
    if (!Number.isFinite(this.number) || (Number.isInteger(this.number) && !Number.isSafeInteger(this.number)))
      throw this.unreadable(`the number ${text.slice(0, 40)} in it is not exact`);
    return at;
  }

  /** Reads a string into `stringBytes` from `stringFrom` to `stringTo`; `at` is its opening quote. */
  protected readString(at: number): number {
    const { bytes, end } = this;
    const from = at + 1;
    let to = from;
    let escaped = false;
    for (; to < end; to++) {
      const byte = bytes[to]!;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) {
        escaped = true;
        to++;
      }
    }
    if (to - from > MAX_REPLY_FIELD_LENGTH)
      throw this.unreadable(
        `a text in it is longer than ${MAX_REPLY_FIELD_LENGTH} bytes and begins with ${startOf(bytes.toString('utf8', from, from + MAX_REPLY_FIELD_LENGTH))}`,
      );
    if (to >= end) return NEEDS_MORE;
    this.stringBytes = bytes;
    this.stringFrom = from;
    this.stringTo = to;
    if (escaped) this.unescape();
    return to + 1;
  }

  protected unescape(): void {
    this.stringBytes = Buffer.from(
      this.parseString(this.bytes.toString('utf8', this.stringFrom - 1, this.stringTo + 1)),
    );
    this.stringFrom = 0;
    this.stringTo = this.stringBytes.length;
  }

  protected string(): string {
    return Buffer.from(this.stringBytes.subarray(this.stringFrom, this.stringTo)).toString('utf8');
  }

  protected skipBlanks(from: number): number {
    let at = from;
    while (at < this.end && this.bytes[at]! <= BLANK) at++;
    return at;
  }

  protected afterColon(from: number): number {
    const colon = this.skipBlanks(from);
    if (colon >= this.end) return NEEDS_MORE;
    if (this.bytes[colon] !== COLON) throw this.unreadable('a colon is missing in it');
    const at = this.skipBlanks(colon + 1);
    return at >= this.end ? NEEDS_MORE : at;
  }

  /** Returns the end of the value that begins here, of any type. */
  protected skipValue(from: number): number {
    const first = this.bytes[from]!;
    if (first === QUOTE) return this.readString(from);
    let at = from;
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
      while (at < this.end && isBareByte(this.bytes[at]!)) at++;
      if (at === from) throw this.unreadable('a value is missing in it');
      return at >= this.end ? NEEDS_MORE : at;
    }
    for (let depth = 0; at < this.end;) {
      const byte = this.bytes[at]!;
      if (byte === QUOTE) {
        at = this.readString(at);
        if (at === NEEDS_MORE) return NEEDS_MORE;
        continue;
      }
      at++;
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at;
    }
    return NEEDS_MORE;
  }

  /** @throws UnreadableReplyError if the escapes are not JSON's. */
  private parseString(text: string): string {
    try {
      return JSON.parse(text) as string;
    } catch (cause) {
      throw this.unreadable('a text in it is broken', cause);
    }
  }
}

function isBareByte(byte: number): boolean {
  return byte > BLANK && byte !== COMMA && byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET && byte !== QUOTE;
}
