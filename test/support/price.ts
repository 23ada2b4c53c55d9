import { marketPriceIn, isKnownPrice, type MarketPrice } from '../../client/values/market-price';

/** A price of the market, paise. @throws Error for a number that is not one */
export function knownPrice(paise: number): MarketPrice {
  const made = marketPriceIn(paise);
  if (!isKnownPrice(made)) throw new Error(made.none);
  return made;
}
