/** Messages and lists whose figures cannot be those of their order: they make no event, and hide none. */
import { describe, expect, test } from '@jest/globals';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import { msToNanos } from '../../../../client/values/time';
import { FOREVER } from '../listening';
import { Service, stopLoss, message } from './account-orders-bench';

const NONE = 2 ** 31 - 1;
const HOUR = 3_600_000;

/** A live service whose list shows the order as open, and that has told nothing since. */
async function live(): Promise<Service> {
  const service = new Service(true, true);
  service.listed = stopLoss('OPEN');
  await service.account.look(FOREVER);
  service.events.length = 0;
  return service;
}

describe('a message of an order', () => {
  const trade = (more: object): object => ({ tradeFill: { tradeQty: 5, tradePrice: 100, refId: 7, ...more } });
  test.each([
    ['more filled than ordered', { filledQty: 50 }, /^Order 5 is shown with 50 filled of 10$/],
    ['less filled than nothing', { filledQty: -3 }, /^Order 5 is shown with a quantity of -3$/],
    ['less ordered than nothing', { orderQty: -10 }, /a quantity of -10$/],
    ['the number for none filled', { orderQty: 0, filledQty: NONE }, /a quantity of 2147483647$/],
    [
      'a trade of more than it',
      { filledQty: 10, ...trade({ tradeQty: 11 }) },
      /a trade of 11, and its quantity is 10$/,
    ],
    [
      'a trade of more than has filled',
      { orderStatus: 1, filledQty: 0, ...trade({}) },
      /a trade of 5, and 0 filled in all$/,
    ],
    [
      'a trade in another',
      { filledQty: 5, ...trade({ refId: 8 }) },
      /a trade in ref_id 8, and its instrument is ref_id 7$/,
    ],
    [
      'the names of another instrument',
      { orderPrice: 105, refdata: { refId: 8, stockName: 'TCS' } },
      /the names of ref_id 8, and its instrument is ref_id 7$/,
    ],
    ['a number below 0', { intentOrderId: '-5' }, /^An order is shown with the number -5, which none has$/],
  ])('is not used with %s, and the list tells what has happened', async (_, more, says) => {
    const service = await live();
    expect(service.account.take(message(3, 1, 2, more))).toMatch(says);
    expect(service.news).toEqual([]);
    service.listed = stopLoss('FILLED', 10);
    await service.compare();
    expect(service.news).toEqual(['confirmed', 'day entryTriggered recovered fill recovered executed recovered']);
  });

  const timed = (at: number): object => ({ svcTimestamps: { lastModifiedAt: msToNanos(at) } });

  test('is not used with a time that is yet to come, and hides no later change', async () => {
    const service = await live();
    const now = service.clock.now();
    expect(service.account.take(message(1, 2, 1, { orderPrice: 105, ...timed(now + HOUR) }))).toMatch(
      /^Order 5 is shown with the time 20\d\d-.*, which is yet to come$/,
    );
    expect(service.account.take(message(1, 2, 1, { orderPrice: 110, ...timed(now) }))).toBeUndefined();
    expect(service.news).toEqual(['update modified']);
  });

  test('is used with a time of a moment ahead, and of any time where the clock may be set ahead', async () => {
    const service = await live();
    const now = service.clock.now();
    expect(service.account.take(message(1, 2, 1, { orderPrice: 105, ...timed(now + 60_000) }))).toBeUndefined();
    const sandbox = new Service();
    sandbox.listed = stopLoss('OPEN');
    await sandbox.account.look(FOREVER);
    expect(sandbox.account.take(message(1, 2, 1, { orderPrice: 105, ...timed(now + HOUR) }))).toBeUndefined();
  });
});

test('a list with a time that is yet to come hides no later change', async () => {
  const service = await live();
  const now = service.clock.now();
  const modified = (price: number, at: number): OrderSnapshot[] =>
    stopLoss('OPEN').map((order) => ({ ...order, price, times: { ...order.times, modified: msToNanos(at) } }));
  service.listed = modified(105, now + HOUR);
  await service.compare();
  service.events.length = 0;
  service.listed = modified(110, now);
  await service.compare();
  expect(service.news).toEqual(['confirmed', 'day modified recovered']);
});
