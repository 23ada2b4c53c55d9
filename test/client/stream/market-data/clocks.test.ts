/** Market data where our clock is not the service's. */
import { describe, expect, test } from '@jest/globals';
import type { Access } from '../../../../client/stream/connection/socket';
import type { MarketEvent, MarketWant } from '../../../../client/stream/market-data/market-data';
import { MarketFeed, type MarketDeps } from '../../../../client/stream/market-data/market-feed';
import { ServiceTime } from '../../../../client/stream/market-data/service-time';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { MarketWorld } from './market-world';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe("the service's clock", () => {
  const known = () => {
    const clock = new VirtualClock(MONDAY_TEN);
    return { clock, time: new ServiceTime(clock) };
  };

  test('is that of the message that was under way the shortest time, and ours until then', () => {
    const { clock, time } = known();
    expect([time.now() - MONDAY_TEN, time.isKnown]).toEqual([0, false]);
    time.heard(MONDAY_TEN + 700);
    time.heard(MONDAY_TEN + 900);
    time.heard(MONDAY_TEN + 100);
    expect([time.now() - MONDAY_TEN, time.isKnown]).toEqual([900, true]);
    clock.set(MONDAY_TEN + SECOND);
    expect([time.now(), time.at(MONDAY_TEN)].map((at) => at - MONDAY_TEN)).toEqual([1_900, 900]);
  });

  test('of messages long ago does not count: ours may run faster', () => {
    const { clock, time } = known();
    time.heard(MONDAY_TEN);
    for (let passed = 1; passed <= 11; passed++) {
      clock.set(MONDAY_TEN + passed * MINUTE);
      time.heard(clock.now() - 50 * passed);
    }
    expect(time.now() - clock.now()).toBeLessThanOrEqual(-50);
  });

  test('goes on from where it was when ours is set, until the next message tells', () => {
    const { clock, time } = known();
    time.heard(MONDAY_TEN);
    for (const [ours, then] of [
      [61 * SECOND, 1 * SECOND],
      [2 * SECOND, 2 * SECOND],
    ] as const) {
      clock.set(MONDAY_TEN + ours);
      expect(time.passed(SECOND)).toBe(true);
      expect(time.now() - MONDAY_TEN).toBe(then);
    }
    time.heard(MONDAY_TEN + 1_500);
    expect(time.now() - MONDAY_TEN).toBe(1_500);
    clock.set(MONDAY_TEN + 3_100);
    expect(time.passed(SECOND)).toBe(false);
    expect(time.now() - MONDAY_TEN).toBe(2_600);
  });

  test('goes on as ours does over a moment in which the process was busy, and the next message counts alone', () => {
    const { clock, time } = known();
    time.heard(MONDAY_TEN + 900);
    clock.set(MONDAY_TEN + 5 * SECOND);
    expect(time.passed(SECOND)).toBe(false);
    expect(time.now() - MONDAY_TEN).toBe(5_900);
    time.heard(MONDAY_TEN + 5_100);
    expect(time.now() - MONDAY_TEN).toBe(5_100);
  });
});

describe('market data by the clock of a sandbox that goes as fast as it can', () => {
  /** While a second of ours passes, five minutes pass there, and by the clock that both have. */
  const SPEED = 300;

  /** @returns how many sockets were made in a minute of ours, and whether prices came to the end. */
  async function listening(access: Partial<Access>): Promise<{ sockets: number; isHeard: boolean }> {
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
        clock: { now: deps.clock.now, sleep: async (ms, signal) => await deps.clock.sleep(ms * SPEED, signal) },
        access: async (signal, refused) => ({ ...(await deps.access(signal, refused)), ...access }),
        makeSocket: (url) => {
          sockets += 1;
          return deps.makeSocket(url);
        },
      },
      'sandbox',
      () => undefined,
    );
    const heard = (event: MarketEvent): void => {
      if (event.kind === 'tick') newest = event.tick.lastPrice;
    };
    await feed.subscribe([{ kind: 'tick', instrument: share!.instrument }], heard, closing.signal);
    await clock.sleep(MINUTE * SPEED);
    closing.abort(new Error('closed'));
    isOver = true;
    await running;
    return { sockets, isHeard: share!.pricesIn(clock.now() - 20 * SECOND, clock.now()).includes(newest) };
  }

  test('keeps its connection where that clock waits for us', async () => {
    expect(await listening({ settled: async () => await Promise.resolve(0) })).toEqual({ sockets: 1, isHeard: true });
  });

  test('connects again at each leap where it does not: what was under way may have ended unheard', async () => {
    expect((await listening({})).sockets).toBeGreaterThan(5);
  });
});

describe('market data by a clock that is fast', () => {
  /** Ours is ahead of the service's by a minute. */
  async function listening(want: (world: MarketWorld) => MarketWant, more: Partial<MarketDeps>, ms: number) {
    const clock = new VirtualClock(MONDAY_TEN);
    const world = new MarketWorld(clock, 5, MONDAY_TEN - 10 * MINUTE, MONDAY_TEN + 10 * MINUTE);
    world.ahead = -MINUTE;
    let isOver = false;
    const running = world.run(() => isOver);
    const events: MarketEvent[] = [];
    const closing = new AbortController();
    const feed = new MarketFeed({ ...world.deps(), ...more }, 'live', () => undefined);
    const subscribed = feed.subscribe([want(world)], (event) => events.push(event), closing.signal);
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
    const happened = world.shares[0]!.changes.filter(({ at }) => at > begun + SECOND && at < MONDAY_TEN + 29 * SECOND);
    const expected = happened.map(({ price }) => price);
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
