/** The words of orders, which the exchange and the accounts share. Prices are paise, quantities are shares. */

export type Side = 'BUY' | 'SELL';
export type OrderKind = 'REGULAR' | 'STOPLOSS' | 'ICEBERG';
export type PriceType = 'LIMIT' | 'MARKET';
export type Validity = 'DAY' | 'IOC';
export type Product = 'CNC' | 'IDAY';
export type OrderStatus =
  'PENDING' | 'SENT' | 'OPEN' | 'PARTIAL_FILLED' | 'FILLED' | 'TRIGGERED' | 'CANCELLED' | 'REJECTED' | 'EXPIRED';

/** The node of a workflow that placed an order, as it tells; '' for what it did not tell. */
export interface PlacedBy {
  /** The workflow's id, and its name. */
  workflow: string;
  workflowName: string;
  /** The execution's id; '' for a trigger, which has none. */
  execution: string;
  /** The node's name. */
  node: string;
}

export interface NewOrder {
  account: string;
  refId: number;
  kind: OrderKind;
  side: Side;
  quantity: number;
  product: Product;
  validity: Validity;
  priceType: PriceType;
  /** Paise; 0 for a market order. */
  price: number;
  /** Paise; only for a stop-loss. */
  triggerPrice: number;
  /** Only for an iceberg. */
  legSize: number;
  tag: string;
  /** 0 when not part of a basket. */
  basketId: bigint;
  source: string;
  /** The intent order that it carries out; undefined for an order without one. */
  intentId?: bigint;
  /** Undefined for one that no workflow placed. */
  placedBy?: PlacedBy;
}

/** Facts that a trade keeps of its order, for reports on its cause and its cost. */
export interface OrderFacts {
  /** Instant when it was placed, milliseconds. */
  placedAt: number;
  tag: string;
  placedBy?: PlacedBy;
  /** Best bid plus best offer (paise, twice the middle) when the order was placed; undefined where one was missing. */
  decisionPrices?: number;
}

/** The state of one order; times are nanoseconds since the epoch, 0n until they happen. */
export interface Order extends NewOrder {
  /** Nineteen digits, beyond 2^53. */
  id: bigint;
  exchangeOrderId: bigint;
  status: OrderStatus;
  filledQuantity: number;
  /** Sum of price × quantity over the trades, paise. */
  filledValue: number;
  reason: string;
  createdAt: bigint;
  sentAt: bigint;
  acknowledgedAt: bigint;
  filledAt: bigint;
  cancelledAt: bigint;
  modifiedAt: bigint;
  /** See `OrderFacts`. */
  decisionPrices?: number;
}

export interface Trade {
  id: bigint;
  orderId: bigint;
  account: string;
  refId: number;
  side: Side;
  product: Product;
  price: number;
  quantity: number;
  /** Nanoseconds since the epoch. */
  at: bigint;
  /** Undefined for the trades of the months before the sandbox began. */
  order?: OrderFacts;
}

/** Refused at once (the request never becomes an order); the service answers 400 with the text. */
export type Refusal = { ok: false; code: string; text: string };
