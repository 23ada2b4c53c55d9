import { performanceOf } from '../reports/performance/performance';
import { istDate } from '../shared/time';
import type { Sandbox } from '../simulation/sandbox';

/**
 * Earnings of an account today, paise, after charges: what was held counts from the previous close, as in *Performance* and in the session
 * report. Funds that were paid in or out, dividends and holdings that were set by hand are none of it.
 */
export function dayResult({ world, instant: now }: Sandbox, account: string): number {
  const today = istDate(now);
  const price = (refId: number, at: number): number => {
    const instrument = world.instrument(refId);
    if (instrument === undefined) return 0;
    return at >= now ? world.lastPrice(instrument) : world.market.price(instrument, at);
  };
  const { accounts } = world;
  const instrument = (refId: number) => world.instrument(refId);
  const source = { account, accounts, instrument, price, market: undefined, instants: () => [], now };
  const { equity } = performanceOf(source, { from: today, to: today });
  return Math.round(equity.result + equity.heldBefore);
}
