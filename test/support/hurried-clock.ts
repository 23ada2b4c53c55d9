/**
 * The time of a sandbox whose clock runs faster than the machine's, for the client too: a minute's wait is over in seconds, and both
 * have one clock. A test file says `jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'))`.
 */
import { monotonicBy } from '../../client/base/monotonic';
import type { Clock } from '../../client/base/ports';
import { pacedSleep } from './paced-time';
import { realClock } from './real-clock';

/** Source of the time: milliseconds since the epoch, and how many of them pass in one of the machine's. */
export interface HurriedTime {
  now(): number;
  readonly speed: number;
}

let time: HurriedTime = { now: realClock.now, speed: 1 };

export const clock: Clock = {
  now: () => time.now(),
  ...monotonicBy(() => time.now()),
  sleep: async (ms, signal) => await pacedSleep(ms / time.speed, signal),
};

/** From now on the time is another's. */
export function hurryWith(other: HurriedTime): void {
  time = other;
}
