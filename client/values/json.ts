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
export const IDENTIFIER_KEYS: ReadonlySet<string> = new Set(['order_id', 'basket_id', 'exchange_order_id', 'intent_order_id']);
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
const MINUS = 0x2d;
const DOT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
/** Integers with fewer digits are below 2^53. */
const LONG_DIGITS = 16;
const LARGEST_SAFE = '9007199254740991';

/** The text keys by length, as bytes: most keys are ruled out by their length and their last byte. */
const textKeysByLength: Uint8Array[][] = [];
for (const key of [...IDENTIFIER_KEYS, ...NANOSECOND_KEYS]) {
  (textKeysByLength[key.length] ??= []).push(Buffer.from(key, 'latin1'));
}

/** Whether the bytes from `from` (after the quote) to `to` spell a key whose integers become text. */
function isTextKey(bytes: Uint8Array, from: number, to: number): boolean {
  const candidates = textKeysByLength[to - from];
  if (candidates === undefined) return false;
  for (const key of candidates) {
    let at = key.length - 1;
    while (at >= 0 && bytes[from + at] === key[at]) at--;
    if (at < 0) return true;
  }
  return false;
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

/**
 * Copies JSON with quotes around every integer that is unsafe or stands under a text key. Strings are stepped over as
 * a whole; numbers with a fraction or an exponent stay. The shortest place for a pair of quotes, `"ts":1,`, has seven
 * bytes, so the copy is at most 9/7 of the original.
 */
function quoteIntegers(bytes: Uint8Array): Buffer {
  const length = bytes.length;
  const out = Buffer.allocUnsafe(length + Math.ceil(length / 3) + 2);
  let written = 0;
  let at = 0;
  let keyIsText = false;
  while (at < length) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      const from = ++at;
      out[written++] = QUOTE;
      for (; at < length; at++) {
        const inside = bytes[at]!;
        if (inside === QUOTE) break;
        out[written++] = inside;
        if (inside === BACKSLASH && ++at < length) out[written++] = bytes[at]!;
      }
      if (at < length) {
        at++;
        out[written++] = QUOTE;
        if (bytes[at] === COLON) {
          keyIsText = isTextKey(bytes, from, at - 1);
          at++;
          out[written++] = COLON;
        } else {
          // A blank may stand before the colon; then the string is taken for a key as well, and a value's text
          // followed by anything but a number has no effect.
          keyIsText = isTextKey(bytes, from, at - 1) && colonFollows(bytes, at);
        }
      }
    } else if ((byte >= DIGIT_0 && byte <= DIGIT_9) || byte === MINUS) {
      const from = at;
      const digitsFrom = byte === MINUS ? at + 1 : at;
      at = digitsFrom;
      while (at < length && bytes[at]! >= DIGIT_0 && bytes[at]! <= DIGIT_9) at++;
      const next = bytes[at];
      const whole = at > digitsFrom && next !== DOT && next !== 0x65 && next !== 0x45;
      const quoted = whole && (keyIsText || (at - digitsFrom >= LONG_DIGITS && isUnsafe(bytes, digitsFrom, at)));
      if (!whole) while (at < length && isNumberByte(bytes[at]!)) at++;
      if (quoted) out[written++] = QUOTE;
      for (let copy = from; copy < at; copy++) out[written++] = bytes[copy]!;
      if (quoted) out[written++] = QUOTE;
      keyIsText = false;
    } else {
      out[written++] = byte;
      at++;
      if (byte > 0x20 && byte !== COLON) keyIsText = false;
    }
  }
  return out.subarray(0, written);
}

function isNumberByte(byte: number): boolean {
  return (byte >= DIGIT_0 && byte <= DIGIT_9) || byte === DOT || byte === 0x65 || byte === 0x45 || byte === MINUS || byte === 0x2b;
}

function colonFollows(bytes: Uint8Array, from: number): boolean {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at++;
  return bytes[at] === COLON;
}

/** Where the first object or array of the text ends; undefined when none is complete. */
function endOfFirstDocument(text: string): number | undefined {
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

/** Removes own keys named `__proto__`, at every depth: copied on, they would change a prototype. */
function dropProtoKeys(root: Json): void {
  const waiting: Json[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) delete value['__proto__'];
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) waiting.push(inner);
  }
}

/** `JSON.parse` of text whose long integers are quoted already. @throws SyntaxError */
function parseText(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (text.includes('__proto__') || /\\u005f/i.test(text)) dropProtoKeys(value);
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
 * - Bytes after the first object or array are ignored; keys named `__proto__` are dropped.
 * @throws UnreadableReplyError when there is no complete JSON document.
 */
export function readJson(bytes: Uint8Array): Json {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const text = quoteIntegers(start === 0 ? bytes : bytes.subarray(start)).toString('utf8');
  try {
    return parseText(text);
  } catch (cause) {
    const first = parseFirst(text);
    if (first !== undefined) return first.value;
    throw new UnreadableReplyError(
      text.trim() === '' ? 'The service sent an empty reply where JSON was expected.' : 'The service sent a reply that is not readable JSON; it may have been cut off on the way.',
      { cause },
    );
  }
}

/** A value that the JSON writer takes: fields that are undefined are left out. */
export type JsonInput = null | boolean | number | string | undefined | readonly JsonInput[] | { readonly [key: string]: JsonInput };

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
  if (typeof value === 'string') return IDENTIFIER_KEYS.has(key) && /^(0|[1-9]\d{0,18})$/.test(value) ? value : JSON.stringify(value);
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
