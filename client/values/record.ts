/**
 * The one place that reads fields of replies. Replies do not always match the specification: fields are left out, null, or of another type.
 * Functions that end in `At` throw then, for required fields; those that end in `In` return undefined.
 */
import { UnreadableReplyError } from '../base/errors';
import { asList, asObject, type Json } from './json';

declare const declared: unique symbol;

/** For the compiler only; never there at run time. */
type Declares<T> = { readonly [declared]?: T };

/** A value of a reply that the specification declares to be a `T`. It is unchecked until a function of this file reads it. */
export type Unchecked<T> = (Json & Declares<T>) | null;

/**
 * An object of a reply, declared to be a `T`: the names of its fields are known, their values are unchecked. It holds
 * what else the service sent too; a name that `T` does not have is an error of the compiler.
 */
export type WireRecord<T> = Declares<T> & { readonly [Key in keyof T]?: Json };

/** The fields of `T` that hold a `V` where they hold anything. */
type FieldWith<T, V> = { [Key in keyof T]-?: NonNullable<T[Key]> extends V ? Key : never }[keyof T] & string;

/** Type of a field that has a value. */
type NonNullField<T, Key extends keyof T> = NonNullable<T[Key]>;
type ElementOf<List> = List extends readonly (infer Element)[] ? Element : never;

function unreadable(what: string): UnreadableReplyError {
  return new UnreadableReplyError(`The service's reply cannot be read: ${what}.`, {
    hint: 'Try again. If the error stays, the service may have changed.',
  });
}

/** A reply, or an element of a list, as an object; undefined if it is none. */
export function asRecord<T>(value: Unchecked<T> | undefined): WireRecord<T> | undefined {
  return asObject(value) as WireRecord<T> | undefined;
}

/** As `asRecord`. @param what it is, for the error: "the reply". @throws UnreadableReplyError if it is none. */
export function recordOf<T>(value: Unchecked<T> | undefined, what: string): WireRecord<T> {
  const record = asRecord(value);
  if (record === undefined)
    throw unreadable(`${what} is ${value === null || value === undefined ? 'missing' : 'no object'}`);
  return record;
}

/** An object within an object; undefined if there is none. */
export function recordIn<T, Key extends FieldWith<T, object>>(
  record: WireRecord<T> | undefined,
  key: Key,
): WireRecord<NonNullField<T, Key>> | undefined {
  return asRecord<NonNullField<T, Key>>(record?.[key]);
}

/** As `recordIn`. @throws UnreadableReplyError if there is none. */
export function recordAt<T, Key extends FieldWith<T, object>>(
  record: WireRecord<T>,
  key: Key,
): WireRecord<NonNullField<T, Key>> {
  return recordOf<NonNullField<T, Key>>(record[key], key);
}

/** A list of objects within an object; null and a missing one are empty. @throws UnreadableReplyError for anything else. */
export function recordsAt<T, Key extends FieldWith<T, readonly object[]>>(
  record: WireRecord<T>,
  key: Key,
): WireRecord<ElementOf<NonNullField<T, Key>>>[] {
  const list = asList(record[key]);
  if (list === undefined) throw unreadable(`${key} is no list`);
  return list.map((element) => recordOf<ElementOf<NonNullField<T, Key>>>(element, `an element of ${key}`));
}

/** Returns records without those that come again with the same fields: a list that names something twice means it once. */
export function withoutRepeats<T>(records: readonly WireRecord<T>[]): WireRecord<T>[] {
  return [...new Map(records.map((record) => [JSON.stringify(record), record])).values()];
}

/** As `recordsAt`, without an error: what is no list is empty, and elements that are no objects are left out. */
export function recordsIn<T, Key extends FieldWith<T, readonly object[]>>(
  record: WireRecord<T> | undefined,
  key: Key,
): WireRecord<ElementOf<NonNullField<T, Key>>>[] {
  const list = asList(record?.[key]) ?? [];
  return list.map((value) => asRecord<ElementOf<NonNullField<T, Key>>>(value)).filter((item) => item !== undefined);
}

/** A number; null if there is none. */
export function numberIn<T>(record: WireRecord<T> | undefined, key: FieldWith<T, number>): number | null {
  const value = record?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A number. @throws UnreadableReplyError if it is missing, no number, or too long to be exact. */
export function numberAt<T>(record: WireRecord<T>, key: FieldWith<T, number>): number {
  const number = numberIn(record, key);
  if (number === null)
    throw unreadable(typeof record[key] === 'string' ? `${key} is not an exact number` : `${key} is missing`);
  return number;
}

/** A number that may be missing or null. @throws UnreadableReplyError if it is something else. */
export function optionalNumberAt<T>(record: WireRecord<T>, key: FieldWith<T, number>): number | null {
  const value = record[key];
  return value === null || value === undefined ? null : numberAt(record, key);
}

/** Text; '' when there is none. A number becomes its digits. */
export function textIn<T>(record: WireRecord<T> | undefined, key: FieldWith<T, string | number>): string {
  return textFrom(record?.[key]);
}

/** As `textIn`, of a value of any record. */
export const textFrom = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/**
 * A whole number as text: of up to 15 digits, in groups ("1,00,000", "100,000"), with zeros behind the point ("10.00"). The last group has
 * three digits: "10,50" has a decimal comma.
 */
const WHOLE_NUMBER = /^-?(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4}|\d{1,2}(?:,\d{2}){1,5},\d{3})(?:\.0{1,4})?$/;

/** A whole number of a value of any record, also as text; undefined if it is none, or not exact. */
export function wholeNumberFrom(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  return typeof value === 'string' && WHOLE_NUMBER.test(value) ? Number(value.replaceAll(',', '')) : undefined;
}

/** A number with a fraction, without groups: "1,234.50" is how amounts in rupees are printed, and the service's are paise. */
const DECIMAL = /^-?\d{1,15}\.\d{1,20}$/;

/** Returns true for a text with groups and a point, "1,234.00": an amount in rupees in print, whatever its decimals are. */
const isPrintedAmount = (text: string): boolean => text.includes(',') && text.includes('.');

/** Returns a number of a value of any record, also one that came as text, with or without a fraction; null for anything else. */
export function decimalFrom(value: Json | undefined): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const text = typeof value === 'string' ? value.trim() : '';
  if (isPrintedAmount(text)) return null;
  return wholeNumberFrom(text) ?? (DECIMAL.test(text) ? Number(text) : null);
}

/** A number of a value of any record, also a whole one as text; 0 when there is none, or one that is too large for a double. */
export function numberFrom(value: Json | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : (wholeNumberFrom(value) ?? 0);
}

/** An amount in paise, as `numberFrom`; 0 for one that is printed in rupees: it would be a hundredth. */
export function paiseFrom(value: Json | undefined): number {
  return typeof value === 'string' && isPrintedAmount(value) ? 0 : numberFrom(value);
}

/** Units in a record; 0 when they are missing or null. @throws UnreadableReplyError if they are no whole number: what cannot be read is not 0. */
export function unitsAt<T>(record: WireRecord<T>, key: FieldWith<T, number>): number {
  const value = record[key];
  if (value === null || value === undefined || value === '') return 0;
  const units = wholeNumberFrom(value);
  if (units === undefined) throw unreadable(`${key} is no whole number, but ${JSON.stringify(value).slice(0, 40)}`);
  return units;
}

/** As `asRecord`; an empty one when it is none. */
export const objectFrom = <T>(value: Unchecked<T> | undefined): WireRecord<T> => asRecord(value) ?? {};

/** The first of several spellings that a record has; the first of all when it has none of them. */
export function spellingIn<T, Key extends keyof T & string>(
  record: WireRecord<T>,
  ...[first, ...others]: [Key, ...Key[]]
): Key {
  return [first, ...others].find((key) => Object.hasOwn(record, key)) ?? first;
}
