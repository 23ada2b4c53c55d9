import type { OrderBookSide } from './order-book-side';
import type { QueueEntry } from './working-order';

/** What a sweep left over, and whether it stopped in front of an order of the same account. */
export interface Swept {
  left: number;
  metOwn: boolean;
}

/**
 * Trades an incoming order against one side of a book, best price first, then by time, each at the resting price.
 * `traded` is told after the resting entry was reduced; it may put a next leg at the back of a queue.
 * @param limit the worst price (paise) the incoming order accepts
 * @param account the incoming order's account, which never trades with itself; undefined for others' orders
 */
export function sweep(
  resting: OrderBookSide,
  limit: number,
  quantity: number,
  account: string | undefined,
  traded: (entry: QueueEntry, price: number, quantity: number) => void,
): Swept {
  let left = quantity;
  while (left > 0) {
    const level = resting.best;
    if (level === undefined || resting.better(limit, level.price)) break;
    const entry = level.first!;
    if (account !== undefined && entry.working?.order.account === account) return { left, metOwn: true };
    const hit = Math.min(left, entry.quantity);
    left -= hit;
    resting.reduce(entry, hit);
    traded(entry, level.price, hit);
  }
  return { left, metOwn: false };
}
