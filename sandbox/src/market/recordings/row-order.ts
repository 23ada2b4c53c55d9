import type { TradingDays } from '../reference/calendar';
import { dayOf, MINUTE, SECOND } from '../../shared/dates';
import { lineWord, refuseRow } from './read-error';
import { nameOf, type Row } from './types';

/** Puts the rows of a file in order, and finds out what they do not say. */

export const DAY_SECONDS = 86_400;
/** Where most rows of a file stand at the end of the day's trading and few at its beginning, they name the ends of bars. */
const MAX_UNORDERED_SHARE = 0.5;

const sameBar = (a: Row, b: Row): boolean =>
  a.open === b.open && a.high === b.high && a.low === b.low && a.close === b.close && a.volume === b.volume;

/**
 * Rows of one instrument in one file, in the order of time, each once.
 * @throws OptionError where two of the same time differ
 */
export function ordered(rows: readonly Row[]): { rows: Row[]; repeated: number } {
  const sorted = [...rows].sort((a, b) => a.at - b.at || a.line - b.line);
  const kept: Row[] = [];
  for (const row of sorted) {
    const before = kept.at(-1);
    if (before?.at !== row.at) kept.push(row);
    else if (!sameBar(before, row))
      refuseRow(
        row.file,
        row.line,
        `${nameOf(row)} has another row of the same time at ${lineWord(row.file)} ${before.line}; delete one of them`,
      );
  }
  return { rows: kept, repeated: sorted.length - kept.length };
}

/** The commonest distance of two rows of a day, seconds; that of days where no day has two. */
export function usualStep(rows: readonly Row[]): number {
  const counts = new Map<number, number>();
  for (let i = 1; i < rows.length; i++) {
    const [before, row] = [rows[i - 1]!, rows[i]!];
    if (dayOf(before.at) !== dayOf(row.at)) continue;
    const step = (row.at - before.at) / SECOND;
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? DAY_SECONDS;
}

/** Whether a file's rows name the ends of their bars: found out where they stand at the close and not at the open. */
export function namesEnds(rows: readonly Row[], days: TradingDays): boolean {
  let opens = 0;
  let closes = 0;
  const seen = new Set<number>();
  for (const row of rows) {
    const day = dayOf(row.at);
    const index = days.indexOf(day);
    if (index < 0) continue;
    seen.add(day);
    const grid = days.grid(index);
    if (row.at === grid.start) opens += 1;
    if (row.at === grid.start + grid.lastMinute.cash * MINUTE) closes += 1;
  }
  return opens === 0 && closes > seen.size * MAX_UNORDERED_SHARE;
}
