import { monotonicBy } from '../../client/base/monotonic';
import type { Clock, Moment } from '../../client/base/ports';

/** The moment at which the monotonic part of a `VirtualClock` that nobody has set shows so many milliseconds. */
export const momentAt = (ms: number): Moment => ms as unknown as Moment;

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock in virtual time: sleeping moves it on at once, in the order in which sleepers are due. */
export class VirtualClock implements Clock {
  /** Every sleep that was asked for, milliseconds. */
  readonly sleeps: number[] = [];
  /** The earliest due is first; of those due together, the first that came. */
  private waiting: Sleeper[] = [];
  private running = false;

  private readonly measured = monotonicBy(() => this.time);
  /** Milliseconds that the wall clock was set ahead. */
  private ahead = 0;

  constructor(private time = Date.parse('2026-11-20T10:00:00+05:30')) {}

  now(): number {
    return this.time + this.ahead;
  }

  moment(inMs?: number): Moment {
    return this.measured.moment(inMs);
  }

  since(moment: Moment): number {
    return this.measured.since(moment);
  }

  /** Milliseconds that the monotonic clock shows. */
  get elapsed(): number {
    return this.time;
  }

  /** Sets the wall clock forward, or back, by so many milliseconds: no time passes. */
  jump(ms: number): void {
    this.ahead += ms;
  }

  /** Moves time on by hand, without waking anybody before their time. */
  set(ms: number): void {
    this.time = ms;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms);
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        this.waiting = this.waiting.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      // A signal searches all that listen to it for each that begins to: thousands of sleeps that are over would stay with it.
      const wake = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper = { at: this.time + ms, wake };
      signal?.addEventListener('abort', abort, { once: true });
      this.add(sleeper);
      if (!this.running) void this.run();
    });
  }

  private add(sleeper: Sleeper): void {
    let place = this.waiting.length;
    while (place > 0 && this.waiting[place - 1]!.at > sleeper.at) place -= 1;
    this.waiting.splice(place, 0, sleeper);
  }

  /** Lets everything that can run without time run, then wakes the one that is due first. */
  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.waiting.shift();
      if (next === undefined) break;
      this.time = Math.max(this.time, next.at);
      next.wake();
    }
    this.running = false;
  }
}
