/** The feed and the list of baskets: when it is asked for, when it fails, and what the stream did not bring of it. */
import { describe, expect, test } from '@jest/globals';
import { NetworkError } from '../../../../client/base/errors';
import { AccountFeed } from '../../../../client/stream/account-feed/account-feed';
import type { FeedDeps } from '../../../../client/stream/account-feed/types';
import type { NewBasket } from '../../../../sandbox/src/exchange/strategies/v2-basket-types';
import { AT_THE_MARKET } from '../../../support/basketing';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN, SHARE } from '../../../support/still-market';
import { FeedEvents } from '../listening';
import { ACCOUNT, NO_FAULTS, SimulatedService } from '../simulated-service';

const SECOND = 1_000;
const CHECK_EVERY_MS = 20_000;

interface Bench {
  world: SimulatedService;
  clock: VirtualClock;
  feedEvents: FeedEvents;
  /** Requests for the list so far. */
  asked(): number;
  place(given?: Partial<NewBasket>): bigint;
}

/** A feed over a quiet world, with `baskets` in place of its list where it is given. */
async function following(use: (bench: Bench) => Promise<void>, baskets?: FeedDeps['baskets']): Promise<void> {
  const clock = new VirtualClock(MONDAY_TEN);
  const world = new SimulatedService(clock, 5);
  let on = true;
  const running = (async () => {
    while (on) await world.runUntil(clock.now() + 500);
  })();
  let requested = 0;
  const deps = world.deps();
  const list = baskets ?? deps.baskets;
  const reported = new FeedEvents();
  const feed = new AccountFeed(
    { ...deps, baskets: async (signal) => ((requested += 1), await list(signal)) },
    { environment: 'live', subscriptions: ['orders'], checkEveryMs: CHECK_EVERY_MS },
  );
  try {
    await feed.start(reported.listener);
    const place = (given: Partial<NewBasket> = {}): bigint => {
      const placed = world.baskets.place({ ...BASKET, ...given }, clock.now());
      if (!placed.ok) throw new Error(placed.text);
      return placed.basket.id;
    };
    await use({ world, clock, feedEvents: reported, asked: () => requested, place });
  } finally {
    await feed.stop();
    on = false;
    await running;
  }
}

const BASKET: NewBasket = {
  account: ACCOUNT,
  exchange: 'NSE',
  name: 'b',
  tag: '',
  legs: [{ refId: SHARE.refId, quantity: 10, side: 'BUY' }],
  side: 'BUY',
  product: 'CNC',
  ...AT_THE_MARKET,
};

describe('the list of baskets', () => {
  test('is asked for at each connection, and else only now and then while no basket is open', async () => {
    await following(async ({ world, clock, asked: requested, place }) => {
      await clock.sleep(10 * SECOND);
      // The first look, the connection, and seconds later.
      expect(requested()).toBe(3);
      await clock.sleep(8 * CHECK_EVERY_MS);
      expect(requested()).toBe(4);
      const id = place();
      const before = requested();
      await clock.sleep(4 * CHECK_EVERY_MS);
      expect(requested() - before).toBeGreaterThanOrEqual(3);
      world.baskets.cancel(id, clock.now());
      await clock.sleep(2 * CHECK_EVERY_MS);
      const ended = requested();
      await clock.sleep(4 * CHECK_EVERY_MS);
      expect(requested()).toBe(ended);
      world.dropAll();
      await clock.sleep(10 * SECOND);
      expect(requested()).toBe(ended + 2);
    });
  });

  test('is told of once where it fails, and then neither stops the comparison of orders nor looks like a day without baskets', async () => {
    let fails = true;
    const failing: FeedDeps['baskets'] = async () =>
      fails ? await Promise.reject(new NetworkError('No answer', { maySent: false })) : [];
    await following(async ({ world, clock, feedEvents: reported }) => {
      world.faults = { ...NO_FAULTS, halfOpen: 1_000 };
      await clock.sleep(10 * SECOND);
      world.exchange.place({ ...ORDER, account: ACCOUNT }, clock.now());
      await clock.sleep(2 * CHECK_EVERY_MS);
      expect(reported.connection.map(({ type }) => type)).toContain('connectionLost');
      expect(reported.of('day').flatMap(({ day }) => day.orders)).not.toEqual([]);
      expect(reported.of('day').every(({ day }) => day.baskets === undefined)).toBe(true);
      expect(reported.basketsUnread).toEqual(['No answer']);
      fails = false;
      world.faults = NO_FAULTS;
      await clock.sleep(2 * CHECK_EVERY_MS);
      expect(reported.of('day').at(-1)?.day.baskets).toEqual([]);
      fails = true;
      world.dropAll();
      await clock.sleep(10 * SECOND);
      expect(reported.basketsUnread).toEqual(['No answer', 'No answer']);
    }, failing);
  });

  test('holds nothing up for long where it never comes', async () => {
    const silent: FeedDeps['baskets'] = async (signal) =>
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    await following(async ({ world, clock, feedEvents: reported }) => {
      expect(clock.now() - MONDAY_TEN).toBeLessThan(15 * SECOND);
      world.dropAll();
      await clock.sleep(15 * SECOND);
      expect(reported.connection.map(({ type }) => type)).toEqual(['connectionLost', 'connectionRestored']);
      expect(reported.basketsUnread).toEqual(['The service did not answer in time']);
    }, silent);
  });

  test('is not asked for again until the next connection where the service has none', async () => {
    await following(
      async ({ world, clock, asked: requested, place, feedEvents: reported }) => {
        place();
        await clock.sleep(10 * SECOND);
        const before = requested();
        await clock.sleep(6 * CHECK_EVERY_MS);
        expect(requested()).toBe(before);
        expect(reported.basketsUnread).toEqual(['There is no list of baskets']);
        world.dropAll();
        await clock.sleep(10 * SECOND);
        expect(requested()).toBeGreaterThan(before);
      },
      async () => undefined,
    );
  });
});

test('the orders of baskets are handed on at each comparison: triggers may have recovered them differently', async () => {
  await following(async ({ clock, place, feedEvents: reported }) => {
    place();
    await clock.sleep(3 * CHECK_EVERY_MS);
    expect(
      reported
        .of('day')
        .at(-1)
        ?.day.orders.map(({ kind }) => kind),
    ).toEqual(['leg']);
  });
});

test('a stream that does not bring that a basket was cancelled before it did anything is deaf', async () => {
  await following(async ({ world, clock, place, feedEvents: reported }) => {
    const id = place({ priceType: 'LIMIT', entryPrice: 100_000 });
    await clock.sleep(10 * SECOND);
    world.faults = { ...NO_FAULTS, halfOpen: 1_000 };
    world.baskets.cancel(id, clock.now());
    await clock.sleep(5 * SECOND);
    expect(world.baskets.basket(id)?.status).toBe('CANCELLED');
    world.faults = NO_FAULTS;
    await clock.sleep(2 * CHECK_EVERY_MS);
    expect(reported.connection.map(({ type }) => type)).toEqual(['connectionLost', 'connectionRestored']);
  });
});

test('a stream that does not bring what became of a basket is deaf', async () => {
  await following(async ({ world, clock, place, feedEvents: reported }) => {
    const id = place();
    await clock.sleep(10 * SECOND);
    expect(world.baskets.basket(id)?.status).toBe('FILLED');
    world.faults = { ...NO_FAULTS, halfOpen: 1_000 };
    world.baskets.cancel(id, clock.now());
    await clock.sleep(5 * SECOND);
    world.faults = NO_FAULTS;
    await clock.sleep(2 * CHECK_EVERY_MS);
    expect(reported.connection.map(({ type, reason }) => [type, reason])).toEqual(
      ['connectionLost', 'connectionRestored'].map((type) => [
        type,
        'The stream was open but did not bring what had happened',
      ]),
    );
  });
});

const ORDER = {
  refId: SHARE.refId,
  kind: 'REGULAR',
  side: 'BUY',
  quantity: 3,
  product: 'CNC',
  validity: 'DAY',
  priceType: 'MARKET',
  price: 0,
  triggerPrice: 0,
  legSize: 0,
  tag: '',
  basketId: 0n,
  source: 'NORMAL',
} as const;
