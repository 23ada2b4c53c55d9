import { endOf } from './candles';
import { closingWindow, lastSession, previousDayEnds } from './closing-window';
import { limitStepsOf, widestAtOnce } from './daily-limits';
import { MovedMinutes } from './moved-minutes';
import type { BookChange, PriceOverrides } from './price-overrides';
import type { Bar, PricingFactors, DepthLevel, Market } from './types';
import type { Instants } from './price-impact';
import type { Instrument } from '../reference/types';
import { onTick } from '../reference/ticks';
import { fixedBand } from '../reference/fixed-band';
import { dayOf, startOfDay } from '../../shared/dates';

const SECOND = 1_000;
const MINUTE = 60_000;
/** Trades of so long before the end of a session make its close, milliseconds (docs/service/exchange-rules.md#settlement). */
/** Factors that differ by less move no price by a tick. */
const EVEN = 1e-6;

/**
 * Returns the circumstances in which a derivative is priced at an instant; undefined where all is as usual. What users' trades push in its
 * underlying is not among them (see `PriceOverrides.factorAlone`).
 */
export function circumstancesOf(
  market: Market,
  overrides: PriceOverrides,
  { refId, underlyingRefId, derivativeType }: Instrument,
  at: number,
): PricingFactors | undefined {
  // The nearest future of a commodity names itself: its own moves are not those of something below it, too.
  if (underlyingRefId === null || underlyingRefId === refId) return undefined;
  const exposure = market.exposure(underlyingRefId);
  const underlying = overrides.factorAlone(exposure, at);
  const volatility = derivativeType === 'OPT' ? overrides.volatility(exposure, at) : 1;
  return underlying === 1 && volatility === 1 ? undefined : { underlying, volatility };
}

/** Returns the change of others' orders in the book of an instrument at an instant; undefined where it is as usual. */
export function bookChangeOf(
  market: Market,
  overrides: PriceOverrides,
  { refId, underlyingRefId }: Instrument,
  at: number,
): BookChange | undefined {
  const exposures = [...new Set([refId, ...(underlyingRefId === null ? [] : [underlyingRefId])])];
  return overrides.bookChange(() => exposures.map((exposure) => market.exposure(exposure)), at);
}

/** Levels of others who show less, or offer further from the price. @param away -1 for bids, 1 for asks */
function changed(
  levels: DepthLevel[],
  away: 1 | -1,
  { ticks, part }: BookChange,
  instrument: Instrument,
): DepthLevel[] {
  const { tickSize, lotSize } = instrument;
  return levels.flatMap(({ price, quantity, orders }) => {
    const further = price + away * ticks * tickSize;
    const left = Math.max(lotSize, Math.floor((quantity * part) / lotSize) * lotSize);
    return further <= 0 ? [] : [{ price: further, quantity: left, orders: Math.ceil(orders * part) }];
  });
}

/** A market that is moved and pushed. */
export interface OverriddenMarket extends Market {
  /** The price (paise) that there would be at an instant if it were pushed by a further fraction. */
  pricePushed(instrument: Instrument, at: number, further: number): number;
  /** Close (paise) of an instant's day, worked out at the end of its trading; what comes later does not change it. */
  closingPrice(instrument: Instrument, at: number): number;
  /** Price (paise) by which contracts on an instrument are settled on an instant's day: its close without what users' trades pushed. */
  settlementPrice(instrument: Instrument, at: number): number;
}

/**
 * A market with the prices that were moved or pushed: from then on current prices, those of the derivatives on them, greeks,
 * candles, books and the closes of later days go by them. What users traded is in candles and volumes. Open interest does not change.
 */
export function withPriceOverrides(market: Market, overrides: PriceOverrides): OverriddenMarket {
  const circumstances = (instrument: Instrument, at: number) => circumstancesOf(market, overrides, instrument, at);
  const endBefore = previousDayEnds(market);
  const minutes = new MovedMinutes();

  /**
   * A price of the market at an instant with all moves and pushes, and the further push.
   * @param shown instants for which pushes are averaged; `at` when left out
   */
  function moved(instrument: Instrument, price: number, at: number, further = 0, shown?: Instants): number {
    if (overrides.empty && further === 0) return price;
    const otherwise = circumstancesOf(market, overrides, instrument, at);
    const { set, pushed: together } = overrides.factors(market.exposure(instrument.refId), at, shown);
    const pushed = together + overrides.listingShift(instrument.refId, at, shown) + further;
    if (otherwise === undefined && set === 1 && pushed === 1) return price;
    const carried = carriedBy(otherwise, instrument, price, at);
    return within(instrument, onTick(carried * set * pushed, instrument.tickSize), carried * set, pushed, at);
  }

  /** A price in circumstances that are not the usual ones. */
  function carriedBy(otherwise: PricingFactors | undefined, instrument: Instrument, price: number, at: number): number {
    if (otherwise === undefined) return price;
    return price * (market.price(instrument, at, otherwise) / market.price(instrument, at));
  }

  /** A pushed price, not beyond the day's band, or the limit to which a commodity's widens at once. A price that was set by hand may be outside of it. */
  function within(instrument: Instrument, price: number, set: number, pushed: number, at: number): number {
    const { bandPercent, tickSize: tick, derivativeType } = instrument;
    const band = derivativeType === 'STOCK' ? bandPercent : limitPercent(instrument, at);
    if (pushed === 1 || band === null) return price;
    const { low, high } = fixedBand(previousClose(instrument, at), band, tick);
    return set < low || set > high ? price : Math.min(Math.max(price, low), high);
  }

  function close(instrument: Instrument, at: number): number {
    const usual = market.close(instrument, at);
    const begin = since(instrument);
    const end = startOfDay(dayOf(at) + 1) - 1;
    return begin === undefined || begin > end ? usual : moved(instrument, usual, end, 0, closing(instrument, end));
  }

  function closingPrice(instrument: Instrument, at: number): number {
    const usual = market.close(instrument, at);
    const begin = since(instrument);
    const shown = closing(instrument, at);
    return begin === undefined || begin > shown.to ? usual : moved(instrument, usual, shown.to, 0, shown);
  }

  function settlementPrice(instrument: Instrument, at: number): number {
    const usual = market.close(instrument, at);
    const end = startOfDay(dayOf(at) + 1) - 1;
    const otherwise = circumstances(instrument, end);
    const factor = overrides.factorAlone(market.exposure(instrument.refId), end);
    if (otherwise === undefined && factor === 1) return usual;
    return onTick(carriedBy(otherwise, instrument, usual, end) * factor, instrument.tickSize);
  }

  /** The instants by which the close of a day is worked out. Of a day without a session its own end. */
  const closing = (instrument: Instrument, at: number): Instants =>
    closingWindow(market, instrument, at) ?? { from: at, to: at };

  /** The instant whose pushes a price shows: after a day's trading they stand still at its end, until the next day. */
  function standing(instrument: Instrument, at: number): Instants | undefined {
    if (market.hours === 'always' || overrides.impact.empty) return undefined;
    const last = lastSession(market, instrument, at);
    return last === undefined || at <= last.to ? undefined : { from: last.to, to: last.to };
  }

  function previousClose(instrument: Instrument, at: number): number {
    const close = market.previousClose(instrument, at);
    const begin = since(instrument);
    if (begin === undefined) return close;
    const end = endBefore(instrument, at);
    if (begin > end) return close;
    const rebased = market.rebased?.(instrument, at) ?? 1;
    const shown = closing(instrument, end);
    if (rebased === 1) return moved(instrument, close, end, 0, shown);
    return onTick(moved(instrument, close / rebased, end, 0, shown) * rebased, instrument.tickSize);
  }

  /** From when on (milliseconds) the price of an instrument is another than the market's; undefined where it never is. */
  function since({ refId, underlyingRefId }: Instrument): number | undefined {
    if (overrides.empty) return undefined;
    const own = [overrides.since(market.exposure(refId)), overrides.pushedSince(refId)];
    const exposure = underlyingRefId === null ? undefined : market.exposure(underlyingRefId);
    const underlying = exposure && [overrides.instants(exposure)[0], overrides.volatilityInstants(exposure)[0]];
    const all = [...own, ...(underlying ?? [])];
    const knownInstants = all.filter((at) => at !== undefined);
    return knownInstants.length === 0 ? undefined : Math.min(...knownInstants);
  }

  /** The instants at which its price, or that of its underlying, begins to go otherwise, ascending. */
  function instantsOf({ refId, underlyingRefId }: Instrument): readonly number[] {
    const own = overrides.instants(market.exposure(refId));
    if (underlyingRefId === null) return own;
    const exposure = market.exposure(underlyingRefId);
    const all = new Set([...own, ...overrides.instants(exposure), ...overrides.volatilityInstants(exposure)]);
    return [...all].sort((a, b) => a - b);
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
  function remade(instrument: Instrument, bar: Bar, end: number, instants: readonly number[], asOf: number): Bar {
    const inside = instants.filter((at) => at > bar.at && at < end);
    const edges = [bar.at, ...inside, end];
    const parts = edges.slice(1).flatMap((edge, index) => fine(instrument, edges[index]!, edge, asOf));
    let whole: Bar | undefined;
    for (const part of parts) {
      const isFullMinute = part.end - part.bar.at === MINUTE;
      const make = (): Bar => shifted(instrument, part.bar, part.end);
      const { open, high, low, close } = isFullMinute
        ? minutes.get(instrument.refId, part.bar, overrides.version, make)
        : make();
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

  /** True if a price is moved by one factor from the beginning of a bar to its end: not where its underlying is moved. */
  function evenly(instrument: Instrument, { at }: Bar, end: number): boolean {
    const alone = [at, end - 1].every((instant) => circumstances(instrument, instant) === undefined);
    const exposure = market.exposure(instrument.refId);
    const factor = (instant: number): number =>
      overrides.factor(exposure, instant) + overrides.listingShift(instrument.refId, instant);
    return alone && Math.abs(factor(at) - factor(end - 1)) < EVEN;
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
    const marketBars = market.bars(instrument, interval, from, to, asOf);
    const begin = since(instrument) ?? Infinity;
    const first = Math.min(begin, overrides.tape.since(instrument.refId) ?? Infinity);
    if (first === Infinity) return marketBars;
    const instants = instantsOf(instrument);
    return marketBars.map((bar) => {
      const end = Math.min(asOf, endOf(market, instrument, interval, bar));
      if (end <= first) return bar;
      const inside = instants.some((at) => at > bar.at && at < end);
      const whole = !inside && (end - bar.at <= MINUTE || evenly(instrument, bar, end));
      const priced =
        end <= begin ? bar : whole ? shifted(instrument, bar, end) : remade(instrument, bar, end, instants, asOf);
      return traded(instrument, priced, end);
    });
  }

  return {
    ...market,
    price: (instrument, at) => moved(instrument, market.price(instrument, at), at, 0, standing(instrument, at)),
    closingPrice,
    settlementPrice,
    pricePushed: (instrument, at, further) => moved(instrument, market.price(instrument, at), at, further),
    greeks: (option, at) => market.greeks(option, at, circumstances(option, at)),
    bars,
    depth(instrument, at, around, levels) {
      const shown = market.depth(instrument, at, around, levels, circumstances(instrument, at));
      const bookChange = bookChangeOf(market, overrides, instrument, at);
      if (bookChange === undefined) return shown;
      return {
        bids: changed(shown.bids, -1, bookChange, instrument),
        asks: changed(shown.asks, 1, bookChange, instrument),
      };
    },
    liquidity: (instrument, at) => market.liquidity(instrument, at, circumstances(instrument, at)),
    volume: (instrument, from, to) =>
      market.volume(instrument, from, to) + overrides.tape.volume(instrument.refId, from, to),
    close,
    previousClose,
    auctionPrice(instrument, at) {
      const price = market.auctionPrice(instrument, at);
      return price === null ? null : moved(instrument, price, at);
    },
    indicativeClose(instrument, at) {
      const close = market.indicativeClose(instrument, at);
      return close === null ? null : moved(instrument, close, at);
    },
    closeRange(instrument, from, to) {
      if (since(instrument) === undefined) return market.closeRange(instrument, from, to);
      const closes = bars(instrument, '1d', from, to).map(({ close }) => close);
      return closes.length === 0 ? null : { high: Math.max(...closes), low: Math.min(...closes) };
    },
  };
}

function limitPercent(instrument: Instrument, at: number): number | null {
  const steps = limitStepsOf(instrument, at);
  return steps === undefined ? null : widestAtOnce(steps);
}
