/** The picture of a document: an amount over time beside an index, a marked stretch, and below it how far the amount fell. */
import type { ReportChart } from '../document/types';
import { longDate, formatValue } from '../document/format';
import type { PdfFile, Point } from './pdf-file';
import { printableText, widthOf } from './pdf-fonts';

const HEIGHT = 118;
const FALL = 26;
const GAP = 4;
const LABELS = 12;
/** Points between the labels of two days. */
const APART = 62;
const AMOUNT = '#1f6f5c';
const INDEX = '#5a6b82';
const LOSS = '#b42318';
const LINE = '#d4dce6';

/** Height of a picture on a page with its labels, points. */
export const CHART_HEIGHT = LABELS + HEIGHT + GAP + FALL + LABELS + 10;

/** Draws a picture at a place of the page. */
export function drawChart(pdf: PdfFile, chart: ReportChart, left: number, top: number, width: number): void {
  const { points, marked } = chart;
  const x = (at: number): number => left + (at / (points.length - 1)) * width;
  const base = top + LABELS;
  const bottom = base + HEIGHT + GAP + FALL;
  const dates = points.map(({ at }) => at.slice(0, 10));
  const text = (said: string, at: number, y: number, colour: string, align: 'left' | 'right' = 'left'): void => {
    const shown = printableText(said);
    const from = align === 'left' ? at : at - 7 * widthOf(shown, 'Helvetica');
    pdf.text(shown, from, y, { weight: 'Helvetica', size: 7, colour });
  };
  const line = (values: readonly number[], colour: string, weight: number): void => {
    const y = scale(values, base, HEIGHT);
    pdf.line(
      values.map((value, at): Point => [x(at), y(value)]),
      colour,
      weight,
    );
  };
  if (marked !== undefined) {
    const [from, to] = [x(dates.indexOf(marked)), x(dates.lastIndexOf(marked))];
    pdf.box(from, base, Math.max(to - from, 2), bottom - base, '#f9e4e1');
  }
  const amounts = points.map(({ amount }) => amount);
  const zero = scale(amounts, base, HEIGHT)(0);
  const across: Point[] = [
    [left, zero],
    [left + width, zero],
  ];
  pdf.line(across, LINE, 0.5, 3);
  const index = points.flatMap(({ index: price }) => (price === null ? [] : [price]));
  if (index.length === points.length) {
    line(index, INDEX, 0.6);
    text(formatValue(Math.max(...index), 'price'), left + width, top, INDEX, 'right');
    text(formatValue(Math.min(...index), 'price'), left + width, base + HEIGHT - 8, INDEX, 'right');
  }
  line(amounts, AMOUNT, 1.3);
  text(formatValue(Math.max(...amounts), 'money'), left, top, AMOUNT);
  text(formatValue(Math.min(...amounts), 'money'), left, base + HEIGHT - 8, LOSS);
  const falls = points.map(({ fall }) => fall);
  const deepest = Math.max(...falls, 1);
  const edge = falls.map((fall, at): Point => [x(at), bottom - FALL + (fall / deepest) * FALL]);
  pdf.surface([[left, bottom - FALL], ...edge, [left + width, bottom - FALL]], '#e4b1ab');
  let next = left;
  for (const [at, date] of dates.entries()) {
    if (date === dates[at - 1] || x(at) < next || x(at) > left + width - APART / 2) continue;
    text(longDate(date).slice(0, -' 2026'.length), x(at), bottom + 3, INDEX);
    next = x(at) + APART;
  }
}

/** Returns the place of a value between the lowest and the highest. */
function scale(values: readonly number[], top: number, height: number): (value: number) => number {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (value) => top + (1 - (value - low) / (high - low || 1)) * height;
}
