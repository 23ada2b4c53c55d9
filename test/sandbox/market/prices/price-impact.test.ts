import fc from 'fast-check';
import {
  squareRootCurves,
  lotShift,
  PriceImpact,
  type ImpactLiquidity,
  type ImpactPart,
} from '../../../../sandbox/src/market/prices/price-impact';
import { TradeTape } from '../../../../sandbox/src/market/prices/trade-tape';

const NOON = Date.parse('2026-11-23T12:00:00+05:30');
const MINUTE = 60_000;
const DAY = 86_400_000;
const SHARE: ImpactLiquidity = { volume: 1_000_000, lot: 1, volatility: 0.015, everywhere: 1_000_000 };
const FUTURE: ImpactLiquidity = { ...SHARE, everywhere: null };

/** Returns the push of each part of a price at an instant, by a quantity that was bought at noon. */
function parts(quantity: number, at: number, liquidity: ImpactLiquidity): Record<ImpactPart, number> {
  const impact = new PriceImpact();
  for (const { part, curve } of squareRootCurves(liquidity)) impact.add(part, quantity, NOON, curve);
  return { listing: impact.shift('listing', at), soon: impact.shift('soon', at), slow: impact.shift('slow', at) };
}

function pushed(quantity: number, at: number, liquidity = SHARE): number {
  const { listing, soon, slow } = parts(quantity, at, liquidity);
  return listing + soon + slow;
}

test.each([0.001, 0.01, 0.1, 1])('a purchase of %s of a usual day follows the square-root law', (share) => {
  const law = SHARE.volatility * Math.sqrt(share);
  for (const liquidity of [SHARE, FUTURE]) {
    expect(pushed(share * SHARE.volume, NOON, liquidity) / law).toBeGreaterThan(0.5);
    expect(pushed(share * SHARE.volume, NOON, liquidity) / law).toBeLessThan(1);
    expect(pushed(-share * SHARE.volume, NOON, liquidity)).toBeCloseTo(
      -pushed(share * SHARE.volume, NOON, liquidity),
      12,
    );
  }
});

test('trades of a second push in proportion: a hundred shares of nine million move nothing', () => {
  const large = { ...SHARE, volume: 9_400_000, everywhere: 9_400_000 };
  const second = large.volume / 375 / 60;
  const push = (quantity: number): number => pushed(quantity, NOON, { ...large, volatility: 0.5 });
  expect(push(second / 5) / push(second / 10)).toBeGreaterThan(1.9);
  expect(push(second * 400) / push(second * 100)).toBeLessThan(2.2);
  // Of a share at 1,500 rupees with ticks of ten paise it is not a third of half a tick.
  expect(150_000 * pushed(100, NOON, large)).toBeLessThan(5 / 3);
  expect(lotShift(large)).toBeLessThan(pushed(100, NOON, large) + 1e-5);
});

test('a push fades: half of it within minutes, sooner where much is traded, of a share the other half within days', () => {
  const after = (minutes: number, part: ImpactPart, liquidity = SHARE): number =>
    parts(50_000, NOON + minutes * MINUTE, liquidity)[part] / parts(50_000, NOON, liquidity)[part];
  expect(after(1, 'soon')).toBeGreaterThan(0.9);
  expect(after(10, 'soon')).toBeLessThan(0.7);
  expect(after(10, 'soon', { ...SHARE, lot: 1_000 })).toBeGreaterThan(after(10, 'soon'));
  expect(after(300, 'soon')).toBe(0);
  expect(after(300, 'slow')).toBeCloseTo(Math.exp(-300 / 1_440 / 2), 2);
  expect(pushed(50_000, NOON + 9 * DAY)).toBeLessThan(pushed(50_000, NOON) / 20);
  expect(pushed(50_000, NOON + DAY, FUTURE)).toBe(0);
});

test('a listing that trades little is pushed further than the share elsewhere', () => {
  const small = parts(1_000, NOON, { ...SHARE, volume: 60_000 });
  expect(small.soon + small.slow).toBe(pushed(1_000, NOON));
  expect(small.listing).toBeGreaterThan(small.soon + small.slow);
  expect(parts(1_000, NOON, SHARE).listing).toBe(0);
});

test('a price is pushed from its instant on, and never beyond all bounds', () => {
  expect(pushed(50_000, NOON - 1)).toBe(0);
  expect(pushed(1e12, NOON)).toBeCloseTo(0.2, 12);
  expect(pushed(1, NOON, { ...SHARE, volume: 1e9, everywhere: 1e9 })).toBe(0);
});

test('nobody earns by pushing a price to and fro, however it is done and however liquidity changes meanwhile', () => {
  const trade = fc.record({
    quantity: fc.integer({ min: -80_000, max: 80_000 }),
    wait: fc.integer({ min: 0, max: 90 }),
    volume: fc.integer({ min: 10_000, max: 10_000_000 }),
    volatility: fc.double({ min: 0.005, max: 0.2, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(trade, { minLength: 1, maxLength: 12 }), (trades) => {
      const impact = new PriceImpact();
      let at = NOON;
      let [held, cash] = [0, 0];
      let curve = squareRootCurves(FUTURE)[0]!.curve;
      // Each trade goes through in small pieces, at the price that it pushes itself.
      const go = (quantity: number): void => {
        const pieces = 200;
        for (let n = 0; n < pieces; n += 1) {
          const before = impact.shiftAfter('a future', 0, at, curve);
          impact.add('a future', quantity / pieces, at, curve);
          cash -= (quantity / pieces) * ((before + impact.shift('a future', at)) / 2);
        }
        held += quantity;
      };
      for (const { quantity, wait, volume, volatility } of trades) {
        curve = squareRootCurves({ ...FUTURE, volume, volatility })[0]!.curve;
        go(quantity);
        at += wait * MINUTE;
      }
      go(-held);
      expect(cash).toBeLessThan(SHARE.volume * 2e-5);
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
