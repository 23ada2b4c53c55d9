/** A document as a workbook: one sheet for each section that can be filtered, with real numbers and real dates. */
import type { Cell, CellStyle, CellValue, ColumnDef, MergeRange, WriteSheet } from 'hucre';
import { Turns } from '../../shared/cooperative';
import { isNumeric, maskedPan, numeric, written } from '../document/format';
import { WorkbookThread } from './workbook-thread';
import type { Column, ReportClient, ReportDocument, Section, Value, ValueKind } from '../document/types';

const INK = '1B2A41';
const BAND = 'E8EEF6';
/** Grouped the way the reader's own settings group digits. */
const RUPEES = '#,##0.00;[Red]-#,##0.00';
const FONT = { name: 'Calibri', size: 11 };
const QUIET = { ...FONT, color: { rgb: '5A6B82' } };
/** A figure above the table reaches over so many columns. */
const FIGURE_COLUMNS = 3;
const FORMATS: Partial<Record<ValueKind, string>> = {
  money: RUPEES,
  price: RUPEES,
  quantity: '#,##0',
  units: '#,##0.000',
  nav: '#,##0.0000',
  percent: '0.00"%"',
  date: 'dd mmm yyyy',
};
const FORBIDDEN_IN_NAME = /[\\/?*[\]:]/g;
const MAX_NAME = 31;
/** Rounds of key derivation: enough for a simulation's paper, and a report stays quick. */
const SPIN_COUNT = 1_000;

const HEADING: CellStyle = {
  font: { ...FONT, bold: true, color: { rgb: 'FFFFFF' } },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: INK } },
  alignment: { vertical: 'center', wrapText: true },
};
const TOTAL: CellStyle = {
  font: { ...FONT, bold: true },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: BAND } },
};

/** @param password opens the file when given (ECMA-376 encryption). */
export async function toXlsx(document: ReportDocument, client: ReportClient, password?: string): Promise<Buffer> {
  const names = new Set<string>();
  const turns = new Turns();
  const thread = new WorkbookThread();
  try {
    for (const section of document.sections) thread.end(await sheetOf(thread, document, section, client, names, turns));
    return await thread.written({
      properties: { title: document.title, creator: 'brokerage-sandbox' },
      defaultFont: { name: 'Calibri', size: 11 },
      ...(password === undefined ? {} : { encryption: { password, spinCount: SPIN_COUNT } }),
    });
  } finally {
    await thread.close();
  }
}

/** Sends the rows of a section to the thread, and gives out what else its sheet has. */
async function sheetOf(
  thread: WorkbookThread,
  document: ReportDocument,
  section: Section,
  client: ReportClient,
  names: Set<string>,
  turns: Turns,
): Promise<Omit<WriteSheet, 'rows'>> {
  let count = 0;
  const cells = new Map<string, Partial<Cell>>();
  const put = (values: CellValue[], style?: (column: number) => CellStyle | undefined) => {
    values.forEach((value, column) => {
      const cellStyle = style?.(column);
      if (cellStyle) cells.set(`${count},${column}`, { value, style: cellStyle });
    });
    thread.add(values);
    count += 1;
  };

  put([document.title === section.title ? document.title : `${document.title}: ${section.title}`], () => ({
    font: { ...FONT, bold: true, size: 15, color: { rgb: INK } },
  }));
  put([document.period], () => ({ font: QUIET }));
  put([`${client.name} · client code ${client.clientCode} · PAN ${maskedPan(client.pan)}`], () => ({ font: QUIET }));
  const merges: MergeRange[] = [];
  for (const figure of document.figures) {
    if (section.columns.length > FIGURE_COLUMNS)
      merges.push({ startRow: count, endRow: count, startCol: 1, endCol: FIGURE_COLUMNS });
    put([figure.title, cellOf(figure.value, figure.kind)], (column) =>
      column === 0
        ? { font: QUIET }
        : { ...styleOf(figure.kind), font: { ...FONT, bold: true }, alignment: { horizontal: 'left' } },
    );
  }
  put([]);
  const header = count;
  put(
    section.columns.map((column) => titleOf(column)),
    (column) => ({
      ...HEADING,
      alignment: { ...HEADING.alignment, ...styleOf(section.columns[column]!.kind).alignment },
    }),
  );
  // Their looks are those of their columns: one for each cell would hold hundreds of megabytes of a long statement.
  for (const row of section.rows) {
    put(section.columns.map(({ key, kind }) => cellOf(row[key] ?? null, kind)));
    await turns.next();
  }
  const last = count - 1;
  const { totals } = section;
  if (totals) {
    put(
      section.columns.map(({ key, kind }) => cellOf(totals[key] ?? null, kind)),
      (column) => ({ ...styleOf(section.columns[column]!.kind), ...TOTAL }),
    );
  }
  const columns: ColumnDef[] = [];
  for (const column of section.columns)
    columns.push({ width: await widthOf(column, section, turns), style: styleOf(column.kind) });
  return {
    name: nameOf(section.title, names),
    cells,
    merges,
    columns,
    freezePane: { rows: header + 1 },
    ...(section.rows.length > 0
      ? { autoFilter: { range: `A${header + 1}:${letter(section.columns.length - 1)}${last + 1}` } }
      : {}),
    pageSetup: { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
    view: { showGridLines: false },
  };
}

function titleOf(column: Column): string {
  return column.kind === 'money' || column.kind === 'price' ? `${column.title} (Rs)` : column.title;
}

function styleOf(kind: ValueKind): CellStyle {
  const numFmt = FORMATS[kind];
  return {
    font: FONT,
    ...(numFmt ? { numFmt } : {}),
    alignment: isNumeric(kind) ? { horizontal: 'right' } : { horizontal: 'left', indent: 1 },
  };
}

function cellOf(value: Value, kind: ValueKind): CellValue {
  if (value === null) return null;
  if (typeof value === 'number') return numeric(value, kind, 100);
  if (kind === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return new Date(`${value}T00:00:00Z`);
  return plainText(value);
}

/** Text that a spreadsheet must never take for a formula, not even after it was saved as CSV. */
export function plainText(text: string): string {
  return /^[=+\-@\t\r\n|]/.test(text) ? `'${text}` : text;
}

async function widthOf(column: Column, section: Section, turns: Turns): Promise<number> {
  let longest = titleOf(column).length;
  for (const row of section.rows) {
    longest = Math.max(longest, written(row[column.key] ?? null, column.kind).length);
    await turns.next();
  }
  return Math.min(60, Math.max(10, longest + 3));
}

function nameOf(title: string, taken: Set<string>): string {
  const base = title.replace(FORBIDDEN_IN_NAME, ' ').slice(0, MAX_NAME);
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base.slice(0, MAX_NAME - 4)} ${number}`;
  taken.add(name);
  return name;
}

function letter(column: number): string {
  return String.fromCharCode(65 + column);
}
