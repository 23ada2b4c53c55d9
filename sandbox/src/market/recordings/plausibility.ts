import type { TradingDays } from '../reference/calendar';
import type { AssetCatalog } from '../reference/catalog';
import { BASE_DATE, equities, indexRanges, indices } from '../reference/dated-tables';
import { dayOf, formatDayNumber, MINUTE, dateParts, SECOND } from '../../shared/dates';
import type { BarSeries } from './bar-times';
import { refuseRow } from './read-error';
import { lineFor } from './replay-config';
import { DAY_SECONDS } from './row-order';
import { nameOf, type FileRows, type Recording, type RecordedRow } from './types';

/** Finds what rows do not say but show: times of another zone, prices in another unit or of another index, shares that were split. */

/** Indian time is so much later than UTC, milliseconds. */
const INDIA_MS = 330 * MINUTE;
/** Of a file's rows so many must fit the sessions, as a share, for another zone to be taken for the right one. */
const FITS = 0.9;
/** Number of rows that may be outside the sessions, and their auctions, whatever their share. */
const MAX_OUTSIDE = 10;
const MAX_OUTSIDE_SHARE = 0.1;
/** Auctions and what follows them have rows before and after continuous trading, minutes. */
const BEFORE_OPEN = 30;
const AFTER_CLOSE = 45;
/** No share or index has had so many times the price that this market knows of it: it is in paise. */
const MAX_FACTOR = 30;
/** Long ago a share, adjusted for all splits since, has cost a small part of today's price. */
const LONG_AGO_DAYS = 1000;
const MAX_FACTOR_LONG_AGO = 3000;
/** An index is within what it was in its year, and a part more. */
const MARGIN = 0.15;
/** Maximum factor between an index and its known level, in a year whose prices are not known here. */
const MAX_YEARLY_FACTOR = 2.5;
/** The other large indices, as multiples of NIFTY: between these at all times. */
const MULTIPLES: Record<string, readonly [min: number, max: number]> = {
  'NSE NIFTY': [1, 1],
  'NSE BANKNIFTY': [1.5, 2.75],
  'BSE SENSEX': [3.1, 3.6],
};
/** From one day's close to the next one's open no price moves by more than this factor: the bands are narrower. */
const SPLIT_FACTOR = 1.6;
/** Recorded days that are farther apart are not compared, days. */
const APART = 7;

/** Number of rows that name a time within a session, or the end of one, if their times were later by so many milliseconds. */
function fitting(rows: readonly RecordedRow[], later: number, days: TradingDays, before = 0, after = 0): number {
  let count = 0;
  for (const { at } of rows) {
    const index = days.indexOf(dayOf(at + later));
    if (index < 0) continue;
    const grid = days.grid(index);
    const passed = at + later - grid.start;
    if (passed >= -before && passed <= grid.lastMinute.cash * MINUTE + after) count += 1;
  }
  return count;
}

/**
 * Refuses candles whose times are those of another zone or clock: few are within the sessions, or many outside.
 * @throws OptionError with file, line and what to do
 */
export function refuseOtherZone(series: readonly BarSeries[], days: TradingDays): void {
  const within = series.filter(({ interval }) => interval < DAY_SECONDS);
  const first = within[0]?.rows()[0];
  if (first === undefined) return;
  const count = within.reduce((sum, item) => sum + item.count, 0);
  const fit = (later: number, before = 0, after = 0): number =>
    within.reduce((sum, { rows }) => sum + fitting(rows(), later, days, before, after), 0);
  const inside = fit(0);
  const outside = `${count - inside} of ${count} rows are outside the sessions`;
  if (inside * 2 < count) {
    if (fit(INDIA_MS) >= count * FITS)
      refuseRow(
        first.file,
        first.line,
        `${outside}, and would be within them if the times were UTC; say ${lineFor(first.file, { zone: 'UTC' })} in replay.json, or correct the offset that the times name`,
      );
    if (fit(-INDIA_MS) >= count * FITS)
      refuseRow(
        first.file,
        first.line,
        `${outside}, and would be within them if the times were Indian time, not UTC; correct what they name, or write them as texts without it, such as 2025-11-10 09:15`,
      );
  }
  const longest = Math.max(...within.map(({ interval }) => interval)) * SECOND;
  const before = Math.max(BEFORE_OPEN * MINUTE, longest);
  const after = Math.max(AFTER_CLOSE * MINUTE, longest);
  const strange = count - fit(0, before, after);
  if (strange <= MAX_OUTSIDE || strange <= count * MAX_OUTSIDE_SHARE) return;
  const isOutside = (row: RecordedRow): boolean => fitting([row], 0, days, before, after) === 0;
  const { rows } = within.find((item) => item.rows().some(isOutside))!;
  const row = rows().find(isOutside)!;
  refuseRow(
    row.file,
    row.line,
    `${strange} of ${count} rows are outside the sessions and on days without trading; correct the times or the order of day and month, write AM or PM where a clock has twelve hours, or say ${lineFor(row.file, { zone: 'UTC' })} in replay.json, with their zone`,
  );
}

/** Number of rows of a day that are looked at for what only grows over it. */
const MIN_RUNNING_ROWS = 5;
/** Such a day has so many closes: what trades at one price, and once at another, has such candles too. */
const MIN_RUNNING_CLOSES = 3;
/** Number of rows of a day whose volumes are looked at. */
const MANY_RUNNING_ROWS = 20;
/** A volume that counts from the beginning of the day is at the end so many times that of the first bar, at least. */
const MIN_RUNNING_FACTOR = 4;

/** True if no value is less than the one before it, and the last is more than the first. */
const grows = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || value >= values[at - 1]!) && values.at(-1)! > values[0]!;

/** The rows of each day. @param rows in the order of time */
function daysOf(rows: readonly RecordedRow[]): RecordedRow[][] {
  const days: RecordedRow[][] = [];
  for (const row of rows) {
    const day = days.at(-1);
    if (day !== undefined && dayOf(day[0]!.at) === dayOf(row.at)) day.push(row);
    else days.push([row]);
  }
  return days;
}

/**
 * Refuses rows that show the day until then, and not their own bars: one open, a high that only rises and a low that only falls.
 * @throws OptionError with file, line and what to do
 */
export function refuseDayToDateBars({ rows, interval }: BarSeries): void {
  if (interval >= DAY_SECONDS) return;
  for (const day of daysOf(rows())) {
    const [first, second] = day as [RecordedRow, RecordedRow?];
    if (second === undefined || day.length < MIN_RUNNING_ROWS || day.some(({ open }) => open !== first.open)) continue;
    const [highs, falls] = [day.map(({ high }) => high), day.map(({ low }) => -low)];
    const isRange = [highs, falls].every((values) => values.every((value, at) => at === 0 || value >= values[at - 1]!));
    const hasMoved = grows(highs) || grows(falls);
    const closes = new Set(day.map(({ close }) => close)).size;
    if (isRange && hasMoved && closes >= MIN_RUNNING_CLOSES)
      refuseRow(
        second.file,
        second.line,
        'its open, high and low are those of the day until then, as quotes show them, and not of a bar; make candles of the last prices first',
      );
  }
}

/** Returns the warning about volumes that only grow over a day. @param instrument its name */
export function runningVolumesOf(instrument: string, { rows, interval }: BarSeries): string[] {
  if (interval >= DAY_SECONDS) return [];
  const dayRows = daysOf(rows()).find((day) => {
    const volumes = day.map(({ volume }) => volume ?? 0);
    return day.length >= MANY_RUNNING_ROWS && grows(volumes) && volumes.at(-1)! >= volumes[0]! * MIN_RUNNING_FACTOR;
  });
  return dayRows === undefined
    ? []
    : [
        `${instrument}: on ${formatDayNumber(dayOf(dayRows[0]!.at))} its volume only grows, as one that counts from the beginning of the day does; it is taken for that of each bar.`,
      ];
}

/** Prices between which a share or index can have been on the day of a row, paise. */
function rangeOf(row: RecordedRow, catalog: AssetCatalog): readonly [low: number, high: number] {
  const index = catalog.indexRowOf.get(nameOf(row));
  if (index === undefined) {
    const equity = (row.exchange === 'NSE' ? catalog.equityRowOf : catalog.bseRowOf).get(row.symbol)!;
    const { close } = equities()[equity]!;
    const isLongAgo = dayOf(row.at) < BASE_DATE - LONG_AGO_DAYS;
    return [close / (isLongAgo ? MAX_FACTOR_LONG_AGO : MAX_FACTOR), close * MAX_FACTOR];
  }
  const multiple = MULTIPLES[nameOf(row)];
  const { year } = dateParts(dayOf(row.at));
  const priceRange = indexRanges().find((range) => range.year === year);
  if (multiple !== undefined && priceRange !== undefined)
    return [priceRange.low * multiple[0] * (1 - MARGIN), priceRange.high * multiple[1] * (1 + MARGIN)];
  const { close } = indices()[index]!;
  const factor = multiple === undefined ? MAX_FACTOR : MAX_YEARLY_FACTOR;
  return [close / factor, close * factor];
}

/**
 * Refuses candles that nobody has said the unit of, and whose prices are far above or below what is known of that day.
 * @throws OptionError with file, line and what to do
 */
export function refuseOtherScale({ isUnitKnown }: FileRows, rows: readonly RecordedRow[], catalog: AssetCatalog): void {
  if (isUnitKnown) return;
  for (const row of rows) {
    const [low, high] = rangeOf(row, catalog);
    if (row.close >= low && row.close <= high) continue;
    const isHigh = row.close > high;
    const rupees = (paise: number): string => String(Math.round(paise) / 100);
    refuseRow(
      row.file,
      row.line,
      `close is ${row.close / 100} rupees, where ${nameOf(row)} was between ${rupees(low)} and ${rupees(high)} at that time as far as is known; ${
        isHigh ? `say "prices": "paise" in replay.json, or "rupees" if it is right` : 'perhaps it is another instrument'
      }: ${lineFor(row.file, isHigh ? { prices: 'paise' } : { prices: 'rupees' })}${isHigh ? '' : ' in replay.json if it is right'}`,
    );
  }
}

/**
 * Refuses an end-of-day file most of whose prices are far above or below what is known of that time. One alone may be so: such files are
 * not adjusted for what happened to a share since.
 * @throws OptionError with file, line and what to do
 */
export function refuseOtherScaleOfDay(
  { isUnitKnown }: FileRows,
  all: readonly (readonly RecordedRow[])[],
  catalog: AssetCatalog,
): void {
  if (isUnitKnown) return;
  let [inside, outside] = [0, 0];
  let first: RecordedRow | undefined;
  for (const row of all.flat()) {
    const [low, high] = rangeOf(row, catalog);
    if (row.close >= low && row.close <= high) inside += 1;
    else {
      outside += 1;
      first ??= row;
    }
  }
  if (first === undefined || outside <= inside) return;
  refuseRow(
    first.file,
    first.line,
    `close of ${nameOf(first)} is ${first.close / 100} rupees, and ${outside} of ${outside + inside} rows are as far from what is known of that time; say ${lineFor(first.file, { prices: 'paise' })} in replay.json, or "rupees" if they are right`,
  );
}

/**
 * Returns the warning about a share whose price falls or rises by a factor over night: its first such night.
 * @param knownDays the days on which a split or a bonus issue is known of
 */
export function splitOf(instrument: string, { days }: Recording, knownDays: ReadonlySet<number>): string[] {
  let before: [day: number, close: number] | undefined;
  for (const [day, { open, officialClose }] of days) {
    const factor = before === undefined || day - before[0] > APART ? 1 : open / before[1];
    if (!knownDays.has(day) && (factor > SPLIT_FACTOR || factor < 1 / SPLIT_FACTOR))
      return [
        `${instrument}: on ${formatDayNumber(day)} it opens at ${open / 100} after a close of ${before![1] / 100}, as after a split or a bonus issue in candles that are not adjusted. It is traded as a move of the price: holdings, orders and contracts stay as they are, unless NSE's list of corporate actions lies in the folder.`,
      ];
    before = [day, officialClose];
  }
  return [];
}
