/** The prices of a day from which moves are measured. Money is paise. */
import type { Instrument } from '../instruments/instrument';
import type { NamedInstrument } from '../instruments/symbol';
import type { Transport } from '../transport';
import { addDays, istDate, istInstant, MS_PER_DAY } from '../values/time';
import { candlePriceIn, type MarketPrice } from '../values/market-price';
import type { CandleRow } from './candle-rows';
import { getCandles } from './candles';
import { getCurrentPrice } from './quotes';

type PriceQuestion = NamedInstrument & Pick<Instrument, 'kind'>;

/** Days that are looked through for the trading day before: longer than any row of holidays. */
export const DAYS_BACK = 15;

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
  const rows = await dayCandles(transport, instrument, { interval: '1m', first: day, last: day, signal });
  return priceIn(rows[0], 'open');
}

/**
 * Returns the close of the trading day before a day, paise; for today, the service's value beside the price.
 * @param day YYYY-MM-DD, IST.
 * @param now milliseconds since the epoch.
 * @returns null if there is none. @throws as `getCandles` and `getCurrentPrice`.
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
  const rows = await dayCandles(transport, instrument, { interval: '1d', first, last, signal });
  return priceIn(rows.at(-1), 'close');
}

const MINUTE = 60_000;
/** Milliseconds for which the service keeps bars of seconds, with a minute to spare (docs/service/limits.md#candle-windows). */
const SECONDS_KEPT_MS = 7 * MS_PER_DAY - MINUTE;

/**
 * The highest or the lowest price since an instant (milliseconds since the epoch), paise: by the second to the end of its minute (of
 * the last seven days), by the minute on its first and on the last day, by whole days between.
 * @param now milliseconds since the epoch.
 * @returns null while nothing has been traded since. @throws as `getCandles`.
 */
export async function getExtremeSince(
  transport: Transport,
  instrument: PriceQuestion,
  which: 'high' | 'low',
  { since, now, signal }: { since: number; now: number; signal?: AbortSignal },
): Promise<MarketPrice | null> {
  const [start, today] = [istDate(since), istDate(now)];
  const rows = await dayCandles(transport, instrument, { interval: '1m', first: start, last: start, since, signal });
  const until = Math.ceil(since / MINUTE) * MINUTE;
  if (since < until && since < now && now - since < SECONDS_KEPT_MS)
    rows.push(
      ...(await dayCandles(transport, instrument, {
        interval: '1s',
        first: start,
        last: start,
        since,
        until,
        signal,
      })),
    );
  const [afterStart, yesterday] = [addDays(start, 1), addDays(today, -1)];
  if (afterStart <= yesterday)
    rows.push(
      ...(await dayCandles(transport, instrument, { interval: '1d', first: afterStart, last: yesterday, signal })),
    );
  // The candle of a day that is not over is not always there; the minutes are.
  if (start < today)
    rows.push(...(await dayCandles(transport, instrument, { interval: '1m', first: today, last: today, signal })));
  return extremeIn(rows, which);
}

/** Returns the highest or the lowest price of candles, paise; null if there is none. */
export function extremeIn(rows: readonly CandleRow[], which: 'high' | 'low'): MarketPrice | null {
  return rows
    .map((row) => priceIn(row, which))
    .reduce((one, other) => {
      if (one === null || other === null) return one ?? other;
      return (which === 'high' ? other > one : other < one) ? other : one;
    }, null);
}

/** Candles of whole days, or from an instant on their first to one on their last day. @throws as `getCandles` */
export async function dayCandles(
  transport: Transport,
  { exchange, symbol, kind }: PriceQuestion,
  {
    interval,
    first,
    last,
    since,
    until,
    signal,
  }: {
    interval: '1s' | '1m' | '1d';
    first: string;
    last: string;
    since?: number;
    until?: number;
    signal?: AbortSignal;
  },
): Promise<CandleRow[]> {
  const range = { from: Math.max(istInstant(first), since ?? 0), to: until ?? istInstant(addDays(last, 1)) };
  const fields = ['open', 'high', 'low', 'close'] as const;
  const requested = { exchange, type: kind, symbols: [symbol], fields, interval, unit: 'paise', signal } as const;
  return (await getCandles(transport, { ...requested, ...range })).rows;
}

function priceIn(row: CandleRow | undefined, field: 'open' | 'high' | 'low' | 'close'): MarketPrice | null {
  return candlePriceIn(row?.[field]) ?? null;
}
