/** Changes of a reply's JSON, for tests of replies that are wrong in one way. Integers keep all their digits. */
import { LosslessNumber } from 'lossless-json';

export const isExactNumber = (value: unknown): boolean => value instanceof LosslessNumber;

/** Each value of a JSON, from the inside out, by its name; the name of an entry of a list is that of the list. */
export function mappedValues(value: unknown, name: string, change: (name: string, value: unknown) => unknown): unknown {
  if (value instanceof LosslessNumber || typeof value !== 'object' || value === null) return change(name, value);
  const inner = Array.isArray(value)
    ? value.map((item) => mappedValues(item, name, change))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mappedValues(item, key, change)]));
  return change(name, inner);
}

/** A change of texts and numbers with one of the names. */
export const changeOfFields =
  (names: RegExp, to: unknown) =>
  (name: string, value: unknown): unknown =>
    names.test(name) && (typeof value === 'string' || isExactNumber(value)) ? to : value;
