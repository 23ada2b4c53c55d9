/** One trigger and what it takes of a feed: before it has begun, over a restart, and to its end. */
import { describe, expect, test } from '@jest/globals';
import type { CheckpointData } from '../../../../client/stream/delivery/checkpoint';
import { Consumer } from '../../../../client/stream/delivery/consumer';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import type { Day, OrderEvent } from '../../../../client/stream/reconciliation/types';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { Account } from '../account';
import { FILLED, ID, messageOf, names, orders, record } from '../basket-fixture';
import { EVERYTHING } from '../instance';

const DAY_MS = 24 * 3_600_000;
const NOTHING: Day = { orders: [], baskets: undefined };

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
    account.tell(consumer);
    account.compare({ orders: open(5), baskets: undefined });
    expect(given).toEqual([]);
    consumer.begin({}, undefined, 'a', account.reconciler);
    expect(given.map(({ type, order }) => [type, order.orderId])).toEqual([['accepted', '5']]);
  });

  test('that has not begun has nothing to remember', () => {
    const { consumer } = new Trigger();
    consumer.take({ type: 'started', day: NOTHING });
    expect(consumer.close()).toBeUndefined();
  });

  test('goes on from nothing where there is nothing, or it is of another account', () => {
    const stored: CheckpointData = {};
    const { reconciler } = new Account(NOTHING);
    expect(new Trigger().consumer.resume({}, undefined, 'a', reconciler)).toBe(false);
    new Trigger().consumer.begin(stored, undefined, 'a', reconciler);
    expect(new Trigger().consumer.resume(stored, undefined, 'b', reconciler)).toBe(false);
    expect(new Trigger().consumer.resume(stored, undefined, 'a', reconciler)).toBe(true);
  });

  test('keeps what it knows of today, and of an earlier day only what is still listed', () => {
    const first = { orders: open(5, 6), baskets: undefined };
    const stored: CheckpointData = {};
    const account = new Account(first);
    const { consumer } = new Trigger();
    account.tell(consumer);
    consumer.begin(stored, undefined, 'a', account.reconciler);
    expect(Object.keys(stored.orders ?? {})).toEqual(['5', '6']);
    expect(stored.day).toBe('2026-11-23');
    const next = new Account({ orders: open(6, 7), baskets: undefined });
    const later = new Trigger({ at: MONDAY_TEN + DAY_MS });
    next.tell(later.consumer);
    later.consumer.resume(stored, undefined, 'a', next.reconciler);
    expect(later.names).toEqual(['accepted 7']);
    expect(Object.keys(stored.orders ?? {})).toEqual(['6', '7']);
  });

  test('hands over at its end what waits for its batch, and remembers it', () => {
    const trigger = new Trigger({ count: 5 });
    const account = new Account(NOTHING);
    account.tell(trigger.consumer);
    trigger.consumer.begin({}, undefined, 'a', account.reconciler);
    account.compare({ orders: open(5), baskets: undefined });
    expect(trigger.given).toEqual([]);
    expect(Object.keys(trigger.consumer.close()?.orders ?? {})).toEqual(['5']);
    expect(trigger.names).toEqual(['accepted 5']);
  });

  test('forgets what the account forgets', () => {
    const trigger = new Trigger();
    const account = new Account(NOTHING);
    account.tell(trigger.consumer);
    const stored: CheckpointData = {};
    trigger.consumer.begin(stored, undefined, 'a', account.reconciler);
    account.compare({ orders: open(5, 6), baskets: undefined });
    trigger.consumer.take({ type: 'forgotten', orderIds: ['5'] });
    expect(Object.keys(stored.orders ?? {})).toEqual(['6']);
  });

  test.each([true, false])('has messages as they came only where they are wanted: %p', (raw) => {
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
    const stored: CheckpointData = {};
    const trigger = new Trigger();
    const account = new Account(NOTHING);
    account.tell(trigger.consumer);
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
    account.tell(trigger.consumer);
    trigger.consumer.begin({}, undefined, 'a', account.reconciler);
    account.compare({ orders: orders(10), baskets: undefined });
    const before = trigger.given.length;
    for (let n = 0; n < times; n++) trigger.consumer.take({ type: 'confirmed' });
    account.message(messageOf({ response: FILLED, at: 5, trade: 3 }));
    expect(names(trigger.given.slice(before)).map((name) => name.split(' ').slice(0, 2).join(' '))).toEqual(expected);
  });
});
