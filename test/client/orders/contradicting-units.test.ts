/** Orders and legs of baskets that have filled more than their quantity: no list with one is used. */
import { UnreadableReplyError } from '../../../client/base/errors';
import { intentApi } from '../../../client/orders/api/intent/intent';
import { legsOf } from '../../../client/orders/model/basket-record';
import { readOrder, statusOf } from '../../../client/orders/model/order-record';
import { v2Api } from '../../../client/orders/api/v2/v2';
import { answeringTransport } from './answering';

const orderV2 = { order_id: '5', ref_id: 7, order_status: 'ORDER_STATUS_FILLED' };
const ofV2 = (order_qty: unknown, filled_qty: unknown) => ({ ...orderV2, order_qty, filled_qty });
const ofIntent = (orderQty: unknown, filledQty: unknown) => ({ intentOrderId: '5', refId: 7, orderQty, filledQty });
const strategy = (more: object, leg: object) => ({
  orders: {
    executed: [{ ...{ intentOrderId: '6', isMulti: true, orderQty: 65, filledQty: 65, ...more }, legs: [leg, leg] }],
  },
});
const LEG = { refId: 7, unitQty: 1, orderQty: 65, filledQty: 65 };

type Kind = 'v2' | 'intent';
const apiOf = (kind: Kind, reply: unknown) => {
  const { transport, time } = answeringTransport(reply);
  return { api: kind === 'v2' ? v2Api(transport) : intentApi(transport), time };
};
const listOf = (kind: Kind, ordered: unknown, filled: unknown) =>
  kind === 'v2' ? [ofV2(ordered, filled)] : { orders: { executed: [ofIntent(ordered, filled)] } };

describe.each(['v2', 'intent'] as const)('an order of %s', (kind) => {
  it.each([
    [10, 999, '999 filled of 10'],
    ['1,000', '1,001', '1001 filled of 1000'],
    [-10, -11, '11 filled of 10'],
  ])('is refused, with its number, of %j units with %j filled', async (ordered, filled, said) => {
    const { api, time } = apiOf(kind, listOf(kind, ordered, filled));
    const asked = time.run(api.orders.list());
    await expect(asked).rejects.toThrow(`Order 5 is shown with ${said}: the service's record contradicts itself`);
    await expect(asked).rejects.toBeInstanceOf(UnreadableReplyError);
  });

  it('is refused too where it is asked for by its number', async () => {
    const { api, time } = apiOf(kind, kind === 'v2' ? ofV2(10, 999) : listOf(kind, 10, 999));
    await expect(time.run(api.orders.get('5'))).rejects.toThrow('Order 5 is shown with 999 filled of 10');
  });

  it.each([
    [10, 10],
    [10, -4],
    [0, 4],
    [null, 4],
  ])('is read of %j units with %j filled', async (ordered, filled) => {
    const { api, time } = apiOf(kind, listOf(kind, ordered, filled));
    expect(await time.run(api.orders.list())).toHaveLength(1);
  });
});

describe.each(['v2', 'intent'] as const)('what only shows a list of %s', (kind) => {
  it.each([
    [10, 999, 'Order 5 is shown with 999 filled of 10'],
    ['10 units', 0, 'is no whole number, but "10 units"'],
  ])('keeps an order of %j units with %j filled, without them, and says why', async (ordered, filled, said) => {
    const { api, time } = apiOf(kind, listOf(kind, ordered, filled));
    const [order] = await time.run(api.orders.list(undefined, 'marked'));
    expect(order).toMatchObject({ order_id: '5', order_qty: null, filled_qty: null });
    expect(order!.unreadable_reason).toMatch(said);
    expect(readOrder(order!)).toMatchObject({ status: 'FILLED', quantity: 0, filled: 0 });
  });

  it('has no status that only its units would prove', async () => {
    const open =
      kind === 'v2'
        ? [{ ...ofV2(10, 999), order_status: 'ORDER_STATUS_OPEN' }]
        : { orders: { open: [ofIntent(10, 999)] } };
    const { api, time } = apiOf(kind, open);
    const [order] = await time.run(api.orders.list(undefined, 'marked'));
    expect(statusOf(order!)).toBe('OPEN');
  });

  it('marks nothing of a list that can be read', async () => {
    const { api, time } = apiOf(kind, listOf(kind, 10, 4));
    expect((await time.run(api.orders.list(undefined, 'marked')))[0]).not.toHaveProperty('unreadable_reason');
  });

  it('keeps an order whose status is no word, and a basket one of whose legs contradicts itself', async () => {
    const status = [7];
    const odd =
      kind === 'v2'
        ? [{ ...ofV2(10, 0), order_status: status }]
        : { orders: { other: [{ ...ofIntent(10, 0), status }] } };
    const one = apiOf(kind, odd);
    const [order] = await one.time.run(one.api.orders.list(undefined, 'marked'));
    expect([statusOf(order!), order!.unreadable_reason]).toEqual([
      '',
      expect.stringContaining('it is [7], and no word'),
    ]);
    const leg = { ...LEG, filledQty: 130 };
    const basket =
      kind === 'v2'
        ? [{ basket_id: '6', basket_status: 'BASKET_STATUS_FILLED', orders: [ofV2(65, 130)] }]
        : strategy({}, leg);
    const two = apiOf(kind, basket);
    const [shown] = await two.time.run(two.api.baskets.list(undefined, 'marked'));
    expect(shown!.unreadable_reason).toMatch(/leg (1 )?of basket 6 is shown with 130 filled of 65/i);
    expect(legsOf(shown!)[0]).toMatchObject({ order_qty: null, filled_qty: null });
  });
});

describe('a status that is no word', () => {
  it.each([[['ORDER_STATUS_FILLED']], [{ value: 'FILLED' }], [2], [true]])('is refused: %j', async (status) => {
    const said = `of order 5 cannot be read: it is ${JSON.stringify(status)}, and no word`;
    const older = apiOf('v2', [{ ...ofV2(10, 0), order_status: status }]);
    await expect(older.time.run(older.api.orders.list())).rejects.toThrow(said);
    const newer = apiOf('intent', { orders: { other: [{ ...ofIntent(10, 0), status }] } });
    await expect(newer.time.run(newer.api.orders.list())).rejects.toThrow(said);
    const basket = apiOf('v2', [{ basket_id: '6', basket_status: status, orders: [] }]);
    await expect(basket.time.run(basket.api.baskets.list())).rejects.toThrow('The status of basket 6 cannot be read');
  });

  it('is read where it is missing, and where the list says it by its part', async () => {
    const older = apiOf('v2', [{ ...ofV2(10, 0), order_status: null }]);
    expect(await older.time.run(older.api.orders.list())).toHaveLength(1);
    const newer = apiOf('intent', { orders: { open: [{ ...ofIntent(10, 0), status: 1 }] } });
    expect(await newer.time.run(newer.api.orders.list())).toHaveLength(1);
  });
});

it('a strategy is read that counts the units of all its legs as filled: what it counts is not told', async () => {
  const { api, time } = apiOf('intent', strategy({ filledQty: 130 }, LEG));
  expect(await time.run(api.baskets.list())).toHaveLength(1);
});

it.each([
  ['Leg 1 of basket 6 is shown with 130 filled of 65', strategy({}, { ...LEG, filledQty: 130 })],
  ['orderQty is no whole number, but "₹65"', strategy({ orderQty: '₹65' }, LEG)],
  ['orderQty is no whole number, but 6.5', strategy({}, { ...LEG, orderQty: 6.5 })],
  ['unitQty is no whole number, but "one"', strategy({}, { ...LEG, unitQty: 'one' })],
])('a strategy is refused: %s', async (said, reply) => {
  const { api, time } = apiOf('intent', reply);
  await expect(time.run(api.baskets.list())).rejects.toThrow(said);
});

it('a basket of the older interface is refused where a leg has filled more than its quantity, or cannot be read', async () => {
  const basket = (leg: object) => [{ basket_id: '6', basket_status: 'BASKET_STATUS_FILLED', orders: [leg] }];
  const list = async (leg: object) => {
    const { api, time } = apiOf('v2', basket(leg));
    return await time.run(api.baskets.list());
  };
  await expect(list(ofV2(65, 130))).rejects.toThrow('A leg of basket 6 is shown with 130 filled of 65');
  await expect(list(ofV2('65 units', 0))).rejects.toThrow('order_qty is no whole number, but "65 units"');
  expect(await list(ofV2(65, 65))).toHaveLength(1);
});
