/** What became of a basket as a whole while nobody listened: from the list of baskets, each step once, in order. */
import { describe, expect, test } from '@jest/globals';
import { borneOut } from '../../../../client/stream/reconciliation/baskets';
import { readDayBaskets } from '../../../../client/stream/reconciliation/basket-record';
import { Consumer } from '../../../../client/stream/delivery/consumer';
import type { CursorData } from '../../../../client/stream/delivery/checkpoint';
import { isWanted } from '../../../../client/stream/delivery/filter';
import { readFrame } from '../../../../client/stream/connection/frames';
import { packKnown, nothingKnown } from '../../../../client/stream/reconciliation/delivered-state';
import { readDayOrders } from '../../../../client/stream/reconciliation/order-record';
import { OrderTracker } from '../../../../client/stream/reconciliation/order-reconciler';
import type { OrderEvent, OrderSnapshot } from '../../../../client/stream/reconciliation/types';
import { readUpdate } from '../../../../client/stream/reconciliation/order-message';
import { readJson } from '../../../../client/values/json';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { typeOf } from '../../../proto/support';
import { EVERYTHING } from '../instance';
import { wrap } from '../wire';

const ID = '1758012345678900001';
const type = typeOf('SvcToClientIntentUpdate');
const [ACCEPT, REJECT, FILLED, SL, EXECUTED] = [1, 2, 3, 5, 8] as const;
const [NEW, CANCEL] = [1, 3] as const;
const STATUS = { OPEN: 1, EXECUTED: 2, REJECTED: 3, CANCELLED: 5 };
/** Nanoseconds. */
const instant = (seconds: number): string => `${1_795_400_000 + seconds}000000000`;

interface Message {
  response: number;
  request?: number;
  status?: keyof typeof STATUS;
  at: number;
  trade?: number;
}

function tell(tracker: OrderTracker, { response, request = NEW, status = 'OPEN', at, trade }: Message): OrderEvent[] {
  const message = type.fromObject({
    intentOrderResponse: {
      intentOrderId: ID,
      orderStatus: STATUS[status],
      isMulti: true,
      legs: [{ refId: 1, unitQty: 1 }],
      svcTimestamps: { lastUpdatedAt: instant(at) },
      ...(trade ? { tradeFill: { tradeQty: trade, tradePrice: 100, refId: 1 } } : {}),
    },
    intentOrderResponseType: response,
    intentOrderRequstType: request,
  });
  const frame = readFrame(wrap('AcmeToClientIntentUpdate', type.encode(message).finish()));
  if (frame.kind !== 'order') throw new Error('no order frame');
  const read = readUpdate(frame.update);
  return read ? tracker.update(read, frame.update) : [];
}

/** The basket of ten pieces as its list shows it. */
function record(
  status: string,
  {
    filled = 0,
    placed = 1,
    filledAt = 0,
    params = {},
  }: { filled?: number; placed?: number; filledAt?: number; params?: object } = {},
): OrderSnapshot[] {
  const leg = {
    order_id: filled > 0 ? '11' : '0',
    ref_id: 1,
    order_side: 'ORDER_SIDE_BUY',
    order_qty: 10,
    filled_qty: filled,
    order_status: 'ORDER_STATUS_PENDING',
    order_time: instant(placed),
    filled_time: filledAt ? instant(filledAt) : null,
  };
  return readDayBaskets([
    {
      basket_id: ID,
      basket_status: `BASKET_STATUS_${status}`,
      orders: { '1': leg },
      basket_params: { order_side: 'ORDER_SIDE_BUY', ...params },
      message: '',
    },
  ]);
}

/** Its orders: an entry at a rupee and an exit at two. */
function orders(entry: number, exit = 0): OrderSnapshot[] {
  const order = (id: string, side: string, filled: number, price: number, at: number) => ({
    order_id: id,
    basket_id: ID,
    ref_id: 1,
    order_side: `ORDER_SIDE_${side}`,
    order_status: 'ORDER_STATUS_FILLED',
    order_qty: 10,
    filled_qty: filled,
    avg_filled_price: price,
    order_time: instant(at),
    filled_time: instant(at + 1),
  });
  return readDayOrders([order('11', 'BUY', entry, 100, 10), ...(exit > 0 ? [order('12', 'SELL', exit, 200, 20)] : [])]);
}

const names = (events: OrderEvent[]): string[] =>
  events.map(
    ({ type: name, fill, recovered, key }) =>
      `${name}${fill ? ` ${fill.from}-${fill.to} at ${fill.price}` : ''}${recovered ? '' : ' live'} ${key.slice(ID.length + 1)}`,
  );

describe('a basket that was not listened to', () => {
  test('is told of from its beginning to its end, in order, under the keys of the stream', () => {
    expect(names(new OrderTracker().recover(orders(10, 10), record('CLOSED', { filled: 10 })))).toEqual([
      'accepted accepted',
      'fill 0-10 at 100 fill:1:10',
      'executed entered',
      'fill 10-20 at 200 fill:1:20',
      'executed ended',
    ]);
    const live = new OrderTracker();
    const told = [
      ...tell(live, { response: ACCEPT, at: 2 }),
      ...tell(live, { response: FILLED, at: 11, trade: 10 }),
      ...tell(live, { response: EXECUTED, status: 'EXECUTED', at: 11 }),
      ...tell(live, { response: FILLED, status: 'EXECUTED', at: 21, trade: 10 }),
      ...tell(live, { response: EXECUTED, request: CANCEL, status: 'EXECUTED', at: 21 }),
    ];
    expect(told.map(({ key }) => key.slice(ID.length + 1))).toEqual([
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
  ])('and shows as %s without a fill', (status, expected) => {
    const tracker = new OrderTracker();
    expect(tracker.ahead([], record(status))).toHaveLength(expected.length > 0 ? 1 : 0);
    expect(names(tracker.recover([], record(status)))).toEqual(expected);
    expect(tracker.recover([], record(status))).toEqual([]);
    expect(tracker.ahead([], record(status))).toEqual([]);
  });

  test('is not told of again when the stream brings it late, twice or in another order', () => {
    const tracker = new OrderTracker();
    tracker.recover(orders(10, 10), record('CLOSED', { filled: 10 }));
    const late: Message[] = [
      { response: EXECUTED, request: CANCEL, status: 'EXECUTED', at: 21 },
      { response: FILLED, status: 'EXECUTED', at: 21, trade: 10 },
      { response: ACCEPT, at: 2 },
      { response: EXECUTED, status: 'EXECUTED', at: 11 },
      { response: FILLED, at: 11, trade: 10 },
    ];
    for (const message of [...late, ...late]) expect(tell(tracker, message)).toEqual([]);
    // What the lists do not tell is told when it comes.
    expect(names(tell(tracker, { response: SL, status: 'EXECUTED', at: 20 }))).toEqual([
      expect.stringMatching(/^stopLossTriggered live /),
    ]);
  });

  test('is given out once over a restart that comes between', () => {
    const clock = new VirtualClock(MONDAY_TEN);
    const stored: CursorData = {};
    const given: OrderEvent[] = [];
    const start = (): Consumer =>
      new Consumer({
        clock,
        filter: EVERYTHING,
        batches: { count: 1, waitMs: 0 },
        deliver: (events) => void given.push(...events),
      });
    const first = start();
    first.look({ orders: [], baskets: [] });
    first.begin(stored, instant(0), 'a');
    first.day({ orders: orders(10), baskets: record('FILLED', { filled: 10 }) });
    const second = start();
    second.look({ orders: orders(10), baskets: record('FILLED', { filled: 10 }) });
    expect(second.resume(JSON.parse(JSON.stringify(stored)) as CursorData, undefined, 'a')).toBe(true);
    second.day({ orders: orders(10, 10), baskets: record('CLOSED', { filled: 10 }) });
    expect(given.map(({ key }) => key.slice(ID.length + 1))).toEqual([
      'accepted',
      'fill:1:10',
      'entered',
      'fill:1:20',
      'ended',
    ]);
  });

  test('is still known on the next day, while it is listed', () => {
    const clock = new VirtualClock(MONDAY_TEN);
    const stored: CursorData = {};
    const given: OrderEvent[] = [];
    const start = (): Consumer =>
      new Consumer({
        clock,
        filter: EVERYTHING,
        batches: { count: 1, waitMs: 0 },
        deliver: (events) => void given.push(...events),
      });
    const first = start();
    first.look({ orders: [], baskets: [] });
    first.begin(stored, instant(0), 'a');
    first.day({ orders: orders(10), baskets: record('FILLED', { filled: 10 }) });
    const count = given.length;
    clock.set(MONDAY_TEN + 24 * 3_600_000);
    const next = start();
    next.look({ orders: [], baskets: undefined });
    next.resume(stored, undefined, 'a');
    next.day({ orders: [], baskets: record('FILLED', { filled: 10 }) });
    expect(given).toHaveLength(count);
    clock.set(MONDAY_TEN + 48 * 3_600_000);
    const after = start();
    after.look({ orders: [], baskets: [] });
    after.resume(stored, undefined, 'a');
    expect(Object.keys(stored.orders ?? {})).toEqual([]);
  });
});

describe('a service with habits of its own', () => {
  test('that accepts more than once is heard each time', () => {
    const tracker = new OrderTracker();
    expect(names(tell(tracker, { response: ACCEPT, at: 2 }))).toEqual(['accepted live accepted']);
    expect(names(tell(tracker, { response: ACCEPT, at: 3 }))).toEqual([
      expect.stringMatching(/^accepted live accepted:/),
    ]);
  });
  test('that tells of an entry and a closing in the same way is heard twice, and the list adds nothing', () => {
    const tracker = new OrderTracker();
    tracker.recover(orders(10), record('OPEN', { filled: 10 }));
    expect(names(tell(tracker, { response: EXECUTED, status: 'EXECUTED', at: 11 }))).toEqual(['executed live entered']);
    tracker.recover(orders(10, 10));
    expect(names(tell(tracker, { response: EXECUTED, status: 'EXECUTED', at: 21 }))).toEqual([
      expect.stringMatching(/^executed live executed:/),
    ]);
    expect(tracker.recover(orders(10, 10), record('CLOSED', { filled: 10 }))).toEqual([]);
  });
  test('that tells of a cancellation with the status of before is not repeated by the list', () => {
    const tracker = new OrderTracker();
    tell(tracker, { response: ACCEPT, at: 2 });
    expect(names(tell(tracker, { response: ACCEPT, request: CANCEL, at: 3 }))).toEqual([
      expect.stringMatching(/^cancelled live cancelled:/),
    ]);
    expect(tracker.recover([], record('CANCELLED'))).toEqual([]);
  });
  test('whose refusal of a leg is no refusal of the basket is told by the list what became of it', () => {
    const tracker = new OrderTracker();
    tell(tracker, { response: ACCEPT, at: 2 });
    expect(tell(tracker, { response: REJECT, status: 'OPEN', at: 3 })).toHaveLength(1);
    expect(names(tracker.recover([], record('CANCELLED')))).toEqual(['cancelled ended']);
  });
  test('that does not tell of the acceptance is understood by what follows', () => {
    expect(names(tell(new OrderTracker(), { response: FILLED, at: 11, trade: 4 }))).toEqual([
      'accepted accepted',
      'fill 0-4 at 100 live fill:1:4',
    ]);
  });
  test('is not believed to have entered a basket whose exit began before', () => {
    const tracker = new OrderTracker();
    tell(tracker, { response: ACCEPT, at: 2 });
    tell(tracker, { response: ACCEPT, request: CANCEL, at: 3 });
    expect(names(tracker.recover(orders(10, 10), record('CLOSED', { filled: 10 })))).toEqual([
      'fill 0-10 at 100 fill:1:10',
      'fill 10-20 at 200 fill:1:20',
      'executed ended',
    ]);
  });
});

describe('a recovered fill', () => {
  test('is not taken for a later trade', () => {
    const tracker = new OrderTracker();
    tracker.recover(orders(10), record('OPEN', { filled: 10 }));
    expect(names(tell(tracker, { response: FILLED, at: 30, trade: 10 }))).toEqual(['fill 10-20 at 100 live fill:1:20']);
  });
});

describe('a list of baskets', () => {
  test('may be empty, or null, and be followed by bytes that do not belong to it', () => {
    const read = (text: string): OrderSnapshot[] => readDayBaskets(readJson(new TextEncoder().encode(text)));
    expect(read('[]')).toEqual([]);
    expect(read('null\n{}')).toEqual([]);
    expect(
      read(`[{"basket_id":${ID},"basket_status":"BASKET_STATUS_OPEN","orders":{}}]\n{}`).map(
        ({ orderId, accepted }) => [orderId, accepted],
      ),
    ).toEqual([[ID, true]]);
  });
  test('that is none is an error, never a day without baskets', () => {
    for (const reply of ['text', 5, { error: 'no' }, [{ basket_status: 'BASKET_STATUS_OPEN' }], ['x']])
      expect(() => readDayBaskets(reply)).toThrow('basket');
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
        records: [one],
        unsure,
      } = borneOut(listed, records, before);
      return `${one?.entered ? 'entered ' : ''}${one?.end}${unsure.size > 0 ? '?' : ''}`;
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
    const tracker = new OrderTracker();
    tracker.baseline(listed, since);
    tracker.firstBaskets({ orders: listed, baskets: records });
    return names(tracker.recover(listed, records));
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
    const tracker = new OrderTracker();
    tracker.baseline([], instant(50));
    expect(tracker.recover(orders(10)).filter(({ type: name }) => name !== 'fill')).toEqual([]);
    expect(tracker.firstBaskets({ orders: [], baskets: [] })).toEqual([]);
    expect(tracker.firstBaskets({ orders: [], baskets: record('OPEN') })).toBeUndefined();
    expect(names(tracker.recover([], record('CANCELLED')))).toEqual(['accepted accepted', 'cancelled ended']);
  });
  test('is past when an earlier version stored no list of baskets, and what that took for an end was an entry', () => {
    const clock = new VirtualClock(MONDAY_TEN);
    const given: OrderEvent[] = [];
    const old = packKnown({
      ...nothingKnown(),
      accepted: true,
      end: 'executed',
      legs: [{ refId: 1, filled: 10, value: 1000 }],
    });
    const stored: CursorData = { revision: 3, day: '2026-11-23', orders: { [ID]: old } };
    const consumer = new Consumer({
      clock,
      filter: EVERYTHING,
      batches: { count: 1, waitMs: 0 },
      deliver: (events) => void given.push(...events),
    });
    const other = record('CANCELLED').map((one) => ({
      ...one,
      orderId: '1758012345678900003',
      basketId: '1758012345678900003',
    }));
    consumer.look({ orders: orders(10), baskets: [...record('FILLED', { filled: 10 }), ...other] });
    consumer.resume(stored, undefined, 'a');
    expect(given).toEqual([]);
    consumer.day({ orders: orders(10, 10), baskets: [...record('CLOSED', { filled: 10 }), ...other] });
    expect(names(given)).toEqual(['fill 10-20 at 200 fill:1:20', 'executed ended']);
  });
});

describe('a closing whose cause nobody knows', () => {
  const closed = (params: object, before: Message[] = []): OrderEvent => {
    const tracker = new OrderTracker();
    for (const message of before) tell(tracker, message);
    return tracker.recover(orders(10, 10), record('CLOSED', { filled: 10, params })).at(-1) as OrderEvent;
  };
  test('is let through by whoever waits for what the basket was given', () => {
    const wants = (name: 'stopLossTriggered' | 'targetTriggered' | 'unsolicitedCancel', event: OrderEvent): boolean =>
      isWanted({ ...EVERYTHING, types: [name] }, event);
    const event = closed({ stoploss_price: 90, exit_price: null });
    expect([
      event.type,
      wants('stopLossTriggered', event),
      wants('targetTriggered', event),
      wants('unsolicitedCancel', event),
    ]).toEqual(['executed', true, false, false]);
    expect(closed({ exit_price: 120, exit_time: '2026-11-23T09:35:00.000Z' }).maybe).toEqual([
      'targetTriggered',
      'unsolicitedCancel',
    ]);
    expect(closed({}).maybe).toEqual([]);
  });
  test('unless the cause was told', () => {
    expect(closed({ stoploss_price: 90 }, [{ response: SL, status: 'EXECUTED', at: 20 }]).maybe).toEqual([]);
  });
});
