/** Holdings as a bar chart, for an e-mail or a message that shows pictures and no pages. */
import type { HoldingFields } from '../endpoints/portfolio';
import { Canvas, fitText } from '../charts/canvas';
import { emptyCard, GAIN, GAIN_AREA, INK, LOSS, LOSS_AREA, PALE, rupeesLabel } from '../charts/style';
import { percentText } from '../values/amounts';
import { numberIn, textIn, type WireRecord } from '../values/record';
import { whyUnpriced } from './portfolio';

/** Twice the number of dots at which the chart is displayed, for high-resolution screens. */
const WIDTH = 1440;
const MARGIN = 40;
const ROW = 60;
const BAR = { left: 320, longest: 660, height: 34 };
const TEXT = 20;
const TITLE = 26;
const MAX_BARS = 15;

interface Bar {
  label: string;
  /** Paise; null if the service gives no value. */
  value: number | null;
  /** Paise. */
  profit: number | null;
  /** Paise. */
  invested: number | null;
}

/** A share of the invested amount with its sign, such as +5.49%; empty where nothing was invested. */
function percent(profit: number, invested: number): string {
  return invested > 0 ? percentText((profit * 100) / invested) : '';
}

function barOf(holding: WireRecord<HoldingFields>): Bar {
  // Value and profit that the service works out from no price mean nothing.
  const isPriced = whyUnpriced(holding) === undefined;
  return {
    label: textIn(holding, 'symbol') || textIn(holding, 'displayName') || textIn(holding, 'ref_id'),
    value: isPriced ? numberIn(holding, 'current_value') : null,
    profit: isPriced ? numberIn(holding, 'net_pnl') : null,
    invested: isPriced ? numberIn(holding, 'invested_value') : null,
  };
}

/** The sum of what is known; null if nothing is. */
function sum(bars: readonly Bar[], of: 'value' | 'profit' | 'invested'): number | null {
  const knownValues = bars.map((bar) => bar[of]).filter((item) => item !== null);
  return knownValues.length === 0 ? null : knownValues.reduce((a, b) => a + b, 0);
}

/** The largest first; those that do not fit are one bar together. */
function barsOf(holdings: readonly WireRecord<HoldingFields>[]): Bar[] {
  const bars = holdings.map(barOf).sort((a, b) => (b.value ?? -1) - (a.value ?? -1));
  if (bars.length <= MAX_BARS) return bars;
  const otherBars = bars.slice(MAX_BARS - 1);
  return [
    ...bars.slice(0, MAX_BARS - 1),
    {
      label: `${otherBars.length} others`,
      value: sum(otherBars, 'value'),
      profit: sum(otherBars, 'profit'),
      invested: sum(otherBars, 'invested'),
    },
  ];
}

/**
 * One bar for each holding: its length is the value, its colour says profit (green) or loss (red), which is written too.
 * @param holdings amounts in paise.
 */
export function holdingsChart(holdings: readonly WireRecord<HoldingFields>[]): Canvas {
  const bars = barsOf(holdings);
  const canvas = emptyCard(WIDTH, MARGIN * 2 + TITLE + 34 + Math.max(1, bars.length) * ROW);
  if (bars.length === 0) {
    canvas.text(MARGIN, MARGIN, 'No holdings', TITLE, PALE);
    return canvas;
  }
  const [value, profit, invested] = [sum(bars, 'value') ?? 0, sum(bars, 'profit') ?? 0, sum(bars, 'invested') ?? 0];
  const unpriced = holdings.filter((holding) => barOf(holding).value === null).length;
  const without = unpriced === 0 ? '' : ` (${unpriced} without a price)`;
  const title = canvas.text(MARGIN, MARGIN, `Holdings ${rupeesLabel(value)}${without}`, TITLE, INK);
  canvas.text(
    title + 40,
    MARGIN,
    `${profit < 0 ? 'Loss' : 'Profit'} ${rupeesLabel(Math.abs(profit))} ${percent(profit, invested)}`,
    TITLE,
    profit < 0 ? LOSS : GAIN,
  );
  const longest = Math.max(1, ...bars.map((bar) => bar.value ?? 0));
  for (const [index, bar] of bars.entries()) {
    const top = MARGIN + TITLE + 34 + index * ROW;
    const textTop = top + Math.round((BAR.height - TEXT) / 2);
    const loss = (bar.profit ?? 0) < 0;
    canvas.text(MARGIN, textTop, fitText(bar.label, TEXT, BAR.left - MARGIN - 20), TEXT, INK);
    if (bar.value === null) {
      canvas.text(BAR.left, textTop, 'No price', TEXT, PALE);
      continue;
    }
    const length = Math.max(2, Math.round((Math.max(0, bar.value) / longest) * BAR.longest));
    canvas.rectangle(BAR.left, top, length, BAR.height, loss ? LOSS_AREA : GAIN_AREA);
    const end = canvas.text(BAR.left + length + 16, textTop, rupeesLabel(bar.value), TEXT, INK);
    if (bar.profit !== null)
      canvas.text(end + 16, textTop, percent(bar.profit, bar.invested ?? 0), TEXT, loss ? LOSS : GAIN);
  }
  return canvas;
}
