/**
 * The contract of the exchange core: pure, deterministic, in virtual time. It reads no clock; whoever drives it calls
 * `advance(to)` and asks `nextDue()` when it wants to be called again. Prices are paise, quantities are shares.
 */
import type { PriceCourse, BookChange } from '../market/prices/price-overrides';
import type { Order, OrderKind, Trade } from '../shared/orders';

/** Everything that happens to an order, in order; `order` is a snapshot taken right after it happened. */
export type ExchangeEvent = { seq: number; at: bigint; order: Order } & (
  | { type: 'received' }
  | { type: 'sent' }
  | { type: 'accepted' }
  | { type: 'rejected'; reason: string }
  | { type: 'modified' }
  | { type: 'modify_rejected'; reason: string }
  | { type: 'triggered' }
  | { type: 'trade'; trade: Trade }
  | { type: 'cancelled' }
  | { type: 'cancel_rejected'; reason: string }
  | { type: 'expired' }
  | { type: 'unsolicited_cancel'; reason: string }
);

export interface OrderChange {
  quantity?: number;
  price?: number;
  triggerPrice?: number;
  legSize?: number;
  kind?: OrderKind;
}

/** Effects of a scenario on the market. */
export interface MarketEffects {
  prices: readonly PriceCourse[];
  volatilities: readonly PriceCourse[];
  books: readonly BookChange[];
  /** Instants (milliseconds) at which the exchanges look whether an index has moved far enough to halt trading. */
  haltCheckTimes: readonly number[];
}

/** Something that is driven along with the exchange, such as baskets. */
export interface TimedComponent {
  /** Milliseconds; undefined when nothing waits. */
  nextDue(): number | undefined;
  /** Runs what is due at the instant. */
  run(at: number): void;
}

export interface BookSnapshot {
  bids: { price: number; quantity: number; orders: number }[];
  asks: { price: number; quantity: number; orders: number }[];
  lastPrice: number;
  lastQuantity: number;
  volume: number;
}
