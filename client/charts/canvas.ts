/** Draws rectangles and text: enough for a chart, with no font and no library. */
import { GLYPHS, UNKNOWN_GLYPH } from './glyphs';
import type { Bitmap } from './png';

/** Red, green, blue, each 0 to 255. */
export type Colour = readonly [number, number, number];

/** The height of a capital letter, in units of the glyphs' grid. */
const CAPITAL_UNITS = 12;
/** Letters are narrower than their grid is wide. */
const NARROW = 0.8;
/** The thickness of a stroke for each dot of a capital's height. */
const STROKE = 0.13;

/** Letters by their distance to the next, in units of the grid: marks are closer, in the middle of their room. */
const ADVANCES: readonly (readonly [letters: string, advance: number])[] = [
  ['il', 5.5],
  [',.: ', 7],
  ['fjrt', 8],
  ['abcdeghknopqsuvxyz', 9.5],
];

const advanceOf = (letter: string): number => ADVANCES.find(([letters]) => letters.includes(letter))?.[1] ?? 11.5;
const insetOf = (letter: string): number => (',.:'.includes(letter) ? -2.3 : 0);

/** A line from one point to another, dots. */
export interface ChartLine {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

/** The square of a point's distance from a line. */
function squaredDistance(x: number, y: number, { ax, ay, bx, by }: ChartLine): number {
  const dx = bx - ax;
  const dy = by - ay;
  const length = dx * dx + dy * dy;
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return (x - ax - part * dx) ** 2 + (y - ay - part * dy) ** 2;
}

/** A picture under construction; the top left dot is (0, 0). */
export class Canvas implements Bitmap {
  readonly rgb: Uint8Array;

  constructor(
    readonly width: number,
    readonly height: number,
    background: Colour,
  ) {
    this.rgb = new Uint8Array(width * height * 3);
    this.rectangle(0, 0, width, height, background);
  }

  /** Lays a colour over a dot; `cover` from 0 (nothing) to 1 (all). Dots outside of the picture are left out. */
  private dot(x: number, y: number, colour: Colour, cover: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height || cover <= 0) return;
    const at = (y * this.width + x) * 3;
    for (let part = 0; part < 3; part++)
      this.rgb[at + part] = Math.round(this.rgb[at + part]! * (1 - cover) + colour[part]! * cover);
  }

  /** Fills a rectangle. What lies outside of the picture is left out. */
  rectangle(x: number, y: number, width: number, height: number, [red, green, blue]: Colour): void {
    const [left, right] = [Math.max(0, x), Math.min(this.width, x + width)];
    for (let row = Math.max(0, y); row < Math.min(this.height, y + height); row++) {
      for (let at = (row * this.width + left) * 3; at < (row * this.width + right) * 3; at += 3) {
        this.rgb[at] = red;
        this.rgb[at + 1] = green;
        this.rgb[at + 2] = blue;
      }
    }
  }

  /** Draws a straight line with round ends. @param width its thickness, dots. What lies outside of the picture is left out. */
  line(line: ChartLine, width: number, colour: Colour): void {
    const radius = width / 2;
    const [top, bottom] = [Math.min(line.ay, line.by) - radius - 1, Math.max(line.ay, line.by) + radius + 1];
    const [left, right] = [Math.min(line.ax, line.bx) - radius - 1, Math.max(line.ax, line.bx) + radius + 1];
    for (let y = Math.max(0, Math.floor(top)); y <= Math.min(this.height - 1, bottom); y++)
      for (let x = Math.max(0, Math.floor(left)); x <= Math.min(this.width - 1, right); x++)
        this.dot(x, y, colour, Math.min(1, radius + 0.5 - Math.sqrt(squaredDistance(x + 0.5, y + 0.5, line))));
  }

  /** Writes a text. @param y the top of the capitals. @param size their height, dots. @returns the end of the text */
  text(x: number, y: number, text: string, size: number, colour: Colour): number {
    const unit = (NARROW * size) / CAPITAL_UNITS;
    let left = x;
    for (const letter of text) {
      this.glyph(left + insetOf(letter) * unit, y, GLYPHS[letter] ?? UNKNOWN_GLYPH, size, colour);
      left += advanceOf(letter) * unit;
    }
    return left;
  }

  private glyph(left: number, top: number, glyph: string, size: number, colour: Colour): void {
    const unit = size / CAPITAL_UNITS;
    const radius = (size * STROKE) / 2;
    const lines = linesOf(glyph).map(({ ax, ay, bx, by }) => ({
      ax: left + ax * unit * NARROW,
      ay: top + ay * unit,
      bx: left + bx * unit * NARROW,
      by: top + by * unit,
    }));
    if (lines.length === 0) return;
    for (let y = Math.floor(top - radius - 1); y <= top + size * 1.25 + radius; y++) {
      for (let x = Math.floor(left - radius - 1); x <= left + 8 * unit * NARROW + radius + 1; x++) {
        let nearest = Infinity;
        for (const line of lines) nearest = Math.min(nearest, squaredDistance(x + 0.5, y + 0.5, line));
        this.dot(x, y, colour, Math.min(1, radius + 0.5 - Math.sqrt(nearest)));
      }
    }
  }
}

/** The lines of a glyph: pairs of hexadecimal digits are points, a blank begins a new stroke. */
function linesOf(glyph: string): ChartLine[] {
  return glyph.split(' ').flatMap((stroke) => {
    const points = (stroke.match(/../g) ?? []).map(
      (point) => [parseInt(point[0]!, 16), parseInt(point[1]!, 16)] as const,
    );
    return points.slice(1).map(([bx, by], index) => ({ ax: points[index]![0], ay: points[index]![1], bx, by }));
  });
}

/** Returns the width of a text, dots. */
export function widthOf(text: string, size: number): number {
  return [...text].reduce((width, letter) => width + (advanceOf(letter) * NARROW * size) / CAPITAL_UNITS, 0);
}

const CUT = '..';

/** Returns a text that is as wide as allowed at most: its middle is left out, as the end of a contract tells a call from a put. @param widest dots */
export function fitText(text: string, size: number, widest: number): string {
  if (widthOf(text, size) <= widest) return text;
  const letters = [...text];
  const joined = (kept: number): string =>
    letters.slice(0, Math.ceil(kept / 2)).join('') +
    CUT +
    letters.slice(letters.length - Math.floor(kept / 2)).join('');
  let kept = letters.length - 1;
  while (kept > 0 && widthOf(joined(kept), size) > widest) kept--;
  return joined(kept);
}
