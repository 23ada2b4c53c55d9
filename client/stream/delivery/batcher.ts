/** Gathers what is to be given out into batches by count or time; without a batch size each goes out at once. */
import type { Clock } from '../../ports';

export interface BatchOptions {
  /** The most in one batch; 1 for no batches. */
  count: number;
  /** Milliseconds that the first of a batch waits at most. */
  waitMs: number;
}

export class Outbox<T> {
  private waiting: T[] = [];
  private timer: AbortController | undefined;

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
    const inTime = await this.clock.sleep(this.options.waitMs, timer.signal).then(
      () => true,
      () => false,
    );
    if (inTime && this.timer === timer) this.flush();
  }
}
