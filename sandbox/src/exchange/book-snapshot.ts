import type { Instrument } from '../market/reference/types';
import type { TimeStepMarket } from './time-step-market';
import type { MatchingEngine } from './matching-engine';
import { istDayStart } from '../shared/time';
import type { BookSnapshot } from './types';

/**
 * The shown book: that of the book where there is one, others' liquidity alone where there is none. The volume
 * of the day is what others traded and the trades in which users took part. An index has no book: nobody trades it.
 * @param time the instant (milliseconds) of prices, which do not change in a halt
 */
export function bookSnapshot(
  market: TimeStepMarket,
  engine: MatchingEngine,
  instrument: Instrument,
  time: number,
  levels: number,
): BookSnapshot {
  const step = market.step(time);
  const dayStart = istDayStart(time);
  const book = engine.book(instrument.refId);
  const lastPrice = engine.lastPrice(instrument, time);
  if (instrument.derivativeType === 'INDEX') return { bids: [], asks: [], lastPrice, lastQuantity: 0, volume: 0 };
  const shown =
    book !== undefined && book.step >= step
      ? { bids: book.bids.shown(levels), asks: book.asks.shown(levels) }
      : market.depth(instrument, time, market.auctionPrice(instrument, time) ?? lastPrice);
  const lately = market.volume(instrument, step - market.stepMs, step);
  return {
    bids: shown.bids.slice(0, levels),
    asks: shown.asks.slice(0, levels),
    lastPrice,
    lastQuantity: book?.lastQuantity || lately || instrument.lotSize,
    volume: market.volume(instrument, dayStart, step) + market.userVolume(instrument, dayStart, time),
  };
}
