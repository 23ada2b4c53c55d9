/** A list of the day in which a record has no id, or shares it with another one, is not used: part of it could be anything. */
import { UnreadableReplyError } from '../../../../client/base/errors';
import { intentApi } from '../../../../client/orders/api/intent/intent';
import type { BasketRecord } from '../../../../client/endpoints/baskets';
import type { OrderRecord } from '../../../../client/endpoints/orders';
import { basketsOnce, ordersOnce } from '../../../../client/orders/api/each-once';
import type { OrderApi } from '../../../../client/orders/api/order-api';
import { v2Api } from '../../../../client/orders/api/v2/v2';
import { answeringTransport } from '../answering';

type Kind = 'orders' | 'baskets';
/** Fields of a record beside its id. */
type Fields = Readonly<Record<string, unknown>>;

const LEGS = [
  { ref_id: 9, refId: 9, unitQty: 1 },
  { ref_id: 10, refId: 10, unitQty: -1 },
];

/** Lists of each interface, and how it reads them. */
const LISTS: readonly (readonly [
  name: string,
  kind: Kind,
  reply: (records: readonly { id?: unknown; fields?: Fields }[]) => unknown,
  api: (reply: unknown) => { api: OrderApi; run: <T>(work: Promise<T>) => Promise<T> },
])[] = (['orders', 'baskets'] as const).flatMap((kind) => [
  [
    'v2',
    kind,
    (records) =>
      records.map(({ id, fields }) => ({
        ...(kind === 'orders'
          ? { order_id: id, ref_id: 7, tag: 'mine' }
          : { basket_id: id, orders: LEGS, tag: 'mine' }),
        ...fields,
      })),
    (reply) => {
      const { transport, time } = answeringTransport(reply);
      return { api: v2Api(transport), run: async (work) => await time.run(work) };
    },
  ],
  [
    'intent',
    kind,
    (records) => ({
      orders: {
        open: records.map(({ id, fields }) => ({
          ...(kind === 'orders' ? { refId: 7 } : { refId: 0, isMulti: true, legs: LEGS }),
          ...{ intentOrderId: id, stratTags: ['mine'], side: 'BUY', ...fields },
        })),
      },
    }),
    (reply) => {
      const { transport, time } = answeringTransport(reply);
      return { api: intentApi(transport), run: async (work) => await time.run(work) };
    },
  ],
]);

describe.each(LISTS)('the list of %s, %s,', (_, kind, replyOf, open) => {
  const read = async (reply: unknown): Promise<readonly object[]> => {
    const { api, run } = open(reply);
    return await run<readonly object[]>(api[kind].list());
  };

  it('is read where each has its id', async () => {
    expect(await read(replyOf([{ id: '1' }, { id: '2' }]))).toHaveLength(2);
  });

  it.each([[undefined], [null], [''], ['0'], [0], ['many'], [{ id: 5 }], [1.5], [-3]])(
    'is refused where the id of one is %j',
    async (id) => {
      const refused = read(replyOf([{ id: '1' }, { id }]));
      await expect(refused).rejects.toBeInstanceOf(UnreadableReplyError);
      await expect(refused).rejects.toThrow(/\(mine\) in the service's list of the day has no number/);
    },
  );

  it('counts a record once that comes twice', async () => {
    expect(await read(replyOf([{ id: '1' }, { id: '1' }]))).toHaveLength(1);
  });

  it('is refused where two of different instruments have one id, as of rounded numbers', async () => {
    const fields =
      kind === 'orders' ? { ref_id: 8, refId: 8 } : { orders: [{ ref_id: 11 }], legs: [{ refId: 11 }, { refId: 12 }] };
    await expect(read(replyOf([{ id: '1' }, { id: '1', fields }]))).rejects.toThrow('two different records');
  });
});

it('orders of a list are refused where a basket beside them has no id: it could be any of them', async () => {
  const strategy = { isMulti: true, refId: 0, legs: LEGS };
  const { transport, time } = answeringTransport({ orders: { open: [{ intentOrderId: '1', refId: 7 }, strategy] } });
  await expect(time.run(intentApi(transport).orders.list())).rejects.toThrow('has no number');
});

it.each([
  ['is left out where it holds no orders', { total: 5, note: ['x'], page: {} }, 1],
  ['counts where it holds some', { partial: [{ intentOrderId: '2', refId: 7, status: 'INTENT_OPEN' }] }, 2],
  ['counts as an object keyed by id', { partial: { 2: { intentOrderId: '2', refId: 7, status: 'INTENT_OPEN' } } }, 2],
])('an unknown part of the list %s', async (_, more, count) => {
  const { transport, time } = answeringTransport({ orders: { open: [{ intentOrderId: '1', refId: 7 }], ...more } });
  expect(await time.run(intentApi(transport).orders.list())).toHaveLength(count);
});

it('an unknown part of the list that can be read in part only is refused', async () => {
  const partial = [{ intentOrderId: '2', refId: 7 }, 'x'];
  const { transport, time } = answeringTransport({ orders: { open: [], partial } });
  await expect(time.run(intentApi(transport).orders.list())).rejects.toBeInstanceOf(UnreadableReplyError);
});

describe('of two records of one order', () => {
  const order = (more: object): OrderRecord =>
    ({
      order_id: '1',
      ref_id: 7,
      order_qty: 10,
      filled_qty: 0,
      order_status: 'ORDER_STATUS_OPEN',
      ...more,
    }) as OrderRecord;
  const exits = (status: string) => ({ exits: [{ kind: 'STOPLOSS', status }] });
  const filled = { filled_qty: 10, order_status: 'ORDER_STATUS_FILLED' };

  it.each<[string, object, object]>([
    ['that has filled further', { filled_qty: 4, last_modified: '9' }, { filled_qty: 6, last_modified: '1' }],
    ['that has ended', { last_modified: '9' }, { order_status: 'ORDER_STATUS_CANCELLED', last_modified: '1' }],
    ['whose exits have ended', { ...filled, ...exits('OPEN') }, { ...filled, ...exits('FILLED') }],
    ['that was modified later', { last_modified: '9' }, { last_modified: '10' }],
  ])('the one %s counts, whichever comes first', (_, earlierChanges, laterChanges) => {
    const [one, other] = [order(earlierChanges), order(laterChanges)];
    expect(ordersOnce([one, other])).toEqual([other]);
    expect(ordersOnce([other, one])).toEqual([other]);
  });

  it('the first counts where nothing tells which is later, and each other order stays at its place', () => {
    const [one, other] = [order({ tag: 'first' }), order({ tag: 'second' })];
    const apart = order({ order_id: '2' });
    expect(ordersOnce([one, apart, other])).toEqual([one, apart]);
  });

  it('they are of two orders where side or instrument differ, and may be of one where a record does not tell', () => {
    const buy = order({ order_side: 'ORDER_SIDE_BUY' });
    for (const different of [{ order_side: 'ORDER_SIDE_SELL' }, { order_side: 'ORDER_SIDE_BUY', ref_id: 8 }])
      expect(() => ordersOnce([buy, order(different)])).toThrow('two different records under the number 1');
    for (const silent of [{}, { order_side: 'ORDER_SIDE_BUY', ref_id: 0 }, { ref_id: null }]) {
      expect(ordersOnce([buy, order(silent)])).toHaveLength(1);
      expect(ordersOnce([order(silent), buy])).toHaveLength(1);
    }
  });
});

describe('of two records of one basket', () => {
  const leg = (ref_id: number, filled_qty = 0): object => ({ basket_id: '1', ref_id, order_qty: 65, filled_qty });
  const basket = (orders: object[], status = 'OPEN'): BasketRecord =>
    ({ basket_id: '1', basket_status: `BASKET_STATUS_${status}`, orders }) as unknown as BasketRecord;

  it.each<[string, BasketRecord, BasketRecord]>([
    ['that is over', basket([leg(9, 65)]), basket([leg(9, 0)], 'CANCELLED')],
    ['whose legs have filled further together', basket([leg(9, 60), leg(10, 10)]), basket([leg(9, 40), leg(10, 40)])],
  ])('the one %s counts, whichever comes first', (_, earlierBasket, laterBasket) => {
    expect(basketsOnce([earlierBasket, laterBasket])).toEqual([laterBasket]);
    expect(basketsOnce([laterBasket, earlierBasket])).toEqual([laterBasket]);
  });

  it('the first counts where both are equally far', () => {
    const [one, other] = [basket([leg(9, 5)]), basket([leg(9, 5)], 'FILLED')];
    expect(basketsOnce([one, other])).toEqual([one]);
    expect(basketsOnce([other, one])).toEqual([other]);
  });

  it('they are of one where they share a leg, or one shows none yet', () => {
    expect(basketsOnce([basket([leg(9), leg(10)]), basket([leg(10)])])).toHaveLength(1);
    expect(basketsOnce([basket([]), basket([leg(10)])])).toHaveLength(1);
    expect(basketsOnce([basket([leg(10)]), basket([])])).toHaveLength(1);
    expect(() => basketsOnce([basket([leg(9)]), basket([leg(10)])])).toThrow('two different records');
  });
});
