/** A text of 60 KB where a date belongs: it is refused before anything tries to read it. */
import { intentBench, item, type IntentBench } from '../intent-orders/support';
import { logIn, start, type Bench } from '../support';

const LENGTH = 60_000;
/** Texts that look like a date-time again and again. */
const LONG: [string, string][] = [
  ['T', 'T'.repeat(LENGTH)],
  ['digits', `2026-11-23T09:15:00.${'0'.repeat(LENGTH)}+05:30`],
  ['offsets', 'T+05:3'.repeat(LENGTH / 6)],
  ['a duration', `PT${'1'.repeat(LENGTH)}H`],
  ['a date', `2026-11-2${'3'.repeat(LENGTH)}`],
];

let bench: Bench;
let headers: Record<string, string>;
let intents: IntentBench;
beforeAll(async () => {
  bench = await start({ rateLimit: 'off' });
  headers = await logIn(bench);
  intents = intentBench(bench, headers);
});
afterAll(async () => await bench.close());

const candles = (more: object): object => ({
  query: [
    {
      exchange: 'NSE',
      type: 'STOCK',
      values: ['INFY'],
      fields: ['close'],
      interval: '15m',
      startDate: '2026-11-20T03:45:00.000Z',
      endDate: '2026-11-20T04:30:00.000Z',
      ...more,
    },
  ],
});
const day = '2026-11-20T00:00:00+05:30';
const basket = (more: object): object => ({
  exchange: 'NSE',
  tag: 'b-1',
  basket_name: 'one',
  orders: [{ ref_id: intents.refId, order_qty: 1, order_side: 'ORDER_SIDE_BUY' }],
  basket_params: {
    order_side: 'ORDER_SIDE_BUY',
    order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
    price_type: 'MARKET',
    multiplier: 1,
    ...more,
  },
});

/** Each field that takes a date, an instant or a duration. */
const FIELDS: [string, string, (text: string) => object][] = [
  ['startDate of candles', '/charts/timeseries', (startDate) => candles({ startDate })],
  ['endDate of candles', '/charts/timeseries', (endDate) => candles({ endDate })],
  ['from_date of a report', '/report/summary', (from_date) => ({ action_type: 'VIEW', from_date, to_date: day })],
  ['to_date of a report', '/report/summary', (to_date) => ({ action_type: 'VIEW', from_date: day, to_date })],
  ['entry_time of a basket', '/orders/v2/basket', (entry_time) => basket({ entry_time })],
  ['exit_time of a basket', '/orders/v2/basket', (exit_time) => basket({ exit_time })],
  [
    'entryTime of an intent order',
    '/sentinel/orders/create',
    (entryTime) => ({ orders: [item(intents, { entryConfig: { entryTime } })] }),
  ],
  ['set of the clock', '/_sandbox/clock', (set) => ({ set })],
  ['advance of the clock', '/_sandbox/clock', (advance) => ({ advance })],
  ['mode of the clock', '/_sandbox/clock', (mode) => ({ mode })],
  [
    'ex_date',
    '/_sandbox/corporate-actions',
    (ex_date) => ({ kind: 'dividend', symbol: 'INFY', per_share: 100, ex_date }),
  ],
];

it.each(FIELDS)('%s is refused by its name', async (name, path, body) => {
  for (const [kind, text] of LONG) {
    const { status, data } = await bench.http.post(path, body(text), { headers });
    expect([kind, status, data.error]).toEqual([kind, 400, expect.stringContaining(name.split(' ')[0]!)]);
  }
});
