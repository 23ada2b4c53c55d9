/** An order that was placed a moment ago is waited for: intent orders show it later. */
import type { OrderRecord } from '../../../../client/endpoints/orders';
import { NetworkError, ServiceError } from '../../../../client/base/errors';
import { getNewBasket, getNewOrder } from '../../../../client/orders/placing/read-new-order';
import { market } from '../support';

const gone = () => new ServiceError('The service has no order 7 today.', { status: 404, serviceText: '' });

/** A service that shows an order after so many milliseconds. */
function shownAfter(ms: number) {
  const { time, context } = market();
  const since = time.now();
  const record: OrderRecord = { order_id: '7' };
  const isShown = (): boolean => time.now() - since >= ms;
  const orders = {
    ...context.orders,
    get: async () => {
      if (isShown()) return record;
      throw gone();
    },
  };
  const baskets = { ...context.baskets, list: async () => (isShown() ? [{ basket_id: '7' }] : []) };
  return { time, since, record, context: { ...context, orders, baskets } };
}

it.each([
  [true, 10_000],
  [false, 2_000],
])('an order placed by this process (%s) is found after %d ms', async (isOwn, ms) => {
  const { time, record, context } = shownAfter(ms);
  if (isOwn) context.placements.placed(context.scope, 'a', record, { noun: 'order', id: '7' });
  expect(await time.run(getNewOrder('7', context))).toBe(record);
});

it('finds a basket that is shown later', async () => {
  const { time, context } = shownAfter(1_500);
  expect(await time.run(getNewBasket('7', context))).toMatchObject({ basket_id: '7' });
});

it('says soon that there is none where nothing tells that it was placed here', async () => {
  const { time, since, context } = shownAfter(60_000);
  await expect(time.run(getNewOrder('7', context))).rejects.toThrow('The service has no order 7 today.');
  expect(time.now() - since).toBeLessThanOrEqual(2_000);
});

it('asks once where the answer is another error', async () => {
  const { time, since, context } = shownAfter(0);
  const down = new NetworkError('down', { maySent: false });
  const orders = { ...context.orders, get: async () => await Promise.reject(down) };
  await expect(time.run(getNewOrder('7', { ...context, orders }))).rejects.toBe(down);
  expect(time.now()).toBe(since);
});
