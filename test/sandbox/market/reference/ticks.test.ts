import fc from 'fast-check';
import { parseDayNumber } from '../../../../sandbox/src/shared/dates';
import { roundTick, tickOf } from '../../../../sandbox/src/market/reference/ticks';

const TODAY = parseDayNumber('2026-11-20');

describe('Ticks', () => {
  it.each([
    [24_999, 1],
    [25_000, 5],
    [100_000, 5],
    [100_001, 10],
    [500_000, 10],
    [500_001, 50],
    [1_000_000, 50],
    [1_000_001, 100],
    [2_000_000, 100],
    [2_000_001, 500],
  ])('a share that closed at %s paise moves in steps of %s', (close, tick) => {
    expect(tickOf('cash', TODAY, close)).toBe(tick);
  });

  it('were others before 2025-04-15 and before 2024-06-10', () => {
    expect(tickOf('cash', parseDayNumber('2025-04-14'), 600_000)).toBe(5);
    expect(tickOf('cash', parseDayNumber('2025-04-14'), 20_000)).toBe(1);
    expect(tickOf('cash', parseDayNumber('2024-06-07'), 20_000)).toBe(5);
  });

  it('grow with the index for index futures', () => {
    expect([1_500_000, 1_500_001, 3_000_000, 3_000_001].map((close) => tickOf('index_future', TODAY, close))).toEqual([
      5, 10, 10, 20,
    ]);
  });

  it('are the same for a close before and after it was rounded', () => {
    expect(roundTick(24_999.7, 5)).toBe(24_995);
    fc.assert(
      fc.property(
        fc.double({ min: 10, max: 3_000_000, noNaN: true }),
        fc.constantFrom(1, 5, 10, 50, 100, 500),
        (price, tick) => {
          const rounded = roundTick(price, tick);
          expect(rounded % tick).toBe(0);
          if (price > tick) expect(tickOf('cash', TODAY, rounded)).toBeLessThanOrEqual(tickOf('cash', TODAY, price));
        },
      ),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(25_000, 100_001, 500_001, 1_000_001, 2_000_001),
        fc.double({ min: -200, max: 200, noNaN: true }),
        fc.constantFrom(1, 5, 10, 50, 100),
        (limit, near, tick) => {
          expect(tickOf('cash', TODAY, roundTick(limit + near, tick))).toBe(tickOf('cash', TODAY, limit + near));
        },
      ),
    );
  });
});
