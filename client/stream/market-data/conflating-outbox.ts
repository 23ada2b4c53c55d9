/**
 * Gives what changes faster than it is wanted: the newest of each kind, with a shortest gap, and few runs at a time. What is
 * replaced by something newer is counted, so that the one that is given can say how many were left out.
 */
import type { Clock, Moment } from '../../base/ports';
import { pauseUnlessAborted } from '../../abortable';

export interface ConflatingOutboxOptions<T> {
  clock: Clock;
  /** Milliseconds between two of one kind, at least, of our clock or of the market's: whichever passes first. */
  gapMs: number;
  /**
   * Gives one. Must not throw.
   * @param skipped how many of its kind were left out since the last one.
   * @returns what resolves when its run is done, or never will be; undefined if there is nothing to wait for.
   */
  deliver(value: T, skipped: number): Promise<void> | undefined;
}

interface Kind<T> {
  /** The waiting value with its time of the market: undefined if there is none. */
  waiting: { value: T; at: number | undefined } | undefined;
  skipped: number;
  /** Earliest time of the next delivery; undefined before the first. */
  notBefore: Moment | undefined;
  /** Market's time of the last delivery, milliseconds; undefined where it is not known. */
  lastAt: number | undefined;
  isRunning: boolean;
}

/** Runs at a time that are not done. */
const MAX_RUNS = 10;
/** Milliseconds after which a run is not waited for any more: it may hang for ever. */
const RUN_LASTS_MS = 10 * 60_000;

export class ConflatingOutbox<T> {
  private readonly kinds = new Map<string, Kind<T>>();
  private readonly closing = new AbortController();
  private runs = 0;
  /** Time at which the running timer ends; undefined if none runs. */
  private wakesAt: Moment | undefined;

  constructor(private readonly options: ConflatingOutboxOptions<T>) {}

  /** @param key of its kind: an instrument, say. @param at its time, milliseconds, of a market whose clock may run faster than ours */
  offer(key: string, value: T, at?: number): void {
    const kind = this.kinds.get(key) ?? {
      waiting: undefined,
      skipped: 0,
      notBefore: undefined,
      lastAt: undefined,
      isRunning: false,
    };
    if (kind.waiting !== undefined) kind.skipped += 1;
    kind.waiting = { value, at };
    // Whoever waits for the longest time is given first.
    if (!this.kinds.has(key)) this.kinds.set(key, kind);
    this.give();
  }

  /** Nothing is given any more. */
  close(): void {
    this.closing.abort();
  }

  private give(): void {
    if (this.closing.signal.aborted) return;
    const { clock } = this.options;
    let nextMs = Infinity;
    for (const [key, kind] of this.kinds) {
      if (kind.waiting === undefined || kind.isRunning) continue;
      if (this.runs >= MAX_RUNS) return;
      const leftMs = kind.notBefore === undefined ? 0 : -clock.since(kind.notBefore);
      const { at = -Infinity } = kind.waiting;
      const isApart = kind.lastAt !== undefined && at - kind.lastAt >= this.options.gapMs;
      if (leftMs > 0 && !isApart) nextMs = Math.min(nextMs, leftMs);
      else void this.run(key, kind, kind.waiting);
    }
    if (nextMs < (this.wakesAt === undefined ? Infinity : -clock.since(this.wakesAt))) void this.wake(nextMs);
  }

  private async run(key: string, kind: Kind<T>, { value, at }: NonNullable<Kind<T>['waiting']>): Promise<void> {
    const { skipped } = kind;
    const { clock, deliver, gapMs } = this.options;
    Object.assign(kind, { waiting: undefined, skipped: 0, notBefore: clock.moment(gapMs), lastAt: at });
    this.kinds.delete(key);
    this.kinds.set(key, kind);
    const done = deliver(value, skipped);
    if (done === undefined) return;
    kind.isRunning = true;
    this.runs += 1;
    const enough = new AbortController();
    await Promise.race([
      done,
      pauseUnlessAborted(clock, RUN_LASTS_MS, AbortSignal.any([this.closing.signal, enough.signal])),
    ]);
    enough.abort();
    this.runs -= 1;
    kind.isRunning = false;
    this.give();
  }

  private async wake(inMs: number): Promise<void> {
    const { clock } = this.options;
    const at = clock.moment(inMs);
    this.wakesAt = at;
    const isTime = await pauseUnlessAborted(clock, inMs, this.closing.signal);
    if (this.wakesAt === at) this.wakesAt = undefined;
    if (isTime) this.give();
  }
}
