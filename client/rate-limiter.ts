/** Rate limits of the service, kept by the process as a whole: all items, executions and nodes share one count. */
import type { Clock, Moment } from './base/ports';

/** At most `count` requests in any `perMs` milliseconds. */
export interface RateLimit {
  count: number;
  perMs: number;
}

/** Spaces requests. */
export interface Limiter {
  /**
   * Resolves when a request may go out; those that wait go out in the order in which they asked.
   * @param weight as how many requests it counts; what weighs more than the limit waits until nothing else counts.
   */
  turn(clock: Clock, signal?: AbortSignal, weight?: number): Promise<void>;
  /** Holds everything back for so many milliseconds: the service said that it has had too many. */
  hold(clock: Clock, ms: number): void;
}

/** Requests spread a little on their way, so that a window here must be a little longer than the service's. */
const WINDOW_MARGIN = 1.05;

/** @param limit undefined for no limit: then only `hold` holds requests back. */
export function createLimiter(limit: RateLimit | undefined): Limiter {
  /** The last turns, as a ring. */
  const turns: (Moment | undefined)[] = new Array<undefined>(limit?.count ?? 1).fill(undefined);
  let oldest = 0;
  let heldUntil: Moment | undefined;
  return {
    async turn(clock, signal, weight = 1) {
      signal?.throwIfAborted();
      const count = Math.min(weight, turns.length);
      const last = turns[(oldest + count - 1) % turns.length];
      const free = limit === undefined || last === undefined ? 0 : limit.perMs * WINDOW_MARGIN - clock.since(last);
      const waitMs = Math.max(0, free, heldUntil === undefined ? 0 : -clock.since(heldUntil));
      const at = clock.moment(waitMs);
      for (let taken = 0; taken < count; taken++) {
        turns[oldest] = at;
        oldest = (oldest + 1) % turns.length;
      }
      if (waitMs > 0) await clock.sleep(waitMs, signal);
    },
    hold(clock, ms) {
      if (heldUntil === undefined || clock.since(heldUntil) > -ms) heldUntil = clock.moment(ms);
    },
  };
}

const shared = new Map<string, Limiter>();
const MAX_LIMITERS = 200;

/** The one limiter of the process for a name (a base address and a bucket) and a limit. */
export function sharedLimiter(name: string, limit: RateLimit | undefined): Limiter {
  const key = `${name} ${limit === undefined ? 'unlimited' : `${limit.count}/${limit.perMs}`}`;
  const limiter = shared.get(key);
  if (limiter !== undefined) return limiter;
  if (shared.size >= MAX_LIMITERS) shared.clear();
  const made = createLimiter(limit);
  shared.set(key, made);
  return made;
}
