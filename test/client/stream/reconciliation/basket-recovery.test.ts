/** Course of a basket as a whole while nobody listened: from the list of baskets, each step once, in order. */
import { describe, expect, test } from '@jest/globals';
import { passesFilter } from '../../../../client/stream/delivery/filter';
import { basketsInReply, readDayBaskets } from '../../../../client/orders/model/basket-record';
import { confirmedByOrders } from '../../../../client/stream/reconciliation/basket-views';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import type { OrderEvent } from '../../../../client/stream/reconciliation/types';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import { readJson } from '../../../../client/values/json';
import {
  ACCEPT,
  CANCEL,
  EXECUTED,
  FILLED,
  ID,
  REJECT,
  SL,
  instant,
  names,
  orders,
  record,
  applyMessage,
  type Message,
} from '../basket-fixture';
import { EVERYTHING } from '../instance';

describe('a basket that was not listened to', () => {
  test('is told of from its beginning to its end, in order, under the keys of the stream', () => {
    expect(names(new OrderReconciler().recover(orders(10, 10), record('CLOSED', { filled: 10 })))).toEqual([
      'accepted accepted',
      'fill 0-10 at 100 fill:1:10',
      'executed entered',
      'fill 10-20 at 200 fill:1:20',
      'executed ended',
    ]);
    const live = new OrderReconciler();
    const reported = [
      ...applyMessage(live, { response: ACCEPT, at: 2 }),
      ...applyMessage(live, { response: FILLED, at: 11, trade: 10 }),
      ...applyMessage(live, { response: EXECUTED, status: 'EXECUTED', at: 11 }),
      ...applyMessage(live, { response: FILLED, status: 'EXECUTED', at: 21, trade: 10 }),
      ...applyMessage(live, { response: EXECUTED, request: CANCEL, status: 'EXECUTED', at: 21 }),
    ];
    expect(reported.map(({ key }) => key.slice(ID.length + 1))).toEqual([
      'accepted',
      'fill:1:10',
      'entered',
      'fill:1:20',
      'ended',
    ]);
    expect(live.recover(orders(10, 10), record('CLOSED', { filled: 10 }))).toEqual([]);
  });

  test.each([
    ['PENDING', []],
    ['OPEN', ['accepted accepted']],
    ['CANCELLED', ['accepted accepted', 'cancelled ended']],
    ['REJECTED', ['rejected ended']],
    ['CLOSED', ['accepted accepted', 'executed ended']],
    ['SOMETHING_NEW', []],
  ])('shows as %s without a fill, too', (status, expected) => {
    const reconciler = new OrderReconciler();
    expect(reconciler.ahead([], record(status))).toHaveLength(expected.length > 0 ? 1 : 0);
    expect(names(reconciler.recover([], record(status)))).toEqual(expected);
    expect(reconciler.recover([], record(status))).toEqual([]);
    expect(reconciler.ahead([], record(status))).toEqual([]);
  });

  test('is not told of again when the stream brings it late, twice or in another order', () => {
    const reconciler = new OrderReconciler();
    reconciler.recover(orders(10, 10), record('CLOSED', { filled: 10 }));
    const late: Message[] = [
      { response: EXECUTED, request: CANCEL, status: 'EXECUTED', at: 21 },
      { response: FILLED, status: 'EXECUTED', at: 21, trade: 10 },
      { response: ACCEPT, at: 2 },
      { response: EXECUTED, status: 'EXECUTED', at: 11 },
      { response: FILLED, at: 11, trade: 10 },
    ];
    for (const message of [...late, ...late]) expect(applyMessage(reconciler, message)).toEqual([]);
    // What the lists do not tell is told when it comes.
    expect(names(applyMessage(reconciler, { response: SL, status: 'EXECUTED', at: 20 }))).toEqual([
      expect.stringMatching(/^stopLossTriggered live /),
    ]);
  });
});

describe('a service with its habits', () => {
  test('is heard each time where it accepts more than once', () => {
    const reconciler = new OrderReconciler();
    expect(names(applyMessage(reconciler, { response: ACCEPT, at: 2 }))).toEqual(['accepted live accepted']);
    expect(names(applyMessage(reconciler, { response: ACCEPT, at: 3 }))).toEqual([
      expect.stringMatching(/^accepted live accepted:/),
    ]);
  });
  test('is heard twice where it tells of an entry and a closing in the same way, and the list adds nothing', () => {
    const reconciler = new OrderReconciler();
    reconciler.recover(orders(10), record('OPEN', { filled: 10 }));
    expect(names(applyMessage(reconciler, { response: EXECUTED, status: 'EXECUTED', at: 11 }))).toEqual([
      'executed live entered',
    ]);
    reconciler.recover(orders(10, 10));
    expect(names(applyMessage(reconciler, { response: EXECUTED, status: 'EXECUTED', at: 21 }))).toEqual([
      expect.stringMatching(/^executed live executed:/),
    ]);
    expect(reconciler.recover(orders(10, 10), record('CLOSED', { filled: 10 }))).toEqual([]);
  });
  test('is not repeated by the list where it tells of a cancellation with the status of before', () => {
    const reconciler = new OrderReconciler();
    applyMessage(reconciler, { response: ACCEPT, at: 2 });
    expect(names(applyMessage(reconciler, { response: ACCEPT, request: CANCEL, at: 3 }))).toEqual([
      expect.stringMatching(/^cancelled live cancelled:/),
    ]);
    expect(reconciler.recover([], record('CANCELLED'))).toEqual([]);
  });
  test('tells by the list what became of a basket where its refusal of a leg is no refusal of the basket', () => {
    const reconciler = new OrderReconciler();
    applyMessage(reconciler, { response: ACCEPT, at: 2 });
    expect(applyMessage(reconciler, { response: REJECT, status: 'OPEN', at: 3 })).toHaveLength(1);
    expect(names(reconciler.recover([], record('CANCELLED')))).toEqual(['cancelled ended']);
  });
  test('is understood by what follows where it does not tell of the acceptance', () => {
    expect(names(applyMessage(new OrderReconciler(), { response: FILLED, at: 11, trade: 4 }))).toEqual([
      'accepted accepted',
      'fill 0-4 at 100 live fill:1:4',
    ]);
  });
  test('is not believed to have entered a basket whose exit began before', () => {
    const reconciler = new OrderReconciler();
    applyMessage(reconciler, { response: ACCEPT, at: 2 });
    applyMessage(reconciler, { response: ACCEPT, request: CANCEL, at: 3 });
    expect(names(reconciler.recover(orders(10, 10), record('CLOSED', { filled: 10 })))).toEqual([
      'fill 0-10 at 100 fill:1:10',
      'fill 10-20 at 200 fill:1:20',
      'executed ended',
    ]);
  });
});

describe('a recovered fill', () => {
  test('is not taken for a later trade', () => {
    const reconciler = new OrderReconciler();
    reconciler.recover(orders(10), record('OPEN', { filled: 10 }));
    expect(names(applyMessage(reconciler, { response: FILLED, at: 30, trade: 10 }))).toEqual([
      'fill 10-20 at 100 live fill:1:20',
    ]);
  });
});

describe('a list of baskets', () => {
  test('may be empty, or null, and be followed by bytes that do not belong to it', () => {
    const read = (text: string): OrderSnapshot[] =>
      readDayBaskets(basketsInReply(readJson(new TextEncoder().encode(text))) ?? []);
    expect(read('[]')).toEqual([]);
    expect(read('null\n{}')).toEqual([]);
    expect(
      read(`[{"basket_id":${ID},"basket_status":"BASKET_STATUS_OPEN","orders":{}}]\n{}`).map(
        ({ orderId, accepted }) => [orderId, accepted],
      ),
    ).toEqual([[ID, true]]);
  });
  test('is an error where it is none, never a day without baskets', () => {
    for (const reply of ['text', 5, { error: 'no' }, ['x']]) expect(basketsInReply(reply)).toBeUndefined();
    expect(() => readDayBaskets([{ basket_status: 'BASKET_STATUS_OPEN' }])).toThrow('basket');
  });
  test('tells no more than the list of orders bears out, as that shows orders late', () => {
    const filled = record('FILLED', { filled: 10 });
    const ended = record('CLOSED', { filled: 10 });
    const sure = (
      listed: OrderSnapshot[],
      records: OrderSnapshot[],
      before = new Map<string, OrderSnapshot>(),
    ): string => {
      const {
        records: [item],
        unconfirmed,
      } = confirmedByOrders(listed, records, before);
      return `${item?.entered ? 'entered ' : ''}${item?.end}${unconfirmed.size > 0 ? '?' : ''}`;
    };
    expect(sure(orders(10), filled)).toBe('entered ');
    expect(sure(orders(4), filled)).toBe('?');
    expect(sure([], filled, new Map([[ID, filled[0] as OrderSnapshot]]))).toBe('entered ?');
    expect(sure(orders(10), ended)).toBe('?');
    expect(sure(orders(10), ended, new Map([[ID, filled[0] as OrderSnapshot]]))).toBe('entered ?');
    expect(sure(orders(10, 10), ended)).toBe('entered executed');
    expect(sure([], record('REJECTED'))).toBe('rejected');
    // Entered on an earlier day, so that only its exit is among the orders of today; and just now, with its entry not yet listed.
    const exit = orders(10, 10).filter(({ side }) => side === 'SELL');
    expect(sure(exit, record('CLOSED', { filled: 10, filledAt: 1 }))).toBe('entered executed');
    expect(sure(exit, record('CLOSED', { filled: 10, filledAt: 20 }))).toBe('?');
  });
});

describe('what was there before the activation', () => {
  const begun = (since: string | undefined, records: OrderSnapshot[], listed: OrderSnapshot[] = []): string[] => {
    const reconciler = new OrderReconciler();
    reconciler.baseline(listed, since);
    reconciler.firstBaskets({ orders: listed, baskets: records });
    return names(reconciler.recover(listed, records));
  };
  test('is past, but for what the times of its orders show to have happened since', () => {
    expect(begun(undefined, record('CLOSED', { filled: 10 }), orders(10, 10))).toEqual([]);
    expect(begun(instant(50), record('CLOSED', { filled: 10 }), orders(10, 10))).toEqual([]);
    expect(begun(instant(15), record('CLOSED', { filled: 10, placed: 1 }), orders(10, 10))).toEqual([
      'fill 10-20 at 200 fill:1:20',
      'executed ended',
    ]);
    expect(begun(instant(5), record('FILLED', { filled: 10, placed: 1 }), orders(10))).toEqual([
      'fill 0-10 at 100 fill:1:10',
      'executed entered',
    ]);
    // Its closing is not listed yet, so that it has only just happened; its entry was before.
    expect(begun(instant(15), record('CLOSED', { filled: 10, filledAt: 11 }), orders(10))).toEqual(['executed ended']);
    expect(begun(instant(0), record('CANCELLED', { placed: 1 }))).toEqual(['accepted accepted', 'cancelled ended']);
    expect(begun(instant(5), record('REJECTED', { placed: 1 }))).toEqual([]);
  });
  test('is past also when its list comes later, and later baskets are not', () => {
    const reconciler = new OrderReconciler();
    reconciler.baseline([], instant(50));
    expect(reconciler.recover(orders(10)).filter(({ type: name }) => name !== 'fill')).toEqual([]);
    expect(reconciler.firstBaskets({ orders: [], baskets: [] })).toEqual([]);
    expect(reconciler.firstBaskets({ orders: [], baskets: record('OPEN') })).toBeUndefined();
    expect(names(reconciler.recover([], record('CANCELLED')))).toEqual(['accepted accepted', 'cancelled ended']);
  });
});

describe('a closing of unknown cause', () => {
  const closed = (params: object, before: Message[] = []): OrderEvent => {
    const reconciler = new OrderReconciler();
    for (const message of before) applyMessage(reconciler, message);
    return reconciler.recover(orders(10, 10), record('CLOSED', { filled: 10, params })).at(-1) as OrderEvent;
  };
  test('is let through by whoever waits for what the basket was given', () => {
    const subscriptions = (
      name: 'stopLossTriggered' | 'targetTriggered' | 'unsolicitedCancel',
      event: OrderEvent,
    ): boolean => passesFilter({ ...EVERYTHING, types: [name] }, event);
    const event = closed({ stoploss_price: 90, exit_price: null });
    expect([
      event.type,
      subscriptions('stopLossTriggered', event),
      subscriptions('targetTriggered', event),
      subscriptions('unsolicitedCancel', event),
    ]).toEqual(['executed', true, false, false]);
    expect(closed({ exit_price: 120, exit_time: '2026-11-23T09:35:00.000Z' }).maybe).toEqual([
      'targetTriggered',
      'unsolicitedCancel',
      'exitTimeReached',
    ]);
    expect(closed({}).maybe).toEqual([]);
  });
  test('is passed by where the cause was told', () => {
    expect(closed({ stoploss_price: 90 }, [{ response: SL, status: 'EXECUTED', at: 20 }]).maybe).toEqual([]);
  });
});
