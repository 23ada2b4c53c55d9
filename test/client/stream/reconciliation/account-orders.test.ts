/** What becomes of the messages that wait for the comparison at a connection. */
import { describe, expect, test } from '@jest/globals';
import { AccountOrders, type OrdersEvent } from '../../../../client/stream/reconciliation/account-orders';
import { readDayOrders } from '../../../../client/stream/reconciliation/order-record';
import type { OrderSnapshot } from '../../../../client/stream/reconciliation/types';
import { VirtualClock } from '../../../support/clock';
import { FOREVER } from '../listening';
import { updateOf } from '../wire';

const CREATED = '1795165545000000000';

/** An account with one stop-loss order, and all events of it in order. */
function account(listed: () => OrderSnapshot[]): { orders: AccountOrders; types: () => string[] } {
  const told: OrdersEvent[] = [];
  const deps = {
    clock: new VirtualClock(),
    orders: async () => await Promise.resolve({ orders: listed(), ahead: undefined }),
    baskets: async () => await Promise.resolve(undefined),
  };
  const types = (): string[] =>
    told.flatMap((event) => ('events' in event ? event.events.map(({ type }) => type) : []));
  return { orders: new AccountOrders(deps, true, (event) => told.push(event)), types };
}

function stopLoss(status: string): OrderSnapshot[] {
  return readDayOrders([
    {
      ...{ order_id: '5', ref_id: 7, order_qty: 10, order_price: 100, price_type: 'LIMIT' },
      ...{ order_type: 'ORDER_TYPE_STOPLOSS', order_status: `ORDER_STATUS_${status}`, order_time: CREATED },
    },
  ]);
}

const message = (response: number, request: number, orderStatus: number): ReturnType<typeof updateOf> =>
  updateOf(
    { intentOrderId: '5', orderStatus, refId: 7, orderQty: 10, orderPrice: 100, priceType: 1, intentOrderType: 2 },
    [response, request],
  );

describe('messages that wait for the list', () => {
  test('tell of a trigger before the list tells of the end', async () => {
    let listed = stopLoss('OPEN');
    const { orders, types } = account(() => listed);
    await orders.look(FOREVER);
    orders.hold();
    orders.take(message(4, 1, 1));
    orders.take(message(9, 1, 5));
    listed = stopLoss('CANCELLED');
    await orders.catchUp(FOREVER);
    expect(types()).toEqual(['entryTriggered', 'cancelled']);
  });
});
