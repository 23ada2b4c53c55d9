/** Hours in which a market may be open, so that silence of the stream means something. */
import type { Environment } from '../../session/settings';
import { istDate, istMinute } from '../../values/time';
import { isWeekend } from './holidays';
import { specialSessions } from './special-sessions';

/** The longest hours are those of MCX, 09:00 to 23:55 IST: minutes of the day. */
const OPENS = 9 * 60;
const CLOSES = 23 * 60 + 55;

/**
 * Returns true if any market may be open: from 09:00 to 23:55 IST, Monday to Friday and on days with a special session. Only the live
 * service is silent outside of them; the others may simulate a market at any time.
 * @param at milliseconds since the epoch.
 */
export function isMarketTime(environment: Environment, at: number): boolean {
  const date = istDate(at);
  const mayTrade = !isWeekend(date) || specialSessions(date) !== undefined;
  return isMarketHour(environment, at) && (environment !== 'live' || mayTrade);
}

/** Returns the result of `isMarketTime` for any day: there are special sessions at weekends. */
export function isMarketHour(environment: Environment, at: number): boolean {
  const { minute } = istMinute(at);
  return environment !== 'live' || (minute >= OPENS && minute < CLOSES);
}
