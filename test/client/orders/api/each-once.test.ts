/** A list of the day in which a record has no id, or shares it with another one, is not used: part of it could be anything. */
import { UnreadableReplyError } from '../../../../client/base/errors';
import { intentApi } from '../../../../client/orders/api/intent/intent';
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
