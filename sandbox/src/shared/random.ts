/**
 * All randomness of the sandbox, each from a seed. A generator gives numbers in the order they are drawn. A key gives
 * the same number whenever it is asked: the market's prices are made of those.
 */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** The randomness of the core: drawn in the order of the commands, so that a replay draws the same. */
export interface RandomSource {
  /** A whole number between both ends, both included; at most 2^32 of them apart. */
  between(low: number, high: number): number;
  /** Returns the state from which `resumeRandomSource` goes on. */
  state(): readonly number[];
}

/** Randomness from a seed (any 32-bit integer). */
export function createRandomSource(seed: number): RandomSource {
  return wrap(xoroshiro128plus(seed));
}

/** Randomness that goes on where `state()` was taken. */
export function resumeRandomSource(state: readonly number[]): RandomSource {
  return wrap(xoroshiro128plusFromState(state));
}

function wrap(generator: ReturnType<typeof xoroshiro128plus>): RandomSource {
  return {
    between: (low, high) => (low === high ? low : uniformInt(generator, low, high)),
    state: () => generator.getState(),
  };
}

/** Uniform numbers in [0, 1) from a seed (any 32-bit integer). */
export function createUniform(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  return () => uniformFloat64(generator);
}

// Here and in all inner loops of the market, functions are taken out of Math once: inside a vm context, as under Jest,
// every look-up through the global object costs many times the sum itself.
const { floor, imul, log, sqrt } = Math;

/** Spreads every bit of a 32-bit integer over all bits (the finaliser of MurmurHash3). */
export function hashInteger(value: number): number {
  let x = value | 0;
  x = imul(x ^ (x >>> 16), 0x85ebca6b);
  x = imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** A key made of a key and a number under it. */
export function subKey(key: number, part: number): number {
  return hashInteger(key + imul(part + 0x7f4a7c15, 0x9e3779b1));
}

/** The key of a text. */
export function keyOf(text: string): number {
  let x = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) x = imul(x ^ text.charCodeAt(i), 0x01000193);
  return hashInteger(x);
}

/** Uniform in [0, 1). */
export const uniformOf = (key: number): number => key / 4294967296;

/** Uniform in [-1, 1). */
export const signedUniform = (key: number): number => key / 2147483648 - 1;

const STEPS = 4096;

/** Inverse of the normal distribution (Acklam's rational approximation, error below 1e-8 relative). */
function normalQuantile(p: number): number {
  const tail = (q: number) =>
    (((((-7.784894002430293e-3 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q +
      4.374664141464968) *
      q +
      2.938163982698783) /
    ((((7.784695709041462e-3 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1);
  if (p < 0.02425) return tail(sqrt(-2 * log(p)));
  if (p > 1 - 0.02425) return -tail(sqrt(-2 * log(1 - p)));
  const q = p - 0.5;
  const r = q * q;
  return (
    ((((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
      2.506628277459239) *
      q) /
    (((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
      1)
  );
}

const NORMAL = Float64Array.from({ length: STEPS }, (_, i) => normalQuantile((i + 0.5) / STEPS));
const EXPONENTIAL = Float64Array.from({ length: STEPS }, (_, i) => -log(1 - (i + 0.5) / STEPS));

/** Standard normal, at most 3.7 either way. */
export const normalOf = (key: number): number => NORMAL[key >>> 20] as number;

/** The same from 12 bits (0 to 4095), so that a key serves for two. */
export const normalAt = (bits: number): number => NORMAL[bits] as number;

/** Exponential with mean 1, at most 9; takes other bits of the key than `normal`. */
export const exponentialOf = (key: number): number => EXPONENTIAL[key & (STEPS - 1)] as number;

/** Value noise in [-1, 1]: smooth along `position`, with a new value at every whole number. */
export function smoothNoise(key: number, position: number): number {
  const whole = floor(position);
  const part = position - whole;
  const from = signedUniform(subKey(key, whole));
  const to = signedUniform(subKey(key, whole + 1));
  return from + (to - from) * part * part * (3 - 2 * part);
}
