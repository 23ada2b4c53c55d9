import { sortByName } from './fields';

/** Names of the lengths of bars, as the panel calls them. */
export const INTERVAL_NAMES = {
  '1s': '1 Second',
  '10s': '10 Seconds',
  '1m': '1 Minute',
  '2m': '2 Minutes',
  '3m': '3 Minutes',
  '5m': '5 Minutes',
  '15m': '15 Minutes',
  '30m': '30 Minutes',
  '1h': '1 Hour',
  '1d': '1 Day',
  '1w': '1 Week',
  '1mth': '1 Month',
} as const;

type IntervalName = keyof typeof INTERVAL_NAMES;

/** Choices of a length. */
export const intervalOptions = (intervals: readonly IntervalName[]) =>
  sortByName(intervals.map((value) => ({ name: INTERVAL_NAMES[value], value })));
