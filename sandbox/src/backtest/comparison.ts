/** Several backtests of one workflow with other values, compared: in and out of sample, and how much of the best is luck. */
import { percent } from '../shared/money';
import { deviation, mean, sum } from '../reports/performance/statistics';
import type { BacktestReport } from './report';
import type { SettingChoice, VariedSetting } from './settings';

/** Result of a backtest on some of its days. Money is paise. */
export interface PeriodResult {
  result: number;
  trades: number;
  /** Return on the worth of the account when the first day of all began. */
  return_percent: number;
}

/** One backtest of several; null where it failed or has not been run. */
export interface TriedSettings {
  values: SettingChoice;
  /** Folder of its report, below that of all. */
  folder: string;
  /** The reason why there is no result. */
  failed: string | null;
  all: PeriodResult | null;
  in_sample: PeriodResult | null;
  /** Null where all days are in sample, too. */
  out_of_sample: PeriodResult | null;
  drawdown: number | null;
  /** Runs of the workflow that failed. */
  failed_runs: number;
}

/** Meaning of the best result of many. */
export interface BestOfMany {
  /** Index in `tried`, by the result in sample. */
  best: number;
  /** Its place out of sample, from 1; null where there is no out of sample. */
  place_out_of_sample: number | null;
  compared: number;
  /** Distance above the mean of all in sample, and distance that luck alone would take the best of as many, paise. */
  above_mean: number;
  by_luck: number;
  /** Spearman's rank correlation of the results in and out of sample; null for fewer than three. */
  same_order: number | null;
}

export interface SettingsComparison {
  settings: VariedSetting[];
  from: string;
  to: string;
  /** The last day in sample; `to` where none is out of sample. */
  in_sample_until: string;
  /** By choice, the last field changes fastest. */
  tried: TriedSettings[];
  /** Null where no backtest has a result. */
  best: BestOfMany | null;
}

/** Parts of a report that are compared. */
export type ComparedReport = Pick<BacktestReport, 'days' | 'basis' | 'drawdown' | 'runs'>;

/** The share of days that are in sample where nothing is said. */
const IN_SAMPLE = 2 / 3;

/** The last day in sample of days in order: two thirds of them, and never all where there are two. */
export function inSampleUntil(dates: readonly string[]): string {
  return dates[Math.max(0, Math.min(dates.length - 2, Math.ceil(dates.length * IN_SAMPLE) - 1))]!;
}

/** Returns the result of one backtest. @param until the last day in sample */
export function triedOf(values: SettingChoice, folder: string, report: ComparedReport, until: string): TriedSettings {
  const days = report.days.filter((day) => day !== null);
  const part = (of: typeof days): PeriodResult => {
    const result = sum(of.map((day) => day.result));
    return {
      result,
      trades: sum(of.map(({ trades }) => trades)),
      return_percent: percent(result, report.basis.capital),
    };
  };
  const later = days.filter(({ date }) => date > until);
  return {
    values,
    folder,
    failed: null,
    all: part(days),
    in_sample: part(days.filter(({ date }) => date <= until)),
    out_of_sample: later.length === 0 ? null : part(later),
    drawdown: report.drawdown?.amount ?? null,
    failed_runs: report.runs.failed,
  };
}

/**
 * The best in sample, and what luck has to do with it. Of as many equal settings, whose daily results vary as these do and go
 * together as these do, the best is so far above the mean by chance: the deviation of what sets them apart, times the largest of as many
 * normal numbers.
 * @param tried @param byDay results of each day in sample, paise, in the same order; undefined where there is none
 */
export function bestOf(
  tried: readonly TriedSettings[],
  byDay: readonly (readonly number[] | undefined)[],
): BestOfMany | null {
  const known = tried.flatMap(({ in_sample: inside, out_of_sample: outside }, index) =>
    inside === null ? [] : [{ index, inside: inside.result, outside: outside?.result ?? null }],
  );
  if (known.length === 0) return null;
  const best = known.reduce((first, next) => (next.inside > first.inside ? next : first));
  const outside = known.flatMap((result) => (result.outside === null ? [] : [result.outside]));
  const hasOutside = best.outside !== null;
  return {
    best: best.index,
    place_out_of_sample: hasOutside ? 1 + outside.filter((result) => result > best.outside!).length : null,
    compared: known.length,
    above_mean: Math.round(best.inside - mean(known.map(({ inside }) => inside))),
    by_luck: byLuck(known.map(({ index }) => byDay[index] ?? [])),
    same_order:
      hasOutside && known.length > 2
        ? rankCorrelation(
            known.map(({ inside }) => inside),
            outside,
          )
        : null,
  };
}

/** Paise by which the best of so many equal settings is above their mean. @param byDay results of the same days, a list each */
function byLuck(byDay: readonly (readonly number[])[]): number {
  const days = byDay[0]?.length ?? 0;
  if (byDay.length < 2 || days < 2) return 0;
  // What each differs from the mean of all on a day is what luck can tell them apart by.
  const means = Array.from({ length: days }, (_, day) => mean(byDay.map((results) => results[day]!)));
  const apart = byDay.map((results) => deviation(results.map((result, day) => result - means[day]!)));
  // The mean took one of as many parts out of each.
  const daily = Math.sqrt(mean(apart.map((error) => error ** 2)) * (byDay.length / (byDay.length - 1)));
  return Math.round(daily * Math.sqrt(days) * expectedMaximum(byDay.length));
}

/** The mean of the largest of so many independent standard normal numbers: Blom's approximation, within 2 % from two on. */
export function expectedMaximum(count: number): number {
  return count < 2 ? 0 : normalQuantile((count - 0.375) / (count + 0.25));
}

/** The number below which that share of the normal distribution is, from a half on. */
function normalQuantile(share: number): number {
  let [low, high] = [0, 10];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (normalShare(middle) < share) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the part of the normal distribution below a number from 0 to 10: its series about 0 (Marsaglia 2004). */
function normalShare(x: number): number {
  let [sofar, term] = [x, x];
  for (let n = 3; term > 1e-17; n += 2) {
    term *= x ** 2 / n;
    sofar += term;
  }
  return 0.5 + sofar * Math.exp(-(x ** 2) / 2 - 0.5 * Math.log(2 * Math.PI));
}

/** −1 to 1, three decimals; 0 where all are alike. */
function rankCorrelation(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [ranks(one), ranks(other)];
  const [middleA, middleB] = [mean(a), mean(b)];
  const product = sum(a.map((rank, index) => (rank - middleA) * (b[index]! - middleB)));
  const size = Math.sqrt(sum(a.map((rank) => (rank - middleA) ** 2)) * sum(b.map((rank) => (rank - middleB) ** 2)));
  return size === 0 ? 0 : Math.round((product / size) * 1_000) / 1_000;
}

/** Places from 1; equal values share the mean of theirs. */
function ranks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}
