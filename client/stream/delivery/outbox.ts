/**
 * Queue of events for n8n, delivered as fast as n8n takes them. Each run that n8n starts costs it memory and a place in its database. In a
 * burst it would be given more than it can store, and a process that ends takes the rest with it.
 *
 * Few runs are new at a time, that is delivered and not known to be stored. The events of one order are delivered one after the other, so
 * that their runs begin in the order in which the events happened.
 */
import type { Clock, Moment } from '../../base/ports';
import { pauseUnlessAborted } from '../../abortable';
import type { OrderEvent } from '../reconciliation/types';

/** The delivered state of an order to record and, if the trigger wants it, the event to deliver before. */
export interface OutboxEntry {
  orderId: string;
  /** The delivered state of the order, as text for a checkpoint. */
  after: string;
  /** Undefined where nothing is to be handed over. */
  event: OrderEvent | undefined;
}

export interface BatchOptions {
  /** The most in one batch; 1 for no batches: each goes out at once. */
  count: number;
  /** Milliseconds that the first of a batch waits at most. */
  waitMs: number;
}

/** Backlog of n8n. */
export interface DeliveryLag {
  /** Number of waiting events; 0 when n8n has caught up. */
  waiting: number;
  /** Milliseconds that the oldest of them has waited; when n8n has caught up, the longest that one has. */
  oldestMs: number;
}

export interface OutboxOptions {
  clock: Clock;
  batches: BatchOptions;
  /** Records what is delivered; is called just before `deliver`. */
  commit(entry: OutboxEntry): void;
  /**
   * Hands over a batch. Must not throw.
   * @returns what resolves when the run is done, or will never be; undefined if there is nothing to wait for.
   */
  deliver(events: OrderEvent[]): Promise<void> | undefined;
  /** Hears when n8n falls behind, and when it has caught up. */
  onLag(lag: DeliveryLag): void;
}

interface WaitingEntry extends OutboxEntry {
  /** Time of arrival. */
  since: Moment;
}

/** Runs at a time that were handed over and are not known to be stored. */
const MAX_NEW_RUNS = 5;
/** Milliseconds after which n8n has stored a run: so few at a time, it stores at once. A long run holds nobody up. */
const STORED_AFTER_MS = 3_000;
/** Runs at a time that are not done. */
const MAX_RUNS = 50;
/** Milliseconds after which a run is not waited for any more: it may hang for ever. */
const RUN_LASTS_MS = 10 * 60_000;
/** Milliseconds that an event waits before the user is told. */
const LAGS_AFTER_MS = 5_000;

export class Outbox {
  private waiting: WaitingEntry[] = [];
  private newRuns = 0;
  private runs = 0;
  /** The orders of the new runs. */
  private readonly busy = new Set<string>();
  private readonly closing = new AbortController();
  /** Time at which the running timer ends; undefined if none runs. */
  private wakesAt: Moment | undefined;
  /** Milliseconds that an event has waited longest since n8n fell behind; undefined if it is not behind. */
  private lagMs: number | undefined;

  constructor(private readonly options: OutboxOptions) {}

  add(entry: OutboxEntry): void {
    if (entry.event === undefined && !this.waiting.some(({ orderId }) => orderId === entry.orderId))
      return this.options.commit(entry);
    this.waiting.push({ ...entry, since: this.options.clock.moment() });
    this.handOver();
  }

  /**
   * Hands over what may be handed over now, without waiting for a batch to be full, and ends.
   * What still waits then is not recorded as delivered: the next consumer of the checkpoint recovers it.
   */
  close(): void {
    this.handOver(true);
    this.closing.abort();
  }

  private handOver(isLast = false): void {
    this.watchLag();
    while (!this.closing.signal.aborted && this.newRuns < MAX_NEW_RUNS && this.runs < MAX_RUNS) {
      const batch = this.next(isLast);
      if (batch === undefined) break;
      this.send(batch);
    }
    this.watchLag();
  }

  /** Takes the next batch out of what waits; undefined if there is none, or it is not full and has time. */
  private next(isLast: boolean): WaitingEntry[] | undefined {
    const { batches, clock } = this.options;
    const batch: WaitingEntry[] = [];
    /** Orders with an earlier event that remains in the queue. */
    const held = new Set(this.busy);
    const staying: WaitingEntry[] = [];
    let events = 0;
    let index = 0;
    for (
      ;
      index < this.waiting.length && (events < batches.count || this.waiting[index]!.event === undefined);
      index++
    ) {
      const entry = this.waiting[index]!;
      if (held.has(entry.orderId)) staying.push(entry);
      else {
        batch.push(entry);
        if (entry.event) events += 1;
      }
    }
    const first = batch.find(({ event }) => event !== undefined);
    if (first === undefined) return undefined;
    const leftMs = batches.waitMs - clock.since(first.since);
    if (!isLast && events < batches.count && leftMs > 0) {
      void this.wakeIn(leftMs);
      return undefined;
    }
    this.waiting = [...staying, ...this.waiting.slice(index)];
    return batch;
  }

  private send(batch: readonly WaitingEntry[]): void {
    for (const entry of batch) this.options.commit(entry);
    const orderIds = new Set(batch.map(({ orderId }) => orderId));
    const run = this.options.deliver(batch.flatMap(({ event }) => event ?? []));
    if (run) void this.follow(run, orderIds);
  }

  private async follow(run: Promise<void>, orderIds: ReadonlySet<string>): Promise<void> {
    const { clock } = this.options;
    const done = new AbortController();
    const either = AbortSignal.any([done.signal, this.closing.signal]);
    this.newRuns += 1;
    this.runs += 1;
    orderIds.forEach((orderId) => this.busy.add(orderId));
    void run.then(() => done.abort());
    await pauseUnlessAborted(clock, STORED_AFTER_MS, either);
    this.newRuns -= 1;
    orderIds.forEach((orderId) => this.busy.delete(orderId));
    if (!done.signal.aborted) {
      this.handOver();
      await pauseUnlessAborted(clock, RUN_LASTS_MS - STORED_AFTER_MS, either);
    }
    this.runs -= 1;
    this.handOver();
  }

  /** Looks again in so many milliseconds. */
  private async wakeIn(ms: number): Promise<void> {
    const { clock } = this.options;
    if (this.wakesAt !== undefined && -clock.since(this.wakesAt) <= ms) return;
    const at = clock.moment(ms);
    this.wakesAt = at;
    await pauseUnlessAborted(clock, ms, this.closing.signal);
    if (this.wakesAt === at) this.wakesAt = undefined;
    this.handOver();
  }

  private watchLag(): void {
    const { clock, batches, onLag } = this.options;
    const oldest = this.waiting.find(({ event }) => event !== undefined);
    const oldestMs = oldest ? clock.since(oldest.since) - (batches.count > 1 ? batches.waitMs : 0) : 0;
    if (this.lagMs === undefined) {
      if (oldestMs < LAGS_AFTER_MS) return;
      this.lagMs = oldestMs;
      onLag({ waiting: this.waiting.filter(({ event }) => event !== undefined).length, oldestMs });
    } else if (oldestMs > 0) this.lagMs = Math.max(this.lagMs, oldestMs);
    else {
      onLag({ waiting: 0, oldestMs: this.lagMs });
      this.lagMs = undefined;
    }
  }
}
