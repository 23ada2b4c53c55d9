import { mostPerOrder, partsOf } from '../../../../client/orders/model/freeze-quantity';
import { INFY, NIFTY_FUT } from '../support';

it('is the freeze quantity of the underlying, in whole lots', () => {
  expect(mostPerOrder(NIFTY_FUT)).toBe(1755);
  expect(mostPerOrder({ ...NIFTY_FUT, asset: 'MIDCPNIFTY', lotSize: 120 })).toBe(2760);
  expect(mostPerOrder({ ...NIFTY_FUT, exchange: 'BSE', asset: 'sensex', lotSize: 20 })).toBe(1000);
  expect(mostPerOrder({ ...NIFTY_FUT, asset: 'M&M', lotSize: 200 })).toBe(8_000);
});

it('is not known of shares and of other underlyings, unless somebody says it', () => {
  expect(mostPerOrder(INFY)).toBeUndefined();
  expect(mostPerOrder({ ...NIFTY_FUT, exchange: 'BSE' })).toBeUndefined();
  expect(mostPerOrder(INFY, 7)).toBe(7);
  expect(mostPerOrder(NIFTY_FUT, 200)).toBe(195);
  expect(mostPerOrder(NIFTY_FUT, 1)).toBe(65);
});

it('cuts a quantity: all but the last are full', () => {
  expect(partsOf(1755, 1755)).toEqual([1755]);
  expect(partsOf(3900, 1755)).toEqual([1755, 1755, 390]);
  expect(partsOf(3510, 1755)).toEqual([1755, 1755]);
});
