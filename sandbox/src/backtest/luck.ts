/**
 * Part of luck in such a strategy: the same trades at the same times with the same costs, but a coin says on which side. What was entered
 * in the same minute goes together.
 */
import { createUniform } from '../shared/random';
import type { PerformanceRecord } from '../reports/performance/record';

const COINS = 2_000;
const LOW = 0.05;
const HIGH = 0.95;
const MINUTE_LENGTH = 'YYYY-MM-DDTHH:MM'.length;

export interface LuckBand {
  coins: number;
  /** Of twenty coins one did worse than `low` and one better than `high`, paise. */
  low: number;
  middle: number;
  high: number;
  /** Number of a hundred coins that did worse than the strategy. */
  worse_percent: number;
  /** The same by day, from the beginning to its end. */
  band: { date: string; low: number; high: number }[];
}

/** Undefined where nothing was closed. @param seed draws the coins */
export function luckOf({ round_trips: trips, days }: PerformanceRecord, seed: number): LuckBand | undefined {
  const closed = trips.filter(({ exit_at: exit }) => exit !== null);
  if (closed.length === 0) return undefined;
  const dates = days.flatMap((day) => (day === null ? [] : [day.date]));
  // By entry: what the prices moved, without what getting in and out of them cost, which no side saves.
  const entries = new Map<string, { moved: number; paid: number; on: string }[]>();
  for (const { entry_at: entry, exit_at: exit, gross, costs, slippage } of closed) {
    const lost = slippage ?? 0;
    const part = { moved: gross + lost, paid: costs + lost, on: exit!.slice(0, 10) };
    const minute = entry.slice(0, MINUTE_LENGTH);
    entries.set(minute, [...(entries.get(minute) ?? []), part]);
  }
  const uniform = createUniform(seed);
  const byDay = dates.map(() => [] as number[]);
  const results: number[] = [];
  for (let coin = 0; coin < COINS; coin += 1) {
    const ofDay = new Map<string, number>();
    for (const parts of entries.values()) {
      const side = uniform() < 0.5 ? 1 : -1;
      for (const { moved, paid, on } of parts) ofDay.set(on, (ofDay.get(on) ?? 0) + side * moved - paid);
    }
    let sofar = 0;
    for (const [index, date] of dates.entries()) byDay[index]!.push((sofar += ofDay.get(date) ?? 0));
    results.push(sofar);
  }
  const own = closed.reduce((sum, { net }) => sum + net, 0);
  const sorted = ascending(results);
  return {
    coins: COINS,
    low: at(sorted, LOW),
    middle: at(sorted, 0.5),
    high: at(sorted, HIGH),
    worse_percent: Math.round((results.filter((result) => result < own).length / COINS) * 1_000) / 10,
    band: dates.map((date, index) => {
      const day = ascending(byDay[index]!);
      return { date, low: at(day, LOW), high: at(day, HIGH) };
    }),
  };
}

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const at = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!);
