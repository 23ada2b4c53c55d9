/** The contract of prices: what everything costs at any moment. Prices are integers in paise. */
import type { FactorExposure } from './exposures';
import type { ImpactLiquidity } from './price-impact';
import type { Calendar, Instrument, Universe } from '../reference/types';

export interface DepthLevel {
  price: number;
  quantity: number;
  orders: number;
}

/** Price levels, best first. */
export interface MarketDepth {
  bids: DepthLevel[];
  asks: DepthLevel[];
}

export interface Bar {
  /** Start of the bar, milliseconds since the epoch. */
  at: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Traded within the bar. */
  volume: number;
  /** Open interest at its end; 0 for cash. */
  openInterest: number;
}

/** Sensitivities of an option's price in rupees, as option chains show them. */
export interface Greeks {
  /** Fraction (0.2037). */
  iv: number;
  /** Per rupee of the underlying. */
  delta: number;
  /** Change of delta per rupee of the underlying. */
  gamma: number;
  /** Per calendar day. */
  theta: number;
  /** Per percentage point of volatility. */
  vega: number;
}

/** Circumstances in which a derivative is priced: its underlying and the volatility that options show, each as so many times what it is. */
export interface PricingFactors {
  underlying: number;
  volatility: number;
}

/**
 * The price of everything, as a pure function of (seed, instrument, time). Times are milliseconds since the epoch.
 * `PriceOverrides` holds what users' trades and the control plane's price moves add on top.
 */
export interface Market {
  /** `always`: everything trades around the clock, also between the exchanges' sessions. */
  readonly hours: 'always' | 'exchange';
  /** The universe of the trading day that contains, or comes next after, the instant. */
  universe(at: number): Universe;
  /** Last traded price; of a derivative also as it would be in other circumstances. */
  price(instrument: Instrument, at: number, otherwise?: PricingFactors): number;
  /** Returns the factors with which the price of an instrument moves. */
  exposure(refId: number): FactorExposure;
  /** Official close (paise) of the trading day that contains the instant; its last trade may have had another price. */
  close(instrument: Instrument, at: number): number;
  /** Close of the trading day before the one that contains the instant. */
  previousClose(instrument: Instrument, at: number): number;
  /** Highest and lowest close (paise) of the trading days that begin in [from, to); null when there is none. */
  closeRange(instrument: Instrument, from: number, to: number): { high: number; low: number } | null;
  /** The liquidity that others show around a price, deterministic in (instrument, time step); `otherwise` as in `price`. */
  depth(instrument: Instrument, at: number, around: number, levels: number, otherwise?: PricingFactors): MarketDepth;
  /** Quantity that others trade between two instants. */
  volume(instrument: Instrument, from: number, to: number): number;
  openInterest(instrument: Instrument, at: number): number;
  /**
   * Returns the liquidity of an instrument on the day of an instant, or the next; by it users' trades push its price. `otherwise` as in
   * `price`.
   */
  liquidity(instrument: Instrument, at: number, otherwise?: PricingFactors): ImpactLiquidity;
  /** `otherwise` as in `price`. @throws RangeError when the instrument is not an option. */
  greeks(option: Instrument, at: number, otherwise?: PricingFactors): Greeks;
  /**
   * Price (paise) that the call auction that is held now would find, were it over; null outside of auctions and for
   * instruments without them. Orders arrive all through it, so that it moves as prices do.
   */
  auctionPrice(instrument: Instrument, at: number): number | null;
  /** The same of the closing auction alone. */
  indicativeClose(instrument: Instrument, at: number): number | null;
  /**
   * Bars that start in [from, to), oldest first; holidays are gaps. Interval in the spelling of the specification
   * (1s 1m 2m 3m 5m 15m 30m 1h 1d 1w 1mth). Nothing from `asOf` on is in them: give the present, and the last bar is
   * the one that is still running. A bar of a day or more starts when trading starts on its first day.
   * @throws RangeError for any other interval.
   */
  bars(instrument: Instrument, interval: string, from: number, to: number, asOf?: number): Bar[];
  /**
   * Factor by which the close of the trading day before was multiplied to be the previous close of an instant's day, as a corporate action
   * took effect in between; left out where there are none.
   */
  rebased?(instrument: Instrument, at: number): number;
  /** True if prices were not known at the end of a span, or at some time in it: then nothing trades. Left out where they always are. */
  unknown?(instrument: Instrument, from: number, to: number): boolean;
  calendar: Calendar;
}
