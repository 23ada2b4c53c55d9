/** Dates and instants of India: UTC+05:30 all year. Instants are milliseconds since the epoch. */
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const OFFSET_MS = 19_800_000;

/** The day that was asked for last, by its number: most questions are about the same one. */
let latest = { day: NaN, date: '' };

/** ISO-8601 in Indian time with its offset: 2026-11-23T09:15:00.000+05:30. */
export function istText(at: number): string {
  return new Date(at + OFFSET_MS).toISOString().replace('Z', '+05:30');
}

/** The time of day (IST), HH:MM:SS. */
export function istClock(at: number): string {
  return new Date(at + OFFSET_MS).toISOString().slice(11, 19);
}

/** The date in India, YYYY-MM-DD. */
export function istDate(at: number): string {
  const day = istDay(at);
  if (day !== latest.day) latest = { day, date: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  return latest.date;
}

/** Number of the day (IST) that holds an instant. */
export function istDay(at: number): number {
  return Math.floor((at + OFFSET_MS) / DAY_MS);
}

/** The instant at which the day (IST) that holds an instant begins. */
export function istDayStart(at: number): number {
  return istDay(at) * DAY_MS - OFFSET_MS;
}

/** The instant at which the day (IST) that holds an instant is over. */
export function istDayEnd(at: number): number {
  return istDayStart(at) + DAY_MS;
}

/** The instant of a time HH:MM (IST) on the day that holds an instant. */
export function istTime(at: number, time: string): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return istDayStart(at) + (hours * 60 + minutes) * MINUTE_MS;
}

/** The instant at which a date (YYYY-MM-DD) begins in India. */
export function istMidnight(date: string): number {
  return istInstant(date, '00:00');
}

/** The instant of a time of day (HH:MM or HH:MM:SS) on a date (YYYY-MM-DD) in India. */
export function istInstant(date: string, time: string): number {
  return Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}+05:30`);
}

/** An ISO date-time has up to 35 characters with nanoseconds and offset; a longer text is none, and is not read. */
export const MAX_INSTANT_LENGTH = 40;

/**
 * The instant of an ISO date-time with its offset, milliseconds; NaN for any other text. Without an offset it would be another instant on
 * another machine.
 */
export function parseInstant(text: string): number {
  if (text.length > MAX_INSTANT_LENGTH) return NaN;
  return text.includes('T') && /(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : NaN;
}

/** Milliseconds of an instant given in nanoseconds. */
export function millisOf(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n);
}
