/** The note below the result of trading. */
import { performanceSections } from '../../../client/portfolio/report/performance';

type Shown = Parameters<typeof performanceSections>[0];

test('names what is not counted once for each instrument and reason', () => {
  const notCounted = [
    { symbol: 'ITC', quantity: 26, why: 'held before' },
    { symbol: 'TCS', quantity: 5, why: 'held before' },
    { symbol: 'ITC', quantity: 54, why: 'held before' },
    { symbol: 'ITC', quantity: 1_000, why: 'no price' },
  ];
  const figures = { verdict: 'Verdict.', gross: 0, costs: 0, drawdown: 0, result: 0 };
  const shown = { figures, market: null, hasAllCosts: true, notCounted, unpriced: [], trips: [] } as unknown as Shown;
  expect(performanceSections(shown)[0]?.note).toBe(
    'Verdict. Not counted: 80 ITC (held before), 5 TCS (held before), 1,000 ITC (without a price, as an expired contract whose settlement is not known).',
  );
});
