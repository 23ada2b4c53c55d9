/**
 * Valid prices for calculations, and the values that replace a missing one. The service's numbers become prices here and nowhere else: 0,
 * less than 0, null, a missing number, 2^31 − 1 and above, and an impossible time are no price. Calculations take a `KnownPrice`, so that
 * the compiler refuses an unchecked number. Prices are paise.
 */
import { priceSum } from './contract-value';
import { InputError } from '../base/errors';
import { istDate, toIst } from './time';

declare const source: unique symbol;

/** A price that is known, paise. Its source tells which function of this file, or of the entry that uses it, has looked at it. */
export type KnownPrice<Source extends string = string> = number & { readonly [source]: Source };

/** The price at which an instrument traded, paise: a whole number from 1 to `MAX_PRICE_PAISE`; one of a candle may hold a fraction. */
export type MarketPrice = KnownPrice<'market'>;
/** The mean price at which an order was filled, paise: above 0, with a fraction where fills had several prices. */
export type FillPrice = KnownPrice<'fill'>;
/** A price from the user, or from an order, paise. */
export type GivenPrice = KnownPrice<'given'>;
/** Total cost of all legs of a basket, paise: below 0 for a credit, never 0. */
export type NetPrice = KnownPrice<'net'>;

/** No price. */
export interface NoPrice {
  /** The reason, in words that follow "has no last price: ". */
  readonly none: string;
}

/** 2^31 − 1 is what programs send for "none": no price is as high. */
export const MAX_PRICE_PAISE = 2 ** 31 - 2;

/** Time of a price, and its bounds; milliseconds since the epoch, all by one clock. */
export interface PriceTime {
  at: number;
  /** A price of a time after it is none. */
  now?: number;
  /** YYYY-MM-DD, IST: where today's price is needed, one of an earlier day is none. */
  day?: string | undefined;
}

function whyNone(value: unknown): string | undefined {
  if (value === null || value === undefined) return 'the service gives none';
  if (typeof value !== 'number' || Number.isNaN(value)) return 'what the service gives is no number';
  if (value === 0) return 'the service gives 0, which is no price';
  if (value < 0) return 'the service gives a number below 0, which is no price';
  if (value > MAX_PRICE_PAISE) return `the service gives ${value}, which stands for none`;
  return undefined;
}

function whyNotThen({ at, now, day }: PriceTime): string | undefined {
  if (now !== undefined && at > now) return `that of the service has a time in the future, ${toIst(at)}`;
  return day !== undefined && istDate(at) < day ? `it was last traded on ${istDate(at)}` : undefined;
}

/** The last price in a number of the service. @param time left out if the service tells none. */
export function marketPriceIn(value: unknown, time?: PriceTime): MarketPrice | NoPrice {
  const none = whyNone(value) ?? (time && whyNotThen(time));
  if (none !== undefined) return { none };
  if (!Number.isInteger(value))
    return { none: `the service gives ${String(value)}, which is no whole number of paise` };
  return value as MarketPrice;
}

/** As `marketPriceIn`; undefined if there is none, and nobody asks why. */
export function knownMarketPrice(value: unknown, time?: PriceTime): MarketPrice | undefined {
  const price = marketPriceIn(value, time);
  return isKnownPrice(price) ? price : undefined;
}

/** A price of a candle, which may be adjusted to a fraction of a paisa; undefined if it is none. */
export function candlePriceIn(value: unknown): MarketPrice | undefined {
  return whyNone(value) === undefined ? (value as MarketPrice) : undefined;
}

/** The mean price of a fill in a number of the service; undefined if it is none. */
export function fillPriceIn(value: unknown): FillPrice | undefined {
  return whyNone(value) === undefined ? (value as FillPrice) : undefined;
}

/** Returns a price from the user; undefined if it is invalid. */
export function givenPrice(paise: number | undefined): GivenPrice | undefined {
  return whyNone(paise) === undefined ? (paise as GivenPrice) : undefined;
}

/** The net price of a basket, of its limit or its fill; undefined if it is none. */
export function netPriceIn(paise: number | undefined): NetPrice | undefined {
  return paise === undefined || whyNone(Math.abs(paise)) !== undefined ? undefined : (paise as NetPrice);
}

/** Returns the total cost of legs, paise. @param legs units of each, below 0 for a sale. @returns undefined if it is 0. */
export function netPriceOf(legs: readonly { units: number; price: MarketPrice }[]): NetPrice | undefined {
  return netPriceIn(legs.reduce((sum, { units, price }) => sum + priceSum(price, units), 0));
}

/** Returns true if there is a price. */
export function isKnownPrice<Price extends KnownPrice>(price: Price | NoPrice): price is Price {
  return typeof price === 'number';
}

/** The price, or null: as an item shows it. */
export const priceOrNull = <Price extends KnownPrice>(price: Price | NoPrice): Price | null =>
  isKnownPrice(price) ? price : null;

/** An instrument has no price where something was to be worked out from it. */
export class NoPriceError extends InputError {}

/** Purpose of a required price. */
export interface PriceNeed {
  symbol: string;
  /** Goes on after "has no last price": "to size by". */
  purpose?: string;
  parameter?: string;
  /** The remedy. */
  hint?: string;
}

/** @throws NoPriceError if there is none: it says that nothing was sent. */
export function requirePrice<Price extends KnownPrice>(
  price: Price | NoPrice,
  { symbol, purpose, parameter, hint = 'Try again when it has traded.' }: PriceNeed,
): Price {
  if (isKnownPrice(price)) return price;
  const what = purpose === undefined ? 'no last price' : `no last price ${purpose}`;
  throw new NoPriceError(`${symbol} has ${what}: ${price.none}. Nothing was sent.`, {
    hint,
    ...(parameter === undefined ? {} : { parameter }),
  });
}
