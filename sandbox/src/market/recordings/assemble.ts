import { tradesIn, type DayGrid, type Halts, type Segment, type TradingDays } from '../reference/calendar';
import type { AssetCatalog } from '../reference/catalog';
import { equities } from '../reference/tables';
import { dayOf, formatDate, MINUTE, SECOND, startOf } from '../../shared/dates';
import { istClock } from '../../shared/time';
import { lineWord, refuseRow } from './places';
import type { FileRows, RecordedBar, RecordedDay, Recording, Recordings, Row, Straddle } from './types';

/** Makes recordings of the rows of all files, in the sessions of the exchanges. */

const DAY_SECONDS = 86_400;
/** An index that has no value for so long stands still. */
const HALT_SECONDS = 300;
/** The call auction before trading goes on, and some minutes more. */
const REOPENING_SECONDS = 1200;
/** Where most rows of a file stand at the end of the day's trading and few at its beginning, they name the ends of bars. */
const MOST = 0.5;
/** So many instruments of which the same is to be said are named. */
const NAMED = 3;
/** How far an official close may be from the last candle, as a logarithm: the one is the mean of half an hour. */
const LARGEST_DIFFERENCE = 0.05;

const name = ({ exchange, symbol }: { exchange: string; symbol: string }): string => `${exchange} ${symbol}`;
const sameBar = (a: Row, b: Row): boolean =>
  a.open === b.open && a.high === b.high && a.low === b.low && a.close === b.close && a.volume === b.volume;

function refuse(row: Row, what: string): never {
  refuseRow(row.file, row.line, what);
}

/** Rows of one instrument in one file, in the order of time, each once. */
function ordered(rows: readonly Row[]): { rows: Row[]; repeated: number } {
  const sorted = [...rows].sort((a, b) => a.at - b.at || a.line - b.line);
  const kept: Row[] = [];
  for (const row of sorted) {
    const before = kept.at(-1);
    if (before?.at !== row.at) kept.push(row);
    else if (!sameBar(before, row))
      refuse(
        row,
        `${name(row)} has another row of the same time at ${lineWord(row.file)} ${before.line}; delete one of them`,
      );
  }
  return { rows: kept, repeated: sorted.length - kept.length };
}

/** The commonest distance of two rows of a day, seconds; that of days where no day has two. */
function usualStep(rows: readonly Row[]): number {
  const counts = new Map<number, number>();
  for (let i = 1; i < rows.length; i++) {
    const [before, row] = [rows[i - 1]!, rows[i]!];
    if (dayOf(before.at) !== dayOf(row.at)) continue;
    const step = (row.at - before.at) / SECOND;
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? DAY_SECONDS;
}

/** Whether a file's rows name the ends of their bars: found out where they stand at the close and not at the open. */
function namesEnds(rows: readonly Row[], days: TradingDays): boolean {
  let opens = 0;
  let closes = 0;
  const seen = new Set<number>();
  for (const row of rows) {
    const day = dayOf(row.at);
    const index = days.indexOf(day);
    if (index < 0) continue;
    seen.add(day);
    const grid = days.grid(index);
    if (row.at === grid.start) opens += 1;
    if (row.at === grid.start + grid.lastMinute.cash * MINUTE) closes += 1;
  }
  return opens === 0 && closes > seen.size * MOST;
}

/** Seconds [from, to) of a day's trading in which a bar lies; undefined when it lies outside. */
function within(grid: DayGrid, segment: Segment, begin: number, end: number): { from: number; to: number } | undefined {
  const first = Math.floor((begin - grid.start) / SECOND);
  const last = Math.floor((end - grid.start) / SECOND);
  if (last - first <= 60) {
    if (first < 0 || !tradesIn(grid, segment, Math.floor(first / 60))) return undefined;
    return { from: first, to: last };
  }
  const open = grid.continuous[segment].filter(([from, to]) => from * 60 < last && to * 60 > first);
  if (open.length === 0) return undefined;
  return { from: Math.max(first, open[0]![0] * 60), to: Math.min(last, open.at(-1)![1] * 60) };
}

/** What is noted of a recording's rows that are not traded. */
interface LeftOut {
  outside: Row[];
  holidays: Row[];
}

/** The recording of one instrument. @throws OptionError of a row that fits no bar */
class Assembly {
  readonly days = new Map<number, { bars: RecordedBar[]; rows: Row[]; after: Row | undefined }>();
  readonly left: LeftOut = { outside: [], holidays: [] };
  /** Days of which there are candles. */
  private readonly candles = new Set<number>();
  interval = DAY_SECONDS;
  volumes = false;

  constructor(
    private readonly calendar: TradingDays,
    private readonly segment: Segment,
  ) {}

  /** @param isBhavcopy whether the rows stand behind candles, and tell official closes */
  add(rows: readonly Row[], interval: number, ends: boolean, isBhavcopy: boolean): void {
    this.interval = Math.min(this.interval, interval);
    const taken = new Map<number, string>([...this.days].map(([day, { rows: own }]) => [day, own[0]!.file]));
    for (const row of rows) {
      const whole = interval === DAY_SECONDS;
      const begin = row.at - (ends && !whole ? interval * SECOND : 0);
      const day = dayOf(begin);
      const index = this.calendar.indexOf(day);
      if (index < 0) {
        this.left.holidays.push(row);
        continue;
      }
      const earlier = taken.get(day);
      if (earlier !== undefined && isBhavcopy && this.candles.has(day)) {
        this.close(row, this.days.get(day)!);
        continue;
      }
      if (earlier !== undefined)
        refuse(row, `${name(row)} on ${formatDate(day)} is in ${earlier} too; keep one of them`);
      this.put(row, this.calendar.grid(index), day, begin, interval);
      if (!isBhavcopy) this.candles.add(day);
    }
  }

  /** Takes the official close of a day of which there are candles. */
  private close(row: Row, made: { rows: Row[]; after: Row | undefined }): void {
    const last = made.rows.at(-1)!;
    if (Math.abs(Math.log(row.close / last.close)) > LARGEST_DIFFERENCE)
      refuse(
        row,
        `${name(row)} closed at ${row.close / 100} where its candles end at ${last.close / 100} (${last.file}, ${lineWord(last.file)} ${last.line}), perhaps as they are adjusted for a split; delete one of the two`,
      );
    made.after = row;
  }

  private put(row: Row, grid: DayGrid, day: number, begin: number, interval: number): void {
    const whole = interval === DAY_SECONDS;
    const span = whole
      ? within(grid, this.segment, grid.start, grid.start + grid.minutes * MINUTE)
      : within(grid, this.segment, begin, begin + interval * SECOND);
    let made = this.days.get(day);
    if (span === undefined) {
      this.left.outside.push(row);
      if (made !== undefined && begin >= grid.start + grid.lastMinute[this.segment] * MINUTE) made.after = row;
      return;
    }
    if (made === undefined) this.days.set(day, (made = { bars: [], rows: [], after: undefined }));
    const before = made.bars.at(-1);
    if (before !== undefined && span.from < before.to)
      refuse(
        row,
        `its bar begins at ${istClock(begin)}, before that of ${lineWord(row.file)} ${made.rows.at(-1)!.line} is over; correct it, or say the interval in replay.json`,
      );
    if (row.volume !== undefined && row.volume > 0) this.volumes = true;
    made.bars.push({
      ...span,
      open: row.open,
      high: row.high,
      low: row.low,
      close: row.close,
      volume: row.volume ?? 0,
    });
    made.rows.push(row);
  }

  /** @returns undefined when none of its rows is within a session */
  result(named: Pick<Recording, 'exchange' | 'symbol'>): Recording | undefined {
    if (this.days.size === 0) return undefined;
    const days = new Map<number, RecordedDay>(
      [...this.days]
        .sort(([a], [b]) => a - b)
        .map(([day, { bars, after }]) => [day, { bars, officialClose: after?.close ?? bars.at(-1)!.close }]),
    );
    return { exchange: named.exchange, symbol: named.symbol, days, hasVolumes: this.volumes, interval: this.interval };
  }
}

/**
 * How the share or index trades through a day. @param row any of its rows
 * @throws OptionError where another exchange decides its price
 */
function segmentOf(catalog: AssetCatalog, row: Row): Segment {
  const { exchange, symbol } = row;
  if (catalog.indexRowOf.has(name(row))) return 'auction';
  const place = (exchange === 'NSE' ? catalog.equityRowOf : catalog.bseRowOf).get(symbol)!;
  const facts = equities()[place]!;
  if (exchange === 'BSE' && facts.symbol !== '')
    refuse(row, `${symbol} trades on NSE too, and BSE follows it here; give its candles of NSE`);
  return catalog.hasDerivatives(facts) ? 'auction' : 'cash';
}

/**
 * Puts the files of a folder together.
 * @param days the trading days of NSE and BSE
 * @throws OptionError that says the file, the line and what to do
 */
export function assemble(files: readonly FileRows[], catalog: AssetCatalog, days: TradingDays): Recordings {
  const assemblies = new Map<string, { assembly: Assembly; row: Row }>();
  const notes: string[] = [];
  for (const file of [...files].sort((a, b) => Number(a.isBhavcopy) - Number(b.isBhavcopy))) {
    const ends = file.time === undefined ? namesEnds(file.rows, days) : file.time === 'end';
    let repeated = 0;
    const byName = new Map<string, Row[]>();
    for (const row of file.rows) {
      const list = byName.get(name(row));
      if (list) list.push(row);
      else byName.set(name(row), [row]);
    }
    for (const [instrument, all] of byName) {
      const one = ordered(all);
      repeated += one.repeated;
      const interval = file.interval ?? usualStep(one.rows);
      if (interval < 1 || interval > DAY_SECONDS)
        refuse(one.rows[0]!, 'its rows are less than a second apart; say the interval in replay.json');
      const found = assemblies.get(instrument) ?? {
        assembly: new Assembly(days, segmentOf(catalog, all[0]!)),
        row: all[0]!,
      };
      assemblies.set(instrument, found);
      found.assembly.add(one.rows, interval, ends, file.isBhavcopy);
    }
    notes.push(...file.notes);
    if (ends) notes.push(`${file.file}: its rows name the ends of their bars.`);
    if (repeated > 0) notes.push(`${file.file}: ${repeated} rows stand there twice and count once.`);
    if (file.rounded > 0) notes.push(`${file.file}: ${file.rounded} prices are no whole paise and were rounded.`);
  }
  const instruments = new Map<string, Recording>();
  for (const [instrument, { assembly, row }] of assemblies) {
    const recording = assembly.result(row);
    if (recording === undefined)
      refuse(row, `no row of ${instrument} is within a trading session; see "timezone" and "time" in replay.json`);
    instruments.set(instrument, recording);
    notes.push(...leftOutOf(instrument, assembly.left));
  }
  notes.push(...lackingIn(instruments));
  const dates = [...new Set([...instruments.values()].flatMap((one) => [...one.days.keys()]))].sort((a, b) => a - b);
  const halts = haltsOf([...instruments.values()], catalog, days);
  for (const [day, all] of halts)
    notes.push(
      `${formatDate(day)}: trading was halted ${all.map(([from, to]) => `from ${clock(from)} to ${clock(to)}`).join(' and ')}.`,
    );
  return { instruments, straddles: straddlesOf(files), halts, dates: dates.map(formatDate), notes };
}

/** By underlying, ascending by day; of an expiry that two files tell of the first. */
function straddlesOf(files: readonly FileRows[]): Map<string, Straddle[]> {
  const found = new Map<string, Straddle[]>();
  for (const straddle of files.flatMap((file) => file.straddles).sort((a, b) => a.day - b.day)) {
    const of = found.get(name(straddle)) ?? [];
    found.set(name(straddle), of);
    if (!of.some(({ day, expiry }) => day === straddle.day && expiry === straddle.expiry)) of.push(straddle);
  }
  return found;
}

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/**
 * An index has a value in every minute of trading: where it has none, the exchanges stood still. What it shows for a few
 * minutes between two such gaps is of the call auction before the market reopens.
 */
function haltsOf(recordings: readonly Recording[], catalog: AssetCatalog, calendar: TradingDays): Halts {
  const halts = new Map<number, [number, number][]>();
  const indices = recordings.filter((one) => catalog.indexRowOf.has(name(one)) && one.interval < HALT_SECONDS);
  const index = indices.find(({ symbol }) => symbol === 'NIFTY') ?? indices[0];
  for (const [day, { bars }] of index?.days ?? []) {
    const { start } = calendar.grid(calendar.indexOf(day));
    const first = (start - startOf(day)) / SECOND;
    const found: [number, number][] = [];
    for (let i = 1; i < bars.length; i++) {
      const [before, after] = [bars[i - 1]!.to, bars[i]!.from];
      if (after - before < HALT_SECONDS) continue;
      const last = found.at(-1);
      if (last !== undefined && before - last[1] < REOPENING_SECONDS) last[1] = after;
      else found.push([before, after]);
    }
    if (found.length > 0)
      halts.set(
        day,
        found.map(([from, to]) => [Math.ceil((first + from) / 60), Math.floor((first + to) / 60)]),
      );
  }
  return halts;
}

function leftOutOf(instrument: string, { outside, holidays }: LeftOut): string[] {
  const listed = (rows: readonly Row[]): string =>
    `${rows.length} (the first in ${rows[0]!.file}, ${lineWord(rows[0]!.file)} ${rows[0]!.line})`;
  return [
    ...(outside.length > 0 ? [`${instrument}: rows outside the session are not traded: ${listed(outside)}.`] : []),
    ...(holidays.length > 0
      ? [`${instrument}: rows on days without trading are not traded: ${listed(holidays)}.`]
      : []),
  ];
}

/** What the recordings do not hold: of many instruments that lack the same, some are named. */
function lackingIn(instruments: ReadonlyMap<string, Recording>): string[] {
  const lacking = new Map<string, string[]>();
  const lacks = (what: string, instrument: string): void => {
    const names = lacking.get(what);
    if (names) names.push(instrument);
    else lacking.set(what, [instrument]);
  };
  for (const [instrument, { hasVolumes, interval }] of instruments) {
    if (!hasVolumes) lacks('without volumes; they are those of the made-up market', instrument);
    if (interval > 1) lacks(`what happens within its bars of ${spelled(interval)} is made up`, instrument);
  }
  return [...lacking].map(([what, names]) => {
    const more = names.length - NAMED;
    const listed = more > 1 ? `${names.slice(0, NAMED).join(', ')} and ${more} more` : names.join(', ');
    return `${listed}: ${what}.`;
  });
}

function spelled(seconds: number): string {
  if (seconds === DAY_SECONDS) return 'a day';
  if (seconds % 60 === 0) return seconds === 60 ? 'a minute' : `${seconds / 60} minutes`;
  return `${seconds} seconds`;
}
