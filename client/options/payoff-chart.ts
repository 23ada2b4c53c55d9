/** The profit of a strategy at expiry as a picture, for an e-mail or a message. */
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
  type Scale,
} from '../charts/axes';
import { Canvas, type ChartLine } from '../charts/canvas';
import { emptyCard, GAIN, GAIN_AREA, INK, LOSS, LOSS_AREA, PALE, rupeesLabel } from '../charts/style';
import type { KnownPrice } from '../values/market-price';
import type { Payoff, PayoffPoint } from './payoff';

/** Free above the best and below the worst profit shown, as a share of both. */
const HEADROOM = 0.1;

function summaryOf({ premium, maxProfit, maxLoss, breakevens }: Payoff): string[] {
  const limit = (amount: number | null): string => (amount === null ? 'no limit' : rupeesLabel(amount));
  return [
    `${premium < 0 ? 'Premium received' : 'Premium paid'} ${rupeesLabel(Math.abs(premium))}   Max profit ${limit(maxProfit)}   Max loss ${limit(maxLoss)}`,
    breakevens.length === 0 ? 'No breakeven' : `Breakeven ${breakevens.map(rupeesLabel).join(' and ')}`,
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
  const canvas = emptyCard(WIDTH, HEIGHT);
  canvas.text(MARGIN, MARGIN, title, TITLE, INK);
  for (const [at, text] of summaryOf(payoff).entries()) canvas.text(MARGIN, 86 + at * 38, text, TEXT, PALE);
  const { points } = payoff;
  const profits = [0, ...points.map(({ profit }) => profit)];
  const [worst, best] = [Math.min(...profits), Math.max(...profits)];
  const room = Math.max(1, (best - worst) * HEADROOM);
  const [lowest, highest] = [points[0]?.price ?? 0, points.at(-1)?.price ?? 1];
  const x = scaleOf(lowest, highest, PLOT.left, PLOT.right);
  const y = scaleOf(worst - room, best + room, PLOT.bottom, PLOT.top);
  drawRules(canvas, roundValues(worst - room, best + room), y, (profit) => ({
    text: rupeesLabel(profit),
    colour: profit < 0 ? LOSS : GAIN,
  }));
  drawBelow(canvas, roundValues(lowest, highest), x, rupeesLabel);
  fill(canvas, points, x, y);
  canvas.line({ ax: PLOT.left, ay: y(0), bx: PLOT.right, by: y(0) }, 2, INK);
  drawPriceMarker(canvas, x(spot), `Now ${rupeesLabel(spot)}`);
  for (const line of linesOf(points, x, y)) canvas.line(line, 5, INK);
  return canvas;
}

function linesOf(points: readonly PayoffPoint[], x: Scale, y: Scale): ChartLine[] {
  return points.slice(1).map(({ price, profit }, at) => {
    const from = points[at]!;
    return { ax: x(from.price), ay: y(from.profit), bx: x(price), by: y(profit) };
  });
}
