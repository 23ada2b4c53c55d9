/** Historical candles (docs/service/market-data.md). */
import { MAX_REPLY_BYTES } from '../values/bytes';
import type { Json } from '../values/json';
import { asRecord, recordsIn } from '../values/record';
import { readEndpoint, TIMEOUT_MS } from './endpoint';

/** One query: symbols of one exchange and one type. */
export type CandleQuery = {
  exchange: string;
  /** `STOCK`, `INDEX`, `OPT`, `FUT` or `CHAIN`. */
  type: string;
  /** Trading symbols, at most ten (docs/service/limits.md#symbols-in-one-query). */
  values: readonly string[];
  /** For example `open` and `cumulative_volume`. An index has no `tick_volume`. */
  fields: readonly string[];
  /** ISO 8601 in UTC with milliseconds. */
  startDate: string;
  /** ISO 8601 in UTC with milliseconds. */
  endDate: string;
  /** For example `1m`, `1d` and `1mth`; the month is `1mt` on UAT. */
  interval: string;
  /** True if startDate is today. */
  intraDay: boolean;
  /** Its purpose is not told: false. */
  realTime: boolean;
};

/** Read without making an object of each point: client/market/candle-reply.ts. */
export interface CandlesReply {
  /** ISO 8601. */
  market_time?: string;
  message?: string;
  result:
    | {
        exchange?: string;
        type?: string;
        /** By symbol, then by field. `ts`: nanoseconds since the epoch; `v`: paise for prices. */
        values: Record<string, Record<string, { ts: string; v: number | null }[]>>[];
      }[]
    | null;
}

type CandlesResult = NonNullable<CandlesReply['result']>[number];
const resultsIn = (reply: Json) => recordsIn(asRecord<CandlesReply>(reply), 'result');
const symbolsIn = (result: ReturnType<typeof resultsIn>[number]): string[] =>
  recordsIn<CandlesResult, 'values'>(result, 'values').flatMap((bySymbol) => Object.keys(bySymbol));

/** See docs/service/market-data.md#candles. */
export const candleEndpoints = {
  /** Status 400 names the fault of the query: more than ten symbols, an unknown interval, an unknown field. */
  timeseries: readEndpoint<{ body: { query: readonly CandleQuery[] } }, CandlesReply>('POST', '/charts/timeseries', {
    bucket: 'history',
    timeoutMs: TIMEOUT_MS.history,
    maxBytes: MAX_REPLY_BYTES.candles,
    // Interval, dates and time zone are proved by the bars: client/market/check-candles.ts.
    proves: [
      {
        reply: 'list of candles',
        what: 'exchange',
        asked: ({ body }) => body.query.map(({ exchange }) => exchange),
        answered: (reply) => resultsIn(reply).map(({ exchange }) => exchange),
      },
      {
        reply: 'list of candles',
        what: 'type',
        asked: ({ body }) => body.query.map(({ type }) => type),
        answered: (reply) => resultsIn(reply).map(({ type }) => type),
      },
      {
        reply: 'list of candles',
        what: 'instrument',
        asked: ({ body }) => body.query.flatMap(({ values }) => values),
        answered: (reply) => resultsIn(reply).flatMap(symbolsIn),
      },
    ],
  }),
};
