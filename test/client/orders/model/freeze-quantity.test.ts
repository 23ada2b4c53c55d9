import { maxPerOrder, slicesOf } from '../../../../client/orders/model/freeze-quantity';
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

it('cuts a quantity: all but the last are full', () => {
  expect(slicesOf(1755, 1755)).toEqual([1755]);
  expect(slicesOf(3900, 1755)).toEqual([1755, 1755, 390]);
  expect(slicesOf(3510, 1755)).toEqual([1755, 1755]);
});
