import type { Clock } from '../../client/base/ports';

/** A clock in virtual time: sleeping moves it on at once, in the order in which sleepers are due. */
export class VirtualClock implements Clock {
  /** Every sleep that was asked for, milliseconds. */
  readonly sleeps: number[] = [];
  private waiting: { at: number; wake: () => void }[] = [];
  private running = false;

  constructor(private time = Date.parse('2026-11-20T10:00:00+05:30')) {}

  now(): number {
    return this.time;
  }

  /** Moves time on by hand, without waking anybody before their time. */
  set(ms: number): void {
    this.time = ms;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms);
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper = { at: this.time + ms, wake: resolve };
      signal?.addEventListener('abort', () => {
        this.waiting = this.waiting.filter((other) => other !== sleeper);
        reject(signal.reason);
      });
      this.waiting.push(sleeper);
      if (!this.running) void this.run();
    });
  }

  /** Lets everything that can run without time run, then wakes the one that is due first. */
  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      this.waiting.sort((a, b) => a.at - b.at);
      const next = this.waiting.shift();
      if (next === undefined) break;
      this.time = Math.max(this.time, next.at);
      next.wake();
    }
    this.running = false;
  }
}
