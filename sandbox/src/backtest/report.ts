import type { PerformanceRecord } from '../reports/performance/record';
import type { ReportBasis } from './basis';
import type { LuckBand } from './luck';
import type { Runs } from './runs';
import type { TradePicture } from './trade-pictures';

/** Progress of a backtest that was stopped. `until` is the sandbox's time, such as 2020-03-12 11:20. */
export interface PartialRun {
  until: string;
  days_passed: number;
  days: number;
}

/** The partial run in a sentence; undefined where all days have passed. */
export function partialInWords({ partial }: Pick<BacktestReport, 'partial'>): string | undefined {
  if (partial === null) return undefined;
  const { until, days_passed: passed, days } = partial;
  return `Partial: the backtest was stopped at ${until}, when ${passed} of ${days} ${days === 1 ? 'day' : 'days'} had passed. Runs of the day that was not over are not counted.`;
}

/** A session report with the runs of the workflow that was backtested, what it rests on, what a coin would have made, and pictures of trades. */
export type BacktestReport = PerformanceRecord & {
  runs: Runs;
  basis: ReportBasis;
  luck: LuckBand | null;
  /** Of a backtest that ended early; null where all days have passed. */
  partial: PartialRun | null;
  /** Of the first of `round_trips`, in their order; null where there are no bars. */
  pictures: (TradePicture | null)[];
};
