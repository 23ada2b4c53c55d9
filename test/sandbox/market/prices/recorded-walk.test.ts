import fc from 'fast-check';
import { MIN_STEPS, fillBar } from '../../../../sandbox/src/market/prices/recorded-walk';
import { normalOf, subKey } from '../../../../sandbox/src/shared/random';

const price = fc.integer({ min: 1, max: 10_000_000 });

describe('The walk within a recorded bar', () => {
  it('opens, tops, bottoms and closes as recorded, whatever the bar', () => {
    fc.assert(
      fc.property(
        fc.tuple(price, price, price, price),
        fc.integer({ min: MIN_STEPS, max: 400 }),
        fc.integer(),
        (four, count, key) => {
          const [low, value, other, high] = [...four].sort((a, b) => a - b) as [number, number, number, number];
          const [open, close] = key % 2 === 0 ? [value, other] : [other, value];
          const out = new Float64Array(count + 2).fill(-7);
          fillBar(out, 1, count, { open, high, low, close }, key, key % 3 === 0 ? { clock: key } : {});
          const inside = [...out.subarray(1, count + 1)];
          expect(inside[0]).toBe(open);
          expect(inside.at(-1)).toBe(close);
          expect(Math.max(...inside)).toBe(high);
          expect(Math.min(...inside)).toBe(low);
          expect(inside.every(Number.isInteger)).toBe(true);
          expect([out[0], out[count + 1]]).toEqual([-7, -7]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('goes in steps of five paise where the bar is on them', () => {
    const out = new Float64Array(60);
    fillBar(out, 0, 60, { open: 1000_00, high: 1001_05, low: 999_35, close: 1000_45 }, 3);
    expect([...out].filter((value) => value % 5 !== 0)).toEqual([]);
  });

  it('tells no second in advance: bars of a random walk are filled with a random walk', () => {
    const out = new Float64Array(60);
    const BARS = 6_000;
    let squares = 0;
    let next = 0;
    let rest = 0;
    let moved = 0;
    for (let k = 0; k < BARS; k++) {
      const walk = [1_000_000];
      for (let i = 1; i < 60; i++) walk.push(walk[i - 1]! + Math.round(150 * normalOf(subKey(subKey(77, k), i))));
      const [open, close] = [walk[0]!, walk[59]!];
      fillBar(out, 0, 60, { open, high: Math.max(...walk), low: Math.min(...walk), close }, subKey(5, k));
      moved += (close - open) ** 2;
      for (let i = 1; i < 59; i++) {
        const step = out[i]! - out[i - 1]!;
        squares += step * step;
        next += step * (out[i + 1]! - out[i]!);
        rest += (step * (close - out[i]!)) / Math.sqrt(59 - i);
      }
    }
    expect(Math.abs(next / squares)).toBeLessThan(0.015);
    expect(Math.abs(rest / squares)).toBeLessThan(0.03);
    // As much variance in its seconds as its whole minute has.
    expect(squares / moved).toBeGreaterThan(0.92);
    expect(squares / moved).toBeLessThan(1.1);
  });
});
