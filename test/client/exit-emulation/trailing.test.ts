/** Trailing stops of what is held and of strategies, against a second opinion that looks at all prices at once. */
import fc from 'fast-check';
import {
  heldExitLevels,
  takeHeldPrice,
  trailLevel,
  type HeldExitInput,
} from '../../../client/exit-emulation/held-exits';
import { reachedLevel, strategyLevels, trailProfit } from '../../../client/exit-emulation/strategy-exits';
import { refusal } from '../../support/refusal';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 500);
const ENTRY = 100_000;
const at = (exits: HeldExitInput, direction: 1 | -1 = 1) =>
  heldExitLevels(exits, { entry: ENTRY, direction, tickSize: 5 });

/** Returns the index of the price at which a trailing stop closes, paise; -1 if none does. */
function closedAt(exits: HeldExitInput, prices: readonly number[], direction: 1 | -1): number {
  const levels = at(exits, direction);
  const state = { best: prices[0]!, at: 0, requestedAt: 0 };
  return prices.findIndex(
    (lastPrice, index) =>
      takeHeldPrice(levels, state, { lastPrice, at: index + 1, source: 'stream', previousClose: null }) === 'trail',
  );
}

describe('a trailing stop that starts after a gain', () => {
  it.each([
    ['percent', { percent: 300 }, 103_000],
    ['points', { points: 2_002 }, 102_000],
    ['a price', { price: 104_000 }, 104_000],
  ])('starts at the price that a gain in %s comes to, on the tick towards the entry', (_, trailAfter, level) => {
    expect(at({ trail: { points: 500 }, trailAfter }).trailFrom).toBe(level);
  });

  it('has no level until the best price has gained so much, and follows it from then on', () => {
    const levels = at({ trail: { points: 500 }, trailAfter: { percent: 300 } });
    expect([102_995, 103_000, 104_000].map((best) => trailLevel(levels, best))).toEqual([undefined, 102_500, 103_500]);
    const short = at({ trail: { points: 500 }, trailAfter: { percent: 300 } }, -1);
    expect([97_005, 97_000, 96_000].map((best) => trailLevel(short, best))).toEqual([undefined, 97_500, 96_500]);
  });

  it('closes nothing before, whatever the price does', () => {
    const exits = { trail: { points: 500 }, trailAfter: { percent: 300 } };
    expect(closedAt(exits, [100_000, 102_900, 90_000], 1)).toBe(-1);
    expect(closedAt(exits, [100_000, 103_100, 102_650, 102_600], 1)).toBe(3);
    expect(closedAt({ trail: exits.trail }, [100_000, 102_900, 90_000], 1)).toBe(2);
  });

  it('closes at the first price that is back by the distance from a best one beyond its start', () => {
    const prices = fc.array(
      fc.integer({ min: 900, max: 1_100 }).map((tens) => tens * 100),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(
        prices,
        fc.integer({ min: 1, max: 90 }).map((tens) => tens * 100),
        fc.integer({ min: 1, max: 90 }).map((tens) => tens * 100),
        fc.constantFrom<1 | -1>(1, -1),
        (given, points, gain, direction) => {
          const expected = given.findIndex((price, index) => {
            const gains = given.slice(0, index + 1).map((past) => direction * (past - ENTRY));
            const best = Math.max(...gains);
            return best >= gain && direction * (price - ENTRY) <= best - points;
          });
          expect(closedAt({ trail: { points }, trailAfter: { points: gain } }, given, direction)).toBe(expected);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('is refused where the gain of what was sold short leads to no price', () => {
    expect(refusal(() => at({ trail: { points: 500 }, trailAfter: { percent: 10_000 } }, -1))).toMatchObject({
      message: 'Start Trailing After comes to a price that is not above 0.',
      parameter: 'trailAfter',
    });
  });
});

describe('a trailing stop of a strategy that starts after a profit', () => {
  const levels = strategyLevels({ trail: { profit: 50_000 }, trailAfter: { profit: 300_000 } }, undefined);

  it('has no level until the best net profit has reached it', () => {
    expect([299_999, 300_000, 400_000].map((best) => trailProfit(levels, best))).toEqual([undefined, 250_000, 350_000]);
    expect(trailProfit(strategyLevels({ trail: { profit: 50_000 } }, undefined), 0)).toBe(-50_000);
  });

  it('closes only from then on', () => {
    expect(reachedLevel(levels, 299_999, 0)).toBeUndefined();
    expect(reachedLevel(levels, 300_000, 250_001)).toBeUndefined();
    expect(reachedLevel(levels, 300_000, 250_000)).toBe('trail');
  });

  it('takes a share of the net premium', () => {
    expect(strategyLevels({ trail: { percent: 1_000 }, trailAfter: { percent: 2_500 } }, -2_000_000)).toEqual({
      trail: 200_000,
      trailFrom: 500_000,
    });
  });
});
