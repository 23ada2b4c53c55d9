/** An option chain at given moments (docs/service/market-data.md#option-chain-at-given-moments). Strikes are integers in paise. */
import { MAX_REPLY_BYTES } from '../values/bytes';
import { asObject, type Json } from '../values/json';
import { asRecord } from '../values/record';
import { readEndpoint, TIMEOUT_MS } from './endpoint';

/** Field of each option: open interest in units, or implied volatility as a fraction. */
export type MomentField = 'cumulative_oi' | 'iv_mid';

/** One moment of one chain. */
export type MomentQuery = {
  exchange: string;
  asset: string;
  /** YYYYMMDD. */
  expiries: readonly string[];
  /** Paise, as are `maxStrike` and `strikes`. */
  minStrike: number;
  maxStrike: number;
  strikes: readonly number[];
  fields: readonly MomentField[];
  /** ISO 8601 in UTC with milliseconds. */
  time: string;
};

/** By exchange, asset, time, expiry, strike, field, then `CE` and `PE`. */
export interface MomentsReply {
  message?: string;
  result: Record<string, Record<string, object>> | null;
}

export const chainMomentEndpoints = {
  /** `chart` names the picture that it is meant for. Counts as a request for history. */
  multistrike: readEndpoint<
    { query: { chart: 'Open_Interest_Change' | 'Time_Lapse_Skew' }; body: { query: readonly MomentQuery[] } },
    MomentsReply
  >('POST', '/charts/multistrike', {
    bucket: 'history',
    timeoutMs: TIMEOUT_MS.history,
    maxBytes: MAX_REPLY_BYTES.candles,
    proves: [
      {
        reply: 'chain of a moment',
        what: 'exchange',
        asked: ({ body }) => body.query.map(({ exchange }) => exchange),
        answered: (reply) => Object.keys(resultIn(reply)),
      },
      {
        reply: 'chain of a moment',
        what: 'underlying',
        asked: ({ body }) => body.query.map(({ asset }) => asset),
        answered: (reply) => Object.values(resultIn(reply)).flatMap((assets) => Object.keys(asObject(assets) ?? {})),
      },
    ],
  }),
};

const resultIn = (reply: Json) => asObject(asRecord<MomentsReply>(reply)?.result ?? null) ?? {};
