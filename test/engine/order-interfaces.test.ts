/** Order interface that is used for an account, and the refusals where it cannot do what is wanted. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

type Has = 'both' | 'intent' | 'v2';
const open: TestSandbox[] = [];
afterAll(async () => await Promise.all(open.map(async (testSandbox) => await testSandbox.close())));

async function account(has: Has, chosen: string): Promise<{ sandbox: TestSandbox; engine: Engine }> {
  const sandbox = await testSandbox({ orderInterface: has });
  open.push(sandbox);
  return { sandbox, engine: await Engine.start({ ...sandbox.credential, orderInterface: chosen }) };
}
const placed = async (sandbox: TestSandbox): Promise<string[]> =>
  (await sandbox.journal())
    .filter(({ kind, event }) => ['order', 'intent'].includes(kind) && event === 'received')
    .map(({ kind }) => kind);
const place = async (engine: Engine, given: INodeParameters = {}) =>
  await engine.run(orderForm({ price: 1150, ...given }));

const CHOICES: readonly [Has, string, string][] = [
  ['both', 'automatic', 'intent'],
  ['intent', 'automatic', 'intent'],
  ['v2', 'automatic', 'order'],
  ['both', 'v2', 'order'],
  ['both', 'intent', 'intent'],
];

it.each(share(CHOICES, 2, 0))('an account with %s, chosen %s, is spoken to by %s', async (has, chosen, by) => {
  const { sandbox, engine } = await account(has, chosen);
  const { items, error } = await place(engine);
  expect(error).toBeUndefined();
  expect(items[0]?.json).toMatchObject({
    order_status: 'PENDING',
    symbol: 'INFY',
    order_price: 1150,
    order_side: 'BUY',
  });
  expect((await placed(sandbox)).filter((kind) => kind === by)).toHaveLength(1);
});

/** An account of the older interface, at which nothing is placed. */
let older: ReturnType<typeof account> | undefined;

it.each<[Has, string]>([
  ['v2', 'intent'],
  ['intent', 'v2'],
])('an account with %s, chosen %s, rejects the order, which is never sent by the other', async (has, chosen) => {
  const { sandbox, engine } = await account(has, chosen);
  const { error } = await place(engine);
  expect(error?.message).toContain('may not use this order system');
  expect(error?.description).toContain('Automatic');
  expect(await placed(sandbox)).toEqual([]);
});

it.each<[string, INodeParameters, string]>([
  ['a stop loss', { exits: { stopLoss: 2 } }, 'a stop loss on the order'],
  ['a target', { exits: { target: 2 } }, 'a target on the order'],
  ['an exit time', { exits: { exitTime: '15:05' } }, 'an exit time of an order'],
  ['a last day', { options: { validity: 'GTE', goodTillDate: '2026-12-01' } }, 'good till a date'],
  ['an entry time', { entry: { entryTime: '14:00' } }, 'an entry at a time'],
  ['an entry from above', { entry: { condition: 'AT_OR_BELOW', conditionPrice: 1140 } }, 'this entry condition'],
])('the older interface does not have %s, and says so', async (_, given, says) => {
  older ??= account('v2', 'automatic');
  const { sandbox, engine } = await older;
  const { error } = await place(engine, given);
  expect(error?.message).toContain(says);
  expect(await placed(sandbox)).toEqual([]);
});

it('a condition that is a stop-loss order is one on the older interface', async () => {
  const { engine } = await account('v2', 'automatic');
  const { items } = await place(engine, {
    price: 1150,
    entry: { condition: 'AT_OR_ABOVE', conditionPrice: 1140 },
  });
  expect(items[0]?.json).toMatchObject({ order_type: 'STOPLOSS', trigger_price: 1140 });
});

it.each(share([429, 500, 503], 3, 1))(
  "a day's list that answers %s decides nothing, and nothing is sent",
  async (status) => {
    const { sandbox, engine } = await account('both', 'automatic');
    await sandbox.control('POST', 'faults', {
      match: { path: '/sentinel/orders' },
      action: 'status',
      args: { status },
    });
    const { error } = await place(engine);
    expect(error?.message).toMatch(/was not sent/);
    expect(await placed(sandbox)).toEqual([]);
  },
);

it('an address that is refused decides nothing', async () => {
  const { sandbox, engine } = await account('both', 'automatic');
  await sandbox.control('POST', 'faults', {
    match: { path: '/sentinel/orders' },
    action: 'status',
    args: { status: 403, body: { error: 'The request does not come from the registered IP address' } },
  });
  const { error } = await place(engine);
  expect(`${error?.message} ${error?.description}`).toContain('IP address');
  expect(await placed(sandbox)).toEqual([]);
});

it('moves over when the broker moves the account, and places a key once', async () => {
  const { sandbox, engine } = await account('v2', 'automatic');
  // At the market: whatever the price is, nothing is rejected.
  const market = { priceType: 'MARKET' };
  const keyed = { ...market, options: { idempotencyKey: 'alert-1' } };
  const before = await place(engine, keyed);
  await sandbox.control('POST', 'accounts/9000000001', { order_interface: 'both' });
  await sandbox.control('POST', 'clock', { advance: 'PT5S' });
  const again = await place(engine, keyed);
  expect(again.error).toBeUndefined();
  expect(again.items[0]?.json).toMatchObject({ order_id: before.items[0]?.json.order_id, already_placed: true });
  await place(engine, market);
  expect(await placed(sandbox)).toEqual(expect.arrayContaining(['order', 'intent']));
  await sandbox.control('POST', 'accounts/9000000001', { order_interface: 'intent' });
  expect((await place(engine, market)).error).toBeUndefined();
});

it('an order that the older list shows first keeps its exits: it is waited for until intent orders show it', async () => {
  const { engine } = await account('both', 'automatic');
  const given = {
    priceType: 'MARKET',
    price: undefined,
    exits: { stopLoss: 2, target: 4 },
  } as unknown as INodeParameters;
  const { items } = await place(engine, given);
  const orderId = items[0]!.json.order_id as string;
  for (const [operation, more] of [
    ['get', {}],
    ['waitForStatus', { waitFor: 'filled', deadlineSeconds: 30 }],
  ] as const) {
    const read = await engine.run({ resource: 'order', operation, orderId, simplify: true, ...more });
    expect(read.items[0]?.json).toMatchObject({
      intent_status: 'EXECUTED',
      exits: [{ status: 'OPEN' }, { status: 'OPEN' }],
    });
  }
});
