/** Prices of a time without a listener, read from the historical candles (docs/service/market-data.md#candles). */
import { barPrices } from '../../market/bar-prices';
import type { CandleField, CandleRequest, Candles } from '../../market/candles';
import type { MarketPrice } from '../../values/market-price';
import { MS_PER_DAY } from '../../values/time';
import type { MarketInstrument, StreamInterval } from './market-data';

/** Reads candles. @throws BrokerageError */
export type CandleReader = (request: CandleRequest) => Promise<Pick<Candles, 'rows'>>;

/** One candle of the history; money is paise, times are milliseconds. */
export interface HistoryBar {
  at: number;
  open: MarketPrice;
  high: MarketPrice;
  low: MarketPrice;
  close: MarketPrice;
  volume: number | null;
}

/** A part of what was missed. */
export interface MissedBar extends HistoryBar {
  lengthMs: number;
}

/** Missed prices, by ref_id, the oldest first. */
export interface MissedPrices {
  bars: Map<number, MissedBar[]>;
  /** Time of the request on the service's clock: earlier prices are included. */
  requestedAt: number;
}

const SECOND = 1_000;
const MINUTE = 60_000;
/** Milliseconds up to which each second is read; of a longer time its whole minutes. */
const BY_SECONDS_MS = 30 * MINUTE;
/** Maximum age of prices to read, milliseconds. */
const MAX_SPAN_MS = 7 * MS_PER_DAY;
/** Maximum number of symbols in one request (docs/service/limits.md#symbols-in-one-query). */
const SYMBOLS_PER_REQUEST = 10;

/** Instruments that one request may name: of one exchange and kind, and not too many. */
export function requestGroups<T extends { instrument: MarketInstrument }>(all: Iterable<T>): T[][] {
  const groups = new Map<string, T[][]>();
  for (const item of all) {
    const { exchange, kind } = item.instrument;
    const key = `${exchange} ${kind}`;
    const lists = groups.get(key) ?? [[]];
    groups.set(key, lists);
    if (lists.at(-1)!.length === SYMBOLS_PER_REQUEST) lists.push([]);
    lists.at(-1)!.push(item);
  }
  return [...groups.values()].flat();
}

interface Range {
  from: number;
  to: number;
  signal: AbortSignal;
}

/**
 * Candles of one or more instruments of one exchange and kind that begin in [from, to), by ref_id, the oldest first.
 * @throws BrokerageError
 */
export async function readBars(
  candles: CandleReader,
  instruments: readonly MarketInstrument[],
  interval: StreamInterval | '1s',
  { from, to, signal }: Range,
  fields: readonly CandleField[] = ['open', 'high', 'low', 'close'],
): Promise<Map<number, HistoryBar[]>> {
  const bySymbol = new Map(instruments.map(({ symbol }): [unknown, HistoryBar[]] => [symbol, []]));
  const { exchange, kind } = instruments[0]!;
  const { rows } = await candles({
    exchange,
    type: kind,
    symbols: instruments.map(({ symbol }) => symbol),
    fields,
    interval,
    from,
    to: Math.max(to, from + 1),
    unit: 'paise',
    signal,
  });
  for (const row of rows) {
    const { symbol, ts, volume } = row;
    const prices = barPrices(row);
    if (prices === undefined) continue;
    const at = Number(BigInt(String(ts)) / 1_000_000n);
    bySymbol.get(symbol)?.push({ at, ...prices, volume: typeof volume === 'number' ? volume : null });
  }
  return new Map(instruments.map(({ refId, symbol }) => [refId, bySymbol.get(symbol)!]));
}

/**
 * Reads the prices of instruments of one exchange and kind since an instant: second by second, for a long time its whole minutes.
 * @param time the service's clock.
 * @throws BrokerageError
 */
export async function readMissedBars(
  candles: CandleReader,
  instruments: readonly MarketInstrument[],
  since: number,
  time: { now(): number },
  signal: AbortSignal,
): Promise<MissedPrices> {
  const now = time.now();
  const from = Math.max(since, now - MAX_SPAN_MS);
  // The service's clock may be ahead of what is known of it.
  const end = now + MINUTE;
  const read = async (interval: '1s' | '1m', start: number, to: number): Promise<Map<number, MissedBar[]>> => {
    const lengthMs = interval === '1s' ? SECOND : MINUTE;
    const range = { from: Math.floor(start / lengthMs) * lengthMs, to, signal };
    const bars = await readBars(candles, instruments, interval, range);
    return new Map([...bars].map(([refId, list]) => [refId, list.map((bar) => ({ ...bar, lengthMs }))]));
  };
  if (now - from <= BY_SECONDS_MS) return { bars: await read('1s', from, end), requestedAt: now };
  const [first, last] = [(Math.floor(from / MINUTE) + 1) * MINUTE, Math.floor(now / MINUTE) * MINUTE];
  const parts = [await read('1s', from, first), await read('1m', first, last)];
  const requestedAt = time.now();
  parts.push(await read('1s', last, end));
  const bars = new Map(instruments.map(({ refId }) => [refId, parts.flatMap((part) => part.get(refId)!)]));
  return { bars, requestedAt };
}

/** A price within a bar, and when it was so. */
export interface PastPrice {
  at: number;
  price: MarketPrice;
  /** Length of the bar, milliseconds: it holds the price at some moment. */
  withinMs: number;
}

/** A price of REST, which tells no time: it stood at some instant between that of the last price heard and `until`. */
export interface RequestedPrice {
  price: number;
  /** Milliseconds on the service's clock. */
  until: number;
}

/**
 * The prices of bars that a listener has not seen, one after the other, repeats left out: open, then the farther of low and
 * high from the close, the other, close. Of a bar that it has seen a part of, the close alone.
 * @param seenUntil everything before it was seen.
 * @param requested what was seen last; the prices before it, where the bars show it before its `until`, are left out.
 */
export function pricesOf(bars: readonly MissedBar[], seenUntil: number, requested?: RequestedPrice): PastPrice[] {
  const prices: PastPrice[] = [];
  const add = (at: number, price: MarketPrice, withinMs: number): void => {
    if (prices.at(-1)?.price !== price) prices.push({ at, price, withinMs });
  };
  for (const { at, lengthMs, open, high, low, close } of bars) {
    const end = at + lengthMs;
    if (end <= seenUntil) continue;
    if (at >= seenUntil) {
      const third = Math.floor(lengthMs / 3);
      const [second, other] = close >= open ? [low, high] : [high, low];
      add(at, open, lengthMs);
      add(at + third, second, lengthMs);
      add(at + 2 * third, other, lengthMs);
    }
    add(end - 1, close, lengthMs);
  }
  const shows = bars.find(
    ({ at, lengthMs, open, low, high, close }) =>
      at + lengthMs > seenUntil && [open, low, high, close].some((price) => price === requested?.price),
  );
  if (requested === undefined || shows === undefined || shows.at < seenUntil) return prices;
  const place = prices.findIndex(({ at, price }) => price === requested.price && at < requested.until);
  return prices.slice(Math.max(place, 0));
}
