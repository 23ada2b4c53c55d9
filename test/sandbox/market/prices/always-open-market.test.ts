import fc from 'fast-check';
import { alwaysOpenMarket } from '../../../../sandbox/src/market/prices/always-open-market';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';

const market = createMarket({ seed: 3, universe: 'demo' });
const always = alwaysOpenMarket(market);
const at = (text: string) => Date.parse(`${text}+05:30`);
const MONDAY = at('2026-11-23T12:00:00');
const instruments = ['INFY', 'NIFTY'].map((symbol) => market.universe(MONDAY).bySymbol('NSE', symbol)!);
const oil = [...market.universe(MONDAY).all('MCX')].find(
  ({ derivativeType }) => derivativeType === 'FUT',
) as Instrument;

describe('--hours always', () => {
  const day = (from: string, to: string) => fc.integer({ min: at(from), max: at(to) });

  it('leaves the session as it is', () => {
    fc.assert(
      fc.property(day('2026-11-23T09:15:00', '2026-11-23T15:14:00'), (time) => {
        for (const instrument of instruments) {
          expect(always.price(instrument, time)).toBe(market.price(instrument, time));
          expect(always.depth(instrument, time, 100_000, 5)).toEqual(market.depth(instrument, time, 100_000, 5));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('moves at night and on a Sunday, without a jump from one second to the next', () => {
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
    const night = Array.from({ length: 60 }, (_value, minute) =>
      always.price(instruments[0]!, at('2026-11-22T02:00:00') + minute * 60_000),
    );
    expect(new Set(night).size).toBeGreaterThan(10);
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
