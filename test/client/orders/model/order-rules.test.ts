import { orderBody } from '../../../../client/orders/api/v2/orders';
import { ordersInReply } from '../../../../client/orders/model/order-record';
import { hasEnded, statusOf } from '../../../../client/orders/model/order-record';
import { checkOrder } from '../../../../client/orders/model/order-rules';
import { LIMIT_BUY, NIFTY_FUT } from '../support';
import { refusal } from '../../../support/refusal';

const ON_FUTURE = { ...LIMIT_BUY, instrument: NIFTY_FUT };

describe('rules of orders', () => {
  it('names the nearest prices for one that is off the tick', () => {
    const error = refusal(() => checkOrder({ ...LIMIT_BUY, price: 150_007 }, 'rupees'));
    expect(error.parameter).toBe('price');
    expect(error.hint).toMatch(/₹1,500\.05 and ₹1,500\.10/);
    checkOrder({ ...LIMIT_BUY, price: 150_010 }, 'rupees');
  });

  it('names the nearest quantities for one that is off the lot', () => {
    const error = refusal(() => checkOrder({ ...ON_FUTURE, quantity: 100 }, 'rupees'));
    expect(error).toMatchObject({
      parameter: 'quantity',
      hint: 'The nearest valid quantities are 65 and 130. To count in lots, set Quantity In to Lots.',
    });
    expect(refusal(() => checkOrder({ ...ON_FUTURE, quantity: 1 }, 'rupees')).hint).toMatch(/quantity is 65\./);
    for (const quantity of [0, -65, 65.5, NaN])
      expect(refusal(() => checkOrder({ ...ON_FUTURE, quantity }, 'rupees')).parameter).toBe('quantity');
  });

  it.each([
    ['BUY', 150_000, true],
    ['BUY', 150_005, true],
    ['BUY', 150_010, false],
    ['SELL', 150_000, false],
    ['SELL', 150_005, true],
    ['SELL', 150_010, true],
  ] as const)('a stop-loss %s with trigger %i and price 150005 is right: %s', (side, triggerPrice, right) => {
    const check = (): void => checkOrder({ ...LIMIT_BUY, kind: 'STOPLOSS', side, triggerPrice }, 'rupees');
    if (right) check();
    else expect(refusal(check).parameter).toBe('triggerPrice');
  });

  it('wants a limit price for a stop-loss, and a price for a limit', () => {
    expect(
      refusal(() => checkOrder({ ...LIMIT_BUY, kind: 'STOPLOSS', priceType: 'MARKET', triggerPrice: 5 }, 'rupees'))
        .parameter,
    ).toBe('priceType');
    expect(refusal(() => checkOrder({ ...LIMIT_BUY, price: 0 }, 'rupees')).parameter).toBe('price');
    expect(refusal(() => checkOrder({ ...LIMIT_BUY, price: undefined }, 'rupees')).parameter).toBe('price');
    checkOrder({ ...LIMIT_BUY, priceType: 'MARKET', price: undefined }, 'rupees');
  });

  it.each([
    [9, true],
    [10, false],
    [11, false],
    [0, false],
  ])('an iceberg of 10 with legs of %i is right: %s', (legSize, right) => {
    const check = (): void => checkOrder({ ...LIMIT_BUY, kind: 'ICEBERG', legSize }, 'rupees');
    if (right) check();
    else expect(refusal(check).parameter).toBe('legSize');
  });
});

describe('the body of an order', () => {
  it('has the fields of the specification and no others', () => {
    expect(orderBody(LIMIT_BUY, 't')).toEqual({
      ref_id: 7,
      order_type: 'ORDER_TYPE_REGULAR',
      order_qty: 10,
      order_side: 'ORDER_SIDE_BUY',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      validity_type: 'DAY',
      price_type: 'LIMIT',
      order_price: 150_005,
      tag: 't',
    });
    expect(orderBody({ ...LIMIT_BUY, kind: 'STOPLOSS', triggerPrice: 150_000 }, 't')).toMatchObject({
      order_type: 'ORDER_TYPE_STOPLOSS',
      algo_params: { trigger_price: 150_000 },
    });
    expect(orderBody({ ...LIMIT_BUY, kind: 'ICEBERG', legSize: 5 }, 't')).toMatchObject({
      algo_params: { leg_size: 5 },
    });
    expect(orderBody({ ...LIMIT_BUY, priceType: 'MARKET', validity: 'IOC' }, 't')).not.toHaveProperty('order_price');
  });
});

describe('order records', () => {
  it('takes statuses that nobody has seen for not ended', () => {
    expect(statusOf({ order_status: 'ORDER_STATUS_PARTIAL_FILLED' })).toBe('PARTIAL_FILLED');
    expect(hasEnded({ order_status: 'ORDER_STATUS_SOMETHING_NEW' })).toBe(false);
    expect(hasEnded({ order_status: 'ORDER_STATUS_EXPIRED' })).toBe(true);
    expect(statusOf({})).toBe('');
  });

  it('reads lists in every shape, and tells an odd reply from an empty one', () => {
    expect(ordersInReply(null)).toEqual([]);
    expect(ordersInReply([{ order_id: '1' }])).toHaveLength(1);
    expect(ordersInReply({ orders: [{ order_id: '1' }] })).toHaveLength(1);
    expect(ordersInReply({ orders: null })).toEqual([]);
    expect(ordersInReply({ message: 'no' })).toBeUndefined();
    expect(ordersInReply('x')).toBeUndefined();
    expect(ordersInReply([1])).toBeUndefined();
  });
});
