/** XML of a workbook (ECMA-376, SpreadsheetML): its cells, its styles, and the parts around its sheets. */

export type CellValue = string | number | Date | null;

export interface CellStyle {
  bold?: boolean;
  /** Points; 11 when left out. */
  size?: number;
  /** Of the text, RRGGBB. */
  color?: string | undefined;
  /** Of the ground, RRGGBB. */
  fill?: string;
  /** Format of numbers and dates. */
  format?: string | undefined;
  align?: 'left' | 'right' | undefined;
  indent?: number;
  wraps?: boolean;
}

const DAY = 86_400_000;
/** Day number of 1 January 1970. */
const EPOCH = 25_569;
/** The first number of a format that is not built in. */
const OWN_FORMATS = 164;
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text in XML: without what XML cannot hold, and with nothing that a spreadsheet takes for the code of a character. */
export function xmlText(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[&<>"]/g, (found) => ENTITIES[found]!);
}

/** Letters of a column, counted from 0. */
export function columnLetter(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetter(Math.floor(column / 26) - 1) + last;
}

/** @param row counted from 1. @param style its number in the table of styles */
export function cellXml(column: number, row: number, value: CellValue, style: number): string {
  const place = `r="${columnLetter(column)}${row}" s="${style}"`;
  if (value === null) return `<c ${place}/>`;
  if (typeof value === 'string')
    return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${xmlText(value)}</t></is></c>`;
  return `<c ${place}><v>${typeof value === 'number' ? value : value.getTime() / DAY + EPOCH}</v></c>`;
}

export const rowXml = (number: number, cells: readonly string[]): string =>
  `<row r="${number}">${cells.join('')}</row>`;

/** Parts of a sheet around its rows. */
export const worksheetXml = {
  /** @param widths of the columns, characters. @param frozen rows at the top that stay */
  begin: (widths: readonly number[], frozen: number): string =>
    [
      `${HEAD}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`,
      '<sheetViews><sheetView showGridLines="0" workbookViewId="0">',
      `<pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/>`,
      '</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>',
      ...widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`),
      '</cols><sheetData>',
    ].join(''),
  /** @param filter range of the rows that can be filtered. @param merges ranges that are one cell */
  end: (filter: string | undefined, merges: readonly string[]): string =>
    [
      '</sheetData>',
      filter === undefined ? '' : `<autoFilter ref="${filter}"/>`,
      merges.length === 0 ? '' : `<mergeCells count="${merges.length}">`,
      ...merges.map((range) => `<mergeCell ref="${range}"/>`),
      merges.length === 0 ? '' : '</mergeCells>',
      '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>',
      '<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/></worksheet>',
    ].join(''),
};

/** The table of styles of a workbook: each look once. */
export class SheetStyles {
  private readonly styleIds = new Map<string, number>();
  private readonly fonts = new Table();
  private readonly fills = new Table();
  private readonly formats = new Table();
  private readonly all = new Table();

  constructor() {
    this.fills.place('<fill><patternFill patternType="none"/></fill>');
    this.fills.place('<fill><patternFill patternType="gray125"/></fill>');
    this.of({});
  }

  /** Number of a style. */
  of(style: CellStyle): number {
    const name = JSON.stringify(style);
    let found = this.styleIds.get(name);
    if (found === undefined) this.styleIds.set(name, (found = this.add(style)));
    return found;
  }

  private add({ bold, size = 11, color, fill, format, align, indent, wraps }: CellStyle): number {
    const font = this.fonts.place(
      `<font>${bold ? '<b/>' : ''}<sz val="${size}"/>${color === undefined ? '' : `<color rgb="FF${color}"/>`}<name val="Calibri"/></font>`,
    );
    const ground =
      fill === undefined
        ? 0
        : this.fills.place(
            `<fill><patternFill patternType="solid"><fgColor rgb="FF${fill}"/><bgColor indexed="64"/></patternFill></fill>`,
          );
    const number = format === undefined ? 0 : OWN_FORMATS + this.formats.place(xmlText(format));
    const alignment = [
      align === undefined ? '' : ` horizontal="${align}"`,
      wraps ? ' vertical="center" wrapText="1"' : '',
      indent === undefined ? '' : ` indent="${indent}"`,
    ].join('');
    return this.all.place(
      `<xf numFmtId="${number}" fontId="${font}" fillId="${ground}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyAlignment="1"><alignment${alignment}/></xf>`,
    );
  }

  xml(): string {
    const formats = this.formats.entries.map(
      (code, at) => `<numFmt numFmtId="${OWN_FORMATS + at}" formatCode="${code}"/>`,
    );
    return [
      `${HEAD}<styleSheet xmlns="${MAIN}">`,
      formats.length === 0 ? '' : listed('numFmts', formats),
      listed('fonts', this.fonts.entries),
      listed('fills', this.fills.entries),
      listed('borders', ['<border><left/><right/><top/><bottom/><diagonal/></border>']),
      listed('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
      listed('cellXfs', this.all.entries),
      listed('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
      '</styleSheet>',
    ].join('');
  }
}

/** Entries, each once, with their places. */
class Table {
  private readonly places = new Map<string, number>();

  place(entry: string): number {
    const known = this.places.get(entry);
    if (known !== undefined) return known;
    this.places.set(entry, this.places.size);
    return this.places.size - 1;
  }

  get entries(): string[] {
    return [...this.places.keys()];
  }
}

const listed = (name: string, entries: readonly string[]): string =>
  `<${name} count="${entries.length}">${entries.join('')}</${name}>`;

/** The parts of a workbook beside its sheets, by name. @param sheets their names */
export function workbookParts(
  title: string,
  sheets: readonly string[],
  styles: SheetStyles,
): [name: string, xml: string][] {
  const ids = sheets.map((_, at) => at + 1);
  const override = (part: string, type: string): string => `<Override PartName="${part}" ContentType="${type}"/>`;
  const relation = (id: number | string, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${type}" Target="${target}"/>`;
  return [
    [
      '[Content_Types].xml',
      [
        `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">`,
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
        '<Default Extension="xml" ContentType="application/xml"/>',
        override('/xl/workbook.xml', `${TYPE}.sheet.main+xml`),
        ...ids.map((id) => override(`/xl/worksheets/sheet${id}.xml`, `${TYPE}.worksheet+xml`)),
        override('/xl/styles.xml', `${TYPE}.styles+xml`),
        override('/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'),
        '</Types>',
      ].join(''),
    ],
    [
      '_rels/.rels',
      [
        `${HEAD}<Relationships xmlns="${RELATIONS}">`,
        relation(1, `${OFFICE}/officeDocument`, 'xl/workbook.xml'),
        relation(2, `${RELATIONS}/metadata/core-properties`, 'docProps/core.xml'),
        '</Relationships>',
      ].join(''),
    ],
    [
      'docProps/core.xml',
      [
        `${HEAD}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"`,
        ' xmlns:dc="http://purl.org/dc/elements/1.1/">',
        `<dc:title>${xmlText(title)}</dc:title><dc:creator>brokerage-sandbox</dc:creator></cp:coreProperties>`,
      ].join(''),
    ],
    [
      'xl/workbook.xml',
      [
        `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>`,
        ...sheets.map((name, at) => `<sheet name="${xmlText(name)}" sheetId="${ids[at]}" r:id="rId${ids[at]}"/>`),
        '</sheets></workbook>',
      ].join(''),
    ],
    [
      'xl/_rels/workbook.xml.rels',
      [
        `${HEAD}<Relationships xmlns="${RELATIONS}">`,
        ...ids.map((id) => relation(id, `${OFFICE}/worksheet`, `worksheets/sheet${id}.xml`)),
        relation('Styles', `${OFFICE}/styles`, 'styles.xml'),
        '</Relationships>',
      ].join(''),
    ],
    ['xl/styles.xml', styles.xml()],
  ];
}
