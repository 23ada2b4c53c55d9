/** Costs of a day beside its orders: taxes to the rupee, deliveries, interest; and the effect of a tariff on them. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createAccounts } from '../../../sandbox/src/accounts/accounts';
import type { Accounts } from '../../../sandbox/src/accounts/types';
import type { Side, Product } from '../../../sandbox/src/shared/orders';
import { A, accounts, ALL, CALL, fill, FUTURE, INFY, INFY_BSE, MORNING, order, prices, TCS } from './support';

const FRIDAY = '2026-11-20';
const MONDAY = '2026-11-23';
const at = (date: string, time: string) => Date.parse(`${date}T${time}:00+05:30`);
const close = (books: Accounts, date: string) => books.endOfDay(date, at(date, '23:59'));

type TradeRow = readonly [refId: number, side: Side, quantity: number, price: number, product?: Product];

let next = 1n;
function trade(books: Accounts, [refId, side, quantity, price, product = 'CNC']: TradeRow, when = MORNING): void {
  books.trade(fill(next++, order({ refId, side, quantity, price, product }), quantity, price, when), when);
}

function opened(holdings: readonly [number, number][] = [], funds = 10_000_000_000): Accounts {
  const books = accounts(prices());
  const owned = holdings.map(([refId, quantity]) => ({ refId, quantity, averagePrice: 100_000, date: '2026-09-01' }));
  books.open(A, { funds, holdings: owned }, at(FRIDAY, '09:00'));
  return books;
}

const stt = (books: Accounts, refIds: readonly number[]) =>
  books
    .trades(A)
    .filter(({ trade: { refId } }) => refIds.includes(refId))
    .reduce((sum, { charges }) => sum + charges.stt, 0);
const entries = (books: Accounts, kind: string) => books.ledger(A).filter((entry) => entry.kind === kind);

describe('the transaction tax of a day', () => {
  test('is whole rupees of all trades of a market segment together, not of each', () => {
    const books = opened();
    // 0.1 % of Rs 300 each: 30 paise, so that the second makes 60 and the third 90.
    for (let count = 0; count < 3; count += 1) trade(books, [TCS.refId, 'BUY', 1, 30_000]);
    expect(books.trades(A).map(({ charges }) => charges.stt)).toEqual([0, 100, 0]);
  });

  test('counts derivatives as a separate segment, and each exchange', () => {
    const books = opened([[INFY.refId, 100]]);
    trade(books, [INFY.refId, 'BUY', 1, 40_000]);
    trade(books, [INFY_BSE.refId, 'BUY', 1, 40_000]);
    // 0.15 % of Rs 260 of premium.
    trade(books, [CALL.refId, 'SELL', 65, 400]);
    expect(books.trades(A).map(({ charges }) => charges.stt)).toEqual([0, 0, 0]);
  });

  test('begins with nothing on a new day', () => {
    const books = opened();
    trade(books, [TCS.refId, 'BUY', 1, 40_000]);
    close(books, FRIDAY);
    trade(books, [TCS.refId, 'BUY', 1, 40_000], at(MONDAY, '10:00'));
    expect(stt(books, [TCS.refId])).toBe(0);
  });

  test('is whole rupees each day and segment, at most 50 paise from the exact sum', () => {
    const traded = fc.tuple(
      fc.constantFrom(TCS.refId, INFY.refId, FUTURE.refId),
      fc.constantFrom<Side>('BUY', 'SELL'),
      fc.integer({ min: 1, max: 65 }),
      fc.integer({ min: 5, max: 300_000 }),
      fc.constantFrom<Product>('IDAY'),
    );
    fc.assert(
      fc.property(fc.array(traded, { minLength: 1, maxLength: 20 }), (all) => {
        const books = opened();
        const exact = { cash: 0, derivatives: 0 };
        for (const [refId, side, lots, price, product] of all) {
          const quantity = refId === FUTURE.refId ? lots * 65 : lots;
          trade(books, [refId, side, quantity, price, product]);
          if (side === 'SELL' && refId === FUTURE.refId) exact.derivatives += Math.round(quantity * price * 0.0005);
          else if (side === 'SELL') exact.cash += Math.round(quantity * price * 0.00025);
        }
        const sums = [stt(books, [TCS.refId, INFY.refId]), stt(books, [FUTURE.refId])];
        expect(sums.map((sum) => sum % 100)).toEqual([0, 0]);
        expect(Math.abs(sums[0]! - exact.cash)).toBeLessThanOrEqual(50);
        expect(Math.abs(sums[1]! - exact.derivatives)).toBeLessThanOrEqual(50);
      }),
    );
  });
});

describe('deliveries out of the demat account', () => {
  test('cost Rs 13 and service tax, once a day for each share, on whichever exchange it was sold', () => {
    const books = opened([
      [INFY.refId, 100],
      [TCS.refId, 100],
    ]);
    trade(books, [INFY.refId, 'SELL', 10, 150_000]);
    trade(books, [INFY.refId, 'SELL', 10, 150_000]);
    trade(books, [INFY_BSE.refId, 'SELL', 10, 150_000]);
    trade(books, [TCS.refId, 'SELL', 10, 300_000]);
    close(books, FRIDAY);
    expect(entries(books, 'DEPOSITORY').map(({ amount, text }) => [amount, text])).toEqual([
      [-1_534, 'Depository charge for the delivery of INFY'],
      [-1_534, 'Depository charge for the delivery of TCS'],
    ]);
    const total = books.ledger(A).reduce((sum, { amount }) => sum + amount, 0);
    expect(books.closes(A).at(-1)!.funds.cash).toBe(total);
  });

  test('are none where as much was bought on the day, nor where the sale was an intraday one', () => {
    const books = opened([[INFY.refId, 100]]);
    trade(books, [INFY.refId, 'SELL', 10, 150_000]);
    trade(books, [INFY.refId, 'BUY', 10, 150_000]);
    trade(books, [TCS.refId, 'BUY', 10, 300_000, 'IDAY']);
    trade(books, [TCS.refId, 'SELL', 10, 300_000, 'IDAY']);
    close(books, FRIDAY);
    expect(entries(books, 'DEPOSITORY')).toEqual([]);
  });
});

describe('interest on a debit balance', () => {
  test('is 18 % a year for each night, over a weekend for three', () => {
    const books = opened([], 0);
    trade(books, [TCS.refId, 'BUY', 1_000, 300_000]);
    close(books, FRIDAY);
    expect(entries(books, 'INTEREST')).toEqual([]);
    const owed = -books.closes(A).at(-1)!.funds.cash;
    close(books, MONDAY);
    const [entry] = entries(books, 'INTEREST');
    expect(entry!.amount).toBe(-Math.round((owed * 0.18 * 3) / 365));
    expect(entry!.text).toMatch(/^Interest on a debit balance of Rs 30,0\d,\d{3}\.\d\d, 3 days$/);
    expect(books.closes(A).at(-1)!.funds.charges).toBe(-entry!.amount);
  });

  test('is none on a balance that is not owed', () => {
    const books = opened([], 0);
    close(books, FRIDAY);
    close(books, MONDAY);
    expect(entries(books, 'INTEREST')).toEqual([]);
  });
});

test('a tariff of another broker sets brokerage, deliveries and interest', () => {
  const of = prices();
  const books = createAccounts({
    calendar: { isTradingDay: () => true, nextTradingDay: (_exchange, date) => date },
    instrument: (refId) => ALL.find((candidate) => candidate.refId === refId),
    listings: ({ refId }) => [refId],
    buyIn: () => ({ price: 0, how: 'AUCTION' }),
    lastPrice: ({ refId }) => of.last.get(refId) ?? 0,
    previousClose: ({ refId }) => of.previous.get(refId) ?? 0,
    tariff: {
      brokerage: {
        delivery: { perOrder: 0 },
        intraday: { perCrore: 5_000, cap: 10_000 },
        futures: { perOrder: 1_500 },
        options: { perCrore: 100_000, cap: Number.MAX_SAFE_INTEGER },
      },
      depository: 0,
      interest: 0,
      statutory: true,
    },
  });
  const owned = [{ refId: INFY.refId, quantity: 100, averagePrice: 100_000, date: '2026-09-01' }];
  books.open(A, { funds: 0, holdings: owned }, at(FRIDAY, '09:00'));
  trade(books, [INFY.refId, 'SELL', 10, 150_000]);
  trade(books, [TCS.refId, 'BUY', 10, 300_000, 'IDAY']);
  trade(books, [FUTURE.refId, 'BUY', 65, 2_610_000]);
  trade(books, [CALL.refId, 'BUY', 650, 20_000]);
  expect(books.trades(A).map(({ charges }) => charges.brokerage)).toEqual([0, 1_500, 1_500, 130_000]);
  close(books, FRIDAY);
  close(books, MONDAY);
  expect([...entries(books, 'DEPOSITORY'), ...entries(books, 'INTEREST')]).toEqual([]);
});
