/** A basket over restarts of the trigger: what its checkpoint says was delivered is not delivered again. */
import { describe, expect, test } from '@jest/globals';
import type { DeliveryCheckpointData } from '../../../../client/stream/delivery/checkpoint';
import { Consumer } from '../../../../client/stream/delivery/consumer';
import { nothingDelivered } from '../../../../client/stream/reconciliation/order-as-delivered';
import { packState } from '../../../../client/stream/reconciliation/state-codec';
import type { ListedDay, OrderEvent } from '../../../../client/stream/reconciliation/types';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { Account } from '../account';
import { ACCEPT, EXECUTED, FILLED, ID, instant, messageOf, names, orders, record } from '../basket-fixture';
import { EVERYTHING } from '../instance';

/** A trigger, and the account that it hears from the first look on. */
class Trigger {
  readonly clock = new VirtualClock(MONDAY_TEN);
  stored: DeliveryCheckpointData = {};
  readonly given: OrderEvent[] = [];

  begin(first: ListedDay): Account {
    const { account, consumer } = this.start(first);
    consumer.begin(this.stored, instant(0), 'a', account.reconciler);
    return account;
  }

  resume(first: ListedDay): Account {
    const { account, consumer } = this.start(first);
    expect(consumer.resume(this.stored, undefined, 'a', account.reconciler)).toBe(true);
    return account;
  }

  private start(first: ListedDay): { account: Account; consumer: Consumer } {
    const account = new Account(first);
    const consumer = new Consumer({
      raw: true,
      clock: this.clock,
      filter: EVERYTHING,
      batches: { count: 1, waitMs: 0 },
      deliver: (events) => void this.given.push(...events),
      onLag: () => undefined,
    });
    account.startConsumer(consumer);
    return { account, consumer };
  }
}

describe('a basket', () => {
  test('is returned once over a restart that comes between', () => {
    const trigger = new Trigger();
    const filled = { orders: orders(10), baskets: record('FILLED', { filled: 10 }) };
    trigger.begin({ orders: [], baskets: [] }).compare(filled);
    trigger.stored = JSON.parse(JSON.stringify(trigger.stored)) as DeliveryCheckpointData;
    trigger.resume(filled).compare({ orders: orders(10, 10), baskets: record('CLOSED', { filled: 10 }) });
    expect(trigger.given.map(({ key }) => key.slice(ID.length + 1))).toEqual([
      'accepted',
      'fill:1:10',
      'entered',
      'fill:1:20',
      'ended',
    ]);
  });

  test.each(['accepted', 'fill:1:10', 'entered', 'fill:1:20'])(
    'is not told again by the stream where a list told it, after a restart that came after %s',
    (last) => {
      const trigger = new Trigger();
      const closed = { orders: orders(10, 10), baskets: record('CLOSED', { filled: 10 }) };
      const account = trigger.begin({ orders: [], baskets: [] });
      account.compare(closed);
      const keys = trigger.given.map(({ key }) => key.slice(ID.length + 1));
      expect(keys).toEqual(['accepted', 'fill:1:10', 'entered', 'fill:1:20', 'ended']);
      const { after } = trigger.given[keys.indexOf(last)]!;
      trigger.stored = { ...trigger.stored, orders: { [ID]: after }, ended: '' };
      const again = trigger.resume(closed);
      for (const { response, at, trade, status } of [
        { response: ACCEPT, at: 10 },
        { response: FILLED, at: 11, trade: 10 },
        { response: FILLED, at: 21, trade: 10 },
        { response: EXECUTED, at: 22, status: 'EXECUTED' as const },
      ])
        again.message(messageOf({ response, at, ...(trade ? { trade } : {}), ...(status ? { status } : {}) }));
      const fills = trigger.given.filter(({ fill }) => fill !== undefined);
      expect(new Set(fills.map(({ key }) => key.slice(ID.length + 1)))).toEqual(new Set(['fill:1:10', 'fill:1:20']));
    },
  );

  test('is still known on the next day, while it is listed', () => {
    const trigger = new Trigger();
    const { clock, given, stored } = trigger;
    trigger
      .begin({ orders: [], baskets: [] })
      .compare({ orders: orders(10), baskets: record('FILLED', { filled: 10 }) });
    const count = given.length;
    clock.set(MONDAY_TEN + 24 * 3_600_000);
    trigger
      .resume({ orders: [], baskets: undefined })
      .compare({ orders: [], baskets: record('FILLED', { filled: 10 }) });
    expect(given).toHaveLength(count);
    clock.set(MONDAY_TEN + 48 * 3_600_000);
    trigger.resume({ orders: [], baskets: [] });
    expect(Object.keys(stored.orders ?? {})).toEqual([]);
  });

  test('is past when an earlier version stored no list of baskets, and what that took for an end was an entry', () => {
    const trigger = new Trigger();
    const old = packState({
      ...nothingDelivered(),
      accepted: true,
      end: 'executed',
      legs: [{ refId: 1, filled: 10, value: 1000 }],
    });
    trigger.stored = { revision: 3, day: '2026-11-23', orders: { [ID]: old } };
    const other = record('CANCELLED').map((orderSnapshot) => ({
      ...orderSnapshot,
      orderId: '1758012345678900003',
      basketId: '1758012345678900003',
    }));
    const account = trigger.resume({
      orders: orders(10),
      baskets: [...record('FILLED', { filled: 10 }), ...other],
    });
    expect(trigger.given).toEqual([]);
    account.compare({ orders: orders(10, 10), baskets: [...record('CLOSED', { filled: 10 }), ...other] });
    expect(names(trigger.given)).toEqual(['fill 10-20 at 200 fill:1:20', 'executed ended']);
  });
});
