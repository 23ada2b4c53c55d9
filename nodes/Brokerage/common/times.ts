/** Times as people type them. */
import { istDate, istInstant, parseInstant } from '../../../client/values/time';
import type { ParameterReader } from '../../shared/parameters';

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/**
 * A time of day such as 15:05 is one of today in India, by the market's clock; anything else is an instant. Undefined when the field holds
 * nothing.
 * @returns milliseconds since the epoch. @throws InputError if it is no time
 */
export function timeOf(fields: ParameterReader, name: string): number | undefined {
  if (!fields.has(name)) return undefined;
  const value = fields.raw(name);
  const time = TIME_OF_DAY.exec(typeof value === 'string' ? value.trim() : '');
  return time
    ? istInstant(istDate(fields.marketNow()), `${time[1]?.padStart(2, '0')}:${time[2]}`)
    : parseInstant(value, name, fields.label(name));
}
