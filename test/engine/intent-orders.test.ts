/** Orders on an account with intent orders, in n8n's engine against the sandbox over real HTTP. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { lastPrice } from '../support/last-price';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
/** Last price of INFY, rupees. */
let last: number;
let refId: number;

beforeAll(async () => {
  sandbox = await testSandbox({ orderInterface: 'intent' });
  engine = await Engine.start(sandbox.credential);
  const infy = await engine.run({ resource: 'instrument', operation: 'get', ...bySymbol('INFY') });
  refId = Number(infy.items[0]?.json.ref_id);
  last = await lastPrice(engine);
});
afterAll(async () => await sandbox.close());

const run = async (operation: string, parameters: INodeParameters) =>
  await engine.run({ resource: 'order', operation, ...parameters });
/** Runs what must succeed, and gives its first item. */
const first = async (operation: string, parameters: INodeParameters) => {
  const { items, error } = await run(operation, parameters);
  if (error !== undefined) throw new Error(allTextOf(error));
  return items[0]!.json as Record<string, never>;
};
const market = (given: INodeParameters = {}): INodeParameters =>
  orderForm({ priceType: 'MARKET', price: undefined, product: 'IDAY', ...given } as INodeParameters);
const move = async (rupees: number): Promise<void> => {
  await sandbox.control('POST', 'market', { ref_id: refId, price: Math.round(rupees * 20) * 5 });
  await sandbox.control('POST', 'clock', { advance: 'PT2S' });
};

it.each(['get', 'modify'])('%s right after Place finds the order, which the service shows later', async (operation) => {
  const price = Math.floor(last * 0.95);
  const { order_id: orderId } = await first('place', orderForm({ price }));
  // Some services do not show the price: it is given.
  const change = operation === 'modify' ? { updateFields: { quantity: 2, price } } : {};
  expect(await first(operation, { orderId, ...change } as INodeParameters)).toMatchObject({ order_id: orderId });
});

it('places a purchase with a 2 % stop and a 4 % target in one order, on the tick on the safe side', async () => {
  const placed = await first(
    'place',
    market({ exits: { stopLoss: 2, target: 4 }, options: { waitFor: 'filled', waitSeconds: 30 } }),
  );
  expect(placed).toMatchObject({
    order_status: 'FILLED',
    intent_status: 'EXECUTED',
    validity_type: 'IOC',
    symbol: 'INFY',
    order_side: 'BUY',
    exits_until: '2026-11-20',
    wait_reached: true,
  });
  const [stop, target] = placed.exits as unknown as {
    kind: string;
    trigger_price: number;
    limit_price: number;
    status: string;
  }[];
  expect(stop).toMatchObject({ kind: 'STOPLOSS', status: 'OPEN', filled_qty: 0 });
  expect(target).toMatchObject({ kind: 'TARGET_PROFIT', status: 'OPEN' });
  expect(stop!.trigger_price).toBeGreaterThan(stop!.limit_price);
  for (const price of [stop!.trigger_price, stop!.limit_price, target!.trigger_price])
    expect(Math.round(price * 100) % 5).toBe(0);
  expect(placed.intent).toBeUndefined();
});

it('closes by the target, and waits until then', async () => {
  const placed = await first(
    'place',
    market({ exits: { stopLoss: 2, target: 1 }, options: { waitFor: 'filled', waitSeconds: 30 } }),
  );
  const [, target] = placed.exits as unknown as { trigger_price: number }[];
  await move(target!.trigger_price + 1);
  const exited = await first('waitForStatus', { orderId: placed.order_id, waitFor: 'exited', deadlineSeconds: 60 });
  expect(exited).toMatchObject({
    reached: true,
    order_status: 'FILLED',
    filled_qty: 1,
    exits: [
      { kind: 'STOPLOSS', status: 'CANCELLED', filled_qty: 0 },
      { kind: 'TARGET_PROFIT', status: 'FILLED', filled_qty: 1 },
    ],
  });
  await move(last);
});

it('changes the exits of a filled order, takes one off, and never cancels what is filled', async () => {
  const placed = await first(
    'place',
    market({ exits: { stopLoss: 3, target: 3 }, options: { waitFor: 'filled', waitSeconds: 30 } }),
  );
  const orderId = placed.order_id;
  const changed = await first('modify', {
    orderId,
    updateFields: { exitsIn: 'price', stopLoss: Math.round(last * 0.96), trailingJump: 1 },
    options: { waitSeconds: 20 },
  });
  expect(changed).toMatchObject({ result: 'done' });
  expect((changed.exits as unknown as object[])[0]).toMatchObject({ kind: 'TRAILING_STOP', trail_jump: 1 });
  const refused = await run('cancel', { orderId });
  expect(refused.error?.message).toContain('it was filled before that');
  expect(refused.error?.description).toContain('Cancel Exit');
  await sandbox.control('POST', 'clock', { advance: 'PT10S' });
  const off = await first('cancelExit', { orderId, exitKind: 'TRAILING_STOP', options: { waitSeconds: 20 } });
  expect(off).toMatchObject({ result: 'done', order_status: 'FILLED' });
  expect(off.exits as unknown as object[]).toEqual([
    expect.objectContaining({ kind: 'TRAILING_STOP', status: 'CANCELLED' }),
    expect.objectContaining({ kind: 'TARGET_PROFIT', status: 'OPEN' }),
  ]);
});

it('places an order that is good till a date, and one that waits for a price', async () => {
  const price = Math.floor(last * 0.95);
  const gtd = await first('place', {
    ...orderForm({ price, exits: { stopLoss: 2 } }),
    options: { validity: 'GTE', goodTillDate: '2026-12-15', waitFor: 'accepted' },
  });
  expect(gtd).toMatchObject({ order_status: 'OPEN', intent_status: 'GTE', exits_until: '2026-12-15' });
  const waiting = await first('place', {
    ...orderForm({ price: Math.floor(last * 1.02) }),
    entry: { condition: 'AT_OR_BELOW', conditionPrice: Math.floor(last * 0.98) },
    options: { waitFor: 'accepted' },
  });
  expect(waiting).toMatchObject({
    order_status: 'OPEN',
    order_type: 'REGULAR',
    entry_condition: { when: 'AT_OR_BELOW', trigger_price: Math.floor(last * 0.98) },
  });
  const stop = await first('place', {
    ...orderForm({ orderType: 'STOPLOSS', price: Math.floor(last * 1.05), triggerPrice: Math.floor(last * 1.04) }),
    options: { waitFor: 'accepted' },
  });
  expect(stop).toMatchObject({ order_status: 'OPEN', order_type: 'STOPLOSS', trigger_price: Math.floor(last * 1.04) });
  const listed = await run('getMany', { returnAll: true, simplify: true, filters: { buckets: ['GTE'] } });
  expect(listed.items.map(({ json }) => json.order_id)).toEqual([gtd.order_id]);
  for (const orderId of [gtd.order_id, waiting.order_id, stop.order_id])
    expect(await first('cancel', { orderId })).toMatchObject({ result: 'done', order_status: 'CANCELLED' });
});

it('tells margin and charges beforehand', async () => {
  expect(
    await first('preview', orderForm({ operation: 'preview', price: Math.floor(last), exits: { stopLoss: 2 } })),
  ).toMatchObject({
    symbol: 'INFY',
    order_qty: 1,
    total_margin: expect.any(Number),
    total_charges: expect.any(Number),
    waits_for_next_session: false,
    is_sliced: false,
  });
});

it.each<[string, INodeParameters, string, string]>([
  [
    'a stop loss on the wrong side',
    { exits: { exitsIn: 'price', stopLoss: 5000 } },
    'must be below the entry',
    'stopLoss',
  ],
  ['a stop loss of 0', { exits: { stopLoss: 0 } }, 'An exit of 0 does nothing', 'stopLoss'],
  ['a jump without a stop loss', { exits: { trailingJump: 1 } }, 'needs Stop Loss', 'trailingJump'],
  ['an exit time that is over', { exits: { exitTime: '09:20' } }, 'Exit Time 09:20 has passed', 'exitTime'],
  [
    'a market order till a date',
    { options: { validity: 'GTE', goodTillDate: '2026-12-01' } },
    'limit price',
    'priceType',
  ],
])('refuses %s before anything is sent', async (_, given, says, parameter) => {
  const before = (await sandbox.journal()).filter(({ kind }) => kind === 'intent').length;
  const { error } = await run('place', market(given));
  expect(error?.message).toContain(says);
  expect(error?.context?.parameter).toBe(parameter);
  expect((await sandbox.journal()).filter(({ kind }) => kind === 'intent')).toHaveLength(before);
});

it.each(['camel', 'snake'])(
  'the portfolio on its newer paths, spelled %s, has the names of the older ones',
  async (spelling) => {
    await sandbox.control('PUT', 'dialect', { intent_portfolio: spelling });
    const read = async (operation: string, typeVersion = 1) => {
      const parameters = { resource: 'portfolio', operation, returnAll: true, simplify: true };
      const { items, error } = await engine.run(parameters, { typeVersion });
      expect(error).toBeUndefined();
      return items.map(({ json }) => json as Record<string, never>);
    };
    expect((await read('getHoldings'))[0]).toMatchObject({
      symbol: expect.any(String),
      qty: expect.any(Number),
      avg_price: expect.any(Number),
      ltp: expect.any(Number),
      day_pnl: expect.any(Number),
    });
    expect((await read('getHoldings', 1.2))[0]).toHaveProperty('ltp_chg', expect.any(Number));
    expect((await read('getFunds'))[0]).toMatchObject({ net_margin_available: expect.any(Number) });
    expect((await read('getSummary'))[0]).toMatchObject({
      holdings: { total_pnl: expect.any(Number) },
      positions: { total_pnl: expect.any(Number), count: expect.any(Number) },
    });
    const position = (await read('getPositions')).find(({ symbol }) => symbol === 'INFY')!;
    expect(position).toMatchObject({
      segment: expect.any(String),
      product: 'ORDER_DELIVERY_TYPE_IDAY',
      avg_price: expect.any(Number),
      pnl: expect.any(Number),
    });
  },
);

it('a position is closed by what it holds', async () => {
  await sandbox.control('PUT', 'dialect', { intent_portfolio: 'camel', intent_position_names: 'short' });
  await first('place', market({ quantity: 3, options: { waitFor: 'filled', waitSeconds: 30 } }));
  const { items } = await engine.run({
    resource: 'portfolio',
    operation: 'getPositions',
    returnAll: true,
    simplify: true,
  });
  const open = items.find(({ json }) => json.symbol === 'INFY' && json.qty !== 0)!;
  const closed = await engine.run(
    market({
      side: '={{ $json.order_side === "BUY" ? "SELL" : "BUY" }}',
      quantity: '={{ $json.qty }}',
      product: '={{ $json.product }}',
      options: { waitFor: 'filled', waitSeconds: 30 },
    }),
    { items: [{ json: open.json }] },
  );
  expect(closed.error).toBeUndefined();
  const after = await engine.run({ resource: 'portfolio', operation: 'getPositions', returnAll: true, simplify: true });
  expect(after.items.find(({ json }) => json.symbol === 'INFY')?.json).toMatchObject({ segment: 'closed' });
});

it('a straddle is one strategy, with exits on the whole; it is found again, and cancelled', async () => {
  const found = await engine.run({
    resource: 'instrument',
    operation: 'search',
    query: 'NIFTY',
    limit: 40,
    options: { kinds: ['OPT'] },
  });
  const calls = found.items.filter(({ json }) => json.asset === 'NIFTY' && json.option_type === 'CE').slice(0, 2);
  const form: INodeParameters = {
    resource: 'basket',
    operation: 'place',
    name: 'Spread',
    legs: {
      leg: calls.map(({ json }, at) => ({
        ...bySymbol(String(json.symbol)),
        quantity: 1,
        quantityUnit: 'lots',
        side: at === 0 ? 'BUY' : 'SELL',
      })),
    },
    side: 'BUY',
    product: 'CNC',
    priceType: 'LIMIT',
    price: -5000,
    simplify: true,
    options: { stopLossPrice: -6000, goodTillDate: '2026-11-23', idempotencyKey: 'spread' },
    safety: {},
  };
  const placed = await engine.run(form);
  expect(placed.error).toBeUndefined();
  expect(placed.items[0]?.json).toMatchObject({
    basket_id: expect.stringMatching(/^\d+$/),
    already_placed: false,
    legs: [{ order_side: 'BUY' }, { order_side: 'SELL' }],
    exits: [{ kind: 'STOPLOSS', trigger_price: -6000 }],
  });
  await sandbox.control('POST', 'clock', { advance: 'PT5S' });
  const again = await engine.run(form);
  expect(again.error).toBeUndefined();
  expect(again.items[0]?.json).toMatchObject({ basket_id: placed.items[0]?.json.basket_id, already_placed: true });
  const basketId = placed.items[0]!.json.basket_id as string;
  for (const [operation, message] of [
    ['cancel', 'Nothing was sent for it'],
    ['cancelMany', 'Nothing was sent for it'],
    ['cancelExit', 'has no order'],
  ] as const) {
    const refused = await run(operation, { orderId: basketId, exitKind: 'STOPLOSS' });
    expect(allTextOf(refused.error!)).toContain(message);
    expect(allTextOf(refused.error!)).toMatch(/basket/);
  }
  const cancelled = await engine.run({ resource: 'basket', operation: 'cancel', basketId, exchange: 'NSE' });
  expect(cancelled.error).toBeUndefined();
  await sandbox.control('POST', 'clock', { advance: 'PT5S' });
  const listed = await engine.run({ resource: 'basket', operation: 'getMany', returnAll: true, simplify: true });
  expect(listed.items[0]?.json).toMatchObject({ basket_id: basketId, basket_status: 'CANCELLED' });
});

describe('a limit order whose stop loss the last price has reached, in version 1.2', () => {
  const asked = (given: INodeParameters): INodeParameters => ({
    ...orderForm({ product: 'IDAY', ...given } as INodeParameters),
    resource: 'order',
  });
  const newest = async (operation: string, given: INodeParameters) =>
    await engine.run({ ...asked(given), operation }, { typeVersion: 1.2 });
  const sent = async () => (await sandbox.journal()).filter(({ kind }) => kind === 'intent').length;

  it.each([
    ['place', 'BUY', 1.04],
    ['placeMany', 'BUY', 1.04],
    ['place', 'SELL', 0.96],
  ])('is refused by %s to %s at %d times the price, and nothing is sent', async (operation, side, times) => {
    const [now, before] = [await lastPrice(engine), await sent()];
    const { error } = await newest(operation, { side, price: Math.round(now * times), exits: { stopLoss: 1 } });
    expect(error?.message).toMatch(
      /^The stop loss ₹[\d,.]+ of INFY is reached already: the last price is ₹[\d,.]+, and/,
    );
    expect(error?.description).toContain(
      `The limit price is far ${side === 'BUY' ? 'above' : 'below'} the last price.`,
    );
    expect(error?.context?.parameter).toBe('stopLoss');
    expect(await sent()).toBe(before);
  });

  it('is placed with a stop loss that is ahead, and with a condition; a repeat finds the order after the price has fallen', async () => {
    const now = await lastPrice(engine);
    const entry = { condition: 'AT_OR_ABOVE', conditionPrice: Math.round(now * 1.03) };
    const waiting = { price: Math.round(now * 1.04), exits: { stopLoss: 1 }, entry };
    expect((await newest('place', waiting)).error).toBeUndefined();
    const keyed = {
      ...{ price: Math.round(now * 1.005), exits: { stopLoss: 1.5 } },
      options: { idempotencyKey: 'reached', waitSeconds: 0 },
    };
    const { items, error } = await newest('place', keyed);
    expect(error).toBeUndefined();
    await move(now * 0.95);
    const again = await newest('place', keyed);
    expect(again.items[0]?.json).toMatchObject({ order_id: items[0]?.json.order_id, already_placed: true });
  });
});
