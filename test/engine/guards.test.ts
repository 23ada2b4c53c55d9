/**
 * Every guard from both sides of its bound, wherever orders come from: Place, Place Many, Modify, Basket; set in the node and in the
 * credential.
 */
import type { INodeParameters } from 'n8n-workflow';
import { clock } from '../../nodes/host/clock';
import { show } from '../support/virtual-clock';
import { Engine } from '../support/engine';
import type { NodeRun } from '../support/engine-types';
import { bySymbol, orderForm } from '../support/parameters';
import { share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
/** Rupees. */
let last: number;
/** A call of NIFTY: what one lot of it costs, rupees. */
let call: { symbol: string; lot: number; price: number };

const priceOf = async (symbol: string): Promise<number> => {
  const { items } = await engine.run({ resource: 'quote', operation: 'getCurrentPrice', ...bySymbol(symbol) });
  return Number(items[0]?.json.price);
};

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
  last = await priceOf('INFY');
  const found = await engine.run({
    resource: 'instrument',
    operation: 'getMany',
    filters: { underlying: 'NIFTY', kinds: ['OPT'], optionType: 'CE' },
    limit: 1,
  });
  const { symbol, lot_size } = found.items[0]?.json as { symbol: string; lot_size: number };
  call = { symbol, lot: lot_size, price: await priceOf(symbol) };
});
afterAll(async () => await sandbox.close());

/** Number of orders and baskets that have reached the service: each has its tag, and the legs of a basket share its. */
const sent = async (): Promise<number> =>
  new Set(
    (await sandbox.journal())
      .filter(({ kind, event }) => kind === 'basket' || (kind === 'order' && event === 'received'))
      .map(({ tag }) => tag),
  ).size;

/** The guard that refused, of the node or of the credential; '' where the order passed. Nothing is sent of what is refused. */
async function refusedBy(
  parameters: INodeParameters,
  limits: INodeParameters,
  where: 'node' | 'credential',
  items = [{ json: {} }],
): Promise<string> {
  const stored = await engine.storedCredential();
  if (where === 'credential')
    await engine.setCredential({ ...stored, limitOrders: true, ...(limits as Record<string, string>) });
  const before = await sent();
  const run: NodeRun = await engine.run({ ...parameters, ...(where === 'node' ? { safety: limits } : {}) }, { items });
  if (where === 'credential')
    await engine.setCredential({
      ...Object.fromEntries(Object.entries(await engine.storedCredential()).filter(([name]) => !(name in limits))),
      limitOrders: false,
    });
  const guard = /Refused by the guard "(.+?)"/.exec(run.error?.message ?? '')?.[1] ?? run.error?.message ?? '';
  if (guard !== '') expect(await sent()).toBe(before);
  else expect(run.items).toHaveLength(items.length);
  return guard;
}

/** Paise: the value of the day's orders, reckoned from the list. */
async function dayValue(): Promise<number> {
  // What was placed just before is not in the list yet.
  await sandbox.control('POST', 'clock', { advance: 'PT5S' });
  const { items } = await engine.run({
    resource: 'order',
    operation: 'getMany',
    returnAll: true,
    options: { priceUnit: 'paise' },
  });
  return items.reduce((sum, { json }) => {
    const [quantity, filled, average, price] = [
      json.order_qty,
      json.filled_qty,
      json.avg_filled_price,
      json.order_price,
    ].map(Number) as [number, number, number, number];
    if (json.order_status === 'REJECTED') return sum;
    return (
      sum +
      filled * average +
      (['FILLED', 'CANCELLED', 'EXPIRED'].includes(String(json.order_status)) ? 0 : (quantity - filled) * price)
    );
  }, 0);
}

const limitAt = (price: number, more: INodeParameters = {}) =>
  orderForm({ price: Math.round(price * 10) / 10, ...more });
const intraday = (more: INodeParameters = {}) => limitAt(last * 0.97, { product: 'IDAY', ...more });

/** Guard, its limits, an order within it, an order beyond it. */
const GUARDS: [string, () => INodeParameters, () => INodeParameters, () => INodeParameters][] = [
  ['Largest Quantity', () => ({ maxQuantity: 5 }), () => intraday({ quantity: 5 }), () => intraday({ quantity: 6 })],
  [
    'Largest Order Value',
    () => ({ maxOrderValue: 2_200 }),
    () => orderForm({ price: 1_100, quantity: 2 }),
    () => orderForm({ price: 1_100.1, quantity: 2 }),
  ],
  [
    'Largest Distance From Last Price',
    () => ({ maxPriceDistance: 3 }),
    () => ({ ...limitAt(last * 0.975), side: 'SELL', product: 'IDAY' }),
    () => ({ ...limitAt(last * 0.96), side: 'SELL', product: 'IDAY' }),
  ],
  [
    'Largest Distance From Last Price',
    () => ({ maxPriceDistance: 3 }),
    () => limitAt(last * 1.025),
    () => limitAt(last * 1.04),
  ],
  ['Allowed Exchanges', () => ({ allowedExchanges: ['NSE'] }), () => intraday(), () => intraday(bySymbol('BSE:INFY'))],
  ['Allowed Products', () => ({ allowedProducts: ['IDAY'] }), () => intraday(), () => intraday({ product: 'CNC' })],
  [
    'Allowed Instruments',
    () => ({ allowedInstruments: 'infy, NIFTY' }),
    () => intraday(),
    () => intraday(bySymbol('TCS')),
  ],
];

const PLACES = ['node', 'credential'] as const;

describe.each(PLACES)('guards of the %s', (where) => {
  it.each(share(GUARDS, PLACES.length, PLACES.indexOf(where)))(
    '%s lets an order within it through, and refuses one beyond it',
    async (guard, limits, within, beyond) => {
      expect(await refusedBy(within(), limits(), where)).toBe('');
      expect(await refusedBy(beyond(), limits(), where)).toBe(guard);
    },
  );

  it('Largest Day Value lets an order through that comes to it exactly, and refuses it with a paisa less of room', async () => {
    const bound = (await dayValue()) + 110_000;
    expect(await refusedBy(orderForm({ price: 1_100 }), { maxDayValue: (bound - 1) / 100 }, where)).toBe(
      'Largest Day Value',
    );
    expect(await refusedBy(orderForm({ price: 1_100 }), { maxDayValue: bound / 100 }, where)).toBe('');
  });

  it.each([
    ['2026-11-20T09:14:50+05:30', false],
    ['2026-11-20T09:15:05+05:30', true],
    ['2026-11-20T15:29:30+05:30', true],
    ['2026-11-20T15:30:05+05:30', false],
  ])('Market Hours Only lets orders through on Live at %s, or refuses them', async (at, open) => {
    const stored = await engine.storedCredential();
    await engine.setCredential({ ...stored, environment: 'live', liveBaseUrl: sandbox.url, allowLiveOrders: true });
    show(at);
    expect(await refusedBy(intraday(), { marketHoursOnly: true }, where)).toBe(open ? '' : 'Market Hours Only');
    show();
    await engine.setCredential(stored);
  });
});

it('Allow Live Orders refuses all that places, changes or cancels while it is off, and lets it through while it is on', async () => {
  const { items } = await engine.run(intraday());
  const orderId = String(items[0]?.json.order_id);
  await sandbox.control('POST', 'clock', { advance: 'PT3S' });
  const stored = await engine.storedCredential();
  const live = { ...sandbox.credential, environment: 'live', liveBaseUrl: sandbox.url, deviceId: 'live' };
  const forms: INodeParameters[] = [
    intraday(),
    intraday({ operation: 'placeMany' }),
    basket(),
    { resource: 'order', operation: 'modify', orderId, updateFields: { quantity: 2 } },
    { resource: 'order', operation: 'cancel', orderId },
    { resource: 'order', operation: 'cancelMany', orderId },
    { resource: 'basket', operation: 'cancel', basketId: '1863712345678900001', exchange: 'NSE' },
  ];
  const messages = async (): Promise<string[]> => {
    const seen: string[] = [];
    for (const form of forms) seen.push((await engine.run(form)).error?.message ?? '');
    return seen;
  };
  await engine.setCredential({ ...live, allowLiveOrders: false });
  for (const message of await messages()) expect(message).toContain('Refused by the guard "Allow Live Orders"');
  await engine.setCredential({ ...live, allowLiveOrders: true });
  for (const message of await messages()) expect(message).not.toContain('Allow Live Orders');
  await engine.setCredential(stored);
});

const leg = (side: string, quantity = 1): INodeParameters => ({
  ...bySymbol(call.symbol),
  quantity,
  quantityUnit: 'lots',
  side,
});
const basket = (more: INodeParameters = {}): INodeParameters => ({
  resource: 'basket',
  operation: 'place',
  name: 'Call',
  legs: { leg: [leg('BUY')] },
  side: 'BUY',
  product: 'IDAY',
  priceType: 'MARKET',
  ...more,
});

describe('a basket counts as an order for each leg, times its multiplier', () => {
  it.each<[string, () => INodeParameters, () => INodeParameters]>([
    ['Largest Quantity', () => ({ maxQuantity: 2 * call.lot }), () => ({ maxQuantity: 2 * call.lot - 1 })],
    [
      'Largest Order Value',
      () => ({ maxOrderValue: Math.ceil(2 * call.lot * call.price * 1.05) }),
      () => ({ maxOrderValue: Math.floor(2 * call.lot * call.price * 0.95) }),
    ],
    ['Allowed Exchanges', () => ({ allowedExchanges: ['NSE'] }), () => ({ allowedExchanges: ['BSE'] })],
    ['Allowed Products', () => ({ allowedProducts: ['IDAY'] }), () => ({ allowedProducts: ['CNC'] })],
    ['Allowed Instruments', () => ({ allowedInstruments: 'NIFTY' }), () => ({ allowedInstruments: 'INFY' })],
  ])('%s counts a basket so', async (guard, wide, narrow) => {
    const form = basket({ options: { multiplier: 2 } });
    expect(await refusedBy(form, wide(), 'node')).toBe('');
    expect(await refusedBy(form, narrow(), 'node')).toBe(guard);
  });
});

it('Place Many counts the orders of one request together towards the limit of the day', async () => {
  const maxDayValue = ((await dayValue()) + 220_000) / 100;
  const before = await sent();
  const { items } = await engine.run(orderForm({ operation: 'placeMany', price: 1_100, safety: { maxDayValue } }), {
    items: [{ json: {} }, { json: {} }, { json: {} }],
    onError: 'continueRegularOutput',
  });
  expect(items.map(({ json }) => json.error ?? 'placed')).toEqual([
    'placed',
    'placed',
    expect.stringContaining('Refused by the guard "Largest Day Value"'),
  ]);
  expect(await sent()).toBe(before + 2);
});

it('Most Orders a Day refuses what places, and nothing that changes or closes', async () => {
  const safety = { maxDayOrders: 1 };
  const atMarket = { ...intraday({ ...bySymbol('ITC'), priceType: 'MARKET', quantity: 3 }), safety: {} };
  expect((await engine.run(atMarket)).error).toBeUndefined();
  const target = (units: number): INodeParameters => ({
    ...{
      resource: 'order',
      operation: 'setTargetPosition',
      ...bySymbol('ITC'),
      product: 'IDAY',
      target: units,
      safety,
    },
  });
  const forms = [intraday({ safety }), intraday({ operation: 'placeMany', safety }), basket({ safety }), target(4)];
  const before = await sent();
  for (const form of forms)
    expect((await engine.run(form)).error?.message).toContain('Refused by the guard "Most Orders a Day"');
  expect(await sent()).toBe(before);
  // What is left of another operation in the panel limits no exit.
  const exit = { resource: 'portfolio', operation: 'exitPosition', ...bySymbol('ITC'), safety };
  for (const form of [target(1), exit]) expect((await engine.run(form)).error).toBeUndefined();
  expect(await sent()).toBe(before + 2);
});

it('Dry Run of the credential shows changes and cancellations without sending them; without it they happen', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.push(String((await engine.run(intraday())).items[0]?.json.order_id));
  const basketId = String((await engine.run(basket())).items[0]?.json.basket_id);
  await clock.sleep(3_000);
  const forms: [INodeParameters, object][] = [
    [
      { resource: 'order', operation: 'modify', orderId: ids[0]!, updateFields: { quantity: 2 } },
      { method: 'POST', path: `/orders/v2/modify/${ids[0]}` },
    ],
    [
      { resource: 'order', operation: 'cancel', orderId: ids[1]! },
      { method: 'DELETE', path: `/orders/${ids[1]}` },
    ],
    [
      { resource: 'order', operation: 'cancelMany', orderId: ids[2]! },
      { method: 'POST', path: '/orders/cancel', body: { orders: [{ order_id: ids[2] }] } },
    ],
    [
      { resource: 'basket', operation: 'cancel', basketId, exchange: 'NSE' },
      { method: 'POST', path: `/orders/v2/basket/${basketId}`, body: { exchange: 'NSE' } },
    ],
  ];
  const stateOf = async () =>
    (await engine.run({ resource: 'order', operation: 'getMany', returnAll: true })).items
      .filter(({ json }) => ids.includes(String(json.order_id)))
      .map(({ json }) => [json.order_id, json.order_status, json.order_qty]);
  const before = await stateOf();
  await engine.setCredential({ ...(await engine.storedCredential()), dryRun: true });
  for (const [form, would_send] of forms)
    expect((await engine.run(form)).items[0]?.json).toMatchObject({
      dry_run: true,
      would_send,
      environment: 'sandbox',
    });
  await engine.setCredential({ ...(await engine.storedCredential()), dryRun: false });
  await clock.sleep(3_000);
  expect(await stateOf()).toEqual(before);
  for (const [form] of forms)
    expect((await engine.run(form)).items[0]?.json).toMatchObject({ result: expect.stringMatching(/done|requested/) });
  await clock.sleep(3_000);
  expect((await stateOf()).map(([, status]) => status).sort()).toEqual(['CANCELLED', 'CANCELLED', 'OPEN']);
});

it('Dry Run shows and sends nothing, in the node and in the credential; without it the order goes out', async () => {
  const dry = async (more: INodeParameters, credential: Record<string, boolean>): Promise<unknown> => {
    const stored = await engine.storedCredential();
    await engine.setCredential({ ...stored, ...credential });
    const { items } = await engine.run(intraday(more));
    await engine.setCredential({ ...(await engine.storedCredential()), dryRun: false });
    return items[0]?.json.dry_run;
  };
  const before = await sent();
  expect(await dry({ safety: { dryRun: true } }, {})).toBe(true);
  expect(await dry({}, { dryRun: true })).toBe(true);
  expect(await dry({ safety: { dryRun: false } }, { dryRun: true })).toBe(true);
  expect(await sent()).toBe(before);
  expect(await dry({ safety: { dryRun: false } }, { dryRun: false })).toBeUndefined();
  expect(await sent()).toBe(before + 1);
});

/** The last one: the clock follows the sandbox that was started last. */
it('Market Hours Only goes by the clock of a sandbox, whatever the time of this machine is', async () => {
  const replay = await testSandbox({ rateLimit: 'off', start: '2026-11-20T09:14:50+05:30' });
  const trader = await Engine.start(replay.credential);
  show('2026-11-20T09:14:50+05:30');
  await trader.run({ resource: 'session', operation: 'getUser' });
  const form = { ...intraday({ priceType: 'MARKET' }), safety: { marketHoursOnly: true }, options: { waitSeconds: 0 } };
  show('2026-11-20T11:00:00+05:30');
  expect((await trader.run(form)).error?.message).toContain('guard "Market Hours Only"');
  await replay.control('POST', 'clock', { advance: 'PT30S' });
  show('2026-11-20T09:00:00+05:30');
  expect((await trader.run(form)).error).toBeUndefined();
  show();
  await replay.close();
});
