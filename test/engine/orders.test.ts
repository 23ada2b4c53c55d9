/** Order operations beyond placing one: what is refused, what comes too late, what is kept apart. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine } from '../support/engine';
import type { NodeRun } from '../support/engine-types';
import { lastPrice } from '../support/last-price';
import { bySymbol, orderForm } from '../support/parameters';
import { FIRST_ACCOUNT, testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
/** A price at which a purchase of INFY rests, rupees. */
let resting: number;

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
  resting = Math.floor((await lastPrice(engine)) * 0.97);
});
afterAll(async () => await sandbox.close());

const json = ({ items, error }: NodeRun) => {
  expect(error).toBeUndefined();
  return items[0]?.json ?? {};
};
const order = async (operation: string, parameters: INodeParameters, options = {}) =>
  await engine.run({ resource: 'order', operation, ...parameters }, options);
const placed = async (more: INodeParameters = {}) => {
  const { order_id } = json(await engine.run(orderForm({ price: resting, ...more })));
  await sandbox.control('POST', 'clock', { advance: 'PT3S' });
  return String(order_id);
};
const received = async () =>
  (await sandbox.journal()).filter(({ kind, event }) => kind === 'order' && event === 'received').length;

describe('Modify', () => {
  it('changes only what is asked for', async () => {
    const orderId = await placed({ quantity: 10 });
    expect(json(await order('modify', { orderId, updateFields: { quantity: 4 } }))).toMatchObject({
      result: 'done',
      order_qty: 4,
      order_price: resting,
    });
    expect(json(await order('modify', { orderId, updateFields: { price: resting + 0.5 } }))).toMatchObject({
      result: 'done',
      order_qty: 4,
      order_price: resting + 0.5,
    });
  });

  it('takes an order from each type to each other', async () => {
    const high = Math.ceil(resting * 1.06);
    const types: Record<string, INodeParameters> = {
      REGULAR: { price: resting },
      STOPLOSS: { price: high + 1, triggerPrice: high },
      ICEBERG: { price: resting, legSize: 2 },
    };
    for (const [from, to] of Object.keys(types).flatMap((a) => Object.keys(types).map((b) => [a, b] as const))) {
      if (from === to) continue;
      const { price, ...options } = types[from]!;
      const orderId = await placed({ quantity: 10, price: price!, orderType: from, ...options });
      const run = await order('modify', { orderId, updateFields: { orderType: to, ...types[to] } });
      expect([from, to, json(run)]).toMatchObject([from, to, { result: 'done', order_type: to, order_qty: 10 }]);
    }
  });

  it.each<[string, INodeParameters, string]>([
    ['a trigger price of an order that has none', { triggerPrice: 900 }, 'triggerPrice'],
    ['a leg size of an order that is shown whole', { legSize: 1 }, 'legSize'],
    ['nothing', {}, 'updateFields'],
    ['a price off the tick', { price: 1050.03 }, 'price'],
    ['no quantity', { quantity: 0 }, 'quantity'],
    ['a trigger on the wrong side', { orderType: 'STOPLOSS', triggerPrice: 2000 }, 'triggerPrice'],
  ])('refuses %s', async (_, updateFields, parameter) => {
    const { error } = await order('modify', { orderId: await placed(), updateFields });
    expect(error?.context?.parameter).toBe(parameter);
  });

  it('keeps the guards, and shows what a dry run would send', async () => {
    const orderId = await placed();
    expect(
      (await order('modify', { orderId, updateFields: { quantity: 9 }, safety: { maxQuantity: 5 } })).error?.context
        ?.parameter,
    ).toBe('maxQuantity');
    expect(
      json(await order('modify', { orderId, updateFields: { quantity: 9 }, safety: { dryRun: true } })),
    ).toMatchObject({ dry_run: true, would_send: { body: { order_qty: 9, exchange: 'NSE' } } });
    expect(json(await order('get', { orderId }))).toMatchObject({ order_qty: 1 });
  });

  it('counts the order once towards the limit of the day, as it becomes', async () => {
    const orderId = await placed({ quantity: 2 });
    const all = await order('getMany', { returnAll: true });
    const soFar = all.items.reduce((sum, { json: iDataObject }) => {
      const ended = ['FILLED', 'CANCELLED', 'EXPIRED'].includes(String(iDataObject.order_status));
      return iDataObject.order_status === 'REJECTED'
        ? sum
        : sum +
            Number(iDataObject.filled_qty) * Number(iDataObject.avg_filled_price) +
            (ended
              ? 0
              : (Number(iDataObject.order_qty) - Number(iDataObject.filled_qty)) * Number(iDataObject.order_price));
    }, 0);
    const change = (maxDayValue: number) =>
      order('modify', { orderId, updateFields: { quantity: 3 }, safety: { maxDayValue } });
    const bound = Math.round((soFar + resting) * 100) / 100;
    expect((await change(bound - 0.01)).error?.context?.parameter).toBe('maxDayValue');
    expect((await change(bound)).error).toBeUndefined();
  });

  it('says that the order does not show a change, which the exchange has refused', async () => {
    const parameters = { orderId: await placed(), updateFields: { price: 1 } };
    const changed = json(await order('modify', parameters, { typeVersion: 1.2 }));
    expect(changed).toMatchObject({
      result: 'requested',
      summary: expect.stringMatching(
        /^Open: .* This does not show what was requested: it may take longer, or the exchange has refused it\.$/,
      ),
    });
  });

  it('says that the order was filled before', async () => {
    const orderId = await placed({ priceType: 'MARKET', options: { waitFor: 'filled' } });
    expect((await order('modify', { orderId, updateFields: { quantity: 2 } })).error?.message).toContain(
      'filled before that',
    );
    expect((await order('cancel', { orderId })).error?.message).toContain('filled before that');
  });
});

describe('Cancel', () => {
  it('goes on at once where it is not to wait', async () => {
    expect(json(await order('cancel', { orderId: await placed(), options: { waitSeconds: 0 } }))).toMatchObject({
      result: 'requested',
    });
  });

  it('tells an order that there is not', async () => {
    const { error } = await order('cancel', { orderId: '1234567890123456789' });
    expect(error).toBeDefined();
    expect(error?.context?.itemIndex).toBe(0);
  });

  it('needs the switch on Live', async () => {
    const before = await engine.storedCredential();
    await engine.setCredential({ ...before, environment: 'live', liveBaseUrl: sandbox.url, allowLiveOrders: false });
    for (const operation of ['cancel', 'cancelMany'])
      expect((await order(operation, { orderId: '1234567890123456789' })).error?.message).toContain(
        'Allow Live Orders',
      );
    await engine.setCredential(before);
  });

  it('cancels many with one request, each with its own result', async () => {
    const ids = [await placed(), await placed()];
    const { items, error } = await order(
      'cancelMany',
      { orderId: '={{ $json.id }}' },
      { items: [...ids, 'x'].map((id) => ({ json: { id } })), onError: 'continueRegularOutput' },
    );
    expect(error).toBeUndefined();
    expect(items.map((item) => item.json.result ?? item.json.error)).toEqual([
      'done',
      'done',
      expect.stringContaining('digits of an id'),
    ]);
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
  });
});

describe('Place Many', () => {
  const three = { items: [resting, 0.03, resting].map((_, index) => ({ json: { index } })) };
  const form = () =>
    orderForm({ operation: 'placeMany', price: `={{ [${resting}, ${resting + 0.03}, ${resting + 1}][$json.index] }}` });

  it('sends nothing while one of the items is wrong', async () => {
    const before = await received();
    const { error } = await engine.run(form(), three);
    expect(error?.context).toMatchObject({ itemIndex: 1, parameter: 'price' });
    expect(await received()).toBe(before);
  });

  it('places the others where the node is set to go on', async () => {
    const before = await received();
    const { items } = await engine.run(form(), { ...three, onError: 'continueRegularOutput' });
    expect(items.map((item) => typeof (item.json.order_id ?? item.json.error))).toEqual(['string', 'string', 'string']);
    expect(items[1]?.json.error).toContain('tick size');
    expect(await received()).toBe(before + 2);
  });

  it('refuses the same key twice, and finds what was placed when the reply is lost', async () => {
    const items = [{ json: {} }, { json: {} }];
    const twice = await engine.run(
      orderForm({ operation: 'placeMany', price: resting, options: { idempotencyKey: 'same' } }),
      { items },
    );
    expect(twice.error?.message).toContain('same Idempotency Key');
    const before = await received();
    await sandbox.control('POST', 'faults', { match: { path: '/orders/v2/multi' }, action: 'drop_after', times: 1 });
    const run = await engine.run(orderForm({ operation: 'placeMany', price: resting }), { items });
    expect(run.error).toBeUndefined();
    expect(run.items).toHaveLength(2);
    expect(await received()).toBe(before + 2);
  });

  it('waits for each order that says so, for all of them together', async () => {
    const mixed = orderForm({
      operation: 'placeMany',
      priceType: '={{ ["MARKET", "LIMIT", "LIMIT"][$json.index] }}',
      price: resting,
      options: { waitFor: '={{ ["filled", "filled", "accepted"][$json.index] }}', waitSeconds: 6 },
    });
    const before = sandbox.running.sandbox.clock.now();
    const { items, error } = await engine.run(mixed, three);
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => [json.order_status, json.wait_reached])).toEqual([
      ['FILLED', true],
      ['OPEN', false],
      ['OPEN', true],
    ]);
    expect(sandbox.running.sandbox.clock.now() - before).toBeLessThan(12_000);
    const plain = await engine.run(orderForm({ operation: 'placeMany', priceType: 'MARKET' }), { typeVersion: 1.1 });
    expect(plain.items[0]?.json).not.toHaveProperty('wait_reached');
  });

  it('shows what a dry run would send', async () => {
    const before = await received();
    const { items } = await engine.run(
      orderForm({ operation: 'placeMany', price: resting, safety: { dryRun: true } }),
      { items: [{ json: {} }, { json: {} }] },
    );
    expect(items.map((item) => item.json.dry_run)).toEqual([true, true]);
    expect(await received()).toBe(before);
  });
});

describe('Get Many', () => {
  it('gives the newest first, up to the limit or all, and exactly what the filters say', async () => {
    const tag = 'filter-me';
    for (const quantity of [1, 2, 3]) await placed({ quantity, options: { tag } });
    const filtered = await order('getMany', { returnAll: true, filters: { tag } });
    expect(filtered.items.map((item) => item.json.order_qty)).toEqual([3, 2, 1]);
    expect((await order('getMany', { limit: 2, filters: { tag } })).items).toHaveLength(2);
    await placed({ quantity: 4, options: { tag: 'and-me' } });
    const both = await order('getMany', { returnAll: true, filters: { tag: ` and-me, ${tag}` } });
    expect(both.items.map((item) => item.json.order_qty)).toEqual([4, 3, 2, 1]);
    expect((await order('getMany', { filters: { tag: 'filter' } })).items).toEqual([]);
    expect((await order('getMany', { limit: 0 })).error?.context?.parameter).toBe('limit');
    expect((await order('getMany', { filters: { symbol: 'INF' } })).items).toEqual([]);
    expect((await order('getMany', { filters: { side: 'SELL', tag } })).items).toEqual([]);
  });

  it('simplifies wide records, or gives them whole', async () => {
    const orderId = await placed();
    const simple = json(await order('get', { orderId }));
    const whole = json(await order('get', { orderId, simplify: false }));
    expect(Object.keys(whole).length).toBeGreaterThan(Object.keys(simple).length);
    expect(simple).toMatchObject({ order_status: 'OPEN', order_side: 'BUY', symbol: 'INFY' });
    expect(whole).toMatchObject({
      order_status: 'ORDER_STATUS_OPEN',
      order_side: 'ORDER_SIDE_BUY',
      order_price: resting,
      order_time: expect.stringMatching(/^\d{19}$/),
      order_time_ist: expect.stringContaining('+05:30'),
    });
    expect(json(await order('get', { orderId, options: { priceUnit: 'paise' } }))).toMatchObject({
      order_price: resting * 100,
    });
  });
});

it('previews every amount in the unit of the item, within lists too', async () => {
  await sandbox.control('POST', 'faults', {
    match: { method: 'POST', path: '/orders/v2/margin_required' },
    action: 'status',
    args: {
      status: 200,
      body: { total_margin: 123_450, margins: [100, [250]], leg_margin: [{ ref_id: 7, margin: 100 }] },
    },
    times: 1,
  });
  const { items } = await engine.run({ ...orderForm(), operation: 'preview' });
  expect(items[0]?.json).toMatchObject({
    total_margin: 1234.5,
    margins: [1, [2.5]],
    leg_margin: [{ ref_id: 7, margin: 1 }],
  });
});

it('says in the editor why nothing came', async () => {
  const none = await engine.run({ resource: 'order', operation: 'getMany', filters: { symbol: 'WIPRO' } });
  expect(none.items).toEqual([]);
  expect(none.run.data.resultData.runData.Brokerage?.at(-1)?.hints).toEqual([
    { message: expect.stringContaining('none matches your filters'), location: 'outputPane' },
  ]);
  const some = await engine.run({ resource: 'portfolio', operation: 'getHoldings' });
  expect(some.run.data.resultData.runData.Brokerage?.at(-1)?.hints ?? []).toEqual([]);
});

describe('Wait for Status', () => {
  it('gives the order after the deadline, or an error, as is chosen', async () => {
    const orderId = await placed();
    const wait = { orderId, waitFor: 'filled', deadlineSeconds: 5 };
    expect(json(await order('waitForStatus', wait))).toMatchObject({
      reached: false,
      timed_out: true,
      order_status: 'OPEN',
    });
    expect((await order('waitForStatus', { ...wait, options: { whenMissed: 'error' } })).error?.message).toContain(
      'is open, not Filled, after',
    );
  });

  it('sees a fill that comes while it waits', async () => {
    const orderId = await placed({ price: resting });
    const { ref_id } = json(await order('get', { orderId }));
    await sandbox.control('POST', 'market', { ref_id, price: (resting - 5) * 100 });
    expect(json(await order('waitForStatus', { orderId, waitFor: 'filled', deadlineSeconds: 60 }))).toMatchObject({
      reached: true,
      order_status: 'FILLED',
    });
  });
});

it('shares no session trouble: an expired session in the middle of many items is renewed once', async () => {
  await sandbox.control('POST', `accounts/${FIRST_ACCOUNT.phone}`, { expire_sessions: true });
  const before = (await sandbox.control<{ logins: number }>('GET', 'stats')).logins;
  const { items, error } = await engine.run(orderForm({ price: resting }), {
    items: [{ json: {} }, { json: {} }, { json: {} }],
  });
  expect(error).toBeUndefined();
  expect(items).toHaveLength(3);
  expect((await sandbox.control<{ logins: number }>('GET', 'stats')).logins).toBe(before + 1);
});

it('finds the orders of a symbol where the service gives an order without its instrument', async () => {
  const { ref_id } = json(await engine.run({ resource: 'instrument', operation: 'get', ...bySymbol('INFY') }));
  const record = {
    order_id: '1763712345678901234',
    ref_id,
    ref_data: null,
    exchange: '',
    order_status: 'ORDER_STATUS_OPEN',
    order_side: 'ORDER_SIDE_BUY',
    order_qty: 1,
    tag: '',
  };
  await sandbox.control('POST', 'faults', {
    match: { method: 'GET', path: '/orders' },
    action: 'status',
    args: { status: 200, body: JSON.stringify([record, { ...record, order_id: '1763712345678901235', ref_id: 1 }]) },
    times: 1,
  });
  const { items, error } = await order('getMany', { filters: { symbol: 'infy' } });
  expect(error).toBeUndefined();
  expect(items.map((item) => item.json.order_id)).toEqual(['1763712345678901234']);
});
