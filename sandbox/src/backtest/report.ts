import type { PerformanceRecord } from '../reports/performance/record';
import type { Basis } from './basis';
import type { Luck } from './luck';
import type { Runs } from './runs';

/** A session report with the runs of the workflow that was backtested, what it rests on, and what a coin would have made. */
export type BacktestReport = PerformanceRecord & { runs: Runs; basis: Basis; luck: Luck | null };
