/** A list or a message that shows an order as another one: nothing of it is used. */
import { describe, expect, test } from '@jest/globals';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import { FOREVER } from '../listening';
import { Service, stopLoss, message, accepted } from './account-orders-bench';

describe('an order that is shown as another one', () => {
  const other = (more: object): OrderSnapshot[] =>
    stopLoss('FILLED', 10).map((order): OrderSnapshot => {
      const made = { ...order, ...more };
      return { ...made, legs: made.legs.map((leg) => ({ ...leg, refId: made.instrument.refId })) };
    });
  const [own] = stopLoss('OPEN');
  const OTHERS = [
    ['of another instrument', { instrument: { ...own!.instrument, refId: 8 } }],
    ['on the other side', { side: 'SELL' }],
  ] as const;

  test.each(OTHERS)('makes a list unreadable, and the next one is read: %s', async (_, more) => {
    const service = new Service();
    service.listed = stopLoss('OPEN').map((order) => ({ ...order, side: 'BUY' }));
    await service.account.look(FOREVER);
    service.account.finishReading();
    service.told.length = 0;
    service.listed = other(more);
    expect(await service.account.compare(false, FOREVER)).toBe('unreadable');
    expect(service.account.problem).toMatch(/^Order 5 is shown as .*, and was .*something on the way/);
    expect(service.news).toEqual([]);
    service.listed = stopLoss('FILLED', 10).map((order) => ({ ...order, side: 'BUY' }));
    await service.compare();
    expect(service.news).toEqual(['confirmed', 'day entryTriggered recovered fill recovered executed recovered']);
    expect(service.account.problem).toBe('');
  });

  test.each([
    ['of another instrument', { refId: 8 }],
    ['on the other side', { orderSide: 2 }],
  ])('makes a message one that is not used: %s', async (_, more) => {
    const service = new Service();
    service.listed = stopLoss('PENDING').map((order) => ({ ...order, side: 'BUY' }));
    await service.account.look(FOREVER);
    service.told.length = 0;
    expect(service.account.take(message(1, 1, 1, more))).toMatch(/^Order 5 is shown as /);
    expect(service.news).toEqual([]);
    expect(service.account.take(accepted)).toBeUndefined();
    expect(service.news).toEqual(['update accepted']);
  });

  test('makes a list unreadable that shows it under another id, and a second order of the same is one', async () => {
    const service = new Service();
    const [first] = stopLoss('OPEN');
    service.listed = [first!];
    await service.account.look(FOREVER);
    await service.compare();
    service.told.length = 0;
    service.listed = [{ ...first!, orderId: '77' }];
    expect(await service.account.compare(false, FOREVER)).toBe('unreadable');
    expect(service.account.problem).toMatch(/^Order 5 is no longer in the list, which shows it as 77/);
    service.listed = [first!, { ...first!, orderId: '77' }];
    await service.compare();
    expect(service.news).toEqual(['confirmed', 'day accepted recovered']);
  });

  test('is what the list says where a message came before it', async () => {
    const service = new Service();
    await service.account.look(FOREVER);
    expect(service.account.take(message(1, 1, 1, { refId: 8 }))).toBeUndefined();
    service.told.length = 0;
    service.listed = stopLoss('FILLED', 10);
    await service.compare();
    expect(service.news).toEqual(['confirmed', 'day entryTriggered recovered fill recovered executed recovered']);
  });
});
