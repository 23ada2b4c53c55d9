import type { Sandbox } from './sandbox';

/** The longest delay that a timer takes. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Wakes the sandbox when something is due in it: one timer, and none while nothing waits, or the clock is held, or manual and where it was
 * put.
 */
export class WakeTimer {
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;
  private stopped = false;

  constructor(private readonly sandbox: Sandbox) {}

  start(): void {
    this.sandbox.onChange(() => this.wait());
    this.wait();
  }

  stop(): void {
    this.stopped = true;
    this.clear();
  }

  private clear(): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
  }

  private wait(): void {
    this.clear();
    const { sandbox } = this;
    const isOnTheWay = sandbox.time.goingTo !== undefined && !sandbox.clock.isHeld;
    const delay = isOnTheWay ? 0 : sandbox.clock.realDelay(sandbox.nextDue());
    if (delay === undefined || this.stopped) return;
    const wake = (): void => {
      sandbox.step();
      sandbox.changed();
    };
    // Requests and frames are read between two steps.
    if (delay === 0) this.immediate = setImmediate(wake);
    else this.timer = setTimeout(wake, Math.min(MAX_TIMEOUT_MS, Math.ceil(delay)));
  }
}
