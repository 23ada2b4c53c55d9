/** Profits and losses as bars on both sides of a line, for an e-mail or a message that shows pictures. */
import { Canvas, fitText, widthOf } from '../charts/canvas';
import { emptyCard, GAIN, GAIN_AREA, INK, LOSS, LOSS_AREA, PALE, RULE, rupeesLabel } from '../charts/style';
import { numberIn } from '../values/record';
import { positionName, whyUnpriced, type Position } from './portfolio';

const WIDTH = 1440;
const MARGIN = 40;
const ROW = 60;
const HEIGHT = 34;
const TEXT = 20;
const TITLE = 26;
const LABEL_RIGHT = 430;
/** The line of 0, and the longest bar on either side, dots. */
const ZERO = 900;
const MAX_BAR_WIDTH = 300;
const MAX_BARS = 20;

/** One bar; its amount in paise, null if unknown. */
export interface ProfitBar {
  label: string;
  amount: number | null;
}

/** One bar for each position: its profit, unknown for an open one without a last price. @param day YYYY-MM-DD, of the picture */
export function positionBars(positions: readonly Position[], day: string): ProfitBar[] {
  return positions.map((position) => {
    const isKnown = position.segment === 'closed' || whyUnpriced(position) === undefined;
    return {
      label: positionName(position, day),
      amount: isKnown ? numberIn(position, 'pnl') : null,
    };
  });
}

const signed = (paise: number): string => (paise > 0 ? `+${rupeesLabel(paise)}` : rupeesLabel(paise));

/** The bars in their order; where they are too many, the largest amounts first, and the rest as one bar together. */
function barsOf(bars: readonly ProfitBar[]): readonly ProfitBar[] {
  if (bars.length <= MAX_BARS) return bars;
  const sorted = [...bars].sort((a, b) => Math.abs(b.amount ?? 0) - Math.abs(a.amount ?? 0));
  const otherBars = sorted.slice(MAX_BARS - 1);
  const sum = otherBars.reduce<number | null>(
    (total, { amount }) => (total === null || amount === null ? null : total + amount),
    0,
  );
  return [...sorted.slice(0, MAX_BARS - 1), { label: `${otherBars.length} others`, amount: sum }];
}

/**
 * One bar for each, to the right for a gain and to the left for a loss; the amount is written beside it.
 * @param total paise; null if unknown. @param empty what is written where there are no bars.
 */
export function profitChart(
  { title, total, empty }: { title: string; total: number | null; empty: string },
  bars: readonly ProfitBar[],
): Canvas {
  const shown = barsOf(bars);
  const canvas = emptyCard(WIDTH, MARGIN * 2 + TITLE + 34 + Math.max(1, shown.length) * ROW);
  if (shown.length === 0) {
    canvas.text(MARGIN, MARGIN, empty, TITLE, PALE);
    return canvas;
  }
  const end = canvas.text(MARGIN, MARGIN, title, TITLE, INK);
  if (total !== null) canvas.text(end + 40, MARGIN, signed(total), TITLE, total < 0 ? LOSS : GAIN);
  const top = MARGIN + TITLE + 34;
  const longest = Math.max(1, ...shown.map(({ amount }) => Math.abs(amount ?? 0)));
  for (const [index, { label, amount }] of shown.entries()) {
    const y = top + index * ROW;
    const textTop = y + Math.round((HEIGHT - TEXT) / 2);
    canvas.text(MARGIN, textTop, fitText(label, TEXT, LABEL_RIGHT - MARGIN), TEXT, INK);
    if (amount === null) {
      canvas.text(ZERO + 16, textTop, 'Not known', TEXT, PALE);
      continue;
    }
    const length = amount === 0 ? 0 : Math.max(2, Math.round((Math.abs(amount) / longest) * MAX_BAR_WIDTH));
    const written = signed(amount);
    if (amount < 0) {
      canvas.rectangle(ZERO - length, y, length, HEIGHT, LOSS_AREA);
      canvas.text(ZERO - length - 16 - widthOf(written, TEXT), textTop, written, TEXT, LOSS);
    } else {
      canvas.rectangle(ZERO, y, length, HEIGHT, GAIN_AREA);
      canvas.text(ZERO + length + 16, textTop, written, TEXT, amount === 0 ? PALE : GAIN);
    }
  }
  canvas.rectangle(ZERO - 1, top - 10, 2, shown.length * ROW, RULE);
  return canvas;
}
