import type { DayClock } from './day-clock';
import type { DayGrid } from '../reference/calendar';
import { SECONDS_PER_MINUTE } from './random-walk';

const { max, min } = Math;

/**
 * A bridge from one price to another passes a third with the probability exp(-2 × the product of its distances to both /
 * variance): once in fifty million where the product is this many times the variance. Nobody looks there.
 */
const BEYOND = 9;

/**
 * Unrounded prices of what everything else hangs on: stocks, indices and commodities. Each is a function of (seed, day,
 * minute, second) and stores nothing but caches. A close is a sum of daily returns (integers of 1e-9, so that no sum
 * depends on its order); within the day knots are at the minutes, within a minute seconds between the knots.
 */

/** Path of the root's price in a stretch of minutes that begins at `minute`. */
export interface PathStretch extends PathMinute {
  minute: number;
}

/** One minute of a path. */
export interface PathMinute {
  open: number;
  high: number;
  low: number;
  close: number;
}

/** Parts of a path. */
export interface PathParts {
  index: number;
  /** True if it is the way from the end of trading of the day before to the day's open. */
  night: boolean;
  grid: DayGrid;
  clock: DayClock;
  /** The opening price in knots[0]; in knots[k] the price at the end of minute k - 1. */
  knots: Float64Array;
  /** Fills the prices at which the seconds of a minute end; the last is the minute's close. */
  fill(seconds: Float64Array, minute: number): void;
  /** Deviation of a minute's return where that of the clock is 1, paise. */
  spread: number;
  /** Minutes in which the price jumps. */
  jumps: ReadonlySet<number>;
}

/** Prices of one day. */
export class DayPath implements Readonly<PathParts> {
  readonly index: number;
  readonly night: boolean;
  readonly grid: DayGrid;
  readonly clock: DayClock;
  readonly knots: Float64Array;
  readonly spread: number;
  readonly jumps: ReadonlySet<number>;
  readonly fill: (seconds: Float64Array, minute: number) => void;
  /** Stretches of minutes that were added up before, by a name. */
  readonly stretches = new Map<string, PathStretch[]>();
  private readonly buffer = new Float64Array(SECONDS_PER_MINUTE);
  private filled = -1;
  private minutes: (PathMinute | undefined)[] | undefined;

  constructor(parts: PathParts) {
    this.index = parts.index;
    this.night = parts.night;
    this.grid = parts.grid;
    this.clock = parts.clock;
    this.knots = parts.knots;
    this.spread = parts.spread;
    this.jumps = parts.jumps;
    this.fill = parts.fill;
  }

  /** Prices at which the seconds of a minute end; good until another minute is asked for. */
  seconds(minute: number): Float64Array {
    if (this.filled !== minute) {
      this.fill(this.buffer, minute);
      this.filled = minute;
    }
    return this.buffer;
  }

  /** Price at a second from 0 to 59 of a minute. */
  second(minute: number, second: number): number {
    return this.seconds(minute)[second] as number;
  }

  /** Returns the prices of a second. A second that holds several prices has a separate bar. */
  bar(minute: number, second: number): PathMinute {
    const price = this.second(minute, second);
    return { open: price, high: price, low: price, close: price };
  }

  minute(k: number): PathMinute {
    this.minutes ??= [];
    let minute = this.minutes[k];
    if (!minute) {
      const seconds = this.seconds(k);
      const open = seconds[0] as number;
      let high = open;
      let low = open;
      for (let s = 1; s < SECONDS_PER_MINUTE; s++) {
        const price = seconds[s] as number;
        if (price > high) high = price;
        if (price < low) low = price;
      }
      minute = { open, high, low, close: seconds[SECONDS_PER_MINUTE - 1] as number };
      this.minutes[k] = minute;
    }
    return minute;
  }

  /** The minutes [from, to) as one, without looking into those that cannot hold its extremes. */
  span(from: number, to: number): PathMinute {
    if (to === from + 1) return this.minute(from);
    const { knots, clock, spread, jumps } = this;
    const { open, ...first } = this.minute(from);
    let { high, low } = first;
    let [highest, lowest] = [from, from];
    for (let k = from + 1; k < to; k++) {
      const price = knots[k + 1] as number;
      if (price > high) [high, highest] = [price, k];
      if (price < low) [low, lowest] = [price, k];
    }
    const look = (k: number) => {
      if (k >= to) return;
      const inside = this.minute(k);
      high = max(high, inside.high);
      low = min(low, inside.low);
    };
    // The extremes are likeliest around the outermost knots: with them known most of the others need no look.
    for (const k of [highest, highest + 1, lowest, lowest + 1]) look(k);
    for (let k = from + 1; k < to; k++) {
      const before = knots[k] as number;
      const after = knots[k + 1] as number;
      const deviation = spread * (clock.deviation[k] as number);
      const bound = BEYOND * deviation * deviation;
      const below = high >= before && high >= after && (high - before) * (high - after) >= bound;
      const above = low <= before && low <= after && (low - before) * (low - after) >= bound;
      if (!below || !above || jumps.has(k)) look(k);
    }
    return { open, high, low, close: knots[to] as number };
  }
}
