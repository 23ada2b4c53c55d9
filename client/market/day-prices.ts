/** The prices of a day from which moves are measured. Money is paise. */
import type { Instrument } from '../instruments/instrument';
import type { NamedInstrument } from '../instruments/symbol';
import type { Transport } from '../transport';
import { addDays, istDate, istInstant } from '../values/time';
import { candlePriceIn, type MarketPrice } from '../values/market-price';
import type { CandleRow } from './candle-rows';
import { getCandles } from './candles';
import { getCurrentPrice } from './quotes';

type PriceQuestion = NamedInstrument & Pick<Instrument, 'kind'>;

/** Days that are looked through for the trading day before: longer than any row of holidays. */
const DAYS_BACK = 15;

/**
 * The first price of a day, paise.
 * @param day YYYY-MM-DD, IST.
 * @returns null while nothing has been traded on it. @throws as `getCandles`.
 */
export async function getDayOpen(
  transport: Transport,
  instrument: PriceQuestion,
  day: string,
  signal?: AbortSignal,
): Promise<MarketPrice | null> {
  // The candle of a day that is not over is not always there; the minutes are.
  const rows = await candles(transport, instrument, { interval: '1m', first: day, last: day, signal });
  return priceIn(rows[0], 'open');
}

/**
 * The close of the trading day before a day, paise; that before today as the service itself tells it beside the price.
 * @param day YYYY-MM-DD, IST.
 * @param now milliseconds since the epoch.
 * @returns null when there is none. @throws as `getCandles` and `getCurrentPrice`.
 */
export async function getPreviousClose(
  transport: Transport,
  instrument: PriceQuestion,
  day: string,
  now: number,
  signal?: AbortSignal,
): Promise<MarketPrice | null> {
  if (day === istDate(now)) return (await getCurrentPrice(transport, instrument, signal)).prevClose;
  const [first, last] = [addDays(day, -DAYS_BACK), addDays(day, -1)];
  const rows = await candles(transport, instrument, { interval: '1d', first, last, signal });
  return priceIn(rows.at(-1), 'close');
}

async function candles(
  transport: Transport,
  { exchange, symbol, kind }: PriceQuestion,
  { interval, first, last, signal }: { interval: '1m' | '1d'; first: string; last: string; signal?: AbortSignal },
): Promise<CandleRow[]> {
  const range = { from: istInstant(first), to: istInstant(addDays(last, 1)) };
  const fields = ['open', 'close'] as const;
  const requested = { exchange, type: kind, symbols: [symbol], fields, interval, unit: 'paise', signal } as const;
  return (await getCandles(transport, { ...requested, ...range })).rows;
}

function priceIn(row: CandleRow | undefined, field: 'open' | 'close'): MarketPrice | null {
  return candlePriceIn(row?.[field]) ?? null;
}
