import fc from 'fast-check';
import {
  legsOfStrategy,
  OPTION_STRATEGIES,
  type OptionStrategyLeg,
  type OptionStrategyTerms,
} from '../../../../client/orders/model/option-strategies';

const ONE: OptionStrategyTerms = { shape: 'straddle', side: 'SELL', madeOf: 'both', distance: 2, width: 3 };
const words = (legs: OptionStrategyLeg[]): string[] =>
  legs.map(({ side, ratio, optionType, strike }) => `${side} ${ratio} ${optionType} ${strike}`);

it.each<[Partial<OptionStrategyTerms>, string[]]>([
  [{ shape: 'straddle' }, ['SELL 1 CE 0', 'SELL 1 PE 0']],
  [{ shape: 'strangle' }, ['SELL 1 CE 2', 'SELL 1 PE -2']],
  [{ shape: 'spread', madeOf: 'CE', side: 'BUY', distance: 0 }, ['BUY 1 CE 0', 'SELL 1 CE 3']],
  [{ shape: 'spread', madeOf: 'PE' }, ['SELL 1 PE -2', 'BUY 1 PE -5']],
  [{ shape: 'condor' }, ['SELL 1 CE 2', 'SELL 1 PE -2', 'BUY 1 CE 5', 'BUY 1 PE -5']],
  [{ shape: 'condor', madeOf: 'CE', side: 'BUY' }, ['BUY 1 CE -5', 'SELL 1 CE -2', 'SELL 1 CE 2', 'BUY 1 CE 5']],
  [{ shape: 'butterfly' }, ['SELL 1 CE 0', 'SELL 1 PE 0', 'BUY 1 CE 3', 'BUY 1 PE -3']],
  [{ shape: 'butterfly', madeOf: 'PE', side: 'BUY' }, ['BUY 1 PE -3', 'SELL 2 PE 0', 'BUY 1 PE 3']],
])('%j makes the legs of its strategy', (terms, legs) => {
  expect(words(legsOfStrategy({ ...ONE, ...terms }))).toEqual(legs);
});

it('no option is in a strategy twice; buying pays premium and selling receives it, whatever the volatility', () => {
  const terms = fc.record({
    shape: fc.constantFrom(...OPTION_STRATEGIES),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    madeOf: fc.constantFrom('CE' as const, 'PE' as const, 'both' as const),
    distance: fc.integer({ min: 1, max: 20 }),
    width: fc.integer({ min: 1, max: 20 }),
  });
  /** A premium that falls away from the money, convex in the strike, with put-call parity at a spot of strike 0. */
  const premium = ({ optionType, strike }: OptionStrategyLeg, spread: number): number => {
    const call = (Math.sqrt(strike * strike + spread) - strike) / 2;
    return optionType === 'CE' ? call : call + strike;
  };
  fc.assert(
    fc.property(terms, fc.double({ min: 1, max: 400, noNaN: true }), (requested, spread) => {
      const legs = legsOfStrategy(requested);
      expect(new Set(legs.map(({ optionType, strike }) => `${optionType} ${strike}`)).size).toBe(legs.length);
      const net = legs.reduce((sum, leg) => sum + (leg.side === 'BUY' ? 1 : -1) * leg.ratio * premium(leg, spread), 0);
      expect(Math.sign(net)).toBe(requested.side === 'BUY' ? 1 : -1);
    }),
  );
});
