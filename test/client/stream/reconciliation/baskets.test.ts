/** Baskets: one strategy on the stream, several orders in the list. */
import { describe, expect, test } from '@jest/globals';
import { passesFilter } from '../../../../client/stream/delivery/filter';
import { readFrame } from '../../../../client/stream/account-feed/frames';
import { orderOutput } from '../../../../client/stream/delivery/order-output';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import type { OrderEvent } from '../../../../client/stream/reconciliation/types';
import { readOrderMessage } from '../../../../client/stream/reconciliation/order-message';
import { typeOf } from '../../../proto/support';
import { EVERYTHING } from '../instance';
import { wrap } from '../wire';

const BASKET = '1758012345678900001';
const type = typeOf('SvcToClientIntentUpdate');
let at = 0;

/** A message of the basket; `filled` is what its entry has filled of each leg. */
function sendFill(
  reconciler: OrderReconciler,
  response: number,
  filled: [number, number],
  trade?: { refId: number; quantity: number },
  request = 1,
  more: object = {},
): OrderEvent[] {
  at += 1;
  const message = type.fromObject({
    intentOrderResponse: {
      intentOrderId: BASKET,
      orderStatus: response === 8 ? 2 : 1,
      isMulti: true,
      intentOrderType: 4,
      legs: [
        { refId: 1, unitQty: 1, filledQty: filled[0], filledPrice: 100 },
        { refId: 2, unitQty: -1, filledQty: filled[1], filledPrice: 200 },
      ],
      svcTimestamps: { lastUpdatedAt: String(at) },
      ...(trade ? { tradeFill: { tradeQty: trade.quantity, tradePrice: 100 * trade.refId, refId: trade.refId } } : {}),
      ...more,
    },
    intentOrderResponseType: response,
    intentOrderRequstType: request,
  });
  return repeat(reconciler, message);
}

function repeat(reconciler: OrderReconciler, message: object): OrderEvent[] {
  const frame = readFrame(wrap('AcmeToClientIntentUpdate', type.encode(message as never).finish()));
  if (frame.kind !== 'order') throw new Error('no order frame');
  const read = readOrderMessage(frame.update);
  return read ? reconciler.update(read) : [];
}

/** The orders of the basket as the list shows them: entry and exit of an instrument are two orders. */
function listed(...legs: [orderId: string, refId: number, filled: number][]) {
  return readDayOrders(
    legs.map(([orderId, refId, filled]) => ({
      order_id: orderId,
      basket_id: BASKET,
      ref_id: refId,
      order_status: 'ORDER_STATUS_OPEN',
      order_qty: 100,
      filled_qty: filled,
      avg_filled_price: 100 * refId,
    })),
  );
}

const names = (events: OrderEvent[]): string[] =>
  events.map(({ type: name, fill }) => (fill ? `${name} ${fill.refId} ${fill.from}-${fill.to}` : name));

describe('a basket', () => {
  test('is told of by its messages, entry and exit, each once', () => {
    const reconciler = new OrderReconciler();
    expect(names(sendFill(reconciler, 1, [0, 0]))).toEqual(['accepted']);
    expect(names(sendFill(reconciler, 3, [10, 0], { refId: 1, quantity: 10 }))).toEqual(['fill 1 0-10']);
    expect(names(sendFill(reconciler, 3, [10, 10], { refId: 2, quantity: 10 }))).toEqual(['fill 2 0-10']);
    const entered = sendFill(reconciler, 8, [10, 10]);
    expect(names(entered)).toEqual(['executed']);
    expect(entered[0]).toMatchObject({ step: 'entered' });
    expect(names(sendFill(reconciler, 5, [10, 10]))).toEqual(['stopLossTriggered']);
    expect(names(sendFill(reconciler, 3, [10, 10], { refId: 1, quantity: 10 }))).toEqual(['fill 1 10-20']);
    const closed = sendFill(reconciler, 8, [10, 10], undefined, 3);
    expect(names(closed)).toEqual(['executed']);
    const options = { environment: 'sandbox', unit: 'rupees', raw: false } as const;
    expect(orderOutput(closed[0]!, { ...options, hasLabels: true })).toMatchObject({ basket_step: 'closed' });
    expect(orderOutput(closed[0]!, options)).not.toHaveProperty('basket_step');
    expect(reconciler.ahead(listed(['11', 1, 10], ['12', 2, 10], ['13', 1, 10]))).toEqual([]);
  });

  test('says of what each trade is: entry, exit, or closed on request', () => {
    const trades = (events: OrderEvent[]): unknown[] =>
      events
        .filter(({ fill }) => fill)
        .map((event) => {
          const { fill_of: of, trade_side: side } = orderOutput(event, {
            environment: 'sandbox',
            unit: 'rupees',
            raw: false,
          });
          return [event.fill?.refId, of, side];
        });
    const stopped = new OrderReconciler();
    expect(trades(sendFill(stopped, 3, [10, 0], { refId: 1, quantity: 10 }))).toEqual([[1, 'entry', 'BUY']]);
    expect(trades(sendFill(stopped, 3, [10, 10], { refId: 2, quantity: 10 }))).toEqual([[2, 'entry', 'SELL']]);
    const exitTriggers = [
      { kind: 1, status: 3 },
      { kind: 4, status: 1 },
    ];
    expect(trades(sendFill(stopped, 3, [10, 10], { refId: 2, quantity: 10 }, 1, { exitTriggers }))).toEqual([
      [2, 'time', 'BUY'],
    ]);
    const closed = new OrderReconciler();
    sendFill(closed, 3, [10, 0], { refId: 1, quantity: 10 });
    sendFill(closed, 1, [10, 0], undefined, 3);
    expect(trades(sendFill(closed, 3, [10, 0], { refId: 1, quantity: 10 }))).toEqual([[1, 'close', 'SELL']]);
    const resumed = new OrderReconciler();
    expect(
      trades(sendFill(resumed, 3, [10, 0], { refId: 1, quantity: 10 }, 1, { executionMode: 'EXECUTION_MODE_EXIT' })),
    ).toEqual([[1, 'close', 'SELL']]);
  });

  test('is told of once where its message comes twice', () => {
    const reconciler = new OrderReconciler();
    const message = type.fromObject({
      intentOrderResponse: {
        intentOrderId: BASKET,
        isMulti: true,
        legs: [{ refId: 1, filledQty: 5 }],
        svcTimestamps: { lastUpdatedAt: '9' },
        tradeFill: { tradeQty: 5, tradePrice: 100, refId: 1 },
      },
      intentOrderResponseType: 3,
    });
    expect(names(repeat(reconciler, message))).toEqual(['accepted', 'fill 1 0-5']);
    expect(repeat(reconciler, message)).toEqual([]);
  });

  test('is told once of a trade whose message comes again under another time', () => {
    const reconciler = new OrderReconciler();
    sendFill(reconciler, 1, [0, 0]);
    const first = { refId: 1, quantity: 4 };
    expect(names(sendFill(reconciler, 3, [4, 0], first))).toEqual(['fill 1 0-4']);
    expect(sendFill(reconciler, 3, [4, 0], first)).toEqual([]);
    expect(names(sendFill(reconciler, 3, [10, 0], { refId: 1, quantity: 6 }))).toEqual(['fill 1 4-10']);
    sendFill(reconciler, 3, [10, 10], { refId: 2, quantity: 10 });
    sendFill(reconciler, 8, [10, 10]);
    sendFill(reconciler, 5, [10, 10]);
    const last = { refId: 1, quantity: 10 };
    expect(names(sendFill(reconciler, 3, [10, 10], last))).toEqual(['fill 1 10-20']);
    expect(sendFill(reconciler, 3, [10, 10], last)).toEqual([]);
  });

  test('recovers a trade that did not come from its orders, under the basket, and does not tell it again when it comes late', () => {
    const reconciler = new OrderReconciler();
    sendFill(reconciler, 1, [0, 0]);
    const orders = listed(['11', 1, 10], ['12', 2, 4]);
    expect(reconciler.ahead(orders).map(({ orderId }) => orderId)).toEqual(['11', '12']);
    const missed = reconciler.recover(orders);
    expect(names(missed)).toEqual(['fill 1 0-10', 'fill 2 0-4']);
    expect(missed.every(({ recovered, order }) => recovered && order.orderId === BASKET)).toBe(true);
    expect(sendFill(reconciler, 3, [10, 0], { refId: 1, quantity: 10 })).toEqual([]);
    expect(names(sendFill(reconciler, 3, [10, 6], { refId: 2, quantity: 6 }))).toEqual(['fill 2 4-6']);
    expect(reconciler.recover(orders)).toEqual([]);
  });

  test('tells of the next trade at once where a recovered one never comes, when what was sent before must have arrived', () => {
    const reconciler = new OrderReconciler();
    reconciler.recover(listed(['11', 1, 10]));
    reconciler.confirmedOrders();
    expect(sendFill(reconciler, 3, [4, 0], { refId: 1, quantity: 4 })).toEqual([]);
    reconciler.confirmedOrders();
    expect(names(sendFill(reconciler, 3, [13, 0], { refId: 1, quantity: 3 }))).toEqual(['fill 1 10-13']);
  });

  test('is past where it was there before', () => {
    const reconciler = new OrderReconciler();
    reconciler.baseline(listed(['11', 1, 10]));
    expect(reconciler.ahead(listed(['11', 1, 10]))).toEqual([]);
    expect(names(reconciler.recover(listed(['11', 1, 10], ['13', 1, 3])))).toEqual(['fill 1 10-13']);
  });

  test('names the instrument of each fill, live and recovered, where it has several', () => {
    const requested = (symbol: string, event: OrderEvent): boolean =>
      passesFilter({ ...EVERYTHING, instruments: [symbol] }, event);
    const output = (event: OrderEvent): unknown[] => {
      const { ref_id: refId, symbol } = orderOutput(event, { environment: 'sandbox', unit: 'rupees', raw: false });
      return [refId, symbol, requested('CALL', event), requested('PUT', event)];
    };
    const legs = [
      { refId: 1, unitQty: 1, filledQty: 4, refdata: { refId: 1, stockName: 'CALL' } },
      { refId: 2, unitQty: 1, filledQty: 4, refdata: { refId: 2, stockName: 'PUT' } },
    ];
    const message = type.fromObject({
      intentOrderResponse: {
        intentOrderId: BASKET,
        isMulti: true,
        legs,
        svcTimestamps: { lastUpdatedAt: '9' },
        tradeFill: { tradeQty: 4, tradePrice: 100, refId: 2 },
      },
      intentOrderResponseType: 3,
    });
    expect(
      repeat(new OrderReconciler(), message)
        .filter(({ fill }) => fill)
        .map(output),
    ).toEqual([[2, 'PUT', false, true]]);
    const order = (id: string, refId: number, symbol: string) => ({
      order_id: id,
      basket_id: BASKET,
      ref_id: refId,
      order_status: 'ORDER_STATUS_FILLED',
      order_qty: 4,
      filled_qty: 4,
      ref_data: { stock_name: symbol },
    });
    const recovered = new OrderReconciler().recover(readDayOrders([order('11', 1, 'CALL'), order('12', 2, 'PUT')]));
    expect(recovered.filter(({ fill }) => fill).map(output)).toEqual([
      [1, 'CALL', true, false],
      [2, 'PUT', false, true],
    ]);
  });

  test('is handed on to one who joins later', () => {
    const first = new OrderReconciler();
    first.recover(listed(['11', 1, 10]));
    const second = new OrderReconciler();
    expect(names(second.recover(first.views()))).toEqual(['accepted', 'fill 1 0-10']);
  });
});
