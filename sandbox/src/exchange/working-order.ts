import type { Instrument } from '../market/reference/types';
import type { Order, OrderStatus, Refusal } from '../shared/orders';

/** An order with what only the core knows of it. */
export interface WorkingOrder {
  order: Order;
  instrument: Instrument;
  /** The price it may trade at, paise; differs from `order.price` for a market order (its protection). */
  limit: number;
  /** Its place in the book. */
  entry: QueueEntry | undefined;
  /** True if it waits for its trigger. */
  waiting: boolean;
  /** True if the exchange has it: accepted and not over. */
  atExchange: boolean;
  /** A request of the user that is on its way. */
  inFlight: 'modify' | 'cancel' | undefined;
  /** Instant when the account's list begins to show it, milliseconds. */
  visibleAt: number;
  /** The reason why risk refused it, told after it was received. */
  refused: Refusal | undefined;
}

const OVER: ReadonlySet<OrderStatus> = new Set(['FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED']);

/** True if nothing more can happen to an order of this status. */
export function isTerminal(status: OrderStatus): boolean {
  return OVER.has(status);
}

/** Returns the quantity of an order that is not yet filled. */
export function remainingQuantity(working: WorkingOrder): number {
  return working.order.quantity - working.order.filledQuantity;
}

/** Returns the quantity of an order that the book shows at a time: a leg of an iceberg, else all that remains. */
export function disclosedQuantity(working: WorkingOrder): number {
  const { order } = working;
  const left = remainingQuantity(working);
  return order.kind === 'ICEBERG' ? Math.min(order.legSize, left) : left;
}

/** One place in a queue: a user's order, or liquidity of others. */
export interface QueueEntry {
  /** Undefined for the liquidity of others. */
  working: WorkingOrder | undefined;
  /** Quantity of it that is shown and can trade now. */
  quantity: number;
  /** Number of orders that it counts for. */
  orders: number;
  level: PriceLevel;
  before: QueueEntry | undefined;
  after: QueueEntry | undefined;
}

/** All that rests at one price, in the order it came. */
export interface PriceLevel {
  price: number;
  first: QueueEntry | undefined;
  last: QueueEntry | undefined;
  quantity: number;
  /** The part of `quantity` that belongs to others. */
  ambient: number;
  /** Number of users' orders that rest here. */
  users: number;
}
