import type { AssetCatalog } from '../reference/catalog';
import { NAMES, plainHeading, planOf } from './columns';
import { refuseRow } from './read-error';
import type { FileConfig } from './replay-config';
import { RowReader } from './rows';
import { surveyOf, type CellRow } from './survey';
import type { FileRows } from './types';

/** Reads candles as brokers' interfaces answer them, where a program has kept the answer. */

const UNKNOWN =
  'it has no candles in a form that is known: a list of [time, open, high, low, close, volume], of objects with these names, or an object of such lists; save it so, or as CSV';
/** Keys under which interfaces put the candles of an answer: one of these names in another. */
const WRAPPERS = ['data', 'candles', 'Success', 'result', 'indexCloseOnlineRecords', 'd'];
const MAX_WRAPPERS = 4;
/** The columns of a candle that is a list. */
const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume', 'oi'];
/** Number of columns that a candle has at least: the time and four prices. */
const MIN_COLUMNS = 5;
const NAMES_OF_TIME = ['timestamp', 'time', 'datetime', 'date', 't', 'start_Time'];

interface Table {
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** The value of a text of JSON; undefined where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The candles in an answer; undefined where they are in no form that is known. */
function tableIn(answer: unknown, depth = 0): Table | undefined {
  if (Array.isArray(answer)) return tableOfList(answer as unknown[]);
  if (typeof answer === 'string') return depth === MAX_WRAPPERS ? undefined : tableIn(parsed(answer), MAX_WRAPPERS);
  if (!isObject(answer)) return undefined;
  const lists = tableWithColumns(answer) ?? tableOfLists(answer);
  if (lists !== undefined || depth === MAX_WRAPPERS) return lists;
  for (const name of WRAPPERS) {
    const found = name in answer ? tableIn(answer[name], depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** [[time, open, …], …] or [{time, open, …}, …]. */
function tableOfList(list: readonly unknown[]): Table | undefined {
  const [first] = list;
  if (list.length > 0 && list.every((candle) => Array.isArray(candle)))
    return { columns: COLUMNS, rows: list as readonly (readonly unknown[])[] };
  if (!isObject(first) || !list.every(isObject)) return undefined;
  const columns = Object.keys(first);
  return { columns, rows: list.map((candle) => columns.map((column) => candle[column])) };
}

/**
 * {columns: […], data: [[…], …]}, as a Python library splits a table, which may have its times apart, as index: the columns come in the
 * order that they are named in, and not in the usual one.
 */
function tableWithColumns(answer: Record<string, unknown>): Table | undefined {
  const { columns, index } = answer;
  const rows = answer['data'] ?? answer['candles'];
  const isTable = (list: unknown): list is unknown[][] =>
    Array.isArray(list) && list.every((row) => Array.isArray(row));
  if (!Array.isArray(columns) || !isTable(rows)) return undefined;
  const names = columns.map(textOf);
  const times = Array.isArray(index) && index.length === rows.length ? (index as unknown[]) : undefined;
  if (times === undefined || names.map(plainHeading).some((name) => NAMES.time.includes(name)))
    return { columns: names, rows };
  return { columns: ['timestamp', ...names], rows: rows.map((row, at) => [times[at], ...row]) };
}

/** {time: […], open: […], …} */
function tableOfLists(answer: Record<string, unknown>): Table | undefined {
  const time = NAMES_OF_TIME.find((name) => Array.isArray(answer[name]));
  if (time === undefined) return undefined;
  const { length } = answer[time] as unknown[];
  const columns = Object.keys(answer).filter((name) => {
    const list = answer[name];
    return Array.isArray(list) && list.length === length;
  });
  const rows = Array.from({ length }, (_, at) => columns.map((name) => (answer[name] as unknown[])[at]));
  return { columns, rows };
}

/** The table in the text of a JSON file, the names of its columns first; undefined where it holds none. */
export function tableOfJson(text: string): CellRow[] | undefined {
  const table = tableIn(parsed(text));
  if (table === undefined) return undefined;
  return [table.columns, ...table.rows].map((row, at) => ({
    cells: table.columns.map((_, place) => textOf(row[place])),
    line: at,
  }));
}

/**
 * Reads the text of a JSON file of candles. @throws OptionError that says the file, the candle (from 1) and what to do
 */
export function readJson(file: string, text: string, terms: FileConfig, catalog: AssetCatalog): FileRows {
  const answer = parsed(text);
  if (answer === undefined)
    return refuseRow(
      file,
      1,
      'it is no whole JSON; download or save it again, and where each line is a candle of its own put them into one list',
    );
  const table = tableIn(answer);
  if (table === undefined || table.rows.length === 0) return refuseRow(file, 1, UNKNOWN);
  const plan = planOf(table.columns, terms, true);
  if (typeof plan === 'string') return refuseRow(file, 1, plan);
  const rows: CellRow[] = table.rows.map((row, at) => {
    if (row.length < MIN_COLUMNS) refuseRow(file, at + 1, 'it has less than a time and four prices; delete it');
    return { cells: table.columns.map((_, place) => textOf(row[place])), line: at + 1 };
  });
  const reader = new RowReader(file, terms, plan, catalog, surveyOf(file, rows, plan, { ...terms, decimal: 'point' }));
  for (const { cells, line } of rows) reader.add(cells, line);
  return reader.result();
}
