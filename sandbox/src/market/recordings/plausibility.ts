import type { TradingDays } from '../reference/calendar';
import type { AssetCatalog } from '../reference/catalog';
import { equities, indices } from '../reference/tables';
import { dayOf, formatDate, MINUTE } from '../../shared/dates';
import { refuseRow } from './read-error';
import { nameOf, type FileRows, type Recording, type Row } from './types';

/** Finds what rows do not say but show: times of another zone, prices in paise, shares that were split. */

/** Indian time is so much later than UTC, milliseconds. */
const INDIA_MS = 330 * MINUTE;
/** Of a file's rows so many must fit the sessions, as a share, for another zone to be taken for the right one. */
const FITS = 0.9;
/** No share or index has had so many times the price that this market knows of it: it is in paise. */
const PAISE_FACTOR = 30;
/** From one day's close to the next one's open no price moves by more than this factor: the bands are narrower. */
const SPLIT_FACTOR = 1.6;
/** Recorded days that are farther apart are not compared, days. */
const APART = 7;

/** How many rows name a time within a session, or the end of one, if their times were later by so many milliseconds. */
function fitting(rows: readonly Row[], later: number, days: TradingDays): number {
  let count = 0;
  for (const { at } of rows) {
    const index = days.indexOf(dayOf(at + later));
    if (index < 0) continue;
    const grid = days.grid(index);
    const passed = at + later - grid.start;
    if (passed >= 0 && passed <= grid.lastMinute.cash * MINUTE) count += 1;
  }
  return count;
}

/**
 * Refuses candles of an instrument whose times are those of another zone: few are within the sessions, and nearly all would be.
 * @param rows bars shorter than a day
 * @throws OptionError with file, line and what to do
 */
export function refuseOtherZone(rows: readonly Row[], days: TradingDays): void {
  const inside = fitting(rows, 0, days);
  if (inside * 2 >= rows.length) return;
  const [first] = rows as [Row, ...Row[]];
  const outside = `${rows.length - inside} of ${rows.length} rows are outside the sessions, and would be within them`;
  if (fitting(rows, INDIA_MS, days) >= rows.length * FITS)
    refuseRow(
      first.file,
      first.line,
      `${outside} if the times were UTC; say "timezone": "UTC" in replay.json, or correct the offset that the times name`,
    );
  if (fitting(rows, -INDIA_MS, days) >= rows.length * FITS)
    refuseRow(
      first.file,
      first.line,
      `${outside} if the times were Indian time, not UTC; correct what they name, or write them without it`,
    );
}

/**
 * Refuses candles that nobody has said the unit of, and whose prices are far above those of this market.
 * @throws OptionError with file, line and what to do
 */
export function refusePaise({ tellsUnit }: FileRows, row: Row, catalog: AssetCatalog): void {
  if (tellsUnit) return;
  const index = catalog.indexRowOf.get(nameOf(row));
  const equity = (row.exchange === 'NSE' ? catalog.equityRowOf : catalog.bseRowOf).get(row.symbol);
  const known = index === undefined ? equities()[equity!]! : indices()[index]!;
  if (row.close > known.close * PAISE_FACTOR)
    refuseRow(
      row.file,
      row.line,
      `close is ${row.close / 100} rupees, where ${nameOf(row)} is at ${known.close / 100} in this market; say "prices": "paise" in replay.json, or "rupees" if it is right`,
    );
}

/** What is said of a share whose price falls or rises by a factor over night: its first such night. */
export function splitOf(instrument: string, { days }: Recording): string[] {
  let before: [day: number, close: number] | undefined;
  for (const [day, { bars, officialClose }] of days) {
    const open = bars[0]!.open;
    const factor = before === undefined || day - before[0] > APART ? 1 : open / before[1];
    if (factor > SPLIT_FACTOR || factor < 1 / SPLIT_FACTOR)
      return [
        `${instrument}: on ${formatDate(day)} it opens at ${open / 100} after a close of ${before![1] / 100}, as after a split or a bonus issue in candles that are not adjusted. It is traded as a move of the price: holdings, orders and contracts stay as they are.`,
      ];
    before = [day, officialClose];
  }
  return [];
}
