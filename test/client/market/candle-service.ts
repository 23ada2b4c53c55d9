/** A service that answers queries for candles as a test says, and the forms of its replies. */
import type { WireRequest } from '../../../client/base/ports';
import type { CandleRequest } from '../../../client/market/candles';
import { createTransport } from '../../../client/transport';
import { VirtualClock } from '../../support/clock';

/** Milliseconds of an instant in India. */
export const at = (text: string) => Date.parse(`${text}+05:30`);
/** The same in nanoseconds, as text. */
export const ns = (text: string) => `${at(text)}000000`;
interface Query {
  exchange: string;
  type: string;
  values: string[];
  fields: string[];
  startDate: string;
  endDate: string;
  interval: string;
}

let counter = 0;
/** A service that answers candle queries with a function. */
export function candleService(answer: (query: Query) => string | { status: number; text: string }) {
  const queries: Query[] = [];
  const transport = createTransport({
    http: (request: WireRequest) => {
      const query = (JSON.parse(request.body!) as { query: Query[] }).query[0]!;
      queries.push(query);
      const reply = answer(query);
      const { status, text } = typeof reply === 'string' ? { status: 200, text: reply } : reply;
      return Promise.resolve({ status, headers: {}, body: Buffer.from(text) });
    },
    clock: new VirtualClock(),
    random: () => 0.5,
    baseUrl: `https://candles-${counter++}.example`,
    deviceId: 'd',
  });
  return { transport, queries };
}

/** A reply with these series. */
export const reply = (values: string) =>
  `{"market_time":"2026-11-20T10:00:00Z","message":"charts","result":[{"exchange":"NSE","type":"STOCK","values":[${values}]}]}`;
/** The points of a series. */
export const points = (list: [string, number | null][]) =>
  `[${list.map(([ts, v]) => `{"ts":${ts},"v":${v}}`).join(',')}]`;
/** A request for one share. */
export const base: CandleRequest = {
  exchange: 'NSE',
  type: 'STOCK',
  symbols: ['INFY'],
  fields: ['open', 'close', 'cumulative_volume'],
  interval: '1m',
  from: at('2026-11-19T09:15'),
  to: at('2026-11-20T15:30'),
  unit: 'rupees',
};
