/** One feed for all triggers of an account. */
import { describe, expect, test } from '@jest/globals';
import { NetworkError } from '../../../../client/errors';
import type { FeedDeps, FeedListener } from '../../../../client/stream/connection/feed-contract';
import { FeedHub } from '../../../../client/stream/connection/shared-feeds';
import { MINUTE, OPTIONS, FOREVER, listening, inWorld } from '../listening';

describe('the hub', () => {
  test('shows one who joins what the others know already', async () => {
    await inWorld(async (world, clock) => {
      const hub = new FeedHub();
      const views: number[] = [];
      const seeing = (): FeedListener => ({
        ...listening().listener,
        onBegin: ({ orders }) => views.push(orders.length),
      });
      const first = await hub.join('a', world.deps(), OPTIONS, seeing(), FOREVER);
      world.trade();
      await clock.sleep(5_000);
      const second = await hub.join('a', world.deps(), OPTIONS, seeing(), FOREVER);
      expect(views).toEqual([0, 1]);
      await first.leave();
      await second.leave();
    });
  });

  test('keeps one connection for an account, as long as anybody wants it', async () => {
    await inWorld(async (world, clock) => {
      const hub = new FeedHub();
      const [one, two] = [listening(), listening()];
      const members = await Promise.all([
        hub.join('a', world.deps(), OPTIONS, one.listener, FOREVER),
        hub.join('a', world.deps(), OPTIONS, two.listener, FOREVER),
      ]);
      expect(world.openSockets).toBe(1);
      world.trade();
      await clock.sleep(2_000);
      expect(one.told.updates).toBeGreaterThan(0);
      expect(two.told.updates).toBe(one.told.updates);
      await members[0].leave();
      const left = one.told.updates;
      // The one that began has left: the other's own means are used from now on.
      world.dropAll();
      await clock.sleep(MINUTE);
      for (let n = 0; n < 5; n++) world.trade();
      await clock.sleep(5_000);
      expect(one.told.updates).toBe(left);
      expect(two.told.updates).toBeGreaterThan(left);
      await members[1].leave();
      expect(world.openSockets).toBe(0);
      expect(hub.size).toBe(0);
    });
  });

  test('is followed by others while it runs, who start none and keep none', async () => {
    await inWorld(async (world, clock) => {
      const hub = new FeedHub();
      const seen: string[] = [];
      hub.follow('a', ({ order }) => seen.push(order.orderId))();
      expect([hub.size, world.openSockets]).toEqual([0, 0]);
      const member = await hub.join('a:orders', world.deps(), OPTIONS, listening().listener, FOREVER);
      const unfollow = hub.follow('a', ({ order }) => seen.push(order.orderId));
      hub.follow('other', () => seen.push('of another account'));
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
      expect([hub.size, world.openSockets]).toEqual([0, 0]);
    });
  });

  test('a failed start is told to everybody, and the next one begins anew', async () => {
    await inWorld(async (world) => {
      const hub = new FeedHub();
      const failing: FeedDeps = {
        ...world.deps(),
        access: async () => await Promise.reject(new NetworkError('No server', { maySent: false })),
      };
      const joins = [
        hub.join('a', failing, OPTIONS, listening().listener, FOREVER),
        hub.join('a', failing, OPTIONS, listening().listener, FOREVER),
      ];
      for (const join of joins) await expect(join).rejects.toThrow('No server');
      expect(hub.size).toBe(0);
      const member = await hub.join('a', world.deps(), OPTIONS, listening().listener, FOREVER);
      await member.leave();
      expect(world.openSockets).toBe(0);
    });
  });

  test('one who gives up waiting is let go at once, and nothing is left', async () => {
    await inWorld(async (world) => {
      const hub = new FeedHub();
      const silent: FeedDeps = {
        ...world.deps(),
        access: async (signal) =>
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      };
      const giveUp = new AbortController();
      const join = hub.join('a', silent, OPTIONS, listening().listener, giveUp.signal);
      giveUp.abort(new Error('closed'));
      await expect(join).rejects.toThrow('closed');
      expect(hub.size).toBe(0);
    });
  });
});
