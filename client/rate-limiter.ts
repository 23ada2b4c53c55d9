/** Rate limits of the service, kept by the process as a whole: all items, executions and nodes share one count. */
import type { Clock } from './base/ports';

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
  /** Holds everything back until an instant (milliseconds since the epoch): the service said that it has had too many. */
  holdUntil(at: number): void;
}

/** Requests spread a little on their way, so that a window here must be a little longer than the service's. */
const WINDOW_MARGIN = 1.05;

/** @param limit undefined for no limit: then only `holdUntil` holds requests back. */
export function createLimiter(limit: RateLimit | undefined): Limiter {
  /** The instants of the last turns, as a ring. */
  const turns = new Float64Array(limit?.count ?? 1).fill(-Infinity);
  let oldest = 0;
  let heldUntil = -Infinity;
  let lastNow = -Infinity;
  /** A clock that was put back must not hold requests until it is there again: what was noted goes back with it. */
  const follow = (now: number): void => {
    const back = lastNow - now;
    lastNow = now;
    if (!(back > 0)) return;
    turns.forEach((at, index) => (turns[index] = at - back));
    heldUntil -= back;
  };
  return {
    async turn(clock, signal, weight = 1) {
      signal?.throwIfAborted();
      const now = clock.now();
      follow(now);
      const count = Math.min(weight, turns.length);
      const last = turns[(oldest + count - 1) % turns.length]!;
      const free = limit === undefined ? now : last + limit.perMs * WINDOW_MARGIN;
      const at = Math.max(now, free, heldUntil);
      for (let taken = 0; taken < count; taken++) {
        turns[oldest] = at;
        oldest = (oldest + 1) % turns.length;
      }
      if (at > now) await clock.sleep(at - now, signal);
    },
    holdUntil(at) {
      heldUntil = Math.max(heldUntil, at);
    },
  };
}

const shared = new Map<string, Limiter>();
const MAX_LIMITERS = 200;

/** The one limiter of the process for a name (a base address and a bucket) and a limit. */
export function sharedLimiter(name: string, limit: RateLimit | undefined): Limiter {
  const key = `${name} ${limit === undefined ? 'unlimited' : `${limit.count}/${limit.perMs}`}`;
  const known = shared.get(key);
  if (known !== undefined) return known;
  if (shared.size >= MAX_LIMITERS) shared.clear();
  const made = createLimiter(limit);
  shared.set(key, made);
  return made;
}
