import type { RandomSource } from '../shared/random';

const NANOSECONDS = 1_000_000n;

/** State that is needed to go on handing out identifiers and times. */
export interface IdGeneratorState {
  lastId: bigint;
  lastTime: bigint;
}

/**
 * Identifiers of nineteen digits, rising, and times in nanoseconds, strictly rising. Both are odd and beyond 2^53,
 * so that a reader who makes a double of one changes it and is found out.
 */
export interface IdGenerator {
  id(): bigint;
  /** Nanoseconds since the epoch for something that happens within the millisecond `at`. */
  time(at: number): bigint;
  state(): IdGeneratorState;
}

/**
 * Hands out identifiers and times from seeded randomness, or goes on from an earlier state. Identifiers begin at the
 * instant `startAt` (milliseconds), so that two runs with one seed on different days, or one after the other, do not
 * give the same identifier to different orders: a client that remembers what it has seen would miss the second.
 */
export function createIdGenerator(random: RandomSource, startAt: number, from?: IdGeneratorState): IdGenerator {
  let lastId = from?.lastId ?? BigInt(startAt) * NANOSECONDS + BigInt(random.between(0, 499_999)) * 2n + 1n;
  let lastTime = from?.lastTime ?? 1n;
  return {
    id() {
      lastId += BigInt(random.between(1, 500_000_000)) * 2n;
      return lastId;
    },
    time(at) {
      const drawn = BigInt(at) * NANOSECONDS + BigInt(random.between(0, 499_999)) * 2n + 1n;
      lastTime = drawn > lastTime ? drawn : lastTime + 2n;
      return lastTime;
    },
    state: () => ({ lastId, lastTime }),
  };
}
