import fc from 'fast-check';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { correlation } from '../leaks/statistics';

const market = createMarket({ seed: 3, universe: 'demo' });
const always = createMarket({ seed: 3, universe: 'demo', hours: 'always' });
const at = (text: string) => Date.parse(`${text}+05:30`);
const MONDAY = at('2026-11-23T12:00:00');
const universe = market.universe(MONDAY);
const instruments = ['INFY', 'NIFTY'].map((symbol) => universe.bySymbol('NSE', symbol)!);
const oil = [...universe.all('MCX')].find(({ derivativeType }) => derivativeType === 'FUT') as Instrument;
const future = universe.futures('NSE', 'NIFTY')[1]!;
const { ce } = universe.options('NSE', 'NIFTY', universe.expiries('NSE', 'NIFTY')[1]!);
const option = ce[ce.length >> 1]!;
const all = [...instruments, oil, future, option];
const [MINUTE, HOUR] = [60_000, 3_600_000];

describe('--hours always', () => {
  const day = (from: string, to: string) => fc.integer({ min: at(from), max: at(to) });

  it('leaves the session unchanged', () => {
    fc.assert(
      fc.property(day('2026-11-23T09:15:00', '2026-11-23T15:14:00'), (time) => {
        for (const instrument of instruments) {
          expect(always.price(instrument, time)).toBe(market.price(instrument, time));
          expect(always.depth(instrument, time, 100_000, 5)).toEqual(market.depth(instrument, time, 100_000, 5));
        }
      }),
      { numRuns: 50 },
    );
    for (const instrument of instruments) {
      const close = (which: typeof market) => which.previousClose(instrument, at('2026-11-24T12:00:00'));
      expect(close(always)).toBe(close(market));
    }
  });

  it('gives no bar that begins after the span that was asked for', () => {
    const span = [at('2026-11-20T15:10:30'), at('2026-11-20T15:20:30')] as const;
    for (const interval of ['1m', '2m', '3m', '5m', '15m', '30m', '1h']) {
      for (const bar of always.bars(instruments[0]!, interval, ...span)) {
        expect(bar.at).toBeGreaterThanOrEqual(span[0]);
        expect(bar.at).toBeLessThan(span[1]);
      }
    }
  });

  it('moves at night and on a Sunday, with no jump where a session begins or ends', () => {
    for (const [from, to] of [
      ['2026-11-23T00:01:00', '2026-11-23T23:58:00'],
      ['2026-11-22T00:01:00', '2026-11-22T23:58:00'],
    ] as const) {
      fc.assert(
        fc.property(day(from, to), (time) => {
          for (const instrument of [...instruments, oil]) {
            const [before, after] = [always.price(instrument, time), always.price(instrument, time + 1_000)];
            expect(Math.abs(after - before) / before).toBeLessThan(0.01);
          }
        }),
        { numRuns: 100 },
      );
    }
    for (const edge of ['2026-11-23T09:15:00', '2026-11-23T15:15:00', '2026-11-23T15:35:00', '2026-11-23T15:40:00']) {
      for (const instrument of [...instruments, future]) {
        const [before, after] = [always.price(instrument, at(edge) - 1), always.price(instrument, at(edge) + 1_000)];
        expect(Math.abs(after / before - 1)).toBeLessThan(0.002);
      }
    }
    const night = Array.from({ length: 60 }, (_value, minute) =>
      always.price(instruments[0]!, at('2026-11-22T02:00:00') + minute * MINUTE),
    );
    expect(new Set(night).size).toBeGreaterThan(10);
  });

  it('has candles of the trades at any hour', () => {
    for (const instrument of all) {
      for (const from of ['2026-11-22T03:00:00', '2026-11-23T15:10:00', '2026-11-23T15:36:00', '2026-11-23T23:50:00']) {
        const bars = always.bars(instrument, '1m', at(from), at(from) + 20 * MINUTE);
        expect(bars).toHaveLength(20);
        for (const bar of bars) {
          expect(bar.open).toBe(always.price(instrument, bar.at));
          expect(bar.close).toBe(always.price(instrument, bar.at + MINUTE - 1));
          const seconds = Array.from({ length: 60 }, (_, s) => always.price(instrument, bar.at + s * 1000));
          expect([bar.high, bar.low]).toEqual([Math.max(...seconds), Math.min(...seconds)]);
          expect(bar.volume).toBe(always.volume(instrument, bar.at, bar.at + MINUTE));
        }
      }
    }
  });

  it('carries derivatives along with their underlyings', () => {
    const times = Array.from({ length: 200 }, (_, i) => at('2026-11-22T01:00:00') + i * 5 * MINUTE);
    const steps = (instrument: Instrument) =>
      times.slice(1).map((time, i) => always.price(instrument, time) - always.price(instrument, times[i]!));
    expect(correlation(steps(instruments[1]!), steps(future))).toBeGreaterThan(0.99);
    expect(correlation(steps(instruments[1]!), steps(option))).toBeGreaterThan(0.9);
  });

  it('settles what expires by the official close and keeps it there', () => {
    const [expiry = 0] = universe.expiries('NSE', 'NIFTY');
    expect(expiry).toBe(20261123);
    const nifty = instruments[1]!;
    const confirmed = always.previousClose(nifty, at('2026-11-25T12:00:00'));
    const expiring = universe.options('NSE', 'NIFTY', expiry).ce;
    const inside = expiring.filter(({ strikePrice }) => strikePrice < confirmed);
    expect(inside.length).toBeGreaterThan(5);
    for (const instrument of inside)
      for (const time of ['2026-11-23T15:36:00', '2026-11-23T20:00:00'])
        expect(Math.abs(always.price(instrument, at(time)) - (confirmed - instrument.strikePrice))).toBeLessThanOrEqual(
          instrument.tickSize,
        );
  });

  it('always has somebody to trade with', () => {
    fc.assert(
      fc.property(day('2026-11-21T00:00:00', '2026-11-24T00:00:00'), (time) => {
        const { bids, asks } = always.depth(instruments[0]!, time, always.price(instruments[0]!, time), 5);
        expect([bids.length > 0, asks.length > 0]).toEqual([true, true]);
        expect(always.volume(instruments[0]!, time - 1_000, time)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 100 },
    );
  });
});

describe('Leak 5: a market around the clock', () => {
  /** Returns of steps of five minutes. */
  const steps = (instrument: Instrument, from: string, hours: number) =>
    Array.from({ length: (hours * HOUR) / (5 * MINUTE) }, (_, i) => {
      const time = at(from) + i * 5 * MINUTE;
      return always.price(instrument, time + 5 * MINUTE) / always.price(instrument, time) - 1;
    });

  it.each([
    ['Saturday Monday', '2026-11-21T09:15:00', '2026-11-23T09:15:00', 6],
    ['Saturday Sunday', '2026-11-21T09:15:00', '2026-11-22T09:15:00', 6],
    ['the early morning the late', '2026-11-23T08:15:00', '2026-11-23T09:15:00', 1],
    ['the evening the afternoon', '2026-11-23T15:45:00', '2026-11-23T12:30:00', 2.5],
  ])('rehearses nothing: neither does %s', (_what, name, other, hours) => {
    for (const instrument of instruments) {
      const [first, second] = [steps(instrument, name, hours), steps(instrument, other, hours)];
      const error = 1 / Math.sqrt(first.length);
      expect(Math.abs(correlation(first, second))).toBeLessThan(4 * error);
      expect(Math.abs(correlation(first, second.toReversed()))).toBeLessThan(4 * error);
    }
  });
});
