import { MARKET_PROTECTION } from '../data/market-protection';
import type { Instrument } from '../market/types';
import { istDate } from './time';
import type { Side } from './types';

/**
 * The worst price (paise, on tick) at which a market order may trade: the last price and a protection percentage
 * (exchange-rules: Prices). At least one tick away from the last price.
 */
export function protectedLimit(instrument: Instrument, side: Side, last: number, at: number): number {
  const date = istDate(at);
  const table = MARKET_PROTECTION.findLast((row) => row.effective_from <= date) ?? MARKET_PROTECTION[0]!;
  const kind = instrument.derivativeType === 'OPT' ? 'OPT' : 'OTHER';
  const percent = table.value.find((row) => row.kind === kind && last < row.below)!.percent;
  const { tickSize } = instrument;
  const room = Math.max(tickSize, Math.floor((last * percent) / 100 / tickSize) * tickSize);
  return side === 'BUY' ? last + room : Math.max(tickSize, last - room);
}
