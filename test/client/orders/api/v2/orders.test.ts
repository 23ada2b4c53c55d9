/** Requests on the wire by the specification's paths, and the reading of their replies. */
import { ServiceError, UnreadableReplyError } from '../../../../../client/base/errors';
import { v2Api } from '../../../../../client/orders/api/v2/v2';
import { modifyBody, orderBody } from '../../../../../client/orders/api/v2/orders';
import { ordersInReply } from '../../../../../client/orders/model/order-record';
import type { OrderTerms } from '../../../../../client/orders/model/order-terms';
import type { Json } from '../../../../../client/values/json';
import { LIMIT_BUY, orderRequest } from '../../support';
import { answeringTransport } from '../../answering';

function answering(reply: unknown) {
  const { transport, time, asked: requested } = answeringTransport(reply);
  const bodies = (): unknown[] => requested.map(({ body }) => JSON.parse(body ?? 'null') as unknown);
  return { time, asked: requested, bodies, orders: v2Api(transport).orders };
}

const STOPLOSS: OrderTerms = { ...LIMIT_BUY, kind: 'STOPLOSS', triggerPrice: 149_000, legSize: 5 };
const { price: _, ...AT_MARKET } = { ...LIMIT_BUY, priceType: 'MARKET' as const };

describe('the body of an order', () => {
  const body = {
    ref_id: 7,
    order_type: 'ORDER_TYPE_REGULAR',
    order_qty: 10,
    order_side: 'ORDER_SIDE_BUY',
    order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
    validity_type: 'DAY',
    price_type: 'LIMIT',
    order_price: 150_005,
    tag: 't',
  };
  const { order_price: __, ...atMarket } = { ...body, price_type: 'MARKET' };

  it.each([
    ['a limit order', LIMIT_BUY, body],
    ['a limit order that has a trigger it does not use', { ...LIMIT_BUY, triggerPrice: 5, legSize: 5 }, body],
    ['a market order, without the price that it does not use', { ...AT_MARKET, price: 5 }, atMarket],
    [
      'a sale',
      { ...LIMIT_BUY, side: 'SELL', product: 'IDAY', validity: 'IOC' },
      {
        ...body,
        order_side: 'ORDER_SIDE_SELL',
        order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
        validity_type: 'IOC',
      },
    ],
    ['a stop loss', STOPLOSS, { ...body, order_type: 'ORDER_TYPE_STOPLOSS', algo_params: { trigger_price: 149_000 } }],
    [
      'an iceberg',
      { ...LIMIT_BUY, kind: 'ICEBERG', legSize: 5, triggerPrice: 1 },
      {
        ...body,
        order_type: 'ORDER_TYPE_ICEBERG',
        algo_params: { leg_size: 5 },
      },
    ],
  ] satisfies [string, OrderTerms, object][])('holds the fields of %s, and no others', (___, terms, expected) => {
    expect(orderBody(terms, 't')).toEqual(expected);
    expect(Object.keys(orderBody(terms, 't')).sort()).toEqual(Object.keys(expected).sort());
  });
});

describe('the body of a modification', () => {
  const FIGURES = {
    REGULAR: {},
    STOPLOSS: { trigger_price: 7 },
    ICEBERG: { leg_size: 2 },
  } as const;
  const KINDS = ['REGULAR', 'STOPLOSS', 'ICEBERG'] as const;
  const placed = (kind: (typeof KINDS)[number], more: object = {}) => ({
    order_id: '5',
    order_qty: 10,
    order_price: 100,
    order_type: `ORDER_TYPE_${kind}`,
    algo_params: { trigger_price: 0, leg_size: 0, ...FIGURES[kind] },
    ...more,
  });
  const said = (kind: (typeof KINDS)[number], more: object = {}) => ({
    order_qty: 10,
    order_price: 100,
    exchange: 'NSE',
    order_type: `ORDER_TYPE_${kind}`,
    ...(kind === 'REGULAR' ? {} : { algo_params: FIGURES[kind] }),
    ...more,
  });
  const changes = { REGULAR: {}, STOPLOSS: { triggerPrice: 7 }, ICEBERG: { legSize: 2 } } as const;

  it.each(KINDS.flatMap((from) => KINDS.map((to) => [from, to] as const)))(
    'repeats the order from %s to %s with only what the new type has',
    (from, to) => {
      const change = from === to ? {} : { kind: to, ...changes[to] };
      expect(modifyBody(placed(from), change, 'NSE')).toEqual(said(to));
      expect(modifyBody(placed(from), { ...change, quantity: 20, price: 200 }, 'NSE')).toEqual(
        said(to, { order_qty: 20, order_price: 200 }),
      );
    },
  );

  it('has no price for an order at the market', () => {
    const { order_price, ...body } = said('REGULAR', { order_qty: 20 });
    expect(order_price).toBe(100);
    expect(modifyBody(placed('REGULAR', { order_price: 0 }), { quantity: 20 }, 'NSE')).toEqual(body);
  });

  it('keeps the figures of a type that is not known', () => {
    const odd = placed('STOPLOSS', { order_type: 'ORDER_TYPE_ODD' });
    expect(modifyBody(odd, {}, 'NSE')).toEqual(said('STOPLOSS', { order_type: 'ORDER_TYPE_ODD' }));
  });

  it.each(['NA', '150000.50', '1,500.50', '1e5'])('is refused where a figure of its type is %s', (figure) => {
    const [stop, iceberg] = [{ trigger_price: figure }, { leg_size: figure }];
    expect(() => modifyBody(placed('STOPLOSS', { algo_params: stop }), { quantity: 20 }, 'NSE')).toThrow(
      `trigger_price is no whole number, but "${figure}"`,
    );
    expect(() => modifyBody(placed('STOPLOSS', { algo_params: null, ...stop }), { quantity: 20 }, 'NSE')).toThrow();
    expect(() => modifyBody(placed('ICEBERG', { algo_params: iceberg }), { quantity: 20 }, 'NSE')).toThrow(
      `leg_size is no whole number, but "${figure}"`,
    );
    // One that the change gives, or that the new type does not have, is not read.
    expect(modifyBody(placed('STOPLOSS', { algo_params: stop }), { triggerPrice: 7 }, 'NSE')).toEqual(said('STOPLOSS'));
    expect(modifyBody(placed('REGULAR', { algo_params: stop }), {}, 'NSE')).toEqual(said('REGULAR'));
  });

  it('is that of a regular order where the record does not tell', () => {
    expect(modifyBody({ order_qty: 1 }, {}, 'NSE').order_type).toBe('ORDER_TYPE_REGULAR');
  });
});

describe('a list of orders', () => {
  const item = { order_id: '1' };
  it.each([
    ['a bare list', [item], [item]],
    ['a list under its name', { orders: [item] }, [item]],
    ['records by their instrument', { orders: { 7: item, 8: { order_id: '2' } } }, [item, { order_id: '2' }]],
    ['null', null, []],
    ['null under its name', { orders: null }, []],
    ['a list of something else', [item, 'x'], undefined],
    ['an answer that holds no list', { message: 'busy' }, undefined],
    ['text', 'busy', undefined],
    ['text under its name', { orders: 'busy' }, undefined],
  ] satisfies [string, Json, unknown][])('is read from %s', (___, reply, records) => {
    expect(ordersInReply(reply)).toEqual(records);
  });

  it('is an error where the reply holds no list, never a day without orders', async () => {
    const { time, orders } = answering({ message: 'busy' });
    const read = time.run(orders.list());
    await expect(read).rejects.toBeInstanceOf(UnreadableReplyError);
    await expect(read).rejects.toThrow(/list of the day's orders cannot be read/);
  });
});

describe('the replies to several orders', () => {
  const requests = [orderRequest('a'), orderRequest('b')];
  const records = ['a', 'b'].map((tag, index) => ({ order_id: String(index + 1), tag }));
  const { orders } = answering(null);

  it.each([[records], [{ orders: records }]])('are read from %j', (reply) => {
    expect([...orders.matchReply(requests, reply).keys()]).toEqual(['a', 'b']);
  });

  it.each([null, 'x', { message: 'pushed' }, records[0]!])('settle nothing where they show no order: %j', (reply) => {
    expect(orders.matchReply(requests, reply).size).toBe(0);
  });

  it('may be a list for one order, too', () => {
    const [request] = requests;
    expect(orders.matchReply([request!], { orders: [records[0]!] }).get('a')).toEqual(records[0]);
    expect(orders.matchReply([request!], { order: records[0]! }).get('a')).toEqual(records[0]);
    expect(orders.matchReply([request!], null).size).toBe(0);
  });
});

describe('the requests', () => {
  it('count as many orders as they place: the limit of a second is shared by all', async () => {
    const { orders } = answering(null);
    expect(await orders.place(orderRequest('a'))).toMatchObject({
      endpoint: { method: 'POST', path: '/orders/v2/single' },
      body: { tag: 'a' },
      orders: 1,
    });
    expect(await orders.placeSeveral([orderRequest('a'), orderRequest('b')])).toMatchObject({
      endpoint: { path: '/orders/v2/multi' },
      body: { orders: [{ tag: 'a' }, { tag: 'b' }] },
      orders: 2,
    });
    expect(orders.modify({ order_id: '5', order_qty: 1 }, { price: 5 }, 'NSE')).toMatchObject({
      path: { order_id: '5' },
      body: { order_price: 5, exchange: 'NSE' },
      orders: 1,
    });
  });

  it('cancel one by its path, several with one request, and none with none', async () => {
    const { orders } = answering(null);
    expect(await orders.cancel('5')).toMatchObject({
      requests: [{ orderIds: ['5'], request: { endpoint: { method: 'DELETE' }, path: { order_id: '5' } } }],
      ended: [],
      unseen: [],
    });
    const several = { orderIds: ['5', '6'], request: { body: { orders: [{ order_id: '5' }, { order_id: '6' }] } } };
    expect(await orders.cancelSeveral(['5', '6'])).toMatchObject({ requests: [several], ended: [], unseen: [] });
    expect(orders.endAll([{ order_id: '5' }, { order_id: '6' }])).toMatchObject([several]);
    expect(orders.endAll([])).toEqual([]);
  });

  it('refuse what only intent orders have', async () => {
    const { orders } = answering(null);
    expect(() => orders.cancelExit({ order_id: '5' }, 'STOPLOSS')).toThrow(
      expect.objectContaining({ parameter: 'orderId' }),
    );
    expect(() => orders.modify({ order_id: '5' }, { stop: null }, 'NSE')).toThrow(/does not have a stop loss/);
    await expect(orders.requirePossible({ ...LIMIT_BUY, validity: 'GTE' })).rejects.toMatchObject({
      parameter: 'validity',
    });
    expect(await orders.splits()).toBe(false);
  });
});

describe('the margin', () => {
  it.each([
    [true, [LIMIT_BUY], false],
    [false, [LIMIT_BUY, STOPLOSS], true],
  ])('is asked for with the portfolio %s', async (withPortfolio, terms, withLegs) => {
    const { time, orders, bodies } = answering({ total_margin: 5 });
    expect(await time.run(orders.preview(terms, { withPortfolio }))).toMatchObject({ total_margin: 5 });
    expect(bodies()).toEqual([
      {
        with_portfolio: withPortfolio,
        with_legs: withLegs,
        is_basket: false,
        order_req: {
          exchange: 'NSE',
          orders: terms.map((term) => ({ ...orderBody(term, ''), request_type: 'ORDER_REQUEST_NEW' })),
        },
      },
    ]);
  });

  it('is none when the service refuses inside a success: its words are told, without a token', async () => {
    const refused = answering({ message: 'no margin for this', code: 7 });
    const error: unknown = await refused.time
      .run(refused.orders.preview([LIMIT_BUY], { withPortfolio: false }))
      .catch((item: unknown) => item);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      status: 200,
      serviceText: 'no margin for this',
      message: expect.stringMatching(/It said: no margin for this$/) as string,
    });
    const silent = answering({ total_margin: 'many' });
    await expect(silent.time.run(silent.orders.preview([LIMIT_BUY], { withPortfolio: false }))).rejects.toMatchObject({
      serviceText: '',
      message: 'The service could not work out the margin.',
    });
    const odd = answering([]);
    await expect(odd.time.run(odd.orders.preview([LIMIT_BUY], { withPortfolio: false }))).rejects.toBeInstanceOf(
      UnreadableReplyError,
    );
  });
});
