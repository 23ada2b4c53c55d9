/** The end of an instrument's trading day, and the time whose trades make its close. */
import { dayOf, MINUTE } from '../../shared/dates';
import { istDate } from '../../shared/time';
import type { ExchangeCode, Instrument, TradingSession } from '../reference/types';
import { endOfPreviousDay } from './candles';
import type { Instants } from './price-impact';
import type { Market } from './types';

/** Trades of so long before the end of a session make its close, milliseconds (docs/service/exchange-rules.md#settlement). */
const LAST_HALF_HOUR = 30 * MINUTE;

/** Returns the last session of an instant's day in which prices change; undefined for a day without one. */
export function lastSession(
  { calendar }: Pick<Market, 'calendar'>,
  { exchange, derivativeType, closingAuction }: Instrument,
  at: number,
): TradingSession | undefined {
  const isDerivative = derivativeType === 'FUT' || derivativeType === 'OPT';
  return calendar
    .sessions(exchange, isDerivative, istDate(at), closingAuction)
    .findLast(({ phase }) => phase !== 'POST_CLOSE');
}

/**
 * Returns the instants of a day by which its close is worked out: the end of the closing auction, else the last half hour of the session, whose
 * weighted average is the close. Undefined for a day without a session.
 */
export function closingWindow(
  market: Pick<Market, 'calendar' | 'hours'>,
  instrument: Instrument,
  at: number,
): Instants | undefined {
  const last = lastSession(market, instrument, at);
  if (last === undefined) return undefined;
  const isAuction = last.phase === 'CLOSING_AUCTION' && market.hours === 'exchange';
  return { from: isAuction ? last.to : last.to - LAST_HALF_HOUR, to: last.to };
}

/** Returns a function that gives the end of the trading day before an instant's: it is asked for at every price, and mostly for one day. */
export function previousDayEnds(
  market: Pick<Market, 'calendar'>,
): (instrument: Pick<Instrument, 'exchange'>, at: number) => number {
  const ends = new Map<ExchangeCode, { day: number; end: number }>();
  return (instrument, at) => {
    const day = dayOf(at);
    const last = ends.get(instrument.exchange);
    if (last?.day === day) return last.end;
    const end = endOfPreviousDay(market, instrument, at);
    ends.set(instrument.exchange, { day, end });
    return end;
  };
}
