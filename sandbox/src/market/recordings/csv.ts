import type { AssetCatalog } from '../reference/catalog';
import { BhavcopyReader, bhavcopyOf } from './bhavcopies';
import { planOf } from './columns';
import { refuseRow } from './read-error';
import { RowReader } from './rows';
import type { FileConfig } from './replay-config';
import { areTicks, TickReader } from './ticks';
import type { FileRows } from './types';

/** No cell is longer than this, characters; beyond it a line break or a quotation mark is missing. */
const MAX_CELL_LENGTH = 1_000;
/** So much of a cell that is too long is shown, characters. */
const MAX_SHOWN_LENGTH = 80;
const SEPARATORS = [',', ';', '\t', '|'];

/** The cells of a line, without blanks and quotation marks around them; undefined where a quotation mark is not closed. */
function cellsOf(line: string, separator: string): string[] | undefined {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const sign = line[i]!;
    if (sign === '"') {
      if (quoted && line[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else quoted = !quoted;
    } else if (sign === separator && !quoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += sign;
  }
  return quoted ? undefined : [...cells, cell.trim()];
}

/** The lines in which something stands, one after another: a list of all would be as large as the file again. */
function* linesOf(text: string): Generator<{ text: string; line: number }, undefined> {
  const ends = /\r\n|\n|\r|$/g;
  let line = 0;
  for (let begin = text.startsWith('\uFEFF') ? 1 : 0; begin < text.length; begin = ends.lastIndex) {
    ends.lastIndex = begin;
    const end = ends.exec(text)!;
    ends.lastIndex = end.index + Math.max(end[0].length, 1);
    line += 1;
    const row = text.slice(begin, end.index);
    if (row.trim() !== '') yield { text: row, line };
  }
}

/**
 * Reads the text of a file of candles: separated by commas, semicolons, tabs or bars, with a heading or in a known form
 * without one; also a bhavcopy of NSE or BSE, and ticks as the sandbox writes them.
 * @throws OptionError that says the file, the line and what to do
 */
export function readCandles(file: string, text: string, terms: FileConfig, catalog: AssetCatalog): FileRows {
  const refuse = (line: number, what: string): never => refuseRow(file, line, what);
  const lines = linesOf(text);
  const first = lines.next().value;
  if (first === undefined) return refuse(1, 'the file is empty; delete it, or fill it');
  const head = first.text;
  if (/[\0-\x08\uFFFD]/.test(head))
    return refuse(first.line, 'this is no text in UTF-8; save it as CSV in UTF-8, or take it out of the folder');
  const separator = SEPARATORS.reduce((best, separator) =>
    head.split(separator).length > head.split(best).length ? separator : best,
  );
  const cells = cellsOf(head, separator);
  if (cells === undefined) return refuse(first.line, 'a quotation mark is not closed; correct the line');
  const requireShort = (own: readonly string[], line: number): void => {
    const long = own.find(({ length }) => length > MAX_CELL_LENGTH);
    if (long === undefined) return;
    const start = JSON.stringify(`${long.slice(0, MAX_SHOWN_LENGTH)}…`);
    refuse(
      line,
      `a cell has ${long.length} characters, and at most ${MAX_CELL_LENGTH} are read: ${start}; correct the line`,
    );
  };
  requireShort(cells, first.line);
  while (cells.length > 1 && cells.at(-1) === '') cells.pop();
  const found = readerOf(file, cells, terms, catalog);
  if (typeof found === 'string') return refuse(first.line, found);
  const { reader, isHeaded } = found;
  const width = cells.length;
  const read = (row: string, line: number): void => {
    const own = cellsOf(row, separator);
    if (own === undefined) return refuse(line, 'a quotation mark is not closed; correct the line');
    requireShort(own, line);
    if (own.length > width && own.slice(width).every((cell) => cell === '')) own.length = width;
    if (own.length !== width)
      refuse(line, `${own.length} cells where the first line has ${width}; correct or delete the line`);
    reader.add(own, line);
  };
  if (!isHeaded) read(head, first.line);
  for (const { text: row, line } of lines) read(row, line);
  return reader.result();
}

/** What takes the lines of a file after its heading. */
interface LineReader {
  /** @param line from 1. @throws OptionError with file, line and what to do */
  add(cells: readonly string[], line: number): void;
  result(): FileRows;
}

/** The reader of a file by its first line, and whether that is a heading; a text says why there is none. */
function readerOf(
  file: string,
  cells: readonly string[],
  terms: FileConfig,
  catalog: AssetCatalog,
): { reader: LineReader; isHeaded: boolean } | string {
  if (areTicks(cells)) return { reader: new TickReader(file, catalog), isHeaded: true };
  const bhavcopy = bhavcopyOf(file, cells, catalog);
  if (typeof bhavcopy === 'string') return bhavcopy;
  if (bhavcopy !== undefined) return { reader: new BhavcopyReader(file, terms, bhavcopy, catalog), isHeaded: true };
  const plan = planOf(cells, terms);
  if (typeof plan === 'string') return plan;
  return { reader: new RowReader(file, terms, plan, catalog), isHeaded: plan.heading };
}
