/** The tables of the result of trading, and their notes. */
import { performanceSections } from '../../../client/portfolio/report/performance';

type SectionInput = Parameters<typeof performanceSections>[0];

test('names what is not counted once for each instrument and reason', () => {
  const notCounted = [
    { symbol: 'ITC', quantity: 26, why: 'held before' },
    { symbol: 'TCS', quantity: 5, why: 'held before' },
    { symbol: 'ITC', quantity: 54, why: 'held before' },
    { symbol: 'NIFTY26D0121950CE', quantity: 1_000, why: 'no price' },
  ];
  const figures = { verdict: 'Verdict.', gross: 0, costs: 0, drawdown: 0, result: 0, byTag: [] };
  const shown = {
    to: '2026-12-01',
    figures,
    market: null,
    hasAllCosts: true,
    notCounted,
    unpriced: [],
    trips: [],
  } as unknown as SectionInput;
  expect(performanceSections(shown)[0]?.note).toBe(
    'Verdict. Not counted: 80 ITC (held before), 5 TCS (held before), 1,000 NIFTY 1 Dec 21,950 CE (without a price, as an expired contract whose settlement is not known).',
  );
});

describe('By tag', () => {
  const group = (tag: string, net: number) => ({ tag, trades: 1, won: 1, open: 0, costs: 250, net });
  const shownOf = (from: string, ...byTag: ReturnType<typeof group>[]) => {
    const sums = { gross: 0, costs: 500, drawdown: 0, result: 30_000, closed: 2, won: 2, open: 0 };
    const figures = { verdict: 'Verdict.', ...sums, byTag };
    const rest = { market: null, hasAllCosts: true, notCounted: [], unpriced: [], trips: [] };
    const sections = performanceSections({ from, to: '2026-11-20', figures, ...rest } as unknown as SectionInput);
    return sections.find(({ title }) => title === 'By tag');
  };

  test('has a row for each tag, one for what has none, and their sum', () => {
    const shown = shownOf('2026-11-20', group('legs', 10_000), group('', 20_000));
    expect(shown?.rows.map((row) => row.map(({ text }) => text))).toEqual([
      ['legs', '1', '1', '0', '−₹2.50', '+₹100.00'],
      ['Without a tag', '1', '1', '0', '−₹2.50', '+₹200.00'],
    ]);
    expect(shown?.totals?.map(({ text }) => text)).toEqual(['Total', '2', '2', '0', '−₹5.00', '+₹300.00']);
    expect(shown).not.toHaveProperty('note');
  });

  test('says of several days that the tags of today alone are known', () => {
    expect(shownOf('2026-11-16', group('legs', 10_000))?.note).toMatch(/^The tags of today alone are known/);
  });

  test('is left out where no order had a tag', () => {
    expect(shownOf('2026-11-20', group('', 20_000))).toBeUndefined();
  });
});
