/** Frames and lists that are larger than any of the service: nothing of them is used, and the lists tell what has happened. */
import { describe, expect, test } from '@jest/globals';
import { readDayBaskets } from '../../../../client/orders/model/basket-record';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import { readFrame } from '../../../../client/stream/account-feed/frames';
import { AccountFeed } from '../../../../client/stream/account-feed/account-feed';
import { PortfolioUpdates } from '../../../../client/stream/delivery/portfolio-updates';
import { typeOf } from '../../../proto/support';
import { VirtualClock } from '../../../support/clock';
import { FOREVER, OPTIONS, FeedEvents, inWorld } from '../listening';
import { wrap } from '../wire';
import { NO_FAULTS } from '../simulated-service';
import { Service, stopLoss } from './account-orders-bench';

const MEGABYTE = 1_000_000;
const update = typeOf('SvcToClientIntentUpdate');
const frameOf = (order: object): Uint8Array =>
  wrap(
    'AcmeToClientIntentUpdate',
    update
      .encode(
        update.fromObject({
          intentOrderResponse: { intentOrderId: '6', orderStatus: 1, ...order },
          ...{ intentOrderResponseType: 1, intentOrderRequstType: 1 },
        }),
      )
      .finish(),
  );
const many = <T>(count: number, one: T): T[] => Array<T>(count).fill(one);

describe('a frame of an order', () => {
  test.each([
    ['a reason of a megabyte', { rejectionMsg: 'x'.repeat(MEGABYTE) }, 'text too long'],
    ['a position id of 100,000 characters', { positionId: '9'.repeat(100_000) }, 'text too long'],
    ['100,000 legs', { legs: many(100_000, { refId: 7 }) }, 'too many parts'],
    ['100,000 tags', { stratTags: many(100_000, 'a') }, 'too many parts'],
  ])('cannot be read with %s', (_, order, fault) => {
    expect(() => readFrame(frameOf(order))).toThrow(fault);
  });

  test.each([
    ['legs', { isMulti: true, legs: many(600, { refId: 7, unitQty: 1 }) }, '600 legs'],
    ['exits', { refId: 7, filledQty: 1, exitTriggers: many(60, { kind: 2, triggerPrice: 5, status: 1 }) }, '60 exits'],
    ['tags', { refId: 7, stratTags: many(200, 'a') }, '200 tags'],
  ])('is not used with more %s than any has', async (_, order, size) => {
    const service = new Service();
    await service.account.look(FOREVER);
    service.events.length = 0;
    const frame = readFrame(frameOf(order));
    if (frame.kind !== 'order') throw new Error('no frame of an order');
    expect(service.account.take(frame.update)).toBe(`Order 6 is shown with ${size}`);
    expect(service.news).toEqual([]);
  });
});

test('a frame of the portfolio with two megabytes is one update', () => {
  const response = typeOf('PortfolioResponse');
  const positions = many(31_000, { refId: 7, symbol: 'x'.repeat(60) });
  const bytes = response
    .encode(response.fromObject({ positionResponse: { clientCode: 'C', stockPositions: positions } }))
    .finish();
  expect(bytes.length).toBeGreaterThan(2 * MEGABYTE);
  const frame = readFrame(wrap('AcmePortfolioResponse', bytes));
  if (frame.kind !== 'portfolio') throw new Error('no frame of the portfolio');
  const given: unknown[] = [];
  const updates = new PortfolioUpdates({
    ...{ clock: new VirtualClock(0), parts: ['positions'], instruments: [], everyMs: 1_000 },
    deliver: (item) => given.push(item),
    account: { whyOther: () => undefined } as never,
    onOther: () => undefined,
  });
  updates.take(frame.portfolio);
  updates.take(frame.portfolio);
  updates.close();
  expect(given).toHaveLength(1);
});

test('a list is not used whose baskets, or orders, are larger than any', () => {
  const legs = (count: number): object[] => Array.from({ length: count }, (_, at) => ({ ref_id: at + 1 }));
  const basket = { basket_id: '5', basket_status: 'BASKET_STATUS_FILLED', orders: legs(100_000) };
  expect(() => readDayBaskets([basket as never])).toThrow(/^Basket 5 in the service's list of the day has 100000 legs/);
  const orders = legs(600).map((leg, at) => ({ ...leg, order_id: String(at + 1), basket_id: '5' }));
  expect(() => readDayOrders(orders as never)).toThrow(/^Basket 5 .* has 600 legs/);
  const exits = many(60, { kind: 'STOPLOSS', status: 'OPEN' });
  expect(() => readDayOrders([{ order_id: '5', exits }] as never)).toThrow(/^Order 5 .* has 60 exits/);
  expect(stopLoss('OPEN')).toHaveLength(1);
});

test('a refused frame has the list read within seconds, and the stream is kept', async () => {
  await inWorld(async (world, clock) => {
    const feedEvents = new FeedEvents();
    const feed = new AccountFeed(world.deps(), { ...OPTIONS, checkEveryMs: 300_000 });
    await feed.start(feedEvents.listener);
    await clock.sleep(20_000);
    world.faults = { ...NO_FAULTS, truncate: 1_000 };
    world.trade();
    await clock.sleep(2_000);
    world.faults = NO_FAULTS;
    await clock.sleep(12_000);
    expect(feedEvents.badFrames).toEqual(['truncated']);
    expect(feedEvents.of('day').flatMap(({ events }) => events).length).toBeGreaterThan(0);
    expect(feedEvents.connection).toEqual([]);
    await feed.stop();
  });
});
