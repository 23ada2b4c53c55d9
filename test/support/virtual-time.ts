/**
 * Time that does not pass until every promise has settled, and then jumps to the next timer: whole days run in moments.
 */
import { monotonicBy } from '../../client/base/monotonic';
import type { Clock } from '../../client/base/ports';

interface Timer {
  at: number;
  order: number;
  fire: () => void;
}

/** By how much a wall clock is off when somebody has set it, milliseconds: seconds, hours and days, forward and back. */
export const SETTINGS = [0, 2_000, -2_000, 40_000, -40_000, 3_600_000, -3_600_000, 86_400_000, -86_400_000] as const;
/** Number of times that time passes for each time that the wall clock is set. */
const SET_ONE_IN = 25;

export class VirtualTime {
  /** Milliseconds that the wall clock is ahead of time. */
  private ahead = 0;
  private steps: (() => number) | undefined;
  private timers: Timer[] = [];
  private made = 0;

  constructor(private current = Date.parse('2026-11-20T04:30:00Z')) {}

  now = (): number => this.current;

  /** Resolves after `ms` of virtual time. */
  sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        this.timers = this.timers.filter((item) => item !== timer);
        reject(signal?.reason as Error);
      };
      // A signal searches all that listen to it for each that begins to.
      const fire = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const timer: Timer = { at: this.current + Math.max(0, ms), order: this.made++, fire };
      this.timers.push(timer);
      signal?.addEventListener('abort', abort, { once: true });
    });
  };

  get clock(): Clock {
    return this.clockSetBy(() => this.ahead);
  }

  /** Sets the wall clock of `clock` so many milliseconds ahead of time. */
  setClock(ahead: number): void {
    this.ahead = ahead;
  }

  /** From now on somebody sets the wall clock of `clock` now and then, while time passes. */
  setClockAtRandom(seed: number): void {
    this.steps = seededRandom(seed);
  }

  /** A clock whose wall part is off by so many milliseconds. */
  clockOffBy(ms: number): Clock {
    return this.clockSetBy(() => ms);
  }

  /** A clock whose wall part is set while time passes. @param ahead milliseconds that it is off by now */
  clockSetBy(ahead: () => number): Clock {
    return { now: () => this.current + ahead(), ...monotonicBy(this.now), sleep: this.sleep };
  }

  /** Runs until the promise has settled. @throws when it waits for something that no timer brings. */
  async run<T>(work: Promise<T>): Promise<T> {
    let confirmed = false;
    const done = work.then(
      () => (confirmed = true),
      () => (confirmed = true),
    );
    for (;;) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (confirmed) {
        await done;
        return await work;
      }
      const next = this.timers.reduce<Timer | undefined>(
        (best, timer) =>
          !best || timer.at < best.at || (timer.at === best.at && timer.order < best.order) ? timer : best,
        undefined,
      );
      if (next === undefined) throw new Error('Nothing is left that could happen, and the work has not ended');
      this.timers = this.timers.filter((timer) => timer !== next);
      this.current = Math.max(this.current, next.at);
      if (this.steps !== undefined && this.steps() * SET_ONE_IN < 1)
        this.ahead = SETTINGS[Math.floor(this.steps() * SETTINGS.length)]!;
      next.fire();
    }
  }
}

/** Uniform in [0, 1), the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
