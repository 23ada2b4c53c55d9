/** What one trigger has given out about each order of the day; kept where n8n stores it, and in this process. */
import { unpackKnown, type Known } from './known';

/** As it is stored; plain data. */
export interface CursorData {
  revision?: number;
  orders?: Record<string, string>;
}

/** More orders than an account has in a day; beyond it the oldest are forgotten. */
const MOST_ORDERS = 5_000;

export class Cursor {
  private count: number;

  private constructor(
    private readonly stored: CursorData,
    private readonly orders: Record<string, string>,
  ) {
    this.count = Object.keys(orders).length;
  }

  /** A cursor that starts from the states given, forgetting what was stored. */
  static fresh(stored: CursorData, states: Iterable<[orderId: string, state: string]>): Cursor {
    stored.orders = Object.fromEntries(states);
    stored.revision = (stored.revision ?? 0) + 1;
    return new Cursor(stored, stored.orders);
  }

  /**
   * A cursor that goes on where it was: from what is stored, or from what this process remembers where that is newer
   * (n8n re-activates a failed trigger with the data of its activation).
   * @returns undefined when there is nothing to go on from.
   */
  static resume(stored: CursorData, remembered: CursorData | undefined): Cursor | undefined {
    const newer = remembered?.orders && (remembered.revision ?? 0) > (stored.revision ?? 0) ? remembered : undefined;
    if (newer) {
      stored.orders = { ...newer.orders };
      stored.revision = newer.revision;
    }
    return stored.orders ? new Cursor(stored, stored.orders) : undefined;
  }

  known(orderId: string): Known | undefined {
    return Object.hasOwn(this.orders, orderId) ? unpackKnown(this.orders[orderId]) : undefined;
  }

  /** Takes note of what has been given out about an order. */
  commit(orderId: string, state: string): void {
    if (!Object.hasOwn(this.orders, orderId) && ++this.count > MOST_ORDERS) this.drop(Object.keys(this.orders)[0]);
    this.orders[orderId] = state;
    this.changed();
  }

  forget(orderIds: readonly string[]): void {
    for (const orderId of orderIds) this.drop(orderId);
    this.changed();
  }

  /** A copy for this process. */
  data(): CursorData {
    return { revision: this.stored.revision, orders: { ...this.orders } };
  }

  private drop(orderId: string | undefined): void {
    if (orderId === undefined || !Object.hasOwn(this.orders, orderId)) return;
    delete this.orders[orderId];
    this.count -= 1;
  }

  /** n8n stores static data when a value at its top has changed. */
  private changed(): void {
    this.stored.revision = (this.stored.revision ?? 0) + 1;
  }
}
