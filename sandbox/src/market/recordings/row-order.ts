import { lineWord, refuseRow } from './read-error';
import { nameOf, type RecordedRow } from './types';

/** Puts the rows of a file in order. */

export const DAY_SECONDS = 86_400;

const sameBar = (a: RecordedRow, b: RecordedRow): boolean =>
  a.open === b.open && a.high === b.high && a.low === b.low && a.close === b.close && a.volume === b.volume;

/**
 * Rows of one instrument in one file, in the order of time, each once.
 * @param datesOnly true if they have no times of day
 * @throws OptionError where two of the same time differ
 */
export function orderRows(rows: readonly RecordedRow[], datesOnly = false): { rows: RecordedRow[]; repeated: number } {
  const sorted = [...rows].sort((a, b) => a.at - b.at || a.line - b.line);
  const keptRows: RecordedRow[] = [];
  for (const row of sorted) {
    const before = keptRows.at(-1);
    if (before?.at !== row.at) keptRows.push(row);
    else if (!sameBar(before, row))
      refuseRow(
        row.file,
        row.line,
        datesOnly
          ? `${nameOf(row)} has another row of the same day at ${lineWord(row.file)} ${before.line}; delete one of them, or give their times where bars are shorter than a day`
          : `${nameOf(row)} has another row of the same time at ${lineWord(row.file)} ${before.line}; delete one of them`,
      );
  }
  return { rows: keptRows, repeated: sorted.length - keptRows.length };
}
