/**
 * JSON that loses no digit. Identifiers and nanosecond times of the service have 19 digits, beyond 2^53, and come as
 * bare integers: they are quoted in the bytes before `JSON.parse` sees them.
 */
import { InputError, UnreadableReplyError } from '../base/errors';
import { OPEN_BRACE, OPEN_BRACKET } from './json-bytes';
import { readInParts } from './json-parts';
import { MAX_REPLY_IMAGE_LENGTH, MAX_REPLY_FIELD_LENGTH, startOf } from './length';
import { withQuotedLongIntegers } from './long-integers';

/** A value of JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
/** An object of JSON. */
export interface JsonObject {
  [key: string]: Json;
}

/** Keys whose integers are identifiers: always decimal text, whatever their size. */
export const IDENTIFIER_KEYS: ReadonlySet<string> = new Set([
  'order_id',
  'basket_id',
  'exchange_order_id',
  'intent_order_id',
  'intentOrderId',
  'orderId',
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

const TEXT_KEYS: ReadonlySet<string> = new Set([...IDENTIFIER_KEYS, ...NANOSECOND_KEYS]);

/** Keys whose texts are images (docs/service/login-and-session.md#totp-setting). */
const IMAGE_KEYS: ReadonlySet<string> = new Set(['qr_image']);

/** JSON of the service is never nested deeper than this. */
const DEEPEST = 200;
/** No reply but a list of a day holds more objects and lists than this; each costs tens of bytes once it is made. */
export const MAX_VALUES = 1_000_000;
/** From so many bytes on, a document is read part by part. */
const LARGE_BYTES = 8_000_000;

/** Returns true if the bytes may become more objects and lists than a reply holds; known before any is made. */
function holdsTooMany(bytes: Buffer, maxValues: number): boolean {
  if (bytes.length <= maxValues) return false;
  let count = 0;
  for (const opening of [OPEN_BRACE, OPEN_BRACKET])
    for (let at = bytes.indexOf(opening); at >= 0; at = bytes.indexOf(opening, at + 1))
      if (++count > maxValues) return true;
  return false;
}

/** Returns the end of the first object, array or `null` in the text; undefined if none is complete. */
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
 * Makes text of the integers that stand under text keys, at every depth, and removes own keys named `__proto__`: copied on, they would
 * change a prototype.
 * @throws UnreadableReplyError if it is nested too deep, or a text in it is too long.
 */
function tidy(root: Json): void {
  let level: Json[] = [root];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST)
      throw new UnreadableReplyError(`The service sent JSON that is nested more than ${DEEPEST} levels deep.`);
    const below: Json[] = [];
    for (const value of level) tidyOne(value, below);
    level = below;
  }
}

/** @param below takes the objects and lists in the value. */
function tidyOne(value: Json, below: Json[]): void {
  if (Array.isArray(value)) {
    for (const element of value)
      if (typeof element === 'string') requireShort(element, MAX_REPLY_FIELD_LENGTH);
      else if (typeof element === 'object' && element !== null) below.push(element);
    return;
  }
  const record = value as JsonObject;
  // Changed after the loop: an object that changes while its keys are walked is walked several times as slowly.
  let changed: string[] | undefined;
  for (const key in record) {
    const member = record[key]!;
    requireShort(key, MAX_REPLY_FIELD_LENGTH);
    if (typeof member === 'number' && key !== '__proto__') {
      if (TEXT_KEYS.has(key) && Number.isInteger(member)) {
        requireAllDigits(key, member);
        (changed ??= []).push(key);
      }
    } else if (key === '__proto__') (changed ??= []).push(key);
    else if (typeof member === 'string') {
      if (member.length > MAX_REPLY_FIELD_LENGTH)
        requireShort(member, IMAGE_KEYS.has(key) ? MAX_REPLY_IMAGE_LENGTH : MAX_REPLY_FIELD_LENGTH);
    } else if (typeof member === 'object' && member !== null) below.push(member);
  }
  for (const key of changed ?? []) {
    if (key === '__proto__') delete record[key];
    else record[key] = String(record[key]);
  }
}

/** @throws UnreadableReplyError for an id that was sent as a fraction or with an exponent, and is rounded: it would be another one's. */
function requireAllDigits(key: string, value: number): void {
  if (Number.isSafeInteger(value) || !IDENTIFIER_KEYS.has(key) || key === 'exchange_order_id') return;
  throw new UnreadableReplyError(`The service sent ${key} as ${value}: its last digits are lost.`);
}

function requireShort(text: string, max: number): void {
  if (text.length > max)
    throw new UnreadableReplyError(
      `The service sent a text of ${text.length} characters, longer than any of its texts (${max}). It begins with ${startOf(text)}`,
    );
}

/** The document that the text is, its long integers quoted already; undefined if it is none. */
function parseWhole(text: string): { value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

/** The first document of the text when bytes follow it (docs/service/baskets.md#basket-requests). */
function parseFirst(text: string): { value: Json } | undefined {
  const end = endOfFirstDocument(text);
  return end === undefined || end === text.length ? undefined : parseWhole(text.slice(0, end));
}

/**
 * Reads the first JSON document of a reply's bytes.
 * - Integers beyond ±(2^53 − 1) become decimal text.
 * - Identifiers and nanosecond times (`IDENTIFIER_KEYS`, `NANOSECOND_KEYS`) are decimal text whatever their size.
 * - Bytes after the first object, array or `null` are ignored; keys named `__proto__` are dropped.
 * @throws UnreadableReplyError when there is no complete JSON document, one that is nested more than 200 levels
 *   deep, of more than so many objects and lists, or with a text that is too long (`MAX_REPLY_FIELD_LENGTH`).
 */
export function readJson(bytes: Uint8Array, maxValues = MAX_VALUES): Json {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const json = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start);
  if (holdsTooMany(json, maxValues))
    throw new UnreadableReplyError(`The service sent JSON of more than ${maxValues} objects and lists.`);
  return (json.length > LARGE_BYTES ? readInParts(json, readDocument) : undefined) ?? readDocument(json);
}

/** A document as one text. */
function readDocument(json: Buffer): Json {
  const text = withQuotedLongIntegers(json);
  const document = parseWhole(text) ?? parseFirst(text);
  if (document !== undefined) {
    const { value } = document;
    if (typeof value === 'string') requireShort(value, MAX_REPLY_FIELD_LENGTH);
    if (typeof value === 'object' && value !== null) tidy(value);
    return value;
  }
  throw new UnreadableReplyError(
    text.trim() === ''
      ? 'The service sent an empty reply where JSON was expected.'
      : 'The service sent a reply that is not readable JSON; it may have been cut off on the way.',
  );
}

/** As `readJson`; undefined if the bytes hold no complete JSON document. */
export function readJsonIfAny(bytes: Uint8Array): Json | undefined {
  try {
    return readJson(bytes);
  } catch {
    return undefined;
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

/** @returns undefined for undefined, as `JSON.stringify`. */
function write(value: JsonInput, key: string): string | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      throw new InputError(`The number ${value} cannot be sent exactly.`, { parameter: key });
    }
    return String(value);
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

/** The value as a list; null and what is missing are an empty list (docs/service/orders-v2.md#lists-of-orders, docs/service/portfolio.md#holdings); undefined for anything else. */
export function asList(value: Json | undefined): Json[] | undefined {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : undefined;
}
