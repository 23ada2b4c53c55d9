import { freezeAdvice, maxPerOrder, slicesOf } from '../../../../client/orders/model/freeze-quantity';
import { INFY, NIFTY_FUT } from '../support';

it('is the freeze quantity of the underlying, in whole lots', () => {
  expect(maxPerOrder(NIFTY_FUT)).toBe(1755);
  expect(maxPerOrder({ ...NIFTY_FUT, asset: 'MIDCPNIFTY', lotSize: 120 })).toBe(2760);
  expect(maxPerOrder({ ...NIFTY_FUT, exchange: 'BSE', asset: 'sensex', lotSize: 20 })).toBe(1000);
  expect(maxPerOrder({ ...NIFTY_FUT, asset: 'M&M', lotSize: 200 })).toBe(8_000);
});

it('is not known of shares and of other underlyings, unless somebody says it', () => {
  expect(maxPerOrder(INFY)).toBeUndefined();
  expect(maxPerOrder({ ...NIFTY_FUT, exchange: 'BSE' })).toBeUndefined();
  expect(maxPerOrder(INFY, 7)).toBe(7);
  expect(maxPerOrder(NIFTY_FUT, 200)).toBe(195);
  expect(maxPerOrder(NIFTY_FUT, 1)).toBe(65);
});

it.each([
  ['lowered by a circular of today', 1_200, 1_170],
  ['raised', 2_800, 2_795],
  ['written as the first quantity that is refused', 1_756, 1_755],
  ['counted in lots, which is less than one', 27, 1_755],
  ['not told', 0, 1_755],
])('is that of the service where its list tells one: %s', (_case, freezeQuantity, most) => {
  expect(maxPerOrder({ ...NIFTY_FUT, freezeQuantity })).toBe(most);
});

it('is that of the list for an underlying that the node does not know, but for a share and a commodity', () => {
  expect(maxPerOrder({ ...NIFTY_FUT, asset: 'NEWINDEX', freezeQuantity: 1_300 })).toBe(1_300);
  expect(maxPerOrder({ ...INFY, freezeQuantity: 1_300 })).toBeUndefined();
  expect(maxPerOrder({ ...NIFTY_FUT, exchange: 'MCX', asset: 'CRUDEOIL', freezeQuantity: 10_000 })).toBeUndefined();
  expect(maxPerOrder({ ...NIFTY_FUT, freezeQuantity: 1_300 }, 200)).toBe(195);
});

it('is told of an order that is larger, if its record names the underlying', () => {
  const order = (quantity: number, asset = 'NIFTY') => ({
    ...{ order_id: '7', order_qty: quantity, exchange: 'NSE' },
    ref_data: { asset, stock_name: 'NIFTY26NOV24500CE', derivative_type: 'OPT' },
  });
  expect(freezeAdvice(order(1_820))).toBe(
    'The exchange takes at most 1,800 units of NIFTY in one order. "Order: Place" splits a larger one.',
  );
  expect(freezeAdvice(order(1_755))).toBeUndefined();
  expect(freezeAdvice(order(1_820, 'NEWINDEX'))).toBeUndefined();
  expect(freezeAdvice({ order_id: '7', order_qty: 1_820 })).toBeUndefined();
});

it('cuts a quantity: all but the last are full', () => {
  expect(slicesOf(1755, 1755)).toEqual([1755]);
  expect(slicesOf(3900, 1755)).toEqual([1755, 1755, 390]);
  expect(slicesOf(3510, 1755)).toEqual([1755, 1755]);
});
