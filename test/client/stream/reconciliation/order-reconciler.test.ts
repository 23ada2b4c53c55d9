/** Single orders: messages of the stream and the day's list against what was delivered. */
import { describe, expect, test } from '@jest/globals';
import { readOrderMessage, type OrderMessage } from '../../../../client/stream/reconciliation/order-message';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import { ordersInReply, readDayOrders } from '../../../../client/orders/model/order-record';
import type { JsonObject } from '../../../../client/values/json';
import type { OrderEvent } from '../../../../client/stream/reconciliation/types';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import { nothingDelivered } from '../../../../client/stream/reconciliation/order-as-delivered';
import { packState, unpackState } from '../../../../client/stream/reconciliation/state-codec';
import { ID, instant, names, orders as basketOrders, record } from '../basket-fixture';
import { updateOf } from '../wire';

describe("the day's orders", () => {
  test('may be null or wrapped, but nothing else is an empty day', () => {
    for (const reply of [null, { orders: null }, { orders: [] }]) expect(ordersInReply(reply)).toEqual([]);
    expect(ordersInReply({ error: 'session expired' })).toBeUndefined();
    expect(() => readDayOrders([{}])).toThrow('order_id');
  });
  test('have no time where a pending order shows garbage for it', () => {
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
      (orderMessage) => reconciler.update(orderMessage).map(({ type }) => type),
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
  const reported = (type: OrderMessage['type'], change: Partial<OrderSnapshot>): OrderMessage => ({
    ...accepted,
    type,
    order: { ...accepted.order, ...change },
  });
  const triggered = reported('entryTriggered', { triggered: true });
  const ended = reported('unsolicitedCancel', { end: 'cancelled' });
  const typesOf = (...messages: OrderMessage[]): string[] => {
    const reconciler = new OrderReconciler();
    return messages.flatMap((message) => reconciler.update(message).map(({ type }) => type));
  };

  test('does not come after the end, where the end overtook it', () => {
    expect(typesOf(accepted, ended, triggered)).toEqual(['accepted', 'unsolicitedCancel']);
  });
  test('comes before the end, where the end shows it', () => {
    const shows = reported('unsolicitedCancel', { end: 'cancelled', triggered: true });
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
  const reported = (price: number, modified: string): OrderMessage => readOf(2, price, modified);
  const begun = (): OrderReconciler => {
    const reconciler = new OrderReconciler();
    reconciler.recover(listed(100, null));
    reconciler.update(readOf(1, 100, '0'));
    return reconciler;
  };
  const types = (events: readonly OrderEvent[]): string[] => events.map(({ type }) => type);

  test.each([300, -300])('comes once, whichever brings it first (%i ms)', (apart) => {
    const first = begun();
    expect(types(first.update(reported(110, at(0))))).toEqual(['modified']);
    expect(first.ahead(listed(110, at(apart)))).toEqual([]);
    expect(types(first.recover(listed(110, at(apart))))).toEqual([]);
    const second = begun();
    expect(types(second.recover(listed(110, at(0))))).toEqual(['modified']);
    expect(types(second.update(reported(110, at(apart))))).toEqual([]);
  });
  test('is another one with other terms, or with the same ones much later', () => {
    const reconciler = begun();
    reconciler.update(reported(110, at(0)));
    expect(types(reconciler.recover(listed(120, at(300))))).toEqual(['modified']);
    expect(types(reconciler.update(reported(130, at(600))))).toEqual(['modified']);
    expect(types(reconciler.update(reported(120, at(5_000))))).toEqual(['modified']);
  });
});

/** An order of ten as the list shows it; times in seconds. */
function shown({
  status = 'OPEN',
  ...given
}: {
  id?: string;
  status?: string;
  filled?: number;
  price?: number;
  times?: { created?: number; accepted?: number; filled?: number; modified?: number };
  exits?: JsonObject[];
}): OrderSnapshot {
  const { id = '5', filled = 0, price = 100, times = {}, exits } = given;
  const time = (seconds: number | undefined): string | null => (seconds === undefined ? null : instant(seconds));
  return readDayOrders([
    {
      ...{ order_id: id, ref_id: 7, order_qty: 10, filled_qty: filled, order_price: price, price_type: 'LIMIT' },
      ...{ order_status: `ORDER_STATUS_${status}`, order_time: instant(times.created ?? 1) },
      ack_time: time(times.accepted),
      filled_time: time(times.filled),
      last_modified: time(times.modified),
      ...(exits ? { exits } : {}),
    },
  ])[0]!;
}
const types = (events: readonly OrderEvent[]): string[] => events.map(({ type }) => type);

describe('what was there before', () => {
  /** Returns what is told of the views at the first look of a listener that began at this second. */
  const begun = (since: number | undefined, ...views: OrderSnapshot[]): string[] => {
    const reconciler = new OrderReconciler();
    reconciler.baseline(views, since === undefined ? undefined : instant(since));
    return types(reconciler.recover(views));
  };

  test('is past, but for what its times show to have happened since', () => {
    const order = shown({
      ...{ status: 'FILLED', filled: 10, times: { created: 1, accepted: 2, filled: 9 } },
    });
    expect(begun(undefined, order)).toEqual([]);
    expect(begun(9, order)).toEqual([]);
    expect(begun(8, order)).toEqual(['fill', 'executed']);
    expect(begun(1, order)).toEqual(['accepted', 'fill', 'executed']);
    expect(begun(0, order)).toEqual(['accepted', 'fill', 'executed']);
  });

  test('is past with its modifications, unless one came since', () => {
    const order = shown({ price: 110, times: { accepted: 2, modified: 8 } });
    expect([begun(8, order), begun(7, order)]).toEqual([[], ['modified']]);
  });

  test('is past with its exits', () => {
    const exits = [{ kind: 'STOPLOSS', status: 'TRIGGERED', trigger_price: 9, filled_qty: 0 }];
    expect(begun(undefined, shown({ status: 'FILLED', filled: 10, exits }))).toEqual([]);
  });

  test('is past of a basket as far as its orders filled before', () => {
    const reported = (since: number): string[] => {
      const reconciler = new OrderReconciler();
      reconciler.baseline(basketOrders(10, 10), instant(since));
      return names(reconciler.recover(basketOrders(10, 10), []));
    };
    expect(reported(10)).toEqual(reported(5));
    expect([reported(50), reported(15), reported(5)]).toEqual([
      [],
      // The baskets have not been listed yet, so that nobody knows whether it was accepted before.
      ['fill 10-20 at 200 fill:1:20'],
      ['fill 0-10 at 100 fill:1:10', 'fill 10-20 at 200 fill:1:20'],
    ]);
  });
});

describe('the first list of baskets', () => {
  const filled = record('FILLED', { filled: 10 });

  test('shows what of them is past, once, and tells of it what a checkpoint must hold', () => {
    const reconciler = new OrderReconciler();
    reconciler.baseline([], instant(50));
    expect(reconciler.isAwaitingBaskets).toBe(true);
    expect(reconciler.firstBaskets({ orders: [], baskets: undefined })).toBeUndefined();
    expect(reconciler.isAwaitingBaskets).toBe(true);
    const past = reconciler.firstBaskets({ orders: basketOrders(10), baskets: filled });
    expect(past).toEqual([[ID, packState(reconciler.stateOf(ID)!)]]);
    expect(reconciler.isAwaitingBaskets).toBe(false);
    expect(reconciler.firstBaskets({ orders: [], baskets: filled })).toBeUndefined();
  });

  test('has nothing past of a basket that came since', () => {
    const reconciler = new OrderReconciler();
    reconciler.baseline([], instant(0));
    expect(reconciler.firstBaskets({ orders: basketOrders(10), baskets: filled })).toEqual([]);
  });

  test('shows an end as past that its orders do not bear out, where nobody knows since when', () => {
    const closed = record('CLOSED', { filled: 10 });
    const reconciler = new OrderReconciler();
    reconciler.baseline(basketOrders(10));
    reconciler.firstBaskets({ orders: basketOrders(10), baskets: closed });
    expect(reconciler.recover(basketOrders(10), closed)).toEqual([]);
  });

  test('is waited for before anything of them is told but their fills', () => {
    const reconciler = new OrderReconciler();
    reconciler.baseline([], instant(5));
    expect(names(reconciler.recover(basketOrders(10), filled))).toEqual(['fill 0-10 at 100 fill:1:10']);
    reconciler.resumeBaskets(instant(5), true);
    expect(names(reconciler.recover(basketOrders(10), filled))).toEqual(['accepted accepted', 'executed entered']);
  });

  test.each<[number | undefined, boolean]>([
    [11, false],
    [10, true],
    [undefined, true],
  ])('was seen by one who began at %s seconds: an entry at 11 is told: %s', (since, isReported) => {
    const reconciler = new OrderReconciler();
    reconciler.resumeBaskets(since === undefined ? undefined : instant(since), true);
    expect(names(reconciler.recover(basketOrders(10), filled)).includes('executed entered')).toBe(isReported);
  });
});

describe('a reconciler', () => {
  test('knows whether a basket is open', () => {
    const reconciler = new OrderReconciler();
    reconciler.recover([shown({})]);
    expect(reconciler.hasBaskets).toBe(false);
    reconciler.recover([], record('OPEN'));
    expect(reconciler.hasBaskets).toBe(true);
    reconciler.recover([], record('CANCELLED'));
    expect(reconciler.hasBaskets).toBe(false);
  });

  test('names the orders that are ahead of it, and those of a basket together', () => {
    const reconciler = new OrderReconciler();
    const [order, other] = [shown({}), shown({ id: '6' })];
    reconciler.recover([other]);
    expect(reconciler.ahead([order, other, ...basketOrders(10)]).map(({ orderId }) => orderId)).toEqual(['5', '11']);
    expect(reconciler.ahead([order], record('OPEN')).map(({ orderId }) => orderId)).toEqual(['5', ID]);
    reconciler.recover([order], record('OPEN'));
    expect(reconciler.ahead([order], record('OPEN'))).toEqual([]);
  });

  test('tells with the last event of each order all that a checkpoint must hold', () => {
    const reconciler = new OrderReconciler();
    const first = reconciler.recover([shown({ status: 'FILLED', filled: 10 })]);
    expect(types(first)).toEqual(['accepted', 'fill', 'executed']);
    expect(first[2]!.after).toBe(packState(reconciler.stateOf('5')!));
    const basket = reconciler.recover(basketOrders(10, 10), record('CLOSED', { filled: 10 }));
    expect(basket).toHaveLength(5);
    expect(basket.at(-1)!.after).toBe(packState(reconciler.stateOf(ID)!));
    const [live] = new OrderReconciler().update(readOf(1, 100, '0'));
    expect(unpackState(live!.after)?.streamTerms).toBe('100@10@');
    expect([...reconciler.states()]).toEqual([
      ['5', first[2]!.after],
      [ID, basket.at(-1)!.after],
    ]);
  });

  test('stops waiting for the stream after two comparisons, also where it went on from a checkpoint or compared meanwhile', () => {
    const waits = (reconciler: OrderReconciler): boolean => reconciler.stateOf(ID)?.legs[0]?.unstreamed !== undefined;
    const first = new OrderReconciler();
    first.recover(basketOrders(10));
    const second = new OrderReconciler();
    second.resume(ID, unpackState(packState(first.stateOf(ID)!))!);
    for (const reconciler of [first, second]) {
      reconciler.confirmedOrders();
      reconciler.recover(basketOrders(10));
      expect(waits(reconciler)).toBe(true);
      reconciler.confirmedOrders();
      expect(waits(reconciler)).toBe(false);
    }
  });

  test('hands on the newest view of each order and the orders of baskets, each once', () => {
    const reconciler = new OrderReconciler();
    reconciler.resume('4', nothingDelivered());
    const day = [shown({}), ...basketOrders(10)];
    reconciler.firstBaskets({ orders: day, baskets: record('FILLED', { filled: 10 }) });
    reconciler.baseline(day);
    reconciler.firstBaskets({ orders: day, baskets: record('FILLED', { filled: 10 }) });
    expect([...reconciler.views()].map(({ orderId }) => orderId)).toEqual(['5', '11']);
    reconciler.drop(['5', '11']);
    expect([[...reconciler.views()], reconciler.has('5'), reconciler.has('4')]).toEqual([[], false, true]);
  });

  type Change = Partial<Omit<OrderSnapshot, 'times'>> & { times?: Partial<OrderSnapshot['times']> };
  const changed = ({ order }: OrderMessage, { times, ...change }: Change): OrderSnapshot => ({
    ...{ ...order, accepted: true, ...change },
    times: { ...order.times, ...times },
  });
  test.each<[string, Change, Change, boolean]>([
    ['is newer', {}, { price: 1 }, true],
    ['was sent earlier', { times: { updated: '9' } }, { times: { updated: '8' } }, false],
    ['tells of an earlier change', { times: { modified: '9' } }, { times: { modified: '8' } }, false],
    ['has filled less', { filled: 2 }, { filled: 1 }, false],
    ['has filled as much', { filled: 2 }, { filled: 2 }, true],
    ['does not know of its end', { end: 'cancelled' }, {}, false],
    ['knows of its end', { end: 'cancelled' }, { end: 'cancelled' }, true],
    ['does not know that it was accepted', { accepted: true }, { accepted: false }, false],
    ['tells that it was rejected', { accepted: true }, { accepted: false, end: 'rejected' }, true],
  ])('keeps the newest view of an order; a message that %s', (_what, before, message, isKept) => {
    const read = readOf(2, 100, '0');
    const reconciler = new OrderReconciler();
    reconciler.recover([changed(read, { ...before, tags: ['view'] })]);
    reconciler.update({ ...read, type: 'other', order: changed(read, { ...message, tags: ['message'] }) });
    expect([...reconciler.views()].map(({ tags }) => tags)).toEqual([[isKept ? 'message' : 'view']]);
  });

  test.each<[string, Change, Change, boolean]>([
    ['shows as much', {}, {}, true],
    ['shows it before a change', { times: { modified: '8000000002500000000' } }, { price: 1 }, false],
    ['stamps the change a moment earlier', { times: { modified: '8000000002000000000' } }, { price: 1 }, true],
    ['has filled less', { filled: 2 }, { filled: 1 }, false],
    ['does not know of its end', { end: 'cancelled' }, {}, false],
  ])('keeps the newest view of an order; a list that %s', (_what, message, listed, isKept) => {
    const read = readOf(2, 100, '8000000001000000000');
    const reconciler = new OrderReconciler();
    reconciler.update({ ...read, order: changed(read, { ...message, tags: ['message'] }) });
    reconciler.recover([changed(read, { ...listed, tags: ['list'] })]);
    expect([...reconciler.views()].map(({ tags }) => tags)).toEqual([[isKept ? 'list' : 'message']]);
  });

  test('knows which orders are gone from the lists, and when they were heard of last', () => {
    const reconciler = new OrderReconciler();
    reconciler.resume('4', nothingDelivered());
    const order = shown({ times: { created: 1, accepted: 9 } });
    reconciler.recover([order, ...basketOrders(10)], record('OPEN', { filled: 10 }));
    const past = (orders: OrderSnapshot[], before: number): string[] => reconciler.past(orders, instant(before));
    expect(past([order, ...basketOrders(10)], 100)).toEqual(['4']);
    expect(past(basketOrders(10), 9)).toEqual(['4', '5']);
    expect(past(basketOrders(10), 8)).toEqual(['4']);
    expect(past([order], 100)).toEqual(['4', '11']);
    reconciler.recover([], []);
    expect(past([order], 100)).toEqual(['4', ID, '11']);
  });
});
