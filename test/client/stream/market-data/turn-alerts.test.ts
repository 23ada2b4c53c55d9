/** Alerts at a turn from the highest or lowest price. */
import { describe, expect, it } from '@jest/globals';
import {
  firstTick,
  needsBase,
  takeTick,
  type AlertSettings,
} from '../../../../client/stream/market-data/instrument-alerts';
import { DAY, tick } from './alert-listener';

describe('a turn from the highest or lowest', () => {
  const turn = (since: 'publication' | 'day' | 'entry'): AlertSettings => ({
    rule: { kind: 'fallsFromHighest', since, hundredths: 200, rearm: 0 },
    repeat: 'always',
  });
  it('asks for the highest before the first price, once, unless it counts from then', () => {
    const first = firstTick(turn('entry'), tick(10_000, 1_000), 10_400);
    expect(first).toMatchObject({ reference: 10_400, armed: false, base: null });
    const next = tick(10_000, 2_000);
    expect([needsBase(turn('entry'), undefined, next), needsBase(turn('entry'), first, next)]).toEqual([true, false]);
    expect(needsBase(turn('publication'), undefined, next)).toBe(false);
  });
  it("begins again with each day's first price, where it is the day's", () => {
    const settings = turn('day');
    const state = firstTick(settings, tick(10_000, 1_000), 10_400);
    expect(state).toMatchObject({ reference: 10_400, armed: false });
    const morning = 1_000 + DAY;
    expect(needsBase(settings, state, tick(9_000, morning))).toBe(false);
    expect(takeTick(settings, state, tick(9_000, morning), null)).toBeUndefined();
    expect(takeTick(settings, state, tick(9_100, morning + 1), null)).toBeUndefined();
    expect(takeTick(settings, state, tick(8_918, morning + 2), null)).toMatchObject({ from: 9_100, price: 8_918 });
    // A day that has fallen so far before it is looked at alerts at once.
    const rest = tick(8_500, morning + DAY, 'rest');
    expect(needsBase(settings, state, rest)).toBe(true);
    expect(takeTick(settings, state, rest, 8_900)).toMatchObject({ from: 8_900, price: 8_500 });
    expect(needsBase(settings, state, tick(8_500, morning + DAY + 1, 'rest'))).toBe(false);
  });
  it('goes on with the highest over a new day', () => {
    const settings = turn('publication');
    const state = firstTick(settings, tick(10_000, 1_000), null);
    expect(takeTick(settings, state, tick(10_500, 2_000), null)).toBeUndefined();
    const nextDay = 2_000 + 86_400_000;
    expect(takeTick(settings, state, tick(10_290, nextDay), null)).toMatchObject({ from: 10_500, price: 10_290 });
  });
});
