/** An operation that places several orders for one item: each once, and an error names what was placed before it. */
import type { ItemOperation } from '../../nodes/Brokerage/common/operation';
import { order } from '../../nodes/Brokerage/actions/order/resource';
import { outputOptions, placedOutput } from '../../nodes/Brokerage/trading/orderOutput';
import { place } from '../../nodes/Brokerage/actions/order/place.operation';
import { placeForItem, placementContext } from '../../nodes/Brokerage/trading/placement';
import { guardsOf } from '../../nodes/Brokerage/trading/safetyLimits';
import { orderTerms } from '../../nodes/Brokerage/trading/orderForm';
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** An order, and a second one of twice its quantity. */
const twice: ItemOperation = {
  name: place.name,
  action: place.action,
  description: place.description,
  properties: place.properties,
  async execute(item) {
    const service = await item.service();
    const output = await outputOptions(item);
    const guards = guardsOf(item, service);
    const first = await orderTerms(item, service);
    const second = { ...first, quantity: first.quantity * 2 };
    const context = await placementContext(item.run);
    const made = [];
    for (const [part, terms] of Object.entries({ first, second })) {
      const placed = await placeForItem(item, { terms, guards, part }, context);
      made.push(item.output(placedOutput(placed, terms, output)));
    }
    return made;
  },
};

let sandbox: TestSandbox;
let engine: Engine;

beforeAll(async () => {
  order.operations.twice = twice;
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => {
  delete order.operations.twice;
  await sandbox.close();
});

const form = (more = {}) => orderForm({ operation: 'twice', ...more });
/** Of ten shares at most: of an order of six, the second one is refused. */
const upToTen = (quantity: number | string) => form({ quantity, safety: { maxQuantity: 10 } });

it('each order step has a separate tag', async () => {
  const before = await sandbox.ordersReceived();
  const run = await engine.run(form({ options: { tag: 'pair' } }));
  expect(run.error).toBeUndefined();
  expect(run.items.map(({ json }) => [json.order_qty, json.already_placed])).toEqual([
    [1, false],
    [2, false],
  ]);
  expect(new Set(run.items.map(({ json }) => json.tag)).size).toBe(2);
  for (const { json } of run.items) expect(json.tag).toMatch(/^pair-[a-z2-7]{12}$/);
  expect(await sandbox.ordersReceived()).toBe(before + 2);
});

it('n8n running the node again finds the first, and does not send the second of unknown outcome again', async () => {
  const before = await sandbox.ordersReceived();
  const match = { method: 'POST', path: '/orders/v2/single' };
  const first = await sandbox.control<{ id: number }>('POST', 'faults', { match, action: 'delay', times: 1 });
  await sandbox.control('POST', 'faults', { match, action: 'drop_before', times: 1, after: first.id });
  const { error } = await engine.run(form(), { retryOnFail: true });
  await sandbox.control('DELETE', 'faults');
  expect(error?.message).toMatch(/^It is not known whether the order was placed/);
  expect(error?.description).toMatch(/Placed before this error, and still there: \d{19}$/);
  expect(await sandbox.ordersReceived()).toBe(before + 1);
});

it('one key covers both, each time', async () => {
  const before = await sandbox.ordersReceived();
  const keyed = form({ options: { idempotencyKey: 'pair' } });
  const [first, second] = [await engine.run(keyed), await engine.run(keyed)];
  expect(second.items.map(({ json }) => [json.order_id, json.already_placed])).toEqual(
    first.items.map(({ json }) => [json.order_id, true]),
  );
  expect(await sandbox.ordersReceived()).toBe(before + 2);
});

it('an error names what was placed before it for the same item, and for the items before', async () => {
  const items = [1, 6].map((quantity) => ({ json: { quantity } }));
  const { error } = await engine.run(upToTen('={{ $json.quantity }}'), { items });
  expect(error?.message).toContain('Refused by the guard "Largest Quantity"');
  expect(error?.context?.itemIndex).toBe(1);
  expect(error?.description).toMatch(/Placed before this error, and still there: \d{19}, \d{19}, \d{19}$/);
});

it('an item that failed names its own where the node goes on', async () => {
  const before = await sandbox.ordersReceived();
  const items = [1, 6].map((quantity) => ({ json: { quantity } }));
  const { items: output } = await engine.run(upToTen('={{ $json.quantity }}'), {
    items,
    onError: 'continueRegularOutput',
  });
  expect(output).toHaveLength(3);
  expect(output[2]).toMatchObject({
    json: {
      error: expect.stringContaining('Largest Quantity'),
      details: {
        itemIndex: 1,
        placed: [expect.stringMatching(/^\d{19}$/)],
        description: expect.stringMatching(/Placed before this error, and still there: \d{19}$/),
      },
    },
  });
  expect(await sandbox.ordersReceived()).toBe(before + 3);
});
