import { Type, type Static } from '@sinclair/typebox';
import { DateTime } from 'luxon';
import { candleParts } from '../market/prices/candles';
import { istDate, istMidnight, istText, parseInstant } from '../shared/time';
import { ApiError } from '../web/errors';
import { sessionUser } from '../web/authentication';
import { replySchemas } from '../web/reply-schemas';
import { oneOf, optional, SESSION_SECURITY } from '../web/schema';
import type { RouteContext } from '../web/route-context';
import { inSlices, streamReply } from '../web/chunked-reply';
import { candleFields } from '../market/prices/candle-fields';

/** Symbols in one request (docs/service/limits.md#symbols-in-one-query). */
const MAX_SYMBOLS = 10;
const MAX_POINTS = 200_000;
/** A chain adds up all contracts of its asset for every candle. */
const MAX_CHAIN_POINTS = 1_000;
const IST = 'Asia/Kolkata';
const DAY_MS = 86_400_000;
/** Number of candles that are made at a time, of intervals below a day and of longer ones. */
const PART = { short: 300, long: 10 };
/** Length of the intervals that are shorter than a day, milliseconds. */
const SHORT: Record<string, number> = {
  '1s': 1_000,
  '10s': 10_000,
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

/** Historical candles (docs/service/market-data.md#candles, docs/service/limits.md#candle-windows). */
export function candleRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);
  app.post(
    '/charts/timeseries',
    {
      schema: {
        tags: ['Market data'],
        summary: 'Historical candles',
        response: schemas.candles,
        body: Body,
        security: SESSION_SECURITY,
      },
    },
    async (request, reply) => {
      const user = sessionUser(sandbox, request);
      const at = sandbox.instant;
      if (!sandbox.historyLimit.allows(user.clientCode, at)) {
        throw new ApiError(429, `Too many requests: at most ${sandbox.historyLimit.max} a minute for history`);
      }
      const { query } = request.body as Static<typeof Body>;
      for (const item of query) {
        if (item.type === 'INDEX' && item.fields.includes('tick_volume'))
          throw refusedQuestion('invalid field tick_volume', 'invalid field tick_volume');
        if (item.values.length > MAX_SYMBOLS)
          throw new ApiError(400, `maximum ${MAX_SYMBOLS} values allowed in one query`);
      }
      const count = query.reduce((sum, { values }) => sum + values.length, 0);
      if (count > MAX_SYMBOLS)
        throw new ApiError(400, `${count} symbols asked for: at most ${MAX_SYMBOLS} in one request`);
      const requested = query.map((item, index) => {
        const where = `query.${index}`;
        const range = window(item, at, where);
        return {
          item,
          range,
          symbols: item.values.map((symbol) => opened(item, symbol, { ...range, asOf: at + 1 }, where)),
        };
      });
      const market_time = JSON.stringify(new Date(at).toISOString());
      const texts = [`{"market_time":${market_time},"message":"charts","result":[`];
      let any = false;
      for (const [index, { item, range, symbols }] of requested.entries()) {
        texts.push(`${index === 0 ? '' : ','}{"exchange":"${item.exchange}","type":"${item.type}","values":[`);
        for (const [position, { symbol, part }] of symbols.entries()) {
          const columns = await points(item, part, spans(range, item.type));
          any ||= columns.some((column) => column.length > 0);
          texts.push(`${position === 0 ? '' : ','}{${JSON.stringify(symbol)}:{`);
          columns.forEach((column, at) => texts.push(`${at === 0 ? '' : ','}"${item.fields[at]}":[`, ...column, ']'));
          texts.push('}}');
        }
        texts.push(']}');
      }
      texts.push(']}');
      return reply
        .type('application/json; charset=utf-8')
        .send(
          !any && sandbox.dialect.empty_list === 'null'
            ? `{"market_time":${market_time},"message":"charts","result":null}`
            : streamReply(texts),
        );
    },
  );

  /** The span that is asked for, and the interval in the market's spelling. @throws ApiError 400 */
  function window(item: QueryBody, now: number, where: string): Span {
    const monthly = sandbox.dialect.monthly_interval;
    const step = SHORT[item.interval];
    const interval = item.interval === monthly ? '1mth' : item.interval;
    if (step === undefined && item.interval !== monthly && !LONG.includes(interval)) {
      throw refusedQuestion(
        'invalid query interval',
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
    if (step !== undefined && step < 60_000 && sandbox.dialect.second_bars === 'seven_days' && from < now - 7 * DAY_MS)
      throw new ApiError(500, 'invalid query window: bars below a minute are kept for 7 days');
    if (from < oldest) {
      throw new ApiError(
        400,
        `${where}.startDate is too long ago: interval ${item.interval} goes back to ${istText(oldest)} (${step === undefined ? '10 years' : '3 months'})`,
      );
    }
    const count = step === undefined ? (to - from) / DAY_MS : (to - from) / step / 3;
    if (count > (item.type === 'CHAIN' ? MAX_CHAIN_POINTS : MAX_POINTS))
      throw new ApiError(400, `${where} asks for too many candles: narrow the dates or take a longer interval`);
    return {
      from: sandbox.dialect.candle_history === 'full' ? from : Math.max(from, sevenMonthsBefore(now)),
      to,
      interval,
    };
  }

  /** Refusal of a malformed question: with a 500 and few words, as seen on UAT, or in the specification's form. */
  function refusedQuestion(seen: string, specified: string): ApiError {
    return sandbox.dialect.refused_question === '500' ? new ApiError(500, seen) : new ApiError(400, specified);
  }

  /** The candles of one symbol; what was traded in the running second is in them. @throws ApiError 404 */
  function opened(item: QueryBody, symbol: string, span: Span & { asOf: number }, where: string) {
    const { exchange, type, fields } = item;
    const part = candleParts(sandbox.world.market, { ...span, exchange, type, symbol, fields });
    if (part === undefined)
      throw new ApiError(404, `ticker not found (${where}.values: ${symbol} is no ${type} of ${exchange})`);
    return { symbol, part };
  }
}

interface Span {
  from: number;
  to: number;
  interval: string;
}

/** The points of each field as JSON texts, each of some candles, with the commas between them. */
async function points(
  { fields }: QueryBody,
  part: NonNullable<ReturnType<typeof candleParts>>,
  parts: Iterable<[from: number, to: number]>,
): Promise<string[][]> {
  const columns = fields.map((): string[] => []);
  for await (const [from, to] of inSlices(parts)) {
    const series = part(from, to);
    fields.forEach((field, index) => {
      const column = columns[index]!;
      const text = (series[field] ?? []).map(({ at, value }) => `{"ts":${at}000000,"v":${value}}`).join(',');
      if (text !== '') column.push(column.length === 0 ? text : `,${text}`);
    });
  }
  return columns;
}

/** A span in parts of some candles; a candle of a chain is much work. */
function* spans({ from, to, interval }: Span, type: QueryBody['type']): Generator<[from: number, to: number]> {
  const length = SHORT[interval] ?? { '1d': DAY_MS, '1w': 7 * DAY_MS }[interval] ?? 31 * DAY_MS;
  const step = length * (type === 'CHAIN' ? 1 : length < DAY_MS ? PART.short : PART.long);
  for (let at = from; at < to; at += step) yield [at, Math.min(at + step, to)];
}

function instant(name: string, text: string | null | undefined): number {
  const at = parseInstant(text ?? '');
  if (Number.isNaN(at))
    throw new ApiError(400, `${name} must be an ISO UTC timestamp such as 2026-11-23T03:45:00.000Z`);
  return at;
}

/** UAT keeps seven months of candles (docs/service/limits.md#candle-windows); what is asked of earlier days has none. */
function sevenMonthsBefore(now: number): number {
  return DateTime.fromMillis(now, { zone: IST }).minus({ months: 7 }).startOf('day').toMillis();
}
