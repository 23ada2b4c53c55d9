/** Removal of parts of an order by Modify, in n8n's engine against the sandbox over real HTTP. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { lastPrice } from '../support/last-price';
import { orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
/** Last price of INFY, rupees. */
let last: number;

beforeAll(async () => {
  sandbox = await testSandbox({ orderInterface: 'intent' });
  engine = await Engine.start(sandbox.credential);
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
const modify = async (orderId: unknown, updateFields: INodeParameters) =>
  await first('modify', { orderId: String(orderId), updateFields, options: { waitSeconds: 20 } });
const filled = (exits: INodeParameters): INodeParameters =>
  orderForm({
    priceType: 'MARKET',
    price: undefined,
    product: 'IDAY',
    exits,
    options: { waitFor: 'filled', waitSeconds: 30 },
  } as INodeParameters);

it('takes the exits off one by one; a stop loss that is moved goes on trailing', async () => {
  const { order_id: orderId } = await first(
    'place',
    filled({ stopLoss: 3, target: 3, trailingJump: 0.5, exitTime: '15:10' }),
  );
  const moved = await modify(orderId, { exitsIn: 'price', stopLoss: Math.round(last * 0.95) });
  expect(moved.exits).toContainEqual(
    expect.objectContaining({ kind: 'TRAILING_STOP', trigger_price: Math.round(last * 0.95), status: 'OPEN' }),
  );
  const still = await modify(orderId, {
    exitsIn: 'price',
    stopLoss: Math.round(last * 0.96),
    remove: ['trailingJump', 'target'],
  });
  expect(still).toMatchObject({ result: 'done' });
  expect(still.exits).toEqual([
    expect.objectContaining({ kind: 'STOPLOSS', trigger_price: Math.round(last * 0.96), status: 'OPEN' }),
    expect.objectContaining({ kind: 'TARGET_PROFIT', status: 'CANCELLED' }),
    expect.objectContaining({ kind: 'EXIT_TIME', status: 'OPEN' }),
  ]);
  const bare = await modify(orderId, { remove: ['stopLoss', 'exitTime'] });
  expect(bare).toMatchObject({ result: 'done', order_status: 'FILLED' });
  expect((bare.exits as unknown as { status: string }[]).map(({ status }) => status)).not.toContain('OPEN');
});

it('takes the condition and the entry time off: the order goes to the market', async () => {
  const { order_id: orderId } = await first('place', {
    ...orderForm({ price: Math.floor(last * 0.97) }),
    entry: { condition: 'AT_OR_BELOW', conditionPrice: Math.floor(last * 0.98), entryTime: '15:00' },
    options: { waitFor: 'accepted' },
  });
  const timed = await modify(orderId, { remove: ['condition'] });
  expect(timed).toMatchObject({ result: 'done', order_status: 'OPEN' });
  expect(timed.entry_condition).toBeUndefined();
  expect(timed.entry_time).toBeDefined();
  const free = await modify(orderId, { remove: ['entryTime'] });
  expect(free).toMatchObject({ result: 'done', order_status: expect.stringMatching(/^(OPEN|PENDING)$/) });
  expect(free.entry_time).toBeUndefined();
});

it.each([
  [{ remove: ['stopLoss'], stopLoss: 2 }, 'Stop Loss is both given and removed.'],
  [{ remove: ['trailingJump'] }, 'A stop loss that no longer trails needs its place.'],
  [{ remove: ['quantity'] }, 'Remove'],
])('refuses %j', async (updateFields, text) => {
  const { order_id: orderId } = await first('place', {
    ...orderForm({ price: Math.floor(last * 0.97) }),
    options: { waitFor: 'accepted' },
  });
  const { error } = await run('modify', { orderId: String(orderId), updateFields: updateFields as INodeParameters });
  expect(error?.message).toContain(text);
  await first('cancel', { orderId: String(orderId) });
});

it('tells the exit time in IST and the open stop loss, in version 1.2', async () => {
  const exits = filled({ stopLoss: 2, exitTime: '15:05' });
  const { items } = await engine.run({ ...exits, resource: 'order', operation: 'place' }, { typeVersion: 1.2 });
  expect(items[0]?.json.exits).toContainEqual(
    expect.objectContaining({ kind: 'EXIT_TIME', exit_time_ist: '2026-11-20T15:05:00.000+05:30' }),
  );
  expect(items[0]?.json).not.toHaveProperty('entry_time_ist');
  const stop = (items[0]?.json.exits as { kind: string; trigger_price: number }[]).find(
    ({ kind }) => kind === 'STOPLOSS',
  );
  expect(items[0]?.json.stop_price).toBe(stop?.trigger_price);
  await modify(items[0]?.json.order_id, { remove: ['stopLoss'] });
  const orders = await engine.run({ resource: 'order', operation: 'getMany', returnAll: true }, { typeVersion: 1.2 });
  expect(orders.items.find(({ json }) => json.order_id === items[0]?.json.order_id)?.json.stop_price).toBeNull();
});
