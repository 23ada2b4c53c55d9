import type { Instrument } from '../market/reference/types';
import type { Bar, Market } from '../market/prices/types';

/**
 * The published view of a market: in a halt nothing trades, so that prices, candles, volumes and Greeks stay unchanged from its beginning on.
 * What the market would have done meanwhile shows in the call auction after it, and must not be known before.
 * @param since instant from which an instrument is halted, milliseconds; undefined while it is not.
 */
export function withHalts(market: Market, since: (instrument: Instrument) => number | undefined): Market {
  const known = (instrument: Instrument, at: number): number => Math.min(at, since(instrument) ?? at);
  return {
    ...market,
    price: (instrument, at, otherwise) => market.price(instrument, known(instrument, at), otherwise),
    volume: (instrument, from, to) => market.volume(instrument, known(instrument, from), known(instrument, to)),
    openInterest: (instrument, at) => market.openInterest(instrument, known(instrument, at)),
    greeks: (option, at, otherwise) => market.greeks(option, known(option, at), otherwise),
    bars(instrument, interval, from, to, asOf = Infinity): Bar[] {
      const halted = since(instrument);
      return market.bars(instrument, interval, from, to, halted === undefined ? asOf : Math.min(asOf, halted + 1));
    },
  };
}
