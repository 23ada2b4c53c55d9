/** Clock of the service, as its replies tell it. */
import { describe, expect, test } from '@jest/globals';
import { AccountFeed } from '../../../../client/stream/account-feed/account-feed';
import { v2Api } from '../../../../client/orders/api/v2/v2';
import { requestDayOrders } from '../../../../client/stream/account-feed/day-requests';
import type { DayOrders } from '../../../../client/stream/reconciliation/types';
import { createTransport, type Transport } from '../../../../client/transport';
import { momentAt, VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { FOREVER, OPTIONS, FeedEvents, inWorld } from '../listening';

describe("the service's clock", () => {
  const lookingAt = async (reported: DayOrders['ahead'][], joinedLater = 0): Promise<string | undefined> => {
    let instant: string | undefined;
    await inWorld(async (world, clock) => {
      const feed = new AccountFeed(
        {
          ...world.deps(),
          clock,
          orders: async () => ({ orders: [], odd: [], ahead: reported.length > 1 ? reported.shift() : reported[0] }),
        },
        OPTIONS,
      );
      await feed.start(new FeedEvents().listener);
      instant = feed.serviceInstant(momentAt(MONDAY_TEN + joinedLater));
      await feed.stop();
    });
    return instant;
  };
  const nanos = (ms: number): string => `${MONDAY_TEN + ms}000000`;

  test('is taken at the earliest that its replies allow together: what happened then must not be lost', async () => {
    expect(await lookingAt([{ min: -900, max: 99 }])).toBe(nanos(-900));
    expect(await lookingAt([{ min: 3_600_000, max: 3_601_000 }])).toBe(nanos(3_600_000));
    expect(
      await lookingAt([
        { min: -90_000, max: -86_000 },
        { min: -89_500, max: -88_500 },
      ]),
    ).toBe(nanos(-89_500));
    expect(
      await lookingAt([
        { min: -900, max: 99 },
        { min: 60_000, max: 61_000 },
      ]),
    ).toBe(nanos(60_000));
  });
  test('is not guessed: when it is not told, and when a clock that differs was read before', async () => {
    expect(await lookingAt([undefined])).toBeUndefined();
    expect(await lookingAt([{ min: 3_600_000, max: 3_601_000 }], 60_000)).toBeUndefined();
    expect(await lookingAt([{ min: -900, max: 99 }], 60_000)).toBe(nanos(59_100));
  });
  test('is read from the date of a reply, which tells whole seconds', async () => {
    const clock = new VirtualClock(MONDAY_TEN);
    const replying = (headers: Record<string, string>): Transport =>
      createTransport({
        http: async () => {
          clock.set(clock.now() + 200);
          return { status: 200, headers, body: new TextEncoder().encode('[]') };
        },
        clock,
        random: () => 0,
        baseUrl: 'http://clock.example',
        deviceId: 'd',
      });
    const date = new Date(MONDAY_TEN + 5_000).toUTCString();
    expect(await requestDayOrders(replying({ date }), v2Api, FOREVER)).toEqual({
      orders: [],
      odd: [],
      ahead: { min: 4_800, max: 5_999 },
    });
    expect((await requestDayOrders(replying({}), v2Api, FOREVER)).ahead).toBeUndefined();
  });
});
