/** Whether NSE and BSE trade on a date. */
import type { Transport } from '../transport';
import { addDays, istDate, istInstant, istTimeOfDay } from '../values/time';
import { isExpected } from './calendar/holidays';
import { getCandles } from './candles';

/** From this time of the day on, a day of trading has its first candle (exchange rules: Sessions). */
const SHOWN_FROM = '09:17';

/**
 * Whether the exchanges trade on the day of an instant: after the first minutes NIFTY has candles or it has none; before, the
 * weekday and the published holidays tell.
 * @param at milliseconds since the epoch
 * @throws NetworkError, ServiceError as `Transport.call`
 */
export async function isTradingDayNow(transport: Transport, at: number, signal?: AbortSignal): Promise<boolean> {
  const date = istDate(at);
  if (istTimeOfDay(at) < SHOWN_FROM) return isExpected(date);
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
