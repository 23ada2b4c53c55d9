/** An n8n instance with one trigger: what it stores, what it runs, and what a kill leaves behind. */
import { Consumer } from '../../../client/stream/consumer';
import type { CursorData } from '../../../client/stream/cursor';
import type { EventFilter } from '../../../client/stream/filter';
import type { OrderEvent } from '../../../client/stream/types';
import { Feed, type FeedDeps } from '../../../client/stream/feed';

export const EVERYTHING: EventFilter = {
  types: [],
  instruments: [],
  sides: [],
  products: [],
  tags: [],
  onlyEnds: false,
  minQuantity: 0,
  minValue: 0,
  recovered: true,
};

/** The database: static data, and executions by deduplication key. */
export class Store {
  stored = '{}';
  readonly executions: OrderEvent[] = [];
  repeats = 0;
  private readonly keys = new Set<string>();

  run(event: OrderEvent): void {
    if (this.keys.has(event.key)) {
      this.repeats += 1;
      return;
    }
    this.keys.add(event.key);
    this.executions.push(event);
  }
}

export class Instance {
  readonly feed: Feed;
  private consumer: Consumer | undefined;
  private alive = true;
  private down: Promise<void> | undefined;

  constructor(
    private readonly deps: FeedDeps,
    private readonly store: Store,
    private readonly batch = 1,
    checkEveryMs = 20_000,
  ) {
    this.feed = new Feed(deps, { environment: 'live', subscriptions: ['orders'], checkEveryMs });
  }

  /** Activates the trigger; n8n tries again when it fails. */
  async start(): Promise<void> {
    await this.feed.start({
      onUpdate: (read, message) => this.consumer?.update(read, message),
      onSettled: () => this.consumer?.settled(),
      onOrders: (orders) => this.consumer?.orders(orders),
      onPortfolio: () => undefined,
      onConnection: () => undefined,
      onForgotten: (ids) => this.consumer?.forget(ids),
      onOutage: () => undefined,
      onBadFrame: () => undefined,
      onFatal: (error) => {
        throw error;
      },
    });
    if (!this.alive) return;
    const stored = JSON.parse(this.store.stored) as CursorData;
    const save = (): void => void (this.store.stored = JSON.stringify(stored));
    const consumer = new Consumer({
      clock: this.deps.clock,
      filter: EVERYTHING,
      batches: { count: this.batch, waitMs: 2_000 },
      deliver: (events) => {
        if (!this.alive) return;
        save();
        for (const event of events) this.store.run(event);
      },
    });
    const views = [...this.feed.tracker.views()];
    if (!consumer.resume(views, stored, undefined)) consumer.begin(views, stored);
    this.consumer = consumer;
    save();
  }

  /** Ends at once, as a killed process does: what waits is lost. */
  kill(): Promise<void> {
    this.alive = false;
    this.consumer = undefined;
    this.down ??= this.feed.stop();
    return this.down;
  }
}
