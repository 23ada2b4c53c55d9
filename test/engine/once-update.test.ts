/** The day on which n8n is updated from a version whose tags belonged to a phone or a device: nothing is placed twice. */
import type { INodeParameters } from 'n8n-workflow';
import { tradingScope } from '../../client/orders/model/tags';
import { accountScopes } from '../../nodes/shared/placements';
import { Engine } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;

beforeAll(async () => {
  sandbox = await testSandbox();
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => await sandbox.close());

/** Runs a node as the earlier version did. */
const runAsEarlierVersion = async (form: INodeParameters) => {
  const spy = jest.spyOn(accountScopes, 'of').mockResolvedValue(tradingScope(sandbox.credential));
  const result = await engine.run(form);
  spy.mockRestore();
  await sandbox.control('POST', 'clock', { advance: 'PT5S' });
  return result;
};

const order = orderForm({ price: 1150, options: { idempotencyKey: 'alert-1' } });

const basket = async (): Promise<INodeParameters> => {
  const options = { kinds: ['OPT'] };
  const found = await engine.run({ resource: 'instrument', operation: 'search', query: 'NIFTY', limit: 40, options });
  const calls = found.items.filter(({ json }) => json.asset === 'NIFTY' && json.option_type === 'CE').slice(0, 2);
  const leg = calls.map(({ json }, at) => ({
    ...bySymbol(String(json.symbol)),
    quantity: 1,
    quantityUnit: 'lots',
    side: at === 0 ? 'BUY' : 'SELL',
  }));
  return {
    resource: 'basket',
    operation: 'place',
    name: 'Spread',
    legs: { leg },
    side: 'BUY',
    product: 'IDAY',
    priceType: 'LIMIT',
    price: -5000,
    simplify: true,
    options: { idempotencyKey: 'alert-1' },
    safety: {},
  };
};

it('an order with the same key is found', async () => {
  const before = await runAsEarlierVersion(order);
  const after = await engine.run(order);
  expect(after.error).toBeUndefined();
  expect(after.items[0]?.json).toMatchObject({ order_id: before.items[0]?.json.order_id, already_placed: true });
});

it('a basket with the same key is found', async () => {
  const form = await basket();
  const before = await runAsEarlierVersion(form);
  const after = await engine.run(form);
  expect(after.error).toBeUndefined();
  expect(after.items[0]?.json).toMatchObject({ basket_id: before.items[0]?.json.basket_id, already_placed: true });
});

it('a key that was used for another order is refused', async () => {
  const { error } = await engine.run(orderForm({ price: 1151, options: { idempotencyKey: 'alert-1' } }));
  expect(error?.message).toContain('The Idempotency Key was used today for another order');
});
