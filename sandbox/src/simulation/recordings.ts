import { createHash } from 'node:crypto';
import { createCalendar } from '../market/reference/calendar';
import { formerSymbolsSource } from '../market/reference/dated-tables';
import { AssetCatalog } from '../market/reference/catalog';
import { buildRecordings } from '../market/recordings/build-recordings';
import { isCompanion } from '../market/recordings/bhavcopies';
import { formatCheck } from '../market/recordings/format-check';
import { headingIn, readCandles, rowsOfTable } from '../market/recordings/csv';
import { areActions, readActions, type ActionRows } from '../market/recordings/recorded-actions';
import { readFileName } from '../market/recordings/file-names';
import { readParquet } from '../market/recordings/parquet';
import { cellsOfJson, jsonRows, readJson } from '../market/recordings/json';
import { JSON_FILE_NAME, PARQUET_FILE_NAME } from '../market/recordings/read-error';
import { MAX_UNPACKED_BYTES } from '../market/recordings/unpacked-size';
import { NOT_HERE } from '../market/recordings/left-out';
import { parseReplayConfig, REPLAY_CONFIG_FILE, type FileConfig } from '../market/recordings/replay-config';
import { nameOf, type FileRows, type Recordings } from '../market/recordings/types';
import { cachedMarket } from '../market/prices/market-cache';
import type { TickDay } from '../market/recordings/tick-day';
import { startOfDay } from '../shared/dates';
import { OptionError } from '../shared/option-error';
import { DEFAULT_OPTIONS, type SandboxOptions } from './options';
import { asText, contentOf, filesOf, namesIn, namesInArchive, textOf } from './recording-files';

/** Time at which a replay begins: before the pre-open session. */
const BEGINS = '09:00:00';
/** Number of names of files that are listed. */
const LISTED = 8;
const CANDLES = /\.((csv|tsv|txt|asc|prn|json|jsonl|ndjson)(\.gz)?|parquet|zip)$/i;

/** Recordings of a folder, and what tells them from others. */
export interface ReadRecordings extends Recordings {
  /** Of all that was read: the same files give the same. */
  digest: string;
}

/**
 * Reads all candles of a folder: CSV or text files, also compressed by gzip or zip, Parquet, and replay.json where it is there.
 * @param maxUnpacked what comes out of a packed file at most, bytes
 * @throws OptionError that says the file, the line and what to do
 */
export async function readRecordings(folder: string, maxUnpacked = MAX_UNPACKED_BYTES): Promise<ReadRecordings> {
  const names = namesIn(folder);
  const files = names.filter((name) => CANDLES.test(name) && name !== REPLAY_CONFIG_FILE);
  if (files.length === 0) {
    const otherFiles = names.filter((name) => name !== REPLAY_CONFIG_FILE);
    const there =
      otherFiles.length === 0 ? '' : ` What lies there is not read: ${otherFiles.slice(0, LISTED).join(', ')}.`;
    throw new OptionError(
      `--replay ${folder} holds no candles: put files with names such as NIFTY.csv, NIFTY.csv.gz, NIFTY.json or NIFTY.parquet there.${there}`,
    );
  }
  const digest = createHash('sha256');
  const contents = (name: string): Buffer => {
    const bytes = contentOf(folder, name);
    digest.update(`${name}\n${bytes.length}\n`).update(bytes);
    return bytes;
  };
  const termsOf = names.includes(REPLAY_CONFIG_FILE)
    ? parseReplayConfig(textOf(REPLAY_CONFIG_FILE, contents(REPLAY_CONFIG_FILE), maxUnpacked), files, (name) =>
        namesInArchive(name, contentOf(folder, name)),
      )
    : (): FileConfig => ({});
  const catalog = new AssetCatalog();
  const rows: FileRows[] = [];
  const lists: ActionRows[] = [];
  const skipped: string[] = [];
  const skip = (name: string): void => void skipped.push(`${name}: left out, as replay.json says.`);
  for (const name of files) {
    const bytes = contents(name);
    if (termsOf(name).skip === true) {
      skip(name);
      continue;
    }
    const unpackedFiles = filesOf(name, bytes, maxUnpacked);
    for (const { name: inner, content } of unpackedFiles) {
      const terms = termsOf(name, inner);
      if (terms.skip === true) {
        skip(inner);
        continue;
      }
      const file = unpackedFiles.length === 1 ? nameInArchive(catalog, name, inner) : inner;
      if (PARQUET_FILE_NAME.test(inner)) {
        rows.push(await readParquet(file, content, terms, catalog, maxUnpacked));
        continue;
      }
      const text = asText(file, content);
      if (JSON_FILE_NAME.test(inner)) {
        const table = jsonRows(file, text);
        if (areActions(table.columns)) lists.push(readActions(file, cellsOfJson(table), catalog));
        else rows.push(readJson(file, table, terms, catalog));
      } else if (isCompanion(file, text, unpackedFiles.length > 1))
        skipped.push(`${file}: left out: it belongs to NSE's daily set, and holds no prices that are not in PD.`);
      else if (areActions(headingIn(file, text))) lists.push(readActions(file, rowsOfTable(file, text), catalog));
      else rows.push(readCandles(file, text, terms, catalog));
    }
  }
  const recordings = buildRecordings(rows, catalog, createCalendar().days.equity, lists);
  if (recordings.instruments.size === 0) {
    const contracts = [...recordings.ticks.keys()].join(', ');
    throw new OptionError(
      contracts === ''
        ? `--replay ${folder} holds nothing that can be traded: ${recordings.notes.join(' ')} Put candles of shares or indices there.`
        : `--replay ${folder} holds contracts alone: ${contracts}. Put candles of their underlying of the same days there, too.`,
    );
  }
  const otherFiles = names.filter((name) => !files.includes(name) && name !== REPLAY_CONFIG_FILE);
  const notes =
    otherFiles.length === 0
      ? []
      : [`Not read, as they are neither CSV nor JSON nor Parquet: ${otherFiles.join(', ')}.`];
  return {
    ...recordings,
    notes: [...notes, ...skipped, ...recordings.notes, ...unlisted(recordings), ...laterNames(recordings)],
    digest: digest.digest('hex').slice(0, 16),
  };
}

/** Name by which the one file of an archive is understood: its own, unless only that of the archive names an instrument. */
function nameInArchive(catalog: AssetCatalog, archive: string, inner: string): string {
  const names = (file: string): boolean => {
    const { named, contract } = readFileName(catalog, file);
    return named !== undefined || contract !== undefined;
  };
  return names(archive) && !names(inner) ? archive : inner;
}

/** Recorded candles of contracts that this market does not list on any of their days: nobody can trade them. */
function unlisted(recordings: Recordings): string[] {
  const candles = [...recordings.ticks.values()].flatMap((days) => [...days.values()]).filter((day) => day.isOfBars);
  if (candles.length === 0) return [];
  const { seed, universe, hours } = DEFAULT_OPTIONS;
  const market = cachedMarket({ seed, universe, hours, recordings });
  const isListed = ({ exchange, symbol, day }: TickDay): boolean =>
    market.universe(startOfDay(day)).bySymbol(exchange as 'NSE' | 'BSE', symbol) !== undefined;
  const listedNames = new Set(candles.filter(isListed).map(nameOf));
  const unlistedNames = [...new Set(candles.map(nameOf))].filter((name) => !listedNames.has(name));
  return unlistedNames.length === 0
    ? []
    : [
        `${unlistedNames.join(', ')}: this market lists no such contract on its recorded days, so that it cannot be traded.`,
      ];
}

/** Returns a note that a missing name may have changed after the list of changes. */
function laterNames({ leftOut }: Recordings): string[] {
  if (!leftOut.some(({ why }) => why.endsWith(NOT_HERE))) return [];
  return [
    `Former symbols go by ${formerSymbolsSource()}: a share that was renamed later, or is listed no more, is not found under that name.`,
  ];
}

/** Returns the reading of the files of a folder, as a table and notes. @throws OptionError of the first that is not */
export async function checkRecordings(folder: string, maxUnpacked = MAX_UNPACKED_BYTES): Promise<string> {
  return formatCheck(await readRecordings(folder, maxUnpacked));
}

/**
 * The options of a replay: the exchanges' hours, and a clock that starts on the first recorded day, or the first from
 * `from` on.
 * @throws OptionError when nothing was recorded from then on
 */
export function replayOptions(options: SandboxOptions, recordings: Recordings): SandboxOptions {
  const { dates } = recordings;
  const date = dates.find((date) => date >= (options.from ?? ''));
  if (date === undefined)
    throw new OptionError(`--from ${options.from} is after the recording, which has ${dates[0]} to ${dates.at(-1)}.`);
  return { ...options, hours: 'exchange', start: options.start ?? `${date}T${BEGINS}+05:30` };
}
