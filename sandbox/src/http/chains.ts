import type { Instrument } from '../market/reference/types';
import { istDate, istMidnight } from '../shared/time';
import { int64 } from '../shared/json';
import { ApiError } from '../web/errors';
import { session } from '../web/guard';
import { exchangeOf, wholeOf } from '../web/input';
import { nanoseconds } from '../web/records';
import { replySchemas } from '../web/reply-schemas';
import { EXCHANGE, parameters, PROTECTED } from '../web/schema';
import type { Service } from '../web/service';

const QUERY = parameters({ exchange: EXCHANGE, expiry: 'YYYYMMDD; the nearest when left out' });

/** Option chains (wire facts, section 2). */
export function chainRoutes({ app, sandbox }: Service): void {
  const schemas = replySchemas(sandbox.options);
  app.get(
    '/optionchains/:asset',
    {
      schema: {
        tags: ['Market data'],
        summary: 'Option chain of an underlying',
        response: schemas.chain,
        querystring: QUERY,
        security: PROTECTED,
      },
    },
    async (request) => {
      session(sandbox, request);
      const { asset } = request.params as { asset: string };
      const query = request.query as { exchange?: string; expiry?: string };
      const exchange = exchangeOf(query.exchange);
      const { world } = sandbox;
      const universe = world.universe();
      const expiries = universe.expiries(exchange, asset);
      if (expiries.length === 0) throw new ApiError(404, `${asset} has no options on ${exchange}`);
      const expiry = wholeOf('expiry', query.expiry, expiries[0]!, 99_999_999);
      if (!expiries.includes(expiry)) throw new ApiError(400, `expiry must be one of ${expiries.join(', ')}`);
      const at = sandbox.instant;
      const { ce, pe } = universe.options(exchange, asset, expiry);
      const underlying = universe.byRefId(ce[0]?.underlyingRefId ?? 0);
      const price = underlying === undefined ? 0 : world.lastPrice(underlying);
      const strikes = [...new Set([...ce, ...pe].map(({ strikePrice }) => strikePrice))];
      return {
        chain: {
          asset,
          exchange,
          expiry: String(expiry),
          ce: ce.map((option) => leg(option, at)),
          pe: pe.map((option) => leg(option, at)),
          atm: strikes.reduce(
            (best, strike) => (Math.abs(strike - price) < Math.abs(best - price) ? strike : best),
            strikes[0] ?? 0,
          ),
          cp: price,
          all_expiries: expiries.map(String),
        },
        message: 'option chains',
      };
    },
  );

  function leg(option: Instrument, at: number) {
    const { market } = sandbox.world;
    const ltp = sandbox.world.lastPrice(option);
    const previous = market.previousClose(option, at);
    const { iv, delta, gamma, theta, vega } = market.greeks(option, at);
    const opening = istMidnight(istDate(at));
    return {
      ref_id: option.refId,
      inst_id: option.token,
      ts: int64(nanoseconds(at, option.refId)),
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
}
