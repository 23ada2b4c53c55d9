/** Shared parts of charts with two axes: the room for the lines, round values, and the position of a value on an axis. */
import { Canvas, widthOf, type Colour } from './canvas';
import { PALE, RULE } from './style';

/** Twice the number of dots at which the chart is displayed, for high-resolution screens. */
export const WIDTH = 1440;
export const HEIGHT = 840;
export const PLOT = { left: 240, right: 1390, top: 190, bottom: 760 };
export const MARGIN = 40;
export const TITLE = 26;
export const TEXT = 20;
/** The most labels on an axis, give or take one. */
const MAX_LABELS = 8;

/** Maps a value to its position on an axis. */
export type Scale = (value: number) => number;

export const scaleOf =
  (from: number, to: number, start: number, end: number): Scale =>
  (value) =>
    start + ((value - from) / (to - from)) * (end - start);

/** Round values between two others, a step of 1, 2 or 5 times a power of ten apart. */
export function roundValues(from: number, to: number): number[] {
  const least = (to - from) / MAX_LABELS;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, at) => (first + at) * step);
}

/** Rules across the plot with their labels on its left. */
export function drawRules(
  canvas: Canvas,
  values: readonly number[],
  y: Scale,
  label: (value: number) => { text: string; colour: Colour },
): void {
  for (const value of values) {
    const { text, colour } = label(value);
    canvas.line({ ax: PLOT.left, ay: y(value), bx: PLOT.right, by: y(value) }, 1, RULE);
    canvas.text(PLOT.left - 20 - widthOf(text, TEXT), y(value) - TEXT / 2, text, TEXT, colour);
  }
}

/** Labels below the plot. */
export function drawBelow(canvas: Canvas, values: readonly number[], x: Scale, label: (value: number) => string): void {
  for (const value of values) {
    const text = label(value);
    const left = Math.min(x(value) - widthOf(text, TEXT) / 2, WIDTH - MARGIN / 2 - widthOf(text, TEXT));
    canvas.text(left, PLOT.bottom + 24, text, TEXT, PALE);
  }
}

/** An upright line with words above it: the price of now. */
export function drawPriceMarker(canvas: Canvas, at: number, text: string): void {
  canvas.line({ ax: at, ay: PLOT.top, bx: at, by: PLOT.bottom }, 2, PALE);
  canvas.text(Math.min(at + 12, WIDTH - MARGIN / 2 - widthOf(text, TEXT)), PLOT.top - 26, text, TEXT, PALE);
}
