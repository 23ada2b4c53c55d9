/**
 * Memory in use over many days of events: 5,000 in `npm test`, 200,000 in CI, any number with STREAM_EVENTS. Each day
 * has the orders of a busy account; the day's list forgets those of the day before, and so must the trigger.
 */
import { expect, test } from '@jest/globals';
import { Consumer } from '../../../client/stream/delivery/consumer';
import type { DeliveryCheckpointData } from '../../../client/stream/delivery/checkpoint';
import { AccountFeed } from '../../../client/stream/account-feed/account-feed';
import type { StreamSocket } from '../../../client/base/ports';
import { VirtualClock } from '../../support/clock';
import { heldMemory } from '../../support/held-memory';
import { MONDAY_TEN } from '../../support/still-market';
import { typeOf } from '../../proto/support';
import { EVERYTHING } from './instance';
import { wrap } from './wire';

const EVENTS = Number(process.env['STREAM_EVENTS'] ?? 5_000);
const DAYS = 10;
/** Accepted, eight fills, executed. */
const EVENTS_PER_ORDER = 10;
const FILLS = 8;
const HOUR = 3_600_000;

const update = typeOf('SvcToClientIntentUpdate');

function* messagesOf(orderId: number, at: number): Generator<ArrayBuffer> {
  for (let fill = 0; fill <= FILLS; fill++) {
    const message = update.fromObject({
      intentOrderResponse: {
        intentOrderId: `17${String(orderId).padStart(17, '0')}`,
        orderStatus: fill === FILLS ? 2 : 1,
        orderQty: FILLS,
        filledQty: fill,
        filledPrice: 150_000,
        orderPrice: 150_000,
        refId: 7,
        intentOrderType: 1,
        orderSide: 1,
        priceType: 1,
        svcTimestamps: { intentCreatedAt: `${at}000000`, filledAt: `${at}000000`, lastUpdatedAt: `${at}000000` },
        ...(fill === 0 ? {} : { tradeFill: { tradeQty: 1, tradePrice: 150_000, refId: 7 } }),
      },
      intentOrderResponseType: fill === 0 ? 1 : 3,
      intentOrderRequstType: 1,
    });
    yield Uint8Array.from(wrap('AcmeToClientIntentUpdate', update.encode(message).finish())).buffer;
  }
}

const heldMegabytes = (): number => heldMemory().heapUsed / 1e6;

test(`${EVENTS.toLocaleString('en')} events of ${DAYS} days leave the memory level`, async () => {
  const clock = new VirtualClock(MONDAY_TEN);
  const socket: StreamSocket = {
    readyState: 1,
    binaryType: '',
    onopen: null,
    onmessage: null,
    onerror: null,
    onclose: null,
    send: () => undefined,
    close: () => undefined,
  };
  const feed = new AccountFeed(
    {
      clock,
      random: () => 0,
      makeSocket: () => {
        queueMicrotask(() => socket.onopen?.());
        return socket;
      },
      access: async () => ({ url: 'ws://127.0.0.1/stream', token: 't' }),
      orders: async () => ({ orders: [], odd: [], ahead: { min: 0, max: 0 } }),
      baskets: async () => [],
    },
    { environment: 'live', subscriptions: ['orders'], checkEveryMs: HOUR },
  );
  let given = 0;
  const stored: DeliveryCheckpointData = {};
  const consumer = new Consumer({
    raw: true,
    clock,
    filter: EVERYTHING,
    batches: { count: 1, waitMs: 0 },
    deliver: (events) => void (given += events.length),
    onLag: () => undefined,
  });
  await feed.start((event) => consumer.take(event));
  consumer.begin(stored, undefined, 'a', feed.reconciler);

  const orders = EVENTS / EVENTS_PER_ORDER / DAYS;
  const held: number[] = [];
  for (let day = 0; day < DAYS; day++) {
    for (let order = 0; order < orders; order++)
      for (const data of messagesOf(day * orders + order + 1, clock.now())) socket.onmessage?.({ data });
    clock.sleeps.length = 0;
    if (EVENTS > 100_000 || day === 1 || day === DAYS - 1) held.push(heldMegabytes());
    await clock.sleep(24 * HOUR);
  }
  if (EVENTS > 100_000)
    process.stdout.write(
      `held after each day, MB: ${held.map((mb) => mb.toFixed(1)).join(' ')}; orders remembered: ${Object.keys(stored.orders ?? {}).length}\n`,
    );
  expect(given).toBe(EVENTS);
  expect(Object.keys(stored.orders ?? {}).length).toBeLessThanOrEqual(orders);
  expect(held.at(-1)).toBeLessThan((held.at(EVENTS > 100_000 ? 1 : 0) as number) * 1.2);
  await feed.stop();
}, 600_000);
