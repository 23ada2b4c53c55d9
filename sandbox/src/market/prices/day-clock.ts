import type { DayGrid } from '../reference/calendar';
import { normalOf, normalAt, subKey } from '../../shared/random';

const { exp, max, min, sqrt } = Math;

/** Spread of a trading day's variance and volume over its minutes, and the minutes of its closes. */

/** Trading days shorter than this many minutes bring less variance. */
const FULL_DAY = 240;
/** Minutes over whose trades the official close of shares without a closing auction is averaged. */
const AVERAGED = 30;
/** Deviation of half an hour, five minutes and a minute from their usual activity: deviations of logarithms. */
const BUSY = { halfHour: 0.3, fiveMinutes: 0.25, minute: 0.35 };

const BUSY_MINUTES = Float64Array.from({ length: 4096 }, (_, bits) => exp(BUSY.minute * normalAt(bits)));

/** Facts that all days with the same minutes share. */
interface Shape {
  /** Share of the day's variance in each minute; they sum to 1. */
  variance: Float64Array;
  /** Weight of each minute in the day's volume: the U. */
  volume: Float64Array;
  /** Minutes that end a stretch whose return is drawn as a whole, ascending; the last is the end of the day. */
  anchors: readonly number[];
  /** Share of the day's variance in the stretch that ends at each anchor. */
  shares: readonly number[];
  /** Part of the variance of a full day that such a day has. */
  length: number;
}

/** The mean of the last trades less the last one, as a function of the first stretch's return and of a separate draw. */
export interface LastHalfHour {
  /** First minute of those that are averaged. */
  from: number;
  /** Part of the deviation that goes with the return of the first stretch, per unit of that return. */
  slope: number;
  /** Deviation of the rest, where the volatility of the day is 1. */
  deviation: number;
  /** Share of the averaged volume that is traded before the middle of each of the minutes. */
  before: Float64Array;
}

/** One day: the shape, and how busy its minutes are. They tell how much is going on, never in which direction. */
export interface DayClock extends Shape {
  /** Volatility of each minute where that of the day is 1. */
  deviation: Float64Array;
  /** Share of the day's variance before each minute, and all of it. */
  passed: Float64Array;
  /** Undefined on days that are too short for it. */
  lastHalfHour: LastHalfHour | undefined;
}

const shapes = new Map<string, Shape>();
/** The shape of each day that was asked for: it is asked for at every return of every share. */
const shapeOfDay = new WeakMap<DayGrid, Shape>();

/** The shape of a day. */
export function shapeOf(grid: DayGrid): Shape {
  let shape = shapeOfDay.get(grid);
  if (!shape) {
    shape = sharedShapeOf(grid);
    shapeOfDay.set(grid, shape);
  }
  return shape;
}

/**
 * Most happens at the open, and more than at noon towards the close: in their first and last half hours minutes of NIFTY and
 * BANKNIFTY were 1.7 to 2.1 and 1.2 to 1.6 times as large (January 2021, March 2020).
 */
function sharedShapeOf(grid: DayGrid): Shape {
  const { minutes, auctionPrint, lastMinute } = grid;
  const cash = lastMinute.cash || minutes;
  const name = `${minutes} ${auctionPrint} ${cash}`;
  let shape = shapes.get(name);
  if (!shape) {
    const weights = Float64Array.from(
      { length: minutes },
      (_, k) => 1 + 6 * exp(-k / 15) + (k < cash ? 1.5 * exp((k - cash) / 45) : 0),
    );
    const sum = weights.reduce((a, b) => a + b, 0);
    const variance = weights.map((weight) => weight / sum);
    const anchors = [...new Set([cash, auctionPrint ?? minutes, minutes])].sort((a, b) => a - b);
    shape = {
      variance,
      volume: Float64Array.from({ length: minutes }, (_, k) => 1 + 3 * exp(-k / 20) + 2 * exp((k - minutes) / 20)),
      anchors,
      shares: anchors.map((anchor, i) => variance.subarray(anchors[i - 1] ?? 0, anchor).reduce((a, b) => a + b, 0)),
      length: min(minutes / FULL_DAY, 1),
    };
    shapes.set(name, shape);
  }
  return shape;
}

/** The clock of a day under a key. */
export function clockOf(grid: DayGrid, key: number): DayClock {
  const shape = shapeOf(grid);
  const { minutes } = grid;
  const variance = new Float64Array(minutes);
  const volume = new Float64Array(minutes);
  const [halfHours, fives, ones] = [subKey(key, 1), subKey(key, 2), subKey(key, 3)];
  let slow = 0;
  for (let k = 0; k < minutes; k++) {
    if (k % 5 === 0)
      slow = exp(
        BUSY.halfHour * normalOf(subKey(halfHours, (k / 30) | 0)) +
          BUSY.fiveMinutes * normalOf(subKey(fives, (k / 5) | 0)),
      );
    const busy = slow * (BUSY_MINUTES[subKey(ones, k) >>> 20] as number);
    variance[k] = (shape.variance[k] as number) * busy * busy;
    volume[k] = (shape.volume[k] as number) * busy;
  }
  shape.anchors.forEach((anchor, i) => {
    const from = shape.anchors[i - 1] ?? 0;
    const sum = variance.subarray(from, anchor).reduce((a, b) => a + b, 0);
    const scale = (shape.shares[i] as number) / sum;
    for (let k = from; k < anchor; k++) variance[k] = (variance[k] as number) * scale;
  });
  const deviation = variance.map(sqrt);
  const passed = new Float64Array(minutes + 1);
  for (let k = 0; k < minutes; k++) passed[k + 1] = (passed[k] as number) + (variance[k] as number);
  return { ...shape, variance, volume, deviation, passed, lastHalfHour: averaged(variance, volume, grid, shape) };
}

const nights = new Map<number, DayClock>();

/** The clock of a night, in which as much happens in any minute as in any other. */
export function nightClock(minutes: number): DayClock {
  let clock = nights.get(minutes);
  if (!clock) {
    const share = 1 / minutes;
    clock = {
      variance: new Float64Array(minutes).fill(share),
      volume: new Float64Array(minutes).fill(1),
      anchors: [minutes],
      shares: [1],
      length: 1,
      deviation: new Float64Array(minutes).fill(sqrt(share)),
      passed: Float64Array.from({ length: minutes + 1 }, (_, k) => k / minutes),
      lastHalfHour: undefined,
    };
    nights.set(minutes, clock);
  }
  return clock;
}

function averaged(
  variance: Float64Array,
  volume: Float64Array,
  { lastMinute }: DayGrid,
  { anchors, shares }: Shape,
): LastHalfHour | undefined {
  const end = lastMinute.cash;
  if (anchors[0] !== end || end < 2 * AVERAGED) return undefined;
  const from = end - AVERAGED;
  const whole = volume.subarray(from, end).reduce((a, b) => a + b, 0);
  const before = new Float64Array(AVERAGED);
  let traded = 0;
  let first = 0;
  let second = 0;
  for (let j = 0; j < AVERAGED; j++) {
    const here = (volume[from + j] as number) / whole;
    const part = traded + here / 2;
    before[j] = part;
    traded += here;
    first += (variance[from + j] as number) * part;
    second += (variance[from + j] as number) * part * part;
  }
  const share = shares[0] as number;
  return { from, slope: -first / share, deviation: sqrt(max(second - (first * first) / share, 0)), before };
}
