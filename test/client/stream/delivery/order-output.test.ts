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
