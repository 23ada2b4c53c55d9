import type { Instrument } from '../reference/types';
import type { Market } from './types';
import { istDate, istMidnight } from '../../shared/time';

const DAY_MS = 86_400_000;

/**
 * A market for `--hours always`: within the exchange's session everything is as it is. Outside of it the day's prices
 * run backwards and forwards again, without a jump, so that there is something to trade at any hour; a day without
 * trading rehearses the next trading day. History (bars) is left as it is.
 */
export function alwaysOpenMarket(market: Market): Market {
  const spans = new Map<string, { from: number; to: number; midnight: number }>();

  /** The session that a day stands for: its first and last instant, and the midnight before it. */
  function span(
    { exchange, derivativeType, closingAuction }: Instrument,
    date: string,
  ): { from: number; to: number; midnight: number } {
    const derivative = derivativeType === 'FUT' || derivativeType === 'OPT';
    const key = `${exchange}${derivative}${closingAuction}${date}`;
    const known = spans.get(key);
    if (known !== undefined) return known;
    const { calendar } = market;
    const day = calendar.isTradingDay(exchange, date) ? date : calendar.nextTradingDay(exchange, date);
    const open = calendar.sessions(exchange, derivative, day, closingAuction).filter(({ phase }) => phase === 'OPEN');
    const midnight = istMidnight(day);
    const found = { midnight, from: open[0]?.from ?? midnight, to: open.at(-1)?.to ?? midnight + DAY_MS };
    if (spans.size > 100) spans.clear();
    spans.set(key, found);
    return found;
  }

  function fold(instrument: Instrument, at: number): number {
    const date = istDate(at);
    const { from, to, midnight } = span(instrument, date);
    const same = midnight + (at - istMidnight(date));
    if (same >= from && same < to) return same;
    const length = to - from;
    const beyond = (same < from ? from - same : same - to + 1) % (2 * length);
    const back = Math.min(length - 1, beyond < length ? beyond : 2 * length - beyond);
    return same < from ? from + back : to - 1 - back;
  }

  return {
    ...market,
    universe: (at) => market.universe(at),
    price: (instrument, at, underlying) => market.price(instrument, fold(instrument, at), underlying),
    previousClose: (instrument, at) => market.previousClose(instrument, fold(instrument, at)),
    depth: (instrument, at, around, levels) => market.depth(instrument, fold(instrument, at), around, levels),
    volume(instrument, from, to) {
      const a = fold(instrument, from);
      const b = fold(instrument, to);
      return market.volume(instrument, Math.min(a, b), Math.max(a, b));
    },
    openInterest: (instrument, at) => market.openInterest(instrument, fold(instrument, at)),
    greeks: (option, at, underlying) => market.greeks(option, fold(option, at), underlying),
    indicativeClose: (instrument, at) => market.indicativeClose(instrument, fold(instrument, at)),
  };
}
