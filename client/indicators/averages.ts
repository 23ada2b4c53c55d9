/** Moving averages: one value for each input, null until there are enough. */

/** One value for each bar; null if unknown yet. */
export type IndicatorValues = (number | null)[];

/** Simple moving average: the mean of the last `period` values. */
export function sma(values: IndicatorValues, period: number): IndicatorValues {
  let sum = 0;
  let count = 0;
  return values.map((value, at) => {
    if (value === null) return null;
    sum += value;
    count += 1;
    if (count > period) sum -= values[at - period]!;
    return count < period ? null : sum / period;
  });
}

/** Mean of the last `period` values; null if one of them is unknown. */
export function wholeSma(values: IndicatorValues, period: number): IndicatorValues {
  let sum = 0;
  let unknown = 0;
  return values.map((value, at) => {
    const left = at >= period ? values[at - period]! : 0;
    sum += (value ?? 0) - (left ?? 0);
    unknown += (value === null ? 1 : 0) - (left === null ? 1 : 0);
    return at + 1 < period || unknown > 0 ? null : sum / period;
  });
}

/** Exponential moving average, weight 2 / (period + 1), which begins at the first value; told from `period` values on. */
export function ema(values: IndicatorValues, period: number): IndicatorValues {
  const weight = 2 / (period + 1);
  let last: number | undefined;
  let count = 0;
  return values.map((value) => {
    if (value === null) return null;
    last = last === undefined ? value : value * weight + last * (1 - weight);
    count += 1;
    return count < period ? null : last;
  });
}

/** Wilder's average, weight 1 / period, which begins at the mean of the first `period` values. */
export function wilder(values: IndicatorValues, period: number): IndicatorValues {
  let last: number | undefined;
  let sum = 0;
  let count = 0;
  return values.map((value) => {
    if (value === null) return null;
    count += 1;
    if (last !== undefined) return (last += (value - last) / period);
    sum += value;
    return count < period ? null : (last = sum / period);
  });
}

/**
 * Returns the number of values after which the start of an average weighs less than a millionth.
 * @param weight of the newest value, above 0 and at most 1.
 */
export function warmUpTime(weight: number): number {
  return weight >= 1 ? 1 : Math.ceil(Math.log(1e-6) / Math.log(1 - weight));
}
