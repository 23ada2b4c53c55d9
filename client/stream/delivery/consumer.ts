/** One trigger: what it wants of the feed, given out once, over restarts too. */
import type { SvcToClientIntentUpdate } from '../../../proto/generated/messages';
import type { Clock } from '../../ports';
import { borneOut } from '../reconciliation/baskets';
import { istDate } from '../../values/time';
import { Cursor, type CursorData } from './checkpoint';
import { isWanted, type EventFilter } from './filter';
import { Outbox, type BatchOptions } from './batcher';
import { OrderTracker } from '../reconciliation/order-reconciler';
import type { Day, OrderEvent } from '../reconciliation/types';
import type { ReadUpdate } from '../reconciliation/order-message';

interface Entry {
  event: OrderEvent;
  wanted: boolean;
}

export interface ConsumerOptions {
  clock: Clock;
  filter: EventFilter;
  batches: BatchOptions;
  /** Gives events out; the cursor has taken note of them just before. */
  deliver(events: OrderEvent[]): void;
}

export class Consumer {
  private readonly tracker = new OrderTracker();
  private readonly outbox: Outbox<Entry>;
  private cursor: Cursor | undefined;
  private waiting = 0;
  /** What the first look at the day's orders and baskets showed. */
  private first: Day = { orders: [], baskets: undefined };
  /** Baskets of an earlier day that are forgotten when they are no longer listed. */
  private earlier: string[] = [];
  /** What came before the trigger has begun; undefined from then on. */
  private early: (() => void)[] | undefined = [];

  constructor(private readonly options: ConsumerOptions) {
    this.outbox = new Outbox(options.clock, options.batches, (entries) => this.send(entries));
  }

  /** The first look at the day's orders and baskets; comes before everything else. */
  look(day: Day): void {
    this.first = day;
  }

  /**
   * Starts afresh: what the first look shows is past, but for what happened after an instant.
   * @param since nanoseconds on the service's clock; undefined when that is not known: then all of it is past.
   * @param scope stands for the account.
   */
  begin(stored: CursorData, since: string | undefined, scope: string): void {
    this.tracker.baseline(this.first.orders, since);
    this.cursor = Cursor.fresh(stored, this.tracker.states(), since, scope);
    this.cursor.startDay(istDate(this.options.clock.now()), () => true);
    this.catchUp();
  }

  /**
   * Goes on where it was, and gives out what the first look shows to have happened since.
   * @returns false when there is nothing to go on from, or it is of another account.
   */
  resume(stored: CursorData, remembered: CursorData | undefined, scope: string): boolean {
    this.cursor = Cursor.resume(stored, remembered, scope);
    if (this.cursor === undefined) return false;
    const listed = new Set(this.first.orders.map(({ orderId }) => orderId));
    this.earlier = this.cursor.startDay(istDate(this.options.clock.now()), (orderId) => listed.has(orderId));
    for (const [orderId, known] of this.cursor.known()) this.tracker.resume(orderId, known);
    const { since, isSeen } = this.cursor.basketsPast;
    this.tracker.resumeBaskets(since, isSeen);
    this.catchUp();
    return true;
  }

  update(read: ReadUpdate, message: SvcToClientIntentUpdate): void {
    this.whenBegun(() => this.take(this.tracker.update(read, message)));
  }

  settled(): void {
    // Before it has begun nothing is owed but what another process recovered, which may have ended only now.
    if (this.early === undefined) this.tracker.settled();
  }

  day(day: Day): void {
    this.whenBegun(() => {
      this.seeBaskets(day);
      this.take(this.tracker.recover(day.orders, day.baskets));
    });
  }

  forget(orderIds: readonly string[]): void {
    this.whenBegun(() => {
      this.tracker.drop(orderIds);
      this.cursor?.forget(orderIds);
    });
  }

  /** Gives out what waits in a batch; returns what this process should remember. */
  close(): CursorData | undefined {
    this.outbox.flush();
    return this.cursor?.data();
  }

  /** Gives out what the first look shows beyond what is known, and then what has come since. */
  private catchUp(): void {
    const { orders, baskets } = this.first;
    this.seeBaskets(this.first);
    this.take(this.tracker.recover(orders, baskets && borneOut(orders, baskets, new Map()).records));
    this.first = { orders: [], baskets: undefined };
    const early = this.early ?? [];
    this.early = undefined;
    for (const act of early) act();
  }

  /** What the first list of baskets shows is past; and those of an earlier day are over when they are not in it. */
  private seeBaskets(day: Day): void {
    const past = this.tracker.firstBaskets(day);
    if (past) {
      // The cursor must not run ahead of what waits in a batch.
      this.outbox.flush();
      this.cursor?.seeBaskets(past);
    }
    if (day.baskets === undefined || this.earlier.length === 0) return;
    const listed = new Set(day.baskets.map(({ orderId }) => orderId));
    const over = this.earlier.filter((orderId) => !listed.has(orderId));
    this.earlier = [];
    this.tracker.drop(over);
    this.cursor?.forget(over);
  }

  private whenBegun(act: () => void): void {
    if (this.early === undefined) act();
    else this.early.push(act);
  }

  private take(events: readonly OrderEvent[]): void {
    for (const event of events) {
      const wanted = isWanted(this.options.filter, event);
      if (wanted || this.waiting > 0) {
        // The cursor must not run ahead of what waits in a batch.
        this.waiting += 1;
        this.outbox.add({ event, wanted });
      } else this.cursor?.commit(event.order.orderId, event.after);
    }
  }

  private send(entries: Entry[]): void {
    this.waiting -= entries.length;
    for (const { event } of entries) this.cursor?.commit(event.order.orderId, event.after);
    const events = entries.filter(({ wanted }) => wanted).map(({ event }) => event);
    if (events.length > 0) this.options.deliver(events);
  }
}
