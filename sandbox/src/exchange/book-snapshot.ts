import type { Instrument } from '../market/reference/types';
import type { SteppedMarket } from './stepped-market';
import type { Floor } from './matching-engine';
import { istDayStart } from '../shared/time';
import type { ShownBook } from './types';

/**
 * The book as it is shown: that of the desk where there is one, others' liquidity alone where there is none. The volume
 * of the day is what others traded and the trades in which users took part.
 * @param time the instant (milliseconds) of prices, which stand still in a halt
 */
export function shownBook(
  market: SteppedMarket,
  floor: Floor,
  instrument: Instrument,
  time: number,
  levels: number,
): ShownBook {
  const step = market.step(time);
  const desk = floor.desk(instrument.refId);
  const lastPrice = floor.lastPrice(instrument, time);
  const shown =
    desk !== undefined && desk.step >= step
      ? { bids: desk.bids.shown(levels), asks: desk.asks.shown(levels) }
      : market.depth(instrument, time, lastPrice);
  const lately = market.volume(instrument, step - market.stepMs, step);
  return {
    bids: shown.bids.slice(0, levels),
    asks: shown.asks.slice(0, levels),
    lastPrice,
    lastQuantity: desk?.lastQuantity || lately || instrument.lotSize,
    volume: market.volume(instrument, istDayStart(time), step) + floor.pit.userVolume(instrument.refId, time),
  };
}
