/** Pictures of an option chain for an e-mail or a message: open interest by strike, and implied volatility by strike. */
import {
  drawBelow,
  drawPriceMarker,
  drawRules,
  HEIGHT,
  MARGIN,
  PLOT,
  roundValues,
  scaleOf,
  TEXT,
  TITLE,
  WIDTH,
} from '../charts/axes';
import { Canvas, type Colour } from '../charts/canvas';
import { emptyCard, GAIN, GAIN_AREA, INK, LOSS, LOSS_AREA, PALE, rupeesLabel } from '../charts/style';

/** Open interest of a strike, units. */
export interface StrikeInterest {
  /** Paise. */
  strike: number;
  ce: { now: number | null; before: number | null };
  pe: { now: number | null; before: number | null };
}

/** Implied volatilities of a moment, percent. */
export interface IvCurve {
  /** Name in words: "10:15" or "now". */
  name: string;
  /** Points by strike (paise), ascending. */
  points: readonly { strike: number; iv: number }[];
}

/** Colours of the curves, the newest first. */
const CURVES: readonly Colour[] = [INK, GAIN, LOSS, [37, 99, 235], [217, 119, 6], PALE];
/** A bar takes so much of the room of its strike, half for each side. */
const BAR = 0.7;

const grouped = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 0 });

/** Units of open interest in words that fit on an axis: "1.2 Cr", "45 L". */
function units(value: number): string {
  if (value >= 1e7) return `${Math.round(value / 1e5) / 100} Cr`;
  return value >= 1e5 ? `${Math.round(value / 1e3) / 100} L` : grouped.format(value);
}

/**
 * Returns a chart of open interest by strike: calls red, puts green, and a line for the level before.
 * @param title such as NIFTY 24 Nov 2026: Open Interest. @param spot paise; null if the underlying has no price
 * @returns undefined if there is nothing to draw
 */
export function interestChart(
  strikes: readonly StrikeInterest[],
  { title, summary, spot }: { title: string; summary: string; spot: number | null },
): Canvas | undefined {
  const values = strikes.flatMap(({ ce, pe }) => [ce.now, ce.before, pe.now, pe.before]);
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  if (highest === 0) return undefined;
  const canvas = headed(title, [summary, 'Calls red, puts green; the line is what it was before']);
  const y = scaleOf(0, highest * 1.05, PLOT.bottom, PLOT.top);
  const room = (PLOT.right - PLOT.left) / strikes.length;
  const middle = (at: number): number => PLOT.left + (at + 0.5) * room;
  drawRules(canvas, roundValues(0, highest * 1.05), y, (value) => ({ text: units(value), colour: PALE }));
  const width = Math.max(1, Math.round((room * BAR) / 2));
  for (const [at, { ce, pe }] of strikes.entries()) {
    bar(canvas, Math.round(middle(at)) - width, width, y, ce, LOSS_AREA, LOSS);
    bar(canvas, Math.round(middle(at)), width, y, pe, GAIN_AREA, GAIN);
  }
  const every = Math.ceil(strikes.length / 8);
  const shown = strikes.flatMap((_, at) => (at % every === 0 ? [at] : []));
  drawBelow(canvas, shown, middle, (at) => rupeesLabel(strikes[at]!.strike));
  if (spot !== null) drawPriceMarker(canvas, placeOf(strikes, spot, middle), `Now ${rupeesLabel(spot)}`);
  canvas.line({ ax: PLOT.left, ay: y(0), bx: PLOT.right, by: y(0) }, 2, INK);
  return canvas;
}

/**
 * Returns a chart of implied volatility by strike, a curve for each moment.
 * @param spot paise; null if the underlying has no price. @returns undefined if no curve has two points
 */
export function ivChart(
  curves: readonly IvCurve[],
  { title, spot }: { title: string; spot: number | null },
): Canvas | undefined {
  const drawn = curves.filter(({ points }) => points.length > 1);
  const all = drawn.flatMap(({ points }) => points);
  if (all.length === 0) return undefined;
  const [strikes, ivs] = [all.map(({ strike }) => strike), all.map(({ iv }) => iv)];
  const [low, high] = [Math.min(...ivs), Math.max(...ivs)];
  const room = Math.max(0.5, (high - low) * 0.1);
  const canvas = headed(title, []);
  const x = scaleOf(Math.min(...strikes), Math.max(...strikes), PLOT.left, PLOT.right);
  const y = scaleOf(low - room, high + room, PLOT.bottom, PLOT.top);
  drawRules(canvas, roundValues(low - room, high + room), y, (iv) => ({
    text: `${Math.round(iv * 10) / 10} %`,
    colour: PALE,
  }));
  drawBelow(canvas, roundValues(Math.min(...strikes), Math.max(...strikes)), x, rupeesLabel);
  if (spot !== null && spot >= Math.min(...strikes) && spot <= Math.max(...strikes))
    drawPriceMarker(canvas, x(spot), `Now ${rupeesLabel(spot)}`);
  let left = MARGIN;
  for (const [at, { name, points }] of drawn.entries()) {
    const colour = CURVES[at % CURVES.length]!;
    left = canvas.text(left, 86, name, TEXT, colour) + 40;
    for (const [index, to] of points.slice(1).entries()) {
      const from = points[index]!;
      canvas.line({ ax: x(from.strike), ay: y(from.iv), bx: x(to.strike), by: y(to.iv) }, at === 0 ? 5 : 3, colour);
    }
  }
  return canvas;
}

function headed(title: string, lines: readonly string[]): Canvas {
  const canvas = emptyCard(WIDTH, HEIGHT);
  canvas.text(MARGIN, MARGIN, title, TITLE, INK);
  for (const [at, text] of lines.entries()) canvas.text(MARGIN, 86 + at * 38, text, TEXT, PALE);
  return canvas;
}

/** Draws one side of a strike: a bar for the current value, and a line for the former one. */
function bar(
  canvas: Canvas,
  left: number,
  width: number,
  y: (value: number) => number,
  { now, before }: StrikeInterest['ce'],
  area: Colour,
  edge: Colour,
): void {
  const top = Math.round(y(now ?? 0));
  canvas.rectangle(left, top, width, PLOT.bottom - top, area);
  if (before !== null) canvas.rectangle(left, Math.round(y(before)) - 1, width, 3, edge);
}

/** Returns the position of a price between the strikes, whose distances may differ. */
function placeOf(strikes: readonly StrikeInterest[], price: number, middle: (at: number) => number): number {
  const after = strikes.findIndex(({ strike }) => strike >= price);
  if (after < 0) return PLOT.right;
  if (after === 0) return middle(0);
  const [from, to] = [strikes[after - 1]!.strike, strikes[after]!.strike];
  return middle(after - 1) + ((price - from) / (to - from)) * (middle(after) - middle(after - 1));
}
