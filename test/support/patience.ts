/**
 * Real time, in which the two minutes of "Listen" are over when the test says so. A test file says
 * `jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/patience'))`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicBy } from '../../client/base/monotonic';
import type { Clock } from '../../client/base/ports';

const LONG_MS = 120_000;

class LongSleeps {
  private waiting: (() => void)[] = [];

  wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push(resolve);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }

  /** Ends them all; resolves when those who waited have acted. */
  async end(): Promise<void> {
    for (const wake of this.waiting.splice(0)) wake();
    await pause(0);
  }
}

export const sleepLong = new LongSleeps();

export const clock: Clock = {
  now: () => Date.now(),
  ...monotonicBy(() => performance.now()),
  sleep: async (ms, signal) => await (ms === LONG_MS ? sleepLong.wait(signal) : pause(ms, undefined, { signal })),
};
