import type { Instrument } from '../market/reference/types';
import { int64 } from '../shared/json';
import { ApiError } from '../web/errors';
import { sessionUser } from '../web/authentication';
import { exchangeOf, wholeOf } from '../web/input';
import { optionChain, optionLeg } from '../web/option-chain';
import { replySchemas } from '../web/reply-schemas';
import { EXCHANGE, parameters, SESSION_SECURITY } from '../web/schema';
import type { RouteContext } from '../web/route-context';

const QUERY = parameters({ exchange: EXCHANGE, expiry: 'YYYYMMDD; the nearest when left out' });

/** Option chains (docs/service/market-data.md#option-chain). */
export function optionChainRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);
  app.get(
    '/optionchains/:asset',
    {
      schema: {
        tags: ['Market data'],
        summary: 'Option chain of an underlying',
        response: schemas.chain,
        querystring: QUERY,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      sessionUser(sandbox, request);
      const { asset } = request.params as { asset: string };
      const query = request.query as { exchange?: string; expiry?: string };
      const exchange = exchangeOf(query.exchange);
      const universe = sandbox.world.universe();
      const expiries = universe.expiries(exchange, asset);
      if (expiries.length === 0) throw new ApiError(404, `${asset} has no options on ${exchange}`);
      const expiry = wholeOf('expiry', query.expiry, expiries[0]!, 99_999_999);
      if (!expiries.includes(expiry)) throw new ApiError(400, `expiry must be one of ${expiries.join(', ')}`);
      const { ce, pe, price, atm } = optionChain(sandbox, exchange, asset, expiry);
      const leg = (option: Instrument) => {
        const { ts, ...rest } = optionLeg(sandbox, option);
        return { ...rest, ts: int64(ts) };
      };
      return {
        chain: {
          asset,
          exchange,
          expiry: String(expiry),
          ce: ce.map(leg),
          pe: pe.map(leg),
          atm,
          cp: price,
          all_expiries: expiries.map(String),
        },
        message: 'option chains',
      };
    },
  );
}
