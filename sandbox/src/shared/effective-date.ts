/** The last row of a dated table (ascending) that is in force on a date (YYYY-MM-DD). @throws RangeError when the table begins later */
export function effectiveOn<T extends { effectiveFrom: string }>(rows: readonly T[], date: string): T {
  const row = rows.findLast(({ effectiveFrom }) => effectiveFrom <= date);
  if (row === undefined) throw new RangeError(`the table begins on ${rows[0]?.effectiveFrom}, after ${date}`);
  return row;
}
