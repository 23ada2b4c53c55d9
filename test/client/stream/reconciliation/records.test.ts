/** Content of the day's lists for an order and for a basket, field by field. */
import { ONE_SHARE } from '../../../../client/values/contract-value';
import { describe, expect, test } from '@jest/globals';
import { basketsInReply, readDayBaskets } from '../../../../client/orders/model/basket-record';
import { ordersInReply, readDayOrders } from '../../../../client/orders/model/order-record';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import type { Json, JsonObject } from '../../../../client/values/json';

const first = ([item]: OrderSnapshot[]): OrderSnapshot => item!;
const order = (more: JsonObject = {}): OrderSnapshot =>
  first(readDayOrders([{ order_id: '5', ref_id: 7, order_status: 'ORDER_STATUS_OPEN', ...more }]));
const T = '1795165546000000000';

describe('an order of the list', () => {
  test('is read in full', () => {
    const record = {
      order_type: 'ORDER_TYPE_STOPLOSS',
      order_side: 'ORDER_SIDE_SELL',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      price_type: 'LIMIT',
      validity_type: 'DAY',
      order_qty: 10,
      filled_qty: 4,
      order_price: 150_000,
      avg_filled_price: 149_900,
      order_time: T,
      ack_time: '2',
      filled_time: '3',
      last_modified: '4',
      tag: 'mine',
      reason: 'why',
      display_name: 'Infosys',
      ref_data: { stock_name: 'INFY', plat_name: 'STOCK_INFY.NSECM', exchange: 'NSE', asset: 'INFY' },
      algo_params: { trigger_price: 149_000 },
    };
    expect(order(record)).toEqual({
      kind: 'order',
      orderId: '5',
      basketId: '0',
      instrument: {
        refId: 7,
        exchange: 'NSE',
        symbol: 'INFY',
        asset: 'INFY',
        derivativeType: '',
        platName: 'STOCK_INFY.NSECM',
        displayName: 'Infosys',
        contract: ONE_SHARE,
      },
      side: 'SELL',
      product: 'CNC',
      orderType: 'STOPLOSS',
      priceType: 'LIMIT',
      validity: 'DAY',
      status: 'PARTIAL_FILLED',
      quantity: 10,
      filled: 4,
      price: 150_000,
      averagePrice: 149_900,
      triggerPrice: 149_000,
      legs: [{ refId: 7, filled: 4, averagePrice: 149_900 }],
      tags: ['mine'],
      reason: 'why',
      accepted: true,
      triggered: true,
      end: '',
      times: { created: T, accepted: '2', filled: '3', cancelled: '0', modified: '4', updated: '0' },
      source: 'orders',
    });
  });

  test.each([
    ['PENDING', 0, [false, false, '']],
    ['SENT', 0, [false, false, '']],
    ['OPEN', 0, [true, false, '']],
    ['TRIGGERED', 0, [true, true, '']],
    ['FILLED', 10, [true, false, 'executed']],
    ['CANCELLED', 0, [true, false, 'cancelled']],
    ['EXPIRED', 0, [true, false, 'expired']],
    ['REJECTED', 0, [false, false, 'rejected']],
    ['REJECTED', 1, [true, false, 'rejected']],
    ['', 0, [false, false, '']],
    ['constructor', 0, [false, false, '']],
    ['constructor', 1, [true, false, '']],
  ])('is read with the status %s and %d filled: accepted, triggered, end', (status, filled, expected) => {
    const { accepted, triggered, end } = order({ order_status: `ORDER_STATUS_${status}`, filled_qty: filled });
    expect([accepted, triggered, end]).toEqual(expected);
  });

  test.each([
    ['STOPLOSS', 4, true, 9],
    ['STOPLOSS', 0, false, 9],
    ['REGULAR', 4, false, undefined],
  ])('is triggered with the type %s and %d filled: %s', (type, filled, triggered, price) => {
    const read = order({ order_type: `ORDER_TYPE_${type}`, filled_qty: filled, trigger_price: 9 });
    expect([read.triggered, read.triggerPrice]).toEqual([triggered, price]);
  });

  test.each<[Json, string]>([
    [T, T],
    [null, '0'],
    ['', '0'],
    ['-62135596800000000000', '0'],
    ['12345678901234567890', '0'],
    ['12x', '0'],
    ['x12', '0'],
    [5, '5'],
  ])('has a time, or none: %j', (time, read) => {
    expect(order({ order_time: time }).times.created).toBe(read);
  });

  test.each<[JsonObject, string]>([
    [{ reason: 'a', rejection_msg: 'b', message: 'c' }, 'b'],
    [{ reason: 'a', message: 'c' }, 'a'],
    [{ message: 'c', order_status: 'ORDER_STATUS_REJECTED' }, 'c'],
    [{ message: 'c', order_status: 'ORDER_STATUS_OPEN' }, ''],
    [{}, ''],
  ])('tells why, where it does: %j', (fields, reason) => {
    expect(order(fields).reason).toBe(reason);
  });

  test('is a leg of its basket, and has no exits', () => {
    const exits = [{ kind: 'STOPLOSS', status: 'OPEN', trigger_price: 9, filled_qty: 1 }];
    const leg = order({ basket_id: '9', exits });
    expect([leg.kind, leg.basketId, 'exits' in leg]).toEqual(['leg', '9', false]);
    expect(order({ basket_id: '', exits })).toMatchObject({
      kind: 'order',
      basketId: '0',
      exits: [{ kind: 'stop', status: 'OPEN', trigger: 9, trails: false, filled: 1 }],
    });
    expect('exits' in order()).toBe(false);
  });

  test('has exits that are read for what they tell, and unknown ones are left out', () => {
    const { exits } = order({
      exits: [
        { kind: 'TRAILING_STOP', status: 'ODD', trigger_price: '9' },
        { kind: 'EXIT_TIME', status: 'CANCELLED', filled_qty: '3' },
        { kind: 'OTHER' },
        { kind: 'constructor' },
        null,
      ],
    });
    expect(exits).toEqual([
      { kind: 'stop', status: 'OPEN', trigger: 0, trails: true, filled: 0 },
      { kind: 'time', status: 'CANCELLED', trigger: 0, trails: false, filled: 3 },
    ]);
  });

  test('takes its exchange from itself, else from its instrument; a number that is none counts as 0', () => {
    expect(order({ exchange: 'BSE', ref_data: { exchange: 'NSE' } }).instrument.exchange).toBe('BSE');
    expect(order({ order_qty: 'many', order_price: '15' })).toMatchObject({ quantity: 0, price: 15, tags: [] });
    expect(order({ ref_data: [], algo_params: null }).instrument).toMatchObject({ exchange: '', symbol: '' });
  });
});

test('a list is read as a list, also when empty and in an object; anything else could not be read', () => {
  for (const reply of <Json[]>[null, [], { orders: null }, { orders: {} }]) expect(ordersInReply(reply)).toEqual([]);
  for (const reply of <Json[]>[{ orders: [{ order_id: 5 }] }, { orders: { 7: { order_id: 5 } } }])
    expect(readDayOrders(ordersInReply(reply)!)[0]?.orderId).toBe('5');
  for (const reply of <Json[]>['', {}, [null], { orders: 'x' }]) expect(ordersInReply(reply)).toBeUndefined();
  for (const id of ['0', '', 'x5', '5x', null])
    expect(() => readDayOrders([{ order_id: id }])).toThrow('has no number (order_id)');
  for (const reply of <Json[]>[null, { baskets: [] }, { baskets: null }]) expect(basketsInReply(reply)).toEqual([]);
  for (const reply of <Json[]>['', {}, [null], { baskets: 'x' }]) expect(basketsInReply(reply)).toBeUndefined();
  for (const id of ['0', '', 'x5', '5x', null])
    expect(() => readDayBaskets([{ basket_id: id }])).toThrow('has no number (basket_id)');
});

describe('a basket of the list', () => {
  const leg = (refId: number, side: string, filled: number, more: JsonObject = {}): JsonObject => ({
    order_id: String(refId),
    basket_id: '9',
    ref_id: refId,
    order_side: `ORDER_SIDE_${side}`,
    order_qty: 10,
    filled_qty: filled,
    avg_filled_price: 100 * refId,
    order_status: filled < 10 ? 'ORDER_STATUS_OPEN' : 'ORDER_STATUS_FILLED',
    order_time: String(20 + refId),
    filled_time: String(40 + refId),
    ...more,
  });
  const basket = (status: string, legs: JsonObject[], params: JsonObject = {}, more: JsonObject = {}): OrderSnapshot =>
    first(
      readDayBaskets([
        {
          basket_id: '9',
          basket_status: `BASKET_STATUS_${status}`,
          orders: Object.fromEntries(legs.map((leg) => [String(leg.ref_id), leg])),
          basket_params: params,
          ...more,
        },
      ]),
    );

  test('is read in full', () => {
    const params = {
      order_side: 'ORDER_SIDE_SELL',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
      price_type: 'LIMIT',
      entry_price: 450,
      momentum_trigger_price: 440,
      multiplier: 5,
    };
    expect(
      basket('OPEN', [leg(1, 'BUY', 6), leg(2, 'SELL', 10)], params, { tag: 'mine', rejection_msg: 'why' }),
    ).toMatchObject({
      kind: 'strategy',
      orderId: '9',
      basketId: '9',
      instrument: { refId: 1 },
      side: 'SELL',
      product: 'IDAY',
      orderType: 'FLEXI',
      priceType: 'LIMIT',
      status: 'OPEN',
      quantity: 5,
      filled: 3,
      price: 450,
      averagePrice: 100 - 200,
      triggerPrice: 440,
      legs: [
        { refId: 1, filled: 6, averagePrice: 100, side: 'BUY' },
        { refId: 2, filled: 10, averagePrice: 200, side: 'SELL' },
      ],
      tags: ['mine'],
      reason: 'why',
      accepted: true,
      entered: false,
      triggered: false,
      end: '',
      causes: [],
      times: { created: '21', accepted: '0', filled: '42', modified: '0', updated: '0' },
      source: 'orders',
    });
  });

  test('counts in units, and its price is of one', () => {
    const read = basket(
      'OPEN',
      [leg(1, 'BUY', 10, { order_qty: 20, order_status: 'ORDER_STATUS_OPEN' }), leg(2, 'BUY', 10)],
      { multiplier: 10 },
    );
    expect([read.quantity, read.filled, read.averagePrice]).toEqual([10, 5, 2 * 100 + 200]);
    const without = basket('OPEN', [leg(1, 'BUY', 0, { order_qty: 0 })]);
    expect([without.quantity, without.filled, without.averagePrice, without.triggerPrice, without.tags]).toEqual([
      ...[1, 0, 0, undefined, []],
    ]);
  });

  test.each([
    ['OPEN', 10, '0', [true, false, '']],
    ['FILLED', 10, '1', [true, true, '']],
    ['CLOSED', 10, '1', [true, true, 'executed']],
    ['CLOSED', 9, '1', [true, false, 'executed']],
    ['CANCELLED', 0, '1', [true, false, 'cancelled']],
    ['PENDING', 0, '0', [false, false, '']],
    ['REJECTED', 0, '0', [false, false, 'rejected']],
    ['REJECTED', 0, '', [false, false, 'rejected']],
    ['REJECTED', 0, '1', [true, false, 'rejected']],
    ['constructor', 0, '1', [true, false, '']],
  ])('is read as %s with %d filled by the order "%s": accepted, entered, end', (status, filled, id, expected) => {
    const { accepted, entered, end } = basket(status, [leg(1, 'BUY', filled, { order_id: id })]);
    expect([accepted, entered, end]).toEqual(expected);
  });

  test('is accepted with one of its two legs, and entered with both', () => {
    const refused = basket('REJECTED', [leg(1, 'BUY', 0), leg(2, 'BUY', 0, { order_status: 'ORDER_STATUS_REJECTED' })]);
    expect(refused.accepted).toBe(true);
    expect(basket('CLOSED', [leg(1, 'BUY', 10), leg(2, 'BUY', 9)]).entered).toBe(false);
  });

  test('was never entered where it was closed without a leg', () => {
    expect(basket('CLOSED', [])).toMatchObject({ entered: false, times: { created: '0' } });
  });

  test('tells no time of its placing where one of its orders tells none', () => {
    expect(basket('OPEN', [leg(1, 'BUY', 0), leg(2, 'BUY', 0, { order_time: null })]).times.created).toBe('0');
    expect(basket('OPEN', [leg(1, 'BUY', 0, { order_time: '99' }), leg(2, 'BUY', 0)]).times.created).toBe('22');
    expect(basket('OPEN', [leg(1, 'BUY', 0, { filled_time: '99' }), leg(2, 'BUY', 0)]).times.filled).toBe('99');
  });

  test('has each of its given exits as a possible cause where it was closed', () => {
    const given = { stoploss_price: 1, exit_price: 2, exit_time: '15:15' };
    expect(basket('CLOSED', [leg(1, 'BUY', 10)], given).causes).toEqual([
      'stopLossTriggered',
      'targetTriggered',
      'unsolicitedCancel',
      'exitTimeReached',
    ]);
    expect(basket('CLOSED', [leg(1, 'BUY', 10)], { exit_price: 2, exit_time: null }).causes).toEqual([
      'targetTriggered',
    ]);
    expect(basket('FILLED', [leg(1, 'BUY', 10)], given).causes).toEqual([]);
  });

  test('tells its quantities, exits and times where it is of intent orders', () => {
    const more: JsonObject = {
      intent_status: 'EXECUTED',
      order_qty: 5,
      filled_qty: 3,
      validity_type: 'VALIDITY_TYPE_DAY',
      exits: [{ kind: 'STOPLOSS', status: 'FILLED', trigger_price: 9, filled_qty: 3 }],
      order_time: '11',
      filled_time: '12',
      closed_time: '13',
    };
    expect(basket('CLOSED', [leg(1, 'SELL', 6)], { order_side: 'ORDER_SIDE_SELL' }, more)).toMatchObject({
      isWhole: true,
      side: 'BUY',
      quantity: 5,
      filled: 3,
      validity: 'DAY',
      exits: [{ kind: 'stop', status: 'FILLED' }],
      times: { created: '11', accepted: '0', filled: '12', modified: '0', updated: '13' },
    });
  });
});
