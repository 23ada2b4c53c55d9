import type { OrderBookSide } from './order-book-side';
import type { QueueEntry } from './working-order';

/** Rest of a sweep, with `true` if it stopped in front of an order of the same account, or at a bound. */
export interface SweepResult {
  left: number;
  stopped: 'own' | 'limited' | undefined;
}

/** State of a walk through a book. */
export interface SweepRules {
  /** Returns the part of a quantity that may be taken from an entry at once; all of it where it is left out. At 0 the walk ends. */
  takeable?(entry: QueueEntry, quantity: number): number;
  /** Told after the resting entry was reduced; it may put a next leg at the back of a queue, and shift others' orders. */
  traded(entry: QueueEntry, price: number, quantity: number): void;
}

/**
 * Trades an incoming order against one side of a book, best price first, then by time, each at the resting price.
 * @param limit the highest price (paise) that an incoming purchase accepts, or the lowest of a sale
 * @param account the incoming order's account, which never trades with itself; undefined for others' orders
 */
export function sweepBook(
  resting: OrderBookSide,
  limit: number,
  quantity: number,
  account: string | undefined,
  { takeable = (_entry, whole) => whole, traded }: SweepRules,
): SweepResult {
  let left = quantity;
  while (left > 0) {
    const level = resting.best;
    if (level === undefined || resting.better(limit, level.price)) break;
    const entry = level.first!;
    if (account !== undefined && entry.working?.order.account === account) return { left, stopped: 'own' };
    const hit = takeable(entry, Math.min(left, entry.quantity));
    if (hit === 0) return { left, stopped: 'limited' };
    left -= hit;
    resting.reduce(entry, hit);
    traded(entry, level.price, hit);
  }
  return { left, stopped: undefined };
}
