/** Widths of the letters of the fonts that every reader of PDFs has: Helvetica and its bold face. */

export type FontName = 'Helvetica' | 'Helvetica-Bold' | 'Helvetica-Oblique';

/** Characters of Windows-1252 beside those of ISO 8859-1, and their codes. */
const SPECIAL: Readonly<Record<string, number>> = {
  '…': 0x85,
  '‘': 0x91,
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  '•': 0x95,
  '–': 0x96,
  '—': 0x97,
};

/** Codes that have a width, in the order in which the widths are listed. */
const CODES = [...range(0x20, 0x7e), ...range(0xa0, 0xff), ...Object.values(SPECIAL)];

/** Adobe's metrics of the core fonts, thousandths of the size. */
const REGULAR = widths([
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 ',
  '584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 ',
  '667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 ',
  '278 556 500 722 500 500 500 334 260 334 584 278 333 556 556 556 556 260 556 333 737 370 556 584 333 737 333 400 ',
  '584 333 333 333 556 537 278 333 333 365 556 834 834 834 611 667 667 667 667 667 667 1000 722 667 667 667 667 278 ',
  '278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 556 556 556 556 556 556 889 500 556 ',
  '556 556 556 278 278 278 278 556 556 556 556 556 556 556 584 611 556 556 556 556 500 556 500 1000 222 222 333 333 ',
  '350 556 1000',
]);
const BOLD = widths([
  '278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 ',
  '584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 ',
  '667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 ',
  '333 611 556 778 556 556 500 389 280 389 584 278 333 556 556 556 556 280 556 333 737 370 556 584 333 737 333 400 ',
  '584 333 333 333 611 556 278 333 333 365 556 834 834 834 611 722 722 722 722 722 722 1000 722 667 667 667 667 278 ',
  '278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 556 556 556 556 556 556 889 556 556 ',
  '556 556 556 278 278 278 278 611 611 611 611 611 611 611 584 611 611 611 611 611 556 611 556 1000 278 278 500 500 ',
  '350 556 1000',
]);

/** From the top of a line to its base line, at a size of 1. */
export const ASCENT = 0.718;
/** Height of a line in a text of several, at a size of 1. */
export const LINE = 1.19;

function widths(lines: readonly string[]): Uint16Array {
  const glyphWidths = lines.join('').split(' ').map(Number);
  const table = new Uint16Array(256);
  for (const [index, code] of CODES.entries()) table[code] = glyphWidths[index]!;
  return table;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** A text with the characters that the fonts have. */
export function printableText(text: string): string {
  return text
    .replaceAll('₹', 'Rs ')
    .replaceAll('−', '–')
    .replaceAll(/[^\x20-\x7e\u00a0-\u00ff–—‘’“”•…]/g, '?');
}

/** The code of a character of a printable text, as Windows-1252 has it. */
export function codeOf(character: string): number {
  return SPECIAL[character] ?? character.charCodeAt(0);
}

/** Width of a printable text at a size of 1. */
export function widthOf(text: string, weight: FontName): number {
  const table = weight === 'Helvetica-Bold' ? BOLD : REGULAR;
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    sum += table[code < 256 ? code : codeOf(text[at]!)]!;
  }
  return sum / 1_000;
}
