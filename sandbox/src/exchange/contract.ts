import type { Instrument } from '../market/reference/types';
import type { NewOrder, Order, Refusal, Side } from '../shared/orders';
import type { ExchangeState } from './state';
import type { ExchangeEvent, OrderChange, MarketEffects, TimedComponent, BookSnapshot } from './types';

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
  /** The shown book: others' liquidity and users' orders together. */
  bookSnapshot(instrument: Instrument, at: number, levels: number): BookSnapshot;
  /** Last traded price: the market's, or that of a user's trade or a moved price where that is newer. */
  lastPrice(instrument: Instrument, at: number): number;
  /**
   * Buys or sells a quantity at once, without an order, for what is left of an intraday position when the day is over: at the last price and
   * what so much pushes it by. It pushes the market as an order does.
   * @returns the price on tick, paise
   */
  closeOut(instrument: Instrument, side: Side, quantity: number, at: number): number;
  /**
   * Ends a working order without a request of the user (UNSOLICITED_CANCEL), with the reason that is given; one that is still on its way to the
   * exchange is rejected.
   */
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
  /** Halts or resumes all matching by hand. A market-wide halt by an index leaves MCX open. */
  halt(halted: boolean, at: number): void;
  onEvent(listener: (event: ExchangeEvent) => void): void;
  /** True if an instrument trades continuously at an instant (its session is open and nothing is halted). */
  isOpen(instrument: Instrument, at: number): boolean;
  /** Returns `true` if the session of an instant trades continuously (whatever is halted), and the end (milliseconds) of that. */
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
