/** Orders above the freeze quantity, in n8n's engine against the sandbox: the older interface takes them in parts, each once. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import type { NodeRun } from '../support/engine-types';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
let option: string;
let price: number;
beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
  const found = await engine.run({
    resource: 'instrument',
    operation: 'getOptionByOffset',
    underlying: 'NIFTY',
  });
  if (found.error !== undefined) throw new Error(allTextOf(found.error));
  option = String(found.items[0]?.json.symbol);
  const quote = await engine.run({ resource: 'quote', operation: 'getCurrentPrice', ...bySymbol(option) });
  price = Number(quote.items[0]?.json.price);
});
afterEach(async () => {
  await sandbox.control('DELETE', 'faults');
  await engine.run({ resource: 'order', operation: 'cancelAll' });
});
afterAll(async () => await sandbox.close());

/** A purchase far below the market, which rests. */
const resting = (more: INodeParameters = {}): INodeParameters =>
  orderForm({
    ...bySymbol(option),
    product: 'IDAY',
    quantity: 60,
    quantityUnit: 'lots',
    price: Math.max(0.05, Math.floor(price * 0.8)),
    ...more,
  });
const run = async (parameters: INodeParameters, options: Parameters<Engine['run']>[1] = {}): Promise<NodeRun> =>
  await engine.run(parameters, { typeVersion: 1.1, ...options });
const items = async (parameters: INodeParameters, options?: Parameters<Engine['run']>[1]): Promise<IDataObject[]> => {
  const made = await run(parameters, options);
  if (made.error !== undefined) throw new Error(allTextOf(made.error));
  return made.items.map(({ json }) => json);
};

it('Place returns an item for each order, and a repeat of the key returns the same ones', async () => {
  const keyed = resting({ options: { idempotencyKey: 'large', tag: 'big', waitFor: 'accepted' } });
  const before = await sandbox.ordersReceived();
  const placed = await items(keyed);
  expect(placed).toMatchObject([
    { order_qty: 1755, part: 1, parts: 3, order_status: 'OPEN', wait_reached: true },
    { order_qty: 1755, part: 2, parts: 3 },
    { order_qty: 390, part: 3, parts: 3 },
  ]);
  for (const { tag } of placed) expect(tag).toMatch(/^big-[a-z2-7]{16}$/);
  const again = await items(keyed);
  expect(again.map(({ order_id: id, already_placed: already }) => [id, already])).toEqual(
    placed.map(({ order_id: id }) => [id, true]),
  );
  expect(await sandbox.ordersReceived()).toBe(before + 3);
  const other = await run(resting({ quantity: 61, options: { idempotencyKey: 'large' } }));
  expect(other.error?.message).toContain('The Idempotency Key was used today');
});

it('a given size counts instead of the freeze quantity, also for shares', async () => {
  const shares = orderForm({ quantity: 10, product: 'IDAY', options: { splitAbove: 4 } });
  expect((await items(shares)).map((item) => item.order_qty)).toEqual([4, 4, 2]);
});

it('a size is placed in parts, and one order as before', async () => {
  const sized = await items(resting({ sizeBy: 'amount', sizeAmount: Math.floor(price * 0.8) * 65 * 30 }));
  expect(sized.map((iDataObject) => iDataObject.order_qty)).toEqual([1755, 195]);
  const [item, ...more] = await items(resting({ quantity: 1 }));
  expect([item, more]).toMatchObject([{ order_qty: 65 }, []]);
  expect(item).not.toHaveProperty('parts');
});

it('Retry On Fail sends nothing after a part of unknown outcome, and names what was placed', async () => {
  const before = await sandbox.ordersReceived();
  const match = { method: 'POST', path: '/orders/v2/single' };
  const first = await sandbox.control<{ id: number }>('POST', 'faults', { match, action: 'delay', times: 1 });
  await sandbox.control('POST', 'faults', { match, action: 'drop_before', times: 1, after: first.id });
  const { error } = await run(resting(), { retryOnFail: true });
  expect(error?.message).toMatch(/^Order 2 of 3: It is not known whether the order was placed/);
  expect(error?.description).toContain('The last one was not sent.');
  expect(error?.description).toMatch(/Placed before this error, and still there: \d{19}$/);
  expect(await sandbox.ordersReceived()).toBe(before + 1);
});

it('a guard sees the whole, and a dry run shows every order', async () => {
  const before = await sandbox.ordersReceived();
  const refused = await run(resting({ safety: { maxQuantity: 3000 } }));
  expect(refused.error?.message).toContain('the quantity 3900 is above 3000');
  const shown = await items(resting({ safety: { dryRun: true } }));
  expect(
    shown.map((iDataObject) => (iDataObject.would_send as { body: { order_qty: number } }).body.order_qty),
  ).toEqual([1755, 1755, 390]);
  expect(await sandbox.ordersReceived()).toBe(before);
});

it('Set Target Position and Exit Position reach their goal in several orders', async () => {
  const target = (units: number, more: INodeParameters = {}): INodeParameters => ({
    resource: 'order',
    operation: 'setTargetPosition',
    ...bySymbol(option),
    target: units,
    quantityUnit: 'lots',
    product: 'IDAY',
    openOrders: 'count',
    closeAt: 'market',
    ...more,
  });
  const [would] = await items(target(60, { safety: { dryRun: true } }));
  expect(would).toMatchObject({ would_send_orders: 3 });
  const [reached] = await items(target(60));
  expect(reached).toMatchObject({ result: 'reached', missing_qty: 0 });
  const [closed] = await items({
    resource: 'portfolio',
    operation: 'exitPosition',
    ...bySymbol(option),
    closeAt: 'market',
  });
  expect(closed).toMatchObject({ result: 'closed', closed_qty: 3900, left_qty: 0 });
  const sold = (closed?.orders as { order_qty: number }[]).map((order) => order.order_qty);
  expect(Math.max(...sold)).toBeLessThanOrEqual(1755);
  expect(sold.length).toBeGreaterThanOrEqual(3);
});

it('Preview says whether an order is split, into how many, and the margin of all of them', async () => {
  const preview = async (more: INodeParameters): Promise<IDataObject> =>
    (await items({ ...resting(more), operation: 'preview' }))[0]!;
  const [small, large] = [await preview({ quantity: 20 }), await preview({ quantity: 60 })];
  expect(small).toMatchObject({ is_sliced: false });
  expect(small).not.toHaveProperty('parts');
  expect(large).toMatchObject({ is_sliced: true, parts: 3 });
  expect(Number(large.total_margin)).toBeCloseTo(3 * Number(small.total_margin), 0);
  expect(await preview({ quantity: 20, options: { splitAbove: 650 } })).toMatchObject({ is_sliced: true, parts: 2 });
  expect(allTextOf((await run({ ...resting({ quantity: 600 }), operation: 'preview' })).error)).toContain(
    'more than 20',
  );
});
