import type { AssetCatalog } from '../reference/catalog';
import { BhavcopyReader, bhavcopyOf } from './bhavcopies';
import { namesPrices, plainHeading } from './column-names';
import { NO_HEADING, planOf } from './columns';
import { refuseRow, shortenText } from './read-error';
import { RowReader } from './rows';
import { lineFor, type FileConfig } from './replay-config';
import { surveyOf, type CellRow } from './survey';
import { areTicks, TickReader } from './ticks';
import type { FileRows } from './types';

/** No cell is longer than this, characters; beyond it a line break or a quotation mark is missing. */
const MAX_CELL_LENGTH = 1_000;
/** Length of a cell that is shown where it is too long, characters. */
const MAX_SHOWN_LENGTH = 80;
const SEPARATORS = [',', ';', '\t', '|'];
/** A line by which a spreadsheet is told the separator. */
const SEPARATOR_LINE = /^"?sep=(.)"?$/i;
/** Lines that only part others: of dashes, of separators, of nothing. */
const RULE = /^[\s,;|"=_*~+-]*$/;
/** Number of lines that may name the columns. */
const MAX_HEADINGS = 3;
/** Number of lines above a heading, such as a title and the time of the download. */
const MAX_LINES_ABOVE = 10;

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

/** The lines that are not empty, one after another: a list of all would be as large as the file again. */
function* linesOf(text: string): Generator<{ text: string; line: number }, undefined> {
  const ends = /\r\n|\n|\r|$/g;
  let line = 0;
  for (let begin = text.startsWith('\uFEFF') ? 1 : 0; begin < text.length; begin = ends.lastIndex) {
    ends.lastIndex = begin;
    const end = ends.exec(text)!;
    ends.lastIndex = end.index + Math.max(end[0].length, 1);
    line += 1;
    const row = text.slice(begin, end.index);
    if (!RULE.test(row)) yield { text: row, line };
  }
}

/** The sign that parts the cells of a file. */
function separatorOf(head: string): string {
  return SEPARATORS.reduce((best, separator) =>
    head.split(separator).length > head.split(best).length ? separator : best,
  );
}

/** The lines above the line that names the columns, and that line: the first one where none names prices or they are as wide as it. */
function beginningOf(text: string, stated: string | undefined): { above: string[]; heading: string } {
  const above: string[] = [];
  let widest = 0;
  for (const { text: row } of linesOf(text)) {
    const separator = stated ?? separatorOf(row);
    const cells = cellsOf(row, separator) ?? [];
    if (namesPrices(cells) && cells.length > widest) return { above, heading: row };
    widest = Math.max(widest, row.split(separator).length);
    above.push(row);
    if (above.length > MAX_LINES_ABOVE) break;
  }
  const begins = stated === undefined ? 0 : 1;
  return { above: above.slice(0, begins), heading: above[begins] ?? '' };
}

/** Files that are called CSV and are none, by their first line. */
const OTHER_KINDS: readonly [RegExp, string][] = [
  [/^\s{0,8}<(!doctype|html|\?xml)/i, 'it is a web page, perhaps with an error of the site; download it again'],
  [/^\s{0,8}(\[?\{"|\[\[)/, 'it is JSON; give it a name that ends in .json'],
];

/** NSE's tables of a moment, whose cells go over several lines: MW-NIFTY-50-27-Nov-2025.csv. */
const MARKET_WATCH = /^MW-/i;

/** Words for a line in which a quotation mark is not closed. */
const unclosed = (file: string): string =>
  MARKET_WATCH.test(file)
    ? `it is a market watch, which shows one moment and no candles; take it out of the folder, or write ${lineFor(file, { skip: true })} in replay.json`
    : 'a quotation mark is not closed, or a cell goes on in the next line; correct the line';

/** The rows of a file, each time from its beginning. @throws OptionError with file, line and what to do */
class CellRows implements Iterable<CellRow> {
  /** The lines above the heading, which are not read. */
  readonly above: readonly string[];
  /** The words below the last row, which are not read either; known once all rows have passed. */
  below: readonly string[] = [];
  private readonly separator: string;

  constructor(
    private readonly file: string,
    private readonly text: string,
  ) {
    const first = linesOf(text).next().value;
    if (first === undefined) refuseRow(file, 1, 'the file is empty; delete it, or fill it');
    if (/[\0-\x08\uFFFD]/.test(first.text))
      refuseRow(file, first.line, 'this is no text in UTF-8; save it as CSV in UTF-8, or take it out of the folder');
    const other = OTHER_KINDS.find(([begin]) => begin.test(first.text))?.[1];
    if (other !== undefined) refuseRow(file, first.line, other);
    const stated = SEPARATOR_LINE.exec(first.text.trim())?.[1];
    const { above, heading } = beginningOf(text, stated);
    this.above = above;
    this.separator = stated ?? separatorOf(heading);
  }

  /** True if a cell may hold a comma that does not part cells. */
  get mayHoldCommas(): boolean {
    return this.text.includes(this.separator === ',' ? '"' : ',');
  }

  *[Symbol.iterator](): Generator<CellRow, undefined> {
    let passed = 0;
    for (const { text, line } of linesOf(this.text)) {
      passed += 1;
      if (passed <= this.above.length) continue;
      const cells = cellsOf(text, this.separator);
      if (cells === undefined) refuseRow(this.file, line, unclosed(this.file));
      const long = cells.find(({ length }) => length > MAX_CELL_LENGTH);
      if (long !== undefined)
        refuseRow(
          this.file,
          line,
          `a cell has ${long.length} characters, and at most ${MAX_CELL_LENGTH} are read: ${JSON.stringify(`${long.slice(0, MAX_SHOWN_LENGTH)}…`)}; correct the line`,
        );
      yield { cells, line };
    }
  }
}

const LETTER = /^\W?[A-Za-z]/;

/** A line of names, whatever their case and signs. */
const namesOf = (cells: readonly string[]): string => cells.map(plainHeading).join(',');

/** Beginning of words that are no row where rows begin with a date: a total, a source, a remark. */
const WORDS = /^[*#(]?\p{L}{3}/u;
const DIGITS = /^[\d.,]+$/;

/** True if a line that begins with words has no more than one number, such as the sum of a column; one of prices or headings is none. */
const isRemark = (cells: readonly string[]): boolean =>
  WORDS.test(cells[0] ?? '') && cells.slice(1).filter((cell) => DIGITS.test(cell)).length < 2 && !namesPrices(cells);

/** The rows after the lines of names, each as wide as the first line. @throws OptionError of one that is not */
function* rowsBelow(file: string, rows: CellRows, headings: number, width: number): Generator<CellRow, undefined> {
  const widened = (row: CellRow): CellRow => {
    const cells = [...row.cells];
    if (cells.length > width && cells.slice(width).every((cell) => cell === '')) cells.length = width;
    if (cells.length === width) return { cells, line: row.line };
    const count = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`;
    return refuseRow(file, row.line, `${count} where the first line has ${width}; correct or delete the line`);
  };
  let passed = 0;
  let heading = '';
  let lettered = -1;
  let areDated: boolean | undefined;
  const remarks: CellRow[] = [];
  for (const { cells, line } of rows) {
    passed += 1;
    if (passed <= headings) {
      if (passed > 1) continue;
      heading = namesOf(cells);
      lettered = cells.findLastIndex((cell) => LETTER.test(cell));
      continue;
    }
    // Files that were put together have the heading of each.
    if (lettered >= 0 && LETTER.test(cells[lettered] ?? '') && namesOf(cells) === heading) continue;
    areDated ??= /^\d/.test(cells[0] ?? '');
    const row = { cells, line };
    if (areDated && isRemark(cells)) remarks.push(row);
    // Words with a row behind them are none below the last: they stand where a row should.
    else for (const next of [...remarks.splice(0), row]) yield widened(next);
  }
  rows.below = remarks.map(({ cells }) => cells.filter((cell) => cell !== '').join(' '));
}

/** The rows of a table with one line of names, which comes first. @throws OptionError with file, line and what to do */
export function rowsOfTable(file: string, text: string): CellRow[] {
  const rows = new CellRows(file, text);
  const heading = headingOf(file, rows);
  return [heading, ...rowsBelow(file, rows, 1, heading.cells.length)];
}

/** The first line of a file, without empty cells at its end. */
function headingOf(file: string, rows: CellRows): CellRow {
  for (const { cells, line } of rows) {
    const named = [...cells];
    while (named.length > 1 && named.at(-1) === '') named.pop();
    return { cells: named, line };
  }
  return refuseRow(file, 1, 'the file is empty; delete it, or fill it');
}

/** The names of the columns of a file, by its first line. @throws OptionError with file, line and what to do */
export const headingIn = (file: string, text: string): readonly string[] =>
  headingOf(file, new CellRows(file, text)).cells;

/**
 * Reads the text of a file of candles: separated by commas, semicolons, tabs or bars, with a heading or in a known form
 * without one; also a bhavcopy of NSE or BSE, and ticks as the sandbox writes them.
 * @throws OptionError that says the file, the line and what to do
 */
export function readCandles(file: string, text: string, terms: FileConfig, catalog: AssetCatalog): FileRows {
  const rows = new CellRows(file, text);
  const head: CellRow[] = [];
  for (const row of rows) {
    head.push(row);
    if (head.length === MAX_HEADINGS) break;
  }
  const [first, ...more] = head;
  if (first === undefined) return refuseRow(file, 1, 'the file is empty; delete it, or fill it');
  const cells = [...first.cells];
  while (cells.length > 1 && cells.at(-1) === '') cells.pop();
  const found = readerOf(file, cells, terms, catalog, rows, more);
  if (found === NO_HEADING)
    return refuseRow(
      file,
      first.line,
      `${found}; if it holds no candles, write ${lineFor(file, { skip: true })} there`,
    );
  if (typeof found === 'string') return refuseRow(file, first.line, found);
  for (const { cells: own, line } of rowsBelow(file, rows, found.headings, cells.length)) found.reader.add(own, line);
  const result = found.reader.result();
  const above = rows.above.filter((text) => !SEPARATOR_LINE.test(text.trim()));
  const unread = [
    ...unreadNotes(file, 'above its heading', above),
    ...unreadNotes(file, 'below its last row', rows.below),
  ];
  return { ...result, notes: [...unread, ...result.notes] };
}

/** Says which lines of a file are not read; nothing where there are none. */
function unreadNotes(file: string, where: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const texts = lines.slice(0, MAX_LINES_ABOVE).map((text) => JSON.stringify(shortenText(text.trim())));
  const more = lines.length - texts.length;
  return [`${file}: what is ${where} is not read: ${texts.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`];
}

/** Reader of the lines of a file after its heading. */
interface LineReader {
  /** @param line from 1. @throws OptionError with file, line and what to do */
  add(cells: readonly string[], line: number): void;
  result(): FileRows;
}

/** The reader of a file by its first lines, and how many of them name the columns; a text says why there is none. */
function readerOf(
  file: string,
  cells: readonly string[],
  terms: FileConfig,
  catalog: AssetCatalog,
  rows: CellRows,
  more: readonly CellRow[],
): { reader: LineReader; headings: number } | string {
  if (areTicks(cells)) return { reader: new TickReader(file, catalog), headings: 1 };
  const bhavcopy = bhavcopyOf(file, cells, catalog);
  if (typeof bhavcopy === 'string') return bhavcopy;
  if (bhavcopy !== undefined) return { reader: new BhavcopyReader(file, terms, bhavcopy, catalog), headings: 1 };
  const plan = planOf(
    cells,
    terms,
    false,
    more.map((row) => row.cells.slice(0, cells.length)),
  );
  if (typeof plan === 'string') return plan;
  const writing = surveyOf(
    file,
    rowsBelow(file, rows, plan.headings, cells.length),
    plan,
    rows.mayHoldCommas ? terms : { ...terms, decimal: terms.decimal ?? 'point' },
  );
  return { reader: new RowReader(file, terms, plan, catalog, writing), headings: plan.headings };
}
