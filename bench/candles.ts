/** A candle reply of a million points to rows. */
import { monotonicBy } from '../client/base/monotonic';
import { getCandles, type CandleField } from '../client/market/candles';
import { createTransport } from '../client/transport';
import type { MakeRow } from './row';

const FIELDS: CandleField[] = ['open', 'high', 'low', 'close', 'cumulative_volume'];
const SYMBOLS = 10;
const FROM = Date.parse('2026-08-24T09:15:00+05:30');
const MINUTES_A_DAY = 375;
const DAY_MS = 86_400_000;

const make: MakeRow = async ({ short }) => {
  const bars = short ? 20 : 20_000;
  const times = Array.from(
    { length: bars },
    (_, at) => FROM + Math.floor(at / MINUTES_A_DAY) * DAY_MS + (at % MINUTES_A_DAY) * 60_000,
  );
  const points = (scale: number) => times.map((ms, at) => `{"ts":${ms}000000,"v":${scale * 1000 + at}}`).join(',');
  const values = Array.from(
    { length: SYMBOLS },
    (_, symbol) => `{"S${symbol}":{${FIELDS.map((field, at) => `"${field}":[${points(symbol + at)}]`).join(',')}}}`,
  );
  const body = Buffer.from(
    `{"market_time":"2026-11-20T10:00:00Z","message":"charts","result":[{"exchange":"NSE","type":"STOCK","values":[${values.join(',')}]}]}`,
  );
  const transport = createTransport({
    http: () => Promise.resolve({ status: 200, headers: {}, body }),
    clock: { now: () => 0, ...monotonicBy(() => 0), sleep: () => Promise.resolve() },
    random: () => 0.5,
    baseUrl: 'http://candles.bench',
    deviceId: 'bench',
  });
  const ours = async () => {
    const { rows } = await getCandles(transport, {
      exchange: 'NSE',
      type: 'STOCK',
      symbols: Array.from({ length: SYMBOLS }, (_, symbol) => `S${symbol}`),
      fields: FIELDS,
      interval: '1m',
      from: FROM,
      to: FROM + 89 * DAY_MS,
      unit: 'rupees',
    });
    if (rows.length !== bars * SYMBOLS) throw new Error(`${rows.length} rows instead of ${bars * SYMBOLS}`);
    return rows;
  };
  return {
    title: 'Candles to rows',
    work: `${bars * SYMBOLS * FIELDS.length} points, ${(body.length / 1e6).toFixed(0)} MB, to ${bars * SYMBOLS} rows with exact times and volumes`,
    sides: [
      { name: 'ours', role: 'ours', run: ours },
      {
        name: 'JSON.parse alone (no rows, digits lost)',
        role: 'limit',
        run: () => JSON.parse(body.toString('utf8')) as unknown,
      },
    ],
    memory: true,
    goals: [{ against: 'JSON.parse alone (no rows, digits lost)', times: 1.5 }],
  };
};
export default make;
