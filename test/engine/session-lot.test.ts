/** A quantity in lots is counted with the lot of the session that the order is for, and priced on its tick: both change overnight. */
import type { INodeParameters } from 'n8n-workflow';
import { forgetInstruments } from '../../client/instruments/catalogue';
import { forgetSessionLots } from '../../client/instruments/session-lots';
import { Engine } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { startProxy } from '../support/proxy';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const open: TestSandbox[] = [];
afterAll(async () => await Promise.all(open.map(async (sandbox) => await sandbox.close())));
beforeEach(() => {
  forgetInstruments();
  forgetSessionLots();
});

/** HDFCBANK has lots of 1,100 until the end of 2025, and of 650 then. */
async function world(time: string, hours: 'exchange' | 'always', orderInterface: 'intent' | 'v2' = 'intent') {
  const sandbox = await testSandbox({ orderInterface, hours, start: `${time}:00+05:30` });
  open.push(sandbox);
  return { sandbox, engine: await Engine.start(sandbox.credential) };
}

async function future(engine: Engine): Promise<INodeParameters> {
  const options = { kinds: ['FUT'] };
  const { items } = await engine.run({
    resource: 'instrument',
    operation: 'search',
    query: 'HDFCBANK',
    limit: 20,
    options,
  });
  const found = items.find(({ json }) => json.asset === 'HDFCBANK' && String(json.expiry) > '2026-01-05');
  return bySymbol(String(found?.json.symbol));
}

const market = { priceType: 'MARKET', price: undefined, product: 'CNC', waitFor: 'accepted' };
const lots = (instrument: INodeParameters, count: number): INodeParameters =>
  orderForm({ ...market, ...instrument, quantity: count, quantityUnit: 'lots' } as never);

const EVENING = '2025-12-31T18:00';

it('an order that waits for the next session has its lots, and trades in it', async () => {
  const { sandbox, engine } = await world(EVENING, 'exchange');
  const { items, error } = await engine.run(lots(await future(engine), 2), { typeVersion: 1.1 });
  expect(error).toBeUndefined();
  expect(items[0]?.json).toMatchObject({ order_qty: 1300, waits_for_next_session: true });
  await sandbox.control('POST', 'clock', { set: '2026-01-01T09:20:00+05:30' });
  const { items: later } = await engine.run({
    resource: 'order',
    operation: 'get',
    orderId: items[0]!.json.order_id as string,
  });
  expect(later[0]?.json).toMatchObject({ order_status: 'FILLED', filled_qty: 1300 });
});

it.each([
  ['in the session', '2025-12-31T14:00', 'exchange', 2200],
  ['around the clock', EVENING, 'always', 2200],
  ['before the opening of its first day', '2026-01-01T08:40', 'exchange', 1300],
] as const)('an order %s has the lots of that day', async (_, time, hours, quantity) => {
  const { engine } = await world(time, hours);
  const { items, error } = await engine.run(lots(await future(engine), 2));
  expect(error).toBeUndefined();
  expect(items[0]?.json.order_qty).toBe(quantity);
});

const modified = async (engine: Engine, resource: 'order' | 'basket', id: string, fields: INodeParameters) =>
  await engine.run({
    ...{ resource, operation: 'modify', [`${resource}Id`]: id, simplify: true },
    ...{ updateFields: fields, options: { waitSeconds: 5 }, safety: {} },
  });

/** A limit far from the price: what has it waits. */
const waiting = async (engine: Engine, instrument: INodeParameters, more: INodeParameters = {}) =>
  await engine.run(
    orderForm({
      ...{ ...market, ...instrument, priceType: 'LIMIT', price: 550, quantity: 2, quantityUnit: 'lots' },
      ...more,
    } as never),
  );

it('an order that waits for the next session is modified in its lots', async () => {
  const { engine } = await world(EVENING, 'exchange');
  const { items } = await waiting(engine, await future(engine));
  expect(items[0]?.json).toMatchObject({ order_qty: 1300, waits_for_next_session: true });
  const fields = { quantity: 3, quantityUnit: 'lots' };
  const changed = await modified(engine, 'order', items[0]!.json.order_id as string, fields);
  expect(changed.error).toBeUndefined();
  expect(changed.items[0]?.json).toMatchObject({ order_qty: 1950, result: 'done' });
});

it('a target that waits for the next session is counted in its lots', async () => {
  const { engine } = await world(EVENING, 'exchange');
  const { items } = await engine.run({
    ...{ resource: 'order', operation: 'setTargetPosition', target: 2, quantityUnit: 'lots', product: 'CNC' },
    ...{ ...(await future(engine)), openOrders: 'count', options: { waitSeconds: 1 }, safety: { dryRun: true } },
  });
  expect(items[0]?.json).toMatchObject({ target_qty: 1300, held_qty: 0 });
});

it('a guard of value counts with the lot of the next session', async () => {
  const { engine } = await world(EVENING, 'exchange');
  const instrument = await future(engine);
  const place = async (maxOrderValue: number) => await waiting(engine, instrument, { safety: { maxOrderValue } });
  // 1,300 × 550
  expect((await place(720_000)).error).toBeUndefined();
  expect((await place(710_000)).error?.message).toContain('worth ₹7,15,000.00');
});

it('an order of the day before keeps its quantity where only its price changes', async () => {
  const { sandbox, engine } = await world('2025-12-31T14:00', 'exchange');
  const dated = { options: { validity: 'GTE', goodTillDate: '2026-01-05' } };
  const { items, error } = await waiting(engine, await future(engine), dated);
  expect(error).toBeUndefined();
  expect(items[0]?.json.order_qty).toBe(2200);
  await sandbox.control('POST', 'clock', { set: '2025-12-31T18:00:00+05:30' });
  const id = items[0]!.json.order_id as string;
  const changed = await modified(engine, 'order', id, { price: 551 });
  expect(changed.error).toBeUndefined();
  expect(changed.items[0]?.json).toMatchObject({ order_qty: 2200, order_price: 551 });
  expect((await modified(engine, 'order', id, { quantity: 3300 })).error?.message).toContain('lot size 650');
});

it('a basket that waits for the next session is placed and modified in its lots', async () => {
  const { engine } = await world(EVENING, 'exchange');
  const { items, error } = await engine.run({
    ...{ resource: 'basket', operation: 'place', name: 'Mine', strategy: 'straddle', underlying: 'HDFCBANK' },
    ...{ exchange: 'NSE', expiry: 'nearest', quantity: 1, quantityUnit: 'lots', side: 'BUY', product: 'CNC' },
    ...{ priceType: 'LIMIT', price: 1, simplify: true, options: {}, safety: {} },
  });
  expect(error).toBeUndefined();
  expect(items[0]?.json.order_qty).toBe(650);
  const id = items[0]!.json.basket_id as string;
  const changed = await modified(engine, 'basket', id, { quantity: 3, quantityUnit: 'lots' });
  expect(changed.error).toBeUndefined();
  expect(changed.items[0]?.json.order_qty).toBe(1950);
});

it('an order that waits for the next session is priced on its tick', async () => {
  const sandbox = await testSandbox({ orderInterface: 'intent', hours: 'exchange', start: `${EVENING}:00+05:30` });
  const proxy = await startProxy(String(sandbox.credential.sandboxBaseUrl));
  open.push(sandbox, { ...sandbox, close: async () => await proxy.close() });
  proxy.change = ({ path }, { status, text }) =>
    path.endsWith('/2026-01-01')
      ? { status, headers: {}, text: text.replaceAll(/"tick_size":\d{1,4}/g, '"tick_size":100') }
      : undefined;
  const engine = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: proxy.url });
  const instrument = await future(engine);
  const place = async (price: number) => await waiting(engine, instrument, { price });
  expect((await place(550.5)).error?.message).toContain('₹550.50 is not a multiple of the tick size ₹1.00');
  expect((await place(550)).error).toBeUndefined();
});

it('units are checked with the lot of the next session too', async () => {
  const { engine } = await world(EVENING, 'exchange');
  const instrument = await future(engine);
  const place = async (quantity: number) =>
    await engine.run(orderForm({ ...market, ...instrument, quantity } as never));
  expect((await place(650)).error).toBeUndefined();
  expect((await place(1100)).error?.message).toContain('multiple of the lot size 650');
});
