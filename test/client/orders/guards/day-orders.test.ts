import type { BasketRecord } from '../../../../client/endpoints/baskets';
import type { OrderRecord } from '../../../../client/endpoints/orders';
import { ordersOfDay } from '../../../../client/orders/guards/day-orders';
import type { PlacementContext } from '../../../../client/orders/account/placement-context';
import { knownPrice } from '../../../support/price';
import type { MarketPrice } from '../../../../client/values/market-price';

const lists = (orders: OrderRecord[], baskets: BasketRecord[]) =>
  ({ orders: { list: async () => orders }, baskets: { list: async () => baskets } }) as unknown as PlacementContext;
const leg = {
  ref_id: 9,
  order_qty: 65,
  filled_qty: 0,
  order_status: 'ORDER_STATUS_PENDING',
  order_side: 'ORDER_SIDE_BUY',
};
const basket = (given: object): BasketRecord => ({
  basket_id: '77',
  basket_status: 'BASKET_STATUS_OPEN',
  tag: 'mine',
  orders: [leg],
  ...given,
});
const price = async (): Promise<MarketPrice> => knownPrice(500);

it('adds the legs that no order shows, with the tag of their basket, at the last price', async () => {
  expect(await ordersOfDay(lists([{ order_id: '1' }], [basket({})]), price)).toEqual([
    { order_id: '1' },
    { ...leg, tag: 'mine', LTP: 500 },
  ]);
});

it('takes a leg that the list of orders shows from there', async () => {
  const listed = [{ order_id: '1', basket_id: '77', ref_id: 9 }];
  expect(await ordersOfDay(lists(listed, [basket({})]), price)).toEqual(listed);
});

it('asks the price of an open order at the market whose record shows none', async () => {
  const open = { order_id: '1', order_qty: 10, filled_qty: 0, order_status: 'ORDER_STATUS_OPEN' };
  const listed = [open, { ...open, order_id: '2', order_price: 100 }, { ...open, order_id: '3', LTP: 200 }];
  expect(await ordersOfDay(lists(listed, []), price)).toEqual([{ ...open, LTP: 500 }, ...listed.slice(1)]);
});

it('asks no price of what is filled or over', async () => {
  const never = async (): Promise<MarketPrice> => await Promise.reject(new Error('asked'));
  const filled = { ...leg, filled_qty: 65, order_status: 'ORDER_STATUS_FILLED' };
  const over = basket({ basket_status: 'BASKET_STATUS_CANCELLED', basket_id: '78' });
  expect(await ordersOfDay(lists([], [basket({ orders: { 9: filled } }), over]), never)).toEqual([
    { ...filled, tag: 'mine' },
    { ...leg, tag: 'mine', order_status: 'ORDER_STATUS_CANCELLED' },
  ]);
});

it('fails where one of the lists or a price does', async () => {
  const none = async (): Promise<never> => await Promise.reject(new Error('no price'));
  await expect(ordersOfDay(lists([], [basket({})]), none)).rejects.toThrow('no price');
});
