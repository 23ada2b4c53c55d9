/** Output for updates that come faster than they are wanted. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ConflatingOutbox } from '../../../../client/stream/market-data/conflating-outbox';
import { VirtualClock } from '../../../support/clock';

function giving(gapMs: number, runMs?: number) {
  const clock = new VirtualClock(0);
  const given: { at: number; value: string; skipped: number }[] = [];
  let running = 0;
  let max = 0;
  const outbox = new ConflatingOutbox<string>({
    clock,
    gapMs,
    deliver: (value, skipped) => {
      given.push({ at: clock.now(), value, skipped });
      max = Math.max(max, (running += 1));
      if (runMs === undefined) return void (running -= 1);
      return clock.sleep(runMs).then(() => void (running -= 1));
    },
  });
  return { clock, outbox, given, most: () => max };
}

describe('updates', () => {
  test('are given at once, then the newest after the gap, with the number of those left out', async () => {
    const { clock, outbox, given } = giving(1_000);
    for (const value of ['a', 'b', 'c']) outbox.offer('INFY', value);
    outbox.offer('TCS', 'x');
    await clock.sleep(2_500);
    outbox.offer('INFY', 'd');
    expect(given).toEqual([
      { at: 0, value: 'a', skipped: 0 },
      { at: 0, value: 'x', skipped: 0 },
      { at: 1_000, value: 'c', skipped: 1 },
      { at: 2_500, value: 'd', skipped: 0 },
    ]);
  });

  test('are given as soon as the gap has passed on either clock: a market may go faster than time does', async () => {
    const { clock, outbox, given } = giving(1_000);
    for (const [value, at] of [
      ['a', 0],
      ['b', 999],
      ['c', 1_000],
      ['d', 1_500],
    ] as const)
      outbox.offer('INFY', value, at);
    expect(given.map(({ value, skipped }) => [value, skipped])).toEqual([
      ['a', 0],
      ['c', 1],
    ]);
    await clock.sleep(1_000);
    expect(given.at(-1)).toEqual({ at: 1_000, value: 'd', skipped: 0 });
  });

  test('wait while the run of the one before goes on, and while too many run', async () => {
    const { clock, outbox, given, most: max } = giving(100, 5_000);
    for (let update = 0; update < 3; update++)
      for (let kind = 0; kind < 30; kind++) outbox.offer(String(kind), `${kind}.${update}`);
    await clock.sleep(4_000);
    expect(given).toHaveLength(10);
    await clock.sleep(60_000);
    expect(max()).toBe(10);
    for (let kind = 0; kind < 30; kind++)
      expect(given.filter(({ value }) => value.startsWith(`${kind}.`)).at(-1)?.value).toBe(`${kind}.2`);
  });

  test('are given no more when it is closed, also not when a run is done then', async () => {
    const { clock, outbox, given } = giving(1_000, 2_000);
    for (const value of ['a', 'b']) outbox.offer('INFY', value);
    await clock.sleep(1_500);
    outbox.close();
    outbox.offer('TCS', 'x');
    await clock.sleep(5_000);
    expect(given.map(({ value }) => value)).toEqual(['a']);
  });

  test('are given when the run before is done, the gap or not', async () => {
    const { clock, outbox, given } = giving(1_000, 2_500);
    for (const value of ['a', 'b', 'c']) outbox.offer('INFY', value);
    await clock.sleep(2_600);
    outbox.offer('INFY', 'd');
    await clock.sleep(5_000);
    expect(given).toEqual([
      { at: 0, value: 'a', skipped: 0 },
      { at: 2_500, value: 'c', skipped: 1 },
      { at: 5_000, value: 'd', skipped: 0 },
    ]);
  });

  test('do not wait for a run that hangs for more than ten minutes', async () => {
    const { clock, outbox, given } = giving(1_000, 3_600_000);
    for (const value of ['a', 'b']) outbox.offer('INFY', value);
    await clock.sleep(599_000);
    expect(given).toHaveLength(1);
    await clock.sleep(1_000);
    expect(given).toMatchObject([{ at: 0 }, { at: 600_000, value: 'b' }]);
  });

  test('are ten at a time, in turn: nobody waits for ever behind those that always have something new', async () => {
    const { clock, outbox, given, most: max } = giving(0, 1_000);
    for (let round = 0; round < 10; round++) {
      for (let kind = 0; kind < 12; kind++) outbox.offer(`${kind}`, `${kind}`);
      await clock.sleep(500);
    }
    expect(max()).toBe(10);
    for (let kind = 0; kind < 12; kind++)
      expect(given.filter(({ value }) => value === `${kind}`).length).toBeGreaterThanOrEqual(3);
  });

  test('set one timer for each instant at which something is due', async () => {
    const { clock, outbox, given } = giving(1_000);
    for (const value of ['a', 'b', 'c', 'd']) outbox.offer('INFY', value);
    expect(clock.sleeps).toEqual([1_000]);
    await clock.sleep(300);
    for (const value of ['x', 'y']) outbox.offer('TCS', value);
    expect(clock.sleeps).toEqual([1_000, 300]);
    await clock.sleep(2_000);
    expect(given.map(({ at, value }) => `${at} ${value}`)).toEqual(['0 a', '300 x', '1000 d', '1300 y']);
    expect(clock.sleeps).toEqual([1_000, 300, 2_000, 300]);
  });

  test('are never two within the gap for any times, the last one comes, and those given and left out are all', async () => {
    const offers = fc.array(fc.record({ waitMs: fc.nat({ max: 700 }), key: fc.constantFrom('a', 'b') }), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(offers, async (list) => {
        const { clock, outbox, given } = giving(500);
        const values = new Map<string, string[]>([
          ['a', []],
          ['b', []],
        ]);
        for (const [index, { waitMs, key }] of list.entries()) {
          await clock.sleep(waitMs);
          values.get(key)?.push(`${key}${index}`);
          outbox.offer(key, `${key}${index}`);
        }
        await clock.sleep(1_000);
        for (const [key, all] of values) {
          const own = given.filter(({ value }) => value.startsWith(key));
          expect(own.at(-1)?.value).toBe(all.at(-1));
          expect(own.length + own.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(all.length);
          own.slice(1).forEach(({ at }, index) => expect(at - (own[index]?.at ?? 0)).toBeGreaterThanOrEqual(500));
        }
      }),
      { numRuns: 100 },
    );
  });
});
