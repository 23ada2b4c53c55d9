/**
 * Differences that make a record another order or basket than the wanted one, and which of them lead to a new order.
 */
import type { BasketRecord } from '../../../client/endpoints/baskets';
import type { OrderRecord } from '../../../client/endpoints/orders';
import type { BasketTerms } from '../../../client/orders/model/basket-terms';
import type { OrderTerms } from '../../../client/orders/model/order-terms';
import { BASKET, ORDER } from '../../../client/orders/placing/order-or-basket';
import { LIMIT_BUY, SPREAD } from './support';

const TERMS: OrderTerms = { ...LIMIT_BUY, kind: 'STOPLOSS', triggerPrice: 150_000, legSize: 5 };
const SHOWN = {
  ref_id: 7,
  order_side: 'ORDER_SIDE_BUY',
  order_qty: 10,
  order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
  order_type: 'ORDER_TYPE_STOPLOSS',
  price_type: 'LIMIT',
  order_price: 150_005,
  trigger_price: 150_000,
  leg_size: 5,
  validity_type: 'DAY',
};
const differences = (terms: Partial<OrderTerms>, shown: object): string[] =>
  ORDER.differencesOf({ ...TERMS, ...terms }, { ...SHOWN, ...shown } as unknown as OrderRecord).map(
    ({ what, isOther }) => `${what}${isOther ? ' (another)' : ''}`,
  );

it.each<[object, string[]]>([
  [{}, []],
  [{ ref_id: 8 }, ['instrument (another)']],
  [{ ref_id: null }, ['instrument (another)']],
  [{ order_side: 'ORDER_SIDE_SELL' }, ['side (another)']],
  [{ order_side: null }, ['side (another)']],
  [{ order_qty: 20 }, ['quantity']],
  [{ order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY' }, ['product']],
  [{ order_type: 'ORDER_TYPE_REGULAR' }, ['order type']],
  [{ price_type: 'MARKET' }, ['price type']],
  [{ order_price: 150_010 }, ['limit price']],
  [{ trigger_price: 149_000 }, ['trigger price']],
  [{ leg_size: 4 }, ['leg size']],
  [{ validity_type: 'IOC' }, ['validity']],
  [{ order_qty: 20, validity_type: 'IOC' }, ['quantity', 'validity']],
  // What a record does not tell makes no difference.
  [{ order_qty: 0, order_price: 0, trigger_price: null, leg_size: null, order_type: 'ORDER_TYPE_MARKET' }, []],
])('an order that shows %j differs in %j', (shown, what) => {
  expect(differences({}, shown)).toEqual(what);
});

it('an order that waits for a condition may be shown as a stop loss, and one at the market as Immediate or Cancel', () => {
  expect(differences({ kind: 'REGULAR', condition: { when: 'AT_OR_ABOVE', price: 150_000 } }, {})).toEqual([]);
  expect(differences({ kind: 'REGULAR' }, {})).toEqual(['order type']);
  const atMarket = { priceType: 'MARKET', price: undefined } as const;
  expect(differences(atMarket, { price_type: 'MARKET', order_price: 0, validity_type: 'IOC' })).toEqual([]);
});

it('an order that was rejected is told as such, and no other', () => {
  const of = (order_status: string) => ORDER.rejectionOf({ ...SHOWN, order_status } as unknown as OrderRecord, 't');
  expect(of('ORDER_STATUS_REJECTED')).toMatchObject({ tag: 't' });
  expect(of('ORDER_STATUS_CANCELLED')).toBeUndefined();
});

const LEGS = [
  { ref_id: 9, order_side: 'ORDER_SIDE_BUY', order_qty: 65 },
  { ref_id: 10, order_side: 'ORDER_SIDE_SELL', order_qty: 65 },
];
const PARAMS = {
  order_side: 'ORDER_SIDE_BUY',
  price_type: 'LIMIT',
  entry_price: 1_000,
  exit_price: 1_500,
  stoploss_price: 800,
  multiplier: 1,
};
const BASKET_TERMS: BasketTerms = { ...SPREAD, targetPrice: 1_500, stopLossPrice: 800 };
const basketDifferences = (terms: Partial<BasketTerms>, shown: object): string[] =>
  BASKET.differencesOf({ ...BASKET_TERMS, ...terms }, {
    basket_name: 'spread',
    orders: LEGS,
    basket_params: PARAMS,
    ...shown,
  } as unknown as BasketRecord).map(({ what, isOther }) => `${what}${isOther ? ' (another)' : ''}`);

it.each<[Partial<BasketTerms>, object, string[]]>([
  [{}, {}, []],
  [{}, { basket_name: 'other' }, ['name']],
  [{}, { basket_params: { ...PARAMS, order_side: 'ORDER_SIDE_SELL' } }, ['side (another)']],
  [{}, { basket_params: { ...PARAMS, price_type: 'MARKET' } }, ['price type']],
  [{}, { basket_params: { ...PARAMS, entry_price: 1_005 } }, ['limit price']],
  [{}, { basket_params: { ...PARAMS, exit_price: 1_505 } }, ['target price']],
  [{}, { basket_params: { ...PARAMS, stoploss_price: 805 } }, ['stop-loss price']],
  [{}, { basket_params: { ...PARAMS, multiplier: 2 } }, ['multiplier']],
  [{}, { basket_params: null }, []],
  [{}, { basket_params: { entry_price: null, exit_price: null, stoploss_price: null, multiplier: null } }, []],
  [{}, { orders: [LEGS[0]] }, []],
  [{}, { orders: [{ ...LEGS[0], ref_id: 11 }] }, ['set of legs (another)']],
  [{}, { orders: [{ ...LEGS[0], order_side: 'ORDER_SIDE_SELL' }] }, ['set of legs (another)']],
  [{}, { orders: [{ ...LEGS[0], order_qty: 130 }] }, ['set of legs (another)']],
  [{}, { orders: [{ ref_id: 0, order_side: null, order_qty: 0 }] }, []],
  [{ multiplier: 2 }, { orders: [{ ...LEGS[0], order_qty: 130 }], basket_params: { multiplier: 2 } }, []],
  [{ isByOffset: true }, { orders: [{ ...LEGS[0], ref_id: 11 }] }, ['set of legs']],
])('a basket of %j that shows %j differs in %j', (terms, shown, what) => {
  expect(basketDifferences(terms, shown)).toEqual(what);
});

it('a basket that was rejected is told with its id, and no other; its reply is whole with all legs', () => {
  const of = (basket_status: string) => BASKET.rejectionOf({ basket_id: '5', basket_status } as BasketRecord, 't');
  expect(of('BASKET_STATUS_REJECTED')).toMatchObject({ id: { basket_id: '5' }, message: 'The basket was rejected.' });
  expect(of('BASKET_STATUS_CANCELLED')).toBeUndefined();
  expect([BASKET.isWhole(SPREAD, { orders: LEGS }), BASKET.isWhole(SPREAD, { orders: [LEGS[0]!] })]).toEqual([
    true,
    false,
  ]);
  expect(BASKET.ordersOf({ ...SPREAD, multiplier: 3 })).toMatchObject([
    { quantity: 195, side: 'BUY', product: 'IDAY', priceType: 'MARKET' },
    { quantity: 195, side: 'SELL' },
  ]);
});
