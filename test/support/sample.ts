/** Exhaustive tables: CI tries all of them, by name (TEST_ALL=1), and `npm test` a share of them. */

/** True if everything is tried. */
export const IS_WHOLE = process.env['TEST_ALL'] === '1';

/** The need of a test that `npm test` leaves to CI, because it starts programs that take seconds to load: see `describeWith`. */
export const WHOLE_RUN = { name: 'TEST_ALL=1', found: IS_WHOLE || undefined };

/**
 * The share of some values that one row of a table is tried with; all of them with TEST_ALL=1.
 * @param of one in so many.
 * @param row of the table, from 0: rows that follow each other are tried with different values, so that each value is tried
 *   with one row in `of`.
 */
export function share<T>(values: readonly T[], of: number, row: number): readonly T[] {
  return IS_WHOLE ? values : values.filter((_value, at) => at % of === row % of);
}

/**
 * Rows of a table in which several say the same of different operations: the first of each, and one in so many of the
 * others; all of them with TEST_ALL=1. @param titleOf what the rows that say the same have in common.
 */
export function firstAndShare<T>(rows: readonly T[], of: number, titleOf: (row: T) => string): readonly T[] {
  const seen = new Set<string>();
  return rows.filter((row, at) => {
    const title = titleOf(row);
    const isFirst = !seen.has(title);
    seen.add(title);
    return IS_WHOLE || isFirst || at % of === 0;
  });
}
