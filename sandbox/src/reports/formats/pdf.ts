/** A document as a PDF on A4: head, figures, tables whose heads repeat on every page, page numbers. */
import { isNumeric, maskedPan, written } from '../document/format';
import type {
  Chart,
  Column,
  Figure,
  ReportClient,
  ReportDocument,
  Row,
  Section,
  Value,
  ValueKind,
} from '../document/types';
import { CHART_HEIGHT, drawChart } from './pdf-chart';

const INK = '#1b2a41';
const QUIET = '#5a6b82';
const LINE = '#d4dce6';
const BAND = '#eef2f7';
const LOSS = '#b42318';
const ACCENT = '#1f6f5c';

const MARGIN = 36;
const ROW = 17;
const HEAD_ROW = 28;
const TEXT = 7.8;
const PADDING = 6;
const MAX_TEXT_LENGTH = 190;
const WIDE_FROM = 9;
/** Tables of so few columns do not need the whole page. */
const NARROW_TO = 2;
const NARROW = 400;

/** @param password opens the file when given. `at` (milliseconds) is when it was made. */
export async function toPdf(
  document: ReportDocument,
  client: ReportClient,
  at: number,
  password?: string,
): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const wide = document.sections.some((section) => section.columns.length >= WIDE_FROM);
  const pdf = new PDFDocument({
    size: 'A4',
    layout: wide ? 'landscape' : 'portrait',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    bufferPages: true,
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
  new Page(pdf, document, client, at).write();
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

class Page {
  private y = MARGIN;
  private readonly width: number;
  private readonly bottom: number;

  constructor(
    private readonly pdf: PDFKit.PDFDocument,
    private readonly document: ReportDocument,
    private readonly client: ReportClient,
    private readonly at: number,
  ) {
    this.width = pdf.page.width - 2 * MARGIN;
    this.bottom = pdf.page.height - MARGIN - 18;
  }

  write(): void {
    this.head();
    this.figures(this.document.figures);
    this.lead(this.document.lead ?? []);
    if (this.document.chart !== undefined) this.chart(this.document.chart);
    this.document.sections.forEach((section, index) => {
      if (section.newPage && index > 0) this.nextPage();
      this.section(section);
    });
    this.notes();
    this.feet();
  }

  private head(): void {
    const { pdf, document, client } = this;
    pdf.rect(0, 0, pdf.page.width, 74).fill(INK);
    pdf.rect(0, 74, pdf.page.width, 3).fill(ACCENT);
    pdf
      .fillColor('#ffffff')
      .font('Helvetica-Bold')
      .fontSize(9)
      .text('BROKERAGE SANDBOX', MARGIN, 20, { characterSpacing: 1.6, lineBreak: false });
    pdf.font('Helvetica-Bold').fontSize(19).text(document.title, MARGIN, 36, { lineBreak: false });
    pdf
      .font('Helvetica')
      .fontSize(9)
      .text(document.period, MARGIN, 43, { width: this.width, align: 'right', lineBreak: false });
    this.y = 94;
    const facts: [string, string, number][] = [
      ['Client', client.name, 0.22],
      ['Client code', client.clientCode, 0.15],
      ['PAN', maskedPan(client.pan), 0.16],
      ['E-mail', client.email, 0.27],
      ['Made on', istStamp(this.at), 0.2],
    ];
    let x = MARGIN;
    facts.forEach(([name, value, share]) => {
      const step = share * this.width;
      pdf.fillColor(QUIET).font('Helvetica').fontSize(7).text(name, x, this.y, { lineBreak: false });
      pdf
        .fillColor(INK)
        .font('Helvetica-Bold')
        .fontSize(8.5)
        .text(fitted(pdf, value, step - 8), x, this.y + 10, { lineBreak: false });
      x += step;
    });
    this.y += 34;
  }

  private figures(figures: readonly Figure[]): void {
    if (figures.length === 0) return;
    const { pdf } = this;
    const perRow = Math.min(figures.length, this.width > 600 ? 6 : 4);
    const gap = 8;
    const width = (this.width - gap * (perRow - 1)) / perRow;
    figures.forEach((figure, index) => {
      const x = MARGIN + (index % perRow) * (width + gap);
      const y = this.y + Math.floor(index / perRow) * 46;
      pdf.roundedRect(x, y, width, 38, 3).fill(BAND);
      pdf
        .fillColor(QUIET)
        .font('Helvetica')
        .fontSize(7)
        .text(fitted(pdf, figure.title, width - 16), x + 8, y + 8, { lineBreak: false });
      pdf.font('Helvetica-Bold').fontSize(11);
      pdf
        .fillColor(colourOf(figure.value, figure.kind))
        .text(fitted(pdf, written(figure.value, figure.kind), width - 16), x + 8, y + 19, { lineBreak: false });
    });
    this.y += Math.ceil(figures.length / perRow) * 46 + 8;
  }

  private lead(sentences: readonly string[]): void {
    const { pdf, width } = this;
    for (const [index, sentence] of sentences.entries()) {
      const text = printable(sentence);
      pdf.fillColor(INK).font(index === 0 ? 'Helvetica-Bold' : 'Helvetica');
      pdf.fontSize(9.5).text(text, MARGIN, this.y, { width });
      this.y += pdf.heightOfString(text, { width }) + 4;
    }
  }

  private chart(chart: Chart): void {
    this.title(chart.title);
    drawChart(this.pdf, chart, MARGIN, this.y, this.width);
    this.y += CHART_HEIGHT;
  }

  private title(text: string): void {
    this.pdf
      .fillColor(INK)
      .font('Helvetica-Bold')
      .fontSize(11)
      .text(text, MARGIN, this.y + 4, { lineBreak: false });
    this.y += 22;
  }

  private section(section: Section): void {
    const widths = widthsOf(
      section,
      section.columns.length <= NARROW_TO ? Math.min(NARROW, this.width) : this.width,
      this.pdf,
    );
    if (this.y + 26 + HEAD_ROW + 2 * ROW > this.bottom) this.nextPage();
    this.title(section.title);
    this.tableHead(section.columns, widths);
    if (section.rows.length === 0) {
      this.pdf
        .fillColor(QUIET)
        .font('Helvetica-Oblique')
        .fontSize(TEXT)
        .text('Nothing in this period.', MARGIN + 4, this.y + 5, { lineBreak: false });
      this.y += ROW;
    }
    section.rows.forEach((row, index) => {
      if (this.y + ROW > this.bottom) {
        this.nextPage();
        this.tableHead(section.columns, widths);
      }
      this.row(section.columns, widths, row, index % 2 === 1 ? 'band' : 'plain');
    });
    if (section.totals) {
      if (this.y + ROW > this.bottom) {
        this.nextPage();
        this.tableHead(section.columns, widths);
      }
      this.row(section.columns, widths, section.totals, 'total');
    }
    this.y += 14;
  }

  private tableHead(columns: readonly Column[], widths: readonly number[]): void {
    const { pdf } = this;
    pdf.rect(MARGIN, this.y, total(widths), HEAD_ROW).fill(INK);
    pdf.fillColor('#ffffff').font('Helvetica-Bold').fontSize(7.2);
    let x = MARGIN;
    columns.forEach((column, index) => {
      const width = widths[index]! - 2 * PADDING;
      const title = printable(column.title);
      const height = pdf.heightOfString(title, { width });
      pdf.text(title, x + PADDING, this.y + (HEAD_ROW - Math.min(height, HEAD_ROW - 4)) / 2, {
        width,
        align: align(column.kind),
        height: HEAD_ROW - 4,
        ellipsis: true,
      });
      x += widths[index]!;
    });
    this.y += HEAD_ROW;
  }

  private row(columns: readonly Column[], widths: readonly number[], row: Row, look: 'plain' | 'band' | 'total'): void {
    const { pdf } = this;
    const full = total(widths);
    if (look === 'band') pdf.rect(MARGIN, this.y, full, ROW).fill(BAND);
    if (look === 'total')
      pdf
        .moveTo(MARGIN, this.y)
        .lineTo(MARGIN + full, this.y)
        .lineWidth(1)
        .stroke(INK);
    pdf.font(look === 'total' ? 'Helvetica-Bold' : 'Helvetica').fontSize(TEXT);
    let x = MARGIN;
    columns.forEach((column, index) => {
      const value = row[column.key] ?? null;
      const width = widths[index]! - 2 * PADDING;
      const text = fitted(pdf, written(value, column.kind), width);
      const indent = isNumeric(column.kind) ? width - pdf.widthOfString(text) : 0;
      pdf
        .fillColor(colourOf(value, column.kind))
        .text(text, x + PADDING + Math.max(0, indent), this.y + 5, { lineBreak: false });
      x += widths[index]!;
    });
    this.y += ROW;
    if (look !== 'total')
      pdf
        .moveTo(MARGIN, this.y)
        .lineTo(MARGIN + full, this.y)
        .lineWidth(0.4)
        .stroke(LINE);
  }

  private notes(): void {
    for (const note of this.document.notes.map(printable)) {
      this.pdf.font('Helvetica').fontSize(7.2);
      const height = this.pdf.heightOfString(note, { width: this.width });
      if (this.y + height > this.bottom) this.nextPage();
      this.pdf.fillColor(QUIET).text(note, MARGIN, this.y, { width: this.width });
      this.y += height + 4;
    }
  }

  private nextPage(): void {
    this.pdf.addPage();
    this.y = MARGIN;
  }

  private feet(): void {
    const { pdf } = this;
    const { start, count } = pdf.bufferedPageRange();
    for (let page = start; page < start + count; page += 1) {
      pdf.switchToPage(page);
      const y = pdf.page.height - MARGIN;
      pdf
        .moveTo(MARGIN, y - 8)
        .lineTo(MARGIN + this.width, y - 8)
        .lineWidth(0.4)
        .stroke(LINE);
      pdf.fillColor(QUIET).font('Helvetica').fontSize(7);
      pdf.text(
        'Made by brokerage-sandbox, a simulation: no broker, no account and no money stand behind it. Amounts in rupees.',
        MARGIN,
        y,
        { lineBreak: false },
      );
      const number = `Page ${page - start + 1} of ${count}`;
      pdf.text(number, MARGIN + this.width - pdf.widthOfString(number), y, { lineBreak: false });
    }
  }
}

function align(kind: ValueKind): 'left' | 'right' {
  return isNumeric(kind) ? 'right' : 'left';
}

function colourOf(value: Value, kind: ValueKind): string {
  return typeof value === 'number' && value < 0 && (kind === 'money' || kind === 'percent') ? LOSS : INK;
}

/** Text shortened to a width of the current font. */
function fitted(pdf: PDFKit.PDFDocument, text: string, width: number): string {
  const line = printable(text);
  if (pdf.widthOfString(line) <= width) return line;
  let end = line.length;
  while (end > 1 && pdf.widthOfString(`${line.slice(0, end)}…`) > width) end -= 1;
  return `${line.slice(0, end)}…`;
}

/** The built-in fonts know the characters of Windows-1252 only. */
function printable(text: string): string {
  return text
    .replaceAll('₹', 'Rs ')
    .replaceAll('−', '–')
    .replaceAll(/[^\x20-\x7e\u00a0-\u00ff–—‘’“”•…]/g, '?');
}

/** Widths by what the columns hold, stretched to the page; when they are too wide for it, texts are cut first. */
function widthsOf(section: Section, page: number, pdf: PDFKit.PDFDocument): number[] {
  pdf.font('Helvetica-Bold').fontSize(TEXT);
  const requested = section.columns.map((column) => {
    const values = [...section.rows, section.totals ?? {}].map((row) =>
      pdf.widthOfString(printable(written(row[column.key] ?? null, column.kind))),
    );
    const word = Math.max(...column.title.split(' ').map((part) => pdf.widthOfString(part)));
    return Math.max(word, ...values) + 2 * PADDING + 2;
  });
  const fitting =
    total(requested) <= page
      ? requested
      : requested.map((width, index) =>
          section.columns[index]!.kind === 'text' ? Math.min(width, MAX_TEXT_LENGTH) : width,
        );
  const spare = page - total(fitting);
  if (spare < 0) return fitting.map((width) => (width * page) / total(fitting));
  const weights = section.columns.reduce((sum, column) => sum + column.width, 0);
  return fitting.map((width, index) => width + (spare * section.columns[index]!.width) / weights);
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

function istStamp(at: number): string {
  const stamp = new Date(at + 19_800_000).toISOString();
  return `${written(stamp.slice(0, 10), 'date')}, ${stamp.slice(11, 16)}`;
}
