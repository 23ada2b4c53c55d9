/** A document as a workbook: one sheet for each section that can be filtered, with real numbers and real dates. */
import { EventLoopTurns } from '../../shared/cooperative';
import { isNumeric, maskedPan, numericValue, formatValue } from '../document/format';
import { encryptOffice } from './office-encryption';
import {
  cellXml,
  columnLetter,
  rowXml,
  SheetStyles,
  workbookParts,
  worksheetXml,
  type CellStyle,
  type CellValue,
} from './sheet-xml';
import { ZipWriter } from './zip-writer';
import type {
  ReportColumn,
  ReportClient,
  ReportDocument,
  ReportFigure,
  ReportSection,
  Value,
  ValueKind,
} from '../document/types';

const INK = '1B2A41';
const BAND = 'E8EEF6';
const QUIET: CellStyle = { color: '5A6B82' };
/** A figure above the table reaches over so many columns. */
const FIGURE_COLUMNS = 3;
/** Bold text is wider by so many characters. */
const BOLD = 2;
/** Decimals after the whole number of kinds whose digits are grouped. */
const DECIMALS: Partial<Record<ValueKind, string>> = {
  money: '.00',
  price: '.00',
  quantity: '',
  units: '.000',
  nav: '.0000',
};
const FORMATS: Partial<Record<ValueKind, string>> = { percent: '0.00"%"', date: 'dd mmm yyyy' };
/** Up to so many digits all grouping is the same. */
const SAME_GROUPING = 5;
const FORBIDDEN_IN_NAME = /[\\/?*[\]:]/g;
const MAX_NAME = 31;

const HEADING: CellStyle = { bold: true, color: 'FFFFFF', fill: INK, wraps: true };
const TOTAL: CellStyle = { bold: true, fill: BAND };

/**
 * Written a row at a time, in many turns of the event loop: nothing else waits for a long one, and no more of it is held than its packed
 * bytes.
 * @param password opens the file when given (ECMA-376 encryption).
 */
export async function toXlsx(document: ReportDocument, client: ReportClient, password?: string): Promise<Buffer> {
  const zip = new ZipWriter();
  const [names, styles, turns] = [new Set<string>(), new SheetStyles(), new EventLoopTurns()];
  for (const [index, section] of document.sections.entries()) {
    const widths = await widthsOf(section, document.figures, turns);
    names.add(nameOf(section.title, names));
    const sheet = new SheetWriter(document, section, client, styles);
    await zip.add(`xl/worksheets/sheet${index + 1}.xml`, sheet.write(widths, turns));
  }
  for (const [name, xml] of workbookParts(document.title, [...names], styles)) await zip.add(name, [xml]);
  const file = zip.end();
  return password === undefined ? file : encryptOffice(file, password, turns);
}

/** The sheet of a section, from its top to its end. */
class SheetWriter {
  private count = 0;
  private readonly merges: string[] = [];
  private readonly plainStyles = new Map<string, number>();

  constructor(
    private readonly document: ReportDocument,
    private readonly section: ReportSection,
    private readonly client: ReportClient,
    private readonly styles: SheetStyles,
  ) {}

  /** Pieces of its XML. @param widths of its columns, characters */
  async *write(widths: readonly number[], turns: EventLoopTurns): AsyncGenerator<string> {
    const { section } = this;
    const { columns, rows, totals } = section;
    const top = this.top();
    const header = this.count;
    const last = header + rows.length;
    yield worksheetXml.begin(widths, header);
    yield* top;
    for (const values of rows) {
      yield this.row(
        columns.map(({ key, kind }) => {
          const value = cellOf(values[key] ?? null, kind);
          return [value, this.styleIdOf(kind, value)];
        }),
      );
      await turns.next();
    }
    if (totals !== undefined)
      yield this.styled(
        columns.map(({ key, kind }) => cellOf(totals[key] ?? null, kind)),
        (at, value) => ({ ...styleOf(columns[at]!.kind, value), ...TOTAL }),
      );
    const filter = rows.length === 0 ? undefined : `A${header}:${columnLetter(columns.length - 1)}${last}`;
    yield worksheetXml.end(filter, this.merges);
  }

  /** Its rows down to the names of the columns. */
  private top(): string[] {
    const { document, section, client } = this;
    const { columns } = section;
    const title = document.title === section.title ? document.title : `${document.title}: ${section.title}`;
    const who = `${client.name} · client code ${client.clientCode} · PAN ${maskedPan(client.pan)}`;
    const rows = [
      this.styled([title], () => ({ bold: true, size: 15, color: INK })),
      this.styled([document.period], () => QUIET),
      this.styled([who], () => QUIET),
    ];
    for (const { title, value, kind } of document.figures) {
      const at = this.count + 1;
      if (columns.length > FIGURE_COLUMNS) this.merges.push(`B${at}:${columnLetter(FIGURE_COLUMNS)}${at}`);
      rows.push(
        this.styled([title, cellOf(value, kind)], (column, cell) =>
          column === 0 ? QUIET : { ...styleOf(kind, cell), bold: true, align: 'left' },
        ),
      );
    }
    this.count += 1;
    rows.push(
      this.styled(columns.map(titleOf), (column, title) => ({ ...styleOf(columns[column]!.kind, title), ...HEADING })),
    );
    return rows;
  }

  private styled(values: readonly CellValue[], style: (column: number, value: CellValue) => CellStyle): string {
    return this.row(values.map((value, column) => [value, this.styles.of(style(column, value))]));
  }

  /** Number of the style of a plain cell. A long sheet has few kinds and sizes of numbers, and many cells. */
  private styleIdOf(kind: ValueKind, value: CellValue): number {
    const name = `${kind} ${digitsOf(value)}`;
    let found = this.plainStyles.get(name);
    if (found === undefined) this.plainStyles.set(name, (found = this.styles.of(styleOf(kind, value))));
    return found;
  }

  private row(cells: readonly (readonly [value: CellValue, style: number])[]): string {
    this.count += 1;
    return rowXml(
      this.count,
      cells.map(([value, style], column) => cellXml(column, this.count, value, style)),
    );
  }
}

function titleOf(column: ReportColumn): string {
  return column.kind === 'money' || column.kind === 'price' ? `${column.title} (₹)` : column.title;
}

function styleOf(kind: ValueKind, value: CellValue): CellStyle {
  const format = formatOf(kind, value);
  return isNumeric(kind) ? { format, align: 'right' } : { format, align: 'left', indent: 1 };
}

/** Returns the number format of a value, in Indian grouping whatever the reader's own settings are; no format has it for numbers of any size. */
function formatOf(kind: ValueKind, value: CellValue): string | undefined {
  const decimals = DECIMALS[kind];
  if (decimals === undefined) return FORMATS[kind];
  const digits = digitsOf(value);
  const pairs = Array<string>(Math.ceil((digits - 3) / 2)).fill('##');
  const number = `${digits === SAME_GROUPING ? '#,##0' : [...pairs, '##0'].join('\\,')}${decimals}`;
  return kind === 'money' || kind === 'price' ? `${number};[Red]-${number}` : number;
}

/** Digits of a whole number; `SAME_GROUPING` for fewer, and for what is no number. */
function digitsOf(value: CellValue): number {
  return typeof value === 'number'
    ? Math.max(SAME_GROUPING, String(Math.trunc(Math.abs(value))).length)
    : SAME_GROUPING;
}

function cellOf(value: Value, kind: ValueKind): CellValue {
  if (value === null) return null;
  if (typeof value === 'number') return numericValue(value, kind, 100);
  if (kind === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return new Date(`${value}T00:00:00Z`);
  return plainText(value);
}

/** Text that a spreadsheet must never take for a formula, not even after it was saved as CSV. */
export function plainText(text: string): string {
  return /^[=+\-@\t\r\n|]/.test(text) ? `'${text}` : text;
}

/** Widths of the columns, characters: a number that has no room is shown as "###". */
async function widthsOf(
  { columns, rows, totals }: ReportSection,
  figures: readonly ReportFigure[],
  turns: EventLoopTurns,
): Promise<number[]> {
  const longest = columns.map((column) => titleOf(column).length);
  const widen = (at: number, text: string, more = 0): void => {
    longest[at] = Math.max(longest[at] ?? 0, text.length + more);
  };
  for (const row of rows) {
    columns.forEach(({ key, kind }, at) => widen(at, formatValue(row[key] ?? null, kind)));
    await turns.next();
  }
  if (totals !== undefined)
    columns.forEach(({ key, kind }, at) => widen(at, formatValue(totals[key] ?? null, kind), BOLD));
  for (const { title, value, kind } of figures) {
    widen(0, title);
    if (columns.length <= FIGURE_COLUMNS && isNumeric(kind)) widen(1, formatValue(value, kind), BOLD);
  }
  return longest.map((length) => Math.min(60, Math.max(10, length + 3)));
}

function nameOf(title: string, taken: Set<string>): string {
  const base = title.replace(FORBIDDEN_IN_NAME, ' ').slice(0, MAX_NAME);
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base.slice(0, MAX_NAME - 4)} ${number}`;
  return name;
}
