/** Determines if NSE and BSE trade on a date. */
import type { Transport } from '../transport';
import { addDays, istDate, istInstant } from '../values/time';
import { isExpectedTradingDay } from './calendar/holidays';
import { specialSessions } from './calendar/special-sessions';
import { getCandles } from './candles';

const USUAL_OPENING = '09:15';
/** Time after the opening by which a trading day has its first candle. */
const FIRST_CANDLE_MS = 2 * 60_000;

/**
 * Returns true if the exchanges trade on the day of an instant. After the first minutes, candles of NIFTY decide; before, the weekday, the
 * published holidays and the special sessions.
 * @param at milliseconds since the epoch
 * @throws NetworkError, ServiceError as `Transport.call`
 */
export async function isTradingDayNow(transport: Transport, at: number, signal?: AbortSignal): Promise<boolean> {
  const date = istDate(at);
  const opens = istInstant(date, specialSessions(date)?.[0]?.from ?? USUAL_OPENING);
  if (at < opens + FIRST_CANDLE_MS) return isExpectedTradingDay(date);
  const { rows } = await getCandles(transport, {
    exchange: 'NSE',
    type: 'INDEX',
    symbols: ['NIFTY'],
    fields: ['close'],
    interval: '1m',
    from: istInstant(date),
    to: istInstant(addDays(date, 1)),
    unit: 'paise',
    ...(signal && { signal }),
  });
  return rows.length > 0;
}
