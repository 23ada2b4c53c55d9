import { Type, type Static } from '@sinclair/typebox';
import { DateTime } from 'luxon';
import { candleFields, candles } from '../market/prices/candles';
import { istDate, istMidnight, istText, parseInstant } from '../shared/time';
import { ApiError } from '../web/errors';
import { session } from '../web/guard';
import { replySchemas } from '../web/reply-schemas';
import { oneOf, optional, PROTECTED } from '../web/schema';
import type { Service } from '../web/service';

/** Symbols in one request (wire facts, Rate limits). */
const MOST_SYMBOLS = 10;
const MOST_POINTS = 200_000;
/** A chain adds up all contracts of its asset for every candle. */
const MOST_CHAIN_POINTS = 1_000;
const IST = 'Asia/Kolkata';
const DAY_MS = 86_400_000;
/** Length of the intervals that are shorter than a day, milliseconds. */
const SHORT: Record<string, number> = {
  '1s': 1_000,
  '1m': 60_000,
  '2m': 120_000,
  '3m': 180_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
};
const LONG = ['1d', '1w'];

const Query = Type.Object({
  exchange: oneOf('NSE', 'BSE', 'MCX'),
  type: oneOf('STOCK', 'INDEX', 'OPT', 'FUT', 'CHAIN'),
  values: Type.Array(Type.String(), { minItems: 1 }),
  fields: Type.Array(oneOf(...candleFields), { minItems: 1 }),
  startDate: optional(Type.String()),
  endDate: optional(Type.String()),
  interval: Type.String(),
  intraDay: optional(Type.Boolean()),
  realTime: optional(Type.Boolean()),
});
type QueryBody = Static<typeof Query>;
const Body = Type.Object({ query: Type.Array(Query, { minItems: 1 }) });

/** Historical candles (specification: Historical candles; Limits). */
export function candleRoutes({ app, sandbox }: Service): void {
  const schemas = replySchemas(sandbox.options);
  app.post(
    '/charts/timeseries',
    {
      schema: {
        tags: ['Market data'],
        summary: 'Historical candles',
        response: schemas.candles,
        body: Body,
        security: PROTECTED,
      },
    },
    async (request, reply) => {
      const person = session(sandbox, request);
      const at = sandbox.instant;
      if (!sandbox.historyLimit.allows(person.clientCode, at)) {
        throw new ApiError(429, `Too many requests: at most ${sandbox.historyLimit.most} a minute for history`);
      }
      const { query } = request.body as Static<typeof Body>;
      for (const item of query) {
        if (item.type === 'INDEX' && item.fields.includes('tick_volume'))
          throw new ApiError(400, 'invalid field tick_volume');
      }
      const symbols = query.reduce((sum, { values }) => sum + values.length, 0);
      if (symbols > MOST_SYMBOLS)
        throw new ApiError(400, `${symbols} symbols asked for: at most ${MOST_SYMBOLS} in one request`);
      const result = query.map((item, index) => {
        const range = window(item, at, `query.${index}`);
        const values = item.values.map(
          (symbol) =>
            `{${JSON.stringify(symbol)}:${points(item, symbol, { ...range, asOf: at + 1 }, `query.${index}`)}}`,
        );
        return `{"exchange":"${item.exchange}","type":"${item.type}","values":[${values.join(',')}]}`;
      });
      const none = sandbox.dialect.empty_list === 'null' && result.every((text) => !text.includes('"ts":'));
      const head = `{"market_time":${JSON.stringify(new Date(at).toISOString())},"message":"charts","result":`;
      return reply.type('application/json; charset=utf-8').send(`${head}${none ? 'null' : `[${result.join(',')}]`}}`);
    },
  );

  /** The span that is asked for, and the interval in the market's spelling. @throws ApiError 400 */
  function window(item: QueryBody, now: number, where: string): { from: number; to: number; interval: string } {
    const monthly = sandbox.dialect.monthly_interval;
    const step = SHORT[item.interval];
    const interval = item.interval === monthly ? '1mth' : item.interval;
    if (step === undefined && item.interval !== monthly && !LONG.includes(interval)) {
      throw new ApiError(
        400,
        `${where}.interval must be one of ${[...Object.keys(SHORT), ...LONG, monthly].join(', ')}, not "${item.interval}"`,
      );
    }
    const from = item.intraDay === true ? istMidnight(istDate(now)) : instant(`${where}.startDate`, item.startDate);
    const to = item.endDate == null && item.intraDay === true ? now : instant(`${where}.endDate`, item.endDate);
    if (from > to) throw new ApiError(400, `${where}.startDate must not be after endDate`);
    const oldest = DateTime.fromMillis(now, { zone: IST })
      .minus(step === undefined ? { years: 10 } : { months: 3 })
      .startOf('day')
      .toMillis();
    if (from < oldest) {
      throw new ApiError(
        400,
        `${where}.startDate is too long ago: interval ${item.interval} goes back to ${istText(oldest)} (${step === undefined ? '10 years' : '3 months'})`,
      );
    }
    const count = step === undefined ? (to - from) / DAY_MS : (to - from) / step / 3;
    if (count > (item.type === 'CHAIN' ? MOST_CHAIN_POINTS : MOST_POINTS))
      throw new ApiError(400, `${where} asks for too many candles: narrow the dates or take a longer interval`);
    return { from, to, interval };
  }

  /** The points of one symbol as JSON text, keyed by field; what was traded in the running second is in them. */
  function points(
    item: QueryBody,
    symbol: string,
    span: { from: number; to: number; interval: string; asOf: number },
    where: string,
  ): string {
    const series = candles(sandbox.world.market, {
      ...span,
      exchange: item.exchange,
      type: item.type,
      symbol,
      fields: item.fields,
    });
    if (series === undefined)
      throw new ApiError(404, `${where}.values: ${symbol} is no ${item.type} of ${item.exchange}`);
    const columns = item.fields.map(
      (field) =>
        `"${field}":[${(series[field] ?? []).map(({ at, value }) => `{"ts":${at}000000,"v":${value}}`).join(',')}]`,
    );
    return `{${columns.join(',')}}`;
  }
}

function instant(name: string, text: string | null | undefined): number {
  const at = parseInstant(text ?? '');
  if (Number.isNaN(at))
    throw new ApiError(400, `${name} must be an ISO UTC timestamp such as 2026-11-23T03:45:00.000Z`);
  return at;
}
