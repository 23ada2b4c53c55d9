/** What a person reads of an event. */
import { expect, test } from '@jest/globals';
import { orderOutput } from '../../../../client/stream/delivery/order-output';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import { readDayOrders } from '../../../../client/stream/reconciliation/order-record';

test('a cancellation that only the list shows does not say who cancelled, and says so', () => {
  const reconciler = new OrderReconciler();
  const events = reconciler.recover(readDayOrders([{ order_id: '5', order_status: 'ORDER_STATUS_CANCELLED' }]));
  const outputs = events.map((event) => orderOutput(event, { environment: 'sandbox', unit: 'rupees', raw: false }));
  expect(outputs.map(({ event, reason_known: known }) => [event, known])).toEqual([
    ['accepted', undefined],
    ['cancelled', false],
  ]);
});

test('a price that is not known is null from version 1.1 of the trigger on, and 0 before', () => {
  const reconciler = new OrderReconciler();
  const [event] = reconciler.recover(readDayOrders([{ order_id: '5', order_status: 'ORDER_STATUS_OPEN' }]));
  const options = { environment: 'sandbox', unit: 'rupees', raw: false } as const;
  const prices = { order_price: null, avg_filled_price: null };
  expect(orderOutput(event!, { ...options, unknownIsNull: true })).toMatchObject(prices);
  expect(orderOutput(event!, options)).toMatchObject({ order_price: 0, avg_filled_price: 0 });
});
