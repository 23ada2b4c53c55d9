/** The orders of an account: what waits for the comparison at a connection, and what each comparison finds, asks for and forgets. */
import { describe, expect, test } from '@jest/globals';
import { SessionError } from '../../../../client/base/errors';
import { AccountOrders } from '../../../../client/stream/account-feed/account-orders';
import { momentAt } from '../../../support/clock';
import { ID, orders as basketOrders, record } from '../basket-fixture';
import { FOREVER } from '../listening';
import { updateOf } from '../wire';
import {
  CREATED,
  NO_LINE,
  Service,
  stopLoss,
  message,
  accepted,
  triggered,
  cancelled,
  looking,
} from './account-orders-bench';

describe('the first look', () => {
  test('comes once, and what it shows is past', async () => {
    const service = new Service();
    service.listed = [...stopLoss('OPEN'), ...basketOrders(10)];
    service.baskets = record('FILLED', { filled: 10 });
    expect([service.account.hasLooked, service.account.instant(momentAt(0))]).toEqual([false, undefined]);
    await service.account.look(FOREVER);
    expect([service.account.hasLooked, service.events]).toEqual([
      true,
      [{ type: 'started', day: { orders: service.listed, baskets: service.baskets } }],
    ]);
    service.events.length = 0;
    expect((await service.compare()).isDeaf).toBe(false);
    expect([service.news, service.account.missed]).toEqual([['confirmed', 'day'], 0]);
  });

  test('says where the baskets could not be read', async () => {
    const service = new Service();
    service.baskets = undefined;
    await service.account.look(FOREVER);
    expect(service.events[0]).toEqual({ type: 'basketsUnread', reason: 'There is no list of baskets' });
    expect(service.events[1]?.type).toBe('started');
  });
});

describe('messages', () => {
  test('are told at once, but those without an order', async () => {
    const service = await looking('PENDING');
    service.account.take(updateOf({ intentOrderId: '0' }, [1, 1]));
    service.account.take(accepted);
    service.account.take(accepted);
    expect(service.news).toEqual(['update accepted', 'update']);
  });
});

describe('messages that wait for the list', () => {
  test('tell of a trigger before the list tells of the end', async () => {
    const service = await looking();
    service.account.hold();
    service.account.take(triggered);
    service.account.take(message(2, 2, 1));
    expect(service.news).toEqual([]);
    service.listed = stopLoss('CANCELLED');
    expect(await service.account.catchUp(FOREVER)).toMatchObject({ isOver: false, isCompared: true });
    expect(service.news).toEqual(['update entryTriggered', 'day cancelled recovered', 'update modifyRejected']);
    service.account.take(accepted);
    expect(service.news).toEqual(['update']);
  });

  test('come after the list for a basket, also where they tell of a trigger', async () => {
    const service = await looking();
    service.account.hold();
    service.account.take(message(4, 1, 1, { intentOrderId: ID, isMulti: true }));
    service.listed = stopLoss('CANCELLED');
    await service.account.catchUp(FOREVER);
    expect(service.news).toEqual(['day cancelled recovered', 'update accepted recovered entryTriggered']);
  });

  test('go without it after ten seconds', async () => {
    const service = new Service();
    const start = service.clock.now();
    const never = new AccountOrders(
      { clock: service.clock, orders: () => new Promise(() => undefined), baskets: async () => [] },
      true,
      (event) => service.events.push(event),
    );
    never.hold();
    never.take(accepted);
    expect(await never.catchUp(FOREVER)).toMatchObject({ isOver: false, isCompared: false });
    expect([service.news, service.clock.now() - start]).toEqual([['update accepted'], 10_000]);
  });

  test('go in their order where the list could not be read', async () => {
    const service = await looking();
    service.account.hold();
    service.account.take(cancelled);
    service.account.take(triggered);
    service.fault = NO_LINE;
    expect(await service.account.catchUp(FOREVER)).toMatchObject({ isOver: false, isCompared: false });
    expect(service.news).toEqual(['basketsUnread', 'update unsolicitedCancel', 'update']);
    expect(service.account.problem).toBe('The line is down.');
  });

  test('go where the connection is over before the list came', async () => {
    const service = await looking();
    service.account.hold();
    service.account.take(cancelled);
    service.fault = NO_LINE;
    expect(await service.account.catchUp(AbortSignal.abort())).toMatchObject({ isOver: true, isCompared: false });
    expect(service.news).toEqual(['update unsolicitedCancel']);
  });

  test('may be none', async () => {
    const service = await looking();
    expect(await service.account.catchUp(FOREVER)).toMatchObject({ isOver: false, isCompared: true });
    expect(service.news).toEqual(['day']);
  });

  test('do not wait where there can be no session', async () => {
    const service = await looking();
    service.fault = new SessionError('Log in again.');
    await expect(service.account.catchUp(FOREVER)).rejects.toBe(service.fault);
    await expect(service.account.compare(false, FOREVER)).rejects.toBe(service.fault);
  });
});

describe('a comparison', () => {
  test.each([
    [true, 1_000, false],
    [false, 5_000, true],
  ])('gives the stream time for what it has not brought; the first one (%s): %d ms', async (isFirst, ms, isDeaf) => {
    const service = await looking();
    const start = service.clock.now();
    service.listed = stopLoss('CANCELLED');
    expect((await service.compare(isFirst)).isDeaf).toBe(isDeaf);
    expect([service.clock.now() - start, service.news]).toEqual([ms, ['confirmed', 'day cancelled recovered']]);
    expect(service.account.missed).toBe(1);
  });

  test('finds nothing where the stream brings it in that time', async () => {
    const service = await looking();
    service.listed = stopLoss('CANCELLED');
    void service.clock.sleep(500).then(() => service.account.take(cancelled));
    expect((await service.compare()).isDeaf).toBe(false);
    expect([service.news, service.account.missed]).toEqual([['confirmed', 'update unsolicitedCancel', 'day'], 0]);
  });

  test('does not wait where nothing is missing, and tells nothing of a day without orders and baskets', async () => {
    const service = await looking('OPEN', false);
    const start = service.clock.now();
    expect((await service.compare()).isDeaf).toBe(false);
    expect([service.clock.now() - start, service.news]).toEqual([0, ['confirmed']]);
    service.listed = stopLoss('CANCELLED');
    await service.compare();
    expect(service.news).toEqual(['confirmed', 'day cancelled recovered']);
  });

  test('says where it could not read the orders, and where nobody waits for it any more', async () => {
    const service = await looking();
    service.fault = NO_LINE;
    expect(await service.account.compare(false, FOREVER)).toBe('unreadable');
    expect([service.account.problem, service.news]).toEqual(['The line is down.', ['basketsUnread']]);
    service.fault = undefined;
    service.listed = stopLoss('CANCELLED');
    const over = new AbortController();
    void service.clock.sleep(500).then(() => over.abort());
    expect(await service.account.compare(false, over.signal)).toBe('over');
    expect(service.news).toEqual(['confirmed']);
  });

  test('shows the orders that are behind, and those of baskets always', async () => {
    const service = await looking();
    service.listed = [...stopLoss('OPEN'), ...basketOrders(10)];
    await service.compare();
    const shown = (): unknown => {
      const [day] = service.events.splice(0).filter(({ type }) => type === 'day');
      return day?.type === 'day' ? day.day.orders.map(({ orderId }) => orderId) : undefined;
    };
    expect(shown()).toEqual(['11']);
    service.listed = [...stopLoss('CANCELLED'), ...basketOrders(10)];
    await service.compare();
    expect(shown()).toEqual(['5', '11']);
  });

  test('settles what was recovered before the last one but one', async () => {
    const service = await looking();
    service.listed = basketOrders(4);
    const filled = (): unknown => service.account.reconciler.stateOf(ID)?.legs[0]?.unstreamed?.quantity;
    const seen = [];
    for (const _ of [1, 2, 3]) {
      await service.kept();
      seen.push(filled());
    }
    expect(seen).toEqual([4, 4, undefined]);
  });

  test('awaits the stream for as long where comparisons follow each other soon, after refused messages', async () => {
    const service = await looking();
    service.listed = basketOrders(4);
    const seen = [];
    for (const _ of [1, 2, 3, 4]) {
      const result = await service.account.compare(false, FOREVER);
      if (typeof result !== 'string') result.keep();
      await service.clock.sleep(3_000);
      seen.push(service.account.reconciler.stateOf(ID)?.legs[0]?.unstreamed?.quantity);
    }
    expect(seen).toEqual([4, 4, 4, 4]);
  });
});

describe('a stream that does not bring what happened', () => {
  test('is deaf to a basket, unless its change may have happened before the connection', async () => {
    const service = await looking();
    service.baskets = record('OPEN');
    expect((await service.compare()).isDeaf).toBe(false);
    expect(service.account.missed).toBe(1);
    service.baskets = record('CANCELLED');
    const comparison = await service.compare();
    comparison.keep();
    expect([comparison.isDeaf, service.account.missed]).toEqual([false, 0]);
    const later = await looking();
    later.baskets = record('OPEN');
    await later.kept();
    expect((await later.compare()).isDeaf).toBe(false);
    later.baskets = record('CANCELLED');
    expect((await later.compare()).isDeaf).toBe(true);
  });
});

describe('the baskets', () => {
  const asks = async (service: Service, times: number): Promise<number> => {
    const before = service.asked;
    for (let n = 0; n < times; n++) await service.kept();
    return service.asked - before;
  };

  test('are read at the first comparison of a connection, then at every eighth', async () => {
    const service = await looking();
    await service.account.catchUp(FOREVER);
    const requested: number[] = [];
    for (let n = 1; n <= 17; n++) if (await service.kept()) requested.push(n);
    expect(requested).toEqual([1, 9, 17]);
    await service.account.catchUp(FOREVER);
    expect(await service.kept()).toBe(true);
  });

  test('are read at each comparison while one is open', async () => {
    const service = await looking();
    service.baskets = record('OPEN');
    expect(await asks(service, 3)).toBe(3);
    service.baskets = record('CANCELLED');
    expect(await asks(service, 3)).toBe(1);
  });

  test('are read again while the connection is not kept, and when a trigger wants them', async () => {
    const service = await looking();
    await service.compare();
    expect([await service.kept(), await service.kept()]).toEqual([true, false]);
    service.account.requestBaskets();
    expect([await service.kept(), await service.kept()]).toEqual([true, false]);
  });

  test('are past where a comparison reads them first', async () => {
    const service = new Service();
    service.basketsFault = NO_LINE;
    await service.account.look(FOREVER);
    service.basketsFault = undefined;
    service.baskets = record('OPEN');
    await service.kept();
    service.baskets = record('CANCELLED');
    await service.kept();
    expect(service.news).toEqual([
      'basketsUnread',
      'started',
      'confirmed',
      'day',
      'confirmed',
      'day cancelled recovered',
    ]);
  });

  test('are read at the next comparison where they could not be read', async () => {
    const service = await looking();
    service.basketsFault = NO_LINE;
    expect(await asks(service, 2)).toBe(2);
    service.basketsFault = undefined;
    expect(await asks(service, 3)).toBe(1);
  });

  test('are not asked for where they do not matter, or the service has no such list', async () => {
    const other = await looking('OPEN', false);
    other.account.requestBaskets();
    expect(await asks(other, 10)).toBe(0);
    const service = await looking();
    service.baskets = undefined;
    expect(await asks(service, 10)).toBe(1);
    await service.account.catchUp(FOREVER);
    expect(service.asked).toBe(3);
  });
});

test('orders that are gone from the list are forgotten twenty hours later', async () => {
  const service = await looking();
  service.listed = [];
  const hours = (count: number): void => service.clock.set(Number(CREATED.slice(0, -6)) + count * 3_600_000);
  hours(20);
  service.clock.set(service.clock.now() - 1);
  await service.kept();
  expect(service.news).toEqual(['confirmed', 'day']);
  expect([...service.account.reconciler.orderIds()]).toEqual(['5']);
  hours(20);
  await service.compare();
  expect(service.news).toEqual(['confirmed']);
  await service.kept();
  expect(service.events.at(-1)).toEqual({ type: 'forgotten', orderIds: ['5'] });
  expect([...service.account.reconciler.orderIds()]).toEqual([]);
});
