/**
 * The contract of the exchange core: pure, deterministic, in virtual time. It reads no clock; whoever drives it calls
 * `advance(to)` and asks `nextDue()` when it wants to be called again. Prices are paise, quantities are shares.
 */
import type { Course, BookChange } from '../market/prices/price-overrides';
import type { Instrument } from '../market/reference/types';
import type { NewOrder, Order, OrderKind, Refusal, Trade } from '../shared/orders';
import type { ExchangeState } from './state';

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

export interface Exchange {
  /** Takes an order: it is PENDING at once; what follows comes as events after seeded delays. */
  place(order: NewOrder, at: number): { ok: true; order: Order } | Refusal;
  modify(orderId: bigint, change: OrderChange, at: number): { ok: true } | Refusal;
  cancel(orderId: bigint, at: number): { ok: true } | Refusal;
  order(orderId: bigint): Order | undefined;
  /** Orders of an account that its list shows by now (a new one appears with a seeded delay), oldest first. */
  orders(account: string, at: number): Order[];
  /** Runs everything that is due up to the instant (milliseconds), in order, and hands out its events. */
  advance(to: number): void;
  /** The instant (milliseconds) at which something may happen next; undefined when nothing waits. */
  nextDue(): number | undefined;
  /** The book as it is shown: others' liquidity and users' orders together. */
  bookSnapshot(instrument: Instrument, at: number, levels: number): BookSnapshot;
  /** Last traded price: the market's, or that of a user's trade or a moved price where that is newer. */
  lastPrice(instrument: Instrument, at: number): number;
  /** Ends a working order as the exchange would of its own accord (UNSOLICITED_CANCEL), with the reason it gives. */
  expel(orderId: bigint, reason: string, at: number): { ok: true } | Refusal;
  /**
   * Moves an instrument to a price (paise, rounded to its tick) from now on: the market's moves go on from there. An
   * index that is moved far enough sets off the market-wide halt.
   * @throws RangeError for an unknown instrument or a price that is not a whole number above 0
   */
  movePrice(refId: number, price: number, at: number): void;
  /** Takes over the terms that shares and their contracts have now. */
  relist(shares: readonly number[], at: number): void;
  /** Lets something happen to the market by and by. */
  impose(effects: MarketEffects, at: number): void;
  /** A person halts or resumes all matching. A market-wide halt by an index leaves MCX open. */
  halt(halted: boolean, at: number): void;
  onEvent(listener: (event: ExchangeEvent) => void): void;
  /** Whether an instrument trades continuously at an instant (its session is open and nothing is halted). */
  isOpen(instrument: Instrument, at: number): boolean;
  /** Whether the session of an instant trades continuously (whatever is halted), and until when (milliseconds) that stays so. */
  session(instrument: Instrument, at: number): { open: boolean; until: number };
  /** The instant (milliseconds) at which DAY orders that work at `at` expire. */
  closeOf(instrument: Instrument, at: number): number;
  /** Lets something take part in virtual time: it is run when it is due, after the exchange's own tasks of that instant. */
  attach(component: TimedComponent): void;
  /**
   * Everything, as plain data with 64-bit integers (`structuredClone` and v8's `serialize` take it);
   * `createExchange(deps, state)` goes on from it as if nothing had been. Take it between two commands.
   */
  state(): ExchangeState;
}

/** What a scenario does to the market. */
export interface MarketEffects {
  prices: readonly Course[];
  volatilities: readonly Course[];
  books: readonly BookChange[];
  /** Instants (milliseconds) at which the exchanges look whether an index has moved far enough to halt trading. */
  looks: readonly number[];
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
