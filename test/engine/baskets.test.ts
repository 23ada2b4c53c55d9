/** Baskets that are placed: what is sent, what is refused, what is not placed twice. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine } from '../support/engine';
import type { NodeRun } from '../support/engine-types';
import { bySymbol } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
/** Two calls of NIFTY of one expiry. */
let calls: { symbol: string; lot: number }[];

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
  const found = await engine.run({
    resource: 'instrument',
    operation: 'getMany',
    filters: { underlying: 'NIFTY', kinds: ['OPT'], optionType: 'CE' },
    limit: 2,
  });
  calls = found.items.map(({ json }) => ({ symbol: String(json.symbol), lot: Number(json.lot_size) }));
});
afterAll(async () => await sandbox.close());

const json = ({ items, error }: NodeRun) => {
  expect(error).toBeUndefined();
  return items[0]?.json ?? {};
};
const leg = (index: number, side: string, quantity = 1) => ({
  ...bySymbol(calls[index]?.symbol ?? ''),
  quantity,
  quantityUnit: 'lots',
  side,
});
const form = (more: INodeParameters = {}): INodeParameters => ({
  resource: 'basket',
  operation: 'place',
  name: 'Spread',
  legs: { leg: [leg(0, 'BUY'), leg(1, 'SELL')] },
  side: 'BUY',
  product: 'IDAY',
  priceType: 'LIMIT',
  price: 10,
  ...more,
});
const baskets = async () =>
  (await engine.run({ resource: 'basket', operation: 'getMany', returnAll: true })).items.length;

it('sends its prices, times and legs as meant', async () => {
  const { would_send } = json(
    await engine.run(
      form({
        options: { stopLossPrice: 5, targetPrice: 20, momentumTriggerPrice: 12, exitTime: '15:05', multiplier: 2 },
        safety: { dryRun: true },
      }),
    ),
  );
  expect(would_send).toMatchObject({
    method: 'POST',
    path: '/orders/v2/basket',
    body: {
      exchange: 'NSE',
      orders: [{ order_qty: calls[0]?.lot, order_side: 'ORDER_SIDE_BUY' }, { order_side: 'ORDER_SIDE_SELL' }],
      basket_params: {
        entry_price: 1000,
        stoploss_price: 500,
        exit_price: 2000,
        momentum_trigger_price: 1200,
        exit_time: '2026-11-20T09:35:00.000Z',
        multiplier: 2,
      },
    },
  });
});

it.each<[string, () => INodeParameters, string]>([
  ['no legs', () => ({ legs: {} }), 'legs'],
  [
    'legs of two underlyings',
    () => ({ legs: { leg: [leg(0, 'BUY'), { ...bySymbol('INFY'), quantity: 1, side: 'SELL' }] } }),
    'legs',
  ],
  ['an unknown leg', () => ({ legs: { leg: [{ ...bySymbol('NOPENOPE'), quantity: 1, side: 'BUY' }] } }), 'legs'],
  ['a quantity off the lot', () => ({ legs: { leg: [{ ...leg(0, 'BUY'), quantityUnit: 'units' }] } }), 'legs'],
  ['a stop loss above the limit', () => ({ options: { stopLossPrice: 11 } }), 'stopLossPrice'],
  ['a target below the limit', () => ({ options: { targetPrice: 9 } }), 'targetPrice'],
  [
    'a momentum trigger above the target',
    () => ({ options: { targetPrice: 20, momentumTriggerPrice: 21 } }),
    'momentumTriggerPrice',
  ],
  ['an exit time beyond today', () => ({ product: 'CNC', options: { exitTime: '15:05' } }), 'exitTime'],
  ['a time that is none', () => ({ options: { exitTime: '25:99' } }), 'exitTime'],
  ['a price off the tick', () => ({ price: 10.03 }), 'price'],
  ['a guard', () => ({ safety: { maxQuantity: 1 } }), 'maxQuantity'],
])('refuses %s before anything is sent', async (_, more, parameter) => {
  const before = await baskets();
  const { error, items } = await engine.run(form(more()));
  expect(items).toEqual([]);
  expect(error?.context).toMatchObject({ parameter, itemIndex: 0 });
  expect(await baskets()).toBe(before);
});

it('is placed once for one key, and finds itself when the reply is lost', async () => {
  const before = await baskets();
  await sandbox.control('POST', 'faults', {
    match: { path: '/orders/v2/basket', method: 'POST' },
    action: 'drop_after',
    times: 1,
  });
  const market = form({ priceType: 'MARKET', options: { idempotencyKey: 'basket-1' } });
  const first = json(await engine.run(market));
  const second = json(await engine.run(market));
  expect(second).toMatchObject({ basket_id: first.basket_id, already_placed: true });
  await sandbox.control('POST', 'clock', { advance: 'PT3S' });
  expect(await baskets()).toBe(before + 1);
});

it('Get Many finds it by its whole tag, by the label in front, and among several', async () => {
  const { tag } = json(await engine.run(form({ priceType: 'MARKET', options: { tag: 'my-spread' } })));
  await sandbox.control('POST', 'clock', { advance: 'PT3S' });
  const found = async (filter: string): Promise<unknown[]> =>
    (await engine.run({ resource: 'basket', operation: 'getMany', filters: { tag: filter } })).items.map(
      (item) => item.json.tag,
    );
  for (const filter of [String(tag), 'my-spread', 'nothing, my-spread']) expect(await found(filter)).toEqual([tag]);
  expect(await found('my')).toEqual([]);
});
