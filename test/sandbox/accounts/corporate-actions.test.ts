/** Corporate actions in the books: nothing is won or lost, to the paisa, but for fractions, which are paid. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rescaleLot } from '../../../sandbox/src/accounts/lots';
import type { Accounts } from '../../../sandbox/src/accounts/types';
import type { EffectiveAction } from '../../../sandbox/src/shared/corporate-actions';
import type { Side } from '../../../sandbox/src/shared/orders';
import {
  A,
  accounts,
  fill,
  FUTURE,
  INFY,
  INFY_BSE,
  INFY_CALL,
  INFY_FUTURE,
  order,
  prices,
  snapshot,
  TCS,
} from './support';
import { IS_WHOLE } from '../../support/sample';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (IS_WHOLE ? 150 : 50));
const CLOSE = 150_000;
const instant = (date: string, time = '10:00') => Date.parse(`${date}T${time}:00+05:30`);
const [BEFORE, EX] = ['2026-11-17', '2026-11-18'];
const MIDNIGHT = instant(EX, '00:00');

function action(more: Partial<EffectiveAction>): EffectiveAction {
  return {
    id: 1,
    kind: 'split',
    symbol: 'INFY',
    refIds: [INFY.refId, INFY_BSE.refId],
    exDate: EX,
    from: MIDNIGHT,
    announced: instant(BEFORE),
    before: 1,
    after: 1,
    dividend: 0,
    extraordinary: false,
    close: CLOSE,
    ...more,
  };
}
const bonus = (issued: number, held: number) => action({ kind: 'bonus', before: held, after: held + issued });
const dividend = (paise: number, extraordinary = false) => action({ kind: 'dividend', dividend: paise, extraordinary });

type Deal = [what: { refId: number }, terms: [Side, number, number]];

let next = 0n;
function trade(books: Accounts, { refId }: { refId: number }, [side, quantity, price]: [Side, number, number]): void {
  next += 1n;
  const placed = order({ refId, side, quantity, price });
  books.trade(fill(next, placed, quantity, price, instant(BEFORE)), instant(BEFORE));
  books.orderChanged(snapshot(next, placed, 'FILLED', quantity), instant(BEFORE));
}

/** Books with shares, which the end of the day before has settled. */
function opened({ shares = 0, average = 120_007, deals = [] as Deal[] } = {}) {
  const of = prices();
  const books = accounts(of);
  const holdings = shares === 0 ? [] : [{ refId: INFY.refId, quantity: shares, averagePrice: average }];
  books.open(A, { funds: 100_000_000_000, holdings }, instant('2026-11-16'));
  deals.forEach(([what, terms]) => trade(books, what, terms));
  books.endOfDay(BEFORE, MIDNIGHT - 1);
  return { books, of };
}
const holding = (books: Accounts) => books.holdings(A)[0];
const adds = (books: Accounts) => {
  const { cash, opening, added, realised, charges, invested } = books.funds(A);
  expect(cash).toBe(opening + added + realised - charges - invested);
  expect(books.ledger(A).at(-1)!.balance).toBe(cash);
};

describe('a position over another quantity', () => {
  test('costs the same to the paisa, whatever its sign', () => {
    const sizes = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(sizes, sizes, fc.integer({ min: 1, max: 10_000_000 }), fc.boolean(), (from, to, price, isShort) => {
        const sign = isShort ? -1 : 1;
        const parts = rescaleLot({ quantity: sign * from, price }, sign * to);
        expect(parts.reduce((sum, part) => sum + part.quantity, 0)).toBe(sign * to);
        expect(parts.reduce((sum, part) => sum + part.quantity * part.price, 0)).toBe(sign * from * price);
        for (const part of parts) {
          expect(Math.sign(part.quantity)).toBe(sign);
          expect(Number.isSafeInteger(part.price) && part.price >= 0).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe('split', () => {
  test.each([
    [1, 5],
    [2, 10],
  ])('multiplies settled, unsettled and pledged shares by %i to %i; their cost and dates stay', (before, after) => {
    const { books } = opened({ shares: 10, deals: [[INFY, ['BUY', 3, 149_999]]] });
    books.pledge(A, INFY.refId, 4, MIDNIGHT - 1);
    books.corporateAction(action({ before, after }), MIDNIGHT);
    expect(holding(books)).toMatchObject({
      quantity: 50,
      t1Quantity: 15,
      pledgedQuantity: 20,
      cost: 10 * 120_007 + 3 * 149_999,
    });
    const noted = { kind: 'split', at: MIDNIGHT, date: EX, refId: INFY.refId, product: 'CNC' };
    expect(books.adjustments(A)).toEqual([{ ...noted, quantity: 52, cost: 0 }]);
    trade(books, INFY, ['SELL', 30, 24_000]);
    expect(books.closures(A).at(-1)).toMatchObject({ buyDate: '2026-11-16' });
    adds(books);
  });

  test('multiplies what is owed, at the former price', () => {
    const { books, of } = opened({ deals: [[INFY_FUTURE, ['SELL', 400, 150_500]]] });
    books.endOfDay('2026-11-24', instant('2026-11-24', '23:59'));
    expect(books.shortDeliveries(A)).toMatchObject([{ quantity: 400 }]);
    const owed = books.shortDeliveries(A)[0]!;
    books.corporateAction(action({ after: 2 }), instant('2026-11-25', '00:00'));
    const after = books.shortDeliveries(A);
    expect(after.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(800);
    expect(after.reduce((sum, { quantity, price }) => sum + quantity * price, 0)).toBe(400 * owed.price);
    of.buyIn = 75_000;
    books.endOfDay('2026-11-25', instant('2026-11-25', '23:59'));
    expect(books.shortDeliveries(A)).toEqual([]);
    adds(books);
  });
});

describe('bonus', () => {
  test('gives shares for nothing, on the ex-date; those that were bought are sold first', () => {
    const { books } = opened({ shares: 10 });
    books.corporateAction(bonus(1, 1), MIDNIGHT);
    expect(holding(books)).toMatchObject({ quantity: 20, cost: 10 * 120_007 });
    const sold = order({ refId: INFY.refId, side: 'SELL', quantity: 15, price: 75_000 });
    books.trade(fill(99_999n, sold, 15, 75_000, instant(EX)), instant(EX));
    expect(books.closures(A).slice(-2)).toMatchObject([
      { quantity: 10, buyDate: '2026-11-16', buyValue: 1_200_070, sellValue: 750_000 },
      { quantity: 5, buyDate: EX, buyValue: 0, sellValue: 375_000 },
    ]);
    adds(books);
  });

  test('pays a fraction at the adjusted close, and none where there is none', () => {
    const { books } = opened({ shares: 5 });
    books.corporateAction(bonus(1, 2), MIDNIGHT);
    expect(holding(books)).toMatchObject({ quantity: 7 });
    expect(books.ledger(A).at(-1)).toMatchObject({ kind: 'CORPORATE_ACTION', amount: 50_000 });
    const even = opened({ shares: 4 });
    even.books.corporateAction(bonus(1, 2), MIDNIGHT);
    expect(holding(even.books)).toMatchObject({ quantity: 6 });
    expect(even.books.ledger(A).some(({ kind }) => kind === 'CORPORATE_ACTION')).toBe(false);
  });
});

describe('dividend', () => {
  test('is credited on all that is held, on whichever exchange it was bought', () => {
    const { books } = opened({ shares: 10, deals: [[INFY_BSE, ['BUY', 5, 150_000]]] });
    books.corporateAction(dividend(1_250), MIDNIGHT);
    expect(books.ledger(A).at(-1)).toMatchObject({ kind: 'DIVIDEND', amount: 18_750, shares: 15, perShare: 1_250 });
    adds(books);
  });

  test('has a tenth of all of it deducted above Rs 10,000 of a company in the financial year, once', () => {
    const { books } = opened({ shares: 1_000 });
    const taxes = () =>
      books
        .ledger(A)
        .filter(({ kind }) => kind === 'TDS')
        .map(({ amount }) => amount);
    books.corporateAction(dividend(1_000), MIDNIGHT);
    expect(taxes()).toEqual([]);
    books.corporateAction(dividend(1), instant('2026-12-01', '00:00'));
    expect(taxes()).toEqual([-100_100]);
    books.corporateAction(dividend(1_000), instant('2027-03-31', '00:00'));
    expect(taxes()).toEqual([-100_100, -100_000]);
    books.corporateAction(dividend(1_000), instant('2027-04-01', '00:00'));
    expect(taxes()).toHaveLength(2);
    adds(books);
  });

  test('is paid to nobody else, and who is short pays', () => {
    const { books } = opened({ deals: [[TCS, ['BUY', 5, 300_000]]] });
    const entries = books.ledger(A).length;
    books.corporateAction(dividend(1_250), MIDNIGHT);
    expect(books.ledger(A)).toHaveLength(entries);
    const short = opened({ deals: [[INFY_FUTURE, ['SELL', 400, 150_500]]] }).books;
    short.endOfDay('2026-11-24', instant('2026-11-24', '23:59'));
    short.corporateAction(dividend(1_250), instant('2026-11-25', '00:00'));
    expect(short.ledger(A).at(-1)).toMatchObject({ kind: 'CORPORATE_ACTION', amount: -400 * 1_250 });
    adds(short);
  });

  test('lowers the price at which futures are carried where it is extraordinary, and costs options nothing', () => {
    const { books, of } = opened({
      deals: [
        [INFY_FUTURE, ['SELL', 800, 151_000]],
        [INFY_CALL, ['BUY', 400, 6_100]],
      ],
    });
    const before = new Map(books.positions(A).map((position) => [position.refId, position]));
    books.corporateAction(dividend(5_000, true), MIDNIGHT);
    const after = new Map(books.positions(A).map((position) => [position.refId, position]));
    expect(after.get(INFY_CALL.refId)).toEqual(before.get(INFY_CALL.refId));
    expect(after.get(INFY_FUTURE.refId)).toMatchObject({
      openQuantity: -800,
      openValue: before.get(INFY_FUTURE.refId)!.openValue + 800 * 5_000,
      sellValue: 800 * (of.last.get(INFY_FUTURE.refId)! - 5_000),
      realised: 0,
    });
    const noted = { kind: 'dividend', at: MIDNIGHT, date: EX, refId: INFY_FUTURE.refId, product: 'CNC' };
    expect(books.adjustments(A)).toEqual([{ ...noted, quantity: 0, cost: 800 * 5_000 }]);
    books.corporateAction(dividend(100), instant('2026-11-19', '00:00'));
    expect(books.positions(A).find(({ refId }) => refId === INFY_FUTURE.refId)!.openQuantity).toBe(-800);
    adds(books);
  });
});

test('contracts on another underlying stay unchanged', () => {
  const { books } = opened({ deals: [[FUTURE, ['BUY', 65, 2_600_000]]] });
  const before = books.positions(A);
  for (const done of [action({ after: 2 }), bonus(1, 1), dividend(5_000, true)]) books.corporateAction(done, MIDNIGHT);
  expect([books.positions(A), books.adjustments(A)]).toEqual([before, []]);
});

describe('any position', () => {
  const lots = fc.integer({ min: -20, max: 20 });
  const change = fc.oneof(
    fc.constantFrom(2, 5, 10).map((after) => action({ after })),
    fc.tuple(fc.constantFrom(1, 2, 3), fc.constantFrom(1, 2, 4, 5)).map(([issued, held]) => bonus(issued, held)),
  );

  test('keeps its cost, money but fractions, and profit over a split or a bonus', () => {
    fc.assert(
      fc.property(
        fc.record({
          shares: fc.nat({ max: 5_000 }),
          average: fc.integer({ min: 1, max: 500_000 }),
          bought: fc.nat({ max: 50 }),
          future: lots,
          option: lots,
        }),
        change,
        ({ shares, average, bought, future, option }, effectiveAction) => {
          const deal = (count: number, price: number): [Side, number, number] => [
            count > 0 ? 'BUY' : 'SELL',
            Math.abs(count) * 400,
            price,
          ];
          const deals: Deal[] = [
            ...(bought > 0 ? [[INFY, ['BUY', bought, 149_990]] satisfies Deal] : []),
            ...(future !== 0 ? [[INFY_FUTURE, deal(future, 150_700)] satisfies Deal] : []),
            ...(option !== 0 ? [[INFY_CALL, deal(option, 6_015)] satisfies Deal] : []),
          ];
          const { books } = opened({ shares, average, deals });
          const [was, cash, entries] = [books.positions(A), books.funds(A).cash, books.ledger(A).length];
          const held = holding(books);
          books.corporateAction(effectiveAction, MIDNIGHT);
          const { before, after } = effectiveAction;
          const total = shares + bought;
          expect(holding(books)?.cost).toBe(held?.cost);
          const now = holding(books) ?? { quantity: 0, t1Quantity: 0 };
          const whole = Math.floor((total * after) / before);
          expect(now.quantity + now.t1Quantity).toBe(whole);
          const base = Math.round((CLOSE * before) / after);
          const fraction = books.funds(A).cash - cash;
          expect(Math.abs(fraction - ((total * after) / before - whole) * base)).toBeLessThanOrEqual(0.5);
          expect(books.ledger(A).slice(entries)).toHaveLength(fraction === 0 ? 0 : 1);
          books.positions(A).forEach((position, index) => {
            expect(position.openQuantity * before).toBe(was[index]!.openQuantity * after);
            expect(position.openValue).toBe(was[index]!.openValue);
            const noted = books.adjustments(A).filter(({ refId }) => refId === position.refId);
            const more = position.openQuantity - was[index]!.openQuantity;
            expect(noted.map(({ quantity }) => quantity)).toEqual(more === 0 ? [] : [more]);
            expect(position.buyValue - position.sellValue).toBe(was[index]!.buyValue - was[index]!.sellValue);
          });
          adds(books);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
