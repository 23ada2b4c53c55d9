/**
 * Time for a test that would have to wait: it does not pass until somebody sleeps, who is woken at once and finds it
 * later. A test file says `jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'))`.
 * Client and sandbox have one clock (`follow`), so that neither the machine's speed nor the number of tests before can
 * take them apart.
 */
import { monotonicBy } from '../../client/base/monotonic';
import type { Clock } from '../../client/base/ports';

/** Source of the time: milliseconds since the epoch, and a way to let some of them pass. */
export interface Time {
  now(): number;
  advance(ms: number): Promise<void>;
}

function ownTime(): Time {
  let at = Date.parse('2026-11-20T10:30:00+05:30');
  return {
    now: () => at,
    advance: async (ms) => {
      at += ms;
    },
  };
}

let time = ownTime();
let shown: number | undefined;

export const clock: Clock = {
  now: () => shown ?? time.now(),
  ...monotonicBy(() => time.now()),
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    await time.advance(ms);
  },
};

/** From now on the time is another's, such as a sandbox's. */
export function follow(other: Time): void {
  time = other;
}

/** Makes the client's clock show this instant (ISO-8601), a wrong one, until it is called without one. */
export function show(instant?: string): void {
  shown = instant === undefined ? undefined : Date.parse(instant);
}
