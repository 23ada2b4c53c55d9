import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** The randomness of the core: drawn in the order of the commands, so that a replay draws the same. */
export interface Chance {
  /** A whole number between both ends, both included; at most 2^32 of them apart. */
  between(low: number, high: number): number;
  /** What `chanceFrom` needs to go on from here. */
  state(): readonly number[];
}

/** Randomness from a seed (any 32-bit integer). */
export function createChance(seed: number): Chance {
  return wrap(xoroshiro128plus(seed));
}

/** Randomness that goes on where `state()` was taken. */
export function chanceFrom(state: readonly number[]): Chance {
  return wrap(xoroshiro128plusFromState(state));
}

function wrap(generator: ReturnType<typeof xoroshiro128plus>): Chance {
  return {
    between: (low, high) => (low === high ? low : uniformInt(generator, low, high)),
    state: () => generator.getState(),
  };
}
