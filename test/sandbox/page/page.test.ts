import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { nameShown } from '../../../sandbox/src/page/instruments';
import { MARKET_ORDER, logIn, start, type Bench } from '../support';

/** Requests of the page; the page itself is looked at in a real browser by e2e/page.test.mjs. */
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
      ...MARKET_ORDER,
      ref_id: bench.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!.refId,
      order_qty: 10,
      order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
      ...more,
    },
    { headers },
  );

test('/_sandbox leads to /_sandbox/, where nothing from elsewhere may run; no file outside of the assets is served', async () => {
  const reply = await bench.http.get('/_sandbox', { maxRedirects: 0 });
  expect([reply.status, reply.headers['location']]).toEqual([302, '/_sandbox/']);
  expect((await bench.http.get('/_sandbox/')).headers['content-security-policy']).toMatch(/^default-src 'self'/);
  for (const path of ['..%2froutes.ts', '%2e%2e/routes.ts', '....//routes.ts']) {
    expect((await bench.http.get(`/_sandbox/${path}`)).status).toBeGreaterThanOrEqual(400);
  }
});

test('no reply of any kind can be shown within a page of another site, and none is taken for what it is not', async () => {
  const all: [path: string, headers: Record<string, string>][] = [
    ...[
      '',
      'docs',
      'index.html',
      'app.js',
      'icon.svg',
      'openapi.json',
      'health',
      'vendor/lightweight-charts.mjs',
      'no-such',
    ].map((name): [string, Record<string, string>] => [`/_sandbox/${name}`, {}]),
    ['/_sandbox', {}],
    ['/userinfo', {}],
    ['/userinfo', headers],
    ['/no-such', {}],
    ['/_sandbox/docs', { origin: 'https://evil.example' }],
    ['/_sandbox/docs', { host: 'evil.example' }],
  ];
  for (const [path, sent] of all) {
    const { headers: got } = await bench.http.get(path, { headers: sent, maxRedirects: 0 });
    expect([path, got['x-frame-options'], got['x-content-type-options']]).toEqual([path, 'DENY', 'nosniff']);
    expect([path, got['content-security-policy']]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
  }
  expect((await bench.http.get('/_sandbox/docs')).headers['content-security-policy']).toMatch(/^default-src 'none'/);
});

test('the stream of the page tells every step of an order’s life, also the trigger of a stop-loss', async () => {
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

test('the page tells funds and holdings like the account has them; the journal has symbols, only what is new', async () => {
  const { funds, holdings } = await page('account?phone=9000000001');
  expect(holdings[0]).toMatchObject({ symbol: 'INFY', quantity: 100, t1_quantity: 0 });
  expect(funds.available + funds.held_for_orders + funds.held_for_positions + funds.unrealised_loss).toBe(funds.cash);
  const journal = await page('journal?after=0');
  expect(journal.find(({ kind }: { kind: string }) => kind === 'order')).toMatchObject({ symbol: 'INFY', side: 'BUY' });
  expect(await page(`journal?after=${journal.at(-1).seq}`)).toEqual([]);
  expect((await bench.http.get('/_sandbox/page/account?phone=1')).status).toBe(404);
});

test('a contract is named as people say it, in orders and in the journal, with the year of another year', async () => {
  const universe = bench.running.sandbox.world.universe();
  const options = [...universe.all()].filter(
    ({ derivativeType, asset }) => derivativeType === 'OPT' && asset === 'NIFTY',
  );
  const option = options[0]!;
  expect((await place({ ref_id: option.refId, order_qty: option.lotSize })).status).toBe(200);
  await bench.advance('PT5S');
  const isOfOption = ({ ref_id: refId }: { ref_id: number }) => refId === option.refId;
  const order = (await page('account?phone=9000000001')).orders.find(isOfOption);
  const name = /^NIFTY (\d{1,2} )?[A-Z][a-z]{2} [\d.]+ [CP]E$/;
  expect([order.symbol, order.name]).toEqual([option.symbol, expect.stringMatching(name)]);
  const entries = await page('journal?after=0');
  expect(entries.find(isOfOption).instrument_name).toBe(order.name);
  expect(nameShown(option, Date.parse('2020-01-01T00:00:00Z'))).toBe(option.displayName);
});

test('the picker puts the exact symbol first, then similar ones; words in any order find a future', async () => {
  const symbols = async (requested: string) =>
    (await page(`instruments?q=${encodeURIComponent(requested)}`)).map(({ symbol }: { symbol: string }) => symbol);
  const [first, second] = await symbols('nifty');
  expect(first).toBe('NIFTY');
  expect(second).toMatch(/^NIFTY./);
  const futures = await symbols('fut nifty');
  expect(futures.length).toBeGreaterThan(0);
  for (const symbol of futures) expect(symbol).toMatch(/NIFTY.*FUT/);
  expect(await symbols('no such name')).toEqual([]);
});

const post = async (path: string, body: object) => {
  const { status, data } = await bench.http.post(`/_sandbox/page/${path}`, { phone: '9000000001', ...body });
  return { status, data };
};
const refIdOf = (symbol: string) => bench.running.sandbox.world.universe().bySymbol('NSE', symbol)!.refId;
const infy = () => refIdOf('INFY');
const positionOf = async (requested: number) =>
  (await page('account?phone=9000000001')).positions.find(
    ({ ref_id: refId, product }: { ref_id: number; product: string }) => refId === requested && product === 'IDAY',
  );

test('the state says why the market is open, names watched instruments, and leaves others out', async () => {
  const { phase, open, reason, mode } = await page('status');
  expect([phase, open, mode]).toEqual(['Market open', true, 'manual']);
  expect(reason).toMatch(/trades around the clock|--hours always/);
  const quotes = await page(`quotes?names=${encodeURIComponent('NSE:NIFTY,NSE:INFY,NSE:NONE,,XYZ:INFY,NSE')}`);
  expect(quotes.map(({ symbol, index }: { symbol: string; index: boolean }) => [symbol, index])).toEqual([
    ['NIFTY', true],
    ['INFY', false],
  ]);
});

test('bars of each interval come with their volume; an unknown interval is refused', async () => {
  for (const [interval, ms] of [
    ['1m', 60_000],
    ['5m', 300_000],
    ['15m', 900_000],
  ] as const) {
    const bars = await page(`bars?ref_id=${infy()}&interval=${interval}`);
    expect(bars.length).toBeGreaterThan(100);
    expect(bars.at(-1).at - bars.at(-2).at).toBe(ms);
    expect(bars.at(-2).volume).toBeGreaterThan(0);
  }
  expect((await page(`bars?ref_id=${infy()}&interval=1d`)).length).toBeGreaterThan(100);
  expect((await bench.http.get(`/_sandbox/page/bars?ref_id=${infy()}&interval=7m`)).status).toBe(400);
});

test('the ticket rests an order in the depth under the account’s name, and cancels it; others cannot cancel it', async () => {
  const refId = refIdOf('RELIANCE');
  const { bids } = await page(`market?ref_id=${refId}&phone=9000000001`);
  const { price } = bids[3];
  const order = { ref_id: refId, side: 'BUY', quantity: 7, product: 'IDAY', kind: 'LIMIT', price };
  const { order_id: id } = (await post('orders', order)).data;
  await bench.advance('PT3S');
  const depth = (await page(`market?ref_id=${refId}&phone=9000000001`)).bids;
  expect(depth.find((level: { price: number }) => level.price === price).own).toBe(7);
  expect((await post('cancel', { phone: '9000000002', order_id: id })).status).toBe(404);
  expect((await post('cancel', { order_id: id })).status).toBe(200);
  await bench.advance('PT5S');
  const [shown] = (await page('account?phone=9000000001')).orders;
  expect(shown).toMatchObject({ id, working: false, tag: 'page' });
  expect(shown.life.at(-1).status).toBe('CANCELLED');
  expect((await post('cancel', { order_id: id })).status).toBe(400);
});

test('the ticket refuses what is no order, in the exchange’s words', async () => {
  const order = { ref_id: infy(), side: 'BUY', quantity: 1, product: 'IDAY', kind: 'LIMIT', price: 100_003 };
  expect((await post('orders', order)).data.error).toMatch(/tick/);
  for (const wrong of [
    { quantity: 0 },
    { quantity: 1.5 },
    { side: 'HOLD' },
    { price: -1 },
    { phone: '1' },
    { more: 1 },
  ])
    expect((await post('orders', { ...order, ...wrong })).status).toBeGreaterThanOrEqual(400);
});

test('Exit closes a position with its stop and target, never past flat', async () => {
  const refId = refIdOf('TCS');
  const { last_price: last } = await page(`market?ref_id=${refId}&phone=9000000001`);
  const tick = (price: number) => Math.round(price / 10) * 10;
  const order = { ref_id: refId, side: 'BUY', product: 'IDAY', kind: 'MARKET' };
  await post('orders', { ...order, quantity: 10, stop: tick(last * 0.98), target: tick(last * 1.02) });
  await post('orders', { ...order, quantity: 5 });
  await bench.advance('PT5S');
  expect((await positionOf(refId)).open_quantity).toBe(15);
  const shown = (await page('account?phone=9000000001')).orders.find(
    (order: { exits_alive: boolean }) => order.exits_alive,
  );
  expect(shown.exits.map(({ slot, alive }: { slot: string; alive: boolean }) => [slot, alive])).toEqual([
    ['stop', true],
    ['target', true],
  ]);
  const exit = { ref_id: refId, product: 'IDAY' };
  expect((await post('exit', exit)).status).toBe(200);
  // A second click, before the first one is carried out.
  await post('exit', exit);
  await bench.advance('PT20S');
  expect((await positionOf(refId)).open_quantity).toBe(0);
  expect((await post('exit', exit)).status).toBe(400);
});

test('the limit of an order and the exits of another are modified; a wrong price is refused', async () => {
  const refId = refIdOf('ITC');
  const { last_price: last, tick_size: step } = await page(`market?ref_id=${refId}&phone=9000000001`);
  const tick = (price: number) => Math.round(price / step) * step;
  const order = { ref_id: refId, side: 'BUY', product: 'IDAY', quantity: 10 };
  const limit = (await post('orders', { ...order, kind: 'LIMIT', price: tick(last * 0.98) })).data.order_id;
  const exits = { stop: tick(last * 0.97), target: tick(last * 1.03) };
  const market = (await post('orders', { ...order, kind: 'MARKET', ...exits })).data.order_id;
  await bench.advance('PT5S');
  const modify = (id: string, what: string, value: number) => post('modify', { order_id: id, what, value });
  expect((await modify(limit, 'price', tick(last * 0.97))).status).toBe(200);
  expect((await modify(market, 'stop', tick(last * 0.96))).status).toBe(200);
  await bench.advance('PT5S');
  expect((await modify(market, 'target', tick(last * 1.04))).status).toBe(200);
  await bench.advance('PT5S');
  const { orders } = await page('account?phone=9000000001');
  const of = (id: string) => orders.find((order: { id: string }) => order.id === id);
  expect(of(limit).price).toBe(tick(last * 0.97));
  expect(of(market).exits.map(({ slot, trigger }: { slot: string; trigger: number }) => [slot, trigger])).toEqual([
    ['stop', tick(last * 0.96)],
    ['target', tick(last * 1.04)],
  ]);
  expect((await modify(limit, 'quantity', 15)).status).toBe(200);
  await bench.advance('PT5S');
  const { orders: after } = await page('account?phone=9000000001');
  expect(after.find((shown: { id: string }) => shown.id === limit).quantity).toBe(15);
  expect((await modify(limit, 'stop', tick(last))).status).toBe(400);
  expect((await modify(limit, 'price', tick(last * 0.97) + 1)).status).toBe(400);
  expect((await modify('1', 'price', tick(last))).status).toBe(404);
});

test('the cost of an order is told before it is placed, as the preview of the interface has it', async () => {
  const refId = refIdOf('TCS');
  const order = { ref_id: refId, side: 'BUY', quantity: 10, product: 'IDAY', kind: 'MARKET' };
  const cost = (await post('preview', order)).data;
  const item = {
    refId,
    isMultiLeg: false,
    qty: 10,
    side: 'BUY',
    deliveryType: 'IDAY',
    priceType: 'MARKET',
    validityType: 'IOC',
  };
  const orders = { requestType: 'NEW', orders: [{ ...item, stratTags: ['page'] }] };
  const preview = await bench.http.post('/sentinel/orders/funds_required', orders, { headers });
  const { marginInfo, brokerageInfo } = preview.data;
  expect(cost).toMatchObject({ margin: marginInfo.totalMargin, charges: brokerageInfo.totalChargesFloat });
  expect(cost.available).toBeGreaterThan(0);
});

test('the option chain of an index, of its future and of an option is that of the interface', async () => {
  const universe = bench.running.sandbox.world.universe();
  const nifty = refIdOf('NIFTY');
  const shown = await page(`chain?ref_id=${nifty}`);
  const { chain } = (await bench.http.get('/optionchains/NIFTY?exchange=NSE', { headers })).data;
  expect([shown.asset, String(shown.expiry), shown.price, shown.atm]).toEqual([
    'NIFTY',
    chain.expiry,
    chain.cp,
    chain.atm,
  ]);
  expect(shown.rows.length).toBe(21);
  expect(shown.rows[10].strike).toBe(chain.atm);
  const call = chain.ce.find(({ sp }: { sp: number }) => sp === chain.atm);
  expect(shown.rows[10].ce).toMatchObject({
    ref_id: call.ref_id,
    ltp: call.ltp,
    iv: call.iv,
    delta: call.delta,
    oi: call.oi,
    oi_change: call.oi - call.prev_oi,
  });
  const later = shown.expiries[1];
  const option = universe.options('NSE', 'NIFTY', later).ce[0]!;
  expect((await page(`chain?ref_id=${option.refId}`)).expiry).toBe(later);
  expect((await page(`chain?ref_id=${nifty}&expiry=${later}`)).expiry).toBe(later);
  const refused = async (query: string) => (await bench.http.get(`/_sandbox/page/chain?${query}`)).status;
  expect([await refused(`ref_id=${nifty}&expiry=20200101`), await refused('ref_id=1')]).toEqual([400, 404]);
});

test('the chart has the last session at night, and in a halt the page says that it is one', async () => {
  const night = await start({ start: '2026-11-23T23:50:00.000+05:30', hours: 'exchange' });
  try {
    const refId = night.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!.refId;
    const bars = (await night.http.get(`/_sandbox/page/bars?ref_id=${refId}&interval=1m`)).data;
    expect(bars.length).toBeGreaterThan(300);
    expect(new Date(bars.at(-1).at + 19_800_000).toISOString().slice(0, 13)).toBe('2026-11-23T15');
    const state = async (of: Bench) => {
      const { data } = await of.http.get(`/_sandbox/page/market?ref_id=${refId}&phone=9000000001`);
      return [data.trading, data.halted];
    };
    expect(await state(night)).toEqual([false, false]);
    const day = await start();
    try {
      expect(await state(day)).toEqual([true, false]);
      day.running.sandbox.world.trade.halt(true);
      expect(await state(day)).toEqual([false, true]);
    } finally {
      await day.close();
    }
  } finally {
    await night.close();
  }
});

test('a contract that has expired is not listed any more, and unknown where the account never traded it', async () => {
  const expiring = await start();
  try {
    const { world } = expiring.running.sandbox;
    const [expiry] = world.universe().expiries('NSE', 'NIFTY');
    const { ce, pe } = world.universe().options('NSE', 'NIFTY', expiry!);
    const [call, put] = [ce[0]!, pe[0]!];
    const listed = async ({ refId }: { refId: number }) => {
      const { data, status } = await expiring.http.get(`/_sandbox/page/market?ref_id=${refId}&phone=9000000001`);
      return status === 200 ? data.listed : status;
    };
    expect([await listed(call), await listed(put)]).toEqual([true, true]);
    const order = { ...MARKET_ORDER, ref_id: call.refId, order_qty: call.lotSize };
    const placed = await expiring.http.post('/orders/v2/single', order, { headers: await logIn(expiring) });
    expect(placed.status).toBe(200);
    await expiring.advance('PT2S');
    await expiring.advance('P8D');
    expect([await listed(call), await listed(put)]).toEqual([false, 404]);
  } finally {
    await expiring.close();
  }
});

/** The page's own module, as Node.js loads it. */
declare const requireNative: (file: string) => Record<string, (value: unknown) => unknown>;

test('every negative figure is written with the minus sign, and none with a hyphen', () => {
  const written = requireNative(resolve('sandbox/src/page/assets/format.js'));
  const shown = (name: string, value: number) => written[name]!(value);
  expect([
    shown('money', -13_325),
    shown('roundMoney', -1_234_567),
    shown('figure', -13_325),
    shown('count', -1_500),
    shown('decimal', -0.31),
    shown('money', 13_325),
    written['changeOf']!({ last_price: 9_929, previous_close: 10_000 }),
  ]).toEqual([
    '−₹133.25',
    '−₹12,346',
    '−133.25',
    '−1,500',
    '−0.31',
    '₹133.25',
    { text: '▼ −0.71 %', className: 'down' },
  ]);
});

test('the axis of a cheap option shows no price below 0', () => {
  const { axisPrice } = requireNative(resolve('sandbox/src/page/assets/format.js'));
  expect([-1.5, -0.004, 0, 0.05, 1_258.6].map((price) => axisPrice!(price))).toEqual([
    '',
    '',
    '0.00',
    '0.05',
    '1,258.60',
  ]);
});

test('the profit of the day is that of the session report, with a sold holding counted from the previous close', async () => {
  const { world } = bench.running.sandbox;
  const phone = '9000000001';
  const { holdings } = await page(`account?phone=${phone}`);
  const [held] = holdings;
  const sold = await place({
    ref_id: held.ref_id,
    order_qty: 1,
    order_side: 'ORDER_SIDE_SELL',
    order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
  });
  expect(sold.status).toBe(200);
  await bench.http.post('/_sandbox/clock', { advance: 'PT1M' });
  const today = new Date(bench.running.sandbox.now() + 19_800_000).toISOString().slice(0, 10);
  const shown = (await page(`account?phone=${phone}`)).day_profit;
  const { data } = await bench.http.get(`/_sandbox/performance?phone=${phone}&from=${today}&to=${today}`);
  expect(
    data.held_before.some((trip: { symbol: string; open: boolean }) => trip.symbol === held.symbol && !trip.open),
  ).toBe(true);
  expect(shown).toBe(Math.round(data.equity.result + data.equity.held_before));
  const { realised } = world.accounts.funds(bench.running.sandbox.world.accounts.ids()[0]!);
  expect(shown).not.toBe(realised);
});
