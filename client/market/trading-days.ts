/** Whether NSE and BSE trade on a date. */
import type { Transport } from '../transport';
import { addDays, istDate, istInstant, istTimeOfDay } from '../values/time';
import { getCandles } from './candles';

/** From this time of the day on, a day of trading has its first candle (exchange rules: Sessions). */
const SHOWN_FROM = '09:17';

/**
 * Weekdays without trading, as the exchanges publish them: those of 2027 are expected, and to be corrected. They decide only what
 * candles cannot tell: whether there will be trading later on the same day.
 */
const HOLIDAYS: ReadonlySet<string> = new Set([
  ...['2026-10-02', '2026-10-20', '2026-11-10', '2026-11-24', '2026-12-25'],
  ...['2027-01-26', '2027-03-22', '2027-03-26', '2027-04-14', '2027-04-15', '2027-04-19', '2027-05-17', '2027-06-15'],
  ...['2027-10-29', '2027-11-01'],
]);

/** Whether a date (YYYY-MM-DD) may be a trading day, by the weekday and the published holidays. */
function isExpected(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekday >= 1 && weekday <= 5 && !HOLIDAYS.has(date);
}

/**
 * Whether the exchanges trade on the day of an instant: after the first minutes NIFTY has candles or it has none; before, the
 * weekday and the published holidays tell.
 * @param at milliseconds since the epoch
 * @throws NetworkError, ServiceError as `Transport.call`
 */
export async function isTradingDay(transport: Transport, at: number, signal?: AbortSignal): Promise<boolean> {
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
