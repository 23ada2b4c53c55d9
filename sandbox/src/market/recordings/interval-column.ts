import { shortenText } from './read-error';

/** Reads the length of bars as a column of intervals writes it. */

const DAY_SECONDS = 86_400;
/** A week or a month. */
const LONG_BARS = /^((?:\d*|ONE_)\s*(W|WK|WEEKS?|WEEKLY|MN|MO|MONTHS?|MONTHLY)|M)$/i;
/** Lengths of other bars: D, 1day, 5, 15m, 30minute, 1h. */
const SHORT_BARS = /^(\d{0,5})\s*(?:(s|sec|seconds?)|(m|min|mins|minutes?)|(h|hr|hours?|hourly)|(d|days?|daily))?$/;

/** True for bars of weeks or months. */
const isLongBar = (text: string): boolean => LONG_BARS.test(text);

/** Returns the length of a bar, seconds; undefined where the text does not tell it. A number alone counts minutes. */
function secondsInColumn(text: string): number | undefined {
  const match = SHORT_BARS.exec(text === '1M' ? '' : text.toLowerCase());
  if (match === null || text === '') return undefined;
  const [, count, second, , hour, day] = match;
  if (count === '' && day === undefined && hour === undefined) return undefined;
  const unit = second !== undefined ? 1 : hour !== undefined ? 3600 : day !== undefined ? DAY_SECONDS : 60;
  return Number(count || 1) * unit;
}

/**
 * The length of bars after one more cell of a column of intervals, seconds; a text says why its row cannot be taken.
 * @param before by the rows before, where they tell it
 */
export function barsInColumn(text: string, before: number | undefined): number | string | undefined {
  if (isLongBar(text))
    return 'its bars are weeks or months, and days are the longest that can be replayed; download days';
  const seconds = secondsInColumn(text);
  if (seconds === undefined || seconds === 0) return before;
  if (seconds > DAY_SECONDS)
    return `its bars are of ${shortenText(text)}, and days are the longest that can be replayed; download days`;
  if (before !== undefined && before !== seconds)
    return 'its bar has another length than those before it; give each interval in a file of its own';
  return seconds;
}
