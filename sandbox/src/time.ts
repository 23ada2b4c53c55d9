const OFFSET_MS = 19_800_000;

/** ISO-8601 in Indian time with its offset: 2026-11-23T09:15:00.000+05:30. @param at milliseconds since the epoch. */
export function istText(at: number): string {
  return new Date(at + OFFSET_MS).toISOString().replace('Z', '+05:30');
}

const DAY_MS = 86_400_000;
/** The day that was asked for last: most questions are about the same one. */
let latest = { day: NaN, date: '' };

/** The date in India, YYYY-MM-DD. */
export function istDate(at: number): string {
  const day = Math.floor((at + OFFSET_MS) / DAY_MS);
  if (day !== latest.day) latest = { day, date: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  return latest.date;
}

/** The instant (milliseconds) at which a day begins in India. */
export function istMidnight(date: string): number {
  return Date.parse(`${date}T00:00:00+05:30`);
}
