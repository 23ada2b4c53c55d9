/** The profit of a strategy at expiry as a picture, for an e-mail or a message. */
import { Canvas, widthOf, type ChartLine } from '../charts/canvas';
import { GAIN, GAIN_AREA, INK, LOSS, LOSS_AREA, PALE, RULE, rupees, WHITE } from '../charts/style';
import type { KnownPrice } from '../values/market-price';
import type { Payoff, PayoffPoint } from './payoff';

/** Twice as many dots as it is meant to be shown with, for sharp screens. */
const WIDTH = 1440;
const HEIGHT = 840;
const PLOT = { left: 240, right: 1390, top: 190, bottom: 760 };
const MARGIN = 40;
const TITLE = 26;
const TEXT = 20;
/** The most labels on an axis, give or take one. */
const MAX_LABELS = 8;
/** Free above the best and below the worst profit shown, as a share of both. */
const HEADROOM = 0.1;

/** Where a value is on an axis. */
type Scale = (value: number) => number;

const scaleOf =
  (from: number, to: number, start: number, end: number): Scale =>
  (value) =>
    start + ((value - from) / (to - from)) * (end - start);

/** Round values between two others, a step of 1, 2 or 5 times a power of ten apart. */
function roundValues(from: number, to: number): number[] {
  const least = (to - from) / MAX_LABELS;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, at) => (first + at) * step);
}

function summaryOf({ premium, maxProfit, maxLoss, breakevens }: Payoff): string[] {
  const limit = (amount: number | null): string => (amount === null ? 'no limit' : rupees(amount));
  return [
    `${premium < 0 ? 'Premium received' : 'Premium paid'} ${rupees(Math.abs(premium))}   Max profit ${limit(maxProfit)}   Max loss ${limit(maxLoss)}`,
    breakevens.length === 0 ? 'No breakeven' : `Breakeven ${breakevens.map(rupees).join(' and ')}`,
  ];
}

/** The areas between the line and zero: green above it, red below. */
function fill(canvas: Canvas, points: readonly PayoffPoint[], x: Scale, y: Scale): void {
  const zero = Math.round(y(0));
  for (const [at, to] of points.entries()) {
    const from = points[at - 1];
    if (from === undefined) continue;
    const [start, end] = [x(from.price), x(to.price)];
    for (let dot = Math.round(start); dot < Math.round(end); dot++) {
      const profit = from.profit + ((to.profit - from.profit) * (dot + 0.5 - start)) / (end - start);
      const edge = Math.round(y(profit));
      canvas.rectangle(dot, Math.min(edge, zero), 1, Math.abs(edge - zero), profit < 0 ? LOSS_AREA : GAIN_AREA);
    }
  }
}

/**
 * The line of the profit at expiry over the price of the underlying, with the price of now.
 * @param title such as NIFTY 24 Nov 2026 SELL STRADDLE.
 * @param spot price of the underlying now, paise.
 */
export function payoffChart(payoff: Payoff, { title, spot }: { title: string; spot: KnownPrice }): Canvas {
  const canvas = new Canvas(WIDTH, HEIGHT, WHITE);
  canvas.text(MARGIN, MARGIN, title, TITLE, INK);
  for (const [at, text] of summaryOf(payoff).entries()) canvas.text(MARGIN, 86 + at * 38, text, TEXT, PALE);
  const { points } = payoff;
  const profits = [0, ...points.map(({ profit }) => profit)];
  const [worst, best] = [Math.min(...profits), Math.max(...profits)];
  const room = Math.max(1, (best - worst) * HEADROOM);
  const [lowest, highest] = [points[0]?.price ?? 0, points.at(-1)?.price ?? 1];
  const x = scaleOf(lowest, highest, PLOT.left, PLOT.right);
  const y = scaleOf(worst - room, best + room, PLOT.bottom, PLOT.top);
  for (const profit of roundValues(worst - room, best + room)) {
    const label = rupees(profit);
    canvas.line({ ax: PLOT.left, ay: y(profit), bx: PLOT.right, by: y(profit) }, 1, RULE);
    canvas.text(PLOT.left - 20 - widthOf(label, TEXT), y(profit) - TEXT / 2, label, TEXT, profit < 0 ? LOSS : GAIN);
  }
  for (const price of roundValues(lowest, highest)) {
    const label = rupees(price);
    const left = Math.min(x(price) - widthOf(label, TEXT) / 2, WIDTH - MARGIN / 2 - widthOf(label, TEXT));
    canvas.text(left, PLOT.bottom + 24, label, TEXT, PALE);
  }
  fill(canvas, points, x, y);
  canvas.line({ ax: PLOT.left, ay: y(0), bx: PLOT.right, by: y(0) }, 2, INK);
  canvas.line({ ax: x(spot), ay: PLOT.top, bx: x(spot), by: PLOT.bottom }, 2, PALE);
  const now = `Now ${rupees(spot)}`;
  canvas.text(Math.min(x(spot) + 12, WIDTH - MARGIN / 2 - widthOf(now, TEXT)), PLOT.top - 26, now, TEXT, PALE);
  for (const line of linesOf(points, x, y)) canvas.line(line, 5, INK);
  return canvas;
}

function linesOf(points: readonly PayoffPoint[], x: Scale, y: Scale): ChartLine[] {
  return points.slice(1).map(({ price, profit }, at) => {
    const from = points[at]!;
    return { ax: x(from.price), ay: y(from.profit), bx: x(price), by: y(profit) };
  });
}
