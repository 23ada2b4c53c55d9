/**
 * JSON that loses no digit. Identifiers and nanosecond times of the service have 19 digits, beyond 2^53, and come as
 * bare integers: they are quoted in the bytes before `JSON.parse` sees them.
 */
import { InputError, UnreadableReplyError } from '../errors';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** Keys whose integers are identifiers: always decimal text, whatever their size. */
export const IDENTIFIER_KEYS: ReadonlySet<string> = new Set([
  'order_id',
  'basket_id',
  'exchange_order_id',
  'intent_order_id',
]);
/** Keys whose integers are nanosecond times: always decimal text, whatever their size. */
export const NANOSECOND_KEYS: ReadonlySet<string> = new Set([
  'order_time',
  'ack_time',
  'filled_time',
  'last_modified',
  'ts',
  'timestamp',
  'intent_created_at',
  'sent_to_colo_at',
  'filled_at',
  'cancelled_at',
  'last_modified_at',
  'last_updated_at',
]);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BLANK = 0x20;
const MINUS = 0x2d;
const DOT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
/** Integers with fewer digits are below 2^53. */
const LONG_DIGITS = 16;
/** Up to so many bytes a loop copies faster than a call. */
const SHORT_COPY = 48;
const LARGEST_SAFE = '9007199254740991';

const TEXT_KEYS: ReadonlySet<string> = new Set([...IDENTIFIER_KEYS, ...NANOSECOND_KEYS]);

/**
 * The text with quotes around each integer beyond 2^53 − 1. They have sixteen digits and more, so that looking at
 * every sixteenth byte meets each of them; what stands around one tells whether it is a value.
 * @returns undefined when that is not certain of each (a number in a list, blanks around it, text that looks like one).
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
      if (after !== DOT && after !== 0x65 && after !== 0x45 && isUnsafe(bytes, from, to)) {
        written = quote(bytes, read, start, to, (out ??= spaceFor(bytes)), written);
        read = to;
      }
    } else if (
      before === COLON ||
      before === COMMA ||
      before === OPEN_BRACKET ||
      before <= BLANK ||
      before === 0x2b ||
      before === 0x65 ||
      before === 0x45
    )
      return undefined;
    // After anything else digits are part of a text, or of a fraction.
    sample += (to - sample) & -LONG_DIGITS;
  }
  return finish(bytes, read, out, written);
}

/**
 * Whether the byte is the quote that ends a key. A quote that opens a text stands after a bracket, comma, colon or blank,
 * one within a text after a backslash.
 */
function isEndOfKey(bytes: Uint8Array, quote: number): boolean {
  if (quote < 1 || bytes[quote] !== QUOTE) return false;
  const last = bytes[quote - 1]!;
  return (
    last > BLANK &&
    last !== COLON &&
    last !== COMMA &&
    last !== OPEN_BRACKET &&
    last !== 0x7b &&
    last !== BACKSLASH &&
    last !== QUOTE
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

/** Copies what stands between `read` and `from`, and in quotes what stands between `from` and `to`; gives out where the copy ends. */
function quote(bytes: Buffer, read: number, from: number, to: number, out: Buffer, written: number): number {
  if (from - read > SHORT_COPY) written += bytes.copy(out, written, read, from);
  else while (read < from) out[written++] = bytes[read++]!;
  out[written++] = QUOTE;
  while (from < to) out[written++] = bytes[from++]!;
  out[written++] = QUOTE;
  return written;
}

/** The copy as text, with what stands after `read` at its end. */
function finish(bytes: Buffer, read: number, out: Buffer | undefined, written: number): string {
  if (out === undefined) return bytes.toString('utf8');
  return out.toString('utf8', 0, written + bytes.copy(out, written, read));
}

function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}

function isNumberByte(byte: number): boolean {
  return isDigit(byte) || byte === DOT || byte === 0x65 || byte === 0x45 || byte === MINUS || byte === 0x2b;
}

/** Whether an integer of so many digits, from `from` to `to`, is beyond 2^53 − 1. */
function isUnsafe(bytes: Uint8Array, from: number, to: number): boolean {
  const digits = to - from;
  if (digits !== LONG_DIGITS) return digits > LONG_DIGITS;
  for (let at = 0; at < LONG_DIGITS; at++) {
    const difference = bytes[from + at]! - LARGEST_SAFE.charCodeAt(at);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** Where the first object, array or `null` of the text ends; undefined when none is complete. */
function endOfFirstDocument(text: string): number | undefined {
  const empty = /^\s*null(?=\s)/.exec(text);
  if (empty !== null) return empty[0].length;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

/**
 * Makes text of the integers that stand under text keys, at every depth, and removes own keys named `__proto__`: copied
 * on, they would change a prototype.
 */
function tidy(root: Json): void {
  const waiting: Json[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) {
      for (const element of value) if (typeof element === 'object' && element !== null) waiting.push(element);
      continue;
    }
    const record = value as JsonObject;
    // Changed after the loop: an object that changes while its keys are walked is walked several times as slowly.
    let changed: string[] | undefined;
    for (const key in record) {
      const member = record[key]!;
      if (typeof member === 'number' && key !== '__proto__') {
        if (TEXT_KEYS.has(key) && Number.isInteger(member)) (changed ??= []).push(key);
      } else if (key === '__proto__') (changed ??= []).push(key);
      else if (typeof member === 'object' && member !== null) waiting.push(member);
    }
    for (const key of changed ?? []) {
      if (key === '__proto__') delete record[key];
      else record[key] = String(record[key]);
    }
  }
}

/** `JSON.parse` of text whose long integers are quoted already. @throws SyntaxError */
function parseText(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (typeof value === 'object' && value !== null) tidy(value);
  return value;
}

/** The first document of the text when bytes follow it (wire-facts 3.7). */
function parseFirst(text: string): { value: Json } | undefined {
  const end = endOfFirstDocument(text);
  if (end === undefined || end === text.length) return undefined;
  try {
    return { value: parseText(text.slice(0, end)) };
  } catch {
    return undefined;
  }
}

/**
 * Reads the first JSON document of a reply's bytes.
 * - Integers beyond ±(2^53 − 1) become decimal text.
 * - Identifiers and nanosecond times (`IDENTIFIER_KEYS`, `NANOSECOND_KEYS`) are decimal text whatever their size.
 * - Bytes after the first object, array or `null` are ignored; keys named `__proto__` are dropped.
 * @throws UnreadableReplyError when there is no complete JSON document.
 */
export function readJson(bytes: Uint8Array): Json {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const json = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start);
  const text = quoteSampled(json) ?? quoteScanned(json);
  try {
    return parseText(text);
  } catch (cause) {
    const first = parseFirst(text);
    if (first !== undefined) return first.value;
    throw new UnreadableReplyError(
      text.trim() === ''
        ? 'The service sent an empty reply where JSON was expected.'
        : 'The service sent a reply that is not readable JSON; it may have been cut off on the way.',
      { cause },
    );
  }
}

/** A value that the JSON writer takes: fields that are undefined are left out. */
export type JsonInput =
  null | boolean | number | string | undefined | readonly JsonInput[] | { readonly [key: string]: JsonInput };

/**
 * Writes a request body. Identifiers (`IDENTIFIER_KEYS`) given as decimal text are written as exact integers, as the
 * service wants them.
 * @throws InputError for a number that JSON cannot hold (NaN, infinite) or that is not exact (beyond 2^53 − 1).
 */
export function writeJson(value: JsonInput): string {
  return write(value, '') ?? 'null';
}

function write(value: JsonInput, key: string): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      throw new InputError(`${key} ${value} is not a number that can be sent exactly.`, { parameter: key });
    }
    return Object.is(value, -0) ? '0' : String(value);
  }
  if (typeof value === 'string')
    return IDENTIFIER_KEYS.has(key) && /^(0|[1-9]\d{0,18})$/.test(value) ? value : JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map((element) => write(element, key) ?? 'null').join(',')}]`;
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    const written = write(member, name);
    if (written !== undefined) members.push(`${JSON.stringify(name)}:${written}`);
  }
  return `{${members.join(',')}}`;
}

function isList(value: readonly JsonInput[] | { readonly [key: string]: JsonInput }): value is readonly JsonInput[] {
  return Array.isArray(value);
}

/** The value as an object, or undefined. */
export function asObject(value: Json | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

/** The value as a list; null and what is missing are an empty list (wire-facts 3.3, 3.11); undefined for anything else. */
export function asList(value: Json | undefined): Json[] | undefined {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : undefined;
}
