/** Single orders: messages of the stream and the day's list against what was delivered. */
import { describe, expect, test } from '@jest/globals';
import { readOrderMessage, type OrderMessage } from '../../../../client/stream/reconciliation/order-message';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import { readDayOrders } from '../../../../client/stream/reconciliation/order-record';
import type { OrderEvent, OrderSnapshot } from '../../../../client/stream/reconciliation/types';
import { updateOf } from '../wire';

describe("the day's orders", () => {
  test('may be null or wrapped, but nothing else is an empty day', () => {
    expect(readDayOrders(null)).toEqual([]);
    expect(readDayOrders({ orders: null })).toEqual([]);
    expect(readDayOrders({ orders: [] })).toEqual([]);
    expect(() => readDayOrders({ error: 'session expired' })).toThrow('could not be read');
    expect(() => readDayOrders([{}])).toThrow('order_id');
  });
  test('with the garbage time of a pending order', () => {
    const [order] = readDayOrders([
      { order_id: '5', order_time: '-6795364578871345152', order_status: 'ORDER_STATUS_PENDING' },
    ]);
    expect(order?.times.created).toBe('0');
    expect(order?.accepted).toBe(false);
  });
});

/** An acceptance (request 1: of the order, 2: of a modification) as the stream tells it. */
function readOf(request: number, price: number, modified: string, missing = '0'): OrderMessage {
  const stamps = {
    intentCreatedAt: '1795165545000000000',
    sentToColoAt: missing,
    filledAt: missing,
    cancelledAt: missing,
    lastModifiedAt: modified,
    lastUpdatedAt: missing,
  };
  const order = {
    intentOrderId: '5',
    orderStatus: 1,
    orderQty: 10,
    orderPrice: price,
    priceType: 1,
    refId: 7,
    intentOrderType: 1,
    filledAt: missing,
    svcTimestamps: stamps,
  };
  return readOrderMessage(updateOf(order, [1, request])) as OrderMessage;
}

describe('a message whose times are the garbage of those that are not there yet', () => {
  const GARBAGE = '-6795364578871345152';
  const read = (request: number, price: number, modified: string): OrderMessage =>
    readOf(request, price, modified, GARBAGE);

  test('shows none of them', () => {
    expect(Object.values(read(1, 100, GARBAGE).order.times).filter((time) => time !== '0')).toEqual([
      '1795165545000000000',
    ]);
  });
  test('does not make the modification that follows look old', () => {
    const reconciler = new OrderReconciler();
    const types = [read(1, 100, GARBAGE), read(2, 110, '1795165546000000000'), read(2, 120, '1795165547000000000')].map(
      (one) => reconciler.update(one).map(({ type }) => type),
    );
    expect(types).toEqual([['accepted'], ['modified'], ['modified']]);
  });
});

test('an order that was triggered still shows it to a trigger that begins later, though its next message does not tell', () => {
  const reconciler = new OrderReconciler();
  const accepted = readOf(1, 100, '0');
  const triggered: OrderMessage = {
    ...accepted,
    type: 'entryTriggered',
    order: { ...accepted.order, triggered: true },
  };
  for (const message of [accepted, triggered, readOf(2, 110, '1795165546000000000')]) reconciler.update(message);
  expect([...reconciler.views()].map(({ price, triggered: shows }) => [price, shows])).toEqual([[110, true]]);
});

describe('the trigger of an order that ends right after it', () => {
  const accepted = readOf(1, 100, '0');
  const told = (type: OrderMessage['type'], change: Partial<OrderSnapshot>): OrderMessage => ({
    ...accepted,
    type,
    order: { ...accepted.order, ...change },
  });
  const triggered = told('entryTriggered', { triggered: true });
  const ended = told('unsolicitedCancel', { end: 'cancelled' });
  const typesOf = (...messages: OrderMessage[]): string[] => {
    const reconciler = new OrderReconciler();
    return messages.flatMap((message) => reconciler.update(message).map(({ type }) => type));
  };

  test('does not come after the end, where the end overtook it', () => {
    expect(typesOf(accepted, ended, triggered)).toEqual(['accepted', 'unsolicitedCancel']);
  });
  test('comes before the end, where the end shows it', () => {
    const shows = told('unsolicitedCancel', { end: 'cancelled', triggered: true });
    expect(typesOf(accepted, shows, triggered)).toEqual(['accepted', 'entryTriggered', 'unsolicitedCancel']);
  });
  test.each([
    [1, true],
    [2, true],
    [0, false],
    [3, false],
  ])('is shown by the status %i of its condition: %s', (status, shows) => {
    const order = {
      ...{ intentOrderId: '5', orderStatus: 5, intentOrderType: 2, refId: 7 },
      entryConfig: { conditions: [{ threshold: 100, status }] },
    };
    expect(readOrderMessage(updateOf(order, [9, 1]))?.order.triggered).toBe(shows);
  });
});

describe('a modification that the list and the stream stamp a moment apart', () => {
  const at = (ms: number): string => `${1_795_165_546_000 + ms}000000`;
  const listed = (price: number, modified: string | null): OrderSnapshot[] =>
    readDayOrders([
      {
        order_id: '5',
        ref_id: 7,
        order_qty: 10,
        order_price: price,
        price_type: 'LIMIT',
        order_status: 'ORDER_STATUS_OPEN',
        order_time: at(-1_000),
        ack_time: at(-900),
        last_modified: modified,
      },
    ]);
  const told = (price: number, modified: string): OrderMessage => readOf(2, price, modified);
  const begun = (): OrderReconciler => {
    const reconciler = new OrderReconciler();
    reconciler.recover(listed(100, null));
    reconciler.update(readOf(1, 100, '0'));
    return reconciler;
  };
  const types = (events: readonly OrderEvent[]): string[] => events.map(({ type }) => type);

  test.each([300, -300])('comes once, whichever brings it first (%i ms)', (apart) => {
    const first = begun();
    expect(types(first.update(told(110, at(0))))).toEqual(['modified']);
    expect(first.ahead(listed(110, at(apart)))).toEqual([]);
    expect(types(first.recover(listed(110, at(apart))))).toEqual([]);
    const second = begun();
    expect(types(second.recover(listed(110, at(0))))).toEqual(['modified']);
    expect(types(second.update(told(110, at(apart))))).toEqual([]);
  });
  test('is another one with other terms, or with the same ones much later', () => {
    const reconciler = begun();
    reconciler.update(told(110, at(0)));
    expect(types(reconciler.recover(listed(120, at(300))))).toEqual(['modified']);
    expect(types(reconciler.update(told(130, at(600))))).toEqual(['modified']);
    expect(types(reconciler.update(told(120, at(5_000))))).toEqual(['modified']);
  });
});
