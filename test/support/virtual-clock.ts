/**
 * Time for a test that would have to wait: sleeping takes none and moves the clock on instead. A test file says
 * `jest.mock('../../nodes/shared/clock', () => jest.requireActual('../support/virtual-clock'))`.
 */
import type { Clock } from '../../client/ports';

let ahead = 0;
let follow: (ms: number) => Promise<void> = async () => {};

export const clock: Clock = {
  now: () => Date.now() + ahead,
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    ahead += ms;
    await follow(ms);
  },
};

/** Makes it this instant (ISO-8601); time goes on from there. */
export function startAt(instant: string): void {
  ahead = Date.parse(instant) - Date.now();
}

/** What else must move on with the clock, such as a sandbox. */
export function alsoAdvance(advance: (ms: number) => Promise<void>): void {
  follow = advance;
}
