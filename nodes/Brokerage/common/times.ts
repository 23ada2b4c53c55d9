/** Times as people type them. */
import { istDate, istInstant, parseInstant, readTimeOfDay } from '../../../client/values/time';
import type { ParameterReader } from '../../shared/parameters';

/**
 * A time of day such as 15:05 is one of today in India, by the market's clock; anything else is an instant. Undefined when the field holds
 * nothing.
 * @returns milliseconds since the epoch. @throws InputError if it is no time
 */
export function timeOf(fields: ParameterReader, name: string): number | undefined {
  if (!fields.has(name)) return undefined;
  const value = fields.raw(name);
  const time = readTimeOfDay(value);
  return time === undefined
    ? parseInstant(value, name, fields.label(name))
    : istInstant(istDate(fields.marketNow()), time);
}
