/** Matching of a reply's records with the orders that were sent, by the specification's paths. */
import { v2Api } from '../../../client/orders/api/v2/v2';
import type { OrderTerms } from '../../../client/orders/model/order-terms';
import type { Json } from '../../../client/values/json';
import { LIMIT_BUY, SPREAD, market } from './support';

const { orders, baskets } = v2Api(market().context.transport);
const two: OrderTerms[] = [LIMIT_BUY, { ...LIMIT_BUY, quantity: 20 }];
const requests = two.map((terms, index) => ({ terms, tag: `t${index}` }));
const record = (id: string, { instrument, side, quantity }: OrderTerms, more = {}) => ({
  order_id: id,
  ref_id: instrument.refId,
  order_side: `ORDER_SIDE_${side}`,
  order_qty: quantity,
  ...more,
});
const matched = (...reply: object[]): Record<string, unknown> =>
  Object.fromEntries([...orders.matchReply(requests, reply as Json)].map(([tag, { order_id }]) => [tag, order_id]));

const [a, b] = two as [OrderTerms, OrderTerms];
const [ofA, ofB] = [{ tag: 't0' }, { tag: 't1' }];

describe('a reply', () => {
  it('is matched by tags in whatever order it comes, and with whatever else', () => {
    expect(matched(record('2', b, ofB), record('9', a, { tag: 'else' }), record('1', a, ofA))).toEqual({
      t0: '1',
      t1: '2',
    });
  });

  it('leaves an order without a tag or an id to be looked up', () => {
    expect(matched(record('1', a), record('2', b))).toEqual({});
    expect(matched(record('0', a, ofA), record('2', b, ofB))).toEqual({ t1: '2' });
  });

  it.each([
    ['quantity', record('1', { ...a, quantity: 30 }, ofA)],
    ['side', record('1', { ...a, side: 'SELL' }, ofA)],
    ['instrument', record('1', { ...a, instrument: { ...a.instrument, refId: 8 } }, ofA)],
  ])('leaves an order whose %s is another to be looked up', (_, odd) => {
    expect(matched(odd, record('2', b, ofB))).toEqual({ t1: '2' });
  });

  it('matches an order by what it shows of its terms', () => {
    expect(matched({ order_id: '1', ...ofA })).toEqual({ t0: '1' });
  });
});

it('a reply to one order is that order, bare or below its name', () => {
  const item = requests.slice(0, 1);
  const own = record('7', LIMIT_BUY, ofA);
  for (const reply of [own, { order: own }, [own]])
    expect(orders.matchReply(item, reply).get('t0')).toMatchObject({ order_id: '7', tag: 't0' });
  expect(orders.matchReply(item, { message: 'pushed' }).size).toBe(0);
});

it('a reply to a basket is that basket when it has an id and the tag', () => {
  const item = [{ terms: SPREAD, tag: 'b' }];
  for (const reply of [{ basket_id: '5', tag: 'b' }, { basket: { basket_id: '5', tag: 'b' } }] as Json[])
    expect(baskets.matchReply(item, reply).get('b')).toEqual({ basket_id: '5', tag: 'b' });
  for (const reply of [
    null,
    'x',
    { basket_id: '0', tag: 'b' },
    { basket_id: '5' },
    { basket_id: '5', tag: 'c' },
    {},
  ] as Json[])
    expect(baskets.matchReply(item, reply).size).toBe(0);
});
