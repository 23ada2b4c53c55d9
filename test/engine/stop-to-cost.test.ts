/** A stop loss that Order: Modify moves to the entry's price, in n8n's engine against the sandbox over real HTTP. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { lastPrice } from '../support/last-price';
import { orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
/** One order on each side: once the price has moved, one of them is in profit and the other at a loss. */
let orders: Record<'BUY' | 'SELL', { id: string; entry: number }>;
/** Last price of INFY, rupees, after it has moved. */
let last: number;

const TICK = 0.1;
const MOVE = 2;

const run = async (operation: string, parameters: INodeParameters) =>
  await engine.run({ resource: 'order', operation, ...parameters });

const filled = async (side: 'BUY' | 'SELL') => {
  const form = orderForm({
    ...{ side, priceType: 'MARKET', product: 'IDAY', quantity: 7 },
    ...{ exits: { stopLoss: 5, target: 5 }, options: { waitFor: 'filled', waitSeconds: 30 } },
  });
  const { items, error } = await engine.run(form);
  if (error !== undefined) throw new Error(allTextOf(error));
  return { id: String(items[0]!.json.order_id), entry: Number(items[0]!.json.avg_filled_price) };
};

const modify = async (orderId: string, updateFields: INodeParameters) =>
  await run('modify', { orderId, updateFields, options: { waitSeconds: 20 } });

beforeAll(async () => {
  sandbox = await testSandbox({ orderInterface: 'intent' });
  engine = await Engine.start(sandbox.credential);
  orders = { BUY: await filled('BUY'), SELL: await filled('SELL') };
  for (let minute = 0; minute < 60; minute += 1) {
    last = await lastPrice(engine);
    if (last > orders.BUY.entry + MOVE || last < orders.SELL.entry - MOVE) break;
    await sandbox.control('POST', 'clock', { advance: 'PT60S' });
  }
});
afterAll(async () => await sandbox.close());

/** The side that is in profit, and the direction of its profit. */
const winner = () => (last > orders.BUY.entry + MOVE ? (['BUY', 1] as const) : (['SELL', -1] as const));
const stopOf = ({ items, error }: Awaited<ReturnType<typeof run>>) => {
  if (error !== undefined) throw new Error(allTextOf(error));
  const exits = items[0]!.json.exits as { kind: string; trigger_price: number; limit_price: number }[];
  return exits.find(({ kind }) => kind === 'STOPLOSS')!;
};

it('moves it to the average price of the fill, on the tick that loses nothing, and on to a profit', async () => {
  const [side, direction] = winner();
  const { id, entry } = orders[side];
  const cost = stopOf(await modify(id, { stopLossAt: 'entry' }));
  expect(direction * (cost.trigger_price - entry)).toBeGreaterThanOrEqual(-1e-6);
  expect(direction * (cost.trigger_price - entry)).toBeLessThan(TICK);
  expect(direction * (cost.trigger_price - cost.limit_price)).toBeGreaterThan(0);

  const points = stopOf(await modify(id, { stopLossAt: 'profit', exitsIn: 'points', stopLoss: 1, stopLossLimit: 0.5 }));
  expect(direction * (points.trigger_price - entry)).toBeGreaterThanOrEqual(1 - 1e-6);
  expect(direction * (points.trigger_price - entry)).toBeLessThan(1 + TICK);
  expect(direction * (points.limit_price - entry)).toBeGreaterThan(0);
  const percent = stopOf(await modify(id, { stopLossAt: 'profit', stopLoss: 0.05 }));
  expect(direction * (percent.trigger_price - entry * (1 + direction * 0.0005))).toBeGreaterThanOrEqual(-1e-6);
  expect(direction * (percent.trigger_price - entry * (1 + direction * 0.0005))).toBeLessThan(TICK);
  // Without Stop Loss At a distance is against the person, as before.
  const against = stopOf(await modify(id, { exitsIn: 'points', stopLoss: 1, stopLossAt: 'field' }));
  expect(direction * (entry - against.trigger_price)).toBeGreaterThan(0);
});

it('takes the trailing jump off where the stop loss goes to the entry', async () => {
  const { id } = orders[winner()[0]];
  expect(stopOf(await modify(id, { stopLossAt: 'entry', remove: ['trailingJump'] }))).toBeDefined();
});

it('is refused where the last price has reached it: it would close the position at once', async () => {
  const other = winner()[0] === 'BUY' ? 'SELL' : 'BUY';
  const { id } = orders[other];
  const { error } = await modify(id, { stopLossAt: 'entry' });
  expect(error?.message).toMatch(/^A stop loss at ₹[\d,.]+ would close INFY at once: the last price is ₹[\d,.]+\./);
  expect(error?.context?.parameter).toBe('stopLossAt');
  const { items } = await run('get', { orderId: id });
  expect(items[0]!.json.exits).toContainEqual(expect.objectContaining({ kind: 'STOPLOSS', status: 'OPEN' }));
});

it('is refused without a fill, whose limit is not the price of the entry', async () => {
  const { items } = await engine.run(
    orderForm({ price: Math.floor(last * 0.97), exits: { stopLoss: 2 }, options: { waitFor: 'accepted' } }),
  );
  const id = String(items[0]!.json.order_id);
  const { error } = await modify(id, { stopLossAt: 'entry' });
  expect(error?.message).toBe(
    `Order ${id} has not filled, so it has no entry price that its stop loss could move to. Nothing was sent.`,
  );
  await run('cancel', { orderId: id });
});

it.each<[INodeParameters, RegExp]>([
  [{ stopLossAt: 'entry', stopLoss: 0 }, /Stop Loss holds a number, and Stop Loss At is The Entry's Price/],
  [{ stopLossAt: 'entry', remove: ['stopLoss'] }, /Stop Loss At is both given and removed/],
  [{ stopLossAt: 'profit' }, /needs to know how far from the entry/],
  [{ stopLossAt: 'profit', exitsIn: 'price', stopLoss: 1_200 }, /is a distance, and Exits Given As is Price/],
  [{ stopLossAt: 'field', remove: ['trailingJump'] }, /no longer trails needs its place/],
  [{ stopLossAt: 'cost' }, /Stop Loss At/],
  [{ stopLoss: 0 }, /remove Stop Loss and set Stop Loss At to The Entry's Price/],
])('refuses %j', async (updateFields, text) => {
  const { error } = await modify(orders[winner()[0]].id, updateFields);
  expect(allTextOf(error!)).toMatch(text);
});
