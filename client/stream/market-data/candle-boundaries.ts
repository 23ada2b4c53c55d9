/** End of a candle, and the earliest start of the next. */
import type { Environment } from '../../session/settings';
import { addDays, istDate, istInstant, MS_PER_DAY } from '../../values/time';
import type { StreamInterval } from './market-data';

const MINUTE = 60_000;
/** Milliseconds of a candle; a day is what an exchange makes of it. */
export const INTERVAL_MS: Readonly<Record<StreamInterval, number>> = {
  '1m': MINUTE,
  '2m': 2 * MINUTE,
  '3m': 3 * MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': 60 * MINUTE,
  '1d': MS_PER_DAY,
};
/** Time at which NSE and BSE have ended a day, their session after the close included. */
const DAY_OVER = '16:00';

/**
 * Returns the end of a candle that began at an instant, milliseconds: its length later, at the latest the end of its day. Only the live
 * service's day is known to end at a certain time; the others may simulate one that ends at midnight.
 */
export function endOf(interval: StreamInterval, at: number, exchange: string, environment: Environment): number {
  const date = istDate(at);
  const dayOver = environment === 'live' && exchange !== 'MCX' ? istInstant(date, DAY_OVER) : 0;
  const end = interval === '1d' ? istInstant(addDays(date, 1)) : at + INTERVAL_MS[interval];
  return dayOver > at ? Math.min(end, dayOver) : end;
}

/** The next instant after `now` at which a candle of this length may be over, milliseconds. */
export function nextBoundary(interval: StreamInterval, now: number): number {
  const length = INTERVAL_MS[interval];
  // Of three minutes and less each minute, as two do not divide the hour that a session begins in; sessions begin at a quarter.
  const step = length <= 3 * MINUTE ? MINUTE : Math.min(length, 15 * MINUTE);
  return (Math.floor(now / step) + 1) * step;
}
