/** One feed for all triggers of an account. */
import { describe, expect, test } from '@jest/globals';
import { NetworkError } from '../../../../client/base/errors';
import type { FeedDeps, FeedListener } from '../../../../client/stream/account-feed/types';
import { SharedAccountFeeds } from '../../../../client/stream/account-feed/shared-account-feeds';
import { MINUTE, OPTIONS, FOREVER, FeedEvents, inWorld } from '../listening';

describe('shared feeds', () => {
  test('show one who joins what the others know already', async () => {
    await inWorld(async (world, clock) => {
      const feeds = new SharedAccountFeeds();
      const views: number[] = [];
      const seeing = (): FeedListener => (event) => {
        if (event.type === 'started') views.push(event.day.orders.length);
      };
      const first = await feeds.join('a', world.deps(), OPTIONS, seeing(), FOREVER);
      world.trade();
      await clock.sleep(5_000);
      const second = await feeds.join('a', world.deps(), OPTIONS, seeing(), FOREVER);
      expect(views).toEqual([0, 1]);
      await first.leave();
      await second.leave();
    });
  });

  test('keep one connection for an account, as long as anybody wants it', async () => {
    await inWorld(async (world, clock) => {
      const feeds = new SharedAccountFeeds();
      const [one, two] = [new FeedEvents(), new FeedEvents()];
      const members = await Promise.all([
        feeds.join('a', world.deps(), OPTIONS, one.listener, FOREVER),
        feeds.join('a', world.deps(), OPTIONS, two.listener, FOREVER),
      ]);
      expect(world.openSockets).toBe(1);
      world.trade();
      await clock.sleep(2_000);
      expect(one.updates).toBeGreaterThan(0);
      expect(two.updates).toBe(one.updates);
      await members[0].leave();
      const left = one.updates;
      // The one that began has left: the other's own means are used from now on.
      world.dropAll();
      await clock.sleep(MINUTE);
      for (let n = 0; n < 5; n++) world.trade();
      await clock.sleep(5_000);
      expect(one.updates).toBe(left);
      expect(two.updates).toBeGreaterThan(left);
      await members[1].leave();
      expect(world.openSockets).toBe(0);
      expect(feeds.size).toBe(0);
    });
  });

  test('are followed by others while they run, who start none and keep none', async () => {
    await inWorld(async (world, clock) => {
      const feeds = new SharedAccountFeeds();
      const seen: string[] = [];
      feeds.follow('a', ({ order }) => seen.push(order.orderId))();
      expect([feeds.size, world.openSockets]).toEqual([0, 0]);
      const member = await feeds.join('a:orders', world.deps(), OPTIONS, new FeedEvents().listener, FOREVER);
      const unfollow = feeds.follow('a', ({ order }) => seen.push(order.orderId));
      feeds.follow('other', () => seen.push('of another account'));
      world.trade();
      await clock.sleep(2_000);
      const count = seen.length;
      expect(count).toBeGreaterThan(0);
      expect(seen).not.toContain('of another account');
      unfollow();
      world.trade();
      await clock.sleep(2_000);
      expect(seen).toHaveLength(count);
      await member.leave();
      expect([feeds.size, world.openSockets]).toEqual([0, 0]);
    });
  });

  test('tell everybody of a failed start, and begin again the next time', async () => {
    await inWorld(async (world) => {
      const feeds = new SharedAccountFeeds();
      const failing: FeedDeps = {
        ...world.deps(),
        access: async () => await Promise.reject(new NetworkError('No server', { maySent: false })),
      };
      const joins = [
        feeds.join('a', failing, OPTIONS, new FeedEvents().listener, FOREVER),
        feeds.join('a', failing, OPTIONS, new FeedEvents().listener, FOREVER),
      ];
      for (const join of joins) await expect(join).rejects.toThrow('No server');
      expect(feeds.size).toBe(0);
      const member = await feeds.join('a', world.deps(), OPTIONS, new FeedEvents().listener, FOREVER);
      await member.leave();
      expect(world.openSockets).toBe(0);
    });
  });

  test('release one who gives up waiting at once, and leave nothing', async () => {
    await inWorld(async (world) => {
      const feeds = new SharedAccountFeeds();
      const silent: FeedDeps = {
        ...world.deps(),
        access: async (signal) =>
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      };
      const giveUp = new AbortController();
      const join = feeds.join('a', silent, OPTIONS, new FeedEvents().listener, giveUp.signal);
      giveUp.abort(new Error('closed'));
      await expect(join).rejects.toThrow('closed');
      expect(feeds.size).toBe(0);
    });
  });

  test('release one who has given up already, and keep those who wait', async () => {
    await inWorld(async (world) => {
      const feeds = new SharedAccountFeeds();
      const join = feeds.join('a', world.deps(), OPTIONS, new FeedEvents().listener, FOREVER);
      const over = AbortSignal.abort(new Error('closed'));
      await expect(feeds.join('a', world.deps(), OPTIONS, new FeedEvents().listener, over)).rejects.toThrow('closed');
      expect(feeds.size).toBe(1);
      await (await join).leave();
      expect([feeds.size, world.openSockets]).toEqual([0, 0]);
    });
  });

  test('do not let anybody join one that has ended for good: the next begins again, also while others have not left', async () => {
    await inWorld(async (world, clock) => {
      const feeds = new SharedAccountFeeds();
      const reported = new FeedEvents();
      const first = await feeds.join('a', world.deps(), OPTIONS, reported.listener, FOREVER);
      world.loseLogin();
      await clock.sleep(5_000);
      expect(reported.fatal).toHaveLength(1);
      expect(feeds.size).toBe(0);
      world.refusesLogin = false;
      const second = await feeds.join('a', world.deps(), OPTIONS, new FeedEvents().listener, FOREVER);
      await first.leave();
      expect([feeds.size, world.openSockets]).toEqual([1, 1]);
      await second.leave();
    });
  });

  test('read the baskets soon for one who joins later', async () => {
    await inWorld(async (world, clock) => {
      const feeds = new SharedAccountFeeds();
      const [one, two] = [new FeedEvents(), new FeedEvents()];
      const first = await feeds.join('a', world.deps(), OPTIONS, one.listener, FOREVER);
      await clock.sleep(10_000);
      const before = world.basketListReads.length;
      const second = await feeds.join('a', world.deps(), OPTIONS, two.listener, FOREVER);
      await clock.sleep(OPTIONS.checkEveryMs);
      expect(world.basketListReads).toHaveLength(before + 1);
      expect(two.of('day').at(-1)?.day.baskets).toEqual([]);
      await first.leave();
      await second.leave();
    });
  });
});
