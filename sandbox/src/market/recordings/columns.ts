import { shown } from './read-error';
import type { Column, FileConfig } from './replay-config';

/** Finds out what the columns of a file hold. */

/** Names of columns as data vendors write them, without blanks, underscores and case. */
const NAMES: Record<Column, readonly string[]> = {
  time: [
    'timestamp',
    'datetime',
    'date',
    'time',
    'date1',
    'ts',
    'ist',
    'barstart',
    'starttime',
    'traddt',
    'tradedate',
    'indexlevel0',
  ],
  clock: ['time', 'clock', 'timeofday'],
  symbol: ['symbol', 'ticker', 'tradingsymbol', 'instrument', 'scrip', 'name', 'tckrsymb', 'stock'],
  exchange: ['exchange', 'exch'],
  open: ['open', 'o', 'openprice', 'opnpric', 'openpaise'],
  high: ['high', 'h', 'highprice', 'hghpric', 'highpaise'],
  low: ['low', 'l', 'lowprice', 'lwpric', 'lowpaise'],
  close: ['close', 'c', 'closeprice', 'clspric', 'closepaise'],
  volume: ['volume', 'vol', 'v', 'qty', 'quantity', 'sharestraded', 'ttltrdqnty', 'ttltradgvol', 'tradedqty'],
  previousClose: ['previousclose', 'prevclose', 'prevcloseprice'],
};

/** Where each column stands, from 0. */
export type Places = Partial<Record<Column, number>>;

export interface Plan {
  places: Places;
  /** Whether the first line names the columns. */
  heading: boolean;
  /** Of forms of vendors that are known: which end of its bar a row names. */
  time?: 'end';
  /** Whether the heading itself says that prices are paise. */
  paise: boolean;
}

/** A heading without blanks, underscores and case. */
export const plain = (name: string): string => name.toLowerCase().replace(/[\s_.()-]/g, '');
const NEEDED: readonly Column[] = ['time', 'open', 'high', 'low', 'close'];
const NUMBER = /^\d+(\.\d+)?$/;
/** So many names of a heading are listed. */
const LISTED = 20;

function listed(heading: readonly string[]): string {
  const more = heading.length - LISTED;
  return `${heading.slice(0, LISTED).map(shown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * The plan of a file by its first line; a text says why there is none.
 * @param isHeading whether that line is known to name the columns
 */
export function planOf(first: readonly string[], terms: FileConfig, isHeading = false): Plan | string {
  const named = terms.columns;
  const numbers = named !== undefined && Object.values(named).some((name) => typeof name === 'number');
  if (numbers) return byNumbers(first, named);
  const names = first.map(plain);
  const headed = names.filter((name) => NEEDED.slice(1).some((column) => NAMES[column].includes(name))).length >= 2;
  if (!headed && !isHeading && named === undefined) return withoutHeading(first);
  const places: Places = {};
  for (const [column, name] of Object.entries(named ?? {}) as [Column, string][]) {
    const at = first.findIndex((cell) => cell.toLowerCase() === name.toLowerCase());
    if (at < 0) return `the heading has no column "${name}"; it has ${listed(first)}`;
    places[column] = at;
  }
  const taken = () => Object.values(places);
  for (const column of Object.keys(NAMES) as Column[]) {
    if (column === 'clock' || places[column] !== undefined) continue;
    for (const name of NAMES[column]) {
      const at = names.findIndex((text, i) => text === name && !taken().includes(i));
      if (at < 0) continue;
      if (names.includes(name, at + 1))
        return `two columns are called "${first[at]}"; delete one of them, or give them names of their own`;
      places[column] = at;
      break;
    }
  }
  // A date beside a time: both are needed.
  const date = names.findIndex((name) => ['date', 'date1', 'tradedate', 'traddt'].includes(name));
  const clock = names.findIndex((name) => NAMES.clock.includes(name));
  if (named?.time === undefined && named?.clock === undefined && date >= 0 && clock >= 0)
    Object.assign(places, { time: date, clock });
  const missing = NEEDED.filter((column) => places[column] === undefined);
  if (missing.length > 0)
    return `no column for ${missing.join(', ')} among ${listed(first)}; name them in replay.json under "columns"`;
  return { places, heading: true, paise: names.includes('closepaise') };
}

function byNumbers(first: readonly string[], named: Partial<Record<Column, string | number>>): Plan | string {
  const places: Places = {};
  for (const [column, number] of Object.entries(named) as [Column, string | number][]) {
    if (typeof number !== 'number') return `"columns" in replay.json must hold numbers only, or names only`;
    if (number > first.length) return `column ${number} for ${column} is not there: the line has ${first.length} cells`;
    places[column] = number - 1;
  }
  const missing = NEEDED.filter((column) => places[column] === undefined);
  if (missing.length > 0) return `"columns" in replay.json must say where ${missing.join(', ')} stand`;
  const close = first[places.close!]!;
  return { places, heading: !NUMBER.test(close), paise: false };
}

/** Files without a heading, in the forms that are known. */
function withoutHeading(first: readonly string[]): Plan | string {
  const numbers = (from: number) =>
    first.length >= from + 4 && first.slice(from, from + 4).every((cell) => NUMBER.test(cell));
  const at = (from: number): Places => ({ open: from, high: from + 1, low: from + 2, close: from + 3 });
  const volume = (from: number): Places => (first.length > from ? { volume: from } : {});
  if (/^\d{8}$/.test(first[1] ?? '') && /^\d\d:\d\d(:\d\d)?$/.test(first[2] ?? '') && numbers(3))
    return {
      places: { symbol: 0, time: 1, clock: 2, ...at(3), ...volume(7) },
      heading: false,
      time: 'end',
      paise: false,
    };
  if (/^\d\d:\d\d(:\d\d)?$/.test(first[1] ?? '') && numbers(2))
    return { places: { time: 0, clock: 1, ...at(2), ...volume(6) }, heading: false, paise: false };
  if (/^\d{4}|^\d\d[-/]/.test(first[0] ?? '') && numbers(1))
    return { places: { time: 0, ...at(1), ...volume(5) }, heading: false, paise: false };
  return 'no heading: the first line must name the columns (time, open, high, low, close, volume), or number them in replay.json under "columns"';
}
