/** Market data in the user's form, under the names that quotes and candles have over REST. */
import { bookFigures, type BookLevel } from '../../market/quotes';
import { isKnownPrice, priceOrNull, type MarketPrice, type NoPrice } from '../../values/market-price';
import { paiseTo, type MoneyUnit } from '../../values/money';
import { nanosToIst, toIst } from '../../values/time';
import type { ClosedCandle, MarketChain, MarketEvent, MarketInstrument, MarketOption, MarketTick } from './market-data';
import { changeOf } from './market-filter';

export interface MarketOutputOptions {
  unit: MoneyUnit;
  environment: string;
  /** Time of delivery, milliseconds since the epoch. */
  now: number;
}

const MINUTE = 60_000;

type Item = Record<string, unknown>;
/** Number of updates left out since the last item. */
type Skipped = number;

const named = ({ symbol, exchange }: MarketInstrument): Item => ({ symbol, exchange });
const tail = ({ environment, now }: MarketOutputOptions, skipped?: Skipped): Item => ({
  ...(skipped === undefined ? {} : { skipped_updates: skipped }),
  event_time_ist: toIst(now),
  environment,
});

export function tickOutput(tick: MarketTick, skipped: Skipped, options: MarketOutputOptions): Item {
  return { event: 'tick', ...priceOutput(tick, options.unit), ...tail(options, skipped) };
}

/** A price, or why there is none, and what is told of its day. */
export type PriceSnapshot = Omit<MarketTick, 'lastPrice'> & { lastPrice: MarketPrice | NoPrice };

/**
 * Returns the time of a price in IST, no more exact than known: of a candle of the history its second (2026-11-20T14:40:04+05:30) or its
 * minute (2026-11-20T14:40+05:30), else a moment.
 */
export function priceTime({ at, withinMs }: Pick<MarketTick, 'at' | 'withinMs'>): string {
  if (withinMs === undefined) return toIst(at);
  const shownLength = withinMs < MINUTE ? 'YYYY-MM-DDTHH:MM:SS'.length : 'YYYY-MM-DDTHH:MM'.length;
  const start = toIst(Math.floor(at / withinMs) * withinMs);
  return `${start.slice(0, shownLength)}+05:30`;
}

/** A price as an item shows it. */
export function priceOutput(tick: PriceSnapshot, unit: MoneyUnit): Item {
  const price = priceOrNull(tick.lastPrice);
  return {
    ...named(tick.instrument),
    price: paiseTo(unit, price),
    ...(isKnownPrice(tick.lastPrice) ? {} : { no_price_reason: tick.lastPrice.none }),
    prev_close: paiseTo(unit, tick.previousClose),
    change_percent: changeOf(price, tick.previousClose),
    day_high: paiseTo(unit, tick.dayHigh),
    day_low: paiseTo(unit, tick.dayLow),
    volume: tick.volume,
    open_interest: tick.openInterest,
    price_time_ist: priceTime(tick),
    price_source: tick.source,
    ref_id: tick.instrument.refId,
  };
}

export function candleOutput(candle: ClosedCandle, options: MarketOutputOptions): Item {
  const { unit } = options;
  return {
    event: 'candle',
    ...named(candle.instrument),
    interval: candle.interval,
    time: toIst(candle.at),
    open: paiseTo(unit, candle.open),
    high: paiseTo(unit, candle.high),
    low: paiseTo(unit, candle.low),
    close: paiseTo(unit, candle.close),
    volume: candle.volume,
    recovered: candle.recovered,
    ref_id: candle.instrument.refId,
    ...tail(options),
  };
}

export function depthOutput(
  { instrument, depth }: Extract<MarketEvent, { kind: 'depth' }>,
  skipped: Skipped,
  options: MarketOutputOptions,
): Item {
  const { unit } = options;
  const figures = bookFigures(depth);
  const side = (levels: BookLevel[]): Item[] =>
    levels.map(({ price, quantity, orders }) => ({ price: paiseTo(unit, price), quantity, orders }));
  return {
    event: 'depth',
    ...named(instrument),
    last_price: paiseTo(unit, depth.lastPrice),
    ...unpriced(depth.lastPrice),
    last_quantity: depth.lastQuantity,
    volume: depth.volume,
    best_bid: paiseTo(unit, depth.bids[0]?.price ?? null),
    best_ask: paiseTo(unit, depth.asks[0]?.price ?? null),
    spread: paiseTo(unit, figures.spread),
    mid: paiseTo(unit, figures.mid),
    bid_quantity: figures.bidQuantity,
    ask_quantity: figures.askQuantity,
    imbalance: figures.imbalance,
    time_ist: nanosToIst(depth.time),
    bids: side(depth.bids),
    asks: side(depth.asks),
    ref_id: instrument.refId,
    ...tail(options, skipped),
  };
}

export function greeksOutput(
  { instrument, option }: Extract<MarketEvent, { kind: 'greeks' }>,
  skipped: Skipped,
  options: MarketOutputOptions,
): Item {
  return { event: 'greeks', ...named(instrument), ...optionOutput(option, options.unit), ...tail(options, skipped) };
}

export function chainOutput(chain: MarketChain, skipped: Skipped, options: MarketOutputOptions): Item {
  const { unit } = options;
  const side = (list: readonly MarketOption[]): Item[] => list.map((option) => optionOutput(option, unit));
  return {
    event: 'optionChain',
    asset: chain.asset,
    exchange: chain.exchange,
    expiry: chain.expiry,
    spot: paiseTo(unit, chain.spot),
    ...unpriced(chain.spot),
    at_the_money: paiseTo(unit, chain.atTheMoney),
    calls: side(chain.calls),
    puts: side(chain.puts),
    ...tail(options, skipped),
  };
}

const unpriced = (price: MarketPrice | null): Item =>
  price === null ? { no_price_reason: 'the stream gives no price' } : {};

/** As in *Quote: Get Option Chain*. */
function optionOutput(option: MarketOption, unit: MoneyUnit): Item {
  const { openInterest: interest, previousOpenInterest: previous } = option;
  return {
    strike_price: paiseTo(unit, option.strike),
    lot_size: option.lotSize,
    last_price: paiseTo(unit, option.lastPrice),
    ...unpriced(option.lastPrice),
    change: option.change,
    iv: option.iv,
    delta: option.delta,
    gamma: option.gamma,
    theta: option.theta,
    vega: option.vega,
    open_interest: option.openInterest,
    open_interest_change: interest === null || previous === null ? null : interest - previous,
    volume: option.volume,
    time: toIst(option.at),
    ref_id: option.refId,
  };
}
