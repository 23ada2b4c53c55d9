import { endOf } from './candles';
import type { Bar, Market } from './types';
import type { Instrument } from '../reference/types';
import { istDate, istMidnight } from '../../shared/time';

const SECOND = 1_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

/** A price was moved: from `at` (milliseconds) on it is the market's times `factor`. */
export interface PriceOverride {
  at: number;
  factor: number;
}

/** Prices that the control plane has moved, by ref_id, oldest first. */
export class PriceOverrides {
  private readonly overrides = new Map<number, PriceOverride[]>();

  add(refId: number, override: PriceOverride): void {
    const earlier = (this.overrides.get(refId) ?? []).filter(({ at }) => at < override.at);
    this.overrides.set(refId, [...earlier, override]);
  }

  /** What the market's price of an instrument is multiplied with at an instant. */
  factor(refId: number | null, at: number): number {
    return this.of(refId)?.findLast((override) => override.at <= at)?.factor ?? 1;
  }

  /** The instants at which the price of an instrument was moved, or that of its underlying, ascending. */
  instants({ refId, underlyingRefId }: Instrument): number[] {
    return [...(this.of(refId) ?? []), ...(this.of(underlyingRefId) ?? [])].map(({ at }) => at).sort((a, b) => a - b);
  }

  state(): [refId: number, overrides: PriceOverride[]][] {
    return [...this.overrides];
  }

  restore(overrides: [refId: number, overrides: PriceOverride[]][]): void {
    for (const [refId, of] of overrides) this.overrides.set(refId, of);
  }

  private of(refId: number | null): PriceOverride[] | undefined {
    return refId === null ? undefined : this.overrides.get(refId);
  }
}

/**
 * A market with the prices that were moved: from then on current prices, those of the derivatives on them, greeks,
 * candles and the closes of later days go by the moved price. Volumes, open interest and indices that hold a moved share
 * are as they were.
 */
export function withPriceOverrides(market: Market, overrides: PriceOverrides): Market {
  /** A price of the market at an instant, as it is once everything has been moved. */
  function moved(instrument: Instrument, price: number, at: number): number {
    const under = overrides.factor(instrument.underlyingRefId, at);
    const own = overrides.factor(instrument.refId, at);
    if (under === 1 && own === 1) return price;
    const carried = under === 1 ? price : price * (market.price(instrument, at, under) / market.price(instrument, at));
    return onTick(carried * own, instrument.tickSize);
  }

  /** Bars of seconds and whole minutes that fill a span. */
  function fine(instrument: Instrument, from: number, to: number, asOf: number): { bar: Bar; end: number }[] {
    const [first, last] = [Math.ceil(from / MINUTE) * MINUTE, Math.floor(to / MINUTE) * MINUTE];
    const bars = (interval: string, length: number, begin: number, end: number) =>
      begin >= end
        ? []
        : market
            .bars(instrument, interval, begin, end, asOf)
            .map((bar) => ({ bar, end: Math.min(bar.at + length, asOf) }));
    if (first >= last) return bars('1s', SECOND, from, to);
    return [...bars('1s', SECOND, from, first), ...bars('1m', MINUTE, first, last), ...bars('1s', SECOND, last, to)];
  }

  /** A bar in which or before which something was moved. */
  function remade(instrument: Instrument, bar: Bar, end: number, instants: number[], asOf: number): Bar {
    const inside = instants.filter((at) => at > bar.at && at < end);
    const edges = [bar.at, ...inside, end];
    const parts = edges.slice(1).flatMap((edge, index) => fine(instrument, edges[index]!, edge, asOf));
    let whole: Bar | undefined;
    for (const part of parts) {
      const last = part.end - 1;
      const open = moved(instrument, part.bar.open, part.bar.at);
      const close = moved(instrument, part.bar.close, last);
      const high = Math.max(open, close, moved(instrument, part.bar.high, last));
      const low = Math.min(open, close, moved(instrument, part.bar.low, last));
      whole =
        whole === undefined
          ? { ...bar, open, high, low, close }
          : { ...whole, high: Math.max(whole.high, high), low: Math.min(whole.low, low), close };
    }
    return whole ?? bar;
  }

  function bars(instrument: Instrument, interval: string, from: number, to: number, asOf = Infinity): Bar[] {
    const found = market.bars(instrument, interval, from, to, asOf);
    const instants = overrides.instants(instrument);
    const [since] = instants;
    if (since === undefined) return found;
    return found.map((bar) => {
      const end = Math.min(asOf, endOf(market, instrument, interval, bar));
      return end <= since ? bar : remade(instrument, bar, end, instants, asOf);
    });
  }

  /** The end of the trading day before the one that contains an instant or comes next after it. */
  function endOfPreviousDay({ exchange }: Instrument, at: number): number {
    const { calendar } = market;
    const date = istDate(at);
    const day = calendar.isTradingDay(exchange, date) ? date : calendar.nextTradingDay(exchange, date);
    return istMidnight(calendar.previousTradingDay(exchange, day)) + DAY - 1;
  }

  return {
    ...market,
    price: (instrument, at) => moved(instrument, market.price(instrument, at), at),
    greeks: (option, at) => market.greeks(option, at, overrides.factor(option.underlyingRefId, at)),
    bars,
    previousClose(instrument, at) {
      const close = market.previousClose(instrument, at);
      return overrides.instants(instrument).length === 0
        ? close
        : moved(instrument, close, endOfPreviousDay(instrument, at));
    },
    auctionPrice(instrument, at) {
      const price = market.auctionPrice(instrument, at);
      return price === null ? null : moved(instrument, price, at);
    },
    indicativeClose(instrument, at) {
      const close = market.indicativeClose(instrument, at);
      return close === null ? null : moved(instrument, close, at);
    },
    closeRange(instrument, from, to) {
      if (overrides.instants(instrument).length === 0) return market.closeRange(instrument, from, to);
      const closes = bars(instrument, '1d', from, to).map(({ close }) => close);
      return closes.length === 0 ? null : { high: Math.max(...closes), low: Math.min(...closes) };
    },
  };
}

function onTick(price: number, tick: number): number {
  return Math.max(tick, Math.round(price / tick) * tick);
}
