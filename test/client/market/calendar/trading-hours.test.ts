import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isMarketTime } from '../../../../client/market/calendar/any-market-open';
import { isExpectedTradingDay } from '../../../../client/market/calendar/holidays';
import { specialCommoditySessions, specialSessions } from '../../../../client/market/calendar/special-sessions';
import {
  firstTradedExpiry,
  hoursState,
  isInHours,
  nextOpening,
} from '../../../../client/market/calendar/trading-hours';
import { toIst } from '../../../../client/values/time';

const at = (text: string): number => Date.parse(`${text}+05:30`);
const opens = (exchange: string, after: string): string | undefined => {
  const opening = nextOpening(exchange, at(after));
  return opening === undefined ? undefined : toIst(opening).slice(0, 16);
};

it('muhurat trading on a Sunday is a session, on MCX too', () => {
  expect(isExpectedTradingDay('2026-11-08')).toBe(true);
  expect([isInHours('NSE', false, at('2026-11-08T18:30')), isInHours('BSE', true, at('2026-11-08T18:30'))]).toEqual([
    true,
    true,
  ]);
  expect(isInHours('NSE', false, at('2026-11-08T10:00'))).toBe(false);
  expect([isInHours('MCX', true, at('2026-11-08T18:30')), isInHours('MCX', true, at('2026-11-08T20:00'))]).toEqual([
    true,
    false,
  ]);
  expect([isMarketTime('live', at('2026-11-08T18:30')), isMarketTime('live', at('2026-11-15T18:30'))]).toEqual([
    true,
    false,
  ]);
});

it.each([
  ['NSE', '2026-11-06T15:30', '2026-11-08T18:00'],
  ['NSE', '2026-11-08T18:00', '2026-11-09T09:15'],
  ['NSE', '2026-11-09T15:30', '2026-11-11T09:15'],
  ['BSE', '2024-03-02T09:30', '2024-03-02T11:30'],
  ['NSE', '2027-10-28T15:30', '2027-10-29T18:00'],
  ['NSE', '2026-11-20T15:30', '2026-11-23T09:15'],
  ['MCX', '2026-11-23T23:55', undefined],
  ['MCX', '2027-01-01T17:00', '2027-01-04T09:00'],
  ['MCX', '2026-01-30T23:55', '2026-02-01T09:00'],
])('%s after %s opens at %s', (exchange, after, opening) => {
  expect(opens(exchange, after)).toBe(opening);
});

it('MCX is closed before the evening on a holiday of the stock exchanges', () => {
  expect(isInHours('MCX', true, at('2026-11-24T11:00'))).toBe(false);
  expect(isInHours('MCX', true, at('2026-11-24T18:00'))).toBeUndefined();
  expect(isInHours('NSE', false, at('2026-11-24T11:00'))).toBe(false);
});

it.each([
  ["New Year's Day, whose evening is closed", '2027-01-01', 'T16:59', 'T17:00'],
  ['a Sunday with a budget', '2026-02-01', 'T09:00', 'T08:59'],
  ['a Saturday with a budget', '2025-02-01', 'T16:59', 'T17:00'],
  ['muhurat trading in the afternoon', '2025-10-21', 'T14:44', 'T14:45'],
])('MCX has special hours on %s', (_what, date, open, closed) => {
  expect([isInHours('MCX', true, at(date + open)), isInHours('MCX', true, at(date + closed))]).toEqual([true, false]);
  expect(hoursState('MCX', true, at(date + open)).hours).toMatch(/^today from/);
});

it.each([
  ['NSE', '2026-11-23T15:39:59', '2026-11-23'],
  ['NSE', '2026-11-23T15:40:00', '2026-11-24'],
  ['BSE', '2026-07-30T15:30:00', '2026-07-31'],
  ['MCX', '2026-11-19T23:54:59', '2026-11-19'],
  ['MCX', '2026-11-19T23:55:00', '2026-11-20'],
  ['MCX', '2027-01-01T17:00:00', '2027-01-02'],
])('contracts of %s at %s trade from the expiry %s on', (exchange, now, first) => {
  expect(firstTradedExpiry(exchange, at(now))).toBe(first);
});

it('agrees with the table of the sandbox, which was made by itself', () => {
  const file = path.join(__dirname, '../../../../sandbox/src/market/reference/data/special_sessions.csv');
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^20(1[89]|2)/.test(line))
    .map((line) => line.split(','));
  expect(rows.length).toBeGreaterThan(15);
  const written = (sessions: readonly { from: string; to: string }[] = []): string =>
    sessions.map(({ from, to }) => `${from}-${to}`).join(' ');
  for (const [date, hours, mcx] of rows)
    expect([date, written(specialSessions(date!)), written(specialCommoditySessions(date!))]).toEqual([
      date,
      hours,
      mcx,
    ]);
});

it.each([
  ['MENTHAOIL', '2026-07-15T16:59', true],
  ['MENTHAOIL', '2026-07-15T17:00', false],
  ['CARDAMOM', '2026-12-15T18:00', false],
  ['COTTON', '2026-12-15T20:59', true],
  ['COTTON', '2026-12-15T21:00', false],
  ['KAPAS', '2026-07-15T22:00', false],
  ['CRUDEOIL', '2026-07-15T23:29', true],
  ['CRUDEOIL', '2026-07-15T23:30', false],
  ['GOLDM', '2026-12-15T23:54', true],
  ['GOLDM', '2026-12-15T23:55', false],
])('%s is open on MCX at %s: %s, as farm products close earlier', (asset, time, open) => {
  expect(isInHours('MCX', true, at(time), asset)).toBe(open);
  expect(hoursState('MCX', true, at(time), asset).inHours).toBe(open);
});
