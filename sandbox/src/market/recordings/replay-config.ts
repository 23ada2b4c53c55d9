import type { DecimalSign } from './number-forms';
import { DATE_ORDERS, offsetOf, type DateOrder } from './parse-time';
import { refuseWith } from './read-error';

/** Facts about files that cannot be told from the files themselves: replay.json in their folder. */

export const REPLAY_CONFIG_FILE = 'replay.json';

/** Meanings of columns. Their known names are in columns.ts. */
export const RECORDING_COLUMNS = [
  'time',
  'clock',
  'symbol',
  'exchange',
  'series',
  'isin',
  'open',
  'high',
  'low',
  'close',
  'volume',
  'previousClose',
  'bars',
  'expiry',
  'strike',
  'right',
  'kind',
  'openInterest',
  'currency',
] as const;

export type RecordingColumn = (typeof RECORDING_COLUMNS)[number];

/** Terms on which a file is read. What is left out is found out from the file, or is the usual. */
export interface FileConfig {
  /** The file is left out. */
  skip?: boolean;
  symbol?: string;
  exchange?: 'NSE' | 'BSE';
  /** Rupees when left out. */
  prices?: 'rupees' | 'paise';
  /** Of times that do not say theirs: IST when left out. */
  zone?: string;
  /** Instant that a row names: the first second of its bar, the first one after it, or its last. */
  time?: 'begin' | 'end' | 'last-second';
  /** Of dates such as 03/12/2020. */
  dates?: DateOrder;
  /** Sign between rupees and paise. */
  decimal?: DecimalSign;
  /** 1s, 5m, 1h, 1d … */
  interval?: string;
  /** Names of the columns in the file's heading; of a file without one their numbers, from 1. */
  columns?: Partial<Record<RecordingColumn, string | number>>;
}

const KEYS = ['skip', 'symbol', 'exchange', 'prices', 'zone', 'time', 'interval', 'dates', 'decimal', 'columns'];
/** Former names of what may be said, and of their values. */
const FORMER: Record<string, string> = { timezone: 'zone' };
const TIMES = ['begin', 'end', 'last-second'];

/** The line of replay.json that says something of a file, for an error that asks for it. */
export const lineFor = (file: string, terms: FileConfig): string =>
  `{"files": {${JSON.stringify(file)}: ${JSON.stringify(terms).replace(/":/g, '": ').replace(/,"/g, ', "')}}}`;

/** Seconds of an interval such as 1s, 15m, 1h or 1d; undefined when it is none from a second to a day. */
export function secondsOf(interval: string): number | undefined {
  const match = /^(\d+)\s*(s|m|min|h|d)$/.exec(interval);
  if (!match) return undefined;
  const seconds =
    Number(match[1]) * { s: 1, m: 60, min: 60, h: 3600, d: 86_400 }[match[2] as 's' | 'm' | 'min' | 'h' | 'd'];
  return seconds >= 1 && seconds <= 86_400 ? seconds : undefined;
}

function refuse(where: string, what: string): never {
  return refuseWith(`${REPLAY_CONFIG_FILE}, ${where}: ${what}.`);
}

function checked(value: unknown, where: string): FileConfig {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse(where, 'must be an object such as {"symbol": "NIFTY"}');
  const terms = Object.fromEntries(
    Object.entries(value).map(([key, found]: [string, unknown]) => [
      FORMER[key] ?? key,
      key === 'time' && found === 'start' ? 'begin' : found,
    ]),
  );
  const text = (key: string, allowed: (found: string) => boolean, what: string) => {
    const termValue = terms[key];
    if (termValue !== undefined && !(typeof termValue === 'string' && allowed(termValue)))
      refuse(where, `"${key}" must be ${what}, not ${JSON.stringify(termValue)}`);
  };
  for (const key of Object.keys(terms))
    if (!KEYS.includes(key)) refuse(where, `"${key}" is not known; it may hold ${KEYS.join(', ')}`);
  text('symbol', (found) => found !== '', 'the name of an instrument, such as "NIFTY"');
  text('exchange', (found) => found === 'NSE' || found === 'BSE', '"NSE" or "BSE"');
  text('prices', (found) => found === 'rupees' || found === 'paise', '"rupees" or "paise"');
  if (terms['skip'] !== undefined && typeof terms['skip'] !== 'boolean')
    refuse(where, `"skip" must be true or false, not ${JSON.stringify(terms['skip'])}`);
  text('zone', (found) => offsetOf(found) !== undefined, '"IST", "UTC" or such as "+05:30"');
  text('time', (found) => TIMES.includes(found), '"begin", "end" or "last-second"');
  text(
    'dates',
    (found) => DATE_ORDERS.includes(found as DateOrder),
    DATE_ORDERS.map((order) => `"${order}"`).join(' or '),
  );
  text('decimal', (found) => found === 'point' || found === 'comma', '"point" or "comma"');
  text('interval', (found) => secondsOf(found) !== undefined, 'from "1s" to "1d"');
  const columns = terms['columns'];
  if (columns !== undefined) {
    if (typeof columns !== 'object' || columns === null || Array.isArray(columns))
      refuse(where, '"columns" must be an object such as {"close": "Last"}');
    for (const [column, name] of Object.entries(columns)) {
      if (!RECORDING_COLUMNS.includes(column as RecordingColumn))
        refuse(where, `column "${column}" is not known; it may name ${RECORDING_COLUMNS.join(', ')}`);
      if (!(typeof name === 'string' || (Number.isInteger(name) && (name as number) >= 1)))
        refuse(where, `column "${column}" must be a name of the heading, or a number from 1`);
    }
  }
  return terms as FileConfig;
}

/**
 * Reads replay.json: `{"all": {...}, "files": {"march.csv": {...}}}`; what is said of a file goes before what is said of all.
 * @param namesIn the names of the files of an archive of the folder, by which replay.json may say something of one of them
 * @returns how to read a file of the folder, or one of the files in it where it is an archive
 * @throws OptionError that says where it is wrong
 */
export function parseReplayConfig(
  json: string,
  files: readonly string[],
  namesIn: (archive: string) => readonly string[] = () => [],
): (file: string, inner?: string) => FileConfig {
  const [read] = ((): [unknown] => {
    try {
      // A text editor of Windows may put a mark at its beginning.
      return [JSON.parse(json.replace(/^\uFEFF/, ''))];
    } catch (error) {
      return refuseWith(
        `${REPLAY_CONFIG_FILE} is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
      );
    }
  })();
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    refuseWith(`${REPLAY_CONFIG_FILE} must be an object with "all" and "files".`);
  const { all = {}, files: byName = {}, ...rest } = read as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) refuse('top', `"${unknown}" is not known; it may hold "all" and "files"`);
  if (typeof byName !== 'object' || byName === null || Array.isArray(byName))
    refuse('"files"', 'must be an object by file name');
  const common = checked(all, '"all"');
  const single = new Map(Object.entries(byName).map(([name, terms]) => [name, checked(terms, `"${name}"`)]));
  const strange = [...single.keys()].filter((name) => !files.includes(name));
  const inside = new Set(strange.length === 0 ? [] : files.flatMap(namesIn));
  for (const name of strange)
    if (!inside.has(name)) refuse(`"${name}"`, `there is no such file in the folder, which has ${files.join(', ')}`);
  return (file, inner = file) => ({ ...common, ...single.get(file), ...single.get(inner) });
}
