/** Cancelling whatever lives, in virtual time: what is asked for, how often, and what each comes to. */
import { NetworkError, ServiceError, UnknownOutcomeError } from '../../../../client/base/errors';
import type { OrderRecord } from '../../../../client/endpoints/orders';
import { cancelOpenOrders } from '../../../../client/orders/changing/cancel-open';
import { placeOrders } from '../../../../client/orders/placing/place';
import { entryHasEnded, orderIdOf } from '../../../../client/orders/model/order-record';
import type { OrderModelOptions } from '../../../support/order-service';
import { market, orderRequest } from '../support';

async function resting(options: OrderModelOptions = {}, tags = ['a', 'b']) {
  let isResting = false;
  const { time, model, context } = market({
    ...options,
    fault: (request) => (isResting ? options.fault?.(request) : undefined),
  });
  await time.run(
    placeOrders(
      tags.map((tag) => orderRequest(tag)),
      context,
    ),
  );
  await time.run(time.sleep(2_000));
  isResting = true;
  const since = time.now();
  const requested = (): number => model.requests.filter(({ url }) => url.endsWith('/cancel')).length;
  const cancel = (
    waitMs: number,
    isSelected: (order: OrderRecord) => boolean = () => true,
    more?: Parameters<typeof cancelOpenOrders>[3],
    signal?: AbortSignal,
  ) => time.run(cancelOpenOrders(isSelected, waitMs, { ...context, signal }, more));
  return {
    time,
    model,
    context,
    asked: requested,
    cancel,
    ids: model.journal.map(({ id }) => id),
    after: () => time.now() - since,
  };
}

it('asks once for all that are meant, and follows them until none is open', async () => {
  const { cancel, asked: requested, ids, after } = await resting();
  expect(await cancel(10_000)).toMatchObject(ids.map((orderId) => ({ orderId, result: 'done', order: {} })));
  expect(requested()).toBe(1);
  expect(after()).toBeLessThan(2_000);
});

it('cancels all but one that contradicts itself, and says so', async () => {
  const { cancel, asked: requested, ids, context } = await resting();
  const { list } = context.orders;
  const odd = { order_qty: null, filled_qty: null, unreadable_reason: 'Order 5 is shown with 9 filled of 1.' };
  const asked: unknown[] = [];
  context.orders.list = async (signal, kept) => {
    asked.push(kept);
    return (await list(signal)).map((order) => (orderIdOf(order) === ids[0] ? { ...order, ...odd } : order));
  };
  const [first, second] = await cancel(1_000);
  expect(first).toMatchObject({ orderId: ids[0], result: 'refused' });
  expect(first?.error?.message).toBe('Order 5 is shown with 9 filled of 1. It was not cancelled.');
  expect(second).toMatchObject({ orderId: ids[1], result: 'done' });
  expect([requested(), new Set(asked)]).toEqual([1, new Set(['marked'])]);
});

it('looks at what is open once more where the reply to the cancellation came after the wait', async () => {
  let latencyMs = 20;
  const { cancel, asked: requested } = await resting({
    latency: () => latencyMs,
    fault: ({ url }) => {
      latencyMs = url.endsWith('/cancel') ? 4_000 : 20;
      return undefined;
    },
  });
  expect(await cancel(5_000)).toMatchObject([{ result: 'done' }, { result: 'done' }]);
  expect(requested()).toBe(1);
});

it('cancels what is listed for the first time in the last look', async () => {
  const { time, context, cancel, asked: requested, model } = await resting({ listDelay: () => 2_000 });
  await time.run(time.sleep(1_000));
  await time.run(placeOrders([orderRequest('late')], context));
  expect(await cancel(2_300, () => true, { lookMs: 2_300 })).toHaveLength(3);
  await time.run(time.sleep(2_000));
  expect(model.journal.map((order) => model.statusOf(order))).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
  expect(requested()).toBe(2);
});

it('asks and follows nothing where the wait is zero', async () => {
  const { cancel, asked: requested, ids, after } = await resting();
  expect(await cancel(0)).toMatchObject(ids.map((orderId) => ({ orderId, result: 'requested' })));
  expect(requested()).toBe(1);
  expect(after()).toBeLessThan(200);
});

it('leaves alone what is not meant, and asks for nothing then', async () => {
  const { cancel, asked: requested, ids, model } = await resting();
  expect(await cancel(10_000, (order) => orderIdOf(order) === ids[1])).toMatchObject([{ orderId: ids[1] }]);
  expect(model.journal.map((order) => model.statusOf(order))).toEqual(['OPEN', 'CANCELLED']);
  expect(await cancel(10_000, () => false)).toEqual([]);
  expect(requested()).toBe(1);
});

it('leaves alone what has ended, by the measure that it is given', async () => {
  const { cancel, asked: requested } = await resting({ life: () => [{ after: 100, status: 'FILLED' }] });
  expect(await cancel(5_000)).toEqual([]);
  expect(await cancel(5_000, () => true, { isOver: entryHasEnded })).toEqual([]);
  expect(requested()).toBe(0);
});

it('looks for what the list shows late, and cancels that too', async () => {
  const { time, context, cancel, model } = await resting({ listDelay: () => 1_500 });
  await time.run(placeOrders([orderRequest('late')], context));
  const results = await cancel(10_000, () => true, { lookMs: 4_000 });
  expect(results.map(({ result }) => result)).toEqual(['done', 'done', 'done']);
  expect(model.journal.every((order) => model.statusOf(order) === 'CANCELLED')).toBe(true);
});

it('keeps looking for late orders, but no longer than it waits', async () => {
  for (const [lookMs, waitMs, least] of [
    [4_000, 10_000, 4_000],
    [60_000, 3_000, 3_000],
    [0, 10_000, 0],
  ] as const) {
    const { cancel, after } = await resting();
    await cancel(waitMs, () => false, { lookMs });
    expect(after()).toBeGreaterThanOrEqual(least);
    expect(after()).toBeLessThan(least + 2_500);
  }
});

it('tells an order that was filled before from one that is cancelled', async () => {
  const { time, model, cancel, ids } = await resting({ changeDelay: () => 5_000 });
  void time.sleep(300).then(() => model.journal[0]!.life.push({ at: time.now(), status: 'FILLED' }));
  expect(await cancel(20_000)).toMatchObject([
    { orderId: ids[0], result: 'too_late', error: { message: expect.stringContaining('filled') as string } },
    { orderId: ids[1], result: 'done' },
  ]);
});

it('asks again, one by one, for what was refused a moment ago: one refusal is that of all', async () => {
  let refusals = 1;
  const { cancel, asked: requested } = await resting({
    fault: ({ url }) => (url.endsWith('/cancel') && refusals-- > 0 ? 400 : undefined),
  });
  expect(await cancel(10_000)).toMatchObject([{ result: 'done' }, { result: 'done' }]);
  expect(requested()).toBe(2);
});

it('is refused where the service says no to the end, and not known where it does not say', async () => {
  for (const [fault, result, kind] of [
    [400, 'refused', ServiceError],
    ['lost', 'unknown', UnknownOutcomeError],
  ] as const) {
    const { cancel, ids } = await resting({ fault: ({ url }) => (url.endsWith('/cancel') ? fault : undefined) });
    for (const waitMs of [0, 8_000]) {
      const results = await cancel(waitMs);
      expect(results).toMatchObject(ids.map((orderId) => ({ orderId, result, order: { order_id: orderId } })));
      expect(results[0]!.error).toBeInstanceOf(kind);
    }
  }
});

it('is not known where it was acknowledged and does not happen', async () => {
  const { cancel, asked: requested, after } = await resting({ changeDelay: () => 600_000 }, ['a']);
  const [result] = await cancel(8_000);
  expect(result).toMatchObject({ result: 'unknown', order: { order_status: 'ORDER_STATUS_OPEN' } });
  expect(after()).toBeGreaterThanOrEqual(8_000);
  // Every three seconds, not with every look.
  expect(requested()).toBeGreaterThanOrEqual(2);
  expect(requested()).toBeLessThanOrEqual(3);
});

it('goes on where a later list cannot be read, and throws where the first cannot', async () => {
  let reads = 0;
  const later = await resting({ fault: ({ method }) => (method === 'GET' && ++reads === 2 ? 500 : undefined) });
  expect(await later.cancel(10_000)).toMatchObject([{ result: 'done' }, { result: 'done' }]);
  const first = await resting({ fault: ({ method }) => (method === 'GET' ? 'refused' : undefined) });
  await expect(first.cancel(10_000)).rejects.toBeInstanceOf(NetworkError);
  expect(first.asked()).toBe(0);
});

it('asks for nothing more once the execution is stopped', async () => {
  const stop = new AbortController();
  const { cancel, asked: requested } = await resting({
    fault: ({ method }) => {
      if (method === 'GET') stop.abort(new Error('stopped'));
      return undefined;
    },
  });
  await expect(cancel(10_000, () => true, undefined, stop.signal)).rejects.toThrow('stopped');
  expect(requested()).toBe(0);
});
