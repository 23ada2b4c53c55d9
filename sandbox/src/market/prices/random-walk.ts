import { normalOf, normalAt, subKey } from '../../shared/random';
import type { DayClock } from './day-clock';

/**
 * Random walks whose ends are drawn first. Each is filled in with the law of a walk that is drawn forward and happens to
 * end there (a Brownian bridge), so that no part of it tells anything of what follows.
 */

const { sqrt } = Math;

const SIXTH = 1 / 6;
const TWENTY_FOURTH = 1 / 24;

/** Exponential of a return within a day (below a quarter either way, to 1e-8): several times faster than exp. */
export const fastExp = (x: number): number =>
  1 +
  x *
    (1 + x * (0.5 + x * (SIXTH + x * (TWENTY_FOURTH + x * (0.2 * TWENTY_FOURTH + x * (SIXTH * 0.2 * TWENTY_FOURTH))))));

/** Return of one source of chance on a day; logarithms of prices. */
export interface DayReturn {
  /** From the end of the day before to the open, and the volatility of that. */
  overnight: number;
  night: number;
  /** Volatility of the day's trading. */
  volatility: number;
  /** Returns of the stretches that end at the clock's anchors. */
  stretches: number[];
}

/**
 * Fills `steps` with a walk over the minutes of a day that begins at 0 and makes the return of each stretch.
 * @param average the mean of the last trades less the last one, where that is drawn too
 */
export function randomWalk(
  steps: Float64Array,
  clock: DayClock,
  key: number,
  { volatility, stretches }: Pick<DayReturn, 'volatility' | 'stretches'>,
  average?: number,
): void {
  const { anchors, shares, variance, deviation, lastHalfHour } = clock;
  let from = 0;
  steps[0] = 0;
  for (let i = 0; i < anchors.length; i++) {
    const anchor = anchors[i] as number;
    let sum = 0;
    for (let k = from; k < anchor; k++) {
      const step = normalOf(subKey(key, k)) * (deviation[k] as number) * volatility;
      steps[k + 1] = step;
      sum += step;
    }
    const missing = ((stretches[i] as number) - sum) / (shares[i] as number);
    if (i === 0 && average !== undefined && lastHalfHour) {
      const { from: first, slope, before } = lastHalfHour;
      let mean = 0;
      for (let j = 0; j < before.length; j++) mean -= (steps[first + j + 1] as number) * (before[j] as number);
      const share = shares[0] as number;
      const bend = (average - mean - slope * share * missing) / lastHalfHour.deviation ** 2;
      for (let k = from; k < anchor; k++) {
        const inside = k >= first ? -(before[k - first] as number) : 0;
        steps[k + 1] = (steps[k + 1] as number) + (variance[k] as number) * (missing + bend * (inside - slope));
      }
    } else {
      for (let k = from; k < anchor; k++) steps[k + 1] = (steps[k + 1] as number) + (variance[k] as number) * missing;
    }
    from = anchor;
  }
  for (let k = 1; k < steps.length; k++) steps[k] = (steps[k - 1] as number) + (steps[k] as number);
}

/** Seconds of a minute. */
export const SECONDS_PER_MINUTE = 60;
/** No bridge over the seconds of a minute goes so many deviations away: each of its steps is drawn from a finite table. */
export const MAX_DEVIATIONS = 30;

/** Draws a random walk's steps over the seconds of a minute, each of the given deviation. */
export function drawSteps(steps: Float64Array, key: number, deviation: number): void {
  for (let s = 0; s < SECONDS_PER_MINUTE; s += 2) {
    const bits = subKey(key, s);
    steps[s] = deviation * normalAt(bits >>> 20);
    steps[s + 1] = deviation * normalAt((bits >>> 8) & 4095);
  }
}

/** Adds a random walk's steps over the seconds of a minute, each of the given deviation. */
export function addSteps(steps: Float64Array, key: number, deviation: number): void {
  for (let s = 0; s < SECONDS_PER_MINUTE; s += 2) {
    const bits = subKey(key, s);
    steps[s] = (steps[s] as number) + deviation * normalAt(bits >>> 20);
    steps[s + 1] = (steps[s + 1] as number) + deviation * normalAt((bits >>> 8) & 4095);
  }
}

/**
 * Turns steps over the seconds of a minute into the way from one price to another that they make: a bridge with their
 * deviation over the whole of it. Where `still` its first second is the first price, as on the opening of a day.
 */
export function bridgeSteps(steps: Float64Array, before: number, after: number, still: boolean): void {
  const first = still ? 1 : 0;
  const count = SECONDS_PER_MINUTE - first;
  let sum = 0;
  for (let s = first; s < SECONDS_PER_MINUTE; s++) sum += steps[s] as number;
  const scale = 1 / sqrt(count);
  const slope = (after - before) / count - (sum * scale) / count;
  let price = before;
  if (still) steps[0] = before;
  for (let s = first; s < SECONDS_PER_MINUTE; s++) {
    price += (steps[s] as number) * scale + slope;
    steps[s] = price;
  }
  steps[SECONDS_PER_MINUTE - 1] = after;
}
