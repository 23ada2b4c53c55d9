/** Dates and instants of India: UTC+05:30 all year. */
const OFFSET = 19_800_000;

const DAY_MS = 86_400_000;
/** The day that was asked for last, by its number: most questions are about the same one. */
let latest = { day: NaN, date: '' };

/** Date in IST, YYYY-MM-DD, of an instant in milliseconds. */
export function istDate(at: number): string {
  const day = Math.floor((at + OFFSET) / DAY_MS);
  if (day !== latest.day) latest = { day, date: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  return latest.date;
}

/** Instant in milliseconds of a time of day (HH:MM or HH:MM:SS) in IST. */
export function istInstant(date: string, time: string): number {
  return Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}+05:30`);
}

/** HH:MM:SS in IST of an instant in milliseconds. */
export function istTime(at: number): string {
  return new Date(at + OFFSET).toISOString().slice(11, 19);
}

/** Milliseconds of an instant given in nanoseconds. */
export function millis(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n);
}

/** The row of a dated table that is in force on a date. @throws when the table begins later. */
export function inForce<T extends { effectiveFrom: string }>(rows: readonly T[], date: string): T {
  const row = rows.findLast((candidate) => candidate.effectiveFrom <= date);
  if (!row) throw new RangeError(`no row of the table is in force on ${date}; it begins on ${rows[0]?.effectiveFrom}`);
  return row;
}
