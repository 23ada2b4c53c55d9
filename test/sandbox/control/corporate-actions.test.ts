/** View of a client on a corporate action: over HTTP, from outside. */
import { intentBench, limit } from '../intent-orders/support';
import { logIn, start, type Bench } from '../support';

let bench: Bench;
afterEach(() => bench.close());

const PATH = '/_sandbox/corporate-actions';
const open = async (options: Parameters<typeof start>[0] = {}) => {
  bench = await start({
    hours: 'exchange',
    rateLimit: 'off',
    clock: 'manual',
    start: '2026-11-17T10:00:00+05:30',
    ...options,
  });
};
const announce = async (body: object) => await bench.http.post(PATH, body);
const moveTo = async (set: string) => await bench.http.post('/_sandbox/clock', { set: `${set}+05:30` });
const share = (symbol: string) => bench.running.sandbox.world.universe().bySymbol('NSE', symbol)!;

async function holding(headers: Record<string, string>, symbol: string) {
  const { data } = await bench.http.get('/portfolio/holdings', { headers });
  return data.portfolio.holdings.find((holding: { symbol: string }) => holding.symbol === symbol);
}

async function dailyCloses(headers: Record<string, string>, symbol: string) {
  const { data } = await bench.http.post(
    '/charts/timeseries',
    {
      query: [
        {
          exchange: 'NSE',
          type: 'STOCK',
          values: [symbol],
          fields: ['close', 'tick_volume'],
          startDate: '2026-11-10T00:00:00.000Z',
          endDate: '2026-11-18T18:00:00.000Z',
          interval: '1d',
        },
      ],
    },
    { headers },
  );
  return data.result[0].values[0][symbol];
}

it('a bonus shows in list, holdings, quote, candles and journal from its ex-date on', async () => {
  await open();
  const { refId } = share('RELIANCE');
  bench.running.sandbox.world.trade.setHolding('SBX001', refId, 11, 130_001);
  const { data: announced, status } = await announce({ kind: 'bonus', symbol: 'RELIANCE', issued: 1, held: 1 });
  expect(status).toBe(200);
  expect(announced).toMatchObject({ kind: 'bonus', ex_date: '2026-11-18', before: 1, after: 2, effective: false });
  await moveTo('2026-11-17T23:59:00');
  const session = await logIn(bench);
  const before = await dailyCloses(session, 'RELIANCE');
  expect(await holding(session, 'RELIANCE')).toMatchObject({ qty: 11, avg_price: 130_001 });

  await moveTo('2026-11-18T09:20:00');
  const fresh = await logIn(bench);
  expect((await bench.http.get(PATH)).data).toEqual([{ ...announced, effective: true }]);
  const held = await holding(fresh, 'RELIANCE');
  expect(held).toMatchObject({ qty: 22, invested_value: 11 * 130_001, avg_price: 65_001 });
  expect(Math.abs(held.ltp_chg)).toBeLessThan(10);
  const after = await dailyCloses(fresh, 'RELIANCE');
  before.close.forEach(({ ts, v }: { ts: number; v: number }, index: number) => {
    expect(after.close[index]).toEqual({ ts, v: Math.round(v / 2) });
    expect(after.tick_volume[index].v).toBe(before.tick_volume[index].v * 2);
  });
  expect(after.close).toHaveLength(before.close.length + 1);
  const { data: journal } = await bench.http.get('/_sandbox/journal?kind=corporate_action');
  expect(journal).toMatchObject([
    { kind: 'corporate_action', action: 'bonus', story: 'RELIANCE gives 1 bonus for 1 held on 2026-11-18' },
  ]);
});

it('an order that waits is cancelled on the ex-date, and its owner reads why', async () => {
  await open();
  const { refId, tickSize } = share('INFY');
  const last = bench.running.sandbox.world.lastPrice(share('INFY'));
  const gte = { validityType: 'GTE', goodTillDate: '2026-12-01T10:00:00.000Z' };
  const waits = intentBench(bench, await logIn(bench));
  const price = Math.round((last * 0.95) / tickSize) * tickSize;
  const { intentOrderId: id } = await waits.place(limit(waits, price, gte));
  await announce({ kind: 'split', ref_id: refId, from: 5, to: 1 });
  await moveTo('2026-11-17T23:00:00');
  expect(await intentBench(bench, await logIn(bench)).find(id)).toMatchObject({ bucket: 'gtt', status: 'GTE' });
  await moveTo('2026-11-18T09:20:00');
  const ended = await intentBench(bench, await logIn(bench)).find(id);
  expect(ended).toMatchObject({ status: 'CANCELLED', filledQty: 0 });
  expect(JSON.stringify(ended)).toContain('the exchange cancels orders');
});

it('refuses in words, and announces nothing', async () => {
  await open();
  const refused = async (body: object) => {
    const { status, data } = await announce(body);
    expect(status).toBeGreaterThanOrEqual(400);
    return JSON.stringify(data);
  };
  const bonus = { kind: 'bonus', symbol: 'INFY', issued: 1, held: 1 };
  expect(await refused({ ...bonus, symbol: 'NOSUCH' })).toContain('no instrument NOSUCH');
  expect(await refused({ kind: 'bonus', issued: 1, held: 1 })).toContain('Say which share');
  expect(await refused({ kind: 'bonus', symbol: 'INFY', issued: 1 })).toContain('held is missing');
  expect(await refused({ ...bonus, per_share: 5 })).toContain('per_share is not one of them');
  expect(await refused({ ...bonus, ex_date: '2026-11-17' })).toContain('must be after today');
  expect(await refused({ ...bonus, ex_date: '24.11.2026' })).toContain('must be a day');
  for (const issued of [0, -1, 1.5, '2', null, 1e12]) await refused({ ...bonus, issued });
  await refused({ ...bonus, kind: 'merger' });
  await refused({ ...bonus, more: 1 });
  expect((await bench.http.get(PATH)).data).toEqual([]);
});
