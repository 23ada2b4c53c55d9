/**
 * Shares whose number a split or a bonus issue has changed between two trades: what was bought is then no longer what is sold. The
 * tradebook does not tell of it. Candles do: those of before are shown as if the split had always been, while a trade keeps its price.
 */
import { attempt } from '../attempt';
import { ServiceError } from '../base/errors';
import { isDerivative } from '../instruments/symbol';
import { getCandles } from '../market/candles';
import type { Transport } from '../transport';
import { candlePriceIn } from '../values/market-price';
import { addDays, istDate, istInstant } from '../values/time';
import type { Fill } from './fills';

/** Lowest and highest price of a day, paise. */
export interface DayRange {
  low: number;
  high: number;
}

/** A trade of the day lies within its range, by this share: prices of two exchanges differ a little, and a dividend takes a little off. */
const TOLERANCE = 0.05;

/** Returns how many times the price of a trade is that of its day's candle: 1 within its range, 5 before a split into 5. */
function factorOf(price: number, range: DayRange | undefined): number {
  if (range === undefined) return 1;
  if (price > range.high * (1 + TOLERANCE)) return price / range.high;
  return price < range.low * (1 - TOLERANCE) ? price / range.low : 1;
}

/** Returns the shares that are held overnight, each with its trades. @param today YYYY-MM-DD, on which what is open has its price */
function heldOvernight(fills: readonly Fill[], today: string): Map<string, Fill[]> {
  const bySymbol = new Map<string, Fill[]>();
  for (const fill of fills)
    if (!isDerivative(fill.symbol) && fill.product !== 'IDAY')
      bySymbol.set(fill.symbol, [...(bySymbol.get(fill.symbol) ?? []), fill]);
  for (const [symbol, own] of bySymbol) {
    const days = new Set(own.map(({ at }) => istDate(at)));
    const isOpen = own.reduce((net, { quantity }) => net + quantity, 0) !== 0;
    if (days.size === 1 && (!isOpen || days.has(today))) bySymbol.delete(symbol);
  }
  return bySymbol;
}

/**
 * Returns the shares whose number has changed between their trades, or between a trade and now for those that are open.
 * @param rangeOn the candle of a share's day; undefined if there is none
 */
export function findChangedShares(
  fills: readonly Fill[],
  today: string,
  rangeOn: (symbol: string, date: string) => DayRange | undefined,
): Set<string> {
  const changed = new Set<string>();
  for (const [symbol, own] of heldOvernight(fills, today)) {
    const factors = own.map(({ at, price }) => factorOf(price, rangeOn(symbol, istDate(at))));
    if (own.reduce((net, { quantity }) => net + quantity, 0) !== 0) factors.push(1);
    if (Math.max(...factors) > Math.min(...factors) * (1 + TOLERANCE)) changed.add(symbol);
  }
  return changed;
}

/**
 * Asks for the candles of the shares that were held overnight, and returns those whose number has changed.
 * @throws as `Transport.call`; where the service has no candles of the shares, nothing is known of them
 */
export async function changedShares(
  transport: Transport,
  fills: readonly Fill[],
  today: string,
  signal?: AbortSignal,
): Promise<Set<string>> {
  const held = heldOvernight(fills, today);
  if (held.size === 0) return new Set();
  const days = [...held.values()].flat().map(({ at }) => istDate(at));
  const outcome = await attempt(
    getCandles(transport, {
      exchange: 'NSE',
      type: 'STOCK',
      symbols: [...held.keys()],
      fields: ['high', 'low'],
      interval: '1d',
      from: istInstant(days.reduce((first, day) => (day < first ? day : first))),
      to: istInstant(addDays(today, 1)),
      unit: 'paise',
      ...(signal && { signal }),
    }),
  );
  if (!outcome.ok && !isWithoutCandles(outcome.error)) throw outcome.error;
  const ranges = new Map(
    (outcome.ok ? outcome.value.rows : []).flatMap(({ symbol, time, low, high }): [string, DayRange][] => {
      const [lowest, highest] = [candlePriceIn(low), candlePriceIn(high)];
      if (lowest === undefined || highest === undefined) return [];
      return [[`${symbol} ${String(time).slice(0, 10)}`, { low: lowest, high: highest }]];
    }),
  );
  return findChangedShares(fills, today, (symbol, date) => ranges.get(`${symbol} ${date}`));
}

/** Returns true if the service refuses a question about these shares; not that it fails or asks to wait. */
function isWithoutCandles(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 400 || error.status === 404 || error.status === 422);
}
