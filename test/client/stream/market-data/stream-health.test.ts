/** Time since which a stream brings nothing, to the millisecond: when REST replaces it, and when the user is told. */
import { describe, expect, test } from '@jest/globals';
import { StreamOutages } from '../../../../client/stream/connection/outage';
import { OUTAGE_AFTER_MS } from '../../../../client/stream/connection/outage-reporter';
import { isMarketHour, isMarketTime } from '../../../../client/market/calendar/any-market-open';
import { StreamHealth } from '../../../../client/stream/market-data/stream-health';
import { VirtualClock, momentAt } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';

const SUNDAY_TEN = MONDAY_TEN - 86_400_000;

/** A clock that is set to so many milliseconds after Monday, ten o'clock. */
function begun<T>(make: (clock: VirtualClock) => T, start = MONDAY_TEN) {
  const clock = new VirtualClock(start);
  const item = make(clock);
  return { one: item, at: (ms: number) => clock.set(start + ms) };
}

describe('the health of the market-data stream', () => {
  const health = (environment: 'live' | 'uat' = 'live', start?: number) => {
    const { one: streamHealth, at } = begun((clock) => new StreamHealth(clock, environment), start);
    return { health: streamHealth, at };
  };

  test('is lost by default, and until it brings something', () => {
    const { health: streamHealth } = health();
    expect(streamHealth.isLost).toBe(true);
    streamHealth.restored();
    expect(streamHealth.isLost).toBe(false);
    streamHealth.lost();
    expect(streamHealth.isLost).toBe(true);
  });

  test('is missed three seconds after it was lost, however often it is', () => {
    const { health: streamHealth, at } = health();
    streamHealth.restored();
    at(60_000);
    expect(streamHealth.isMissed()).toBe(false);
    streamHealth.lost();
    at(62_000);
    streamHealth.lost();
    at(62_999);
    expect(streamHealth.isMissed()).toBe(false);
    at(63_000);
    expect(streamHealth.isMissed()).toBe(true);
  });

  test('counts as back when it has been open for three seconds', () => {
    const { health: streamHealth, at } = health();
    at(1_000);
    streamHealth.opened();
    at(3_999);
    expect(streamHealth.hasStayedOpen()).toBe(false);
    at(4_000);
    expect(streamHealth.hasStayedOpen()).toBe(true);
    streamHealth.restored();
    expect(streamHealth.hasStayedOpen()).toBe(false);
  });

  test('is quiet while it is lost, or has brought nothing for long, and a market is open', () => {
    const { health: streamHealth, at } = health();
    expect(streamHealth.isQuiet(30_000, momentAt(MONDAY_TEN))).toBe(true);
    streamHealth.restored();
    at(29_999);
    expect(streamHealth.isQuiet(30_000, momentAt(MONDAY_TEN))).toBe(false);
    at(30_000);
    expect(streamHealth.isQuiet(30_000, momentAt(MONDAY_TEN))).toBe(true);
    const sunday = health('live', SUNDAY_TEN);
    expect(sunday.health.isQuiet(30_000, momentAt(0))).toBe(false);
    expect(health('uat', SUNDAY_TEN).health.isQuiet(30_000, momentAt(0))).toBe(true);
  });

  test('has an outage when nothing was had for five minutes; each is told once', () => {
    const { health: streamHealth, at } = health();
    at(1_000);
    streamHealth.good();
    at(OUTAGE_AFTER_MS + 999);
    expect(streamHealth.newOutage()).toBeUndefined();
    at(OUTAGE_AFTER_MS + 1_000);
    expect(streamHealth.newOutage()).toBe(OUTAGE_AFTER_MS);
    at(2 * OUTAGE_AFTER_MS + 1_000);
    expect(streamHealth.newOutage()).toBeUndefined();
    streamHealth.good();
    at(3 * OUTAGE_AFTER_MS + 2_000);
    expect(streamHealth.newOutage()).toBe(OUTAGE_AFTER_MS + 1_000);
  });

  test('has none while the stream is there, nor of a time at which no market is open', () => {
    const { health: streamHealth, at } = health();
    streamHealth.restored();
    at(2 * OUTAGE_AFTER_MS);
    expect(streamHealth.newOutage()).toBeUndefined();
    const night = health('live', Date.parse('2026-11-23T08:56:00+05:30'));
    for (const ms of [0, 60_000, 239_000, 240_000]) {
      night.at(ms);
      expect(night.health.newOutage()).toBeUndefined();
    }
    night.at(239_000 + OUTAGE_AFTER_MS);
    expect(night.health.newOutage()).toBe(OUTAGE_AFTER_MS);
  });
});

describe('an outage of the order stream', () => {
  test('is told when it was lost, and when it is back, with its length', () => {
    const { one: outages, at } = begun((clock) => new StreamOutages(clock, 'live'));
    expect([outages.isLost, outages.restored(1)]).toEqual([false, undefined]);
    const lost = { type: 'connectionLost', key: `connectionLost:${MONDAY_TEN}`, at: MONDAY_TEN, reason: 'why' };
    expect(outages.lost('why')).toEqual({ ...lost, downMs: 0, recovered: 0 });
    expect([outages.isLost, outages.lost('again')]).toEqual([true, undefined]);
    at(7_000);
    expect(outages.restored(2)).toEqual({
      ...{ type: 'connectionRestored', key: `connectionRestored:${MONDAY_TEN + 7_000}`, at: MONDAY_TEN + 7_000 },
      ...{ reason: 'why', downMs: 7_000, recovered: 2 },
    });
    expect(outages.isLost).toBe(false);
  });

  test('is worth telling after five minutes, once, over connections that did not last', () => {
    const { one: outages, at } = begun((clock) => new StreamOutages(clock, 'live'));
    expect(outages.newOutage()).toBeUndefined();
    outages.lost('why');
    at(1_000);
    outages.restored(0);
    at(2_000);
    outages.lost('again');
    at(OUTAGE_AFTER_MS - 1);
    expect(outages.newOutage()).toBeUndefined();
    at(OUTAGE_AFTER_MS);
    expect(outages.newOutage()).toEqual({ reason: 'again', downMs: OUTAGE_AFTER_MS });
    expect(outages.newOutage()).toBeUndefined();
    outages.restored(0);
    outages.stable();
    at(2 * OUTAGE_AFTER_MS);
    outages.lost('later');
    outages.stable();
    at(3 * OUTAGE_AFTER_MS);
    expect(outages.newOutage()).toEqual({ reason: 'later', downMs: OUTAGE_AFTER_MS });
  });

  test('counts from the loss of the last good connection where that was good before it was lost', () => {
    const { one: outages, at } = begun((clock) => new StreamOutages(clock, 'live'));
    outages.lost('why');
    at(1_000);
    outages.restored(0);
    at(120_000);
    outages.lost('again');
    outages.stable();
    at(OUTAGE_AFTER_MS + 1_000);
    expect(outages.newOutage()).toBeUndefined();
    at(OUTAGE_AFTER_MS + 120_000);
    expect(outages.newOutage()).toEqual({ reason: 'again', downMs: OUTAGE_AFTER_MS });
  });
});

test.each([
  ['2026-11-23T08:59:59', false, false],
  ['2026-11-23T09:00:00', true, true],
  ['2026-11-23T23:54:59', true, true],
  ['2026-11-23T23:55:00', false, false],
  ['2026-11-27T10:00:00', true, true],
  ['2026-11-28T10:00:00', false, true],
  ['2026-11-29T10:00:00', false, true],
])('a market may be open at %s: %s, by the hour alone: %s', (text, isTime, isHour) => {
  const at = Date.parse(`${text}+05:30`);
  expect([isMarketTime('live', at), isMarketHour('live', at)]).toEqual([isTime, isHour]);
  expect([isMarketTime('sandbox', at), isMarketHour('uat', at)]).toEqual([true, true]);
});
