/** Times when a candle is over, and when one may be. */
import { expect, test } from '@jest/globals';
import { endOf, nextBoundary } from '../../../../client/stream/market-data/candle-boundaries';
import type { StreamInterval } from '../../../../client/stream/market-data/market-data';
import { MONDAY_TEN } from '../../../support/still-market';

const MINUTE = 60_000;

test.each<[StreamInterval, string, string, 'live' | 'sandbox', string]>([
  ['1m', '10:00', 'NSE', 'live', '10:01'],
  ['1h', '15:15', 'NSE', 'live', '16:00'],
  ['1h', '15:15', 'NSE', 'sandbox', '16:15'],
  ['1h', '15:15', 'MCX', 'live', '16:15'],
  ['1h', '15:15', 'MCX', 'sandbox', '16:15'],
  ['5m', '16:00', 'BSE', 'live', '16:05'],
  ['5m', '17:00', 'BSE', 'live', '17:05'],
  ['1d', '00:00', 'NSE', 'live', '16:00'],
  ['1d', '09:00', 'MCX', 'live', '24:00'],
  ['1d', '09:15', 'NSE', 'sandbox', '24:00'],
])('a candle of %s from %s on %s (%s) is over at %s', (interval, begin, exchange, environment, end) => {
  const instant = (time: string): number => {
    const [hours, minutes] = time.split(':').map(Number) as [number, number];
    return Date.parse('2026-11-23T00:00:00+05:30') + (hours * 60 + minutes) * MINUTE;
  };
  expect(endOf(interval, instant(begin), exchange, environment)).toBe(instant(end));
});

test.each<[StreamInterval, number, number]>([
  ['1m', 0, 1],
  ['2m', 0.5, 1],
  ['3m', 1, 2],
  ['5m', 1, 5],
  ['5m', 5, 10],
  ['15m', 14.9, 15],
  ['30m', 1, 15],
  ['1h', 16, 30],
  ['1d', 1, 15],
])('a candle of %s may be over next after minute %d at minute %d', (interval, now, next) => {
  expect(nextBoundary(interval, MONDAY_TEN + now * MINUTE)).toBe(MONDAY_TEN + next * MINUTE);
});
