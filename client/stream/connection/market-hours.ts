/** When a market may be open, so that silence means something. */
import type { Environment } from '../../session/settings';
import { istDate, istTimeOfDay } from '../../values/time';

/**
 * Whether any market may be open: the longest hours are those of MCX, 09:00 to 23:55 IST, Monday to Friday. Only the
 * live service is silent outside of them; the others may simulate a market at any time.
 * @param at milliseconds since the epoch.
 */
export function isMarketTime(environment: Environment, at: number): boolean {
  const weekday = new Date(`${istDate(at)}T00:00:00Z`).getUTCDay();
  return isMarketHour(environment, at) && (environment !== 'live' || (weekday >= 1 && weekday <= 5));
}

/** As `isMarketTime`, on any day: there are special sessions at weekends. */
export function isMarketHour(environment: Environment, at: number): boolean {
  const time = istTimeOfDay(at);
  return environment !== 'live' || (time >= '09:00' && time < '23:55');
}
