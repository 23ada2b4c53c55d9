/** Text that the user reads of an event. */
import { expect, test } from '@jest/globals';
import { connectionOutput, orderOutput } from '../../../../client/stream/delivery/order-output';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import type { Fill } from '../../../../client/stream/reconciliation/types';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';

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

test('a trade is of its entry or of an exit, which trades on the other side', () => {
  const output = (order: Partial<OrderSnapshot>, fill: Partial<Fill>): unknown[] => {
    const [event] = new OrderReconciler().recover(
      readDayOrders([{ order_id: '5', ref_id: 7, order_side: 'ORDER_SIDE_BUY', order_status: 'ORDER_STATUS_OPEN' }]),
    );
    const whole = { refId: 7, quantity: 3, price: 150_000, from: 0, to: 3, exact: true, ...fill };
    const item = orderOutput(
      { ...event!, type: 'fill', order: { ...event!.order, ...order }, fill: whole },
      { environment: 'sandbox', unit: 'rupees', raw: false },
    );
    return [item.fill_of, item.trade_side, item.trade_price, item.trade_value];
  };
  expect(output({}, {})).toEqual(['entry', 'BUY', 1500, 4500]);
  expect(output({}, { of: 'stop', price: 0 })).toEqual(['stop', 'SELL', null, null]);
  expect(output({ side: 'SELL' }, { of: 'target' })).toEqual(['target', 'BUY', 1500, 4500]);
  const legs = [
    { refId: 1, filled: 0, averagePrice: 0, side: 'BUY' },
    { refId: 7, filled: 0, averagePrice: 0, side: 'SELL' },
  ];
  expect(output({ kind: 'strategy', legs }, { part: 'entry' })).toEqual(['entry', 'SELL', 1500, 4500]);
  expect(output({ kind: 'strategy', legs }, { part: 'close' })).toEqual(['close', 'BUY', 1500, 4500]);
  expect(output({ kind: 'strategy', legs }, {})).toEqual([null, 'BUY', 1500, 4500]);
  expect(output({ kind: 'strategy', legs }, { refId: 9, part: 'entry' })).toEqual(['entry', null, 1500, 4500]);
});

test('an order reads as in its record, and tells of an exit, a trigger and a reason only where there is one', () => {
  const [event] = new OrderReconciler().recover(
    readDayOrders([
      {
        ...{
          order_id: '5',
          basket_id: '0',
          ref_id: 7,
          order_side: 'ORDER_SIDE_BUY',
          order_status: 'ORDER_STATUS_OPEN',
        },
        ...{ order_type: 'ORDER_TYPE_REGULAR', order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC', price_type: 'LIMIT' },
        ...{ validity_type: 'DAY', order_qty: 10, order_price: 150_000, tag: 'mine', ack_time: '1795165546000000000' },
        ...{
          exchange: 'NSE',
          display_name: 'Infosys',
          ref_data: { stock_name: 'INFY', plat_name: 'STOCK_INFY.NSECM' },
        },
      },
    ]),
  );
  const options = { environment: 'sandbox', unit: 'rupees', raw: true } as const;
  const item = {
    ...{
      event: 'accepted',
      recovered: true,
      order_id: '5',
      order_status: 'OPEN',
      symbol: 'INFY',
      display_name: 'Infosys',
    },
    ...{ exchange: 'NSE', order_side: 'BUY', order_qty: 10, filled_qty: 0, order_price: 1500, avg_filled_price: 0 },
    ...{ order_type: 'REGULAR', order_delivery_type: 'CNC', price_type: 'LIMIT', validity_type: 'DAY', tag: 'mine' },
    ...{ event_time: '1795165546000000000', event_time_ist: expect.stringMatching(/^2026-11-20T/), ref_id: 7 },
    ...{ plat_name: 'STOCK_INFY.NSECM', environment: 'sandbox' },
  };
  expect(orderOutput(event!, options)).toEqual(item);
  const order = { ...event!.order, triggerPrice: 149_000, reason: 'why', basketId: '9', tags: [] };
  const exit = { kind: 'stop', status: 'OPEN', trigger: 148_000, trails: false } as const;
  const raw = { any: 1 } as never;
  const more = { trigger_price: 1490, rejection_reason: 'why', basket_id: '9', tag: '' };
  expect(orderOutput({ ...event!, order, exit, raw }, options)).toEqual({
    ...{ ...item, ...more, exit_kind: 'stop', exit_trigger_price: 1480, raw: { any: 1 } },
  });
  const timed = orderOutput({ ...event!, order, exit: { ...exit, kind: 'time' }, raw }, { ...options, raw: false });
  expect(timed).toEqual({ ...item, ...more, exit_kind: 'time', exit_trigger_price: null });
});

test('a connection that is restored tells how long it was lost, and what was recovered', () => {
  const event = { key: 'k', at: Date.parse('2026-11-23T10:00:00+05:30'), reason: 'why', downMs: 1_500, recovered: 2 };
  const options = { environment: 'uat', unit: 'rupees', raw: false } as const;
  const item = { reason: 'why', event_time_ist: '2026-11-23T10:00:00.000+05:30', environment: 'uat' };
  expect(connectionOutput({ ...event, type: 'connectionLost' }, options)).toEqual({ event: 'connectionLost', ...item });
  expect(connectionOutput({ ...event, type: 'connectionRestored' }, options)).toEqual({
    ...{ event: 'connectionRestored', down_seconds: 1.5, recovered_events: 2, ...item },
  });
});
