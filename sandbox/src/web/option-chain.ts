import { settledBy } from '../market/reference/instrument-class';
import type { ExchangeCode, Instrument } from '../market/reference/types';
import type { Sandbox } from '../simulation/sandbox';
import { istDate, istMidnight } from '../shared/time';
import { nanoseconds } from './records';

/** An option now, under the names of the chain (docs/service/market-data.md#option-chain). Prices are paise, `ts` is nanoseconds. */
export function optionLeg(sandbox: Sandbox, option: Instrument) {
  const { world, instant: at } = sandbox;
  const { market } = world;
  const ltp = world.lastPrice(option);
  const previous = market.previousClose(option, at);
  const { iv, delta, gamma, theta, vega } = market.greeks(option, at);
  const opening = istMidnight(istDate(at));
  return {
    ref_id: option.refId,
    inst_id: option.token,
    ts: nanoseconds(at, option.refId),
    sp: option.strikePrice,
    ls: option.lotSize,
    ltp,
    ltpchg: previous === 0 ? 0 : Math.round(((ltp - previous) / previous) * 10_000) / 100,
    iv,
    delta,
    gamma,
    theta,
    vega,
    oi: market.openInterest(option, at),
    volume: market.volume(option, opening, at),
    prev_oi: market.openInterest(option, opening - 1),
  };
}

/** The options of an underlying and expiry (YYYYMMDD), its price and the strike at the money, paise. */
export function optionChain(sandbox: Sandbox, exchange: ExchangeCode, asset: string, expiry: number) {
  const { world } = sandbox;
  const universe = world.universe();
  const { ce, pe } = universe.options(exchange, asset, expiry);
  const underlying = ce[0] && settledBy(ce[0], (refId) => universe.byRefId(refId));
  const price = underlying === undefined ? 0 : world.lastPrice(underlying);
  const strikes = [...new Set([...ce, ...pe].map(({ strikePrice }) => strikePrice))];
  const atm = strikes.reduce(
    (best, strike) => (Math.abs(strike - price) < Math.abs(best - price) ? strike : best),
    strikes[0] ?? 0,
  );
  return { ce, pe, price, atm };
}
