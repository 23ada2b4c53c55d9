/** Dates with a month in words, or with the year before strokes or dots, in the form of ISO 8601. Only those that can mean one day. */

const MONTH =
  '(JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?|SEP(?:T|TEMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?)';
const WEEKDAY = '(?:(?:MON|TUE|WED|THU|FRI|SAT|SUN)[A-Z]{0,6},? +)?';
/** A time of day and its zone: 09:15, 09:15:00 GMT+0530 (India Standard Time), 03:45:00 GMT, 09:15 IST. */
const REST =
  '(?:(?:,? {1,3}|T)(\\d{2}:\\d{2}(?::\\d{2})?)(?: {0,3}(GMT|UTC|IST|Z)?([+-]\\d{2}:?\\d{2})?)(?: {0,3}\\([^()]{1,40}\\))?)?';
/** 20 Nov 2026, 20-Nov-2026, 20NOV2026, Fri, 20 Nov 2026 03:45:00 GMT. */
const DAY_FIRST = new RegExp(`^${WEEKDAY}(\\d{1,2})[ -]?${MONTH}\\.?[ ,-]{0,2}(\\d{4})${REST}$`, 'i');
/** Nov 20, 2026; Fri Nov 20 2026 09:15:00 GMT+0530. */
const MONTH_FIRST = new RegExp(`^${WEEKDAY}${MONTH}\\.? {1,3}(\\d{1,2}),? {1,3}(\\d{4})${REST}$`, 'i');
/** 2026/11/20, 2026.11.20. */
const YEAR_FIRST = new RegExp(`^(\\d{4})([/.])(\\d{1,2})\\2(\\d{1,2})${REST}$`, 'i');
/** A longer text is no date. */
const MAX_LENGTH = 80;

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

const twoDigits = (text: string): string => text.padStart(2, '0');
const numberOf = (month: string): string => twoDigits(String(MONTHS.indexOf(month.slice(0, 3).toUpperCase()) + 1));

/** The zone as ISO 8601 has it; '' where none is written. */
function zoneOf(name: string | undefined, offset: string | undefined): string {
  if (offset !== undefined) return offset;
  return name === undefined ? '' : name.toUpperCase() === 'IST' ? '+05:30' : 'Z';
}

function isoOf(year: string, month: string, day: string, [time, name, offset]: (string | undefined)[]): string {
  const date = `${year}-${month}-${twoDigits(day)}`;
  return time === undefined ? date : `${date}T${time}${zoneOf(name, offset)}`;
}

/** Returns the text as ISO 8601 writes it, where it is written in one of these ways; else the text itself. */
export function isoText(text: string): string {
  if (text.length > MAX_LENGTH) return text;
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst !== null) return isoOf(dayFirst[3]!, numberOf(dayFirst[2]!), dayFirst[1]!, dayFirst.slice(4));
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst !== null) return isoOf(monthFirst[3]!, numberOf(monthFirst[1]!), monthFirst[2]!, monthFirst.slice(4));
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) return isoOf(yearFirst[1]!, twoDigits(yearFirst[3]!), yearFirst[4]!, yearFirst.slice(5));
  return text.replace(/(\d{2}:\d{2}(?::\d{2})?) IST$/, '$1+05:30');
}

/** A day as spreadsheets count them, from 1982 to 2064, with its time as a fraction. */
const SHEET_DAY = /^[345]\d{4}(?:\.\d{1,15})?$/;
/** Returns the day (YYYY-MM-DD) that a number of a spreadsheet means, which counts from 1899-12-30; undefined for any other text. */
export function sheetDay(text: string): string | undefined {
  if (!SHEET_DAY.test(text)) return undefined;
  return new Date(Date.UTC(1899, 11, 30 + Math.floor(Number(text)))).toISOString().slice(0, 10);
}
