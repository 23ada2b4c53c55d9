/** Intent orders and strategies over the wire (docs/service/intent-orders.md): requests, lists and records in every shape seen. */
import { ServiceError, UnreadableReplyError } from '../../../../../client/base/errors';
import { intentApi } from '../../../../../client/orders/api/intent/intent';
import type { Json } from '../../../../../client/values/json';
import { LIMIT_BUY, SPREAD, orderRequest } from '../../support';
import { answeringTransport } from '../../answering';

function answering(reply: unknown) {
  const { transport, ...service } = answeringTransport(reply);
  return { ...service, ...intentApi(transport) };
}

const record = (intentOrderId: string, more: object = {}): object => ({
  intentOrderId,
  refId: 7,
  side: 'BUY',
  priceType: 'LIMIT',
  orderQty: 10,
  filledQty: 0,
  ...more,
});
const LEGS = [
  { refId: 9, unitQty: 1, orderQty: 65, filledQty: 0 },
  { refId: 10, unitQty: -1, orderQty: 65, filledQty: 0 },
];
const strategy = (id: string, more: object = {}): object =>
  record(id, { isMulti: true, legs: LEGS, refId: 0, ...more });
const buckets = (open: unknown, more: object = {}): object => ({ orders: { open, ...more } });

describe('the list', () => {
  it('holds orders and strategies apart', async () => {
    const { time, orders, baskets } = answering(
      buckets([record('1'), strategy('2')], { executed: [record('3')], gtt: null }),
    );
    expect((await time.run(orders.list())).map(({ order_id }) => order_id)).toEqual(['1', '3']);
    expect((await time.run(baskets.list())).map(({ basket_id }) => basket_id)).toEqual(['2']);
  });

  it.each([
    ['with two legs is a strategy, whatever it says', { legs: LEGS, isMulti: false, refId: 7 }, true],
    ['with one leg and no instrument of its own', { legs: [LEGS[0]], isMulti: true, refId: 0 }, true],
    ['with one leg that is its instrument', { legs: [LEGS[0]], isMulti: true, refId: 7 }, false],
    ['with one leg and its instrument beside it', { legs: [LEGS[0]], isMulti: true, refId: 0, refData: {} }, false],
    ['of several legs that shows none', { legs: null, isMulti: true, refId: 0 }, false],
    ['with one leg, not said to be several', { legs: [LEGS[0]], isMulti: false, refId: 0 }, false],
    ['with legs that cannot be read', { legs: [null, 'x'], isMulti: true, refId: 7 }, false],
  ])('takes a record %s', async (_, more, isStrategy) => {
    const { time, orders, baskets } = answering(buckets([record('1', more)]));
    expect(await time.run(orders.list())).toHaveLength(isStrategy ? 0 : 1);
    expect(await time.run(baskets.list())).toHaveLength(isStrategy ? 1 : 0);
  });

  it.each([[null], ['busy'], [{}], [{ orders: 'x' }], [buckets(['x'])], [buckets('x')]])(
    'is no list, and not an empty one, where the reply is %j',
    async (reply) => {
      const { time, orders } = answering(reply);
      await expect(time.run(orders.list())).rejects.toBeInstanceOf(UnreadableReplyError);
    },
  );
});

describe('one order', () => {
  it('is asked for by its id, and is no other', async () => {
    const { time, orders, asked: requested } = answering(buckets([record('4'), record('5')]));
    expect(await time.run(orders.get('5'))).toMatchObject({ order_id: '5' });
    expect(new URL(requested[0]!.url).searchParams.get('intentOrderId')).toBe('5');
    const error: unknown = await time.run(orders.get('6')).catch((item: unknown) => item);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 404, serviceText: '' });
  });
});

describe('placing', () => {
  it('counts as many orders as it places', async () => {
    const { orders, baskets } = answering(null);
    expect(await orders.place(orderRequest('a'))).toMatchObject({
      body: { orders: [{ stratTags: ['a'] }] },
      orders: 1,
    });
    expect(await orders.placeSeveral([orderRequest('a'), orderRequest('b')])).toMatchObject({
      endpoint: { path: '/sentinel/orders/create' },
      body: { orders: [{ stratTags: ['a'] }, { stratTags: ['b'] }] },
      orders: 2,
    });
    expect(await baskets.place({ terms: SPREAD, tag: 'c' })).toMatchObject({
      body: { orders: [{ isMultiLeg: true, stratTags: ['c'] }] },
      orders: 2,
    });
    expect(await orders.splits()).toBe(true);
  });

  it('refuses exits that a trigger would keep: the service keeps them', async () => {
    const { orders } = answering(null);
    await expect(orders.requirePossible({ ...LIMIT_BUY, kept: { stop: 5 } })).rejects.toMatchObject({
      parameter: 'keptBy',
    });
    await orders.requirePossible(LIMIT_BUY);
  });

  it.each([
    [{ legs: SPREAD.legs.slice(0, 1) }, 'legs'],
    [{ goodTill: '2026-11-27', product: 'IDAY' as const }, 'product'],
  ])('refuses a strategy that is none: %j', async (changes, parameter) => {
    const { baskets } = answering(null);
    await expect(baskets.requirePossible({ ...SPREAD, ...changes })).rejects.toMatchObject({ parameter });
    await baskets.requirePossible({ ...SPREAD, goodTill: '2026-11-27', product: 'CNC' });
    await baskets.requirePossible(SPREAD);
  });

  it('finds a strategy in the reply by its tag; one without it is looked up', () => {
    const { baskets } = answering(null);
    const item = [{ terms: SPREAD, tag: 'b' }];
    const tagged = (id: string, tag?: string): object => strategy(id, tag === undefined ? {} : { stratTags: [tag] });
    const found = (...records: object[]): unknown =>
      [...baskets.matchReply(item, { orders: records } as Json)].map(([tag, { basket_id }]) => [tag, basket_id]);
    expect(found(tagged('5', 'b'))).toEqual([['b', '5']]);
    expect(found(tagged('4', 'a'), tagged('5', 'b'))).toEqual([['b', '5']]);
    expect(found(tagged('5'))).toEqual([]);
    expect(found(tagged('5', 'other'))).toEqual([]);
    expect(found(tagged('4'), tagged('5'))).toEqual([]);
    expect(found(tagged('0'))).toEqual([]);
    expect(found()).toEqual([]);
    expect(baskets.matchReply(item, null).size).toBe(0);
    expect(baskets.matchReply([], { orders: [tagged('5')] } as Json).size).toBe(0);
  });
});

describe('cancelling', () => {
  it('asks for what is open, and leaves alone what has ended: its exits would fall away', async () => {
    const { time, orders } = answering(buckets([record('1')], { executed: [record('2')] }));
    expect(await time.run(orders.cancelSeveral(['1', '2', '3']))).toMatchObject({
      requests: [{ orderIds: ['1', '3'], request: { body: { orders: [{ orderId: '1' }, { orderId: '3' }] } } }],
      ended: [{ order_id: '2' }],
      unseen: ['3'],
    });
    expect(await time.run(orders.cancel('2'))).toMatchObject({ requests: [], ended: [{ order_id: '2' }], unseen: [] });
  });

  it('takes a strategy as a whole, unless it has entered', async () => {
    const { time, baskets } = answering(buckets([strategy('1')], { executed: [strategy('2', { filledQty: 10 })] }));
    expect(await time.run(baskets.cancel('1', 'NSE'))).toMatchObject({ body: { orders: [{ orderId: '1' }] } });
    expect(await time.run(baskets.cancel('3', 'NSE'))).toMatchObject({ body: { orders: [{ orderId: '3' }] } });
    await expect(time.run(baskets.cancel('2', 'NSE'))).rejects.toMatchObject({
      parameter: 'basketId',
      message: expect.stringMatching(/^Basket 2 has entered/) as string,
    });
    const [basket] = await time.run(baskets.list());
    expect(baskets.end(basket!, 'NSE')).toMatchObject({ body: { orders: [{ orderId: '1' }] } });
    expect(baskets.close(basket!, 'NSE', 1_000)).toMatchObject({
      body: { orders: [{ orderId: '1', exitConfig: { exitTime: '1970-01-01T00:00:11.000Z' } }] },
    });
    expect(baskets.modify(basket!, { price: 5 })).toMatchObject({ body: { orders: [{ orderId: '1' }] }, orders: 2 });
    expect(await time.run(baskets.reread({ basket_id: '2' }))).toMatchObject({ basket_status: 'BASKET_STATUS_FILLED' });
    const gone = { basket_id: '9' };
    expect(await time.run(baskets.reread(gone))).toBe(gone);
  });
});

describe('the margin', () => {
  const preview = async (reply: unknown): Promise<unknown> => {
    const { time, orders } = answering(reply);
    return await time.run(orders.preview([LIMIT_BUY], { withPortfolio: false })).catch((error: unknown) => error);
  };

  it('is told with its charges, and with what becomes of the order', async () => {
    const reply = {
      code: 1,
      marginInfo: { totalMargin: 500, message: 'fine' },
      brokerageInfo: { totalChargesFloat: 12.5 },
      totalFundsRequired: 512,
    };
    expect(await preview({ ...reply, willBeAutoSliced: true, willDefaultBePlacedAsAmo: true })).toEqual({
      total_margin: 500,
      total_charges: 12.5,
      total_funds_required: 512,
      waits_for_next_session: true,
      is_sliced: true,
      message: 'fine',
      code: 1,
    });
    expect(await preview(reply)).toMatchObject({ waits_for_next_session: false, is_sliced: false });
  });

  it.each([
    [{ code: 0, marginInfo: { totalMargin: 5, message: 'of the margin' }, message: 'of all' }, 'of the margin'],
    [{ code: 1, marginInfo: {}, message: 'of all' }, 'of all'],
    [{ code: 1 }, ''],
  ])('is not read from %j', async (reply, serviceText) => {
    const error = await preview(reply);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      status: 200,
      serviceText,
      message: `The service could not work out the margin.${serviceText === '' ? '' : ` It said: ${serviceText}`}`,
    });
  });

  it('is told with how much may be traded, the charges by name, the slot and the slices, where the service tells them', async () => {
    const reply = {
      code: 1,
      marginInfo: {
        totalMargin: 500,
        maxAllowedQty: 40,
        cncSellAllowedQty: 0,
        availableQty: 12,
        edisDoneQty: 5,
        edisRemainingQty: 7,
      },
      brokerageInfo: { chargesFloat: { gst: 1.5, stampDuty: 0, note: 'x', ['n'.repeat(61)]: 5, ['m'.repeat(60)]: 6 } },
      openOrders: 3,
      tradingSlot: { startTime: '09:15', endTime: '15:30' },
      icebergInfo: { numberOfLegs: 4, maxQtyPerLeg: 10 },
    };
    expect(await preview(reply)).toMatchObject({
      max_quantity: 40,
      sellable_quantity: 0,
      available_quantity: 12,
      authorised_quantity: 5,
      unauthorised_quantity: 7,
      open_orders: 3,
      trading_slot: { start_time: '09:15', end_time: '15:30' },
      slicing: { number_of_legs: 4, max_qty_per_leg: 10 },
    });
    expect(((await preview(reply)) as { charges: object }).charges).toEqual({
      gst: 1.5,
      stampDuty: 0,
      ['m'.repeat(60)]: 6,
    });
  });

  it('shows no quantity that is none, and at most forty charges', async () => {
    const chargesFloat = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`c${index}`, index]));
    const cost = (await preview({
      code: 1,
      marginInfo: { totalMargin: 500, maxAllowedQty: -1, availableQty: 1.5, edisDoneQty: 'x' },
      brokerageInfo: { chargesFloat },
    })) as { charges: object };
    expect(Object.keys(cost.charges)).toHaveLength(40);
    for (const name of [
      'max_quantity',
      'available_quantity',
      'authorised_quantity',
      'open_orders',
      'trading_slot',
      'slicing',
    ])
      expect(cost).not.toHaveProperty(name);
  });

  it('is not read from anything but an object', async () => {
    expect(await preview([])).toBeInstanceOf(UnreadableReplyError);
  });
});

it.each(['orderQty', 'filledQty'])('a list in which %s of an order is no number of units is refused', async (name) => {
  const { time, orders } = answering(buckets([record('1', { [name]: 1.5 })]));
  await expect(time.run(orders.list())).rejects.toThrow(name);
});

describe('an order that is not shown', () => {
  const read = async (reply: unknown): Promise<unknown> => {
    const { time, orders } = answering(reply);
    return await time.run(orders.get('1')).catch((error: unknown) => error);
  };

  it.each<[string, unknown, string]>([
    [
      'is a basket, which has its own operations',
      buckets([strategy('1')]),
      'It is a basket: use the operations of Basket.',
    ],
    [
      'is another one, which is named and not given',
      buckets([record('2')]),
      'It answered with order 2 instead. Check the id',
    ],
    ['is none', buckets([]), 'Check the id'],
  ])('%s', async (_, reply, hint) => {
    const error = (await read(reply)) as ServiceError;
    expect(error).toMatchObject({ status: 404, serviceText: '', message: 'The service has no order 1 today.' });
    expect(error.hint.startsWith(hint)).toBe(true);
  });
});

describe('a record', () => {
  it('tells its instrument, times, prices and identifiers under the names of the specification', async () => {
    const refData = {
      refId: 7,
      exchange: 'NSE',
      asset: 'NIFTY',
      stockName: 'N',
      displayName: 'Nifty',
      derivativeType: 'OPT',
      optionType: 'CE',
      lotSize: 65,
      tickSize: 5,
      strikePrice: 2_400_000,
    };
    const { time, orders } = answering(
      buckets([
        record('1', {
          refData,
          rejectionMsg: 'no',
          ltp: 8,
          exchange: 'NSE',
          orderPrice: 9,
          filledPrice: 7,
          deliveryType: 'CNC',
          validityType: 'DAY',
          goodTillDate: '2026-11-27',
          exchangeOrderIds: { NSE: ['11', '12'] },
          icebergInfo: { maxQtyPerLeg: 5, numberOfLegs: 2 },
          timestamps: {
            intentCreatedAt: '2026-11-20T11:00:00.123456789+05:30',
            sentToColoAt: '2026-11-20T05:30:00Z',
            filledAt: 'soon',
            lastModifiedAt: 'x2026-11-20T05:30:00Z',
          },
        }),
      ]),
    );
    const [order] = await time.run(orders.list());
    expect(order).toMatchObject({
      ref_data: {
        ref_id: 7,
        exchange: 'NSE',
        asset: 'NIFTY',
        stock_name: 'N',
        display_name: 'Nifty',
        derivative_type: 'OPT',
        option_type: 'CE',
        lot_size: 65,
        tick_size: 5,
        strike_price: 2_400_000,
      },
      display_name: 'Nifty',
      rejection_msg: 'no',
      LTP: 8,
      exchange: 'NSE',
      order_price: 9,
      avg_filled_price: 7,
      order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      validity_type: 'DAY',
      good_till_date: '2026-11-27',
      exchange_order_id: '12',
      leg_size: 5,
      slices: 2,
      order_time: '1795152600123456789',
      ack_time: '1795152600000000000',
      filled_time: '0',
      last_modified: '0',
    });
  });

  it('is empty, and not undefined, in what it does not tell', async () => {
    const { time, orders, baskets } = answering(
      buckets([record('1', { refId: undefined, refData: {} }), strategy('2', { legs: [{ refData: {} }, {}] })]),
    );
    const [order] = await time.run(orders.list());
    expect(order).toMatchObject({
      ref_id: 0,
      ref_data: {
        ref_id: 0,
        exchange: '',
        asset: '',
        stock_name: '',
        display_name: '',
        derivative_type: '',
        option_type: '',
      },
      rejection_msg: '',
      order_price: 0,
      avg_filled_price: 0,
      exchange_order_id: '0',
      leg_size: null,
      tag: '',
    });
    expect(order).not.toHaveProperty('slices');
    const [basket] = await time.run(baskets.list());
    expect(basket!.orders).toMatchObject([
      { ref_data: { lot_size: 0, tick_size: 0 }, display_name: '', avg_filled_price: 0, unit_qty: null, order_qty: 0 },
      { ref_data: null, ref_id: 0, exchange: '', order_side: '', order_status: 'ORDER_STATUS_OPEN' },
    ]);
    expect((basket!.orders as Json[])[0]).not.toHaveProperty('ref_data.strike_price');
  });

  it('takes its instrument from its only leg where that names it', async () => {
    const legs = [{ refId: 9, refData: { displayName: 'Leg', exchange: 'BSE' }, filledPrice: 4 }];
    const { time, orders } = answering(buckets([record('1', { refId: null, refData: null, legs })]));
    expect((await time.run(orders.list()))[0]).toMatchObject({ ref_id: 9, display_name: 'Leg' });
  });
});
