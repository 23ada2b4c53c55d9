import {
  dayNumber,
  dayOf,
  formatDayNumber,
  parseDayNumber,
  dateParts,
  startOfDay,
  weekdayOf,
} from '../../shared/dates';
import { aggregateOf, type BarAggregate } from './aggregates';
import { instrumentNamed } from '../reference/instrument-named';
import type { Bar, Market } from './types';
import type { ExchangeCode, Instrument } from '../reference/types';
import type { CandleType, CandleField } from './candle-fields';

export interface CandleQuery {
  exchange: ExchangeCode;
  type: CandleType;
  /** Trading symbol or full name (FUT_CRUDEOIL_20261019); the asset for CHAIN. */
  symbol: string;
  fields: readonly CandleField[];
  interval: string;
  /** Milliseconds; candles that start in [from, to). */
  from: number;
  to: number;
  /** Nothing from this instant (milliseconds) on is shown. */
  asOf: number;
}

/** A value at the start of its candle, milliseconds. Prices are paise, greeks as in Greeks. */
export interface CandlePoint {
  at: number;
  value: number;
}

type Series = Partial<Record<CandleField, CandlePoint[]>>;

const PRICE_FIELDS: readonly CandleField[] = ['open', 'high', 'low', 'close', 'tick_volume'];
const GREEK_FIELDS: readonly CandleField[] = ['theta', 'delta', 'gamma', 'vega', 'iv_bid', 'iv_ask', 'iv_mid'];

const TYPES: Record<Instrument['derivativeType'], CandleType> = {
  STOCK: 'STOCK',
  INDEX: 'INDEX',
  FUT: 'FUT',
  OPT: 'OPT',
};

/** The instrument of a symbol, though it may have expired since. */
function find(market: Market, query: CandleQuery): Instrument | undefined {
  for (const at of [Math.min(query.asOf, query.to), query.from]) {
    const instrument = instrumentNamed(market.universe(at), query.exchange, query.symbol);
    if (instrument && TYPES[instrument.derivativeType] === query.type) return instrument;
  }
  return undefined;
}

/**
 * Gives the points of each field that was asked for in a part [from, to) of the span; undefined when the exchange has no
 * such instrument of that type. Parts are asked for in order. Greeks exist for options only, bids and asks for what has a
 * book: their lists are empty otherwise.
 */
export function candleParts(market: Market, query: CandleQuery): ((from: number, to: number) => Series) | undefined {
  const { exchange, symbol, type, interval, asOf, fields } = query;
  const chain = type === 'CHAIN';
  // What a chain hangs on is its nearest future, which trades whenever its options do.
  const instrument = chain
    ? market.universe(Math.min(asOf, query.to)).futures(exchange, symbol)[0]
    : find(market, query);
  if (!instrument) return undefined;
  const underlying = chain ? market.universe(query.from).byRefId(instrument.underlyingRefId ?? -1) : undefined;
  const whole = interval === '1d' || interval === '1w' || interval === '1mth';
  let aggregate: BarAggregate | undefined;
  const total = () => (aggregate ??= aggregateOf(market, instrument, type, whole));
  return (from, to) => {
    const prices = market.bars(underlying ?? instrument, interval, from, to, asOf);
    const bars = chain ? market.bars(instrument, interval, from, to, asOf) : prices;
    const ends = bars.map((bar) => Math.min(endOf(market, instrument, interval, bar), asOf));
    const series: Series = {};
    const collect = (field: CandleField, value: (bar: Bar, end: number) => number | undefined) => {
      series[field] = bars.flatMap((bar, i) => {
        const found = value(bar, ends[i] as number);
        return found === undefined ? [] : [{ at: bar.at, value: found }];
      });
    };
    for (const field of fields) {
      if (PRICE_FIELDS.includes(field) && !(chain && field === 'tick_volume')) {
        const name = field === 'tick_volume' ? 'volume' : (field as 'open' | 'high' | 'low' | 'close');
        series[field] = prices.map((bar) => ({ at: bar.at, value: bar[name] }));
      } else if (GREEK_FIELDS.includes(field))
        collect(field, (_bar, end) => greek(market, instrument, type, field, end));
      else if (field === 'l1bid' || field === 'l1ask')
        collect(field, (bar, end) => best(market, instrument, type, field, bar, end));
      else
        collect(field, (bar, end) =>
          total()(field, bar, end, whole ? bar.at : startOfTrading(market, exchange, interval, bar)),
        );
    }
    return series;
  };
}

/** Milliseconds of a candle that is shorter than a day. */
function lengthOf(interval: string): number | undefined {
  const unit = { s: 1000, m: 60_000, h: 3_600_000 }[interval.replace(/^\d+/, '')];
  return unit === undefined ? undefined : parseInt(interval, 10) * unit;
}

/** The instant before which everything of a candle happened: its length on, or the end of its last trading day. */
export function endOf(
  market: Pick<Market, 'calendar'>,
  { exchange, derivativeType }: Instrument,
  interval: string,
  bar: Bar,
): number {
  const length = lengthOf(interval);
  if (length !== undefined) return bar.at + length;
  const day = dayOf(bar.at);
  const { year, month } = dateParts(day);
  const after =
    interval === '1d' ? day + 1 : interval === '1w' ? day + 8 - weekdayOf(day) : dayNumber(year, month + 1, 1);
  const last = market.calendar.previousTradingDay(exchange, formatDayNumber(after));
  const sessions = market.calendar.sessions(exchange, derivativeType === 'FUT' || derivativeType === 'OPT', last);
  return Math.max(...sessions.map((session) => session.to));
}

/** The end of the trading day before the one that contains an instant or comes next after it. */
export function endOfPreviousDay(
  { calendar }: Pick<Market, 'calendar'>,
  { exchange }: Pick<Instrument, 'exchange'>,
  at: number,
): number {
  const date = formatDayNumber(dayOf(at));
  const day = calendar.isTradingDay(exchange, date) ? date : calendar.nextTradingDay(exchange, date);
  return startOfDay(parseDayNumber(calendar.previousTradingDay(exchange, day)) + 1) - 1;
}

/** A bar and the part that follows it, as one. */
export const joinedBar = (whole: Bar, part: Bar): Bar => ({
  ...whole,
  high: Math.max(whole.high, part.high),
  low: Math.min(whole.low, part.low),
  close: part.close,
  volume: whole.volume + part.volume,
  openInterest: part.openInterest,
});

/**
 * Returns the instant when trading of the day of a bar began. Where it never ends, with the day's first bar: bars count from the opening of
 * the sessions, so that the one that holds midnight may belong to the day before.
 */
function startOfTrading(market: Market, exchange: ExchangeCode, interval: string, bar: Bar): number {
  const sessions = market.calendar.sessions(exchange, true, formatDayNumber(dayOf(bar.at)));
  const opening = sessions.find((session) => session.phase === 'OPEN')?.from ?? bar.at;
  if (market.hours === 'exchange') return opening;
  const length = lengthOf(interval) ?? opening - startOfDay(dayOf(bar.at));
  return opening - Math.floor((opening - startOfDay(dayOf(bar.at))) / length) * length;
}

function greek(
  market: Market,
  instrument: Instrument,
  type: CandleType,
  field: CandleField,
  end: number,
): number | undefined {
  if (type !== 'OPT') return undefined;
  const greeks = market.greeks(instrument, end - 1);
  if (field === 'theta' || field === 'delta' || field === 'gamma' || field === 'vega') return greeks[field];
  if (field === 'iv_mid') return greeks.iv;
  const price = market.price(instrument, end - 1);
  const { bids, asks } = market.depth(instrument, end - 1, price, 1);
  const quoted = (field === 'iv_bid' ? bids[0]?.price : asks[0]?.price) ?? price;
  const points = (quoted - price) / 100 / Math.max(greeks.vega, 0.01);
  return Math.max(greeks.iv + points / 100, 0);
}

function best(
  market: Market,
  instrument: Instrument,
  type: CandleType,
  field: 'l1bid' | 'l1ask',
  bar: Bar,
  end: number,
): number | undefined {
  if (type === 'INDEX' || type === 'CHAIN') return undefined;
  const { bids, asks } = market.depth(instrument, end - 1, bar.close, 1);
  return (field === 'l1bid' ? bids : asks)[0]?.price;
}
