/** The four prices of a bar, all of which it has or none. Prices are paise. */
import { knownMarketPrice, type MarketPrice } from '../values/market-price';

/** Open, high, low and close. */
export type BarPrices = Readonly<Record<'open' | 'high' | 'low' | 'close', MarketPrice>>;

/** The prices of a bar; undefined where one of them is none: what is worked out from bars leaves it out. */
export function barPrices(bar: Readonly<Record<string, unknown>>): BarPrices | undefined {
  const open = knownMarketPrice(bar.open);
  const high = knownMarketPrice(bar.high);
  const low = knownMarketPrice(bar.low);
  const close = knownMarketPrice(bar.close);
  if (open === undefined || high === undefined || low === undefined || close === undefined) return undefined;
  return { open, high, low, close };
}
