import type { Sandbox } from './sandbox';

/** The longest delay that a timer takes. */
export const LONGEST_MS = 2 ** 31 - 1;

/** Wakes the sandbox when something is due in it: one timer, and none while nothing waits or the clock is manual. */
export class Driver {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly sandbox: Sandbox) {}

  start(): void {
    this.sandbox.onChange(() => this.wait());
    this.wait();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private wait(): void {
    clearTimeout(this.timer);
    const delay = this.sandbox.clock.realDelay(this.sandbox.nextDue());
    if (delay === undefined || this.stopped) return;
    this.timer = setTimeout(
      () => {
        this.sandbox.now();
        this.sandbox.changed();
      },
      Math.min(LONGEST_MS, Math.ceil(delay)),
    );
  }
}
