import { dayOf, formatDate } from './dates';
import type { ExchangeCode, Instrument, Market } from './types';

/** The option chain of one underlying and expiry at one moment (wire facts, section 2: option chain). Prices are paise. */
export interface ChainLeg {
  instrument: Instrument;
  price: number;
  /** Percent since the previous close. */
  change: number;
  iv: number;
  delta: number;
  gamma: number;
  theta: number;
  vega: number;
  openInterest: number;
  previousOpenInterest: number;
  volume: number;
}

export interface Chain {
  asset: string;
  exchange: ExchangeCode;
  /** YYYYMMDD. */
  expiry: number;
  /** By strike, ascending. */
  ce: ChainLeg[];
  pe: ChainLeg[];
  /** Strike (paise) nearest to the price of the underlying. */
  atm: number;
  /** Price of the underlying; of the future for commodities. */
  underlyingPrice: number;
  expiries: number[];
}

/** What prices are asked from: the market itself, or an exchange whose last prices are newer. */
export interface Quotes {
  /** Paise. */
  lastPrice(instrument: Instrument, at: number): number;
}

/** Percent that a price stands above another, rounded to hundredths. */
export const percentChange = (price: number, before: number): number => (before === 0 ? 0 : Math.round((price / before - 1) * 1e4) / 100);

/**
 * The chain of an asset; of its nearest expiry when none is named. Undefined when the asset has no options, or none of
 * that expiry.
 */
export function optionChain(market: Market, quotes: Quotes, exchange: ExchangeCode, asset: string, expiry: number | undefined, at: number): Chain | undefined {
  const universe = market.universe(at);
  const expiries = universe.expiries(exchange, asset);
  const wanted = expiry ?? expiries[0];
  if (wanted === undefined || !expiries.includes(wanted)) return undefined;
  const { ce, pe } = universe.options(exchange, asset, wanted);
  const refId = ce[0]?.underlyingRefId;
  const underlying = refId === undefined || refId === null ? undefined : universe.byRefId(refId);
  if (!underlying) return undefined;
  const underlyingPrice = quotes.lastPrice(underlying, at);
  const opening = startOfTrading(market, exchange, at);
  const leg = (instrument: Instrument): ChainLeg => {
    const price = quotes.lastPrice(instrument, at);
    return {
      instrument,
      price,
      change: percentChange(price, market.previousClose(instrument, at)),
      ...market.greeks(instrument, at),
      openInterest: market.openInterest(instrument, at),
      previousOpenInterest: market.openInterest(instrument, opening),
      volume: market.volume(instrument, opening, at),
    };
  };
  const strikes = ce.map((instrument) => instrument.strikePrice);
  const atm = strikes.reduce((best, strike) => (Math.abs(strike - underlyingPrice) < Math.abs(best - underlyingPrice) ? strike : best), strikes[0] ?? 0);
  return { asset, exchange, expiry: wanted, ce: ce.map(leg), pe: pe.map(leg), atm, underlyingPrice, expiries };
}

/** When derivatives of the day of an instant began or will begin to trade; the instant itself on days without trading. */
export function startOfTrading(market: Market, exchange: ExchangeCode, at: number): number {
  const date = formatDate(dayOf(at));
  const sessions = market.calendar.sessions(exchange, true, date);
  return sessions.find((session) => session.phase === 'OPEN')?.from ?? at;
}
