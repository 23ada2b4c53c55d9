import { createCalendar, FIRST_DATE, LAST_DATE } from '../reference/calendar';
import { DAY, dayOf, formatDayNumber, MINUTE, parseDayNumber } from '../../shared/dates';
import type { ColumnPlan, ColumnPlaces } from './column-names';
import { isUnclear, signIn, type DecimalSign } from './number-forms';
import { DATE_ORDERS, timeReadings, type DateOrder } from './parse-time';
import { refuseRow, shortenText } from './read-error';
import { lineFor, type FileConfig } from './replay-config';

/** Finds out of all rows of a file how its numbers and dates are written, where one row alone may be read in two ways. */

/** A row of a file. */
export interface CellRow {
  cells: readonly string[];
  /** From 1. */
  line: number;
}

/** Form of a file's numbers and dates. */
export interface NumberFormat {
  sign: DecimalSign;
  order: DateOrder;
}

const INDIA_MS = 330 * MINUTE;

/** Returns the places of numbers: in the columns of prices and volume of all instruments. */
function numberPlaces({ places, wide }: ColumnPlan): number[] {
  const of = ({ open, high, low, close, volume }: ColumnPlaces) => [open, high, low, close, volume];
  return [places, ...(wide?.values() ?? [])].flatMap(of).filter((place) => place !== undefined);
}

/**
 * Reads all rows for what each says of the file.
 * @throws OptionError with file and line: where two rows contradict each other, or none tells
 */
export function surveyOf(file: string, rows: Iterable<CellRow>, plan: ColumnPlan, terms: FileConfig): NumberFormat {
  const places = numberPlaces(plan);
  const { time } = plan.places;
  const signs = new Map<DecimalSign, number>();
  let unclear: (CellRow & { text: string }) | undefined;
  const dates = new Map<string, { read: Record<DateOrder, number | undefined>; line: number }>();
  let isNumbers: boolean | undefined;
  for (const { cells, line } of rows) {
    if (terms.decimal === undefined)
      for (const place of places) {
        const text = cells[place] ?? '';
        const sign = signIn(text);
        if (sign !== undefined && !signs.has(sign)) signs.set(sign, line);
        if (unclear === undefined && isUnclear(text)) unclear = { cells, line, text };
      }
    const stamp = time === undefined ? '' : (cells[time] ?? '');
    if (terms.dates !== undefined || dates.has(stamp)) continue;
    const read = timeReadings(stamp);
    if (read !== undefined) dates.set(stamp, { read, line });
    isNumbers ??= read !== undefined;
    if (isNumbers !== (read !== undefined))
      refuseRow(
        file,
        line,
        `"${shortenText(stamp)}": this row writes its date in another way than those before it; correct or delete the line`,
      );
  }
  return {
    sign: terms.decimal ?? signOf(file, signs, unclear),
    order: terms.dates ?? orderOf(file, dates, plan.dates),
  };
}

function signOf(
  file: string,
  signs: ReadonlyMap<DecimalSign, number>,
  unclear: { line: number; text: string } | undefined,
): DecimalSign {
  const [first, second] = [...signs];
  if (second !== undefined)
    refuseRow(
      file,
      second[1],
      `a comma parts ${second[0] === 'comma' ? 'rupees from paise here and thousands' : 'thousands here and rupees from paise'} in line ${first![1]}; write all numbers in one way`,
    );
  if (first !== undefined) return first[0];
  if (unclear !== undefined)
    refuseRow(
      file,
      unclear.line,
      `"${unclear.text}" may be ${unclear.text.replace(',', '')} or ${unclear.text.replace(',', '.')}: say ${lineFor(file, { decimal: 'point' })} in replay.json, or "comma" if the comma parts rupees from paise`,
    );
  return 'point';
}

/** Days follow one another within this many milliseconds in a file, also over a holiday or where a share was suspended. */
const MAX_GAP_MS = 31 * DAY;
/** Readings of other orders that are as far apart are of different years. */
const YEARS_APART_MS = 300 * DAY;

/** The order in which dates follow one another, where in any other they are years apart: 26-11-25 and 27-11-25; else all orders. */
function densest(
  orders: readonly DateOrder[],
  reads: readonly Record<DateOrder, number | undefined>[],
): readonly DateOrder[] {
  const largest = (order: DateOrder): number => {
    const times = reads.map((read) => read[order]!).sort((one, other) => one - other);
    return times.slice(1).reduce((longest, time, at) => Math.max(longest, time - times[at]!), 0);
  };
  const gaps = new Map(orders.map((order) => [order, largest(order)]));
  const near = orders.filter((order) => gaps.get(order)! <= MAX_GAP_MS);
  return near.length === 1 && orders.every((order) => near[0] === order || gaps.get(order)! >= YEARS_APART_MS)
    ? near
    : orders;
}

function orderOf(
  file: string,
  dates: ReadonlyMap<string, { read: Record<DateOrder, number | undefined>; line: number }>,
  known: DateOrder | undefined,
): DateOrder {
  if (dates.size === 0) return 'day-month-year';
  const { days } = createCalendar();
  const [first, last] = [parseDayNumber(FIRST_DATE), parseDayNumber(LAST_DATE)];
  const dayIn = (at: number | undefined): number | undefined => {
    const day = at === undefined ? undefined : dayOf(at - INDIA_MS);
    return day === undefined || day < first || day > last ? undefined : day;
  };
  const all = [...dates.values()];
  const possible = DATE_ORDERS.filter((order) => all.every(({ read }) => dayIn(read[order]) !== undefined));
  // Dates that are not all valid in any order are refused with their row.
  if (possible.length === 0) {
    const orders = DATE_ORDERS.filter((order) => dayIn(all[0]!.read[order]) !== undefined);
    return orders[0] ?? 'day-month-year';
  }
  const trading = possible.filter((order) => all.every(({ read }) => days.equity.indexOf(dayIn(read[order])!) >= 0));
  const left = densest(
    trading.length > 0 ? trading : possible,
    all.map(({ read }) => read),
  );
  if (left.length === 1) return left[0]!;
  if (known !== undefined && left.includes(known)) return known;
  const [text, { read, line }] = [...dates].find(([, { read }]) => read[left[0]!] !== read[left[1]!]) ?? [...dates][0]!;
  if (read[left[0]!] === read[left[1]!]) return left[0]!;
  const possibleDates = left.map((order) => formatDayNumber(dayIn(read[order])!)).join(' or ');
  return refuseRow(
    file,
    line,
    `"${text}" may be ${possibleDates}: say ${lineFor(file, { dates: left[0]! })} in replay.json, or ${left
      .slice(1)
      .map((order) => `"${order}"`)
      .join(' or ')}`,
  );
}
