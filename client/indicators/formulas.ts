/** Technical indicators, as charts draw them: one value for each bar, null until there are enough bars. */
import { istDate } from '../values/time';
import { ema, sma, wilder, type IndicatorValues } from './averages';

/** One bar; prices in paise. */
export interface Bar {
  /** Start of the bar, milliseconds since the epoch. */
  at: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Traded volume within it, units; null if unknown. */
  volume: number | null;
}

const both = (a: IndicatorValues, b: IndicatorValues, join: (a: number, b: number) => number): IndicatorValues =>
  a.map((item, at) => {
    const other = b[at]!;
    return item === null || other === null ? null : join(item, other);
  });

const closes = (bars: readonly Bar[]): IndicatorValues => bars.map(({ close }) => close);

/** Relative strength index by Wilder's averages, 0 to 100; 50 where no close changed. */
export function rsi(bars: readonly Bar[], period: number): IndicatorValues {
  const changes = bars.map(({ close }, at) => (at === 0 ? null : close - bars[at - 1]!.close));
  const gains = wilder(
    changes.map((change) => (change === null ? null : Math.max(change, 0))),
    period,
  );
  const losses = wilder(
    changes.map((change) => (change === null ? null : Math.max(-change, 0))),
    period,
  );
  return both(gains, losses, (gain, loss) => (gain + loss === 0 ? 50 : (100 * gain) / (gain + loss)));
}

/** MACD: the fast EMA less the slow one, the EMA of that, and what lies between. */
export function macd(
  bars: readonly Bar[],
  fast: number,
  slow: number,
  signal: number,
): { macd: IndicatorValues; signal: IndicatorValues; histogram: IndicatorValues } {
  const line = both(ema(closes(bars), fast), ema(closes(bars), slow), (a, b) => a - b);
  const average = ema(line, signal);
  return { macd: line, signal: average, histogram: both(line, average, (a, b) => a - b) };
}

/** Returns Bollinger bands: the mean of the last closes, and `deviations` standard deviations (of a population) above and below. */
export function bollinger(
  bars: readonly Bar[],
  period: number,
  deviations: number,
): { upper: IndicatorValues; middle: IndicatorValues; lower: IndicatorValues } {
  const middle = sma(closes(bars), period);
  const distance = middle.map((mean, at) => {
    if (mean === null) return null;
    let squares = 0;
    for (let back = at - period + 1; back <= at; back++) squares += (bars[back]!.close - mean) ** 2;
    return deviations * Math.sqrt(squares / period);
  });
  return {
    upper: both(middle, distance, (a, b) => a + b),
    middle,
    lower: both(middle, distance, (a, b) => a - b),
  };
}

/** Returns the true range of each bar, measured from the close before it. */
function trueRanges(bars: readonly Bar[]): IndicatorValues {
  return bars.map(({ high, low }, at) => {
    if (at === 0) return high - low;
    const { close } = bars[at - 1]!;
    return Math.max(high, close) - Math.min(low, close);
  });
}

/** Average true range by Wilder's average. */
export function atr(bars: readonly Bar[], period: number): IndicatorValues {
  return wilder(trueRanges(bars), period);
}

/** Supertrend: the line below the price while the trend is up (direction 1), above it while it is down (direction −1). */
export function supertrend(
  bars: readonly Bar[],
  period: number,
  multiplier: number,
): { line: IndicatorValues; direction: IndicatorValues } {
  const ranges = atr(bars, period);
  const line: IndicatorValues = [];
  const direction: IndicatorValues = [];
  let last: { upper: number; lower: number; isUp: boolean } | undefined;
  bars.forEach(({ high, low, close }, at) => {
    const range = ranges[at]!;
    if (range === null) {
      line.push(null);
      direction.push(null);
      return;
    }
    const middle = (high + low) / 2;
    let upper = middle + multiplier * range;
    let lower = middle - multiplier * range;
    const before = bars[at - 1]?.close;
    if (last !== undefined && before !== undefined) {
      if (upper >= last.upper && before <= last.upper) upper = last.upper;
      if (lower <= last.lower && before >= last.lower) lower = last.lower;
    }
    const isUp: boolean = last?.isUp === true ? close >= lower : close > upper;
    last = { upper, lower, isUp };
    line.push(isUp ? lower : upper);
    direction.push(isUp ? 1 : -1);
  });
  return { line, direction };
}

/**
 * Volume-weighted average of the typical price, from the beginning of each day (IST); null until the day's first trade, and from a bar on
 * whose volume is unknown.
 * @param bars of whole days, shorter than a day.
 */
export function vwap(bars: readonly Bar[]): IndicatorValues {
  let day = '';
  let value = 0;
  let traded = 0;
  return bars.map(({ at, high, low, close, volume }) => {
    const date = istDate(at);
    if (date !== day) [day, value, traded] = [date, 0, 0];
    value += ((high + low + close) / 3) * (volume ?? NaN);
    traded += volume ?? NaN;
    return traded > 0 ? value / traded : null;
  });
}

/** Average directional index and the two directional indicators, 0 to 100, all by Wilder's averages. */
export function adx(
  bars: readonly Bar[],
  period: number,
): { adx: IndicatorValues; plus: IndicatorValues; minus: IndicatorValues } {
  const moves = bars.map(({ high, low }, at) => {
    const before = bars[at - 1];
    const up = before === undefined ? 0 : high - before.high;
    const down = before === undefined ? 0 : before.low - low;
    return { plus: up > down ? Math.max(up, 0) : 0, minus: down > up ? Math.max(down, 0) : 0 };
  });
  const ranges = atr(bars, period);
  const share = (list: IndicatorValues): IndicatorValues =>
    both(wilder(list, period), ranges, (move, range) => (range === 0 ? 0 : (100 * move) / range));
  const plus = share(moves.map((move) => move.plus));
  const minus = share(moves.map((move) => move.minus));
  const index = both(plus, minus, (a, b) => (a + b === 0 ? 0 : (100 * Math.abs(a - b)) / (a + b)));
  return { adx: wilder(index, period), plus, minus };
}
