/** One trigger: what it wants of the feed, delivered once, over restarts too. */
import type { Clock } from '../../base/ports';
import { istDate } from '../../values/time';
import type { FeedEvent } from '../account-feed/types';
import { TriggerOrderReconciler, type AccountStates } from '../reconciliation/trigger-order-reconciler';
import type { ListedDay, OrderEvent } from '../reconciliation/types';
import { isLater } from '../../orders/model/order-snapshot';
import { Checkpoint, type DeliveryCheckpointData } from './checkpoint';
import { passesFilter, type EventFilter } from './filter';
import { Outbox, type BatchOptions, type OutboxOptions } from './outbox';

type OrdersChange = Extract<FeedEvent, { type: 'update' | 'day' | 'forgotten' }>;

export interface ConsumerOptions {
  clock: Clock;
  /** The market's time, milliseconds since the epoch; left out if it is the clock's. */
  marketNow?: () => number;
  filter: EventFilter;
  batches: BatchOptions;
  /** True if events include the unchanged message. Without it, a waiting burst takes a fraction of the memory. */
  raw: boolean;
  /** See {@link OutboxOptions.deliver}; the checkpoint has recorded the batch just before. */
  deliver: OutboxOptions['deliver'];
  /** See {@link OutboxOptions.onLag}. */
  onLag: OutboxOptions['onLag'];
}

/**
 * Receives the order events of a feed, and delivers those that the trigger wants: none that it has delivered before, none from before it
 * began, and all that happened while it was away. Its checkpoint records the delivered ones.
 *
 * It hears the feed from the start and begins with {@link begin} or {@link resume}, once; earlier events wait.
 */
export class Consumer {
  private readonly orders = new TriggerOrderReconciler();
  private readonly outbox: Outbox;
  private checkpoint: Checkpoint | undefined;
  /** The first read of the day's orders and baskets. */
  private first: ListedDay = { orders: [], baskets: undefined };
  /** Baskets of an earlier day that are forgotten when they are no longer listed. */
  private earlierBaskets: string[] = [];
  /** Events before this instant (nanoseconds on the service's clock) are past; undefined if unknown. */
  private since: string | undefined;
  /** Changes from before the trigger has begun; undefined from then on. */
  private early: OrdersChange[] | undefined = [];

  constructor(private readonly options: ConsumerOptions) {
    this.outbox = new Outbox({
      ...options,
      commit: ({ orderId, after }) => this.checkpoint?.commit(orderId, after),
    });
  }

  /**
   * Starts a new checkpoint: the content of the first read is past, except events after an instant.
   * @param stored storage of the checkpoint from now on; its content is replaced.
   * @param since nanoseconds on the service's clock; undefined if unknown: then all of it is past.
   * @param scope identifies the account.
   * @param account the reconciler of the feed that this consumer hears.
   */
  begin(stored: DeliveryCheckpointData, since: string | undefined, scope: string, account: AccountStates): void {
    this.since = since;
    this.orders.startAfresh(this.first.orders, since);
    this.checkpoint = Checkpoint.fresh(stored, this.orders.states(), since, scope);
    this.checkpoint.startDay(this.today, () => true);
    this.catchUp(account);
  }

  /**
   * Continues from a checkpoint, and delivers the events that the first read shows since.
   * @param stored storage of the checkpoint, now and later.
   * @param remembered this process's memory of it, if that may be newer.
   * @param scope identifies the account.
   * @param account the reconciler of the feed that this consumer hears.
   * @returns false if there is no checkpoint, or it is of another account: then it has not begun.
   */
  resume(
    stored: DeliveryCheckpointData,
    remembered: DeliveryCheckpointData | undefined,
    scope: string,
    account: AccountStates,
  ): boolean {
    this.checkpoint = Checkpoint.resume(stored, remembered, scope);
    if (this.checkpoint === undefined) return false;
    const listed = new Set(this.first.orders.map(({ orderId }) => orderId));
    this.earlierBaskets = this.checkpoint.startDay(this.today, (orderId) => listed.has(orderId));
    const { since, isSeen } = this.checkpoint.basketsPast;
    this.since = since;
    this.orders.resume(this.checkpoint.states(), since, isSeen);
    this.catchUp(account);
    return true;
  }

  /** Takes one event of the feed. Each must come here, in order, from the first look on; those about no order pass by. */
  take(event: FeedEvent): void {
    switch (event.type) {
      case 'started':
        this.first = event.day;
        break;
      case 'confirmed':
        this.orders.confirmedOrders();
        break;
      case 'update':
      case 'day':
      case 'forgotten':
        if (this.early === undefined) this.apply(event);
        else this.early.push(event);
    }
  }

  /**
   * Delivers what may be delivered at once, and ends.
   * @returns what this process should remember; undefined if it has not begun.
   */
  close(): DeliveryCheckpointData | undefined {
    this.outbox.close();
    return this.checkpoint?.data();
  }

  /** IST date. */
  private get today(): string {
    const { clock, marketNow = () => clock.now() } = this.options;
    return istDate(marketNow());
  }

  private apply(event: OrdersChange): void {
    if (event.type === 'update') this.add(this.orders.update(event));
    else if (event.type === 'forgotten') this.forget(event.orderIds);
    else {
      this.seeBaskets(event.day);
      this.add(this.orders.recover(event));
    }
  }

  /** Delivers what the first look shows beyond the checkpoint, and then what has come since. */
  private catchUp(account: AccountStates): void {
    this.seeBaskets(this.first);
    this.add(this.orders.first(this.first));
    this.first = { orders: [], baskets: undefined };
    const early = this.early ?? [];
    this.early = undefined;
    for (const event of early) this.apply(event);
    this.orders.join(account);
  }

  /** Records that the content of the first list of baskets is past; baskets of an earlier day are over if they are not in it. */
  private seeBaskets(day: ListedDay): void {
    const past = this.orders.firstBaskets(day);
    if (past) {
      this.checkpoint?.seeBaskets();
      for (const [orderId, after] of past) this.outbox.add({ orderId, after, event: undefined });
    }
    if (day.baskets === undefined || this.earlierBaskets.length === 0) return;
    const listed = new Set(day.baskets.map(({ orderId }) => orderId));
    const over = this.earlierBaskets.filter((orderId) => !listed.has(orderId));
    this.earlierBaskets = [];
    this.forget(over);
  }

  private forget(orderIds: readonly string[]): void {
    this.orders.drop(orderIds);
    this.checkpoint?.forget(orderIds);
  }

  private add(events: readonly OrderEvent[]): void {
    const { filter, raw } = this.options;
    for (const event of events) {
      const { order, after } = event;
      const requested = raw ? event : { ...event, raw: undefined };
      const isSelected = passesFilter(filter, event) && !this.isPast(event);
      this.outbox.add({ orderId: order.orderId, after, event: isSelected ? requested : undefined });
    }
  }

  /** Returns true if it happened before the trigger was published: the first list may have been empty, or lacked the newest. */
  private isPast({ recovered, happenedAt }: OrderEvent): boolean {
    return recovered && this.since !== undefined && happenedAt !== '0' && !isLater(happenedAt, this.since);
  }
}
