/** The four prices of a bar: it has all or none. Prices are paise. */
import { candlePriceIn, type MarketPrice } from '../values/market-price';

/** Open, high, low and close. */
export type BarPrices = Readonly<Record<'open' | 'high' | 'low' | 'close', MarketPrice>>;

/** Part of a price by which the open or the close of a bar may be beyond its high and low: the close of an index is worked out apart. */
const MAX_BEYOND = 1 / 200;

/** Returns true if the prices of a bar cannot be those of one bar: its low is above its high, or its open or close far beyond them. */
export function isContradictory({
  open,
  high,
  low,
  close,
}: Readonly<Record<'open' | 'high' | 'low' | 'close', number>>): boolean {
  const beyond = high * MAX_BEYOND;
  return high < low || Math.max(open, close) > high + beyond || Math.min(open, close) < low - beyond;
}

/** Returns the prices of a bar, which may contradict each other; undefined if one of them is invalid. */
export function reportedPrices(bar: Readonly<Record<string, unknown>>): BarPrices | undefined {
  const open = candlePriceIn(bar.open);
  const high = candlePriceIn(bar.high);
  const low = candlePriceIn(bar.low);
  const close = candlePriceIn(bar.close);
  if (open === undefined || high === undefined || low === undefined || close === undefined) return undefined;
  return { open, high, low, close };
}

/** Returns the prices of a bar; undefined if one of them is invalid, or they contradict each other: calculations from bars leave such a bar out. */
export function barPrices(bar: Readonly<Record<string, unknown>>): BarPrices | undefined {
  const prices = reportedPrices(bar);
  return prices === undefined || isContradictory(prices) ? undefined : prices;
}
