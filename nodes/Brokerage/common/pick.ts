import type { Json, JsonObject } from '../../../client/values/json';

/** The named fields of a record, in this order; those that it lacks are left out. */
export function pickKeys(record: JsonObject, keys: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const key of keys) if (Object.hasOwn(record, key)) picked[key] = record[key] as Json;
  return picked;
}

/** At most so many of the list. */
export function firstOf<T>(list: readonly T[], limit: number): readonly T[] {
  return limit === Number.POSITIVE_INFINITY ? list : list.slice(0, limit);
}
