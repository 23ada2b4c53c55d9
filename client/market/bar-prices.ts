/** The four prices of a bar: it has all or none. Prices are paise. */
import { candlePriceIn, type MarketPrice } from '../values/market-price';

/** Open, high, low and close. */
export type BarPrices = Readonly<Record<'open' | 'high' | 'low' | 'close', MarketPrice>>;

/** Returns the prices of a bar; undefined if one of them is invalid: calculations from bars leave such a bar out. */
export function barPrices(bar: Readonly<Record<string, unknown>>): BarPrices | undefined {
  const open = candlePriceIn(bar.open);
  const high = candlePriceIn(bar.high);
  const low = candlePriceIn(bar.low);
  const close = candlePriceIn(bar.close);
  if (open === undefined || high === undefined || low === undefined || close === undefined) return undefined;
  return { open, high, low, close };
}
