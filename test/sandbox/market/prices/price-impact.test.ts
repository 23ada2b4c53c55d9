import fc from 'fast-check';
import { PriceImpact, type Liquidity } from '../../../../sandbox/src/market/prices/price-impact';
import { TradeTape } from '../../../../sandbox/src/market/prices/trade-tape';

const NOON = Date.parse('2026-11-23T12:00:00+05:30');
const MINUTE = 60_000;
const DAY = 86_400_000;
const SHARE: Liquidity = { volume: 1_000_000, lot: 1, volatility: 0.015, lasting: true };

/** Logarithm of the price after so much was bought at noon, at another instant. */
function pushed(quantity: number, at: number, liquidity = SHARE): number {
  const impact = new PriceImpact();
  impact.add('share 7', quantity, NOON, liquidity);
  return Math.log(impact.factor('share 7', at));
}

test.each([0.001, 0.01, 0.1, 1])('a purchase of %s of a usual day follows the square-root law', (share) => {
  const law = SHARE.volatility * Math.sqrt(share);
  expect(pushed(share * SHARE.volume, NOON) / law).toBeGreaterThan(0.5);
  expect(pushed(share * SHARE.volume, NOON) / law).toBeLessThan(1);
  expect(pushed(-share * SHARE.volume, NOON)).toBeCloseTo(-pushed(share * SHARE.volume, NOON), 12);
});

test('a push fades within minutes, sooner where much is traded; half of it stays with a share, nothing with a derivative', () => {
  const peak = pushed(50_000, NOON);
  const after = (minutes: number, liquidity = SHARE): number =>
    pushed(50_000, NOON + minutes * MINUTE, liquidity) / peak;
  expect(after(1)).toBeGreaterThan(0.9);
  expect(after(10)).toBeLessThan(0.9);
  expect(after(10)).toBeGreaterThan(0.6);
  expect(after(300)).toBeCloseTo(0.5, 2);
  expect(pushed(50_000, NOON + 9 * DAY) / peak).toBeCloseTo(0.5, 2);
  const rare = { ...SHARE, lot: 1_000 };
  expect(after(10, rare)).toBeGreaterThan(after(10));
  expect(pushed(50_000, NOON + DAY, { ...SHARE, lasting: false })).toBe(0);
});

test('a price is pushed from its instant on, and never beyond all bounds', () => {
  expect(pushed(50_000, NOON - 1)).toBe(0);
  expect(pushed(1e12, NOON)).toBeCloseTo(0.2, 12);
  expect(pushed(1, NOON, { ...SHARE, volume: 1e9 })).toBe(0);
});

test('nobody earns by pushing a price to and fro, however it is done', () => {
  const trade = fc.record({
    quantity: fc.integer({ min: -80_000, max: 80_000 }),
    wait: fc.integer({ min: 0, max: 90 }),
  });
  fc.assert(
    fc.property(fc.array(trade, { minLength: 1, maxLength: 12 }), (trades) => {
      const impact = new PriceImpact();
      let at = NOON;
      let [held, cash] = [0, 0];
      // Each trade goes through in small pieces, at the price that it pushes itself.
      const go = (quantity: number): void => {
        const pieces = 200;
        for (let n = 0; n < pieces; n += 1) {
          const before = Math.log(impact.factor('share 7', at));
          impact.add('share 7', quantity / pieces, at, SHARE);
          cash -= (quantity / pieces) * ((before + Math.log(impact.factor('share 7', at))) / 2);
        }
        held += quantity;
      };
      for (const { quantity, wait } of trades) {
        go(quantity);
        at += wait * MINUTE;
      }
      go(-held);
      expect(cash).toBeLessThan(SHARE.volume * SHARE.volatility * 1e-3);
    }),
    { numRuns: 50 },
  );
});

test('the tape tells seconds and sums of any span, and goes on from its state', () => {
  const tape = new TradeTape();
  tape.add(7, 100, 5, NOON + 200);
  tape.add(7, 104, 5, NOON + 900);
  tape.add(7, 90, 3, NOON + 2_100);
  const again = new TradeTape();
  again.restore(structuredClone(tape.state()));
  for (const tradeTape of [tape, again]) {
    expect(tradeTape.within(7, NOON, NOON + 2_000)).toEqual([
      { at: NOON, high: 104, low: 100, quantity: 10, total: 10 },
    ]);
    expect(tradeTape.volume(7, NOON, NOON + 3_000)).toBe(13);
    expect(tradeTape.volume(7, NOON + 1_000, NOON + 3_000)).toBe(3);
    expect(tradeTape.volume(8, NOON, NOON + 3_000)).toBe(0);
    expect(tradeTape.since(7)).toBe(NOON);
  }
});
