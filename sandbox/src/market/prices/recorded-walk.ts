import { normalAt, subKey } from '../../shared/random';
import type { PathMinute } from './paths';

const { abs, exp, log, max, min, round, sqrt } = Math;

/**
 * Fills in what happened within a recorded bar: a random walk that is drawn until it comes near the bar, and then bent so
 * that it opens, closes, tops and bottoms as recorded. A walk of the same law, drawn forward, would be seen to end so as
 * often: no part of it tells more of what follows than a real one does. It draws how far the bar reaches, never where to.
 */

/** Walks that are drawn for a bar; the nearest is taken. */
const TRIES = 16;
/** The range of a walk of some dozens of steps, in deviations of its end: a walk with this deviation varies as much as it moves. */
const RANGE = 1.7;
/** Distance between the deviations of the tries: that of their logarithms. */
const APART = 0.15;
/**
 * Inequality of the steps of a minute: the deviation of the logarithm of their variance, by how far the bar reaches from its open to the
 * side on which it does not close, a part of its range. A real minute's body is larger than that of an even walk of the same range, most of
 * all where it never goes back beyond its open: such a minute has moved in a few seconds, else who follows the first seconds of it would
 * know the rest. Fitted to the minutes of NIFTY and BANKNIFTY of March 2020.
 */
const UNEVEN = [
  { upTo: 0.02, deviation: 5.5 },
  { upTo: 0.1, deviation: 3.5 },
  { upTo: Infinity, deviation: 2 },
].map(({ upTo, deviation }) => ({
  upTo,
  variances: Float64Array.from({ length: 4096 }, (_, bits) => exp(deviation * normalAt(bits))),
}));
/** Minimum points of a walk with a separate open, high, low and close. */
export const MIN_STEPS = 4;

/** Room for the walks of one bar. There are hundreds of thousands a day, and separate memory would pile up. */
const room = { walk: new Float64Array(64), best: new Float64Array(64), variance: new Float64Array(64) };

/** Room for two walks of so many points. */
function roomFor(count: number): { walk: Float64Array; best: Float64Array } {
  if (room.walk.length < count)
    Object.assign(room, {
      walk: new Float64Array(count),
      best: new Float64Array(count),
      variance: new Float64Array(count),
    });
  return { walk: room.walk.subarray(0, count), best: room.best.subarray(0, count) };
}

/** Prices of a bar are on steps of five paise where all that is known of it is. */
const stepOf = ({ open, high, low, close }: PathMinute): number =>
  [open, high, low, close].every((price) => price % 5 === 0) ? 5 : 1;

/** Moves that a walk shares with others: standardised steps, and the correlation with them. */
export interface SharedMoves {
  steps: Float64Array;
  correlation: number;
}

/**
 * Fills out[from] to out[from + count - 1] with whole prices: the first is the bar's open, the last its close, the highest
 * its high and the lowest its low. `count` is `MIN_STEPS` or more.
 * @param variance of each step, count - 1 of them in any unit; all the same when left out
 * @param clock says when in a minute most happens (`UNEVEN`): of all that trades in it the same
 * @param common what moves others in the same seconds too; steps[1] leads to the second price
 */
export function fillBar(
  out: Float64Array,
  from: number,
  count: number,
  bar: PathMinute,
  key: number,
  given: { variance?: Float64Array | undefined; clock?: number | undefined; common?: SharedMoves | undefined } = {},
): void {
  const { open, high, low, close } = bar;
  const [top, bottom] = [max(open, close), min(open, close)];
  if (high === low) {
    out.fill(open, from, from + count);
    return;
  }
  const steps = count - 1;
  const { walk, best } = roomFor(count);
  const { common, clock } = given;
  const variance = clock === undefined ? given.variance : unevenSteps(steps, bar, clock);
  let whole = steps;
  if (variance) {
    whole = 0;
    for (let i = 0; i < steps; i++) whole += variance[i] as number;
  }
  let least = Infinity;
  const unit = (high - low) / 50;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const own = subKey(key, attempt);
    const deviation = ((high - low) / RANGE) * exp(APART * normalAt(own >>> 20));
    draw(walk, { steps, whole, variance, common, key: own, deviation, open, close });
    let [limit, fewest] = [-Infinity, Infinity];
    for (let i = 0; i < count; i++) {
      limit = max(limit, walk[i] as number);
      fewest = min(fewest, walk[i] as number);
    }
    const above = log((limit - top + unit) / (high - top + unit));
    const below = log((bottom - fewest + unit) / (bottom - low + unit));
    const miss = abs(above) + abs(below);
    if (miss < least) {
      least = miss;
      best.set(walk);
    }
  }
  bend(best, bar);
  const step = stepOf(bar);
  for (let i = 0; i < count; i++) {
    const price = round((best[i] as number) / step) * step;
    out[from + i] = min(max(price, low), high);
  }
  out[from] = open;
  out[from + count - 1] = close;
  touch(out, from, count, bar);
}

/** Variances of the steps of a minute. */
function unevenSteps(steps: number, { open, high, low, close }: PathMinute, clock: number): Float64Array {
  const back = (close > open ? open - low : high - open) / (high - low);
  const { variances } = UNEVEN.find(({ upTo }) => back < upTo)!;
  for (let i = 0; i < steps; i++) room.variance[i] = variances[subKey(clock, i) >>> 20] as number;
  return room.variance;
}

interface Draw {
  steps: number;
  /** Sum of the variances of the steps. */
  whole: number;
  variance: Float64Array | undefined;
  common: SharedMoves | undefined;
  key: number;
  deviation: number;
  open: number;
  close: number;
}

/** Draws a walk from one price to another: separate steps, and the rest to its end spread over them by their variance. */
function draw(walk: Float64Array, { steps, whole, variance, common, key, deviation, open, close }: Draw): void {
  const even = deviation / sqrt(steps);
  const shared = common?.correlation ?? 0;
  const alone = sqrt(1 - shared * shared);
  let sum = 0;
  walk[0] = open;
  for (let i = 0; i < steps; i++) {
    const size = variance ? deviation * sqrt((variance[i] as number) / whole) : even;
    const together = common ? even * shared * (common.steps[i + 1] as number) : 0;
    sum += together + size * alone * normalAt(subKey(key, i + 1) >>> 20);
    walk[i + 1] = sum;
  }
  const missing = close - open - sum;
  let passed = 0;
  for (let i = 1; i <= steps; i++) {
    passed += variance ? (variance[i - 1] as number) / whole : 1 / steps;
    walk[i] = open + (walk[i] as number) + missing * passed;
  }
}

/** Stretches what lies above and below both ends to the bar's high and low; what may not lie there is turned back. */
function bend(walk: Float64Array, { open, high, low, close }: PathMinute): void {
  const [top, bottom] = [max(open, close), min(open, close)];
  let [limit, fewest] = [top, bottom];
  for (const price of walk) {
    limit = max(limit, price);
    fewest = min(fewest, price);
  }
  const upward = limit > top ? (high - top) / (limit - top) : 0;
  const downward = fewest < bottom ? (bottom - low) / (bottom - fewest) : 0;
  for (let i = 0; i < walk.length; i++) {
    const price = walk[i] as number;
    if (price > top) walk[i] = high === top ? max(2 * top - price, low) : top + (price - top) * upward;
    else if (price < bottom)
      walk[i] = low === bottom ? min(2 * bottom - price, high) : bottom - (bottom - price) * downward;
  }
}

/** Lets the way reach its high and its low, where chance has left one out: between its ends, where it is nearest already. */
function touch(out: Float64Array, from: number, count: number, { high, low }: PathMinute): void {
  const last = from + count - 1;
  let [highest, lowest] = [from + 1, from + 1];
  let [limit, fewest] = [max(out[from] as number, out[last] as number), min(out[from] as number, out[last] as number)];
  for (let i = from + 1; i < last; i++) {
    if ((out[i] as number) > (out[highest] as number)) highest = i;
    if ((out[i] as number) < (out[lowest] as number)) lowest = i;
  }
  limit = max(limit, out[highest] as number);
  fewest = min(fewest, out[lowest] as number);
  if (highest === lowest) lowest = highest + 1 < last ? highest + 1 : highest - 1;
  if (limit < high) out[highest] = high;
  if (fewest > low) out[lowest] = low;
}
