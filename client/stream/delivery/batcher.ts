/** Gathers what is to be delivered into batches by count or time. */
import type { Clock } from '../../base/ports';
import { pause } from '../../waiting';

export interface BatchOptions {
  /** The most in one batch; 1 for no batches: each goes out at once. */
  count: number;
  /** Milliseconds that the first of a batch waits at most. */
  waitMs: number;
}

export class Batcher<T> {
  private waiting: T[] = [];
  private timer: AbortController | undefined;

  /** @param send delivers a batch; is called with one or more. */
  constructor(
    private readonly clock: Clock,
    private readonly options: BatchOptions,
    private readonly send: (batch: T[]) => void,
  ) {}

  add(one: T): void {
    this.waiting.push(one);
    if (this.waiting.length >= this.options.count) this.flush();
    else if (this.timer === undefined) void this.flushLater();
  }

  /** Sends what waits. */
  flush(): void {
    this.timer?.abort();
    this.timer = undefined;
    const batch = this.waiting;
    this.waiting = [];
    if (batch.length > 0) this.send(batch);
  }

  private async flushLater(): Promise<void> {
    const timer = new AbortController();
    this.timer = timer;
    const isTime = await pause(this.clock, this.options.waitMs, timer.signal);
    if (isTime && this.timer === timer) this.flush();
  }
}
