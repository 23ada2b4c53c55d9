import type { HoursSegment, TradingDays } from '../reference/calendar';
import type { AssetCatalog } from '../reference/catalog';
import { equities } from '../reference/dated-tables';
import { formatDayNumber, SECOND } from '../../shared/dates';
import { RecordingBuilder } from './recording-builder';
import {
  refuseOtherScale,
  refuseOtherScaleOfDay,
  refuseOtherZone,
  refuseDayToDateBars,
  runningVolumesOf,
  splitOf,
} from './plausibility';
import { recordedHalts } from './halts';
import { lackingDataNotes, untradedRowNotes } from './warnings';
import { ContractDays } from './contract-days';
import { selectReplayedActions, type ActionRows } from './recorded-actions';
import { instrumentOf, type NamedInstrument } from './instrument-names';
import { refuseRow } from './read-error';
import { intervalOf, namesEnds, refuseUnaligned, usualStep, type BarSeries } from './bar-times';
import { leftOutText, type LeftOut } from './left-out';
import { orderRows } from './row-order';
import type { TickDay } from './tick-day';
import {
  nameOf,
  type FileRows,
  type Recording,
  type Recordings,
  type RecordedRow,
  type RowKind,
  type RecordedStraddle,
  type TakenRows,
} from './types';

/** Makes recordings of the rows of all files, in the sessions of the exchanges. */

/** Files are read in this order: what comes later is behind what was there. */
const ORDER: readonly RowKind[] = ['ticks', 'candles', 'bhavcopy'];
/** Steps in which orders meet a market that was seen within seconds, as they do in a mirror; milliseconds. */
const SHORT_STEP_MS = 100;

function refuse(row: RecordedRow, what: string): never {
  refuseRow(row.file, row.line, what);
}

/** True if a row is of a future or an option. */
function isContract(catalog: AssetCatalog, { exchange, symbol }: NamedInstrument): boolean {
  const shares = exchange === 'NSE' ? catalog.equityRowOf : catalog.bseRowOf;
  return !catalog.indexRowOf.has(nameOf({ exchange, symbol })) && !shares.has(symbol);
}

/** Returns the instrument's segment of trading hours. @param row any of its rows */
function segmentOf(catalog: AssetCatalog, row: RecordedRow): HoursSegment {
  const { exchange, symbol } = row;
  if (catalog.indexRowOf.has(nameOf(row)) || isContract(catalog, row)) return 'auction';
  const place = (exchange === 'NSE' ? catalog.equityRowOf : catalog.bseRowOf).get(symbol)!;
  const facts = equities()[place]!;
  return catalog.hasDerivatives(facts) ? 'auction' : 'cash';
}

const BY_NSE = 'of BSE, of shares whose rows of NSE are there, which BSE follows';

/** Returns the rows of a file, by the instrument whose price they decide: rows of BSE only where no file has the share on NSE. */
function byInstrumentOf(file: FileRows, catalog: AssetCatalog, onNse: ReadonlySet<string>) {
  const byName = new Map<string, NamedInstrument[]>();
  const names: string[] = [];
  let count = 0;
  for (const named of file.rows.instruments()) {
    const key = nameOf(instrumentOf(catalog, named));
    if (named.exchange === 'BSE' && onNse.has(key)) {
      names.push(named.symbol);
      count += file.rows.of(named).length;
    } else byName.set(key, [...(byName.get(key) ?? []), named]);
  }
  const leftOut: LeftOut[] = count === 0 ? [] : [{ why: BY_NSE, names, count }];
  return { byName, leftOut };
}

/** Unpacks the rows of each instrument of a file in order; those that were asked for last are kept. */
function unpacker(file: FileRows, byName: ReadonlyMap<string, NamedInstrument[]>) {
  let latest: { instrument: string; rows: RecordedRow[]; repeated: number } | undefined;
  return (instrument: string): { rows: RecordedRow[]; repeated: number } => {
    if (latest?.instrument !== instrument) {
      const rows = byName.get(instrument)!.flatMap((named) => file.rows.of(named));
      latest = { instrument, ...orderRows(rows, file.datesOnly) };
    }
    return latest;
  };
}

/**
 * Puts the files of a folder together.
 * @param days the trading days of NSE and BSE. @param lists what companies did with their shares
 * @throws OptionError that says the file, the line and what to do
 */
export function buildRecordings(
  files: readonly FileRows[],
  catalog: AssetCatalog,
  days: TradingDays,
  lists: readonly ActionRows[] = [],
): Recordings {
  const assemblies = new Map<string, { assembly: RecordingBuilder; row: RecordedRow }>();
  const notes: string[] = [];
  const takenRows: TakenRows[] = [];
  const untaken: (LeftOut & { file: string })[] = [];
  const onNse = new Set(
    files.flatMap(({ rows }) =>
      rows
        .instruments()
        .filter(({ exchange }) => exchange === 'NSE')
        .map(nameOf),
    ),
  );
  for (const file of [...files].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))) {
    const { byName, leftOut } = byInstrumentOf(file, catalog, onNse);
    const unpack = unpacker(file, byName);
    let repeated = 0;
    const all = [...byName.keys()].map((instrument) => {
      const unpacked = unpack(instrument);
      repeated += unpacked.repeated;
      return { instrument, count: unpacked.rows.length, rows: () => unpack(instrument).rows };
    });
    const usual = file.interval === undefined ? usualStep(all) : undefined;
    const series = new Map(
      all.map((item): [string, BarSeries] => [
        item.instrument,
        { ...item, interval: intervalOf(file, item.rows(), days, usual) },
      ]),
    );
    if (file.kind === 'candles')
      for (const bars of series.values()) {
        if (!isContract(catalog, bars.rows()[0]!)) refuseOtherScale(file, bars.rows(), catalog);
        refuseDayToDateBars(bars);
      }
    if (file.kind === 'bhavcopy')
      refuseOtherScaleOfDay(
        file,
        [...series.values()].map(({ rows }) => rows()),
        catalog,
      );
    if (file.kind === 'candles') refuseOtherZone([...series.values()], days);
    if (file.kind === 'candles') refuseUnaligned([...series.values()], days);
    const ends = namesEnds(file, [...series.values()], days);
    untaken.push(...[...file.leftOut, ...leftOut].map((reason) => ({ file: file.file, ...reason })));
    for (const [instrument, bars] of series) {
      const { interval } = bars;
      const rows = bars.rows();
      if (file.kind === 'candles') notes.push(...runningVolumesOf(instrument, bars));
      const [first, last] = [rows[0]!, rows.at(-1)!].map((row) => ({
        ...row,
        at: ends ? row.at - interval * SECOND : row.at,
      }));
      takenRows.push({ file: file.file, instrument, interval, count: rows.length, first: first!, last: last! });
      const found = assemblies.get(instrument) ?? {
        assembly: new RecordingBuilder(days, segmentOf(catalog, rows[0]!)),
        row: rows[0]!,
      };
      assemblies.set(instrument, found);
      found.assembly.add(rows, interval, ends, file.kind);
    }
    notes.push(...file.notes);
    notes.push(...[...file.leftOut, ...leftOut].map((reason) => `${file.file}: left out ${leftOutText(reason)}.`));
    if (ends)
      notes.push(
        `${file.file}: its rows name the ${file.time === 'last-second' ? 'last seconds' : 'ends'} of their bars.`,
      );
    if (repeated > 0) notes.push(`${file.file}: ${repeated} rows stand there twice and count once.`);
    if (file.rounded > 0) notes.push(`${file.file}: ${file.rounded} prices are no whole paise and were rounded.`);
  }
  const instruments = new Map<string, Recording>();
  const contracts = new Map<string, Recording>();
  for (const [instrument, { assembly, row }] of assemblies) {
    const recording = assembly.result(instrumentOf(catalog, row), row.exchange);
    if (recording === undefined)
      refuse(row, `no row of ${instrument} is within a trading session; see "zone" and "time" in replay.json`);
    (isContract(catalog, row) ? contracts : instruments).set(instrument, recording);
    notes.push(...untradedRowNotes(instrument, assembly.left));
    if (recording.seenOn === 'BSE' && recording.exchange === 'NSE')
      notes.push(`${instrument}: its prices are those of BSE, which NSE follows here.`);
  }
  const corporate = selectReplayedActions(lists, instruments);
  notes.push(...corporate.notes);
  untaken.push(...lists.flatMap(({ file, leftOut }) => leftOut.map((reason) => ({ file, ...reason }))));
  for (const [instrument, recording] of instruments) {
    const ofShare = corporate.actions.filter((action) => nameOf(action) === instrument && action.after > action.before);
    if (!catalog.indexRowOf.has(instrument))
      notes.push(...splitOf(instrument, recording, new Set(ofShare.map(({ day }) => day))));
  }
  notes.push(...lackingDataNotes(instruments));
  if (contracts.size > 0)
    notes.push(
      `${[...contracts.keys()].join(', ')}: of each bar its open, low, high and close are traded at; bids and offers around them are made up.`,
    );
  const dates = [...new Set([...instruments.values()].flatMap((instrument) => [...instrument.days.keys()]))].sort(
    (a, b) => a - b,
  );
  const halts = recordedHalts([...instruments.values()], catalog, days);
  for (const [day, all] of halts)
    notes.push(
      `${formatDayNumber(day)}: trading was halted ${all.map(([from, to]) => `from ${clock(from)} to ${clock(to)}`).join(' and ')}.`,
    );
  const ticks = files.flatMap((file) => file.ticks);
  const contractDays = new ContractDays(days);
  return {
    taken: takenRows,
    leftOut: untaken,
    instruments,
    straddles: straddlesOf(files),
    ticks: new Map([
      ...[...contracts].map(([name, recording]) => [name, contractDays.of(recording)] as const),
      ...byInstrument(files),
    ]),
    actions: corporate.actions,
    stepMs: ticks.some((day) => day.isWithinSeconds) ? SHORT_STEP_MS : SECOND,
    halts,
    dates: dates.map(formatDayNumber),
    notes,
  };
}

/** Ticks by instrument and day. @throws OptionError where two files have those of one day */
function byInstrument(files: readonly FileRows[]): Map<string, Map<number, TickDay>> {
  const tickDays = new Map<string, Map<number, TickDay>>();
  for (const { file, ticks } of files)
    for (const tick of ticks) {
      const days = tickDays.get(nameOf(tick)) ?? new Map<number, TickDay>();
      tickDays.set(nameOf(tick), days);
      if (days.has(tick.day))
        refuseRow(
          file,
          2,
          `another file has ticks of ${nameOf(tick)} on ${formatDayNumber(tick.day)}, too; keep one of them`,
        );
      days.set(tick.day, tick);
    }
  return tickDays;
}

/** By underlying, ascending by day; of an expiry that two files tell of the first. */
function straddlesOf(files: readonly FileRows[]): Map<string, RecordedStraddle[]> {
  const straddles = new Map<string, RecordedStraddle[]>();
  for (const straddle of files.flatMap((file) => file.straddles).sort((a, b) => a.day - b.day)) {
    const of = straddles.get(nameOf(straddle)) ?? [];
    straddles.set(nameOf(straddle), of);
    if (!of.some(({ day, expiry }) => day === straddle.day && expiry === straddle.expiry)) of.push(straddle);
  }
  return straddles;
}

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
