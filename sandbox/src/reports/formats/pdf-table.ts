/**
 * Layout of a table on a page: no amount is ever cut. Texts go on in more lines first; then all of the table is set smaller.
 */
import { EventLoopTurns } from '../../shared/cooperative';
import { isNumeric, formatValue } from '../document/format';
import type { ReportColumn, ReportRow, ReportSection, ValueKind } from '../document/types';
import { printableText, type FontName, widthOf } from './pdf-fonts';

/** Points. */
export const TEXT = 7.8;
export const PADDING = 6;
export const ROW = 17;
const HEAD_ROW = 28;
const HEAD_TEXT = 7.2;
const LINE_GAP = 2;
/** Smaller than this nothing is set; what does not fit even then goes on in more lines, digits too. */
const SMALLEST = 3.6;
const STEP = 0.3;
/** A word longer than this may be broken, in widths of a letter. */
const LONG_WORD = 24;

export interface TableLayout {
  widths: number[];
  /** Of the text, points; heads are set in proportion. */
  size: number;
  headHeight: number;
  headSize: number;
  heads: string[][];
}

/** Returns the text of a cell. */
export function cellText(row: ReportRow, { key, kind }: ReportColumn): string {
  return printableText(formatValue(row[key] ?? null, kind));
}

/** A text in lines of a width (points) at a size: between words, and within a word that is wider than a line. */
export function linesOf(text: string, weight: FontName, size: number, width: number): string[] {
  // What was fitted to the last fraction of a point fits.
  const room = width / size + 1e-6;
  if (widthOf(text, weight) <= room) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer, weight) <= room) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (widthOf(line, weight) > room && line.length > 1) {
      let end = line.length - 1;
      while (end > 1 && widthOf(line.slice(0, end), weight) > room) end -= 1;
      lines.push(line.slice(0, end));
      line = line.slice(end);
    }
  }
  return [...lines, line];
}

/** Height of so many lines of a table's text, points. */
export function rowHeight(lines: number, size: number): number {
  return ROW + (lines - 1) * (size + LINE_GAP);
}

/** Widths that the columns need at a size of 1: all of a text, and its longest word. */
interface Needs {
  whole: number[];
  word: number[];
}

export async function tableLayout(section: ReportSection, page: number, turns: EventLoopTurns): Promise<TableLayout> {
  const { columns } = section;
  const needs = await needsOf(section, turns);
  for (let size = TEXT; ; size -= STEP) {
    const widths = fitted(columns, needs, page, size);
    if (widths === undefined && size - STEP >= SMALLEST) continue;
    return withHeads(columns, widths ?? squeezed(needs, page, size), size);
  }
}

async function needsOf({ columns, rows, totals }: ReportSection, turns: EventLoopTurns): Promise<Needs> {
  const headScale = HEAD_TEXT / TEXT;
  const head = columns.map(({ title }) => longestWord(printableText(title), 'Helvetica-Bold') * headScale);
  const needs: Needs = { whole: [...head], word: [...head] };
  const measure = (row: ReportRow, weight: FontName): void =>
    columns.forEach((column, index) => {
      const text = cellText(row, column);
      const whole = widthOf(text, weight);
      needs.whole[index] = Math.max(needs.whole[index]!, whole);
      const word = isUnbroken(column.kind) ? whole : Math.min(whole, longestWord(text, weight));
      needs.word[index] = Math.max(needs.word[index]!, word);
    });
  for (const row of rows) {
    measure(row, 'Helvetica');
    await turns.next();
  }
  if (totals !== undefined) measure(totals, 'Helvetica-Bold');
  return needs;
}

/** True if a value is one word, whatever it contains. */
function isUnbroken(kind: ValueKind): boolean {
  return kind !== 'text';
}

function longestWord(text: string, weight: FontName): number {
  const limit = LONG_WORD * widthOf('0', weight);
  return Math.max(...text.split(' ').map((word) => Math.min(widthOf(word, weight), limit)));
}

/** Widths of a page's columns at a size; undefined where they do not fit. */
function fitted(columns: readonly ReportColumn[], needs: Needs, page: number, size: number): number[] | undefined {
  const of = (need: readonly number[]): number[] => need.map((width) => width * size + 2 * PADDING + 1);
  const [whole, least] = [of(needs.whole), of(needs.word)];
  const spare = page - sumWidths(whole);
  if (spare >= 0) {
    const weights = columns.reduce((sum, { width }) => sum + width, 0);
    return whole.map((width, index) => width + (spare * columns[index]!.width) / weights);
  }
  const room = page - sumWidths(least);
  if (room < 0) return undefined;
  const lacking = sumWidths(whole) - sumWidths(least);
  return least.map((width, index) => width + (room * (whole[index]! - width)) / lacking);
}

/** As many as there are: each gets its share, and nothing is left out but goes on in more lines. */
function squeezed({ word }: Needs, page: number, size: number): number[] {
  const least = word.map((width) => width * size + 2 * PADDING + 1);
  return least.map((width) => (width * page) / sumWidths(least));
}

function withHeads(columns: readonly ReportColumn[], widths: number[], size: number): TableLayout {
  const headSize = (HEAD_TEXT * size) / TEXT;
  const heads = columns.map(({ title }, index) =>
    linesOf(printableText(title), 'Helvetica-Bold', headSize, widths[index]! - 2 * PADDING),
  );
  const maxLines = Math.max(...heads.map((lines) => lines.length));
  return { widths, size, headSize, heads, headHeight: Math.max(HEAD_ROW, maxLines * (headSize + LINE_GAP) + 10) };
}

export function lineHeight(size: number): number {
  return size + LINE_GAP;
}

export function sumWidths(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

export function alignsRight(kind: ValueKind): boolean {
  return isNumeric(kind);
}
