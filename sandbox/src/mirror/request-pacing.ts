import { setTimeout as delay } from 'node:timers/promises';

const SECOND = 1_000;

/** Spreads requests over time: in no second do more begin than are allowed. They begin in the order in which they came. */
export class RequestPacing {
  /** Beginnings of the last requests, oldest first. */
  private readonly begun: number[] = [];
  private last: Promise<void> = Promise.resolve();

  /** @param max requests in a second. @param now milliseconds of a clock that never goes back. @param wait for milliseconds */
  constructor(
    private readonly max: number,
    private readonly now: () => number = () => performance.now(),
    private readonly wait: (ms: number) => Promise<void> = (ms) => delay(ms),
  ) {}

  /** Kept when the next request may begin. */
  turn(): Promise<void> {
    this.last = this.last.then(() => this.take());
    return this.last;
  }

  private async take(): Promise<void> {
    const first = this.begun.length < this.max ? -Infinity : this.begun.shift()!;
    const ms = first + SECOND - this.now();
    if (ms > 0) await this.wait(ms);
    this.begun.push(this.now());
  }
}
