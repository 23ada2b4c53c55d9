/** What one trigger has given out about each order of the day; kept where n8n stores it, and in this process. */
import { unpackKnown, type Known } from './known';

/** As it is stored; plain data. */
export interface CursorData {
  revision?: number;
  /** IST date of the last change. */
  day?: string;
  orders?: Record<string, string>;
}

/** More orders than an account has in a day; beyond it the oldest are forgotten. */
const MOST_ORDERS = 5_000;

export class Cursor {
  private readonly orders: Record<string, string>;
  /** The orders from the oldest on. */
  private readonly oldest: Set<string>;

  /** @param stored where it is kept; its orders are replaced. */
  private constructor(
    private readonly stored: CursorData,
    orders: Record<string, string>,
  ) {
    this.orders = orders;
    this.oldest = new Set(Object.keys(orders));
    stored.orders = orders;
  }

  /** A cursor that starts from the states given, forgetting what was stored. */
  static fresh(stored: CursorData, states: Iterable<[orderId: string, state: string]>): Cursor {
    const cursor = new Cursor(stored, Object.fromEntries(states));
    cursor.changed();
    return cursor;
  }

  /**
   * A cursor that goes on where it was: from what is stored, or from what this process remembers where that is newer
   * (n8n re-activates a failed trigger with the data of its activation).
   * @returns undefined when there is nothing to go on from.
   */
  static resume(stored: CursorData, remembered: CursorData | undefined): Cursor | undefined {
    const isNewer = remembered?.orders !== undefined && (remembered.revision ?? 0) > (stored.revision ?? 0);
    const { orders, revision, day } = isNewer ? remembered : stored;
    if (orders === undefined) return undefined;
    stored.revision = revision;
    stored.day = day;
    return new Cursor(stored, { ...orders });
  }

  /** What has been given out of each order. */
  *known(): Generator<[orderId: string, known: Known]> {
    for (const [orderId, state] of Object.entries(this.orders)) {
      const known = unpackKnown(state);
      if (known) yield [orderId, known];
    }
  }

  /** Forgets the orders of an earlier day that are not among those of today. */
  startDay(day: string, isListed: (orderId: string) => boolean): void {
    if (this.stored.day === day) return;
    this.forget(Object.keys(this.orders).filter((orderId) => !isListed(orderId)));
    this.stored.day = day;
  }

  /** Takes note of what has been given out about an order. */
  commit(orderId: string, state: string): void {
    this.orders[orderId] = state;
    this.oldest.add(orderId);
    if (this.oldest.size > MOST_ORDERS) this.drop(this.oldest.values().next().value as string);
    this.changed();
  }

  forget(orderIds: readonly string[]): void {
    for (const orderId of orderIds) this.drop(orderId);
    this.changed();
  }

  /** A copy for this process. */
  data(): CursorData {
    return { revision: this.stored.revision, day: this.stored.day, orders: { ...this.orders } };
  }

  private drop(orderId: string): void {
    delete this.orders[orderId];
    this.oldest.delete(orderId);
  }

  /** n8n stores static data when a value at its top has changed. */
  private changed(): void {
    this.stored.revision = (this.stored.revision ?? 0) + 1;
  }
}
