/** A document as a PDF on A4: head, figures, tables whose heads repeat on every page, page numbers. */
import { EventLoopTurns } from '../../shared/cooperative';
import { maskedPan, formatValue } from '../document/format';
import type {
  ReportChart,
  ReportFigure,
  ReportClient,
  ReportDocument,
  ReportRow,
  ReportSection,
  Value,
  ValueKind,
} from '../document/types';
import { CHART_HEIGHT, drawChart } from './pdf-chart';
import { type TextStyle, PdfFile } from './pdf-file';
import { LINE, printableText, type FontName, widthOf } from './pdf-fonts';
import {
  alignsRight,
  cellText,
  lineHeight,
  linesOf,
  PADDING,
  ROW,
  rowHeight,
  tableLayout,
  TEXT,
  sumWidths,
  type TableLayout,
} from './pdf-table';

const INK = '#1b2a41';
const QUIET = '#5a6b82';
const RULE = '#d4dce6';
const BAND = '#eef2f7';
const LOSS = '#b42318';
const ACCENT = '#1f6f5c';
const WHITE = '#ffffff';
const ORIGIN =
  'Made by brokerage-sandbox, a simulation: no broker, no account and no money stand behind it. Amounts in rupees.';

const MARGIN = 36;
const WIDE_FROM = 9;
/** Tables of so few columns do not need the whole page. */
const NARROW_TO = 2;
const NARROW = 400;
const FIGURE = 11;
const FIGURE_TITLE = 7;

/**
 * Made a page at a time, in many turns of the event loop: nothing else waits for a long one, and no more of it is held than a page.
 * @param password opens the file when given. `at` (milliseconds) is when it was made.
 */
export async function toPdf(
  document: ReportDocument,
  client: ReportClient,
  at: number,
  password?: string,
): Promise<Buffer> {
  const turns = new EventLoopTurns();
  const isWide = document.sections.some((section) => section.columns.length >= WIDE_FROM);
  const pdf = new PdfFile({ isWide, title: document.title, madeAt: at, password });
  const layouts: TableLayout[] = [];
  for (const section of document.sections) layouts.push(await tableLayout(section, tableWidth(pdf, section), turns));
  const write = (pages: number | undefined) => new Pages(pdf, { document, client, at, layouts, turns }, pages).write();
  await write(await write(undefined));
  return pdf.finish();
}

function tableWidth(pdf: PdfFile, { columns }: ReportSection): number {
  const width = pdf.width - 2 * MARGIN;
  return columns.length <= NARROW_TO ? Math.min(NARROW, width) : width;
}

/** Parts of all pages. */
interface Content {
  document: ReportDocument;
  client: ReportClient;
  at: number;
  /** Of each section. */
  layouts: readonly TableLayout[];
  turns: EventLoopTurns;
}

/** The pages of a document, one after the other; first to count them, then to draw them. */
class Pages {
  private y = MARGIN;
  private page = 1;
  private readonly width: number;
  private readonly bottom: number;

  /** @param count how many pages there are; undefined draws nothing */
  constructor(
    private readonly pdf: PdfFile,
    private readonly content: Content,
    private readonly count: number | undefined,
  ) {
    this.width = pdf.width - 2 * MARGIN;
    this.bottom = pdf.height - MARGIN - 18;
  }

  /** @returns how many pages there are */
  async write(): Promise<number> {
    const { document, layouts } = this.content;
    this.head();
    this.figures(document.figures);
    this.lead(document.lead ?? []);
    if (document.chart !== undefined) this.chart(document.chart);
    for (const [index, section] of document.sections.entries()) {
      if (section.newPage && index > 0) this.nextPage();
      await this.section(section, layouts[index]!);
    }
    this.notes();
    this.foot();
    return this.page;
  }

  private draw(drawing: (pdf: PdfFile) => void): void {
    if (this.count !== undefined) drawing(this.pdf);
  }

  private head(): void {
    const { document, client, at } = this.content;
    const { width } = this;
    this.draw((pdf) => {
      pdf.box(0, 0, pdf.width, 74, INK);
      pdf.box(0, 74, pdf.width, 3, ACCENT);
      pdf.text('BROKERAGE SANDBOX', MARGIN, 20, { ...bold(9), colour: WHITE, spacing: 1.6 });
      pdf.text(printableText(document.title), MARGIN, 36, { ...bold(19), colour: WHITE });
      const period = printableText(document.period);
      pdf.text(period, MARGIN + width - 9 * widthOf(period, 'Helvetica'), 43, { ...plain(9), colour: WHITE });
      const facts: [string, string, number][] = [
        ['Client', client.name, 0.22],
        ['Client code', client.clientCode, 0.15],
        ['PAN', maskedPan(client.pan), 0.16],
        ['E-mail', client.email, 0.27],
        ['Made on', istStamp(at), 0.2],
      ];
      let x = MARGIN;
      facts.forEach(([name, value, share]) => {
        const step = share * width;
        pdf.text(name, x, 94, { ...plain(7), colour: QUIET });
        pdf.text(shortened(value, bold(8.5), step - 8), x, 104, { ...bold(8.5), colour: INK });
        x += step;
      });
    });
    this.y = 128;
  }

  private figures(figures: readonly ReportFigure[]): void {
    if (figures.length === 0) return;
    const perRow = Math.min(figures.length, this.width > 600 ? 6 : 4);
    const gap = 8;
    const width = (this.width - gap * (perRow - 1)) / perRow;
    const top = this.y;
    this.draw((pdf) =>
      figures.forEach((figure, index) => {
        const x = MARGIN + (index % perRow) * (width + gap);
        const y = top + Math.floor(index / perRow) * 46;
        pdf.box(x, y, width, 38, BAND, 3);
        this.shrunk(printableText(figure.title), { ...plain(FIGURE_TITLE), colour: QUIET }, width - 16, x + 8, y + 8);
        const value = printableText(formatValue(figure.value, figure.kind));
        this.shrunk(value, { ...bold(FIGURE), colour: colourOf(figure.value, figure.kind) }, width - 16, x + 8, y + 19);
      }),
    );
    this.y += Math.ceil(figures.length / perRow) * 46 + 8;
  }

  /** A text in one line, set smaller where it is too long for its place. */
  private shrunk(text: string, look: TextStyle, width: number, x: number, y: number): void {
    const size = Math.min(look.size, width / Math.max(widthOf(text, look.weight), 0.01));
    this.pdf.text(text, x, y + (look.size - size) / 2, { ...look, size });
  }

  private lead(sentences: readonly string[]): void {
    for (const [index, sentence] of sentences.entries())
      this.paragraph(sentence, { ...(index === 0 ? bold(9.5) : plain(9.5)), colour: INK });
  }

  /** A text in as many lines as it needs over the whole page. */
  private paragraph(sentence: string, look: TextStyle): void {
    const lines = linesOf(printableText(sentence), look.weight, look.size, this.width);
    const height = LINE * look.size;
    if (this.y + lines.length * height > this.bottom) this.nextPage();
    this.draw((pdf) => lines.forEach((line, at) => pdf.text(line, MARGIN, this.y + at * height, look)));
    this.y += lines.length * height + 4;
  }

  private chart(chart: ReportChart): void {
    this.title(chart.title);
    this.draw((pdf) => drawChart(pdf, chart, MARGIN, this.y, this.width));
    this.y += CHART_HEIGHT;
  }

  private title(text: string): void {
    this.draw((pdf) => pdf.text(printableText(text), MARGIN, this.y + 4, { ...bold(11), colour: INK }));
    this.y += 22;
  }

  private async section(section: ReportSection, layout: TableLayout): Promise<void> {
    const { rows, totals } = section;
    if (this.y + 26 + layout.headHeight + 2 * ROW > this.bottom) this.nextPage();
    this.title(section.title);
    this.tableHead(section, layout);
    if (rows.length === 0) {
      const look: TextStyle = { weight: 'Helvetica-Oblique', size: TEXT, colour: QUIET };
      this.draw((pdf) => pdf.text('Nothing in this period.', MARGIN + 4, this.y + 5, look));
      this.y += ROW;
    }
    for (const [index, row] of rows.entries()) {
      this.row(section, layout, row, index % 2 === 1 ? 'band' : 'plain');
      await this.content.turns.next();
    }
    if (totals) this.row(section, layout, totals, 'total');
    this.y += 14;
  }

  private tableHead({ columns }: ReportSection, { widths, heads, headSize, headHeight }: TableLayout): void {
    this.draw((pdf) => {
      pdf.box(MARGIN, this.y, sumWidths(widths), headHeight, INK);
      let x = MARGIN;
      columns.forEach(({ kind }, index) => {
        const lines = heads[index]!;
        const top = this.y + (headHeight - lines.length * lineHeight(headSize)) / 2 + 1;
        this.cell(lines, { ...bold(headSize), colour: WHITE }, kind, x, widths[index]!, top);
        x += widths[index]!;
      });
    });
    this.y += headHeight;
  }

  private row(section: ReportSection, layout: TableLayout, row: ReportRow, look: 'plain' | 'band' | 'total'): void {
    const { columns } = section;
    const { widths, size } = layout;
    const weight: FontName = look === 'total' ? 'Helvetica-Bold' : 'Helvetica';
    const cells = columns.map((column, index) =>
      linesOf(cellText(row, column), weight, size, widths[index]! - 2 * PADDING),
    );
    const height = rowHeight(Math.max(...cells.map((lines) => lines.length)), size);
    if (this.y + height > this.bottom) {
      this.nextPage();
      this.tableHead(section, layout);
    }
    this.draw((pdf) => {
      const full = sumWidths(widths);
      const rule = (y: number, colour: string, thick: number): void =>
        pdf.line(
          [
            [MARGIN, y],
            [MARGIN + full, y],
          ],
          colour,
          thick,
        );
      if (look === 'band') pdf.box(MARGIN, this.y, full, height, BAND);
      if (look === 'total') rule(this.y, INK, 1);
      let x = MARGIN;
      columns.forEach(({ key, kind }, index) => {
        const colour = colourOf(row[key] ?? null, kind);
        this.cell(cells[index]!, { weight, size, colour }, kind, x, widths[index]!, this.y + 5);
        x += widths[index]!;
      });
      if (look !== 'total') rule(this.y + height, RULE, 0.4);
    });
    this.y += height;
  }

  /** The lines of a cell: numbers end at its right. */
  private cell(
    lines: readonly string[],
    look: TextStyle,
    kind: ValueKind,
    x: number,
    width: number,
    top: number,
  ): void {
    for (const [index, line] of lines.entries()) {
      if (line === '') continue;
      const indent = alignsRight(kind) ? width - 2 * PADDING - widthOf(line, look.weight) * look.size : 0;
      this.pdf.text(line, x + PADDING + Math.max(0, indent), top + index * lineHeight(look.size), look);
    }
  }

  private notes(): void {
    for (const note of this.content.document.notes) this.paragraph(note, { ...plain(7.2), colour: QUIET });
  }

  private nextPage(): void {
    this.foot();
    this.page += 1;
    this.y = MARGIN;
  }

  private foot(): void {
    const { page, count, width } = this;
    this.draw((pdf) => {
      const y = pdf.height - MARGIN;
      pdf.line(
        [
          [MARGIN, y - 8],
          [MARGIN + width, y - 8],
        ],
        RULE,
        0.4,
      );
      const look = { ...plain(7), colour: QUIET };
      pdf.text(ORIGIN, MARGIN, y, look);
      const number = `Page ${page} of ${count}`;
      pdf.text(number, MARGIN + width - 7 * widthOf(number, 'Helvetica'), y, look);
      pdf.endPage();
    });
  }
}

const bold = (size: number): Omit<TextStyle, 'colour'> => ({ weight: 'Helvetica-Bold', size });
const plain = (size: number): Omit<TextStyle, 'colour'> => ({ weight: 'Helvetica', size });

function colourOf(value: Value, kind: ValueKind): string {
  return typeof value === 'number' && value < 0 && (kind === 'money' || kind === 'percent') ? LOSS : INK;
}

/** A text that is no amount, shortened to a width. */
function shortened(text: string, { weight, size }: Omit<TextStyle, 'colour'>, width: number): string {
  const line = printableText(text);
  if (size * widthOf(line, weight) <= width) return line;
  let end = line.length;
  while (end > 1 && size * widthOf(`${line.slice(0, end)}…`, weight) > width) end -= 1;
  return `${line.slice(0, end)}…`;
}

function istStamp(at: number): string {
  const stamp = new Date(at + 19_800_000).toISOString();
  return `${formatValue(stamp.slice(0, 10), 'date')}, ${stamp.slice(11, 16)}`;
}
