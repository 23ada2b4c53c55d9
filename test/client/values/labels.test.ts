/** Words of the service in words of people. */
import { productChoice, productLabel, sideLabel, statusLabel } from '../../../client/values/labels';

test.each([
  [{ product: 'ORDER_DELIVERY_TYPE_IDAY' }, 'Intraday'],
  [{ product: 'IDAY' }, 'Intraday'],
  [{ product: 'IDAY', derivative_type: 'FUT' }, 'Intraday'],
  [{ product: 'ORDER_DELIVERY_TYPE_CNC' }, 'Delivery'],
  [{ product: 'CNC' }, 'Delivery'],
  [{ product: 'CNC', derivative_type: '' }, 'Delivery'],
  [{ product: 'CNC', derivative_type: 'FUT' }, 'Carried over'],
  [{ product: 'CNC', derivative_type: 'OPT' }, 'Carried over'],
  [{ product: 'ORDER_DELIVERY_TYPE_MTF' }, 'MTF'],
  [{ product: 'NEW_ORDER_DELIVERY_TYPE_CNC' }, 'NEW_ORDER_DELIVERY_TYPE_CNC'],
  [{ product: null }, ''],
  [{}, ''],
])('the product of %j is %j', (record, label) => {
  expect(productLabel(record)).toBe(label);
});

test('a product is named as the panel names it', () => {
  expect([productChoice('CNC'), productChoice('IDAY')]).toEqual(['Delivery (CNC)', 'Intraday (IDAY)']);
});

test.each([
  [{ order_side: 'ORDER_SIDE_BUY' }, 'Bought'],
  [{ order_side: 'BUY', segment: 'open' }, 'Bought'],
  [{ order_side: 'ORDER_SIDE_SELL' }, 'Sold'],
  [{ order_side: 'C' }, 'Closed'],
  [{ order_side: 'BUY', segment: 'closed' }, 'Closed'],
  [{ order_side: 'ORDER_SIDE_HOLD' }, 'HOLD'],
  [{}, ''],
])('the side of %j is %j', (record, label) => {
  expect(sideLabel(record)).toBe(label);
});

test.each([
  ['CANCELLED', 'Cancelled'],
  ['CLOSED', 'Closed'],
  ['EXPIRED', 'Expired'],
  ['FILLED', 'Filled'],
  ['GTE', 'Waiting until its date'],
  ['OPEN', 'Open'],
  ['PARTIAL_FILLED', 'Partly filled'],
  ['PENDING', 'On its way'],
  ['REJECTED', 'Rejected'],
  ['SETTLED', 'Settled'],
  ['TRIGGERED', 'Triggered'],
  ['FROZEN', 'FROZEN'],
  ['constructor', 'constructor'],
  ['', ''],
])('the status %j is %j', (status, label) => {
  expect(statusLabel(status)).toBe(label);
});
