/** The fill that prices are measured from, in virtual time. */
import { InputError, ServiceError } from '../../../../client/base/errors';
import { fillPriceOf } from '../../../../client/orders/placing/fill-price';
import { placeOrder } from '../../../../client/orders/placing/place';
import type { OrderModelOptions } from '../../../support/order-service';
import { INFY, LIMIT_BUY, market, NIFTY_FUT, orderRequest } from '../support';

async function setUp(options: OrderModelOptions) {
  const { time, model, context } = market(options);
  await time.run(placeOrder(orderRequest('a'), context));
  const { id } = model.journal[0]!;
  const since = time.now();
  const fill = (instrument = INFY, orderId = id, signal?: AbortSignal) =>
    time.run(fillPriceOf(orderId, instrument, context.orders, context.transport, signal));
  return { time, model, context, id, fill, after: () => time.now() - since };
}

it('the fill price is the average price, once the order is listed and filled', async () => {
  const { fill, after } = await setUp({ listDelay: () => 1_500, life: () => [{ after: 3_000, status: 'FILLED' }] });
  expect(await fill()).toBe(LIMIT_BUY.price);
  expect(after()).toBeGreaterThan(2_500);
  expect(after()).toBeLessThan(4_000);
});

it('the fill price is asked for at a pace of half a second, not at once again and again', async () => {
  const { fill, model } = await setUp({ listDelay: () => 0, life: () => [{ after: 2_000, status: 'FILLED' }] });
  const before = model.requests.length;
  await fill();
  expect(model.requests.length - before).toBeLessThan(6);
});

it.each([
  ['has not filled after four seconds', [{ after: 100, status: 'OPEN' }], 4_000, 5_000],
  ['was cancelled', [{ after: 100, status: 'CANCELLED' }], 0, 2_000],
])('the fill price is none of an order that %s, and the error says what to do', async (_, life, least, max) => {
  const { fill, id, after } = await setUp({ listDelay: () => 100, life: () => life });
  const error: unknown = await fill().catch((item: unknown) => item);
  expect(error).toBeInstanceOf(InputError);
  expect(error).toMatchObject({
    parameter: 'referenceOrderId',
    message: expect.stringMatching(new RegExp(`^Order ${id} has not filled`)) as string,
    hint: expect.stringContaining('Wait For') as string,
  });
  expect(after()).toBeGreaterThanOrEqual(least);
  expect(after()).toBeLessThan(max);
});

it('the fill price is none of an order of another instrument', async () => {
  const { fill } = await setUp({ listDelay: () => 0, life: () => [{ after: 100, status: 'FILLED' }] });
  await expect(fill(NIFTY_FUT)).rejects.toMatchObject({
    parameter: 'referenceOrderId',
    message: expect.stringContaining('is not an order of NIFTY26NOVFUT') as string,
    hint: expect.stringContaining('same instrument') as string,
  });
});

it('the fill price is none of an order that is never listed: the error of the service comes after four seconds', async () => {
  const { fill, after } = await setUp({});
  const error: unknown = await fill(INFY, '5').catch((item: unknown) => item);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ status: 404 });
  expect(after()).toBeGreaterThanOrEqual(4_000);
});

it('the fill price is none where the service refuses for another reason: the error comes at once', async () => {
  const { fill, after } = await setUp({
    fault: ({ method, url }) => (method === 'GET' && /\d{5}$/.test(url) ? 403 : undefined),
  });
  await expect(fill()).rejects.toMatchObject({ status: 403 });
  expect(after()).toBeLessThan(500);
});

it('the fill price is waited for no longer when the execution is stopped', async () => {
  const { fill, time, id, after } = await setUp({ listDelay: () => 0 });
  const stop = new AbortController();
  void time.sleep(700).then(() => stop.abort(new Error('stopped')));
  await expect(fill(INFY, id, stop.signal)).rejects.toThrow('stopped');
  expect(after()).toBeLessThan(1_000);
});

describe('the fill price of what has filled', () => {
  const reading = async (...records: object[]): Promise<number> => {
    const { context, time } = await setUp({});
    const get = async () => ({ order_id: '5', ref_id: 7, order_status: 'PARTIAL_FILLED', ...records.shift() });
    return await time.run(fillPriceOf('5', INFY, { ...context.orders, get }, context.transport));
  };

  it('is told though more is still open', async () => {
    expect(await reading({ filled_qty: 4, avg_filled_price: 123 })).toBe(123);
  });

  it('is told once it is known, within ten seconds of the fill', async () => {
    const unpriced = { order_status: 'FILLED', filled_qty: 4, avg_filled_price: 0 };
    const filled = { ...unpriced, avg_filled_price: 123 };
    expect(await reading(...Array.from({ length: 12 }, () => unpriced), filled)).toBe(123);
    await expect(reading(...Array.from({ length: 40 }, () => unpriced), filled)).rejects.toMatchObject({
      message: 'Order 5 has filled, but the service does not tell at which price yet. Nothing was sent.',
      parameter: 'referenceOrderId',
    });
  });

  it('is told once the record shows both, quantity and price', async () => {
    const filled = { filled_qty: 4, avg_filled_price: 123 };
    expect(await reading({ filled_qty: 4 }, filled)).toBe(123);
    expect(await reading({ avg_filled_price: 99 }, filled)).toBe(123);
  });
});
