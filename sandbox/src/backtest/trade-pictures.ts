/** A picture of each trade: the bars around it, with its entry and its exit. */
import { formatValue } from '../reports/document/format';
import type { PerformanceRecord } from '../reports/performance/record';
import { signedRupees } from '../reports/performance/worst-day';
import type { Sandbox } from '../simulation/sandbox';
import { istText } from '../shared/time';
import { amountText, escapeHtml, formatMinute } from './report-parts';

type Trip = PerformanceRecord['round_trips'][number];

/** The bars around a trade. Prices are paise. */
export interface TradePicture {
  /** Length of a bar: 1m, 5m, 15m, 1h or 1d. */
  interval: string;
  /** The time at which the first bar begins, an ISO text of India. */
  from: string;
  /** Open, high, low, close, in the order of time. */
  bars: [open: number, high: number, low: number, close: number][];
  /** The bars in which the trade was entered and left; null while it is open. */
  entry: number;
  exit: number | null;
}

/** Number of trades that get a picture, in the order of the report. */
const PICTURED = 100;
/** At most so many bars in one. */
const BARS = 60;
/** Minutes of each length of bars, the shortest first. */
const LENGTHS: [interval: string, minutes: number][] = [
  ['1m', 1],
  ['5m', 5],
  ['15m', 15],
  ['1h', 60],
  ['1d', 1_440],
];
const MINUTE_MS = 60_000;
/** Bars before the entry and after the exit. */
const BESIDE = 10;

/** Of each of the first trades, in the order of the report; null where there are no bars. */
export function picturesOf(sandbox: Sandbox, { round_trips: trips }: PerformanceRecord): (TradePicture | null)[] {
  return trips.slice(0, PICTURED).map((trip) => pictureOf(sandbox, trip));
}

function pictureOf(
  { world, instant }: Sandbox,
  { ref_id: refId, entry_at: entry, exit_at: exit }: Trip,
): TradePicture | null {
  const instrument = world.instrument(refId);
  if (instrument === undefined) return null;
  const [entered, left] = [Date.parse(entry), exit === null ? undefined : Date.parse(exit)];
  for (const [interval, minutes] of LENGTHS) {
    const beside = BESIDE * minutes * MINUTE_MS;
    const [from, to] = [entered - beside, Math.min(instant, (left ?? instant) + beside)];
    // A night is no bars, but it is asked for, too.
    if (to - from > BARS * 20 * minutes * MINUTE_MS && interval !== '1d') continue;
    const begins = Math.floor(from / MINUTE_MS) * MINUTE_MS;
    const bars = world.market.bars(instrument, interval, begins, to, to);
    if (bars.length === 0 || (bars.length > BARS && interval !== '1d')) continue;
    const at = (moment: number): number =>
      Math.max(
        0,
        bars.findLastIndex((bar) => bar.at <= moment),
      );
    // Of a trade over many days the last bars are shown.
    const shown = bars.slice(-BARS);
    const skipped = bars.length - shown.length;
    return {
      interval,
      from: istText(shown[0]!.at),
      bars: shown.map(({ open, high, low, close }) => [open, high, low, close]),
      entry: Math.max(0, at(entered) - skipped),
      exit: left === undefined ? null : Math.max(0, at(left) - skipped),
    };
  }
  return null;
}

const WIDTH = 320;
const HEIGHT = 120;
/** Room for the marks of entry and exit. */
const ROOM = 14;

/** All pictures, as figures that a phone shows one below the other, and A4 beside each other. */
export function tradePictures(trips: readonly Trip[], pictures: readonly (TradePicture | null)[]): string {
  const figures = pictures.flatMap((picture, index) =>
    picture === null ? [] : [figure(trips[index]!, picture, index + 1)],
  );
  if (figures.length === 0) return '';
  const more = trips.length - pictures.length;
  return `<h2>Pictures of the trades</h2><p>▲ bought, ▼ sold; the dotted line leads from the price of the entry to that of the exit.</p>
<div class="trades">${figures.join('')}</div>${more > 0 ? `<p>The first ${pictures.length} of ${trips.length} trades have a picture.</p>` : ''}`;
}

function figure(trip: Trip, picture: TradePicture, number: number): string {
  const { symbol, side, quantity, entry_at: entry, exit_at: exit, entry_price: paid, exit_price: got, net } = trip;
  const left = exit === null ? 'open' : `${formatMinute(exit, entry)} at ${signedRupees(got)}`;
  return `<figure><figcaption>${number}. ${escapeHtml(symbol)}, ${side === 'LONG' ? 'long' : 'short'} ${quantity}: ${formatMinute(entry)} at ${signedRupees(paid)}, ${left}, ${amountText(net)}</figcaption>
${drawn(trip, picture)}</figure>`;
}

function drawn(
  { side, entry_price: paid, exit_price: got }: Trip,
  { bars, entry, exit, interval, from }: TradePicture,
): string {
  const prices = [...bars.flatMap(([, high, low]) => [high, low]), paid, ...(exit === null ? [] : [got])];
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const step = WIDTH / bars.length;
  const x = (index: number): string => ((index + 0.5) * step).toFixed(1);
  const y = (price: number): string => (ROOM + (1 - (price - low) / (high - low || 1)) * HEIGHT).toFixed(1);
  const candles = bars.map(([open, top, bottom, close], index) => {
    const colour = close < open ? '#b42318' : close > open ? '#1f6f5c' : '#64748b';
    const body = Math.max(1, Math.abs(Number(y(open)) - Number(y(close)))).toFixed(1);
    return `<path d="M${x(index)} ${y(top)}V${y(bottom)}" stroke="${colour}"/><rect x="${(index * step + step * 0.2).toFixed(1)}" y="${y(Math.max(open, close))}" width="${(step * 0.6).toFixed(1)}" height="${body}" fill="${colour}"/>`;
  });
  const isLong = side === 'LONG';
  const exitMark = exit === null ? '' : mark(x(exit), y(got), !isLong);
  const way =
    exit === null
      ? ''
      : `<path d="M${x(entry)} ${y(paid)}L${x(exit)} ${y(got)}" stroke="#1b2a41" stroke-dasharray="2 3"/>`;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT + 2 * ROOM + 12}" role="img" aria-label="Bars of ${interval} from ${from.slice(0, 16).replace('T', ' ')}">
${candles.join('')}${way}${mark(x(entry), y(paid), isLong)}${exitMark}
<text x="0" y="10" font-size="10">${formatValue(high, 'price')}</text><text x="0" y="${HEIGHT + 2 * ROOM + 10}" font-size="10">${formatValue(low, 'price')}</text><text x="${WIDTH}" y="${HEIGHT + 2 * ROOM + 10}" font-size="10" class="end">bars of ${interval}</text></svg>`;
}

/** A purchase points up from below its price, a sale down from above it. */
function mark(x: string, y: string, isBuy: boolean): string {
  const [at, price] = [Number(x), Number(y)];
  const base = (isBuy ? price + 10 : price - 10).toFixed(1);
  return `<path d="M${x} ${y}L${(at - 5).toFixed(1)} ${base}H${(at + 5).toFixed(1)}Z" fill="#1b2a41" stroke="#fff"/>`;
}
