/** The sentence on purchases after which nothing was sold: what is held against what was paid. */
import fc from 'fast-check';
import { heldVerdict, yearlyReturn } from '../../../../sandbox/src/reports/performance/held-verdict';
import { performanceOf } from '../../../../sandbox/src/reports/performance/performance';
import type { PerformanceSource, RoundTrip } from '../../../../sandbox/src/reports/performance/types';
import { accounts, A, ALL, fill, FUTURE, INFY, MORNING, order, prices } from '../../accounts/support';

const DAY = 86_400_000;
const BEGIN = Date.parse('2025-01-01T10:00:00+05:30');
const dateOf = (at: number): string => new Date(at + 19_800_000).toISOString().slice(0, 10);

/** An open purchase of a share, paise. */
const bought = (day: number, quantity: number, price: number, last: number, key = 'A'): RoundTrip =>
  ({
    ...{ key, refId: 1, product: 'CNC', side: 'LONG', quantity, entryAt: BEGIN + day * DAY },
    ...{ entryValue: quantity * price, costs: 1_000, exitAt: undefined, exitValue: quantity * last },
  }) as RoundTrip;

test('a monthly plan is judged by what is held, against one purchase at the start, and by the year', () => {
  const trips = [0, 31, 59, 90].map((day) => bought(day, 50, 10_000 + day * 10, 12_000));
  const said = heldVerdict(trips, BEGIN + 365 * DAY);
  // 50 × (100.00 + 103.10 + 105.90 + 109.00), and 4 × ₹10 of costs; 200 are worth ₹120 each.
  expect(said).toContain('₹20,940.00 paid in 4 purchases, costs included, are worth ₹24,000.00 (+14.61 %)');
  // The first purchase made 6,000 of 5,010.
  expect(said).toContain('put in at once with the first purchase, would be worth ₹25,077.84.');
  expect(said).toMatch(/which is \+16\.\d+ % a year, each purchase counted from its day \(XIRR\)/);
});

test('one purchase is compared with no other, and some weeks are no year', () => {
  const said = heldVerdict([bought(0, 10, 10_000, 9_000)], BEGIN + 30 * DAY);
  expect(said).toContain('₹1,010.00 paid in 1 purchase, costs included, are worth ₹900.00 (−10.89 %).');
  expect(said).not.toContain('XIRR');
  expect(said).not.toContain('at once');
});

test('the return of a year is the rate by which the payments have grown', () => {
  const payments = fc.array(
    fc.record({ day: fc.integer({ min: 0, max: 700 }), paid: fc.integer({ min: 1, max: 1e8 }) }),
    {
      minLength: 1,
      maxLength: 24,
    },
  );
  fc.assert(
    fc.property(payments, fc.integer({ min: -80, max: 300 }), (list, percent) => {
      const end = 1_000;
      const worth = list.reduce((sum, { day, paid }) => sum + paid * (1 + percent / 100) ** ((end - day) / 365), 0);
      const flows = list.map(({ day, paid }) => ({ at: day * DAY, amount: -paid }));
      expect(yearlyReturn([...flows, { at: end * DAY, amount: worth }])).toBeCloseTo(percent / 100, 6);
    }),
    { numRuns: 200 },
  );
  expect(
    yearlyReturn([
      { at: 0, amount: -100 },
      { at: 365 * DAY, amount: 100_000 },
    ]),
  ).toBeUndefined();
});

describe('a report without a closed trade', () => {
  const verdictOf = (refId: number, product: 'CNC' | 'IDAY', quantity: number): string => {
    const of = prices();
    const books = accounts(of);
    books.open(A, { funds: 50_000_000_000, holdings: [] }, MORNING - DAY);
    books.endOfDay(dateOf(MORNING - DAY), MORNING - DAY + 3_600_000);
    const price = of.last.get(refId)!;
    const placed = order({ refId, side: quantity > 0 ? 'BUY' : 'SELL', quantity: Math.abs(quantity), price, product });
    expect(books.hold(1n, placed, price, MORNING).ok).toBe(true);
    books.trade(fill(1n, placed, Math.abs(quantity), price, MORNING), MORNING);
    const source: PerformanceSource = {
      ...{ account: A, accounts: books, market: undefined, now: MORNING + 1_000 },
      instrument: (id) => ALL.find((instrument) => instrument.refId === id),
      price: (id) => of.last.get(id)!,
      instants: (from, to) => [MORNING].filter((at) => at >= from && at <= to),
    };
    return performanceOf(source, { from: dateOf(MORNING), to: dateOf(MORNING) }).verdict;
  };

  test('judges shares that are kept, and says of others that nothing is decided', () => {
    expect(verdictOf(INFY.refId, 'CNC', 10)).toContain('Nothing was sold, so what is held is judged');
    expect(verdictOf(INFY.refId, 'IDAY', 10)).toContain('No trade was closed. 1 is open and counts at the last price');
    expect(verdictOf(FUTURE.refId, 'CNC', -FUTURE.lotSize)).toContain('nothing is decided yet');
  });
});
