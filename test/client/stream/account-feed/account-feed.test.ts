/** The feed: starting, ending at any moment, outages, dead sessions, bad frames. */
import { describe, expect, test } from '@jest/globals';
import { NetworkError, SessionError } from '../../../../client/base/errors';
import { AccountFeed } from '../../../../client/stream/account-feed/account-feed';
import type { FeedDeps } from '../../../../client/stream/account-feed/types';
import type { StreamAccess } from '../../../../client/stream/connection/socket';
import { MONDAY_TEN } from '../../../support/still-market';
import { NO_FAULTS } from '../simulated-service';
import { MINUTE, OPTIONS, FeedEvents, inWorld } from '../listening';

describe('a feed', () => {
  test('leaves no socket behind, whenever it is stopped', async () => {
    for (let stopAfter = 0; stopAfter <= 1_200; stopAfter += 25) {
      await inWorld(async (world, clock) => {
        const feed = new AccountFeed(world.deps(), OPTIONS);
        const started = feed.start(new FeedEvents().listener).then(
          () => 'started',
          (error: Error) => error.message,
        );
        await clock.sleep(stopAfter);
        await feed.stop();
        expect(['started', 'The trigger was stopped']).toContain(await started);
        expect(world.openSockets).toBe(0);
        await clock.sleep(MINUTE);
        expect(world.openSockets).toBe(0);
      });
    }
  });

  test('does not start when the service refuses, and says why', async () => {
    await inWorld(async (world) => {
      const refusing = (error: Error): FeedDeps => ({
        ...world.deps(),
        access: async () => await Promise.reject(error),
      });
      for (const error of [
        new SessionError('The MPIN was refused.'),
        new NetworkError('No server', { maySent: false }),
      ]) {
        await expect(new AccountFeed(refusing(error), OPTIONS).start(new FeedEvents().listener)).rejects.toBe(error);
      }
    });
  });

  test('tries a stream that closes at the start again, then gives up', async () => {
    await inWorld(async (world) => {
      world.faults = { ...NO_FAULTS, refuseConnection: 1_000 };
      await expect(new AccountFeed(world.deps(), OPTIONS).start(new FeedEvents().listener)).rejects.toMatchObject({
        message: 'The stream could not be opened',
        hint: expect.stringContaining('NODE_USE_ENV_PROXY=1') as unknown,
      });
    });
  });

  test('tells once of a long outage while a market may be open, and that it is back', async () => {
    await inWorld(async (world, clock) => {
      const reported = new FeedEvents();
      const feed = new AccountFeed(world.deps(), OPTIONS);
      await feed.start(reported.listener);
      world.faults = { ...NO_FAULTS, refuseConnection: 1_000 };
      world.dropAll();
      await clock.sleep(20 * MINUTE);
      expect(reported.outages).toHaveLength(1);
      expect(reported.outages[0]).toBeGreaterThanOrEqual(5 * MINUTE);
      world.faults = NO_FAULTS;
      await clock.sleep(3 * MINUTE);
      expect(reported.connection.map(({ type }) => type)).toEqual(['connectionLost', 'connectionRestored']);
      expect(reported.connection[1]?.downMs).toBeGreaterThan(20 * MINUTE);
      await feed.stop();
    });
  });

  test('keeps quiet about an outage on a Sunday', async () => {
    await inWorld(
      async (world, clock) => {
        const reported = new FeedEvents();
        const feed = new AccountFeed(world.deps(), OPTIONS);
        await feed.start(reported.listener);
        world.faults = { ...NO_FAULTS, refuseConnection: 1_000 };
        world.dropAll();
        await clock.sleep(20 * MINUTE);
        expect(reported.outages).toEqual([]);
        await feed.stop();
      },
      MONDAY_TEN - 24 * 60 * MINUTE,
    );
  });

  test('renews the session when the stream calls the token invalid', async () => {
    await inWorld(async (world, clock) => {
      const reported = new FeedEvents();
      const requested: string[] = [];
      const deps = world.deps();
      const access = async (signal: AbortSignal): Promise<StreamAccess> => {
        const given = await deps.access(signal);
        requested.push(given.token);
        return given;
      };
      const feed = new AccountFeed({ ...deps, access }, OPTIONS);
      await feed.start(reported.listener);
      const before = world.token;
      world.expireToken();
      await clock.sleep(MINUTE);
      expect(requested).toEqual([`token-${before}`, `token-${before + 1}`]);
      expect(reported.connection.map(({ type }) => type)).toEqual(['connectionLost', 'connectionRestored']);
      await feed.stop();
    });
  });

  test('stops for good when no session is possible without a login by hand', async () => {
    await inWorld(async (world, clock) => {
      const reported = new FeedEvents();
      const deps = world.deps();
      let dead = false;
      const feed = new AccountFeed(
        {
          ...deps,
          access: async (signal) =>
            dead ? await Promise.reject(new SessionError('The MPIN was refused.')) : await deps.access(signal),
        },
        OPTIONS,
      );
      await feed.start(reported.listener);
      dead = true;
      world.dropAll();
      await clock.sleep(10 * MINUTE);
      expect(reported.fatal.map(({ message }) => message)).toEqual(['The MPIN was refused.']);
      expect(world.openSockets).toBe(0);
      await feed.stop();
    });
  });

  test('survives frames that cannot be read, counts them and tells once of each cause', async () => {
    await inWorld(async (world, clock) => {
      const reported = new FeedEvents();
      const feed = new AccountFeed(world.deps(), OPTIONS);
      await feed.start(reported.listener);
      world.faults = { ...NO_FAULTS, truncate: 1_000 };
      for (let n = 0; n < 10; n++) {
        world.trade();
        await clock.sleep(300);
      }
      expect(reported.badFrames).toEqual(['truncated']);
      expect(feed.badFrames.get('truncated')).toBeGreaterThan(1);
      world.faults = NO_FAULTS;
      const before = reported.updates;
      for (let n = 0; n < 5; n++) world.trade();
      await clock.sleep(2_000);
      expect(reported.updates).toBeGreaterThan(before);
      await feed.stop();
    });
  });

  test('returns what the stream brought, also where it ended before the comparison: a refusal is nowhere else to be found', async () => {
    await inWorld(async (world, clock) => {
      const reported = new FeedEvents();
      const deps = world.deps();
      let isStuck = false;
      const stuck = async (signal: AbortSignal): Promise<never> =>
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      const feed = new AccountFeed(
        { ...deps, orders: async (signal) => (isStuck ? await stuck(signal) : await deps.orders(signal)) },
        OPTIONS,
      );
      await feed.start(reported.listener);
      await clock.sleep(10_000);
      isStuck = true;
      world.dropAll();
      await clock.sleep(2_500);
      const before = reported.updates;
      const sent = world.framesSent;
      for (let n = 0; n < 5; n++) world.trade();
      await clock.sleep(1_000);
      expect(world.framesSent).toBeGreaterThan(sent);
      expect(reported.updates).toBe(before);
      world.dropAll();
      await clock.sleep(10);
      expect(reported.updates - before).toBe(world.framesSent - sent);
      await feed.stop();
    });
  });

  test('finds out that an open stream is deaf, and connects again', async () => {
    await inWorld(async (world, clock) => {
      const reported = new FeedEvents();
      const feed = new AccountFeed(world.deps(), OPTIONS);
      await feed.start(reported.listener);
      await clock.sleep(10_000);
      world.faults = { ...NO_FAULTS, halfOpen: 1_000 };
      world.trade();
      await clock.sleep(5_000);
      world.faults = NO_FAULTS;
      await clock.sleep(MINUTE);
      expect(reported.connection.map(({ type, reason }) => [type, reason])).toEqual([
        ['connectionLost', 'The stream was open but did not bring what had happened'],
        ['connectionRestored', 'The stream was open but did not bring what had happened'],
      ]);
      await feed.stop();
    });
  });
});

describe('a network that is cut without a word: the socket stays open, and nothing comes', () => {
  /** The wire is cut: no frame and no reply gets through, and nobody closes anything. */
  const cut = { ...NO_FAULTS, halfOpen: 1_000, failRequest: 1_000 };

  test('is told as a lost connection, as an outage once, and recovered from', async () => {
    await inWorld(async (world, clock) => {
      const reported = new FeedEvents();
      const feed = new AccountFeed(world.deps(), OPTIONS);
      await feed.start(reported.listener);
      await clock.sleep(10_000);
      world.faults = cut;
      world.trade();
      await clock.sleep(2 * MINUTE);
      expect(reported.connection.map(({ type }) => type)).toEqual(['connectionLost']);
      await clock.sleep(18 * MINUTE);
      expect(reported.outages).toHaveLength(1);
      expect(reported.ordersUnread).toEqual([]);
      world.faults = NO_FAULTS;
      await clock.sleep(3 * MINUTE);
      expect(reported.connection.map(({ type }) => type)).toEqual(['connectionLost', 'connectionRestored']);
      expect(reported.connection[1]?.recovered).toBeGreaterThan(0);
      expect(world.openSockets).toBe(1);
      await feed.stop();
    });
  });

  test('is not confused with a list of orders that cannot be had for a while: the stream goes on', async () => {
    await inWorld(async (world, clock) => {
      const reported = new FeedEvents();
      const deps = world.deps();
      let down = false;
      const orders: FeedDeps['orders'] = async (signal) =>
        down ? await Promise.reject(new NetworkError('No server', { maySent: true })) : await deps.orders(signal);
      const feed = new AccountFeed({ ...deps, orders }, OPTIONS);
      await feed.start(reported.listener);
      down = true;
      await clock.sleep(10 * MINUTE);
      expect(reported.connection).toEqual([]);
      const before = reported.updates;
      for (let n = 0; n < 5; n++) world.trade();
      await clock.sleep(2_000);
      expect(reported.updates).toBeGreaterThan(before);
      expect(reported.ordersUnread).toEqual(['No server']);
      down = false;
      await clock.sleep(10 * MINUTE);
      expect(reported.ordersUnread).toHaveLength(1);
      down = true;
      await clock.sleep(10 * MINUTE);
      expect(reported.ordersUnread).toHaveLength(2);
      expect(reported.outages).toEqual([]);
      await feed.stop();
    });
  });
});
