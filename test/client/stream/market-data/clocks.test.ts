/** Market data where our clock is not the service's. */
import { describe, expect, test } from '@jest/globals';
import type { StreamAccess } from '../../../../client/stream/connection/socket';
import type { MarketEvent, MarketSubscription } from '../../../../client/stream/market-data/market-data';
import { MarketFeed, type MarketDeps } from '../../../../client/stream/market-data/market-feed';
import { ServiceClock } from '../../../../client/stream/market-data/service-clock';
import { msToNanos } from '../../../../client/values/time';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { MarketWorld } from './market-world';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe("the service's clock", () => {
  const known = () => {
    const clock = new VirtualClock(MONDAY_TEN);
    return { clock, time: new ServiceClock(clock) };
  };

  test('is that of the message that was on its way for the shortest time, and ours until then', () => {
    const { clock, time } = known();
    expect([time.now() - MONDAY_TEN, time.isKnown]).toEqual([0, false]);
    time.onFrame(MONDAY_TEN + 700);
    time.onFrame(MONDAY_TEN + 900);
    time.onFrame(MONDAY_TEN + 100);
    expect([time.now() - MONDAY_TEN, time.isKnown]).toEqual([900, true]);
    clock.set(MONDAY_TEN + SECOND);
    expect([time.now(), time.at(MONDAY_TEN)].map((at) => at - MONDAY_TEN)).toEqual([1_900, 900]);
  });

  test('does not count messages of long ago: ours may run faster', () => {
    const { clock, time } = known();
    time.onFrame(MONDAY_TEN);
    for (let passed = 1; passed <= 11; passed++) {
      clock.set(MONDAY_TEN + passed * MINUTE);
      time.onFrame(clock.now() - 50 * passed);
    }
    expect(time.now() - clock.now()).toBeLessThanOrEqual(-50);
  });

  test('goes on from where it was when ours is set, until the next message tells', () => {
    const { clock, time } = known();
    time.onFrame(MONDAY_TEN);
    for (const [passed, aheadMs] of [
      [1, MINUTE],
      [2, -2 * MINUTE],
    ] as const) {
      clock.set(MONDAY_TEN + passed * SECOND);
      clock.jump(aheadMs);
      expect(time.now() - MONDAY_TEN).toBe(passed * SECOND);
      expect([time.wasSet(), time.now() - MONDAY_TEN]).toEqual([true, passed * SECOND]);
    }
    time.onFrame(MONDAY_TEN + 1_500);
    expect(time.now() - MONDAY_TEN).toBe(1_500);
    clock.set(MONDAY_TEN + 3_100);
    expect(time.wasSet()).toBe(false);
    expect(time.now() - MONDAY_TEN).toBe(2_600);
  });

  test('goes on over a moment in which the process was busy', () => {
    const { clock, time } = known();
    time.onFrame(MONDAY_TEN + 900);
    clock.set(MONDAY_TEN + 5 * SECOND);
    expect([time.wasSet(), time.now() - MONDAY_TEN]).toEqual([false, 5_900]);
    time.onFrame(MONDAY_TEN + 5_100);
    expect(time.now() - MONDAY_TEN).toBe(5_900);
  });

  test('counts for up to ten minutes from the message that was on its way for the shortest time', () => {
    const { clock, time } = known();
    const received = (ms: number, ahead: number): number => {
      clock.set(MONDAY_TEN + ms);
      time.onFrame(clock.now() + ahead);
      return time.now() - clock.now();
    };
    expect([
      received(0, 900),
      received(5 * MINUTE - 1, 100),
      received(5 * MINUTE, 200),
      received(6 * MINUTE, 300),
    ]).toEqual([...[900, 900, 900, 900]]);
    expect([received(10 * MINUTE - 1, 250), received(10 * MINUTE, 50), received(11 * MINUTE, 400)]).toEqual([
      900, 300, 400,
    ]);
    expect([received(15 * MINUTE, 10), received(20 * MINUTE, 20)]).toEqual([400, 20]);
    time.renew();
    expect([received(21 * MINUTE, -50), received(22 * MINUTE, -70), received(26 * MINUTE, -90)]).toEqual([
      -50, -50, -50,
    ]);
  });

  test('is what a reply tells, until a message does; a reply that tells none leaves it unchanged', () => {
    const { clock, time } = known();
    time.onServiceTime(undefined);
    expect([time.isKnown, time.now() - MONDAY_TEN]).toEqual([true, 0]);
    const other = new ServiceClock(clock);
    other.onServiceTime(400);
    expect(other.now() - MONDAY_TEN).toBe(400);
    other.onFrame(MONDAY_TEN + 700);
    other.onServiceTime(300);
    expect(other.now() - MONDAY_TEN).toBe(700);
    other.renew();
    other.onServiceTime(undefined);
    expect(other.now() - MONDAY_TEN).toBe(700);
    other.onServiceTime(300);
    expect(other.now() - MONDAY_TEN).toBe(300);
    other.onFrame(MONDAY_TEN + 100);
    expect(other.now() - MONDAY_TEN).toBe(100);
  });

  test('is never far beyond the replies of a live service; that of a sandbox may leap', () => {
    const { clock } = known();
    const ahead = (leaps: boolean, reported: number | undefined, ...received: readonly number[]): number => {
      const time = new ServiceClock(clock, leaps);
      time.onServiceTime(reported);
      for (const ms of received) time.onFrame(MONDAY_TEN + ms);
      return time.now() - MONDAY_TEN;
    };
    expect([ahead(false, 500, 2 * MINUTE + 501), ahead(false, 500, 2 * MINUTE + 500)]).toEqual([500, 2 * MINUTE + 500]);
    expect([ahead(true, 500, 60 * MINUTE), ahead(false, undefined, 60 * MINUTE)]).toEqual([60 * MINUTE, 60 * MINUTE]);
    const time = new ServiceClock(clock, false);
    time.onServiceTime(500);
    // Our clock is set back by an hour: what the service replied is an hour more ahead of it.
    clock.set(MONDAY_TEN + SECOND);
    clock.jump(-60 * MINUTE);
    expect([time.wasSet(), time.now() - MONDAY_TEN]).toEqual([true, SECOND + 500]);
    time.onFrame(MONDAY_TEN + SECOND + 700);
    expect([time.now() - MONDAY_TEN, time.latest() - MONDAY_TEN]).toEqual([SECOND + 700, SECOND + 700 + 2 * MINUTE]);
  });

  test.each([
    [-2_000, true, 100],
    [-1_999, false, 900],
    [1_999, false, 900],
    [2_000, true, 100],
  ])('was set or not where our clock went on %i ms more than time did: %s', (step, isSet, ahead) => {
    const { clock, time } = known();
    time.onFrame(MONDAY_TEN + 900);
    clock.set(MONDAY_TEN + SECOND);
    clock.jump(step);
    expect([time.wasSet(), time.now() - MONDAY_TEN]).toEqual([isSet, SECOND + 900]);
    time.onFrame(MONDAY_TEN + SECOND + 100);
    expect(time.now() - MONDAY_TEN).toBe(SECOND + ahead);
    expect(time.wasSet()).toBe(false);
  });

  test('counts what is heard after ours was set, also before anybody looked', () => {
    const { clock, time } = known();
    time.onFrame(MONDAY_TEN + 900);
    expect(time.wasSet()).toBe(false);
    clock.set(MONDAY_TEN + SECOND);
    clock.jump(-MINUTE);
    time.onFrame(MONDAY_TEN + SECOND + 900);
    expect([time.now() - MONDAY_TEN, time.wasSet(), time.now() - MONDAY_TEN]).toEqual([
      SECOND + 900,
      true,
      SECOND + 900,
    ]);
  });

  test('is as unknown as before when ours is set before anything has told it', () => {
    const { clock, time } = known();
    clock.jump(MINUTE);
    expect([time.wasSet(), time.isKnown, time.now() - MONDAY_TEN]).toEqual([true, false, MINUTE]);
  });

  test('reads times in nanoseconds, and none where there is none', () => {
    const { time } = known();
    const [name, two] = [msToNanos(MONDAY_TEN), msToNanos(MONDAY_TEN + 1)];
    expect([name, name, 'x', 'x', two].map((text) => time.msOf(text))).toEqual([
      ...[MONDAY_TEN, MONDAY_TEN, null, null, MONDAY_TEN + 1],
    ]);
  });
});

describe('market data by the clock of a sandbox that goes as fast as it can', () => {
  /** While a second of ours passes, five minutes pass there, and by the clock that both have. */
  const SPEED = 300;

  /** @returns how many sockets were made in a minute of ours, and whether prices came to the end. */
  async function listening(access: Partial<StreamAccess>): Promise<{ sockets: number; isHeard: boolean }> {
    const clock = new VirtualClock(MONDAY_TEN);
    const world = new MarketWorld(clock, 5, MONDAY_TEN - 10 * MINUTE, MONDAY_TEN + 400 * MINUTE);
    const [share] = world.shares;
    let [isOver, sockets, newest] = [false, 0, 0];
    const running = world.run(() => isOver);
    const deps = world.deps();
    const closing = new AbortController();
    const feed = new MarketFeed(
      {
        ...deps,
        clock: {
          now: () => clock.now(),
          moment: (ms = 0) => clock.moment(ms * SPEED),
          since: (moment) => clock.since(moment) / SPEED,
          sleep: async (ms, signal) => await clock.sleep(ms * SPEED, signal),
        },
        access: async (signal) => ({ ...(await deps.access(signal)), ...access }),
        makeSocket: (url) => {
          sockets += 1;
          return deps.makeSocket(url);
        },
      },
      'sandbox',
      () => undefined,
    );
    const received = (event: MarketEvent): void => {
      if (event.kind === 'tick') newest = event.tick.lastPrice;
    };
    await feed.subscribe([{ kind: 'tick', instrument: share!.instrument }], received, closing.signal);
    await clock.sleep(MINUTE * SPEED);
    closing.abort(new Error('closed'));
    isOver = true;
    await running;
    return { sockets, isHeard: share!.pricesIn(clock.now() - 20 * SECOND, clock.now()).includes(newest) };
  }

  test('keeps its connection where that clock waits for us', async () => {
    expect(await listening({ runsDone: async () => await Promise.resolve(0) })).toEqual({
      sockets: 1,
      isHeard: true,
    });
  });

  test('connects again at each leap where it does not: a message on its way may have ended unheard', async () => {
    expect((await listening({})).sockets).toBeGreaterThan(5);
  });
});

describe('market data by a clock that is fast', () => {
  /** Ours is ahead of the service's by a minute. */
  async function listening(
    subscription: (world: MarketWorld) => MarketSubscription,
    more: Partial<MarketDeps>,
    ms: number,
  ) {
    const clock = new VirtualClock(MONDAY_TEN);
    const world = new MarketWorld(clock, 5, MONDAY_TEN - 10 * MINUTE, MONDAY_TEN + 10 * MINUTE);
    world.ahead = -MINUTE;
    let isOver = false;
    const running = world.run(() => isOver);
    const events: MarketEvent[] = [];
    const closing = new AbortController();
    const feed = new MarketFeed({ ...world.deps(), ...more }, 'live', () => undefined);
    const subscribed = feed.subscribe([subscription(world)], (event) => events.push(event), closing.signal);
    subscribed.catch(() => undefined);
    await clock.sleep(ms);
    closing.abort(new Error('closed'));
    isOver = true;
    await running;
    return { world, events, until: clock.now() };
  }

  test('tells all prices since the listening began, and those of the stream', async () => {
    const begun = MONDAY_TEN - 20 * SECOND;
    const { world, events } = await listening(
      ({ shares: [share] }) => ({ kind: 'tick', instrument: share!.instrument, sinceOurs: begun + MINUTE }),
      {},
      30 * SECOND,
    );
    const prices = events.flatMap((event) => (event.kind === 'tick' ? [event.tick.lastPrice] : []));
    const occurred = world.shares[0]!.changes.filter(({ at }) => at > begun + SECOND && at < MONDAY_TEN + 29 * SECOND);
    const expected = occurred.map(({ price }) => price);
    expect(expected.length).toBeGreaterThan(5);
    expect(prices.filter((price, at) => price !== prices[at - 1]).join(' ')).toContain(
      expected.filter((price, at) => price !== expected[at - 1]).join(' '),
    );
  });

  test('closes no candle before the service has told its time', async () => {
    const { events } = await listening(
      ({ shares: [share] }) => ({
        kind: 'candle',
        instrument: share!.instrument,
        interval: '1m',
        since: MONDAY_TEN - 2 * MINUTE,
      }),
      { access: async () => await new Promise(() => undefined) },
      5 * SECOND,
    );
    expect(events.filter(({ kind }) => kind === 'candle')).toEqual([]);
  });
});
