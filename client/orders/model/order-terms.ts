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
  /** Worth in rupees of a rupee of price on one lot; null where nothing tells it (see `contractOf`). */
  lotMultiplier: number | null;
  /** True for a future or an option. */
  derivative: boolean;
}

/** Position of the last price at which an entry begins. */
export const CONDITIONS = ['AT_OR_ABOVE', 'AT_OR_BELOW'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** The last price (of a strategy the net price) that an entry waits for, paise. */
export interface EntryCondition {
  when: Condition;
  price: number;
}

/** A limit order at `limit` once the price is at `trigger`, paise. */
export interface TargetTerms {
  trigger: number;
  limit: number;
}

/** As a target, on the other side of the entry. */
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

/** Exits that a trigger keeps, where the service does not. Prices are paise. */
export interface EmulatedExits {
  /** Trigger of the stop loss, whose limit is one percent beyond it. */
  stop: number;
  /** Left out where there is only a stop loss. */
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
  /** Only for LIMIT. */
  price?: number;
  /** Only for STOPLOSS. */
  triggerPrice?: number;
  /** Only for ICEBERG: the quantity that is shown at a time. */
  legSize?: number;
  /** Only for ICEBERG, instead of `legSize`: in how many parts it is shown. */
  slices?: number;
  /** The entry waits for this price; not for STOPLOSS, whose trigger is one. */
  condition?: EntryCondition;
  /** The entry waits until then: milliseconds since the epoch. */
  entryTime?: number;
  /** Only for GTE: the last day, YYYY-MM-DD in IST. */
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
