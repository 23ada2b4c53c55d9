/** Terms of orders: the words of their fields, their terms, their changes. Prices are paise, quantities units. */

export const SIDES = ['BUY', 'SELL'] as const;
export type Side = (typeof SIDES)[number];
export const ORDER_KINDS = ['ICEBERG', 'REGULAR', 'STOPLOSS'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];
export const PRICE_TYPES = ['LIMIT', 'MARKET'] as const;
export type PriceType = (typeof PRICE_TYPES)[number];
/** `GTE` is good till a date; the older interface does not have it. */
export const VALIDITIES = ['DAY', 'GTE', 'IOC'] as const;
export type Validity = (typeof VALIDITIES)[number];
export const PRODUCTS = ['CNC', 'IDAY'] as const;
export type Product = (typeof PRODUCTS)[number];

/** Properties of an instrument that rules and guards need. */
export interface TradedInstrument {
  refId: number;
  /** `NSE`, `BSE` or `MCX`. */
  exchange: string;
  /** Trading symbol. */
  symbol: string;
  /** Platform name (plat_name), by which the service is asked for some prices. */
  platName?: string;
  /** Underlying of a derivative; the symbol itself otherwise. */
  asset: string;
  /** Series of a share, such as EQ. */
  series?: string;
  /** Paise. */
  tickSize: number;
  /** Units. */
  lotSize: number;
  /** Rupees per rupee of price on one lot; null if unknown (see `contractOf`). */
  lotMultiplier: number | null;
  /** Units of the largest order in it, as the service's list of the day has them; 0 or left out if it tells none. */
  freezeQuantity?: number;
  /** True for a future or an option. */
  derivative: boolean;
}

/** Position of the last price at which an entry begins. */
export const PRICE_CONDITIONS = ['AT_OR_ABOVE', 'AT_OR_BELOW'] as const;
export type PriceCondition = (typeof PRICE_CONDITIONS)[number];

/** The last price (of a strategy the net price) that an entry waits for, paise. */
export interface EntryCondition {
  when: PriceCondition;
  price: number;
}

/** A limit order at `limit` once the price is at `trigger`, paise. */
export interface TargetTerms {
  trigger: number;
  limit: number;
}

/** Terms of a stop loss, as those of a target, on the other side of the entry. */
export interface StopTerms extends TargetTerms {
  /** Paise: trigger and limit move along with each move of the price by so much in favour, never back. */
  jump?: number;
}

/** A stop loss that is changed; a jump of null takes the trailing off it. */
export type StopChange = Omit<StopTerms, 'jump'> & { jump?: number | null };

/** Exits that the service places by itself for the filled quantity of the entry: the first to fill ends the others. */
export interface ExitTerms {
  stop?: StopTerms;
  target?: TargetTerms;
  /** Milliseconds since the epoch. */
  time?: number;
}

/** Exits that a trigger keeps if the service does not. Prices are paise. */
export interface EmulatedExits {
  /** Trigger of the stop loss, whose limit is one percent beyond it. */
  stop: number;
  /** Trigger of the target; left out if there is only a stop loss. */
  target?: number;
}

/** Terms of one order. Prices in paise, quantities in units (not lots). */
export interface OrderTerms {
  instrument: TradedInstrument;
  kind: OrderKind;
  side: Side;
  quantity: number;
  product: Product;
  validity: Validity;
  priceType: PriceType;
  /** Limit price; only for LIMIT. */
  price?: number;
  /** Trigger price; only for STOPLOSS. */
  triggerPrice?: number;
  /** Visible quantity at a time; only for ICEBERG. */
  legSize?: number;
  /** Number of visible parts instead of `legSize`; only for ICEBERG. */
  slices?: number;
  /** The entry waits for this price; not for STOPLOSS, whose trigger is one. */
  condition?: EntryCondition;
  /** The entry waits until then: milliseconds since the epoch. */
  entryTime?: number;
  /** The last day, YYYY-MM-DD in IST; only for GTE. */
  goodTill?: string;
  exits?: ExitTerms;
  /** Instead of `exits`: only their prices are placed with the order, in its tag. */
  kept?: EmulatedExits;
}

/** Changes of an order; prices in paise, quantities in units. A field that is left out stays unchanged. */
export interface OrderChange {
  quantity?: number;
  price?: number;
  triggerPrice?: number;
  legSize?: number;
  kind?: OrderKind;
  /** The value null removes it. */
  condition?: EntryCondition | null;
  /** Milliseconds since the epoch; null takes it off. */
  entryTime?: number | null;
  /** YYYY-MM-DD in IST. */
  goodTill?: string;
  /** The value null removes it. A trailing stop loss keeps trailing, unless `jump` is null. */
  stop?: StopChange | null;
  /** The value null removes it. */
  target?: TargetTerms | null;
  /** Milliseconds since the epoch; null takes it off. */
  exitTime?: number | null;
}
