/** Days on which NSE and BSE trade, as far as the weekday and the published holidays tell. */
import { specialSessions } from './special-sessions';

/**
 * Weekdays without trading, as the exchanges publish them: those of 2027 are expected, and to be corrected. They decide only what
 * candles cannot tell: whether there will be trading later on the same day, and when it is opened next.
 */
const HOLIDAYS: ReadonlySet<string> = new Set([
  ...['2026-10-02', '2026-10-20', '2026-11-10', '2026-11-24', '2026-12-25'],
  ...['2027-01-26', '2027-03-22', '2027-03-26', '2027-04-14', '2027-04-15', '2027-04-19', '2027-05-17', '2027-06-15'],
  ...['2027-10-29', '2027-11-01'],
]);

/** Days after this one have no holidays here: nothing can be said of them. */
const LAST_KNOWN = '2027-12-31';

/** Returns true if a date (YYYY-MM-DD) is a Saturday or a Sunday. */
export function isWeekend(date: string): boolean {
  return [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
}

/** Returns true if a date (YYYY-MM-DD) is a published holiday; undefined after the last published day. */
export function isHoliday(date: string): boolean | undefined {
  return date > LAST_KNOWN ? undefined : HOLIDAYS.has(date);
}

/** Returns true if a date (YYYY-MM-DD) may be a trading day, by the weekday, the published holidays and the special sessions. */
export function isExpectedTradingDay(date: string): boolean {
  return specialSessions(date) !== undefined || (!isWeekend(date) && isHoliday(date) !== true);
}
