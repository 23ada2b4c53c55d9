/** An n8n instance with one trigger: what it stores, what it runs, and what a kill leaves behind. */
import { Consumer } from '../../../client/stream/delivery/consumer';
import type { CursorData } from '../../../client/stream/delivery/checkpoint';
import { HandedEvents, type HandedData } from '../../../client/stream/delivery/redelivery';
import type { EventFilter } from '../../../client/stream/delivery/filter';
import { ORDER_EVENTS, type Day, type OrderEvent } from '../../../client/stream/reconciliation/types';
import type { ReadUpdate } from '../../../client/stream/reconciliation/order-message';
import type { SvcToClientIntentUpdate } from '../../../proto/generated/messages';
import { Feed } from '../../../client/stream/connection/feed';
import type { FeedDeps } from '../../../client/stream/connection/feed-contract';

export const EVERYTHING: EventFilter = {
  types: ORDER_EVENTS,
  instruments: [],
  sides: [],
  products: [],
  tags: [],
  onlyEnds: false,
  minQuantity: 0,
  minValue: 0,
  recovered: true,
};

/** The most that n8n takes to save static data, and then to store an execution, milliseconds. */
const STORING_MS = 400;

/** The database: static data, and executions by deduplication key. */
export class Store {
  stored = '{}';
  readonly executions: OrderEvent[] = [];
  repeats = 0;
  private readonly keys = new Set<string>();
  private processes = 0;

  nextProcess(): string {
    this.processes += 1;
    return String(this.processes);
  }

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
  private saving: Promise<void> = Promise.resolve();
  private storing: Promise<void> = Promise.resolve();
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
    let stored: CursorData & HandedData = {};
    const handed = new HandedEvents(this.deps.clock, this.store.nextProcess());
    const emit = (events: OrderEvent[]): void => {
      handed.add(events.map(({ key }) => key).join(' '), events as unknown as Record<string, unknown>[]);
      void this.give(events, JSON.stringify(stored));
    };
    const consumer = new Consumer({
      clock: this.deps.clock,
      filter: EVERYTHING,
      batches: { count: this.batch, waitMs: 2_000 },
      deliver: (events) => {
        if (this.alive) emit(events);
      },
    });
    const whileAlive =
      <T extends unknown[]>(act: (...args: T) => void) =>
      (...args: T): void =>
        void (this.alive && act(...args));
    await this.feed.start({
      onBegin: (day) => consumer.look(day),
      onUpdate: whileAlive((read: ReadUpdate, message: SvcToClientIntentUpdate) => consumer.update(read, message)),
      onSettled: whileAlive(() => consumer.settled()),
      onDay: whileAlive((day: Day) => consumer.day(day)),
      onPortfolio: () => undefined,
      onConnection: () => undefined,
      onForgotten: whileAlive((ids: string[]) => consumer.forget(ids)),
      onOutage: () => undefined,
      onOrdersUnread: () => undefined,
      onBadFrame: () => undefined,
      onBasketsUnread: () => undefined,
      onFatal: (error) => {
        throw error;
      },
    });
    if (!this.alive) return;
    stored = JSON.parse(this.store.stored) as CursorData & HandedData;
    for (const { outputs } of handed.resume(stored)) emit(outputs as unknown as OrderEvent[]);
    if (!consumer.resume(stored, undefined, 'a'))
      consumer.begin(stored, this.feed.serviceInstant(this.activatedAt), 'a');
    this.store.stored = JSON.stringify(stored);
  }

  /** As n8n does: it saves the static data, and some time later stores the execution; a killed process does neither. Nothing overtakes. */
  private async give(events: OrderEvent[], staticData: string): Promise<void> {
    await (this.saving = this.afterAMoment(this.saving));
    if (!this.alive) return;
    this.store.stored = staticData;
    await (this.storing = this.afterAMoment(this.storing));
    if (!this.alive) return;
    for (const event of events) this.store.run(event);
  }

  private async afterAMoment(before: Promise<unknown>): Promise<void> {
    await Promise.all([before, this.deps.clock.sleep(Math.floor((this.deps.random() * STORING_MS) / 2))]);
  }

  /** Ends at once, as a killed process does: what waits is lost. */
  kill(): Promise<void> {
    this.alive = false;
    this.down ??= this.feed.stop();
    return this.down;
  }
}
