import type { DayGrid } from '../reference/calendar';
import { exponential, mix, signed, under } from '../../shared/random';

const { max, min, sqrt } = Math;

/**
 * Unrounded prices of what everything else hangs on: stocks, indices and commodities. Each is a function of (seed, day,
 * minute, second) and stores nothing but caches. A close is a sum of daily returns (integers of 1e-9, so that no sum
 * depends on its order); within the day knots stand at the minutes; within a minute the
 * seconds run between the knots and touch the minute's high and low once each.
 */

/** Prices of one day at its minutes. */
export interface DayPath {
  index: number;
  grid: DayGrid;
  key: number;
  /** Close of the trading day before. */
  previous: number;
  /** knots[0] is the opening price, knots[k] the price at the end of minute k - 1. */
  knots: Float64Array;
  /** Volatility of the day's trading, a fraction; a minute's is that times its place in the profile of the day. */
  volatility: number;
  profile: Float64Array;
  /** Stretches of minutes that were added up before, by a name. */
  stretches: Map<string, Stretch[]>;
}

/** What the root's price did in a stretch of minutes that begins at `minute`. */
export interface Stretch extends Minute {
  minute: number;
}

/** One minute of a path. */
export interface Minute {
  open: number;
  high: number;
  low: number;
  close: number;
}

/** The high and low that seconds between two knots reach. */
export function minuteOf(path: DayPath, k: number): Minute {
  const before = path.knots[k] as number;
  const close = path.knots[k + 1] as number;
  const open = k === 0 ? before : before + (close - before) / 60;
  const key = under(path.key, 4096 + k);
  const reach = 2 * (before * path.volatility * (path.profile[k] as number)) ** 2;
  const gap = (open - close) ** 2;
  const middle = (open + close) / 2;
  return {
    open,
    high: middle + sqrt(gap + reach * exponential(key)) / 2,
    low: middle - sqrt(gap + reach * exponential(mix(key))) / 2,
    close,
  };
}

/** Price within a minute at a second from 0 to 59. The first is the minute's open, the last its close. */
export function secondOf(path: DayPath, k: number, second: number): number {
  const { open, high, low, close } = minuteOf(path, k);
  if (second <= 0) return open;
  if (second >= 59) return close;
  const key = under(path.key, 8192 + k);
  const atHigh = 1 + (key % 58);
  const atLow = 1 + ((atHigh + (mix(key) % 57)) % 58);
  if (second === atHigh) return high;
  if (second === atLow) return low;
  const early = min(atHigh, atLow);
  const late = max(atHigh, atLow);
  const first = atHigh < atLow ? high : low;
  const last = atHigh < atLow ? low : high;
  const line =
    second < early
      ? open + ((first - open) * second) / early
      : second < late
        ? first + ((last - first) * (second - early)) / (late - early)
        : last + ((close - last) * (second - late)) / (59 - late);
  const noisy = line + (high - low) * 0.12 * signed(under(key, second));
  return min(max(noisy, low), high);
}
