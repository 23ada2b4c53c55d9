/** Facts that a record of a basket tells (docs/service/baskets.md#basket-record): its fills, its net price, its times and how it ended. */
import type { BasketRecord } from '../../../../client/endpoints/baskets';
import { readBasket, readDayBaskets } from '../../../../client/orders/model/basket-record';
import type { JsonObject } from '../../../../client/values/json';

const leg = (fields: JsonObject = {}): JsonObject => ({
  basket_id: '5',
  ref_id: 9,
  order_side: 'ORDER_SIDE_BUY',
  order_status: 'ORDER_STATUS_OPEN',
  order_qty: 130,
  filled_qty: 0,
  avg_filled_price: 0,
  ...fields,
});
const read = (fields: JsonObject = {}, legs: JsonObject[] = [leg(), leg({ ref_id: 10 })]) =>
  readBasket({ basket_id: '5', basket_status: 'BASKET_STATUS_OPEN', orders: legs, ...fields } as BasketRecord);
const filled = (filled_qty: number, more: JsonObject = {}): JsonObject => leg({ filled_qty, ...more });

it('is one strategy under its own number, whatever the numbers of its legs are', () => {
  const legs = [leg({ order_id: '71', order_type: 'ORDER_TYPE_REGULAR' }), leg({ order_id: '72', ref_id: 10 })];
  expect(read({ tag: 'mine' }, legs)).toMatchObject({
    kind: 'strategy',
    orderId: '5',
    basketId: '5',
    orderType: 'FLEXI',
    status: 'OPEN',
    tags: ['mine'],
    triggered: false,
    legs: [
      { refId: 9, side: 'BUY' },
      { refId: 10, side: 'BUY' },
    ],
  });
  expect(readDayBaskets([{ basket_id: '5' }, { basket_id: '6' }]).map(({ orderId }) => orderId)).toEqual(['5', '6']);
});

it.each<[string, number, JsonObject[], { quantity: number; filled: number }]>([
  ['nothing where a leg has not filled', 2, [filled(130), filled(0)], { quantity: 2, filled: 0 }],
  ['as many units as the leg that has filled least', 2, [filled(130), filled(65)], { quantity: 2, filled: 1 }],
  ['whole units only', 2, [filled(129), filled(64)], { quantity: 2, filled: 0 }],
  ['all of it where each leg has', 2, [filled(130), filled(130)], { quantity: 2, filled: 2 }],
  [
    'nothing where a leg does not tell its quantity',
    2,
    [filled(130), leg({ order_qty: 0 })],
    { quantity: 2, filled: 0 },
  ],
  ['nothing where it shows no leg yet', 2, [], { quantity: 2, filled: 0 }],
  ['one unit where it does not tell its multiplier', 0, [filled(130)], { quantity: 1, filled: 1 }],
])('it has filled %s', (_, multiplier, legs, expected) => {
  expect(read({ basket_params: { multiplier } }, legs)).toMatchObject(expected);
});

it.each<[string, JsonObject[], number]>([
  [
    'what is paid for one less what is got for the other',
    [
      filled(65, { order_qty: 65, avg_filled_price: 12_000 }),
      filled(65, { order_qty: 65, avg_filled_price: 4_000, order_side: 'ORDER_SIDE_SELL' }),
    ],
    8_000,
  ],
  [
    'negative where more is got than paid',
    [
      filled(65, { order_qty: 65, avg_filled_price: 4_000 }),
      filled(65, { order_qty: 65, avg_filled_price: 12_000, order_side: 'ORDER_SIDE_SELL' }),
    ],
    -8_000,
  ],
  [
    'each leg as often as it is in a unit',
    [
      filled(65, { order_qty: 65, avg_filled_price: 10_000 }),
      filled(130, { order_qty: 130, avg_filled_price: 3_000, order_side: 'ORDER_SIDE_SELL' }),
    ],
    4_000,
  ],
  [
    'by the greatest unit that all legs hold',
    [
      filled(130, { order_qty: 130, avg_filled_price: 1_000 }),
      filled(195, { order_qty: 195, avg_filled_price: 1_000 }),
    ],
    5_000,
  ],
  ['nothing where no leg tells its quantity', [leg({ order_qty: 0, avg_filled_price: 700 })], 0],
])('its price of a unit is %s', (_, legs, averagePrice) => {
  expect(read({}, legs).averagePrice).toBe(averagePrice);
});

describe('its times', () => {
  const at = (order_time: string, filled_time: string): JsonObject => leg({ order_time, filled_time });

  it('are those of its legs: made with the first, filled with the last', () => {
    const legs = [at('200', '900'), at('1000', '1100'), at('150', '300')];
    expect(read({}, legs).times).toMatchObject({ created: '150', filled: '1100', accepted: '0', modified: '0' });
  });

  it('are unknown where no leg tells, and made at no known time where one does not', () => {
    expect(read({}, []).times).toMatchObject({ created: '0', filled: '0' });
    expect(read({}, [at('200', '900'), at('0', '0')]).times).toMatchObject({ created: '0', filled: '900' });
  });
});

it.each<[string, string, JsonObject[], boolean]>([
  ['is filled', 'FILLED', [filled(130)], true],
  ['was closed after each leg had filled', 'CLOSED', [filled(130), filled(130)], true],
  ['was closed before each leg had filled', 'CLOSED', [filled(130), filled(65)], false],
  ['was closed and shows no leg', 'CLOSED', [], false],
  ['is open, though each leg has filled', 'OPEN', [filled(130)], false],
  ['was cancelled', 'CANCELLED', [filled(130)], false],
])('a basket that %s has entered or not', (_, status, legs, entered) => {
  expect(read({ basket_status: `BASKET_STATUS_${status}` }, legs).entered).toBe(entered);
});

it('one that was rejected was accepted before where a leg of it has reached the exchange under a number', () => {
  const rejected = (fields: JsonObject) => read({ basket_status: 'REJECTED' }, [leg(), leg(fields)]).accepted;
  expect(rejected({ order_id: '71' })).toBe(true);
  expect(rejected({})).toBe(false);
  expect(rejected({ order_id: '71', order_status: 'ORDER_STATUS_REJECTED' })).toBe(false);
  for (const status of ['OPEN', 'FILLED', 'CLOSED', 'CANCELLED'])
    expect(read({ basket_status: status }, []).accepted).toBe(true);
});

it.each<[string, JsonObject, string[]]>([
  [
    'any of its exits, or its owner',
    { stoploss_price: 5, exit_price: 9, exit_time: 'x' },
    ['stopLossTriggered', 'targetTriggered', 'unsolicitedCancel', 'exitTimeReached'],
  ],
  ['its target alone', { stoploss_price: null, exit_price: 9, exit_time: '' }, ['targetTriggered']],
  ['its owner, where it has no exit', {}, []],
])('a basket that is closed may have been closed by %s', (_, basket_params, causes) => {
  expect(read({ basket_status: 'CLOSED', basket_params })).toMatchObject({ causes, end: 'executed' });
  expect(read({ basket_status: 'FILLED', basket_params })).toMatchObject({ causes: [], end: '' });
});

it('its terms are those of the basket, and not of its first leg', () => {
  const basket_params = {
    order_side: 'ORDER_SIDE_SELL',
    order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
    price_type: 'LIMIT',
    entry_price: 1_500,
    momentum_trigger_price: 1_600,
  };
  const first = { order_price: 7, trigger_price: 8, order_delivery_type: 'CNC', price_type: 'MARKET' };
  const terms = { side: 'SELL', product: 'IDAY', priceType: 'LIMIT', price: 1_500, triggerPrice: 1_600 };
  expect(read({ basket_params }, [leg(first)])).toMatchObject(terms);
  expect(read({ basket_params: {} }, [leg(first)])).toMatchObject({ price: 0, triggerPrice: undefined });
  const unknown = { order_side: 'ORDER_SIDE_NEW', order_delivery_type: 'ORDER_DELIVERY_TYPE_MTF', price_type: 'NEW' };
  expect(read({ basket_params: unknown })).toMatchObject({ side: 'NEW', product: 'MTF', priceType: 'NEW' });
});

it('one of intent orders tells its own quantities and exits, and is bought in multiples of its base quantity', () => {
  const own = {
    intent_status: 'EXECUTED',
    basket_status: 'CLOSED',
    order_qty: 3,
    filled_qty: 2,
    validity_type: 'DAY',
    order_time: '200',
    closed_time: '900',
    exits: [{ kind: 'STOPLOSS', status: 'FILLED', trigger_price: 5 }],
  };
  expect(read({ ...own, basket_params: { multiplier: 7, order_side: 'ORDER_SIDE_SELL' } })).toMatchObject({
    isWhole: true,
    side: 'BUY',
    quantity: 3,
    filled: 2,
    validity: 'DAY',
    exits: [{ kind: 'stop', status: 'FILLED', trigger: 5 }],
    times: { created: '200', updated: '900', accepted: '0', modified: '0' },
  });
});
