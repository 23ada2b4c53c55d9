/** Moments of the monotonic clock: made and read here alone, so that nothing else can take one for a number. */
import type { Clock, Moment } from './ports';

/** Returns a monotonic clock. @param read milliseconds that only ever grow, as fast as time passes; their start does not matter. */
export function monotonicBy(read: () => number): Pick<Clock, 'moment' | 'since'> {
  return {
    moment: (inMs = 0) => (read() + inMs) as unknown as Moment,
    since: (moment) => read() - (moment as unknown as number),
  };
}
