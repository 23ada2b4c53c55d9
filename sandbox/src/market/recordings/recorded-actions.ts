import type { AssetCatalog } from '../reference/catalog';
import { dayOf, formatDayNumber } from '../../shared/dates';
import { readPurpose } from './action-purposes';
import { instrumentOf, resolveInstrument, shareOfBseCode, type NameResolution } from './instrument-names';
import { LeftOutRows, NOT_HERE, type LeftOut } from './left-out';
import { parseTime } from './parse-time';
import { refuseRow, shortenText } from './read-error';
import type { CellRow } from './survey';
import { nameOf, SHARE_SERIES, type RecordedAction, type Recording } from './types';

/** Corporate actions of a real market: the list of NSE (CF-CA-equities-….csv, or JSON), or that of BSE, in the folder of a replay. */

/** Reading of a list. */
export interface ActionRows {
  file: string;
  actions: readonly RecordedAction[];
  leftOut: readonly LeftOut[];
}

const COLUMNS = ['symbol', 'series', 'purpose', 'faceValue', 'exDate'] as const;
type ActionColumn = (typeof COLUMNS)[number];
const NAMES: Record<ActionColumn, RegExp> = {
  symbol: /^(symbol|securitycode)$/,
  series: /^series$/,
  purpose: /^(purpose|subject)$/,
  faceValue: /^(facevalue|faceval|fv)$/,
  exDate: /^exdate$/,
};
/** Minutes of India over UTC. */
const INDIA = 330;
/** A dividend and a split of one day: the dividend is of the shares of before. */
const ORDER = ['dividend', 'split', 'bonus'];
/** Recorded days that are farther apart are not compared, days. */
const APART = 7;

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** True if a heading is that of a list of corporate actions. */
export const areActions = (heading: readonly string[]): boolean => {
  const names = heading.map(plain);
  return (['symbol', 'purpose', 'exDate'] as const).every((column) => names.some((name) => NAMES[column].test(name)));
};

/** The share of a row on NSE: by its symbol, or the code of BSE. */
function shareOf(catalog: AssetCatalog, symbol: string, day: number): NameResolution {
  const onBse = /^\d{6}$/.test(symbol) ? shareOfBseCode(symbol) : undefined;
  return onBse === undefined ? resolveInstrument(catalog, symbol, 'NSE', day) : instrumentOf(catalog, onBse);
}

/** Reads such a list. @param table its rows, the heading first. @throws OptionError with file, line and what to do */
export function readActions(file: string, table: readonly CellRow[], catalog: AssetCatalog): ActionRows {
  const [heading, ...rows] = table;
  const names = heading!.cells.map(plain);
  const places = COLUMNS.map((column) => names.findIndex((name) => NAMES[column].test(name)));
  const leftOut = new LeftOutRows();
  const actions: RecordedAction[] = [];
  const seen = new Set<string>();
  for (const { cells, line } of rows) {
    const [symbol, series, purpose, faceValue, exDate] = places.map((place) => cells[place] ?? '') as [
      string,
      string,
      string,
      string,
      string,
    ];
    if (series !== '' && !SHARE_SERIES.includes(series)) {
      leftOut.add(`${shortenText(symbol)} ${shortenText(series)}`, 'of other securities than shares, by their series');
      continue;
    }
    const day = dayOfText(file, line, exDate);
    const named = shareOf(catalog, symbol, day);
    if (named === undefined || 'isNot' in named) {
      leftOut.add(shortenText(symbol), NOT_HERE);
      continue;
    }
    if (named.exchange === 'BSE') {
      leftOut.add(named.symbol, 'of shares that trade on BSE alone, whose corporate actions cannot be replayed');
      continue;
    }
    const found = readPurpose(purpose, Number(faceValue) > 0 ? Number(faceValue) : undefined);
    if (typeof found === 'string')
      refuseRow(
        file,
        line,
        `${found}; write it as "Dividend - Rs 8 Per Share", "Bonus 1:1" or "Split - From Rs 10 To Rs 2", or delete the line`,
      );
    const key = `${named.symbol} ${day} ${purpose}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (found.others.length > 0)
      leftOut.add(named.symbol, 'that move the price and cannot be replayed, such as rights issues and demergers');
    else if (found.dividend === 0 && found.ratio === undefined)
      leftOut.add('', 'that are no dividend, split or bonus issue');
    const base = { exchange: 'NSE', symbol: named.symbol, day } as const;
    if (found.dividend > 0) actions.push({ ...base, kind: 'dividend', before: 1, after: 1, dividend: found.dividend });
    if (found.ratio !== undefined) actions.push({ ...base, ...found.ratio, dividend: 0 });
  }
  return { file, actions, leftOut: leftOut.all() };
}

function dayOfText(file: string, line: number, text: string): number {
  const time = parseTime(text, undefined, INDIA);
  if (time?.dateOnly !== true)
    refuseRow(file, line, `"${shortenText(text)}" is not an ex-date such as 28-Oct-2024; correct or delete the line`);
  return dayOf(time.at);
}

/** The corporate actions that a replay takes: those of recorded shares, in the order of their days. */
export interface ReplayedActions {
  actions: RecordedAction[];
  notes: string[];
}

/**
 * Finds those that happen within the recorded days of their shares. A split or bonus issue that the recorded prices do not show is
 * left out: they are adjusted for it.
 */
export function selectReplayedActions(
  files: readonly ActionRows[],
  instruments: ReadonlyMap<string, Recording>,
): ReplayedActions {
  const notes: string[] = [];
  const actions: RecordedAction[] = [];
  const all = files
    .flatMap((file) => file.actions)
    .sort((a, b) => a.day - b.day || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  for (const action of all) {
    const recording = instruments.get(nameOf(action));
    const night = recording && nightBefore(recording, action.day);
    if (night === undefined) continue;
    const factor = action.before / action.after;
    const moved = Math.log(night.open / night.close);
    if (factor < 1 && Math.abs(moved) < Math.abs(moved - Math.log(factor)))
      notes.push(
        `${nameOf(action)}: its prices are adjusted for the ${named(action)} of ${formatDayNumber(action.day)} already, so that what is held stays as it is.`,
      );
    else {
      actions.push(action);
      notes.push(
        `${nameOf(action)}: ${named(action)} on ${formatDayNumber(action.day)}, by its list of corporate actions.`,
      );
    }
  }
  const others = all.filter((action) => !instruments.has(nameOf(action))).length;
  if (others > 0) notes.push(`${others} corporate actions are of shares that are not recorded, and are left out.`);
  return { actions, notes };
}

function named({ kind, before, after, dividend }: RecordedAction): string {
  if (kind === 'dividend') return `dividend of Rs ${(dividend / 100).toFixed(2)} a share`;
  return kind === 'split' ? `split of 1 share into ${after / before}` : `bonus of ${after - before} for ${before} held`;
}

/** The close before an ex-date and the open after it; undefined where the days on either side are not recorded. */
function nightBefore({ days }: Recording, exDay: number): { close: number; open: number } | undefined {
  let close: number | undefined;
  for (const [day, recorded] of days) {
    if (day < exDay) close = exDay - day <= APART ? recorded.officialClose : undefined;
    else if (close === undefined || day - exDay > APART) return undefined;
    else return { close, open: recorded.officialOpen ?? recorded.open };
  }
  return undefined;
}
