/** Figures that cannot be: fills without a price, and messages that contradict themselves. */
import { describe, expect, test } from '@jest/globals';
import { fillPriceIn } from '../../../../client/values/market-price';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import { readOrderMessage, type OrderMessage } from '../../../../client/stream/reconciliation/order-message';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import type { OrderEvent } from '../../../../client/stream/reconciliation/types';
import { packState, unpackState } from '../../../../client/stream/reconciliation/state-codec';
import { updateOf } from '../wire';

const NO_PRICES = [0, -100, 2 ** 31 - 1];

const listed = (filled: number, average: number) =>
  readDayOrders([
    {
      ...{ order_id: '5', ref_id: 7, order_qty: 10, order_price: 100, price_type: 'LIMIT', filled_qty: filled },
      ...{ order_type: 'ORDER_TYPE_REGULAR', order_side: 'ORDER_SIDE_BUY', avg_filled_price: average },
      order_status: filled === 10 ? 'ORDER_STATUS_FILLED' : 'ORDER_STATUS_OPEN',
    },
  ]);
const filled = (total: number, quantity: number, price: number, average: number): OrderMessage =>
  readOrderMessage(
    updateOf(
      {
        ...{ intentOrderId: '5', orderStatus: 1, refId: 7, orderQty: 10, filledQty: total, filledPrice: average },
        ...{ orderSide: 1, priceType: 1, intentOrderType: 1, orderPrice: 100 },
        tradeFill: { tradeQty: quantity, tradePrice: price, refId: 7 },
      },
      [3, 1],
    ),
  )!;

/** Quantity and price of each fill; null for no price. */
const fills = (events: readonly OrderEvent[]) =>
  events.flatMap(({ fill }) => (fill ? [[fill.quantity, fillPriceIn(fill.price) ?? null]] : []));

describe('the price of a fill after one without a price', () => {
  test.each(NO_PRICES)('is none by lists: %d', (none) => {
    const reconciler = new OrderReconciler();
    expect(fills(reconciler.recover(listed(5, none)))).toEqual([[5, null]]);
    expect(fills(reconciler.recover(listed(10, 100)))).toEqual([[5, null]]);
  });

  test.each(NO_PRICES)('is none by the stream, then a list: %d', (none) => {
    const reconciler = new OrderReconciler();
    expect(fills(reconciler.update(filled(5, 5, none, none)))).toEqual([[5, null]]);
    expect(fills(reconciler.recover(listed(10, 100)))).toEqual([[5, null]]);
  });

  test.each(NO_PRICES)('is none by a trade after one that was missed: %d', (none) => {
    const reconciler = new OrderReconciler();
    expect(fills(reconciler.update(filled(10, 5, none, 100)))).toEqual([
      [5, null],
      [5, null],
    ]);
  });

  test.each(NO_PRICES)('is none by an average beside a trade: %d', (none) => {
    const reconciler = new OrderReconciler();
    expect(fills(reconciler.update(filled(10, 5, 100, none)))).toEqual([
      [5, null],
      [5, 100],
    ]);
  });

  test('is none over a restart', () => {
    const before = new OrderReconciler();
    before.recover(listed(5, 0));
    const after = new OrderReconciler();
    after.resume('5', unpackState(packState(before.stateOf('5')!))!);
    expect(fills(after.recover(listed(10, 100)))).toEqual([[5, null]]);
  });
});
