/** Which record of a reply belongs to which order, by the specification's paths. */
import { v2Api } from '../../../client/orders/api/v2/v2';
import type { OrderTerms } from '../../../client/orders/model/order-terms';
import type { Json } from '../../../client/values/json';
import { LIMIT_BUY, SPREAD, market } from './support';

const { orders, baskets } = v2Api(market().context.transport);
const two: OrderTerms[] = [LIMIT_BUY, { ...LIMIT_BUY, quantity: 20 }];
const wanted = two.map((terms, index) => ({ terms, tag: `t${index}` }));
const record = (id: string, { instrument, side, quantity }: OrderTerms, more = {}) => ({
  order_id: id,
  ref_id: instrument.refId,
  order_side: `ORDER_SIDE_${side}`,
  order_qty: quantity,
  ...more,
});
const matched = (...reply: object[]): Record<string, unknown> =>
  Object.fromEntries([...orders.matchReply(wanted, reply as Json)].map(([tag, { order_id }]) => [tag, order_id]));

describe('a reply without tags', () => {
  const [a, b] = two as [OrderTerms, OrderTerms];

  it('is matched by position when number, instrument, side and quantity agree', () => {
    expect(matched(record('1', a), record('2', b))).toEqual({ t0: '1', t1: '2' });
  });

  it.each([
    ['quantity', record('1', { ...a, quantity: 30 })],
    ['side', record('1', { ...a, side: 'SELL' })],
    ['instrument', record('1', { ...a, instrument: { ...a.instrument, refId: 8 } })],
  ])('is not matched where the %s is another', (_, odd) => {
    expect(matched(odd, record('2', b))).toEqual({ t1: '2' });
  });

  it('is not matched where the orders come in another order, or one is missing', () => {
    expect(matched(record('2', b), record('1', a))).toEqual({});
    expect(matched(record('1', a))).toEqual({});
    expect(matched(record('1', a), record('0', b))).toEqual({});
  });

  it('is not matched by position as soon as one has a tag', () => {
    expect(matched(record('1', a, { tag: 'else' }), record('2', b))).toEqual({});
    expect(matched(record('9', b, { tag: 't1' }), record('2', b))).toEqual({ t1: '9' });
  });
});

it('of one order is that order, bare or below its name', () => {
  const item = wanted.slice(0, 1);
  for (const reply of [record('7', LIMIT_BUY), { order: record('7', LIMIT_BUY) }, [record('7', LIMIT_BUY)]])
    expect(orders.matchReply(item, reply).get('t0')).toMatchObject({ order_id: '7', tag: 't0' });
  expect(orders.matchReply(item, { message: 'pushed' }).size).toBe(0);
});

it('of a basket is that basket when it has an id', () => {
  const item = [{ terms: SPREAD, tag: 'b' }];
  for (const reply of [{ basket_id: '5' }, { basket: { basket_id: '5' } }] as Json[])
    expect(baskets.matchReply(item, reply).get('b')).toEqual({ basket_id: '5' });
  for (const reply of [null, 'x', { basket_id: '0' }, {}] as Json[])
    expect(baskets.matchReply(item, reply).size).toBe(0);
});
