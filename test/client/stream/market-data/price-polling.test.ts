/** How often a price is asked for, and what becomes of failures. */
import { describe, expect, test } from '@jest/globals';
import { NetworkError, SessionError } from '../../../../client/base/errors';
import { pollPrice } from '../../../../client/stream/market-data/price-polling';
import { VirtualClock } from '../../../support/clock';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MONDAY = Date.parse('2026-11-23T10:00:00+05:30');
const SATURDAY = Date.parse('2026-11-21T10:00:00+05:30');
const MONDAY_MORNING = Date.parse('2026-11-23T08:50:00+05:30');
const FRIDAY_EVENING = Date.parse('2026-11-20T23:54:00+05:30');

async function watching(startAt: number, price: (at: number) => number, forMs: number) {
  const clock = new VirtualClock(startAt);
  const stop = new AbortController();
  const seen = { askedAt: [] as number[], prices: [] as number[], outages: [] as number[], fatal: [] as string[] };
  const options = {
    clock,
    random: () => 0.5,
    environment: 'live' as const,
    everyMs: 5 * SECOND,
    price: async () => {
      seen.askedAt.push(clock.now() - startAt);
      return await Promise.resolve(price(clock.now() - startAt));
    },
    onPrice: (one: number) => seen.prices.push(one),
    onOutage: (_why: string, downMs: number) => seen.outages.push(downMs),
    onFatal: (error: SessionError) => seen.fatal.push(error.message),
  };
  await pollPrice(options, stop.signal);
  await clock.sleep(forMs);
  stop.abort();
  const asked = seen.askedAt.length;
  await clock.sleep(10 * MINUTE);
  expect(seen.askedAt).toHaveLength(asked);
  return seen;
}

const fail = (): never => {
  throw new NetworkError('No server', { maySent: false });
};

describe('a price', () => {
  test('is asked for as often as wanted while a market trades', async () => {
    const { askedAt } = await watching(MONDAY, () => 1, 31 * SECOND);
    expect(askedAt).toEqual([0, 5, 10, 15, 20, 25, 30].map((second) => second * SECOND));
  });

  test('is not asked for while all markets are closed, and that is no outage', async () => {
    const evening = await watching(FRIDAY_EVENING, () => 1, 30 * MINUTE);
    expect(evening.askedAt.at(-1)).toBe(MINUTE - 5 * SECOND);
    const morning = await watching(MONDAY_MORNING, (at) => (at > 0 && at < 9 * MINUTE ? fail() : 1), 12 * MINUTE);
    expect(morning.askedAt.slice(0, 2)).toEqual([0, 10 * MINUTE]);
    expect([...evening.outages, ...morning.outages]).toEqual([]);
  });

  test('is asked for now and then at weekends, as there are special sessions, and a failure is no outage', async () => {
    const saturday = await watching(SATURDAY, () => 1, 3 * MINUTE + SECOND);
    expect(saturday.askedAt).toEqual([0, 1, 2, 3].map((minute) => minute * MINUTE));
    const failing = await watching(SATURDAY, (at) => (at > 0 ? fail() : 1), 30 * MINUTE);
    expect(failing.askedAt.length).toBeGreaterThan(10);
    expect(failing.outages).toEqual([]);
  });

  test('of 0 is none: it would fall to every level, and be the worst to measure a move from', async () => {
    expect((await watching(MONDAY, (at) => (at < 12 * SECOND ? 0 : 7), 21 * SECOND)).prices).toEqual([7, 7]);
  });

  test('that cannot be had is asked for less and less often, which is told once', async () => {
    const { askedAt, outages, prices } = await watching(
      MONDAY,
      (at) => (at > 0 && at < 20 * MINUTE ? fail() : 7),
      25 * MINUTE,
    );
    expect(askedAt.filter((at) => at > 0 && at < 20 * MINUTE).length).toBeLessThan(60);
    expect(outages).toHaveLength(1);
    expect(outages[0]).toBeGreaterThanOrEqual(5 * MINUTE);
    expect(prices.length).toBeGreaterThan(10);
  });

  test('is asked for no more when there can be no session', async () => {
    const { askedAt, fatal } = await watching(
      MONDAY,
      (at) => {
        if (at > 0) throw new SessionError('The MPIN was refused.');
        return 1;
      },
      MINUTE,
    );
    expect(askedAt).toHaveLength(2);
    expect(fatal).toEqual(['The MPIN was refused.']);
  });
});
