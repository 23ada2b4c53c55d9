/** One trigger: what it wants of the feed, given out once, over restarts too. */
import type { Clock } from '../seams';
import type { Cursor } from './cursor';
import { isWanted, type EventFilter } from './filter';
import { Outbox, type BatchOptions } from './outbox';
import type { OrderEvent } from './types';

interface Entry {
  event: OrderEvent;
  wanted: boolean;
}

export class Consumer {
  private readonly outbox: Outbox<Entry>;

  /** @param deliver gives a batch out; the cursor has taken note of it just before. */
  constructor(
    clock: Clock,
    private readonly cursor: Cursor,
    private readonly filter: EventFilter,
    batches: BatchOptions,
    private readonly deliver: (events: OrderEvent[]) => void,
  ) {
    this.outbox = new Outbox(clock, batches, (entries) => this.send(entries));
  }

  take(events: readonly OrderEvent[]): void {
    for (const event of events) {
      const wanted = isWanted(this.filter, event);
      if (wanted || this.pending > 0) {
        // The cursor must not run ahead of what waits in a batch.
        this.pending += 1;
        this.outbox.add({ event, wanted });
      } else this.cursor.commit(event.order.orderId, event.after);
    }
  }

  forget(orderIds: readonly string[]): void {
    this.cursor.forget(orderIds);
  }

  /** Gives out what waits in a batch. */
  close(): void {
    this.outbox.flush();
  }

  private pending = 0;

  private send(entries: Entry[]): void {
    this.pending -= entries.length;
    for (const { event } of entries) this.cursor.commit(event.order.orderId, event.after);
    const events = entries.filter(({ wanted }) => wanted).map(({ event }) => event);
    if (events.length > 0) this.deliver(events);
  }
}
