/** One trigger and what it takes of a feed: before it has begun, over a restart, and to its end. */
import { describe, expect, test } from '@jest/globals';
import type { DeliveryCheckpointData } from '../../../../client/stream/delivery/checkpoint';
import { Consumer } from '../../../../client/stream/delivery/consumer';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import type { ListedDay, OrderEvent } from '../../../../client/stream/reconciliation/types';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { Account } from '../account';
import { FILLED, ID, instant, messageOf, names, orders, record } from '../basket-fixture';
import { EVERYTHING } from '../instance';

const DAY_MS = 24 * 3_600_000;
const NOTHING: ListedDay = { orders: [], baskets: undefined };

/** Orders of the day that are open, by their numbers. */
const open = (...ids: number[]): OrderSnapshot[] =>
  readDayOrders(
    ids.map((id) => ({ order_id: String(id), ref_id: 7, order_qty: 10, order_status: 'ORDER_STATUS_OPEN' })),
  );

class Trigger {
  readonly given: OrderEvent[] = [];
  readonly consumer: Consumer;

  constructor({ at = MONDAY_TEN, raw = true, count = 1 } = {}) {
    this.consumer = new Consumer({
      ...{ raw, clock: new VirtualClock(at), filter: EVERYTHING, batches: { count, waitMs: 60_000 } },
      deliver: (events) => void this.given.push(...events),
      onLag: () => undefined,
    });
  }

  get names(): string[] {
    return this.given.map(({ type, order }) => `${type} ${order.orderId}`);
  }
}

describe('a trigger', () => {
  test('takes what came before it began when it begins, and nothing of it sooner', () => {
    const { consumer, given } = new Trigger();
    const account = new Account(NOTHING);
    account.startConsumer(consumer);
    account.compare({ orders: open(5), baskets: undefined });
    expect(given).toEqual([]);
    consumer.begin({}, undefined, 'a', account.reconciler);
    expect(given.map(({ type, order }) => [type, order.orderId])).toEqual([['accepted', '5']]);
  });

  test('has nothing to remember before it has begun', () => {
    const { consumer } = new Trigger();
    consumer.take({ type: 'started', day: NOTHING });
    expect(consumer.close()).toBeUndefined();
  });

  test('goes on from nothing where there is nothing, or where it is of another account', () => {
    const stored: DeliveryCheckpointData = {};
    const { reconciler } = new Account(NOTHING);
    expect(new Trigger().consumer.resume({}, undefined, 'a', reconciler)).toBe(false);
    new Trigger().consumer.begin(stored, undefined, 'a', reconciler);
    expect(new Trigger().consumer.resume(stored, undefined, 'b', reconciler)).toBe(false);
    expect(new Trigger().consumer.resume(stored, undefined, 'a', reconciler)).toBe(true);
  });

  test('keeps what it knows of today, and of an earlier day only what is still listed', () => {
    const first = { orders: open(5, 6), baskets: undefined };
    const stored: DeliveryCheckpointData = {};
    const account = new Account(first);
    const { consumer } = new Trigger();
    account.startConsumer(consumer);
    consumer.begin(stored, undefined, 'a', account.reconciler);
    expect(Object.keys(stored.orders ?? {})).toEqual(['5', '6']);
    expect(stored.day).toBe('2026-11-23');
    const next = new Account({ orders: open(6, 7), baskets: undefined });
    const later = new Trigger({ at: MONDAY_TEN + DAY_MS });
    next.startConsumer(later.consumer);
    later.consumer.resume(stored, undefined, 'a', next.reconciler);
    expect(later.names).toEqual(['accepted 7']);
    expect(Object.keys(stored.orders ?? {})).toEqual(['6', '7']);
  });

  test('hands over at its end what waits for its batch, and remembers it', () => {
    const trigger = new Trigger({ count: 5 });
    const account = new Account(NOTHING);
    account.startConsumer(trigger.consumer);
    trigger.consumer.begin({}, undefined, 'a', account.reconciler);
    account.compare({ orders: open(5), baskets: undefined });
    expect(trigger.given).toEqual([]);
    expect(Object.keys(trigger.consumer.close()?.orders ?? {})).toEqual(['5']);
    expect(trigger.names).toEqual(['accepted 5']);
  });

  test('forgets what the account forgets', () => {
    const trigger = new Trigger();
    const account = new Account(NOTHING);
    account.startConsumer(trigger.consumer);
    const stored: DeliveryCheckpointData = {};
    trigger.consumer.begin(stored, undefined, 'a', account.reconciler);
    account.compare({ orders: open(5, 6), baskets: undefined });
    trigger.consumer.take({ type: 'forgotten', orderIds: ['5'] });
    expect(Object.keys(stored.orders ?? {})).toEqual(['6']);
  });

  test.each([true, false])('has messages unchanged only where they are wanted: %p', (raw) => {
    const trigger = new Trigger({ raw });
    const reconciler = new OrderReconciler();
    trigger.consumer.begin({}, undefined, 'a', reconciler);
    const day = { orders: open(5), baskets: undefined };
    const events = reconciler.recover(day.orders).map((event) => ({ ...event, raw: { any: 1 } as never }));
    trigger.consumer.take({ type: 'day', day, events });
    expect(trigger.names).toEqual(['accepted 5']);
    expect(trigger.given.map((event) => event.raw)).toEqual([raw ? { any: 1 } : undefined]);
  });

  test('notes that it has seen the list of baskets, when it has', () => {
    const stored: DeliveryCheckpointData = {};
    const trigger = new Trigger();
    const account = new Account(NOTHING);
    account.startConsumer(trigger.consumer);
    trigger.consumer.begin(stored, undefined, 'a', account.reconciler);
    account.compare(NOTHING);
    expect(stored.basketsSeen).toBe(false);
    account.compare({ orders: [], baskets: record('FILLED', { filled: 10 }) });
    expect([stored.basketsSeen, trigger.given, Object.keys(stored.orders ?? {})]).toEqual([true, [], [ID]]);
    // What brings nothing new is nothing for n8n to store.
    const { revision } = stored;
    account.compare({ orders: [], baskets: record('FILLED', { filled: 10 }) });
    expect(stored.revision).toBe(revision);
  });

  test.each([
    [0, []],
    [2, ['fill 10-13']],
  ])('waits for a trade that the list told first until all has settled: %i times', (times, expected) => {
    const trigger = new Trigger();
    const account = new Account(NOTHING);
    account.startConsumer(trigger.consumer);
    trigger.consumer.begin({}, undefined, 'a', account.reconciler);
    account.compare({ orders: orders(10), baskets: undefined });
    const before = trigger.given.length;
    for (let n = 0; n < times; n++) trigger.consumer.take({ type: 'confirmed' });
    account.message(messageOf({ response: FILLED, at: 5, trade: 3 }));
    expect(names(trigger.given.slice(before)).map((name) => name.split(' ').slice(0, 2).join(' '))).toEqual(expected);
  });
});

const REJECTED = { order_status: 'ORDER_STATUS_REJECTED', ack_time: 0, filled_time: 0 };
const TIMELESS = { order_time: 0, ack_time: 0, filled_time: 0 };
/** An order's record, in the words of each interface's list once it is read; the times are seconds after ten on Monday. */
const AT = (seconds: number): string => String((MONDAY_TEN / 1000 + seconds) * 1e9);
const filledOrder = (id: number, created: number, filled: number, more: object = {}): OrderSnapshot =>
  readDayOrders([
    {
      ...{ order_id: String(id), ref_id: 7, order_qty: 10, filled_qty: 10, order_status: 'ORDER_STATUS_FILLED' },
      ...{ order_time: AT(created), ack_time: AT(created + 1), filled_time: AT(filled), ...more },
    },
  ])[0]!;
const PUBLISHED = AT(0);
const ALL = ['accepted 5', 'fill 5', 'executed 5'];

describe('a trigger that was just published', () => {
  const published = (first: ListedDay): { trigger: Trigger; account: Account; stored: DeliveryCheckpointData } => {
    const [trigger, account, stored] = [new Trigger(), new Account(first), {}];
    account.startConsumer(trigger.consumer);
    trigger.consumer.begin(stored, PUBLISHED, 'a', account.reconciler);
    return { trigger, account, stored };
  };

  test.each<[string, OrderSnapshot, string[]]>([
    ['filled before', filledOrder(5, -60, -30), []],
    ['filled at that moment', filledOrder(5, -60, 0), []],
    ['filled after, accepted before', filledOrder(5, -60, 1), ['fill 5', 'executed 5']],
    ['placed and filled after', filledOrder(5, 1, 3), ALL],
    ['rejected, placed before', filledOrder(5, -60, 0, { ...REJECTED, filled_qty: 0 }), []],
    ['rejected, placed after', filledOrder(5, 1, 0, { ...REJECTED, filled_qty: 0 }), ['rejected 5']],
    ['without any time', filledOrder(5, 0, 0, { ...TIMELESS }), ALL],
  ])('hears of an order that the first list lacked, %s', (_name, order, expected) => {
    const { trigger, account } = published(NOTHING);
    account.compare({ orders: [order], baskets: undefined });
    expect(trigger.names).toEqual(expected);
    account.compare({ orders: [order], baskets: undefined });
    expect(trigger.names).toEqual(expected);
  });

  test('hears of a change since seconds before the first list', () => {
    const { trigger, account } = published({ orders: [open(5)[0]!], baskets: undefined });
    account.compare({ orders: [filledOrder(5, -60, -1)], baskets: undefined });
    expect(trigger.names).toEqual([]);
    const later = published({ orders: [open(5)[0]!], baskets: undefined });
    later.account.compare({ orders: [filledOrder(5, -60, 1)], baskets: undefined });
    expect(later.trigger.names).toEqual(['fill 5', 'executed 5']);
  });

  test.each<[string, number, [from: number, to: number][]]>([
    ['that was long before it, but that one which it brings', -60, [[5, 8]]],
    [
      'but those of an order that no list could show yet',
      -1,
      [
        [0, 5],
        [5, 8],
      ],
    ],
  ])('hears by a message no fill %s', (_name, created, expected) => {
    const { trigger, account } = published(NOTHING);
    const filledMessage = { ...messageOf({ response: FILLED, at: 5, trade: 3 }) };
    const order = { ...filledOrder(5, created, 2), filled: 8, end: '' as const, source: 'stream' as const };
    account.message({ ...filledMessage, order: { ...order, legs: [{ refId: 1, filled: 8, averagePrice: 100 }] } });
    expect(trigger.given.flatMap(({ fill }) => (fill ? [[fill.from, fill.to]] : []))).toEqual(expected);
  });

  test('knows over a restart what it has left out: of a later fill only the rest is new', () => {
    const { account, stored } = published(NOTHING);
    const part = { filled_qty: 4, order_status: 'ORDER_STATUS_PARTIAL_FILLED' };
    account.compare({ orders: [filledOrder(5, -60, -30, part)], baskets: undefined });
    const [again, next] = [new Trigger(), new Account({ orders: [filledOrder(5, -60, 9)], baskets: undefined })];
    next.startConsumer(again.consumer);
    again.consumer.resume(stored, undefined, 'a', next.reconciler);
    expect(again.given.map(({ type, fill }) => [type, fill?.quantity])).toEqual([
      ['fill', 6],
      ['executed', undefined],
    ]);
  });

  test('has no part in the entry of a basket before it began, which the account hears of now', () => {
    const account = new Account({ orders: [], baskets: [] });
    const [trigger, stored] = [new Trigger(), {}];
    account.startConsumer(trigger.consumer);
    trigger.consumer.begin(stored, instant(50), 'a', account.reconciler);
    account.compare({ orders: orders(10), baskets: record('FILLED', { filled: 10 }) });
    expect(trigger.given).toEqual([]);
    const previousAccount = new Account({ orders: [], baskets: [] });
    const before = new Trigger();
    previousAccount.startConsumer(before.consumer);
    before.consumer.begin({}, instant(0), 'a', previousAccount.reconciler);
    previousAccount.compare({ orders: orders(10), baskets: record('FILLED', { filled: 10 }) });
    expect(before.given.map(({ type }) => type)).toEqual(['accepted', 'fill', 'executed']);
  });

  test('takes all of a later list for new where nothing tells the time', () => {
    const [trigger, account] = [new Trigger(), new Account(NOTHING)];
    account.startConsumer(trigger.consumer);
    trigger.consumer.begin({}, undefined, 'a', account.reconciler);
    account.compare({ orders: [filledOrder(5, -60, -30)], baskets: undefined });
    expect(trigger.names).toEqual(ALL);
  });
});
