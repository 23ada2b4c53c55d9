import type { ExchangeCode, Instrument } from '../market/reference/types';
import type { Sandbox } from '../simulation/sandbox';
import { ApiError } from '../web/errors';
import { optionChain, optionLeg } from '../web/option-chain';

/** Number of strikes on either side of the one at the money. */
const STRIKES = 10;

/**
 * The option chain of an instrument: its options, or those of its underlying. For an option it has that option's
 * expiry. @param requested the expiry, YYYYMMDD; 0 for the instrument's own, or the nearest. @throws ApiError 404, 400
 */
export function chainView(
  sandbox: Sandbox,
  { exchange, asset, derivativeType, expiry: own }: Instrument,
  requested: number,
) {
  const universe = sandbox.world.universe();
  const expiries = universe.expiries(exchange, asset);
  if (expiries.length === 0) throw new ApiError(404, `${asset} has no options on ${exchange}`);
  const ofOption = derivativeType === 'OPT' && expiries.includes(own) ? own : expiries[0]!;
  const expiry = requested === 0 ? ofOption : requested;
  if (!expiries.includes(expiry)) throw new ApiError(400, `expiry must be one of ${expiries.join(', ')}`);
  return { exchange, asset, expiry, expiries, ...chainRows(sandbox, exchange, asset, expiry) };
}

function chainRows(sandbox: Sandbox, exchange: ExchangeCode, asset: string, expiry: number) {
  const { ce, pe, price, atm } = optionChain(sandbox, exchange, asset, expiry);
  const [calls, puts] = [ce, pe].map((options) => new Map(options.map((option) => [option.strikePrice, option])));
  const strikes = [...new Set([...calls!.keys(), ...puts!.keys()])].sort((a, b) => a - b);
  const at = Math.max(0, strikes.indexOf(atm) - STRIKES);
  const leg = (option: Instrument | undefined) => (option === undefined ? null : legShown(sandbox, option));
  return {
    price,
    atm,
    rows: strikes
      .slice(at, at + 2 * STRIKES + 1)
      .map((strike) => ({ strike, ce: leg(calls!.get(strike)), pe: leg(puts!.get(strike)) })),
  };
}

/** One option; the price is paise, the change percent, theta rupees a day. */
function legShown(sandbox: Sandbox, option: Instrument) {
  const { ref_id, ltp, ltpchg, iv, delta, gamma, theta, vega, oi, prev_oi, volume } = optionLeg(sandbox, option);
  return {
    ref_id,
    symbol: option.symbol,
    ltp,
    change: ltpchg,
    iv,
    delta,
    gamma,
    theta,
    vega,
    oi,
    oi_change: oi - prev_oi,
    volume,
  };
}
