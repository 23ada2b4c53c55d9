import type { TradingDays } from '../reference/calendar';
import { dayOf, formatDayNumber, MINUTE, SECOND } from '../../shared/dates';
import { istClock } from '../../shared/time';
import { refuseRow } from './read-error';
import { lineFor, type FileConfig } from './replay-config';
import { DAY_SECONDS } from './row-order';
import { nameOf, type FileRows, type RecordedRow } from './types';

/** Finds out over all days of a file how long its bars are and which end of its bar a row names; what no day tells is asked. */

/** A row on more than so many of the days is one that the file has each day. */
const MOST = 0.5;
const FEW = 0.2;
/** Days that have so many rows tell their interval. */
const MIN_ROWS_OF_DAY = 5;
/** Part of a day's distances that are alike where its bars have another length. */
const ALIKE = 0.8;
/** Days from one week, or month, to the next: a holiday moves the first day by some. */
const WEEK = [5, 9] as const;
const MONTH = [26, 35] as const;

function refuse(row: RecordedRow, what: string): never {
  refuseRow(row.file, row.line, what);
}

const sayIn = (row: RecordedRow, terms: FileConfig): string => `${lineFor(row.file, terms)} in replay.json`;

/** An interval as replay.json writes it. */
export function spelledInterval(seconds: number): string {
  if (seconds === DAY_SECONDS) return '1d';
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

/** Returns the number of each distance of two rows of one day, by seconds, per day. */
function stepsByDay(
  rows: readonly RecordedRow[],
): Map<number, { first: RecordedRow; steps: Map<number, number>; count: number }> {
  const days = new Map<number, { first: RecordedRow; steps: Map<number, number>; count: number }>();
  let before: RecordedRow | undefined;
  for (const row of rows) {
    const day = dayOf(row.at);
    const found = days.get(day) ?? { first: row, steps: new Map<number, number>(), count: 0 };
    days.set(day, found);
    found.count += 1;
    if (before !== undefined && dayOf(before.at) === day) {
      const step = (row.at - before.at) / SECOND;
      found.steps.set(step, (found.steps.get(step) ?? 0) + 1);
    }
    before = row;
  }
  return days;
}

function commonest(steps: ReadonlyMap<number, number>): number | undefined {
  return [...steps].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
}

/** Returns the number of each distance of two rows of one day, over all days. */
function stepsOf(rows: readonly RecordedRow[]): Map<number, number> {
  const all = new Map<number, number>();
  for (const { steps } of stepsByDay(rows).values())
    for (const [step, count] of steps) all.set(step, (all.get(step) ?? 0) + count);
  return all;
}

const MINUTE_SECONDS = 60;

/** The commonest distance over all instruments of a file, seconds; undefined where no day has two rows of one. */
export function usualStep(series: Iterable<Pick<BarSeries, 'rows'>>): number | undefined {
  const all = new Map<number, number>();
  for (const { rows } of series)
    for (const [step, count] of stepsOf(rows())) all.set(step, (all.get(step) ?? 0) + count);
  return commonest(all);
}

/** True if on some day its rows are as far from each other as one distance says, not only by chance of few trades. */
function isRegular(rows: readonly RecordedRow[], step: number): boolean {
  return [...stepsByDay(rows).values()].some(
    ({ steps, count }) => count >= MIN_ROWS_OF_DAY && (steps.get(step) ?? 0) >= (count - 1) * ALIKE,
  );
}

/**
 * Length of the bars of one instrument of a file, seconds.
 * @param rows in the order of time, each once
 * @param usual the commonest distance in the file: what trades seldom has the same bars as the others
 * @throws OptionError where they are weeks or months, where days differ, and where nothing tells
 */
export function intervalOf(
  file: FileRows,
  rows: readonly RecordedRow[],
  days: TradingDays,
  usual: number | undefined,
): number {
  if (file.interval !== undefined) return file.interval;
  const first = rows[0]!;
  const byDay = stepsByDay(rows);
  const all = stepsOf(rows);
  const own = commonest(all);
  const { namedInterval } = file;
  if (own === undefined && (usual === undefined || rows.every(isMidnight))) return wholeDays(file, rows, days);
  const isSeldom =
    own === undefined || (usual !== undefined && !all.has(usual) && own % usual === 0 && !isRegular(rows, own));
  const step = isSeldom ? usual! : own;
  if (step < 1) refuse(first, 'its rows are less than a second apart; say the interval in replay.json');
  for (const [day, { first: row, steps, count }] of byDay) {
    const own = commonest(steps);
    if (own === undefined || own < step * 2 || count < MIN_ROWS_OF_DAY || steps.has(step)) continue;
    if (steps.get(own)! >= (count - 1) * ALIKE)
      refuse(
        row,
        `on ${formatDayNumber(day)} its rows are ${spelledInterval(own)} apart, and ${spelledInterval(step)} on other days; give each interval in a file of its own`,
      );
  }
  if (typeof namedInterval === 'number' && namedInterval !== step && byDay.size > 0)
    refuse(
      first,
      `its rows are ${spelledInterval(step)} apart where the file's name says ${spelledInterval(namedInterval)}: say ${sayIn(first, { interval: spelledInterval(step) })} if the rows are right`,
    );
  return step;
}

/** Length of the bars of rows that are on different days, seconds. */
function wholeDays(file: FileRows, rows: readonly RecordedRow[], days: TradingDays): number {
  const first = rows[0]!;
  const { namedInterval } = file;
  if (namedInterval === 'week' || namedInterval === 'month') refuseLong(first, namedInterval);
  if (rows.every(isMidnightOfUtc))
    refuse(
      first,
      `its rows are at 18:30, which is midnight in India by a clock of UTC, and their days would be those before: say ${sayIn(first, { zone: 'UTC' })}, or write dates alone if they are right`,
    );
  if (rows.length === 1) {
    if (file.datesOnly === true || isMidnight(first)) return DAY_SECONDS;
    if (namedInterval !== undefined) return namedInterval;
    // Only files of --record have the close of the day before beside a time of day: theirs are minutes.
    if (first.previousClose !== undefined) return MINUTE_SECONDS;
    refuse(
      first,
      `one row does not tell how long its bar is: say ${sayIn(first, { interval: '1m' })}, or the interval that it has`,
    );
  }
  const traded = rows.map((row) => ({ row, index: days.indexOf(dayOf(row.at)) })).filter(({ index }) => index >= 0);
  const closed = rows.length - traded.length;
  if ((closed > 2 && closed > rows.length * FEW) || closed === rows.length)
    refuse(
      rows.find(({ at }) => days.indexOf(dayOf(at)) < 0)!,
      `${closed} of ${rows.length} rows of ${nameOf(first)} are on days without trading, as weekly and monthly bars are; give days, or correct the dates`,
    );
  const gaps = traded.slice(1).map(({ row, index }, i) => {
    const before = traded[i]!;
    return { row, trading: index - before.index, calendar: dayOf(row.at) - dayOf(before.row.at) };
  });
  const adjacent = gaps.filter(({ trading }) => trading === 1).length;
  if (adjacent * 2 >= gaps.length) return DAY_SECONDS;
  const within = ([from, to]: readonly [number, number]): boolean =>
    gaps.filter(({ calendar }) => calendar >= from && calendar <= to).length * 2 > gaps.length;
  if (within(WEEK)) refuseLong(gaps.find(({ trading }) => trading > 1)!.row, 'week');
  if (within(MONTH)) refuseLong(gaps.find(({ trading }) => trading > 1)!.row, 'month');
  const { row, trading } = gaps.find((gap) => gap.trading > 1)!;
  return refuse(
    row,
    `it comes ${trading} trading days after the row before it, as others do: say ${sayIn(row, { interval: '1d' })} if each row is one day`,
  );
}

function refuseLong(row: RecordedRow, bars: 'week' | 'month'): never {
  return refuse(
    row,
    `its rows are a ${bars} apart, and ${bars}s cannot be replayed; download days, or say ${sayIn(row, { interval: '1d' })} if each row is one day`,
  );
}

const isMidnight = ({ at }: RecordedRow): boolean => (at + 330 * MINUTE) % (DAY_SECONDS * SECOND) === 0;
/** True if a time of India is 18:30, at which no market of shares trades. */
const isMidnightOfUtc = ({ at }: RecordedRow): boolean => at % (DAY_SECONDS * SECOND) === 13 * 60 * MINUTE;
const isFlat = ({ open, high, low, close }: RecordedRow): boolean => open === high && high === low && low === close;

/** Rows of one instrument and the length of their bars. */
export interface BarSeries {
  /** In the order of time, each once: they are unpacked each time, as those of all instruments of a file would fill the memory. */
  rows: () => readonly RecordedRow[];
  count: number;
  interval: number;
}

/**
 * True if the rows of a file name the ends of their bars.
 * @throws OptionError where its days contradict each other, or none tells
 */
export function namesEnds(file: FileRows, series: readonly BarSeries[], days: TradingDays): boolean {
  if (file.isTimeCertain === true) return file.time !== 'begin';
  const within = series.filter(({ interval }) => interval < DAY_SECONDS);
  if (within.length === 0) return false;
  const opens: RecordedRow[] = [];
  const closes: RecordedRow[] = [];
  const seen = new Set<string>();
  let inside = 0;
  for (const { rows, interval } of within)
    for (const row of rows()) {
      const index = days.indexOf(dayOf(row.at));
      if (index < 0) continue;
      const grid = days.grid(index);
      seen.add(`${nameOf(row)} ${index}`);
      const close = grid.start + grid.lastMinute.cash * MINUTE;
      if (row.at > grid.start - interval * SECOND && row.at < close + interval * SECOND) inside += 1;
      if (row.at <= grid.start && row.at > grid.start - interval * SECOND) opens.push(row);
      if (row.at >= close && row.at < close + interval * SECOND) closes.push(row);
    }
  // Where no row is within a session the file is refused for that.
  if (inside === 0) return false;
  const [mostTimes, fewTimes] = [seen.size * MOST, seen.size * FEW];
  if (opens.length > mostTimes && closes.length <= mostTimes) return false;
  if (closes.length > mostTimes && opens.length <= fewTimes) return true;
  if (opens.length > mostTimes && closes.length > mostTimes) {
    const [flatOpens, flatCloses] = [opens, closes].map((rows) => rows.filter(isFlat).length * 2 > rows.length);
    // The price of an opening or closing auction has a separate row, in which nothing moves.
    if (flatOpens !== flatCloses) return flatOpens === true;
  } else if (opens.length > 0 && closes.length === 0) return false;
  else if (closes.length > 0 && opens.length === 0) return true;
  else if (opens.length === 0 && file.time !== undefined) return file.time !== 'begin';
  const { rows, interval } = within[0]!;
  const row = opens[0] ?? rows()[0]!;
  const [begin, end] = [row.at, row.at - interval * SECOND].map((at) => istClock(at).slice(0, 5));
  return refuse(
    row,
    `nothing tells whether its bar of ${spelledInterval(interval)} begins at ${begin} or at ${end}: say ${sayIn(row, { time: 'begin' })}, or "end"`,
  );
}

/** The most frequent of some numbers. */
function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return commonest(counts)!;
}

/**
 * Refuses a row whose bar would begin within those of the others, as 09:16:30 among minutes: counted from the day's opening, and
 * from midnight.
 * @throws OptionError with file, line and what to do
 */
export function refuseUnaligned(series: readonly BarSeries[], days: TradingDays): void {
  for (const { rows, count, interval } of series) {
    if (interval >= DAY_SECONDS || count < 2) continue;
    const length = interval * SECOND;
    const placed = rows()
      .map((row) => ({ row, index: days.indexOf(dayOf(row.at)) }))
      .filter(({ index }) => index >= 0)
      .map(({ row, index }) => {
        const fromOpen = (((row.at - days.grid(index).start) % length) + length) % length;
        return { row, fromOpen, fromMidnight: (row.at + 330 * MINUTE) % length };
      });
    if (placed.length === 0) continue;
    const fromOpen = mostFrequent(placed.map((item) => item.fromOpen));
    const fromMidnight = mostFrequent(placed.map((item) => item.fromMidnight));
    const strange = placed.find((item) => item.fromOpen !== fromOpen && item.fromMidnight !== fromMidnight);
    if (strange !== undefined)
      refuse(
        strange.row,
        `${istClock(strange.row.at)} is no time of a bar of ${spelledInterval(interval)} among the others; correct or delete the line, or say the interval in replay.json`,
      );
  }
}
