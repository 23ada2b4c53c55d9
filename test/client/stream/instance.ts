/** An n8n instance with triggers on one account: what it stores, what it runs, and what a kill leaves behind. */
import { Consumer } from '../../../client/stream/delivery/consumer';
import type { DeliveryCheckpointData } from '../../../client/stream/delivery/checkpoint';
import { withTimeout } from '../../../client/abortable';
import { Redelivery, type RedeliveryData } from '../../../client/stream/delivery/redelivery';
import type { EventFilter } from '../../../client/stream/delivery/filter';
import { ORDER_EVENTS } from '../../../client/orders/model/order-snapshot';
import { type OrderEvent } from '../../../client/stream/reconciliation/types';
import { SharedAccountFeeds, type FeedMembership } from '../../../client/stream/account-feed/shared-account-feeds';
import type { FeedDeps } from '../../../client/stream/account-feed/types';

export const EVERYTHING: EventFilter = {
  types: ORDER_EVENTS,
  instruments: [],
  sides: [],
  products: [],
  tags: [],
  tagsLeftOut: [],
  onlyEnds: false,
  minQuantity: 0,
  minValue: 0,
  recovered: true,
};

/** A corrected credential is seen so soon, milliseconds. */
const ASKS_CREDENTIAL_MS = 10_000;
/** The most that n8n takes to save static data, and then to store an execution, milliseconds; a quick one, and a slow one. */
const STORING_MS = [20, 400] as const;
const NEVER = new Promise<void>(() => undefined);

/** The database: static data, and executions by deduplication key. */
export class Store {
  stored = '{}';
  readonly executions: OrderEvent[] = [];
  /** Events that n8n had stored already, and refused. */
  readonly repeated: OrderEvent[] = [];
  /** Keys that one activation gave more than once, which is never right. */
  readonly repeatsOfOne: string[] = [];
  /** Errors after which a trigger waited until the credential is corrected. */
  readonly lostLogins: string[] = [];
  private readonly keys = new Set<string>();
  private processes = 0;

  nextProcess(): string {
    this.processes += 1;
    return String(this.processes);
  }

  run(event: OrderEvent): void {
    if (this.keys.has(event.key)) {
      this.repeated.push(event);
      return;
    }
    this.keys.add(event.key);
    this.executions.push(event);
  }
}

/** A process of n8n, whose triggers are on one account: each has its store. */
export class Instance {
  readonly triggers: Trigger[];
  private readonly process: Process;

  constructor(deps: FeedDeps, stores: readonly Store[], batch = 1, checkEveryMs = 20_000) {
    this.process = { deps, feeds: new SharedAccountFeeds(), checkEveryMs, batch, isAlive: true, isQuick: false };
    this.triggers = stores.map((store) => new Trigger(this.process, store));
  }

  /** Activates the triggers; n8n tries again when it fails. */
  async start(): Promise<void> {
    await Promise.all(this.triggers.map(async (trigger) => await trigger.activate()));
  }

  /** Activates another trigger, while the others are running. */
  async add(store: Store): Promise<Trigger> {
    const trigger = new Trigger(this.process, store);
    this.triggers.push(trigger);
    await trigger.activate();
    return trigger;
  }

  /** From now on n8n stores quickly. */
  storeQuickly(): void {
    this.process.isQuick = true;
  }

  /** Ends at once, as a killed process does: what waits is lost. */
  async kill(): Promise<void> {
    this.process.isAlive = false;
    await Promise.all(this.triggers.map(async (trigger) => await trigger.die()));
  }
}

interface Process {
  deps: FeedDeps;
  feeds: SharedAccountFeeds;
  checkEveryMs: number;
  batch: number;
  isAlive: boolean;
  isQuick: boolean;
}

class Trigger {
  /** Instant when it was first activated, milliseconds on its own clock. */
  activatedAt = 0;
  private saving: Promise<void> = Promise.resolve();
  private storing: Promise<unknown> = Promise.resolve();
  private closing = new AbortController();
  private consumer: Consumer | undefined;
  private membership: Promise<FeedMembership> | undefined;
  private down: Promise<void> | undefined;
  private remembered: DeliveryCheckpointData | undefined;
  /** True if the user has switched it off. */
  private isOff = false;

  constructor(
    private readonly process: Process,
    private readonly store: Store,
  ) {}

  async activate(): Promise<void> {
    this.isOff = false;
    await this.begin();
  }

  private async begin(): Promise<void> {
    const { deps, feeds, batch, checkEveryMs } = this.process;
    const activated = deps.clock.moment();
    this.activatedAt ||= deps.clock.now();
    this.closing = new AbortController();
    this.down = undefined;
    const { closing } = this;
    const { signal } = closing;
    let stored: DeliveryCheckpointData & RedeliveryData = {};
    const redelivery = new Redelivery(deps.clock, this.store.nextProcess());
    const keys = new Set<string>();
    const emit = async (events: OrderEvent[]): Promise<void> => {
      const key = events.map((event) => event.key).join(' ');
      redelivery.add(key, events as unknown as Record<string, unknown>[]);
      await this.give(events, JSON.stringify(stored));
      redelivery.done(key);
    };
    const consumer = new Consumer({
      raw: true,
      clock: deps.clock,
      filter: EVERYTHING,
      batches: { count: batch, waitMs: 2_000 },
      onLag: () => undefined,
      deliver: (events) => {
        if (!this.process.isAlive) return undefined;
        for (const { key } of events) {
          if (keys.has(key)) this.store.repeatsOfOne.push(key);
          keys.add(key);
        }
        return emit(events);
      },
    });
    this.membership = feeds.join(
      'a',
      deps,
      { environment: 'live', subscriptions: ['orders'], checkEveryMs },
      (event) => {
        if (event.type === 'fatal') {
          this.store.lostLogins.push(event.error.message);
          void this.comeBack(closing);
        }
        if (this.process.isAlive) consumer.take(event);
      },
      signal,
    );
    const { feed } = await this.membership;
    if (!this.process.isAlive || signal.aborted) return;
    stored = JSON.parse(this.store.stored) as DeliveryCheckpointData & RedeliveryData;
    const again = redelivery.resume(stored).map(async ({ outputs }) => await emit(outputs as unknown as OrderEvent[]));
    await withTimeout(deps.clock, 3_000, signal, async () => await Promise.all(again));
    if (!this.process.isAlive || signal.aborted) return;
    if (!consumer.resume(stored, this.remembered, 'a', feed.reconciler))
      consumer.begin(stored, feed.serviceInstant(activated), 'a', feed.reconciler);
    this.remembered = undefined;
    this.store.stored = JSON.stringify(stored);
    this.consumer = consumer;
  }

  /** Ends while the process goes on, as it does when its workflow is switched off; what it was given is stored. */
  async close(): Promise<void> {
    this.isOff = true;
    await this.end();
  }

  /** No login is possible: it waits until the credential is corrected, and begins again. */
  private async comeBack(ended: AbortController): Promise<void> {
    await this.end();
    for (let mine = ended; ; mine = this.closing) {
      await this.process.deps.clock.sleep(ASKS_CREDENTIAL_MS);
      if (!this.process.isAlive || this.isOff || this.closing !== mine) return;
      const [begun] = await Promise.allSettled([this.begin()]);
      if (begun.status === 'fulfilled') return;
      await this.leave();
    }
  }

  private async end(): Promise<void> {
    this.remembered = this.consumer?.close() ?? this.remembered;
    this.consumer = undefined;
    await this.leave();
    await Promise.all([this.saving, this.storing]);
  }

  /** Ends with its process, which stores nothing more: its timers end here, as they would with it. */
  async die(): Promise<void> {
    this.consumer?.close();
    await this.leave();
  }

  async leave(): Promise<void> {
    this.closing.abort(new Error('closed'));
    this.down ??= this.membership?.then(
      async ({ leave }) => await leave(),
      () => undefined,
    );
    await this.down;
  }

  /**
   * Works as n8n does: it saves the static data, and some time later stores the execution. One execution may overtake
   * another. A killed process does neither, and never says that a run is done.
   */
  private async give(events: OrderEvent[], staticData: string): Promise<void> {
    const saved = (this.saving = this.afterAMoment(this.saving));
    await saved;
    if (!this.process.isAlive) return await NEVER;
    this.store.stored = staticData;
    const stored = this.afterAMoment();
    this.storing = Promise.all([this.storing, stored]);
    await stored;
    if (!this.process.isAlive) return await NEVER;
    for (const event of events) this.store.run(event);
  }

  private async afterAMoment(before?: Promise<unknown>): Promise<void> {
    const { clock, random } = this.process.deps;
    const max = STORING_MS[this.process.isQuick || random() < 0.7 ? 0 : 1];
    await Promise.all([before, clock.sleep(Math.floor((random() * max) / 2))]);
  }
}
