/** An n8n instance with one trigger: what it stores, what it runs, and what a kill leaves behind. */
import { Consumer } from '../../../client/stream/consumer';
import type { CursorData } from '../../../client/stream/cursor';
import type { EventFilter } from '../../../client/stream/filter';
import type { OrderEvent, OrderSnapshot } from '../../../client/stream/types';
import type { ReadUpdate } from '../../../client/stream/update';
import type { SvcToClientIntentUpdate } from '../../../proto/generated/messages';
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
  /** When it was activated, milliseconds on its own clock. */
  activatedAt = 0;
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
    this.activatedAt = this.deps.clock.now();
    let stored: CursorData = {};
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
    const whileAlive = <T extends unknown[]>(act: (...args: T) => void) => (...args: T): void => void (this.alive && act(...args));
    await this.feed.start({
      onBegin: (views) => consumer.look(views),
      onUpdate: whileAlive((read: ReadUpdate, message: SvcToClientIntentUpdate) => consumer.update(read, message)),
      onSettled: whileAlive(() => consumer.settled()),
      onOrders: whileAlive((orders: readonly OrderSnapshot[]) => consumer.orders(orders)),
      onPortfolio: () => undefined,
      onConnection: () => undefined,
      onForgotten: whileAlive((ids: string[]) => consumer.forget(ids)),
      onOutage: () => undefined,
      onBadFrame: () => undefined,
      onFatal: (error) => {
        throw error;
      },
    });
    if (!this.alive) return;
    stored = JSON.parse(this.store.stored) as CursorData;
    if (!consumer.resume(stored, undefined)) consumer.begin(stored, this.feed.serviceInstant(this.activatedAt));
    save();
  }

  /** Ends at once, as a killed process does: what waits is lost. */
  kill(): Promise<void> {
    this.alive = false;
    this.down ??= this.feed.stop();
    return this.down;
  }
}
