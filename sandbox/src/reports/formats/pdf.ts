/** A document as a PDF on A4: head, figures, tables whose heads repeat on every page, page numbers. */
import { Turns } from '../../shared/cooperative';
import { maskedPan, written } from '../document/format';
import type { Chart, Figure, ReportClient, ReportDocument, Row, Section, Value, ValueKind } from '../document/types';
import { CHART_HEIGHT, drawChart } from './pdf-chart';
import {
  alignsRight,
  cellText,
  lineHeight,
  linesOf,
  Meter,
  PADDING,
  printable,
  ROW,
  rowHeight,
  tableLayout,
  TEXT,
  total,
  type TableLayout,
} from './pdf-table';

const INK = '#1b2a41';
const QUIET = '#5a6b82';
const LINE = '#d4dce6';
const BAND = '#eef2f7';
const LOSS = '#b42318';
const ACCENT = '#1f6f5c';

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
  const turns = new Turns();
  const { default: PDFDocument } = await import('pdfkit');
  await turns.next();
  const wide = document.sections.some((section) => section.columns.length >= WIDE_FROM);
  const pdf = new PDFDocument({
    size: 'A4',
    layout: wide ? 'landscape' : 'portrait',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    pdfVersion: '1.7ext3',
    info: { Title: document.title, Author: 'brokerage-sandbox', CreationDate: new Date(at) },
    lang: 'en-IN',
    displayTitle: true,
    ...(password === undefined
      ? {}
      : {
          userPassword: password,
          permissions: { printing: 'highResolution', copying: true, contentAccessibility: true },
        }),
  });
  const done = collect(pdf);
  const meter = new Meter(pdf);
  const layouts: TableLayout[] = [];
  for (const section of document.sections)
    layouts.push(await tableLayout(section, tableWidth(pdf, section), meter, turns));
  const write = (pages: number | undefined) =>
    new Pages(pdf, { document, client, at, layouts, meter, turns }, pages).write();
  await write(await write(undefined));
  pdf.end();
  return done;
}

function collect(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  const parts: Buffer[] = [];
  return new Promise((resolve, reject) => {
    pdf.on('data', (part: Buffer) => parts.push(part));
    pdf.on('end', () => resolve(Buffer.concat(parts)));
    pdf.on('error', reject);
  });
}

function tableWidth(pdf: PDFKit.PDFDocument, { columns }: Section): number {
  const width = pdf.page.width - 2 * MARGIN;
  return columns.length <= NARROW_TO ? Math.min(NARROW, width) : width;
}

/** Parts of all pages. */
interface Content {
  document: ReportDocument;
  client: ReportClient;
  at: number;
  /** Of each section. */
  layouts: readonly TableLayout[];
  meter: Meter;
  turns: Turns;
}

/** The pages of a document, one after the other; first to count them, then to draw them. */
class Pages {
  private y = MARGIN;
  private page = 1;
  private readonly width: number;
  private readonly bottom: number;

  /** @param count how many pages there are; undefined draws nothing */
  constructor(
    private readonly pdf: PDFKit.PDFDocument,
    private readonly content: Content,
    private readonly count: number | undefined,
  ) {
    this.width = pdf.page.width - 2 * MARGIN;
    this.bottom = pdf.page.height - MARGIN - 18;
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

  private draw(drawing: (pdf: PDFKit.PDFDocument) => void): void {
    if (this.count !== undefined) drawing(this.pdf);
  }

  private head(): void {
    const { document, client, at } = this.content;
    const { width } = this;
    this.draw((pdf) => {
      pdf.rect(0, 0, pdf.page.width, 74).fill(INK);
      pdf.rect(0, 74, pdf.page.width, 3).fill(ACCENT);
      pdf
        .fillColor('#ffffff')
        .font('Helvetica-Bold')
        .fontSize(9)
        .text('BROKERAGE SANDBOX', MARGIN, 20, { characterSpacing: 1.6, lineBreak: false });
      pdf.font('Helvetica-Bold').fontSize(19).text(document.title, MARGIN, 36, { lineBreak: false });
      pdf.font('Helvetica').fontSize(9).text(document.period, MARGIN, 43, { width, align: 'right', lineBreak: false });
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
        pdf.fillColor(QUIET).font('Helvetica').fontSize(7).text(name, x, 94, { lineBreak: false });
        pdf
          .fillColor(INK)
          .font('Helvetica-Bold')
          .fontSize(8.5)
          .text(shortened(pdf, value, step - 8), x, 104, { lineBreak: false });
        x += step;
      });
    });
    this.y = 128;
  }

  private figures(figures: readonly Figure[]): void {
    if (figures.length === 0) return;
    const perRow = Math.min(figures.length, this.width > 600 ? 6 : 4);
    const gap = 8;
    const width = (this.width - gap * (perRow - 1)) / perRow;
    const top = this.y;
    this.draw((pdf) =>
      figures.forEach((figure, index) => {
        const x = MARGIN + (index % perRow) * (width + gap);
        const y = top + Math.floor(index / perRow) * 46;
        pdf.roundedRect(x, y, width, 38, 3).fill(BAND);
        this.shrunk(printable(figure.title), 'Helvetica', FIGURE_TITLE, width - 16, QUIET, x + 8, y + 8);
        const value = printable(written(figure.value, figure.kind));
        this.shrunk(value, 'Helvetica-Bold', FIGURE, width - 16, colourOf(figure.value, figure.kind), x + 8, y + 19);
      }),
    );
    this.y += Math.ceil(figures.length / perRow) * 46 + 8;
  }

  /** A text in one line, set smaller where it is too long for its place. */
  private shrunk(
    text: string,
    weight: 'Helvetica' | 'Helvetica-Bold',
    size: number,
    width: number,
    colour: string,
    x: number,
    y: number,
  ): void {
    const fitting = Math.min(size, width / Math.max(this.content.meter.width(text, weight), 0.01));
    this.pdf.fillColor(colour).font(weight).fontSize(fitting);
    this.pdf.text(text, x, y + (size - fitting) / 2, { lineBreak: false });
  }

  private lead(sentences: readonly string[]): void {
    const { pdf, width } = this;
    for (const [index, sentence] of sentences.entries()) {
      const text = printable(sentence);
      pdf.font(index === 0 ? 'Helvetica-Bold' : 'Helvetica').fontSize(9.5);
      const height = pdf.heightOfString(text, { width });
      this.draw(() => pdf.fillColor(INK).text(text, MARGIN, this.y, { width }));
      this.y += height + 4;
    }
  }

  private chart(chart: Chart): void {
    this.title(chart.title);
    this.draw((pdf) => drawChart(pdf, chart, MARGIN, this.y, this.width));
    this.y += CHART_HEIGHT;
  }

  private title(text: string): void {
    this.draw((pdf) =>
      pdf
        .fillColor(INK)
        .font('Helvetica-Bold')
        .fontSize(11)
        .text(printable(text), MARGIN, this.y + 4, { lineBreak: false }),
    );
    this.y += 22;
  }

  private async section(section: Section, layout: TableLayout): Promise<void> {
    const { rows, totals } = section;
    if (this.y + 26 + layout.headHeight + 2 * ROW > this.bottom) this.nextPage();
    this.title(section.title);
    this.tableHead(section, layout);
    if (rows.length === 0) {
      this.draw((pdf) =>
        pdf
          .fillColor(QUIET)
          .font('Helvetica-Oblique')
          .fontSize(TEXT)
          .text('Nothing in this period.', MARGIN + 4, this.y + 5, { lineBreak: false }),
      );
      this.y += ROW;
    }
    for (const [index, row] of rows.entries()) {
      this.row(section, layout, row, index % 2 === 1 ? 'band' : 'plain');
      await this.content.turns.next();
    }
    if (totals) this.row(section, layout, totals, 'total');
    this.y += 14;
  }

  private tableHead({ columns }: Section, { widths, heads, headSize, headHeight }: TableLayout): void {
    this.draw((pdf) => {
      pdf.rect(MARGIN, this.y, total(widths), headHeight).fill(INK);
      pdf.fillColor('#ffffff').font('Helvetica-Bold').fontSize(headSize);
      let x = MARGIN;
      columns.forEach(({ kind }, index) => {
        const lines = heads[index]!;
        const top = this.y + (headHeight - lines.length * lineHeight(headSize)) / 2 + 1;
        this.cell(lines, 'Helvetica-Bold', headSize, kind, x, widths[index]!, top);
        x += widths[index]!;
      });
    });
    this.y += headHeight;
  }

  private row(section: Section, layout: TableLayout, row: Row, look: 'plain' | 'band' | 'total'): void {
    const { columns } = section;
    const { widths, size } = layout;
    const weight = look === 'total' ? 'Helvetica-Bold' : 'Helvetica';
    const cells = columns.map((column, index) =>
      linesOf(this.content.meter, cellText(row, column), weight, size, widths[index]! - 2 * PADDING),
    );
    const height = rowHeight(Math.max(...cells.map((lines) => lines.length)), size);
    if (this.y + height > this.bottom) {
      this.nextPage();
      this.tableHead(section, layout);
    }
    this.draw((pdf) => {
      const full = total(widths);
      if (look === 'band') pdf.rect(MARGIN, this.y, full, height).fill(BAND);
      if (look === 'total')
        pdf
          .moveTo(MARGIN, this.y)
          .lineTo(MARGIN + full, this.y)
          .lineWidth(1)
          .stroke(INK);
      pdf.font(weight).fontSize(size);
      let x = MARGIN;
      columns.forEach(({ key, kind }, index) => {
        pdf.fillColor(colourOf(row[key] ?? null, kind));
        this.cell(cells[index]!, weight, size, kind, x, widths[index]!, this.y + 5);
        x += widths[index]!;
      });
      if (look !== 'total')
        pdf
          .moveTo(MARGIN, this.y + height)
          .lineTo(MARGIN + full, this.y + height)
          .lineWidth(0.4)
          .stroke(LINE);
    });
    this.y += height;
  }

  /** The lines of a cell in the font that is set: numbers end at its right. */
  private cell(
    lines: readonly string[],
    weight: 'Helvetica' | 'Helvetica-Bold',
    size: number,
    kind: ValueKind,
    x: number,
    width: number,
    top: number,
  ): void {
    for (const [index, line] of lines.entries()) {
      if (line === '') continue;
      const indent = alignsRight(kind) ? width - 2 * PADDING - this.content.meter.width(line, weight) * size : 0;
      // Measuring may have set another font.
      this.pdf.font(weight).fontSize(size);
      this.pdf.text(line, x + PADDING + Math.max(0, indent), top + index * lineHeight(size), { lineBreak: false });
    }
  }

  private notes(): void {
    const { pdf, width } = this;
    for (const note of this.content.document.notes.map(printable)) {
      pdf.font('Helvetica').fontSize(7.2);
      const height = pdf.heightOfString(note, { width });
      if (this.y + height > this.bottom) this.nextPage();
      this.draw(() => pdf.font('Helvetica').fontSize(7.2).fillColor(QUIET).text(note, MARGIN, this.y, { width }));
      this.y += height + 4;
    }
  }

  private nextPage(): void {
    this.foot();
    this.draw((pdf) => pdf.addPage());
    this.page += 1;
    this.y = MARGIN;
  }

  private foot(): void {
    const { page, count, width } = this;
    this.draw((pdf) => {
      const y = pdf.page.height - MARGIN;
      pdf
        .moveTo(MARGIN, y - 8)
        .lineTo(MARGIN + width, y - 8)
        .lineWidth(0.4)
        .stroke(LINE);
      pdf.fillColor(QUIET).font('Helvetica').fontSize(7);
      pdf.text(
        'Made by brokerage-sandbox, a simulation: no broker, no account and no money stand behind it. Amounts in rupees.',
        MARGIN,
        y,
        { lineBreak: false },
      );
      const number = `Page ${page} of ${count}`;
      pdf.text(number, MARGIN + width - pdf.widthOfString(number), y, { lineBreak: false });
    });
  }
}

function colourOf(value: Value, kind: ValueKind): string {
  return typeof value === 'number' && value < 0 && (kind === 'money' || kind === 'percent') ? LOSS : INK;
}

/** A text that is no amount, shortened to a width of the current font. */
function shortened(pdf: PDFKit.PDFDocument, text: string, width: number): string {
  const line = printable(text);
  if (pdf.widthOfString(line) <= width) return line;
  let end = line.length;
  while (end > 1 && pdf.widthOfString(`${line.slice(0, end)}…`) > width) end -= 1;
  return `${line.slice(0, end)}…`;
}

function istStamp(at: number): string {
  const stamp = new Date(at + 19_800_000).toISOString();
  return `${written(stamp.slice(0, 10), 'date')}, ${stamp.slice(11, 16)}`;
}
