import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { logIn, start, type Bench } from '../support';

/** What the page asks for; the page itself is looked at in a real browser by e2e/page.test.mjs. */
let bench: Bench;
let headers: Record<string, string>;
beforeAll(async () => {
  bench = await start();
  headers = await logIn(bench);
});
afterAll(() => bench.close());

const page = async (path: string) => (await bench.http.get(`/_sandbox/page/${path}`)).data;
const place = (more: object) =>
  bench.http.post(
    '/orders/v2/single',
    {
      ref_id: bench.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!.refId,
      order_type: 'ORDER_TYPE_REGULAR',
      order_qty: 10,
      order_side: 'ORDER_SIDE_BUY',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
      validity_type: 'DAY',
      price_type: 'MARKET',
      ...more,
    },
    { headers },
  );

test('/_sandbox leads to /_sandbox/, where nothing from elsewhere may run; no file outside of the assets is given out', async () => {
  const reply = await bench.http.get('/_sandbox', { maxRedirects: 0 });
  expect([reply.status, reply.headers['location']]).toEqual([302, '/_sandbox/']);
  expect((await bench.http.get('/_sandbox/')).headers['content-security-policy']).toMatch(/^default-src 'self'/);
  for (const path of ['..%2froutes.ts', '%2e%2e/routes.ts', '....//routes.ts']) {
    expect((await bench.http.get(`/_sandbox/${path}`)).status).toBeGreaterThanOrEqual(400);
  }
});

test('every step of an order’s life, also the trigger of a stop-loss', async () => {
  const last = bench.running.sandbox.world.lastPrice(bench.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!);
  const trigger = Math.ceil((last * 1.004) / 10) * 10;
  const stop = {
    order_type: 'ORDER_TYPE_STOPLOSS',
    price_type: 'LIMIT',
    order_price: trigger + 500,
    algo_params: { trigger_price: trigger },
  };
  expect((await place(stop)).status).toBe(200);
  await bench.advance('PT5S');
  const steps = async () =>
    (await page('account?phone=9000000001')).orders[0].life.map(({ status }: { status: string }) => status);
  expect(await steps()).toEqual(['PENDING', 'SENT', 'OPEN']);
  const { refId } = bench.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!;
  await bench.http.post('/_sandbox/market', { ref_id: refId, price: trigger + 20 });
  await bench.advance('PT20S');
  expect((await steps()).slice(0, 4)).toEqual(['PENDING', 'SENT', 'OPEN', 'TRIGGERED']);
});

test('funds and holdings as the account has them; the journal with symbols, only what is new', async () => {
  const { funds, holdings } = await page('account?phone=9000000001');
  expect(holdings[0]).toMatchObject({ symbol: 'INFY', quantity: 100, t1_quantity: 0 });
  expect(funds.available + funds.held_for_orders + funds.held_for_positions).toBe(funds.cash);
  const journal = await page('journal?after=0');
  expect(journal.find(({ kind }: { kind: string }) => kind === 'order')).toMatchObject({ symbol: 'INFY', side: 'BUY' });
  expect(await page(`journal?after=${journal.at(-1).seq}`)).toEqual([]);
  expect((await bench.http.get('/_sandbox/page/account?phone=1')).status).toBe(404);
});

test('the picker: the exact symbol first, then its like; words in any order find a future', async () => {
  const symbols = async (asked: string) =>
    (await page(`instruments?q=${encodeURIComponent(asked)}`)).map(({ symbol }: { symbol: string }) => symbol);
  const [first, second] = await symbols('nifty');
  expect(first).toBe('NIFTY');
  expect(second).toMatch(/^NIFTY./);
  const futures = await symbols('fut nifty');
  expect(futures.length).toBeGreaterThan(0);
  for (const symbol of futures) expect(symbol).toMatch(/NIFTY.*FUT/);
  expect(await symbols('no such name')).toEqual([]);
});
