/** The auction of shares that were sold and not delivered. */
import { DELIVERY_AUCTIONS } from './data/delivery-auctions';
import type { Market } from '../market/prices/types';
import { fixedBand } from '../market/reference/fixed-band';
import type { Instrument } from '../market/reference/types';
import { effectiveOn } from '../shared/effective-date';
import { hashInteger, subKey, uniformOf } from '../shared/random';
import { istDate, istInstant, istMidnight } from '../shared/time';
import type { BuyIn } from '../accounts/records';

/** The auction draws from a separate random source. */
const SALT = 0x0a0c_7109;

/**
 * Returns the price of shares that are bought in on the day of an instant: what sellers ask in the auction, and the close of the day before if
 * that is more, or, where nobody offers because the share is at the upper end of its band, the price of the close-out. The same for a seed, a
 * share and a day.
 * @param dividend paid on the day to who holds the share, which the seller owes beside the price; paise a share, and in no earlier close
 */
export function buyInPrice(
  market: Market,
  seed: number,
  instrument: Instrument,
  soldOn: string,
  at: number,
  dividend = 0,
): BuyIn {
  const date = istDate(at);
  const { time, band, premium, closeOut } = effectiveOn(DELIVERY_AUCTIONS, date);
  const held = istInstant(date, time);
  const price = market.price(instrument, held);
  const before = market.previousClose(instrument, held);
  const { tickSize: tick, bandPercent, refId } = instrument;
  if (bandPercent !== null && price >= fixedBand(before, bandPercent, tick).high) {
    const bars = market.bars(instrument, '1d', istMidnight(soldOn), at + 1, at + 1);
    const high = bars.reduce((max, bar) => Math.max(max, bar.high), 0);
    const close = bars.at(-1)?.close ?? price;
    return { price: Math.max(high, onTick((close * (100 + closeOut)) / 100, tick)), how: 'CLOSE_OUT' };
  }
  const drawn = uniformOf(subKey(subKey(hashInteger(seed ^ SALT), refId), Number(date.replaceAll('-', ''))));
  const requested = price * (1 + (premium[0] + drawn * (premium[1] - premium[0])) / 10_000);
  const paid = Math.min(onTick(requested, tick), fixedBand(before, band, tick).high);
  const valuation = before - dividend;
  return paid < valuation ? { price: valuation, how: 'VALUATION' } : { price: paid, how: 'AUCTION' };
}

/** A price on a tick, rounded up. */
function onTick(price: number, tick: number): number {
  return Math.ceil(price / tick) * tick;
}
