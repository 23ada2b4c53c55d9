/** The exchange changes lots overnight: what waits for the next session has the lot of that day, which the master tells before. */
import { logIn, start, type Bench } from '../support';

/** HDFCBANK has lots of 1,100 until the end of 2025, and of 650 then. */
const DAYS = ['2025-12-31', '2026-01-01'] as const;

let bench: Bench;
let headers: Record<string, string>;
afterEach(async () => await bench.close());

async function open(time: string, hours: 'exchange' | 'always'): Promise<void> {
  bench = await start({ hours, orderInterface: 'intent', start: `${time}:00+05:30` });
  headers = await logIn(bench);
}

interface Row {
  ref_id: number;
  asset: string;
  derivative_type: string;
  expiry: number;
  lot_size: number;
}

async function futureOn(date: string): Promise<Row> {
  const { data } = await bench.http.get(`/refdata/refdata/${date}?exchange=NSE`, { headers });
  const rows = data.refdata as Row[];
  return rows.find(
    ({ asset, derivative_type: type, expiry }) => asset === 'HDFCBANK' && type.startsWith('FUT') && expiry > 20260105,
  )!;
}

async function answerTo(qty: number): Promise<string> {
  const { ref_id: refId } = await futureOn(DAYS[0]);
  const order = {
    refId,
    qty,
    side: 'BUY',
    deliveryType: 'CNC',
    priceType: 'MARKET',
    validityType: 'IOC',
    isMultiLeg: false,
  };
  const { data } = await bench.http.post(
    '/sentinel/orders/create',
    { orders: [{ ...order, executionMode: 'ENTRY', stratTags: ['t'] }] },
    { headers },
  );
  return JSON.stringify(data);
}

it('the master of the next day has its lots, that of today those of today', async () => {
  await open('2025-12-31T18:00', 'exchange');
  const [today, next] = [await futureOn(DAYS[0]), await futureOn(DAYS[1])];
  expect([today.lot_size, next.lot_size]).toEqual([1100, 650]);
  expect(next.ref_id).toBe(today.ref_id);
});

it.each([
  ['2025-12-31T18:00', 'exchange', 650, 1100],
  ['2025-12-31T18:00', 'always', 1100, 650],
  ['2025-12-31T14:00', 'exchange', 1100, 650],
] as const)('an order at %s, hours %s, has lots of %i', async (time, hours, lot, other) => {
  await open(time, hours);
  expect(await answerTo(other)).toContain(`${other} is not a multiple of ${lot}`);
  expect(await answerTo(lot)).not.toContain('not a multiple');
});
