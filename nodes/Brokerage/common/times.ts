/** Times as people type them. */
import { istDate, istInstant, parseTimeOrInstant } from '../../../client/values/time';
import type { ParameterReader } from '../../shared/parameters';

/**
 * A time of day such as 15:05 is one of today in India, by the market's clock; anything else is an instant. Undefined when the field holds
 * nothing.
 * @returns milliseconds since the epoch. @throws InputError if it is no time
 */
export function timeOf(fields: ParameterReader, name: string): number | undefined {
  if (!fields.has(name)) return undefined;
  const time = parseTimeOrInstant(fields.raw(name), name, fields.label(name));
  return 'daily' in time ? istInstant(istDate(fields.marketNow()), time.daily) : time.at;
}
