/** What orders are wanted to be: the words of their fields, their terms, their changes. Prices are paise, quantities units. */

export const SIDES = ['BUY', 'SELL'] as const;
export type Side = (typeof SIDES)[number];
export const ORDER_KINDS = ['ICEBERG', 'REGULAR', 'STOPLOSS'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];
export const PRICE_TYPES = ['LIMIT', 'MARKET'] as const;
export type PriceType = (typeof PRICE_TYPES)[number];
export const VALIDITIES = ['DAY', 'IOC'] as const;
export type Validity = (typeof VALIDITIES)[number];
export const PRODUCTS = ['CNC', 'IDAY'] as const;
export type Product = (typeof PRODUCTS)[number];

/** What rules and guards must know of an instrument. */
export interface TradedInstrument {
  refId: number;
  /** `NSE`, `BSE` or `MCX`. */
  exchange: string;
  /** Trading symbol. */
  symbol: string;
  /** Underlying of a derivative; the symbol itself otherwise. */
  asset: string;
  /** Paise. */
  tickSize: number;
  /** Units. */
  lotSize: number;
  /** Whether it is a future or an option. */
  derivative: boolean;
}

/** One order as it is wanted. Prices in paise, quantities in units (not lots). */
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
}

/** What is to change in an order; prices in paise, quantities in units. What is left out stays as it is. */
export interface OrderChange {
  quantity?: number;
  price?: number;
  triggerPrice?: number;
  legSize?: number;
  kind?: OrderKind;
}
