import { endOf } from './candles';
import { PriceImpact, type Push } from './price-impact';
import { TradeTape, type TapeEntry } from './trade-tape';
import type { Bar, Market } from './types';
import type { Instrument } from '../reference/types';
import { istDate, istMidnight } from '../../shared/time';

const SECOND = 1_000;
const MINUTE = 60_000;
const DAY = 86_400_000;
/** Factors that differ by less move no price by a tick. */
const EVEN = 1e-6;

/** A price was moved: from `at` (milliseconds) on it is the market's times `factor`. */
export interface PriceOverride {
  at: number;
  factor: number;
}

/** What has been done to prices, as plain data. */
export interface PriceOverridesState {
  moves: [refId: number, overrides: PriceOverride[]][];
  impact: [refId: number, pushes: Push[]][];
  tape: [refId: number, entries: TapeEntry[]][];
}

/** Prices that the control plane has moved, by ref_id, oldest first; those that users' trades push; and these trades. */
export class PriceOverrides {
  readonly impact = new PriceImpact();
  readonly tape = new TradeTape();
  private readonly overrides = new Map<number, PriceOverride[]>();

  add(refId: number, override: PriceOverride): void {
    const earlier = (this.overrides.get(refId) ?? []).filter(({ at }) => at < override.at);
    this.overrides.set(refId, [...earlier, override]);
  }

  /** What the market's price of an instrument is multiplied with at an instant. */
  factor(refId: number | null, at: number): number {
    const moved = this.of(refId)?.findLast((override) => override.at <= at)?.factor ?? 1;
    return moved * this.impact.factor(refId, at);
  }

  /** From when on (milliseconds) the price of an instrument is another than the market's; undefined where it never is. */
  since(instrument: Instrument): number | undefined {
    const { refId, underlyingRefId } = instrument;
    const all = [this.instants(instrument)[0], this.impact.since(refId), this.impact.since(underlyingRefId)];
    const known = all.filter((at) => at !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  /** The instants at which the price of an instrument was moved, or that of its underlying, ascending. */
  instants({ refId, underlyingRefId }: Instrument): number[] {
    return [...(this.of(refId) ?? []), ...(this.of(underlyingRefId) ?? [])].map(({ at }) => at).sort((a, b) => a - b);
  }

  state(): PriceOverridesState {
    return { moves: [...this.overrides], impact: this.impact.state(), tape: this.tape.state() };
  }

  restore({ moves, impact, tape }: PriceOverridesState): void {
    for (const [refId, of] of moves) this.overrides.set(refId, of);
    this.impact.restore(impact);
    this.tape.restore(tape);
  }

  private of(refId: number | null): PriceOverride[] | undefined {
    return refId === null ? undefined : this.overrides.get(refId);
  }
}

/**
 * A market with the prices that were moved or pushed: from then on current prices, those of the derivatives on them, greeks,
 * candles and the closes of later days go by them. What users traded is in candles and volumes. Open interest and indices
 * that hold a moved share are as they were.
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
      const { open, high, low, close } = shifted(instrument, part.bar, part.end);
      whole =
        whole === undefined
          ? { ...bar, open, high, low, close }
          : { ...whole, high: Math.max(whole.high, high), low: Math.min(whole.low, low), close };
    }
    return whole ?? bar;
  }

  /** A bar over which the price is moved evenly, or which is short. */
  function shifted(instrument: Instrument, bar: Bar, end: number): Bar {
    const open = moved(instrument, bar.open, bar.at);
    const close = moved(instrument, bar.close, end - 1);
    const ends = (price: number): number[] => [moved(instrument, price, bar.at), moved(instrument, price, end - 1)];
    const high = Math.max(open, close, ...ends(bar.high));
    return { ...bar, open, high, low: Math.min(open, close, ...ends(bar.low)), close };
  }

  /** Whether a price is moved by one factor from the beginning of a bar to its end: not where its underlying is moved. */
  function evenly({ refId, underlyingRefId }: Instrument, { at }: Bar, end: number): boolean {
    const alone = [at, end - 1].every((instant) => overrides.factor(underlyingRefId, instant) === 1);
    return alone && Math.abs(overrides.factor(refId, at) - overrides.factor(refId, end - 1)) < EVEN;
  }

  /** A bar with what users traded in it. */
  function traded({ refId }: Instrument, bar: Bar, end: number): Bar {
    const trades = overrides.tape.within(refId, bar.at, end);
    if (trades.length === 0) return bar;
    return {
      ...bar,
      high: trades.reduce((high, trade) => Math.max(high, trade.high), bar.high),
      low: trades.reduce((low, trade) => Math.min(low, trade.low), bar.low),
      volume: trades.reduce((sum, { quantity }) => sum + quantity, bar.volume),
    };
  }

  function bars(instrument: Instrument, interval: string, from: number, to: number, asOf = Infinity): Bar[] {
    const found = market.bars(instrument, interval, from, to, asOf);
    const since = overrides.since(instrument) ?? Infinity;
    const first = Math.min(since, overrides.tape.since(instrument.refId) ?? Infinity);
    const instants = overrides.instants(instrument);
    return found.map((bar) => {
      const end = Math.min(asOf, endOf(market, instrument, interval, bar));
      if (end <= first) return bar;
      const inside = instants.some((at) => at > bar.at && at < end);
      const whole = !inside && (end - bar.at <= MINUTE || evenly(instrument, bar, end));
      const priced =
        end <= since ? bar : whole ? shifted(instrument, bar, end) : remade(instrument, bar, end, instants, asOf);
      return traded(instrument, priced, end);
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
    volume: (instrument, from, to) =>
      market.volume(instrument, from, to) + overrides.tape.volume(instrument.refId, from, to),
    previousClose(instrument, at) {
      const close = market.previousClose(instrument, at);
      return overrides.since(instrument) === undefined
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
      if (overrides.since(instrument) === undefined) return market.closeRange(instrument, from, to);
      const closes = bars(instrument, '1d', from, to).map(({ close }) => close);
      return closes.length === 0 ? null : { high: Math.max(...closes), low: Math.min(...closes) };
    },
  };
}

function onTick(price: number, tick: number): number {
  return Math.max(tick, Math.round(price / tick) * tick);
}
