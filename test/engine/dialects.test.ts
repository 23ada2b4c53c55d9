/** Both dialects of each variant of the live service (docs/service/differences.md) give the same output. */
import { Engine, allTextOf } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;

async function start(options: Parameters<typeof testSandbox>[0] = {}): Promise<void> {
  sandbox = await testSandbox({ rateLimit: 'off', ...options });
  engine = await Engine.start(sandbox.credential);
}
afterEach(async () => await sandbox.close());

it.each(['array', 'object'] as const)(
  'Place Many reads a reply that is an %s, without looking the orders up',
  async (multi_response) => {
    await start({ dialect: { multi_response } });
    const { items, error } = await engine.run(orderForm({ operation: 'placeMany', price: '={{ $json.price }}' }), {
      items: [{ json: { price: 1150 } }, { json: { price: 1151 } }],
    });
    expect(error).toBeUndefined();
    expect(items.map(({ json, pairedItem }) => [json.order_price, pairedItem])).toEqual([
      [1150, { item: 0 }],
      [1151, { item: 1 }],
    ]);
  },
);

it.each(['short', 'long'] as const)('Get Order Book reads the %s names', async (order_book_names) => {
  await start({ dialect: { order_book_names } });
  const { items } = await engine.run({ resource: 'quote', operation: 'getOrderBook', ...bySymbol('INFY') });
  expect(items[0]?.json).toMatchObject({
    bids: expect.arrayContaining([
      { price: expect.any(Number), quantity: expect.any(Number), orders: expect.any(Number) },
    ]),
    time: expect.stringMatching(/^\d{19}$/),
  });
});

it.each(['array', 'null'] as const)('Get Many takes an empty list that is %s for an empty list', async (empty_list) => {
  await start({ dialect: { empty_list } });
  const { items, error } = await engine.run({ resource: 'order', operation: 'getMany' });
  expect(error).toBeUndefined();
  expect(items).toEqual([]);
});

it.each(['1mth', '1mt'] as const)(
  'Candles of a month come where the service spells it %s',
  async (monthly_interval) => {
    await start({ dialect: { monthly_interval } });
    const { items, error } = await engine.run({
      resource: 'candle',
      operation: 'get',
      ...bySymbol('INFY'),
      interval: '1mth',
      range: 'last365Days',
    });
    expect(error).toBeUndefined();
    expect(items.length).toBeGreaterThan(10);
  },
);

it.each(['201', '200'] as const)('the login accepts a verification that is answered with %s', async (verify_status) => {
  await start({ dialect: { verify_status } });
  expect((await engine.run({ resource: 'session', operation: 'getUser' })).items[0]?.json.client_code).toBe('SBX001');
});

it('returns the neutral names whatever words the maker uses', async () => {
  await start({ platformWord: 'acme', serviceWord: 'zeta' });
  const instrument = await engine.run({
    resource: 'instrument',
    operation: 'get',
    ...bySymbol('INFY'),
    simplify: false,
  });
  expect(instrument.items[0]?.json.plat_name).toMatch(/^STOCK_INFY/);
  const holdings = await engine.run({ resource: 'portfolio', operation: 'getHoldings', simplify: false });
  expect(holdings.items[0]?.json.svc_name).toEqual(expect.any(String));
  const order = await engine.run(orderForm({ price: 1150, simplify: false }));
  expect(order.items[0]?.json.ref_data).toMatchObject({ plat_name: expect.stringMatching(/^STOCK_INFY/) });
  const names = allTextOf([instrument.items, holdings.items, order.items]);
  expect(names).not.toMatch(/acme_|zeta_/i);
});
