/**
 * A PDF file that is written a page at a time: texts of the built-in fonts, lines and filled shapes. A finished page is kept
 * compressed. Places are in points, from the upper left corner of the page.
 */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { encryptPdf, type PdfEncryption } from './pdf-encryption';
import { ASCENT, codeOf, type FontName } from './pdf-fonts';

/** A4, points. */
const [SHORT, LONG] = [595.28, 841.89];
/** Room for a page and for a file to begin with, bytes. */
const [PAGE_BYTES, FILE_BYTES] = [65_536, 262_144];
const FONTS: readonly FontName[] = ['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique'];
/** Distance of the handle of a curve from the end of a quarter of a circle, in radii. */
const QUARTER = 0.552_284_75;
/** The numbers of the objects that are in every file; pages follow. */
const [CATALOG, PAGES, INFO, ENCRYPT, FIRST_FONT] = [1, 2, 3, 4, 5];

export type Point = readonly [x: number, y: number];

export interface TextStyle {
  weight: FontName;
  /** Points. */
  size: number;
  /** `#rrggbb`. */
  colour: string;
  /** Room between two letters, points. */
  spacing?: number;
}

export interface PdfOptions {
  isWide: boolean;
  title: string;
  /** Milliseconds. */
  madeAt: number;
  password: string | undefined;
}

/** Bytes that come one after the other, in one place that grows: many small buffers would be held until all garbage is collected. */
class Bytes {
  length = 0;
  private held: Buffer;

  constructor(room: number) {
    this.held = Buffer.alloc(room);
  }

  get all(): Buffer {
    return this.held.subarray(0, this.length);
  }

  /** Texts are of ISO 8859-1. */
  add(...parts: (string | Buffer)[]): void {
    for (const part of parts) {
      const end = this.length + part.length;
      if (end > this.held.length) this.held = Buffer.concat([this.held], Math.max(2 * this.held.length, end));
      if (typeof part === 'string') this.held.write(part, this.length, 'latin1');
      else part.copy(this.held, this.length);
      this.length = end;
    }
  }

  clear(): void {
    this.length = 0;
  }
}

export class PdfFile {
  readonly width: number;
  readonly height: number;
  private readonly file = new Bytes(FILE_BYTES);
  private readonly pageBytes = new Bytes(PAGE_BYTES);
  /** Place at which each object begins, by its number. */
  private readonly starts: number[] = [];
  private readonly pages: number[] = [];
  private readonly encryption: PdfEncryption | undefined;
  private lastColour = '';

  constructor(private readonly options: PdfOptions) {
    [this.width, this.height] = options.isWide ? [LONG, SHORT] : [SHORT, LONG];
    this.encryption = options.password === undefined ? undefined : encryptPdf(options.password);
    this.file.add('%PDF-1.7\n%\xff\xff\xff\xff\n');
    for (const [index, font] of FONTS.entries())
      this.object(
        FIRST_FONT + index,
        `<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`,
      );
  }

  /** A filled rectangle. @param radius of its corners */
  box(x: number, y: number, width: number, height: number, colour: string, radius = 0): void {
    this.fillColour(colour);
    const [right, bottom] = [x + width, y + height];
    if (radius === 0) {
      this.say(`${this.at(x, bottom)} ${num(width)} ${num(height)} re f`);
      return;
    }
    const near = radius * (1 - QUARTER);
    const curve = (...points: Point[]): string => `${points.map(([atX, atY]) => this.at(atX, atY)).join(' ')} c`;
    this.say(
      `${this.at(x + radius, y)} m ${this.at(right - radius, y)} l`,
      curve([right - near, y], [right, y + near], [right, y + radius]),
      `${this.at(right, bottom - radius)} l`,
      curve([right, bottom - near], [right - near, bottom], [right - radius, bottom]),
      `${this.at(x + radius, bottom)} l`,
      curve([x + near, bottom], [x, bottom - near], [x, bottom - radius]),
      `${this.at(x, y + radius)} l`,
      curve([x, y + near], [x + near, y], [x + radius, y]),
      'h f',
    );
  }

  /** The surface within some points. */
  surface(points: readonly Point[], colour: string): void {
    this.fillColour(colour);
    this.say(this.path(points), 'h f');
  }

  /** A line over some points. @param dash length of its dashes and of the gaps between them; 0 for a whole line */
  line(points: readonly Point[], colour: string, weight: number, dash = 0): void {
    this.say(`${rgb(colour)} RG ${num(weight)} w [${dash > 0 ? `${dash} ${dash}` : ''}] 0 d`, this.path(points), 'S');
  }

  /** One line of a printable text. @param y its top */
  text(text: string, x: number, y: number, { weight, size, colour, spacing = 0 }: TextStyle): void {
    this.fillColour(colour);
    const font = `/F${FONTS.indexOf(weight)} ${num(size)} Tf ${num(spacing)} Tc`;
    this.say(`BT ${font} ${this.at(x, y + ASCENT * size)} Td ${shown(text)} Tj ET`);
  }

  /** Ends the page; what follows is on the next one. */
  endPage(): void {
    const number = FIRST_FONT + FONTS.length + 2 * this.pages.length;
    const packed = deflateSync(this.pageBytes.all);
    const data = this.encryption?.encrypted(packed) ?? packed;
    this.object(
      number,
      `<< /Type /Page /Parent ${PAGES} 0 R /MediaBox [0 0 ${this.width} ${this.height}] /Contents ${number + 1} 0 R >>`,
    );
    this.object(number + 1, `<< /Length ${data.length} /Filter /FlateDecode >>\nstream\n`, data, '\nendstream');
    this.pages.push(number);
    this.pageBytes.clear();
    this.lastColour = '';
  }

  /** The whole file, after its last page has ended. */
  finish(): Buffer {
    const fonts = FONTS.map((_, index) => `/F${index} ${FIRST_FONT + index} 0 R`).join(' ');
    const kids = this.pages.map((page) => `${page} 0 R`).join(' ');
    this.object(
      PAGES,
      `<< /Type /Pages /Count ${this.pages.length} /Resources << /Font << ${fonts} >> >> /Kids [${kids}] >>`,
    );
    const extension = '/Extensions << /ADBE << /BaseVersion /1.7 /ExtensionLevel 3 >> >>';
    this.object(
      CATALOG,
      `<< /Type /Catalog /Pages ${PAGES} 0 R /Lang ${this.string(latin1('en-IN'))} /ViewerPreferences << /DisplayDocTitle true >> ${extension} >>`,
    );
    const made = `D:${new Date(this.options.madeAt).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;
    const title = Buffer.from(`\ufeff${this.options.title}`, 'utf16le').swap16();
    this.object(
      INFO,
      `<< /Title ${this.string(title)} /Author ${this.string(latin1('brokerage-sandbox'))} /CreationDate ${this.string(latin1(made))} >>`,
    );
    if (this.encryption !== undefined) this.object(ENCRYPT, `<< ${this.encryption.dictionary} >>`);
    const table = this.file.length;
    const count = this.starts.length;
    const entries = Array.from({ length: count - 1 }, (_, index) => {
      const start = this.starts[index + 1];
      return start === undefined ? '0000000000 65535 f \n' : `${String(start).padStart(10, '0')} 00000 n \n`;
    });
    // By what it holds: the same document is the same file.
    const id = createHash('sha256').update(this.file.all).digest('hex').slice(0, 32);
    const encrypt = this.encryption === undefined ? '' : ` /Encrypt ${ENCRYPT} 0 R`;
    this.file.add(
      `xref\n0 ${count}\n0000000000 65535 f \n${entries.join('')}trailer\n`,
      `<< /Size ${count} /Root ${CATALOG} 0 R /Info ${INFO} 0 R${encrypt} /ID [<${id}> <${id}>] >>\n`,
      `startxref\n${table}\n%%EOF\n`,
    );
    return this.file.all;
  }

  private object(number: number, ...content: (string | Buffer)[]): void {
    this.starts[number] = this.file.length;
    this.file.add(`${number} 0 obj\n`, ...content, '\nendobj\n');
  }

  /** Adds operators to the page, each with its operands. */
  private say(...operators: string[]): void {
    for (const operator of operators) this.pageBytes.add(operator, '\n');
  }

  private string(bytes: Buffer): string {
    return `<${(this.encryption?.encrypted(bytes) ?? bytes).toString('hex')}>`;
  }

  private path(points: readonly Point[]): string {
    return points.map(([x, y], index) => `${this.at(x, y)} ${index === 0 ? 'm' : 'l'}`).join(' ');
  }

  /** A place as PDF counts it: from the lower left corner. */
  private at(x: number, y: number): string {
    return `${num(x)} ${num(this.height - y)}`;
  }

  private fillColour(colour: string): void {
    if (colour === this.lastColour) return;
    this.lastColour = colour;
    this.say(`${rgb(colour)} rg`);
  }
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const num = (value: number): string => String(Math.round(value * 1_000) / 1_000);

function rgb(colour: string): string {
  return [1, 3, 5].map((at) => num(parseInt(colour.slice(at, at + 2), 16) / 255)).join(' ');
}

/** A text as a string of a page: its brackets and backslashes are escaped. */
function shown(text: string): string {
  const codes = text.replaceAll(/[^\0-\xff]/g, (character) => String.fromCharCode(codeOf(character)));
  return `(${codes.replaceAll(/[\\()]/g, '\\$&')})`;
}
