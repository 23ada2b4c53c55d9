/** Delivered states of one trigger for each order of the day: kept where n8n stores them, and in this process. */
import type { OrderAsDelivered } from '../reconciliation/order-as-delivered';
import { unpackState } from '../reconciliation/state-codec';
import { EndedOrders } from './ended-orders';

/** Stored form; plain data. */
export interface DeliveryCheckpointData {
  revision?: number;
  /** Identifies the account. Missing in the data of earlier versions. */
  scope?: string;
  /** IST date of the last change. */
  day?: string;
  /** The delivered state of each order that has not ended, by its id (see state-codec.ts). */
  orders?: Record<string, string>;
  /** Those that have ended (see ended-orders.ts). Missing in what earlier versions stored. */
  ended?: string;
  /** Nanoseconds: what baskets did before is past. Missing where it is not known. */
  since?: string;
  /** True if a list of baskets has been seen. Missing in the data of earlier versions. */
  basketsSeen?: boolean;
}

/** More orders than an account has in a day; beyond it the oldest are forgotten. */
const MAX_ORDERS = 100_000;
/** Number of orders to forget at once then. */
const FORGOTTEN_AT_ONCE = 10_000;

export class Checkpoint {
  private readonly orders: Record<string, string>;
  private readonly ended: EndedOrders;
  /** The orders from the oldest on. */
  private readonly oldest: Set<string>;

  /** @param stored where it is kept; its orders are replaced. */
  private constructor(
    private readonly stored: DeliveryCheckpointData,
    orders: Record<string, string>,
    ended: string,
  ) {
    this.orders = orders;
    this.ended = new EndedOrders(ended);
    this.oldest = new Set([...this.ended.ids, ...Object.keys(orders)]);
    stored.orders = orders;
    stored.ended = ended;
  }

  /**
   * Returns a checkpoint that starts from the states given, and forgets the stored data.
   * @param stored storage from now on.
   * @param since nanoseconds on the service's clock; undefined if unknown.
   * @param scope identifies the account.
   */
  static fresh(
    stored: DeliveryCheckpointData,
    states: Iterable<[orderId: string, state: string]>,
    since: string | undefined,
    scope: string,
  ): Checkpoint {
    const checkpoint = new Checkpoint(stored, {}, '');
    for (const [orderId, state] of states) checkpoint.commit(orderId, state);
    stored.scope = scope;
    stored.since = since;
    stored.basketsSeen = false;
    checkpoint.changed();
    return checkpoint;
  }

  /**
   * A checkpoint that goes on where it was: from what is stored, or from what this process remembers where that is newer
   * (n8n re-activates a failed trigger with the data of its activation).
   * @returns undefined when there is nothing to go on from, or it is of another account: all that happened there today would
   *   look as if it had been missed.
   */
  static resume(
    stored: DeliveryCheckpointData,
    remembered: DeliveryCheckpointData | undefined,
    scope: string,
  ): Checkpoint | undefined {
    const isNewer = remembered?.orders !== undefined && (remembered.revision ?? 0) > (stored.revision ?? 0);
    const {
      orders,
      ended = '',
      revision,
      day,
      since,
      basketsSeen,
      scope: before = scope,
    } = isNewer ? remembered : stored;
    if (orders === undefined || before !== scope) return undefined;
    stored.revision = revision;
    stored.scope = scope;
    stored.day = day;
    stored.since = since;
    stored.basketsSeen = basketsSeen;
    return new Checkpoint(stored, { ...orders }, ended);
  }

  /** Yields the delivered state of each order. */
  *states(): Generator<[orderId: string, state: OrderAsDelivered]> {
    for (const entry of this.ended.states()) if (this.orders[entry[0]] === undefined) yield entry;
    for (const [orderId, text] of Object.entries(this.orders)) {
      const state = unpackState(text);
      if (state) yield [orderId, state];
    }
  }

  /**
   * Forgets the orders of an earlier day that are not among those of today.
   * @param day IST date.
   * @returns the baskets of an earlier day: only the list of baskets tells which of them are still held.
   */
  startDay(day: string, isListed: (orderId: string) => boolean): string[] {
    if (this.stored.day === day) return [];
    const baskets = [...this.states()].filter(([, { marks }]) => marks.has('basket')).map(([orderId]) => orderId);
    this.forget([...this.oldest].filter((orderId) => !isListed(orderId) && !baskets.includes(orderId)));
    this.stored.day = day;
    return baskets;
  }

  /** Past events of baskets (see {@link DeliveryCheckpointData}). */
  get basketsPast(): { since: string | undefined; isSeen: boolean } {
    return { since: this.stored.since, isSeen: this.stored.basketsSeen === true };
  }

  /** Records that the list of baskets was seen. */
  seeBaskets(): void {
    this.stored.basketsSeen = true;
    this.changed();
  }

  /** Records what has been delivered of an order. */
  commit(orderId: string, state: string): void {
    const delivered = unpackState(state);
    if (delivered !== undefined && this.ended.add(orderId, delivered)) delete this.orders[orderId];
    else this.orders[orderId] = state;
    this.oldest.add(orderId);
    if (this.oldest.size > MAX_ORDERS) this.drop([...this.oldest].slice(0, FORGOTTEN_AT_ONCE));
    this.changed();
  }

  forget(orderIds: Iterable<string>): void {
    this.drop([...orderIds]);
    this.changed();
  }

  /** A copy for this process. */
  data(): DeliveryCheckpointData {
    const { revision, scope, day, since, basketsSeen } = this.stored;
    return { revision, scope, day, since, basketsSeen, orders: { ...this.orders }, ended: this.ended.text };
  }

  private drop(orderIds: readonly string[]): void {
    for (const orderId of orderIds) {
      delete this.orders[orderId];
      this.oldest.delete(orderId);
    }
    this.ended.drop(orderIds);
  }

  /** n8n stores static data when a value at its top has changed. */
  private changed(): void {
    this.stored.ended = this.ended.text;
    this.stored.revision = (this.stored.revision ?? 0) + 1;
  }
}
