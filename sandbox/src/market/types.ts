/** The contract of the market: what can be traded, and what it costs at any moment. Prices are integers in paise. */

export type ExchangeCode = 'NSE' | 'BSE' | 'MCX';
export type DerivativeType = 'STOCK' | 'INDEX' | 'FUT' | 'OPT';

/** An instrument of the universe on one trading date (specification: Instrument reference record). */
export interface Instrument {
  /** Differs from seed to seed, as it does between UAT and live. */
  refId: number;
  platId: number;
  token: number;
  exchange: ExchangeCode;
  /** Trading symbol, unique within its exchange: INFY, NIFTY, NIFTY26NOVFUT, NIFTY26NOV24500CE. */
  symbol: string;
  /** stock_name: the trading symbol; the only field of the instrument master by which a client can know it. */
  stockName: string;
  series: string;
  /** STOCK_INFY.NSECM, OPT_NIFTY_20250703_CE_2990000, FUT_CRUDEOIL_20261019. */
  platName: string;
  displayName: string;
  /** Underlying of a derivative; the symbol itself otherwise. */
  asset: string;
  assetType: string;
  derivativeType: DerivativeType;
  optionType: 'CE' | 'PE' | 'N/A';
  /** Paise; 0 when not an option. */
  strikePrice: number;
  /** YYYYMMDD; 0 when it does not expire. */
  expiry: number;
  isin: string;
  lotSize: number;
  /** Paise. */
  tickSize: number;
  /** Largest quantity of one order. */
  freezeQty: number;
  /** Fixed price band around the previous close in percent; null for the dynamic band of stocks with derivatives, and for indices. */
  bandPercent: number | null;
  /** ref_id of the underlying; null when not a derivative. */
  underlyingRefId: number | null;
  /** Whether the day's close is found by a closing auction (cash instruments with derivatives, since 2026-08-03). */
  closingAuction: boolean;
}

/** What can be traded on one date. */
export interface Universe {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly size: number;
  all(exchange?: ExchangeCode): Iterable<Instrument>;
  byRefId(refId: number): Instrument | undefined;
  bySymbol(exchange: ExchangeCode, symbol: string): Instrument | undefined;
  /** Expiries (YYYYMMDD, ascending) of the options of an underlying. */
  expiries(exchange: ExchangeCode, asset: string): number[];
  /** Options of one expiry, by strike ascending. */
  options(exchange: ExchangeCode, asset: string, expiry: number): { ce: Instrument[]; pe: Instrument[] };
  /** Futures of an underlying, by expiry ascending. */
  futures(exchange: ExchangeCode, asset: string): Instrument[];
}

export interface Level {
  price: number;
  quantity: number;
  orders: number;
}

/** Price levels, best first. */
export interface Depth {
  bids: Level[];
  asks: Level[];
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

/**
 * The price of everything, as a pure function of (seed, instrument, time). Times are milliseconds since the epoch.
 * What users' own trades and the control plane's price moves add on top is the exchange's business.
 */
export interface Market {
  /** The universe of the trading day that contains, or comes next after, the instant. */
  universe(at: number): Universe;
  /** Last traded price; of a derivative also as it would be if its underlying stood `underlying` times as high. */
  price(instrument: Instrument, at: number, underlying?: number): number;
  /** Close of the trading day before the one that contains the instant. */
  previousClose(instrument: Instrument, at: number): number;
  /** Highest and lowest close (paise) of the trading days that begin in [from, to); null when there is none. */
  closeRange(instrument: Instrument, from: number, to: number): { high: number; low: number } | null;
  /** The liquidity that others show around a price, deterministic in (instrument, time step). */
  depth(instrument: Instrument, at: number, around: number, levels: number): Depth;
  /** Quantity that others trade between two instants. */
  volume(instrument: Instrument, from: number, to: number): number;
  openInterest(instrument: Instrument, at: number): number;
  /** `underlying` as in `price`. @throws RangeError when the instrument is not an option. */
  greeks(option: Instrument, at: number, underlying?: number): Greeks;
  /** Price (paise) that the closing auction would find now; null outside of it and for instruments without one. */
  indicativeClose(instrument: Instrument, at: number): number | null;
  /**
   * Bars that start in [from, to), oldest first; holidays are gaps. Interval in the spelling of the specification
   * (1s 1m 2m 3m 5m 15m 30m 1h 1d 1w 1mth). Nothing from `asOf` on is in them: give the present, and the last bar is
   * the one that is still running. A bar of a day or more starts when trading starts on its first day.
   * @throws RangeError for an interval that is none of these.
   */
  bars(instrument: Instrument, interval: string, from: number, to: number, asOf?: number): Bar[];
  calendar: Calendar;
}

/** Trading days and sessions, from dated tables. Dates are YYYY-MM-DD in IST. */
export interface Calendar {
  /** First and last date on which there is a market. */
  readonly first: string;
  readonly last: string;
  isTradingDay(exchange: ExchangeCode, date: string): boolean;
  nextTradingDay(exchange: ExchangeCode, date: string): string;
  previousTradingDay(exchange: ExchangeCode, date: string): string;
  /**
   * The phases of a day in order; empty on a holiday. `closingAuction` (default true) tells cash instruments that close
   * by auction from those that trade on until 15:30; it says nothing for derivatives.
   */
  sessions(exchange: ExchangeCode, derivative: boolean, date: string, closingAuction?: boolean): Session[];
}

export interface Session {
  phase: 'PRE_OPEN' | 'OPEN' | 'CLOSING_AUCTION' | 'POST_CLOSE';
  /** Milliseconds since the epoch, end exclusive. */
  from: number;
  to: number;
}
