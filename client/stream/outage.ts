/** When an outage is worth telling somebody about. */
import type { Environment } from '../session/settings';
import { istDate, istTimeOfDay } from '../values/time';

/** Milliseconds without a connection after which somebody should know. */
export const OUTAGE_AFTER_MS = 5 * 60_000;

/**
 * Whether any market may be open: the longest hours are those of MCX, 09:00 to 23:55 IST, Monday to Friday. Only the
 * live service is silent outside of them; the others may simulate a market at any time.
 */
export function isMarketTime(environment: Environment, at: number): boolean {
  if (environment !== 'live') return true;
  const weekday = new Date(`${istDate(at)}T00:00:00Z`).getUTCDay();
  const time = istTimeOfDay(at);
  return weekday >= 1 && weekday <= 5 && time >= '09:00' && time < '23:55';
}
