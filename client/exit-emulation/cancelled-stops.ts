/**
 * Stop losses that somebody else has cancelled. Most likely the position is about to be closed, for example by Portfolio: Exit Position in
 * any process: a new stop loss would block it, and units sold here would be sold twice. So nothing is placed for a while.
 */
import type { Clock, Moment } from '../base/ports';
import { hasEnded, kindOf, orderIdOf, statusOf } from '../orders/model/order-record';
import type { EmulatedOrder } from './emulated-exits';

/** Longer than the time for which a shown position must stay the same before it is closed, 22 seconds at most (see `reconcilePosition`). */
const LEFT_ALONE_MS = 30_000;

/** Stop losses that one exit emulator knows. */
export class CancelledStops {
  /** Ids of those that were open when last seen, except those that the emulator itself cancels. */
  private readonly open = new Set<string>();
  private readonly own = new Set<string>();
  /** Time at which the last one was cancelled by others, by the id of the entry. */
  private readonly at = new Map<string, Moment>();

  /** Notes a stop loss that was placed: it may be taken away before a list shows it. */
  placed(id: string): void {
    this.open.add(id);
  }

  /** Notes a cancellation by the emulator itself. */
  cancels(ids: Iterable<string>): void {
    for (const id of ids) this.own.add(id);
  }

  /** @returns whether the entry is left alone now, as a stop loss of it was taken away. */
  isLately({ id: entryId, closing }: EmulatedOrder, clock: Clock): boolean {
    for (const order of closing.values()) {
      const id = orderIdOf(order);
      if (!hasEnded(order)) this.open.add(id);
      else if (
        this.open.delete(id) &&
        kindOf(order) === 'STOPLOSS' &&
        statusOf(order) === 'CANCELLED' &&
        !this.own.has(id)
      )
        this.at.set(entryId, clock.moment());
    }
    const at = this.at.get(entryId);
    return at !== undefined && clock.since(at) < LEFT_ALONE_MS;
  }
}
