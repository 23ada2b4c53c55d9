import type { PerformanceRecord } from '../reports/performance/record';
import type { ReportBasis } from './basis';
import type { LuckBand } from './luck';
import type { Runs } from './runs';
import type { TradePicture } from './trade-pictures';

/** A session report with the runs of the workflow that was backtested, what it rests on, what a coin would have made, and pictures of trades. */
export type BacktestReport = PerformanceRecord & {
  runs: Runs;
  basis: ReportBasis;
  luck: LuckBand | null;
  /** Of the first of `round_trips`, in their order; null where there are no bars. */
  pictures: (TradePicture | null)[];
};
