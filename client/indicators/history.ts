/** The bars that indicators are worked out of: far enough back, and only those that are over. */
import { barPrices, type BarPrices } from '../market/bar-prices';
import type { CandleRow } from '../market/candle-rows';
import { getCandles, type CandleType } from '../market/candles';
import type { Environment } from '../session/settings';
import { endOf, nextBoundary } from '../stream/market-data/candle-boundaries';
import type { Transport } from '../transport';
import { addDays, addMonths, istDate, istInstant, nanosToMs } from '../values/time';
import type { Bar } from './formulas';

/** Lengths of bars that indicators are worked out of, with how many of them a trading day has at least. */
const BARS_A_DAY = {
  '1m': 375,
  '2m': 187,
  '3m': 125,
  '5m': 75,
  '15m': 25,
  '30m': 12,
  '1h': 6,
  '1d': 1,
  '1w': 1 / 5,
  '1mth': 1 / 22,
} as const;
export type BarLength = keyof typeof BARS_A_DAY;
export const BAR_LENGTHS = Object.keys(BARS_A_DAY) as BarLength[];

/** Milliseconds after the end of a bar by which the history has all of it. */
const CANDLE_FINAL_MS = 3_000;
/** Days more than counted: a row of holidays. */
const SPARE_DAYS = 12;

/** Returns true if bars are shorter than a day. */
export function isIntraday(length: BarLength): length is Exclude<BarLength, '1d' | '1w' | '1mth'> {
  return BARS_A_DAY[length] > 1;
}

/** The requested bars. */
export interface BarsRequest {
  exchange: string;
  type: CandleType;
  symbols: readonly string[];
  length: BarLength;
  /** Number of bars of each instrument; Infinity for all that the service has. The result has fewer if the service has fewer. */
  count: number;
  /** True if volumes are needed; an index has none. */
  withVolume: boolean;
  environment: Environment;
  signal?: AbortSignal;
}

/** A bar all of whose prices are known: nothing is worked out from any other. */
export type PricedBar = Bar & BarPrices;

/** The bars of one instrument, the oldest first. */
export interface BarHistory {
  symbol: string;
  bars: PricedBar[];
  /** Number of bars, from the oldest on, that are complete. */
  closed: number;
  /** Start times of bars left out because one of their prices is missing; milliseconds, the oldest first. */
  unpriced: number[];
  /** Start time of the last complete bar, with or without prices; undefined if there is none. */
  lastClosedAt: number | undefined;
}

/** Returns the end of a bar that began at an instant, milliseconds. */
export function barEnd(length: BarLength, at: number, exchange: string, environment: Environment): number {
  return length === '1w' || length === '1mth'
    ? istInstant(nextPeriod(length, istDate(at)))
    : endOf(length, at, exchange, environment);
}

/** The Monday, or the first of a month, after a date (YYYY-MM-DD). */
function nextPeriod(length: '1w' | '1mth', date: string): string {
  if (length === '1mth') return `${addMonths(date, 1).slice(0, 7)}-01`;
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, weekday === 0 ? 1 : 8 - weekday);
}

/**
 * Returns the day, YYYY-MM-DD, from which enough bars are read; never before the service's first (docs/service/limits.md#candle-windows).
 */
function startOf(length: BarLength, count: number, today: string): string {
  const first = addMonths(today, isIntraday(length) ? -3 : -120);
  const days = count === Infinity ? Infinity : Math.ceil((count / BARS_A_DAY[length]) * (7 / 5)) + SPARE_DAYS;
  const requested = days < 4_000 ? addDays(today, -days) : first;
  const start = requested > first ? requested : first;
  // A week or month that is read in part only would be a bar of that part.
  return length === '1w' || length === '1mth' ? nextPeriod(length, start) : start;
}

function barOf(row: CandleRow): PricedBar | undefined {
  const prices = barPrices(row);
  const at = nanosToMs(row.ts);
  if (at === null || prices === undefined) return undefined;
  return { at, ...prices, volume: typeof row.volume === 'number' ? row.volume : null };
}

/** Bars of one instrument with all of their prices, and the start times of those with a missing price, milliseconds. */
interface ReadBars {
  bars: PricedBar[];
  unpriced: number[];
}

function barsBySymbol(rows: readonly CandleRow[], symbols: readonly string[]): Map<string, ReadBars> {
  const bySymbol = new Map<string, ReadBars>(symbols.map((symbol) => [symbol, { bars: [], unpriced: [] }]));
  for (const row of rows) {
    const read = bySymbol.get(String(row.symbol));
    const bar = barOf(row);
    const at = nanosToMs(row.ts);
    if (bar !== undefined) read?.bars.push(bar);
    else if (at !== null) read?.unpriced.push(at);
  }
  return bySymbol;
}

/**
 * Reads bars of instruments of one exchange and kind. If a bar has just ended it waits until the history is complete. The service's clock,
 * if known, decides which bars are complete.
 * @returns the bars by instrument, also if there are fewer than requested, and the symbols that the service does not know.
 * @throws as `getCandles`
 */
export async function readBarHistory(
  transport: Transport,
  request: BarsRequest,
): Promise<{ histories: BarHistory[]; missing: string[] }> {
  const { length, exchange, type, symbols, environment, signal } = request;
  const { clock, marketClock } = transport;
  if (isIntraday(length)) {
    const at = marketClock.now();
    const ended = nextBoundary(length, at - CANDLE_FINAL_MS);
    if (ended <= at) await clock.sleep(ended + CANDLE_FINAL_MS - at, signal);
  }
  const now = marketClock.now();
  const today = istDate(now);
  const fields = ['open', 'high', 'low', 'close'] as const;
  const read = async (from: string) =>
    await getCandles(transport, {
      exchange,
      type,
      symbols,
      fields: request.withVolume ? [...fields, 'cumulative_volume'] : fields,
      interval: length,
      from: istInstant(from),
      // The service's clock may be ahead of ours.
      to: istInstant(addDays(today, 1)),
      unit: 'paise',
      signal,
    });
  const first = startOf(length, request.count, today);
  const all = startOf(length, Infinity, today);
  let candles = await read(first);
  let bySymbol = barsBySymbol(candles.rows, symbols);
  const minCount = Math.min(...[...bySymbol.values()].map(({ bars }) => bars.length));
  // What is seldom traded has no bars where nothing was traded.
  if (minCount < request.count && first > all && candles.missing.length === 0) {
    candles = await read(all);
    bySymbol = barsBySymbol(candles.rows, symbols);
  }
  const over = candles.answeredAt ?? now;
  const isOver = (at: number): boolean => barEnd(length, at, exchange, environment) <= over;
  const histories = [...bySymbol].map(([symbol, { bars, unpriced }]): BarHistory => {
    const open = bars.findIndex(({ at }) => !isOver(at));
    const closed = open === -1 ? bars.length : open;
    const ends = [bars[closed - 1]?.at, unpriced.findLast(isOver)].filter((at) => at !== undefined);
    return { symbol, bars, closed, unpriced, lastClosedAt: ends.length === 0 ? undefined : Math.max(...ends) };
  });
  return { histories, missing: candles.missing };
}
