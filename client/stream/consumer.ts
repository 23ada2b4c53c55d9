/** One trigger: what it wants of the feed, given out once, over restarts too. */
import type { SvcToClientIntentUpdate } from '../../proto/generated/messages';
import type { Clock } from '../seams';
import { istDate } from '../values/time';
import { Cursor, type CursorData } from './cursor';
import { isWanted, type EventFilter } from './filter';
import { Outbox, type BatchOptions } from './outbox';
import { OrderTracker } from './tracker';
import type { OrderEvent, OrderSnapshot } from './types';
import type { ReadUpdate } from './update';

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

  constructor(private readonly options: ConsumerOptions) {
    this.outbox = new Outbox(options.clock, options.batches, (entries) => this.send(entries));
  }

  /** Starts here: what the views show is past. */
  begin(views: Iterable<OrderSnapshot>, stored: CursorData): void {
    this.tracker.baseline(views);
    this.cursor = Cursor.fresh(stored, this.tracker.states());
    this.cursor.startDay(istDate(this.options.clock.now()), () => true);
  }

  /**
   * Goes on where it was, and gives out what the views show to have happened since.
   * @returns false when there is nothing to go on from.
   */
  resume(views: readonly OrderSnapshot[], stored: CursorData, remembered: CursorData | undefined): boolean {
    this.cursor = Cursor.resume(stored, remembered);
    if (this.cursor === undefined) return false;
    const listed = new Set(views.map(({ orderId }) => orderId));
    this.cursor.startDay(istDate(this.options.clock.now()), (orderId) => listed.has(orderId));
    for (const [orderId, known] of this.cursor.known()) this.tracker.resume(orderId, known);
    this.take(this.tracker.recover(views));
    return true;
  }

  update(read: ReadUpdate, message: SvcToClientIntentUpdate): void {
    this.take(this.tracker.update(read, message));
  }

  settled(): void {
    this.tracker.settled();
  }

  orders(orders: readonly OrderSnapshot[]): void {
    this.take(this.tracker.recover(orders));
  }

  forget(orderIds: readonly string[]): void {
    this.tracker.drop(orderIds);
    this.cursor?.forget(orderIds);
  }

  /** Gives out what waits in a batch; returns what this process should remember. */
  close(): CursorData | undefined {
    this.outbox.flush();
    return this.cursor?.data();
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
