import type { Segment, TradingDays } from '../reference/calendar';
import type { AssetCatalog } from '../reference/catalog';
import { equities } from '../reference/tables';
import { formatDate, SECOND } from '../../shared/dates';
import { RecordingBuilder } from './recording-builder';
import { refuseOtherZone, refusePaise, splitOf } from './plausibility';
import { haltsOf } from './halts';
import { lackingIn, leftOutOf } from './warnings';
import { isFollower } from './resolve-instrument';
import { refuseRow } from './read-error';
import { DAY_SECONDS, namesEnds, ordered, usualStep } from './row-order';
import type { TickDay } from './tick-day';
import { nameOf, type FileRows, type Recording, type Recordings, type Row, type RowKind, type Straddle } from './types';

/** Makes recordings of the rows of all files, in the sessions of the exchanges. */

/** Files are read in this order: what comes later is behind what was there. */
const ORDER: readonly RowKind[] = ['ticks', 'candles', 'bhavcopy'];
/** Steps in which orders meet a market that was seen within seconds, as they do in a mirror; milliseconds. */
const SHORT_STEP_MS = 100;

function refuse(row: Row, what: string): never {
  refuseRow(row.file, row.line, what);
}

/**
 * How the share or index trades through a day. @param row any of its rows
 * @throws OptionError where another exchange decides its price
 */
function segmentOf(catalog: AssetCatalog, row: Row): Segment {
  const { exchange, symbol } = row;
  if (catalog.indexRowOf.has(nameOf(row))) return 'auction';
  const place = (exchange === 'NSE' ? catalog.equityRowOf : catalog.bseRowOf).get(symbol)!;
  const facts = equities()[place]!;
  if (isFollower(catalog, row))
    refuse(row, `${symbol} trades on NSE too, and BSE follows it here; give its candles of NSE`);
  return catalog.hasDerivatives(facts) ? 'auction' : 'cash';
}

/**
 * Puts the files of a folder together.
 * @param days the trading days of NSE and BSE
 * @throws OptionError that says the file, the line and what to do
 */
export function buildRecordings(files: readonly FileRows[], catalog: AssetCatalog, days: TradingDays): Recordings {
  const assemblies = new Map<string, { assembly: RecordingBuilder; row: Row }>();
  const notes: string[] = [];
  for (const file of [...files].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))) {
    const ends = file.time === undefined ? namesEnds(file.rows, days) : file.time === 'end';
    let repeated = 0;
    const byName = new Map<string, Row[]>();
    for (const row of file.rows) {
      const list = byName.get(nameOf(row));
      if (list) list.push(row);
      else byName.set(nameOf(row), [row]);
    }
    for (const [instrument, all] of byName) {
      refusePaise(file, all[0]!, catalog);
      const item = ordered(all);
      repeated += item.repeated;
      const interval = file.interval ?? usualStep(item.rows);
      if (interval < 1 || interval > DAY_SECONDS)
        refuse(item.rows[0]!, 'its rows are less than a second apart; say the interval in replay.json');
      if (file.kind === 'candles' && interval < DAY_SECONDS) refuseOtherZone(item.rows, days);
      const found = assemblies.get(instrument) ?? {
        assembly: new RecordingBuilder(days, segmentOf(catalog, all[0]!)),
        row: all[0]!,
      };
      assemblies.set(instrument, found);
      found.assembly.add(item.rows, interval, ends, file.kind);
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
    if (!catalog.indexRowOf.has(instrument)) notes.push(...splitOf(instrument, recording));
  }
  notes.push(...lackingIn(instruments));
  const dates = [...new Set([...instruments.values()].flatMap((instrument) => [...instrument.days.keys()]))].sort(
    (a, b) => a - b,
  );
  const halts = haltsOf([...instruments.values()], catalog, days);
  for (const [day, all] of halts)
    notes.push(
      `${formatDate(day)}: trading was halted ${all.map(([from, to]) => `from ${clock(from)} to ${clock(to)}`).join(' and ')}.`,
    );
  const ticks = files.flatMap((file) => file.ticks);
  return {
    instruments,
    straddles: straddlesOf(files),
    ticks: byInstrument(files),
    stepMs: ticks.some((day) => day.isWithinSeconds) ? SHORT_STEP_MS : SECOND,
    halts,
    dates: dates.map(formatDate),
    notes,
  };
}

/** Ticks by instrument and day. @throws OptionError where two files have those of one day */
function byInstrument(files: readonly FileRows[]): Map<string, Map<number, TickDay>> {
  const found = new Map<string, Map<number, TickDay>>();
  for (const { file, ticks } of files)
    for (const tick of ticks) {
      const days = found.get(nameOf(tick)) ?? new Map<number, TickDay>();
      found.set(nameOf(tick), days);
      if (days.has(tick.day))
        refuseRow(
          file,
          2,
          `another file has ticks of ${nameOf(tick)} on ${formatDate(tick.day)}, too; keep one of them`,
        );
      days.set(tick.day, tick);
    }
  return found;
}

/** By underlying, ascending by day; of an expiry that two files tell of the first. */
function straddlesOf(files: readonly FileRows[]): Map<string, Straddle[]> {
  const found = new Map<string, Straddle[]>();
  for (const straddle of files.flatMap((file) => file.straddles).sort((a, b) => a.day - b.day)) {
    const of = found.get(nameOf(straddle)) ?? [];
    found.set(nameOf(straddle), of);
    if (!of.some(({ day, expiry }) => day === straddle.day && expiry === straddle.expiry)) of.push(straddle);
  }
  return found;
}

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
