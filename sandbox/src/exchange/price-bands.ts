import { LIMIT_PROTECTION } from './data/limit-protection';
import { MARKET_PROTECTION } from './data/market-protection';
import { DYNAMIC_BANDS } from './data/price-bands';
import { fixedBand } from '../market/reference/fixed-band';
import type { DailyLimit } from '../market/prices/daily-limits';
import type { Instrument } from '../market/reference/types';
import { effectiveOn } from '../shared/effective-date';
import { istDate } from '../shared/time';
import type { Side } from '../shared/orders';

/** Lowest and highest price (paise, on tick) that an order may have. */
export interface PriceBand {
  low: number;
  high: number;
  /** Daily price limit that it is, where it is one. */
  daily?: DailyLimit;
}

/**
 * The price band of an instrument now (docs/service/exchange-rules.md#prices): fixed around the previous close, the daily price limit of a
 * commodity, or dynamic, sliding with the last price. Options have none. A price that was moved out of its band stretches it.
 */
export function priceBand(
  instrument: Instrument,
  previousClose: number,
  last: number,
  at: number,
  daily?: DailyLimit,
): PriceBand {
  const { tickSize, derivativeType } = instrument;
  if (derivativeType === 'OPT') return { low: tickSize, high: Number.MAX_SAFE_INTEGER };
  const { low, high } =
    daily ??
    (instrument.bandPercent === null
      ? dynamic(previousClose, last, at, tickSize)
      : fixedBand(previousClose, instrument.bandPercent, tickSize));
  return { low: Math.max(tickSize, Math.min(low, last)), high: Math.max(high, last), ...(daily && { daily }) };
}

/** A percentage below and above the previous close; both slide by steps once the last price comes to the edge. */
function dynamic(previousClose: number, last: number, at: number, tick: number): PriceBand {
  const { percent, slide } = effectiveOn(DYNAMIC_BANDS, istDate(at));
  const moved = ((last - previousClose) / previousClose) * 100;
  const steps = Math.sign(moved) * Math.max(0, Math.ceil((Math.abs(moved) - percent * 0.99) / slide));
  return {
    low: Math.ceil((previousClose * (100 - percent + steps * slide)) / 100 / tick) * tick,
    high: Math.floor((previousClose * (100 + percent + steps * slide)) / 100 / tick) * tick,
  };
}

/**
 * The worst limit (paise, on tick) that an option's order may have by a reference price: none buys it at ten times its price
 * by a slip of the finger. Undefined where there is no such rule.
 */
export function worstLimit(
  { derivativeType, tickSize }: Instrument,
  side: Side,
  reference: number,
  at: number,
): number | undefined {
  if (derivativeType !== 'OPT') return undefined;
  const { below, room, percent } = effectiveOn(LIMIT_PROTECTION, istDate(at));
  const far = reference < below ? room : (reference * percent) / 100;
  const worst = side === 'BUY' ? Math.ceil((reference + far) / tickSize) : Math.floor((reference - far) / tickSize);
  return Math.max(worst, 1) * tickSize;
}

/**
 * Limit (paise, on tick) of the prices at which a market order may trade: the last price and a protection percentage
 * (docs/service/exchange-rules.md#prices), at least one tick away from it.
 */
export function protectedLimit(instrument: Instrument, side: Side, last: number, at: number): number {
  const table = effectiveOn(MARKET_PROTECTION, istDate(at));
  const { percent } = (instrument.derivativeType === 'OPT' ? table.option : table.other).find(
    ({ below }) => last < below,
  )!;
  const { tickSize } = instrument;
  const room = Math.max(tickSize, Math.floor((last * percent) / 100 / tickSize) * tickSize);
  return side === 'BUY' ? last + room : Math.max(tickSize, last - room);
}
