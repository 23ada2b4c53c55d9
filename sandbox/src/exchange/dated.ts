import { istDate } from './time';

/** The last row of a dated table (ascending) that is in force on the day in India that holds an instant. */
export function inForce<T extends { effectiveFrom: string }>(rows: readonly T[], at: number): T {
  const date = istDate(at);
  const row = rows.findLast(({ effectiveFrom }) => effectiveFrom <= date);
  if (row === undefined) throw new RangeError(`the tables begin on ${rows[0]?.effectiveFrom}, after ${date}`);
  return row;
}
