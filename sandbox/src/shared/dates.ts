/** Dates of the exchanges: IST (UTC+05:30) without daylight saving. A day number counts days since 1970-01-01 in IST. */

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const DAY = 1440 * MINUTE;
const IST = 330 * MINUTE;
/** The months as the exchanges write them in symbols, January first. */
export const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** The months as people and reports write them: Jan. */
export const MONTH_WORDS = MONTHS.map((month) => month[0] + month.slice(1).toLowerCase());

/** Day number of an instant in milliseconds. */
export const dayOf = (at: number): number => Math.floor((at + IST) / DAY);

/** First millisecond of a day. */
export const startOfDay = (day: number): number => day * DAY - IST;

/** Day number of YYYY-MM-DD. */
export function parseDayNumber(date: string): number {
  const day = Date.parse(`${date}T00:00:00Z`) / DAY;
  if (!Number.isInteger(day)) throw new RangeError(`"${date}" is not a date of the form YYYY-MM-DD`);
  return day;
}

/** YYYY-MM-DD of a day number. */
export const formatDayNumber = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

/** YYYYMMDD of a day number, as an integer. */
export const compactDate = (day: number): number => Number(formatDayNumber(day).replaceAll('-', ''));

/** Day number of an integer YYYYMMDD. */
export const parseCompactDate = (date: number): number =>
  Date.UTC(Math.floor(date / 10000), (Math.floor(date / 100) % 100) - 1, date % 100) / DAY;

/** 1 Monday … 7 Sunday. */
export const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/** Year, month (1–12) and day of the month. */
export function dateParts(day: number): { year: number; month: number; date: number } {
  const utc = new Date(day * DAY);
  return { year: utc.getUTCFullYear(), month: utc.getUTCMonth() + 1, date: utc.getUTCDate() };
}

/** Day number of a year, month (1–12; may run over) and day of the month. */
export const dayNumber = (year: number, month: number, date: number): number => Date.UTC(year, month - 1, date) / DAY;

/** Minutes since midnight of HH:MM. */
export const minutesOfClockTime = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
