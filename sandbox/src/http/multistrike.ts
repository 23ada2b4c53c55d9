import { Type, type Static } from '@sinclair/typebox';
import type { Instrument } from '../market/reference/types';
import { parseInstant } from '../shared/time';
import { sessionUser } from '../web/authentication';
import { ApiError } from '../web/errors';
import { replySchemas } from '../web/reply-schemas';
import { oneOf, optional, parameters, SESSION_SECURITY } from '../web/schema';
import type { RouteContext } from '../web/route-context';

/** By the picture that they are meant for. */
const CHARTS = ['Open_Interest_Change', 'Time_Lapse_Skew'];
/** Options of all moments of one request. */
const MAX_VALUES = 20_000;

const Moment = Type.Object({
  exchange: oneOf('NSE', 'BSE', 'MCX'),
  asset: Type.String(),
  expiries: Type.Array(Type.String(), { minItems: 1 }),
  minStrike: optional(Type.Integer()),
  maxStrike: optional(Type.Integer()),
  strikes: optional(Type.Array(Type.Integer())),
  fields: Type.Array(oneOf('cumulative_oi', 'iv_mid'), { minItems: 1 }),
  time: Type.String({ maxLength: 40 }),
});
const Body = Type.Object({ query: Type.Array(Moment, { minItems: 1, maxItems: 50 }) });
type RequestedMoment = Static<typeof Moment>;

type Values = Record<string, { CE?: number; PE?: number }>;
/** By time, expiry, strike and field. */
type Times = Record<string, Record<string, Record<string, Values>>>;

/** Option chains as they stood at given moments (docs/service/market-data.md#option-chain-at-given-moments). */
export function multistrikeRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);
  app.post(
    '/charts/multistrike',
    {
      schema: {
        tags: ['Market data'],
        summary: 'Option chains at given moments',
        response: schemas.moments,
        querystring: parameters({ chart: CHARTS.join(' or ') }),
        body: Body,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = sessionUser(sandbox, request);
      if (!sandbox.historyLimit.allows(user.clientCode, sandbox.instant))
        throw new ApiError(429, `Too many requests: at most ${sandbox.historyLimit.max} a minute for history`);
      const { chart } = request.query as { chart?: string };
      if (chart === undefined || !CHARTS.includes(chart))
        throw new ApiError(400, `chart must be ${CHARTS.join(' or ')}, not "${String(chart)}"`);
      const { query } = request.body as Static<typeof Body>;
      const result: Record<string, Record<string, Times>> = {};
      let count = 0;
      for (const [index, asked] of query.entries()) {
        const at = instantOf(asked.time, `query.${index}.time`);
        const expiries: Times[string] = {};
        for (const expiry of asked.expiries) {
          const strikes = strikesOf(asked, expiry, at, `query.${index}.expiries`);
          count += Object.keys(strikes).length;
          if (count > MAX_VALUES) throw new ApiError(400, `At most ${MAX_VALUES} strikes in one request`);
          expiries[expiry] = strikes;
        }
        const ofAsset = ((result[asked.exchange] ??= {})[asked.asset] ??= {});
        ofAsset[asked.time] = { ...ofAsset[asked.time], ...expiries };
      }
      return { message: 'charts', result };
    },
  );

  function instantOf(time: string, where: string): number {
    const at = parseInstant(time);
    if (Number.isNaN(at) || at > sandbox.instant)
      throw new ApiError(400, `${where} must be an ISO UTC timestamp of the past such as 2026-11-23T03:45:00.000Z`);
    return at;
  }

  /** The values of the strikes that are wanted, by strike. @throws ApiError 400 for an expiry that there is not */
  function strikesOf(asked: RequestedMoment, expiry: string, at: number, where: string): Record<string, Values> {
    const { market } = sandbox.world;
    const { ce, pe } = sandbox.world.universe().options(asked.exchange, asked.asset, Number(expiry));
    if (ce.length + pe.length === 0)
      throw new ApiError(400, `${where}: ${asked.asset} has no options on ${asked.exchange} that expire on ${expiry}`);
    const isRequested = ({ strikePrice }: Instrument): boolean =>
      strikePrice >= (asked.minStrike ?? 0) &&
      strikePrice <= (asked.maxStrike ?? Infinity) &&
      (asked.strikes == null || asked.strikes.length === 0 || asked.strikes.includes(strikePrice));
    const found: Record<string, Values> = {};
    for (const option of [...ce, ...pe].filter(isRequested)) {
      const values = (found[String(option.strikePrice)] ??= {});
      for (const field of asked.fields)
        (values[field] ??= {})[option.optionType as 'CE' | 'PE'] =
          field === 'cumulative_oi' ? market.openInterest(option, at) : market.greeks(option, at).iv;
    }
    return found;
  }
}
