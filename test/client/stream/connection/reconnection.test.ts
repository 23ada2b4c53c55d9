/** Pauses before a connection is tried again, the silence that is an alarm, and the frames that are read. */
import { describe, expect, test } from '@jest/globals';
import { pauseBeforeAttempt } from '../../../../client/stream/connection/backoff';
import { readFrame } from '../../../../client/stream/account-feed/frames';
import { isMarketTime } from '../../../../client/market/calendar/any-market-open';
import { wrap } from '../wire';

const ist = (text: string): number => Date.parse(`${text}+05:30`);

describe('reconnection', () => {
  test('waits anywhere between nothing and a ceiling that doubles up to a minute', () => {
    expect([1, 2, 3, 8, 50].map((attempt) => pauseBeforeAttempt(attempt, () => 0.999_999_9))).toEqual([
      500, 1_000, 2_000, 60_000, 60_000,
    ]);
    expect(pauseBeforeAttempt(5, () => 0)).toBe(0);
  });
  test('is no alarm while no market is open', () => {
    expect(isMarketTime('live', ist('2026-11-23T09:00'))).toBe(true);
    expect(isMarketTime('live', ist('2026-11-23T23:54'))).toBe(true);
    expect(isMarketTime('live', ist('2026-11-23T08:59'))).toBe(false);
    expect(isMarketTime('live', ist('2026-11-23T23:55'))).toBe(false);
    expect(['20', '21', '22'].map((day) => isMarketTime('live', ist(`2026-11-${day}T12:00`)))).toEqual([
      true,
      false,
      false,
    ]);
    expect(isMarketTime('sandbox', ist('2026-11-23T03:00'))).toBe(true);
    expect(isMarketTime('sandbox', ist('2026-11-22T12:00'))).toBe(true);
  });
});

describe('frames', () => {
  test('are recognised by the end of their type, whatever the brand', () => {
    expect(readFrame(wrap('WhateverToClientIntentUpdate', new Uint8Array())).kind).toBe('order');
    expect(readFrame(wrap('PortfolioResponse', new Uint8Array())).kind).toBe('portfolio');
  });
  test('pass by where their kind is not known', () => {
    expect(readFrame(wrap('SomethingNew', Uint8Array.of(1, 2, 3))).kind).toBe('unknown');
  });
});
