/** The contract of reference data: what can be traded, and when. Prices are integers in paise. */

export type ExchangeCode = 'NSE' | 'BSE' | 'MCX';
export type DerivativeType = 'STOCK' | 'INDEX' | 'FUT' | 'OPT';

/** An instrument of the universe on one trading date (docs/service/instruments.md#instrument-record). */
export interface Instrument {
  /** Differs from seed to seed, as it does between UAT and live. */
  refId: number;
  platId: number;
  token: number;
  exchange: ExchangeCode;
  /** Trading symbol, unique within its exchange: INFY, NIFTY, NIFTY26NOVFUT, NIFTY26NOV24500CE. */
  symbol: string;
  /** The trading symbol (stock_name), the only field of the instrument master by which a client can know it. */
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
  /** Worth of a rupee of price on one lot, rupees: the lot size, but where the exchange quotes in another unit than it trades in. */
  lotMultiplier: number;
  /** Paise. */
  tickSize: number;
  /** Largest quantity of one order. */
  freezeQty: number;
  /** Fixed price band around the previous close in percent; null for the dynamic band of stocks with derivatives, and for indices. */
  bandPercent: number | null;
  /** The ref_id of the underlying; null when not a derivative. */
  underlyingRefId: number | null;
  /** The ref_id of the future that an option of MCX becomes at its expiry; undefined for all else. */
  settlesInto?: number;
  /** True if the day's close is found by a closing auction (cash instruments with derivatives, since 2026-08-03). */
  closingAuction: boolean;
  /** Terms with which a contract was listed, where corporate actions of its share have adjusted it. */
  listed?: Pick<Instrument, 'strikePrice' | 'lotSize' | 'lotMultiplier' | 'tickSize'>;
}

/** Instruments that can be traded on one date. */
export interface Universe {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly size: number;
  /** Those of an exchange, or of all; of some types, or of all. */
  all(exchange?: ExchangeCode, types?: readonly DerivativeType[]): Iterable<Instrument>;
  byRefId(refId: number): Instrument | undefined;
  bySymbol(exchange: ExchangeCode, symbol: string): Instrument | undefined;
  /** By the full name: STOCK_INFY.NSECM, INDEX_NIFTY.NSECM, FUT_CRUDEOIL_20261019, OPT_NIFTY_20261124_CE_2990000. */
  byPlatName(exchange: ExchangeCode, name: string): Instrument | undefined;
  /** Expiries (YYYYMMDD, ascending) of the options of an underlying. */
  expiries(exchange: ExchangeCode, asset: string): number[];
  /** Options of one expiry, by strike ascending. */
  options(exchange: ExchangeCode, asset: string, expiry: number): { ce: Instrument[]; pe: Instrument[] };
  /** Futures of an underlying, by expiry ascending. */
  futures(exchange: ExchangeCode, asset: string): Instrument[];
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
  sessions(
    exchange: ExchangeCode,
    derivative: boolean,
    date: string,
    closingAuction?: boolean,
  ): readonly TradingSession[];
}

export interface TradingSession {
  phase: 'PRE_OPEN' | 'OPEN' | 'CLOSING_AUCTION' | 'POST_CLOSE';
  /** Milliseconds since the epoch, end exclusive. */
  from: number;
  to: number;
}
