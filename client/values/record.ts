/** Reads of replies: what is missing or of another type is an error, never taken for something empty. */
import { UnreadableReplyError } from '../errors';
import { asList, asObject, type Json, type JsonObject } from './json';

declare const declared: unique symbol;

/** For the compiler only; never there at run time. */
interface Declares<T> {
  readonly [declared]?: T;
}

/**
 * A value of a reply that the specification declares to be a `T`. Nothing of that is certain: the service leaves fields
 * out, sends null, and adds words to its lists. It becomes certain where a function of this file reads it.
 */
export type Unchecked<T> = (Json & Declares<T>) | null;

/** An object of a reply, declared to be a `T`: the names of its fields are known, their values are unchecked. */
export type WireRecord<T> = JsonObject & Declares<T> & { readonly [Key in keyof T]?: Json };

function unreadable(what: string): UnreadableReplyError {
  return new UnreadableReplyError(`The service's reply cannot be read: ${what}.`, {
    hint: 'Try again; if it stays so, the service may have changed.',
  });
}

/** An object of a reply. @throws UnreadableReplyError */
export function objectAt(value: Json | undefined, what: string): JsonObject {
  const object = asObject(value);
  if (object === undefined) throw unreadable(`${what} is missing`);
  return object;
}

/** A list of objects of a reply; null is an empty one. @throws UnreadableReplyError */
export function objectsAt(value: Json | undefined, what: string): JsonObject[] {
  const list = asList(value);
  if (list === undefined) throw unreadable(`${what} is no list`);
  return list.map((element) => objectAt(element, `an element of ${what}`));
}

/** A number of a reply. @throws UnreadableReplyError when it is missing, no number, or too long to be exact. */
export function numberAt(record: JsonObject, key: string): number {
  const value = record[key];
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw unreadable(typeof value === 'string' ? `${key} is not an exact number` : `${key} is missing`);
  return value;
}

/** A number of a reply that may be missing or null. @throws UnreadableReplyError when it is something else. */
export function optionalNumberAt(record: JsonObject, key: string): number | null {
  const value = record[key];
  return value === null || value === undefined ? null : numberAt(record, key);
}

/** Text of a reply; '' when it is missing or null. Numbers are given out as their digits. */
export function textAt(record: JsonObject, key: string): string {
  const value = record[key];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
