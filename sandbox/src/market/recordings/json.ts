import type { AssetCatalog } from '../reference/catalog';
import { NAMES, plainHeading } from './column-names';
import { planOf } from './columns';
import { contractNamed } from './contract-names';
import { resolveInstrument } from './instrument-names';
import { isObject, parsedJson, tableIn, textIn, type JsonTable } from './json-tables';
import { offsetOf, parseTime } from './parse-time';
import { JSON_LINES_FILE_NAME, refuseRow, shortenText } from './read-error';
import type { FileConfig } from './replay-config';
import { RowReader } from './rows';
import { surveyOf, type CellRow } from './survey';
import { areTicks, TickReader } from './ticks';
import type { FileRows } from './types';

/** Reads candles as brokers' interfaces and programs write them in JSON, as one value or one of each line. */

const UNKNOWN =
  'it has no candles in a form that is known: a list of [time, open, high, low, close, volume], of objects with these names, or an object of such lists; save it so, or as CSV';
const NOT_WHOLE = 'it is no whole JSON; download or save it again';
/** Python writes a price that it does not know so, which JSON does not have. */
const NOT_A_NUMBER = /[:[,]\s?-?(?:NaN|Infinity)\b/;
const HAS_NONE = 'it holds NaN or Infinity, which JSON does not have; write null instead';
/** Number of columns that a candle has at least: the time and four prices. */
const MIN_COLUMNS = 5;
/** Minutes of India over UTC. */
const INDIA = 330;
const FIRST_LINE = /^[^\r\n]*/;

/** Table in the text of a JSON file. */
export interface JsonRows extends JsonTable {
  /** Of each row its number in the file, from 1. */
  lines: readonly number[];
}

/**
 * The table in the text of a JSON file.
 * @throws OptionError that says the file, the row (from 1) and what to do
 */
export function jsonRows(file: string, text: string): JsonRows {
  const whole = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const answer = parsedJson(whole);
  if (answer === undefined || (isObject(answer) && JSON_LINES_FILE_NAME.test(file))) return rowsOfLines(file, whole);
  const table = tableIn(answer);
  if (table === undefined || table.rows.length === 0) return refuseRow(file, 1, UNKNOWN);
  return { ...table, lines: table.rows.map((_, at) => at + 1) };
}

/** The same where each line is a value. */
function rowsOfLines(file: string, text: string): JsonRows {
  const first = parsedJson(FIRST_LINE.exec(text.trimStart())![0]);
  if (typeof first !== 'object' || first === null)
    return refuseRow(file, 1, NOT_A_NUMBER.test(text) ? HAS_NONE : NOT_WHOLE);
  const values: unknown[] = [];
  const lines: number[] = [];
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') continue;
    const value = parsedJson(line);
    if (value === undefined)
      refuseRow(file, at + 1, NOT_A_NUMBER.test(line) ? HAS_NONE : 'this line is no whole JSON; correct or delete it');
    values.push(value);
    lines.push(at + 1);
  }
  const table = tableIn(values);
  if (table?.rows.length !== values.length) return refuseRow(file, 1, UNKNOWN);
  return { ...table, lines };
}

/** The rows of a table as texts, the names of its columns first. */
export const cellsOfJson = ({ columns, rows, lines }: JsonRows): CellRow[] =>
  [columns, ...rows].map((row, at) => ({
    cells: columns.map((_, place) => textIn(row[place])),
    line: at === 0 ? 0 : lines[at - 1]!,
  }));

/** A table with a column of the instrument that is named beside it, where it has none. */
function named(table: JsonRows, catalog: AssetCatalog): JsonRows {
  const { beside = '', columns, rows } = table;
  const hasSymbol = columns.some((column) => NAMES.symbol.includes(plainHeading(column)));
  const resolution = hasSymbol ? undefined : resolveInstrument(catalog, beside);
  const isNamed =
    resolution !== undefined && (!('isNot' in resolution) || contractNamed(catalog, beside) !== undefined);
  if (!isNamed) return table;
  return {
    ...table,
    columns: [...columns, 'symbol'],
    rows: rows.map((row) => [...columns.map((_, at) => row[at]), beside]),
  };
}

/** Reads a table of candles, or of ticks as the sandbox writes them. @throws OptionError with file, row and what to do */
export function readJson(file: string, table: JsonRows, terms: FileConfig, catalog: AssetCatalog): FileRows {
  const [heading, ...rows] = cellsOfJson(named(table, catalog)) as [CellRow, ...CellRow[]];
  if (areTicks(heading.cells)) {
    const ticks = new TickReader(file, catalog);
    for (const { cells, line } of rows) ticks.add(cells, line);
    return ticks.result();
  }
  if (table.rows.every((row) => row.length < MIN_COLUMNS - 1) && heading.cells.length >= MIN_COLUMNS)
    refuseRow(
      file,
      1,
      'it has single prices with their times, not candles; download candles: time, open, high, low, close',
    );
  const plan = planOf(heading.cells, terms, true);
  if (typeof plan === 'string') return refuseRow(file, 1, plan);
  for (const [at, row] of table.rows.entries())
    if (row.length < MIN_COLUMNS)
      refuseRow(file, table.lines[at]!, 'it has less than a time and four prices; delete it');
  const zoned = terms.zone === undefined && table.zone !== undefined;
  if (zoned && offsetOf(table.zone!) === undefined) refuseZone(file, table.zone!, rows, plan.places.time!);
  const own = zoned && offsetOf(table.zone!) !== undefined ? { ...terms, zone: table.zone! } : terms;
  const reader = new RowReader(file, own, plan, catalog, surveyOf(file, rows, plan, { ...own, decimal: 'point' }));
  for (const { cells, line } of rows) reader.add(cells, line);
  return reader.result();
}

/** Refuses times of day in a zone whose offset is not the same all year; days have none. */
function refuseZone(file: string, zone: string, rows: readonly CellRow[], time: number): void {
  const cellRow = rows.find(({ cells }) => parseTime(cells[time]!, undefined, INDIA)?.dateOnly === false);
  if (cellRow !== undefined)
    refuseRow(
      file,
      cellRow.line,
      `its times are those of ${shortenText(zone)}; download them in the time of India or in UTC, or write each with its offset`,
    );
}
