import { dayOf, startOfDay } from '../../shared/dates';
import type { Bar, PricingFactors, Greeks, DepthLevel, Market } from '../prices/types';
import { endOf, endOfPreviousDay } from '../prices/candles';
import type { Instrument, Universe } from '../reference/types';
import { onTick } from '../reference/ticks';
import { AdjustedUniverse } from './adjusted-universe';
import type { CorporateActions } from './corporate-actions';
import { adjustedStrike, asListed, baseFactor, listedStrike, priceFactor, shareFactor } from './terms';
import type { EffectiveAction } from '../../shared/corporate-actions';

/** Shape of prices that are unchanged since they were listed. */
const PLAIN: Shape = { scale: 1, underlying: 1, shares: 1 };
/** Factors that differ by less move no price by a tick. */
const EVEN = 1e-9;
const USUAL: PricingFactors = { underlying: 1, volatility: 1 };

/** Effect of corporate actions on the prices of an instrument at an instant. */
interface Shape {
  /** Factor by which prices are multiplied. */
  scale: number;
  /** Factor by which a contract's underlying is multiplied when the contract is priced, before it is scaled. */
  underlying: number;
  /** Factor by which quantities are multiplied. */
  shares: number;
}

/**
 * A market in which corporate actions take effect on their ex-dates: from then on they change prices, quantities and terms of
 * contracts. Before, everything is unadjusted. One exception: contracts that expire after the ex-date of an ordinary dividend are
 * priced without it once it is announced. Indices and funds leave out the dividends of their holdings.
 * @param asTraded true if the prices of the market's shares are those of a real market, which have the actions in them already
 */
export function withCorporateActions(market: Market, actions: CorporateActions, asTraded = false): Market {
  const universes = new WeakMap<Universe, { version: number; adjusted: Universe }>();

  const shareOf = ({ refId, underlyingRefId }: Instrument): number => underlyingRefId ?? refId;

  /** True if nothing has happened to an instrument, and nothing is announced. */
  const isPlain = (instrument: Instrument): boolean => actions.empty || actions.of(shareOf(instrument)).length === 0;

  function universe(at: number): Universe {
    const listed = market.universe(at);
    const inForce = actions.all().filter(({ close, from }) => close !== undefined && from <= at);
    if (inForce.length === 0) return listed;
    const version = inForce.length;
    const cachedUniverse = universes.get(listed);
    if (cachedUniverse?.version === version) return cachedUniverse.adjusted;
    const adjusted = new AdjustedUniverse(listed, {
      effective: (refId) => actions.effective(refId, at),
      symbols: [...new Set(inForce.map(({ symbol }) => symbol))],
      close: (instrument) => market.previousClose(instrument, at) / (asTraded ? fallenBefore(instrument, at) : 1),
    });
    universes.set(listed, { version, adjusted });
    return adjusted;
  }

  /** Factor by which all actions before the close of the day before have multiplied the price of a share. */
  const fallenBefore = (share: Instrument, at: number): number =>
    product(actions.effective(share.refId, endOfPreviousDay(market, share, at)).map(priceFactor));

  /** Factor by which actions multiply the prices that the market has of a share. */
  const factorOf = (effective: readonly EffectiveAction[]): number =>
    asTraded ? 1 : product(effective.map(priceFactor));

  /** The price of a share at an instant, paise. */
  const spot = (share: Instrument, at: number, effective: readonly EffectiveAction[]): number =>
    market.price(share, at) * factorOf(effective);

  function shapeOf(instrument: Instrument, at: number): Shape {
    if (isPlain(instrument)) return PLAIN;
    const effective = actions.effective(shareOf(instrument), at);
    const price = factorOf(effective);
    if (instrument.underlyingRefId === null && asTraded) return PLAIN;
    const shares = shareFactor(effective);
    if (instrument.underlyingRefId === null) return { scale: price, underlying: 1, shares };
    const strike = listedStrike(instrument);
    const scale = instrument.derivativeType === 'OPT' ? adjustedStrike(strike, effective) / strike : 1 / shares;
    const underlying = (price / scale) * withoutAnnounced(instrument, at, effective);
    return { scale, underlying: Math.abs(underlying - 1) < EVEN ? 1 : underlying, shares };
  }

  /** Factor by which an announced ordinary dividend lowers the price at which a contract that lives beyond it sees its share. */
  function withoutAnnounced(contract: Instrument, at: number, effective: readonly EffectiveAction[]): number {
    const share = contract.underlyingRefId!;
    const dividends = actions
      .pricedIn(share, at)
      .filter(({ exDate }) => contract.expiry >= Number(exDate.replaceAll('-', '')));
    if (dividends.length === 0) return 1;
    const price = spot(market.universe(at).byRefId(share)!, at, effective);
    return dividends.reduce((factor, { dividend }) => factor * Math.max(1 - dividend / price, 0.01), 1);
  }

  function price(instrument: Instrument, at: number, otherwise?: PricingFactors): number {
    const shape = shapeOf(instrument, at);
    if (isSame(shape)) return market.price(asListed(instrument), at, otherwise);
    return onTick(
      market.price(asListed(instrument), at, circumstances(shape, otherwise)) * shape.scale,
      instrument.tickSize,
    );
  }

  /** Price of the market at an instant, with the effect of the actions. */
  function shaped(instrument: Instrument, paise: number, at: number): number {
    const shape = shapeOf(instrument, at);
    if (isSame(shape)) return paise;
    const otherwise = circumstances(shape);
    if (otherwise === undefined) return onTick(paise * shape.scale, instrument.tickSize);
    const listed = asListed(instrument);
    const ratio = market.price(listed, at, otherwise) / market.price(listed, at);
    return onTick(paise * ratio * shape.scale, instrument.tickSize);
  }

  /** Factor by which the close of the day before is multiplied: what has taken effect since. */
  function rebased(instrument: Instrument, at: number): number {
    if (isPlain(instrument)) return 1;
    const before = endOfPreviousDay(market, instrument, at);
    const since = actions.effective(shareOf(instrument), at).filter(({ from }) => from > before);
    if (since.length === 0) return 1;
    return instrument.derivativeType === 'OPT' ? 1 / shareFactor(since) : product(since.map(baseFactor));
  }

  function close(instrument: Instrument, at: number): number {
    const close = market.close(asListed(instrument), at);
    return isPlain(instrument) ? close : shaped(instrument, close, startOfDay(dayOf(at) + 1) - 1);
  }

  function previousClose(instrument: Instrument, at: number): number {
    const close = market.previousClose(asListed(instrument), at);
    if (isPlain(instrument)) return close;
    const factor = rebased(instrument, at);
    const traded = shaped(instrument, close, endOfPreviousDay(market, instrument, at));
    if (factor === 1) return traded;
    const dividend = instrument.derivativeType === 'FUT' ? dividendsSince(instrument, at) : 0;
    return onTick(dividend > 0 ? traded - dividend : traded * factor, instrument.tickSize);
  }

  /** Extraordinary dividends by which a future's close of the day before is reduced, paise. */
  function dividendsSince(instrument: Instrument, at: number): number {
    const before = endOfPreviousDay(market, instrument, at);
    return actions
      .effective(shareOf(instrument), at)
      .filter(({ from, extraordinary }) => from > before && extraordinary)
      .reduce((sum, { dividend }) => sum + dividend, 0);
  }

  function bars(instrument: Instrument, interval: string, from: number, to: number, asOf?: number): Bar[] {
    const marketBars = market.bars(asListed(instrument), interval, from, to, asOf);
    if (isPlain(instrument)) return marketBars;
    return marketBars.map((bar) => shapedBar(instrument, bar, endOf(market, instrument, interval, bar)));
  }

  function shapedBar(instrument: Instrument, bar: Bar, end: number): Bar {
    const last = Math.max(bar.at, end - 1);
    const [open, close] = [shaped(instrument, bar.open, bar.at), shaped(instrument, bar.close, last)];
    const ends = (paise: number): number[] => [shaped(instrument, paise, bar.at), shaped(instrument, paise, last)];
    return {
      at: bar.at,
      open,
      close,
      high: Math.max(
        open,
        close,
        ...(isMoving(instrument, last) ? ends(bar.high) : [shaped(instrument, bar.high, last)]),
      ),
      low: Math.min(open, close, ...(isMoving(instrument, last) ? ends(bar.low) : [shaped(instrument, bar.low, last)])),
      volume: quantity(instrument, bar.volume, bar.at),
      openInterest: quantity(instrument, bar.openInterest, last),
    };
  }

  /** True if what is made of a price depends on more than the day. */
  const isMoving = (instrument: Instrument, at: number): boolean => shapeOf(instrument, at).underlying !== 1;

  /** Earlier quantity in units of an instant: whole lots of a contract. */
  function quantity(instrument: Instrument, units: number, at: number): number {
    const { shares } = shapeOf(instrument, at);
    if (shares === 1) return units;
    const { lotSize } = asListed(instrument);
    return Math.round(units / lotSize) * Math.round(lotSize * shares);
  }

  function volume(instrument: Instrument, from: number, to: number): number {
    const listed = asListed(instrument);
    if (isPlain(instrument)) return market.volume(listed, from, to);
    const cuts = actions.effective(shareOf(instrument), to).map((action) => action.from);
    const edges = [from, ...cuts.filter((at) => at > from && at < to), to];
    return edges
      .slice(1)
      .reduce((sum, end, index) => sum + quantity(instrument, market.volume(listed, edges[index]!, end), end - 1), 0);
  }

  function depth(
    instrument: Instrument,
    at: number,
    around: number,
    levels: number,
    otherwise?: PricingFactors,
  ): { bids: DepthLevel[]; asks: DepthLevel[] } {
    const shape = shapeOf(instrument, at);
    const listed = asListed(instrument);
    if (isSame(shape)) return market.depth(listed, at, around, levels, otherwise);
    const { scale, underlying } = shape;
    const factor = instrument.underlyingRefId === null ? scale : scale * underlying;
    const tickBefore = (market.universe(at).byRefId(instrument.refId) ?? listed).tickSize;
    const middle = Math.round(around / factor / tickBefore) * tickBefore;
    const shown = market.depth(listed, at, middle, levels, circumstances(shape, otherwise));
    const away = (paise: number): number => Math.round((paise - middle) / tickBefore) * instrument.tickSize;
    const moved = (side: DepthLevel[]): DepthLevel[] =>
      side
        .map((level) => ({
          ...level,
          price: around + away(level.price),
          quantity: Math.max(instrument.lotSize, quantity(instrument, level.quantity, at)),
        }))
        .filter((level) => level.price > 0);
    return { bids: moved(shown.bids), asks: moved(shown.asks) };
  }

  /** Price of an auction, with the effect of the actions. */
  const auctioned = (instrument: Instrument, paise: number | null, at: number): number | null =>
    paise === null ? null : shaped(instrument, paise, at);

  function greeks(option: Instrument, at: number, otherwise?: PricingFactors): Greeks {
    const shape = shapeOf(option, at);
    const marketGreeks = market.greeks(asListed(option), at, circumstances(shape, otherwise));
    if (isSame(shape)) return marketGreeks;
    const { scale } = shape;
    return {
      ...marketGreeks,
      gamma: marketGreeks.gamma / scale,
      theta: marketGreeks.theta * scale,
      vega: marketGreeks.vega * scale,
    };
  }

  return {
    ...market,
    universe,
    price,
    close,
    previousClose,
    rebased,
    bars,
    volume,
    depth,
    greeks,
    closeRange(instrument, from, to) {
      const range = market.closeRange(asListed(instrument), from, to);
      if (range === null || isPlain(instrument)) return range;
      return { high: shaped(instrument, range.high, from), low: shaped(instrument, range.low, from) };
    },
    openInterest: (instrument, at) =>
      isPlain(instrument)
        ? market.openInterest(instrument, at)
        : quantity(instrument, market.openInterest(asListed(instrument), at), at),
    liquidity(instrument, at, otherwise) {
      const liquidity = market.liquidity(asListed(instrument), at, otherwise);
      if (isPlain(instrument)) return liquidity;
      const everywhere = liquidity.everywhere && quantity(instrument, liquidity.everywhere, at);
      return { ...liquidity, volume: quantity(instrument, liquidity.volume, at), lot: instrument.lotSize, everywhere };
    },
    auctionPrice: (instrument, at) => auctioned(instrument, market.auctionPrice(asListed(instrument), at), at),
    indicativeClose: (instrument, at) => auctioned(instrument, market.indicativeClose(asListed(instrument), at), at),
  };
}

const isSame = ({ scale, underlying, shares }: Shape): boolean => scale === 1 && underlying === 1 && shares === 1;

/** Returns the circumstances in which a contract is priced; undefined where that is as usual. */
function circumstances({ underlying }: Shape, otherwise?: PricingFactors): PricingFactors | undefined {
  if (underlying === 1) return otherwise;
  const { underlying: moved, volatility } = otherwise ?? USUAL;
  return { underlying: underlying * moved, volatility };
}

const product = (factors: readonly number[]): number => factors.reduce((all, factor) => all * factor, 1);
