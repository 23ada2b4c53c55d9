/** The picture of a session report: the result over time beside the index, the worst day marked, the drawdown below. */
import { longDate, formatValue } from '../reports/document/format';
import type { PerformanceRecord } from '../reports/performance/record';
import { signedRupees } from '../reports/performance/worst-day';
import type { LuckBand } from './luck';

const WIDTH = 1_000;
/** The room of a day's label, with some space beside it. */
const LABEL = 80;
const HEIGHT = 300;
const FALL = 70;
/** Length of the year in "13 Mar 2020", with its space. */
const YEAR = ' 2026'.length;

/** An SVG for a page in HTML; nothing where there are no two points to draw a line between. */
export function equityChart(
  { curve: instants, days, market, worst_day: worst }: PerformanceRecord,
  luck: LuckBand | null = null,
): string {
  // A night before a holiday is no day: its date would be where the next one begins.
  const traded = new Set(days.map((day) => day?.date));
  const points = instants.filter(({ at }) => traded.has(at.slice(0, 10)));
  if (points.length < 2) return '';
  const x = (index: number): string => ((index / (points.length - 1)) * WIDTH).toFixed(1);
  const results = points.map(({ result }) => result);
  const band = luck === null ? [] : bandOf(points, luck);
  const shown = [...results, ...band.flatMap(({ low, high }) => [low, high])];
  const prices = points.map(({ market: price }) => price ?? 0);
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  const [least, max] = [Math.min(...prices), Math.max(...prices)];
  const zero = Number(scaled(0, low, high).toFixed(1));
  const dates = points.map(({ at }) => at.slice(0, 10));
  const falls = line(
    points.map(({ drawdown }) => -drawdown),
    FALL,
    x,
  );
  return `<h2><span class="gain">Profit and loss</span>${market === null ? '' : ` compared with <span class="index">${market.symbol}</span>`}; drawdown below${luck === null ? '' : '; shaded: a coin in place of the rule'}</h2>
<svg viewBox="0 -16 ${WIDTH} ${HEIGHT + FALL + 56}" role="img" aria-label="Result over time">
${worst === null || worst.result >= 0 ? '' : marked(worst, dates, x)}
${separators(dates, x)}
${drawnBand(band, low, high, x)}
<line x1="0" x2="${WIDTH}" y1="${zero}" y2="${zero}" stroke="#94a3b8" stroke-dasharray="4"/>
${market === null ? '' : `<polyline points="${line(prices, HEIGHT, x)}" fill="none" stroke="#64748b" stroke-width="1.2"/>`}
<polyline points="${line(results, HEIGHT, x, [low, high])}" fill="none" stroke="#1f6f5c" stroke-width="2.5"/>
${label(2, -4, signedRupees(high), 'gain')}${label(2, HEIGHT + 12, signedRupees(low), 'loss')}
${market === null ? '' : `${label(WIDTH - 2, -4, price(max), 'index end')}${label(WIDTH - 2, HEIGHT + 12, price(least), 'index end')}`}
<g transform="translate(0 ${HEIGHT + 18})"><polygon points="0,0 ${falls} ${WIDTH},0" fill="#b42318" opacity=".35"/></g>
${labelled(dates)
  .map(
    ([at, date]) =>
      `<text x="${x(at)}" y="${HEIGHT + FALL + 36}" font-size="11">${longDate(date).slice(0, -YEAR)}</text>`,
  )
  .join('')}
</svg>`;
}

/** A price of paise, without the sign of the rupee, as an index has none. */
function price(paise: number): string {
  return formatValue(paise, 'price');
}

function scaled(value: number, low: number, high: number, height = HEIGHT): number {
  return (1 - (value - low) / (high - low || 1)) * height;
}

function line(
  values: readonly number[],
  height: number,
  x: (index: number) => string,
  [low, high]: readonly [number, number] = [Math.min(...values), Math.max(...values)],
): string {
  return values.map((value, index) => `${x(index)},${scaled(value, low, high, height).toFixed(1)}`).join(' ');
}

/** Returns the range of ninety of a hundred coins by the end of the day of each point. */
function bandOf(points: PerformanceRecord['curve'], { band }: LuckBand): { low: number; high: number }[] {
  const ends = new Map(band.map((day) => [day.date, day]));
  let last = { low: 0, high: 0 };
  return points.map(({ at }) => (last = ends.get(at.slice(0, 10)) ?? last));
}

function drawnBand(
  band: readonly { low: number; high: number }[],
  low: number,
  high: number,
  x: (index: number) => string,
): string {
  if (band.length === 0) return '';
  const y = (value: number) => scaled(value, low, high).toFixed(1);
  const upper = band.map((day, index) => `${x(index)},${y(day.high)}`);
  const lower = band.map((day, index) => `${x(index)},${y(day.low)}`).reverse();
  return `<polygon points="${[...upper, ...lower].join(' ')}" fill="#b7791f" opacity=".12"/>`;
}

function label(x: number, y: number, text: string, type: string): string {
  return `<text x="${x}" y="${y}" font-size="12" class="${type}">${text}</text>`;
}

/** The worst day as a band over the picture, with what it cost. */
function marked(
  worst: { date: string; result: number },
  dates: readonly string[],
  x: (index: number) => string,
): string {
  const [first, last] = [dates.indexOf(worst.date), dates.lastIndexOf(worst.date)];
  if (first === -1) return '';
  const [from, to] = [Number(x(first)), Number(x(last))];
  const isRight = from > WIDTH / 2;
  const text = `${longDate(worst.date).slice(0, -YEAR)}: ${signedRupees(worst.result)}`;
  return `<rect x="${from}" y="0" width="${Math.max(to - from, 3).toFixed(1)}" height="${HEIGHT + FALL + 18}" fill="#b42318" opacity=".08"/>
<text x="${isRight ? from - 6 : to + 6}" y="${HEIGHT - 8}" font-size="14" font-weight="600" class="loss${isRight ? ' end' : ''}">${text}</text>`;
}

/** A thin line where each day begins, where they are not so many that lines would be all there is. */
function separators(dates: readonly string[], x: (index: number) => string): string {
  const begins = dates.flatMap((date, index) => (index > 0 && date !== dates[index - 1] ? [index] : []));
  if (begins.length > WIDTH / 20) return '';
  return begins
    .map((at) => `<line x1="${x(at)}" x2="${x(at)}" y1="0" y2="${HEIGHT + FALL + 18}" stroke="#e2e8f0"/>`)
    .join('');
}

/** The days that get a label, each with the index of its first point: so far from each other and from the end that no two touch. */
function labelled(dates: readonly string[]): [number, string][] {
  const apart = (LABEL / WIDTH) * (dates.length - 1);
  const days: [number, string][] = [];
  for (const [index, date] of dates.entries()) {
    const next = days.length === 0 ? 0 : days.at(-1)![0] + apart;
    if (date !== dates[index - 1] && index >= next && index + apart / 2 <= dates.length - 1) days.push([index, date]);
  }
  return days;
}
