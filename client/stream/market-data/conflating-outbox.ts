/**
 * Gives what changes faster than it is wanted: the newest of each kind, with a shortest gap, and few runs at a time. What is
 * replaced by something newer is counted, so that the one that is given can say how many were left out.
 */
import type { Clock } from '../../base/ports';
import { pauseUnlessAborted } from '../../abortable';

export interface ConflatingOutboxOptions<T> {
  clock: Clock;
  /** Milliseconds between two of one kind, at least. */
  gapMs: number;
  /**
   * Gives one. Must not throw.
   * @param skipped how many of its kind were left out since the last one.
   * @returns what resolves when its run is done, or never will be; undefined when there is nothing to wait for.
   */
  deliver(value: T, skipped: number): Promise<void> | undefined;
}

interface Kind<T> {
  /** What waits, in a box: undefined when nothing does. */
  waiting: { value: T } | undefined;
  skipped: number;
  /** Milliseconds since the epoch before which none may be given. */
  notBefore: number;
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
  /** The instant to which the running timer waits, milliseconds. */
  private wakesAt = Infinity;

  constructor(private readonly options: ConflatingOutboxOptions<T>) {}

  /** @param key of its kind: an instrument, say. */
  offer(key: string, value: T): void {
    const kind = this.kinds.get(key) ?? { waiting: undefined, skipped: 0, notBefore: -Infinity, isRunning: false };
    if (kind.waiting !== undefined) kind.skipped += 1;
    kind.waiting = { value };
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
    const now = this.options.clock.now();
    let next = Infinity;
    for (const [key, kind] of this.kinds) {
      if (kind.waiting === undefined || kind.isRunning) continue;
      if (this.runs >= MAX_RUNS) return;
      if (kind.notBefore > now) next = Math.min(next, kind.notBefore);
      else void this.run(key, kind, kind.waiting.value, now);
    }
    if (next < this.wakesAt) void this.wake(next);
  }

  private async run(key: string, kind: Kind<T>, value: T, now: number): Promise<void> {
    const { skipped } = kind;
    const { clock, deliver, gapMs } = this.options;
    Object.assign(kind, { waiting: undefined, skipped: 0, notBefore: now + gapMs });
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

  private async wake(at: number): Promise<void> {
    const { clock } = this.options;
    this.wakesAt = at;
    const isTime = await pauseUnlessAborted(clock, at - clock.now(), this.closing.signal);
    if (this.wakesAt === at) this.wakesAt = Infinity;
    if (isTime) this.give();
  }
}
