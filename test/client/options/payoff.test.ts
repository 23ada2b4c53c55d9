import { ONE_SHARE } from '../../../client/values/contract-value';
import fc from 'fast-check';
import { payoffOf, profitAt, type PricedOption } from '../../../client/options/payoff';
import { knownPrice } from '../../support/price';

const option = (optionType: 'CE' | 'PE', strike: number, units: number, premium: number): PricedOption => ({
  optionType,
  strike,
  units,
  premium: knownPrice(premium),
  contract: ONE_SHARE,
});
/** Rupees. */
const terms = (options: PricedOption[], spot = 24_500_00) => {
  const { premium, maxProfit, maxLoss, breakevens } = payoffOf(options, knownPrice(spot));
  const rupees = (paise: number | null) => (paise === null ? null : paise / 100);
  return {
    premium: rupees(premium),
    maxProfit: rupees(maxProfit),
    maxLoss: rupees(maxLoss),
    breakevens: breakevens.map((price) => price / 100),
  };
};

it.each([
  [
    'a straddle that is sold',
    [option('CE', 24_500_00, -65, 140_00), option('PE', 24_500_00, -65, 110_00)],
    { premium: -16_250, maxProfit: 16_250, maxLoss: null, breakevens: [24_250, 24_750] },
  ],
  [
    'a straddle that is bought: the underlying cannot rise without limit downwards',
    [option('CE', 24_500_00, 65, 140_00), option('PE', 24_500_00, 65, 110_00)],
    { premium: 16_250, maxProfit: null, maxLoss: 16_250, breakevens: [24_250, 24_750] },
  ],
  [
    'a put that is sold: its loss ends at an underlying of 0',
    [option('PE', 100_00, -10, 4_00)],
    { premium: -40, maxProfit: 40, maxLoss: 960, breakevens: [96] },
  ],
  [
    'a spread of calls that is bought',
    [option('CE', 100_00, 10, 6_00), option('CE', 110_00, -10, 2_00)],
    { premium: 40, maxProfit: 60, maxLoss: 40, breakevens: [104] },
  ],
  [
    'an iron condor that is sold',
    [
      option('CE', 110_00, -5, 3_00),
      option('PE', 90_00, -5, 3_00),
      option('CE', 120_00, 5, 1_00),
      option('PE', 80_00, 5, 1_00),
    ],
    { premium: -20, maxProfit: 20, maxLoss: 30, breakevens: [86, 114] },
  ],
  [
    'a butterfly of calls that is bought',
    [option('CE', 90_00, 5, 12_00), option('CE', 100_00, -10, 5_00), option('CE', 110_00, 5, 2_00)],
    { premium: 20, maxProfit: 30, maxLoss: 20, breakevens: [94, 106] },
  ],
  [
    'legs whose last prices do not fit together, so that nothing could be lost',
    [option('CE', 100_00, 10, 2_00), option('CE', 110_00, -10, 3_00)],
    { premium: -10, maxProfit: 110, maxLoss: -10, breakevens: [] },
  ],
])('the payoff is right: %s', (_, options, expected) => expect(terms(options)).toEqual(expected));

const anyOption = fc.record({
  optionType: fc.constantFrom('CE' as const, 'PE' as const),
  strike: fc.integer({ min: 1, max: 400 }).map((strike) => strike * 50_00),
  units: fc.integer({ min: -10, max: 10 }).filter((units) => units !== 0),
  premium: fc.integer({ min: 5, max: 900_00 }).map(knownPrice),
  contract: fc.constant(ONE_SHARE),
});

it('nothing lies beyond the best and the worst result, the breakevens part profit from loss, the points are the line', () => {
  fc.assert(
    fc.property(
      fc.array(anyOption, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 100_00, max: 21_000_00 }).map(knownPrice),
      (options, spot) => {
        const { maxProfit, maxLoss, breakevens, points } = payoffOf(options, spot);
        const prices = [0, ...options.map(({ strike }) => strike), spot, 30_000_00, 90_000_00, 12_345_67];
        for (const price of prices) {
          const profit = profitAt(options, price);
          if (maxProfit !== null) expect(profit).toBeLessThanOrEqual(maxProfit);
          if (maxLoss !== null) expect(profit).toBeGreaterThanOrEqual(-maxLoss);
        }
        // Rounded to a paisa, so that each unit may be off by half of one.
        const rounding = options.reduce((sum, { units }) => sum + Math.abs(units), 0);
        for (const price of breakevens) expect(Math.abs(profitAt(options, price))).toBeLessThanOrEqual(rounding);
        for (const { price, profit } of points) expect(profit).toBe(profitAt(options, price));
        expect(points.map(({ price }) => price)).toEqual([...points.map(({ price }) => price)].sort((a, b) => a - b));
        expect(points[0]!.price).toBeGreaterThanOrEqual(0);
        const between = breakevens.flatMap((price, at) => (at === 0 ? [] : [[breakevens[at - 1]!, price] as const]));
        for (const [from, to] of between) {
          const inside = points.filter(
            ({ price, profit }) => price > from && price < to && Math.abs(profit) > rounding,
          );
          expect(new Set(inside.map(({ profit }) => Math.sign(profit))).size).toBeLessThanOrEqual(1);
        }
      },
    ),
    { numRuns: 50 },
  );
});
