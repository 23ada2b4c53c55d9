/** Quantities and cash that an account may still sell, pay out or place, at the prices of the moment. */
import { describe, expect, test } from '@jest/globals';
import type { Accounts } from '../../../sandbox/src/accounts/types';
import type { NewOrder } from '../../../sandbox/src/shared/orders';
import { A, accounts, CALL, fill, FUTURE, INFY, MORNING, order, prices, TCS } from './support';

const MONDAY = Date.parse('2026-11-23T10:00:00+05:30');
const LOT = (65 * 2_610_000 * 1_130) / 10_000;

function opened({ funds = 1_000_000_000, of = prices(), shares = 100 } = {}): Accounts {
  const books = accounts(of);
  books.open(A, { funds, holdings: [{ refId: INFY.refId, quantity: shares, averagePrice: 120_000 }] }, MORNING);
  return books;
}
let next = 0n;
function trade(books: Accounts, terms: Partial<NewOrder> & { refId: number }, price: number, at = MORNING): void {
  next += 1n;
  const placed = order(terms);
  books.trade(fill(next, placed, placed.quantity, price, at), at);
}
const future = (side: 'BUY' | 'SELL') => order({ refId: FUTURE.refId, side, quantity: 65, price: 2_610_000 });

describe('a delivery sale', () => {
  /** A hundred settled shares, thirty of them pledged, and twenty of the day before. */
  function held(): Accounts {
    const books = opened();
    trade(books, { refId: INFY.refId, quantity: 20 }, 150_000);
    books.endOfDay('2026-11-20', MONDAY - 1);
    books.pledge(A, INFY.refId, 30, MONDAY);
    return books;
  }
  const sell = (books: Accounts, quantity: number) =>
    trade(books, { refId: INFY.refId, side: 'SELL', quantity }, 150_000, MONDAY);

  test('takes settled shares that are not pledged, then unsettled ones, and never what is pledged', () => {
    const books = held();
    sell(books, 80);
    expect(books.holdings(A)).toEqual([
      expect.objectContaining({ quantity: 30, pledgedQuantity: 30, t1Quantity: 10, cost: 30 * 120_000 + 10 * 150_000 }),
    ]);
    expect(books.closures(A)).toHaveLength(2);
    for (const closure of books.closures(A)) expect(closure).not.toHaveProperty('settled');
    expect(() => sell(books, 11)).toThrow('sold 1 shares of ref_id 1 that account A1 does not have');
  });

  test('leaves a holding of as many settled as unsettled shares, and none of nothing', () => {
    const books = opened({ shares: 20 });
    trade(books, { refId: INFY.refId, quantity: 10 }, 150_000);
    books.endOfDay('2026-11-20', MONDAY - 1);
    sell(books, 10);
    expect(books.holdings(A)).toEqual([expect.objectContaining({ quantity: 10, t1Quantity: 10 })]);
    sell(books, 20);
    expect(books.holdings(A)).toEqual([]);
  });
});

describe('a sale of settled shares', () => {
  const sale = (quantity: number) => order({ refId: INFY.refId, side: 'SELL', quantity, price: 150_000 });
  /** A hundred settled shares and twenty of today. */
  function held(): Accounts {
    const books = opened();
    trade(books, { refId: INFY.refId, quantity: 20 }, 150_000);
    return books;
  }

  test.each([
    ['ddpi', 120, { sellable: 120, authorised: 100, waiting: 0 }],
    ['today', 120, { sellable: 120, authorised: 100, waiting: 0 }],
    ['none', 20, { sellable: 20, authorised: 0, waiting: 100 }],
  ] as const)('is taken up to what is authorised: %s, %i shares', (how, most, quantities) => {
    const books = held();
    books.authoriseSales(A, how, MORNING);
    expect(books.saleQuantities(A, INFY.refId)).toEqual(quantities);
    expect(books.hold(1n, sale(most + 1), 150_000, MORNING)).toMatchObject({
      ok: false,
      code: how === 'none' ? 'EDIS_AUTHORISATION_REQUIRED' : 'INSUFFICIENT_HOLDINGS',
    });
    expect(books.hold(2n, sale(most), 150_000, MORNING)).toEqual({ ok: true });
    expect(books.saleQuantities(A, INFY.refId)).toEqual({ ...quantities, sellable: 0 });
  });

  test('says how many of it are authorised', () => {
    const books = held();
    books.authoriseSales(A, 'none', MORNING);
    for (const [id, quantity, left] of [
      [1n, 30, 20],
      [2n, 15, 20],
      [3n, 6, 5],
    ] as const)
      expect([quantity, books.hold(id, sale(quantity), 150_000, MORNING)]).toEqual([
        quantity,
        quantity <= left
          ? { ok: true }
          : {
              ok: false,
              code: 'EDIS_AUTHORISATION_REQUIRED',
              text: `Rejected by the compliance check: ${quantity} of INFY to sell, ${left} authorised at the depository`,
            },
      ]);
  });

  test('is authorised for the day on which that was done, and for no other', () => {
    const books = opened();
    books.authoriseSales(A, 'today', MONDAY);
    expect([books.salesAuthorisedOn(A), books.lastEvent()]).toEqual(['2026-11-23', MONDAY]);
    expect(books.hold(1n, sale(1), 150_000, MONDAY)).toEqual({ ok: true });
    expect(books.hold(2n, sale(1), 150_000, MONDAY + 86_400_000)).toMatchObject({
      code: 'EDIS_AUTHORISATION_REQUIRED',
    });
    books.authoriseSales(A, 'ddpi', MONDAY + 86_400_000);
    expect(books.hold(2n, sale(1), 150_000, MONDAY + 86_400_000)).toEqual({ ok: true });
  });
});

test('an order that needs nothing is taken also where money is missing, and one that needs a paisa is not', () => {
  const of = prices();
  const books = opened({ of, funds: 2 * LOT });
  trade(books, future('BUY'), 2_610_000);
  of.last.set(FUTURE.refId, 2_000_000);
  expect(books.funds(A).available).toBeLessThan(0);
  expect(books.hold(1n, future('SELL'), 2_000_000, MORNING)).toEqual({ ok: true });
  expect(books.hold(2n, order({ refId: TCS.refId, price: 1 }), 1, MORNING)).toMatchObject({ ok: false });
});

test('each question is answered at the prices of the moment', () => {
  const of = prices();
  const begun = () => {
    of.last.set(FUTURE.refId, 2_610_000);
    const books = opened({ of, funds: 2 * LOT });
    trade(books, future('BUY'), 2_610_000);
    books.pledge(A, INFY.refId, 100, MORNING);
    books.funds(A);
    of.last.set(FUTURE.refId, 2_000_000);
    return books;
  };
  expect(begun().addFunds(A, -1, MORNING)).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
  expect(begun().unpledge(A, INFY.refId, 100, MORNING)).toMatchObject({ code: 'INSUFFICIENT_MARGIN' });
  expect(begun().hold(1n, order({ refId: TCS.refId, price: 300_000 }), 300_000, MORNING)).toMatchObject({ ok: false });
  expect(begun().blocked(A).derivativePositions).toBe((65 * 2_000_000 * 1_130) / 10_000);
  const cheap = order({ refId: TCS.refId, price: 300_000 });
  expect(begun().marginRequired(A, [cheap], { withPortfolio: false }, MORNING).code).toBe('INSUFFICIENT_MARGIN');
});

test('money that is paid in and out counts as added; a holding that is set has its day', () => {
  const books = opened();
  books.addFunds(A, 500, MORNING);
  books.addFunds(A, -200, MORNING);
  expect(books.funds(A)).toMatchObject({ added: 300, cash: 1_000_000_300 });
  books.setHolding(A, { refId: TCS.refId, quantity: 1, averagePrice: 100, date: '2025-01-01' }, MORNING);
  books.setHolding(A, { refId: INFY.refId, quantity: 1, averagePrice: 100 }, MORNING);
  for (const { refId } of [TCS, INFY]) trade(books, { refId, side: 'SELL', quantity: 1 }, 200);
  expect(books.closures(A).map(({ buyDate }) => buyDate)).toEqual(['2025-01-01', '2026-11-20']);
  expect([books.ids(), books.has(A), books.has('A9')]).toEqual([[A], true, false]);
});

describe('the margin calculator', () => {
  const requested = (books: Accounts, newOrder: NewOrder, withPortfolio = false) =>
    books.marginRequired(A, [newOrder], { withPortfolio }, MORNING);

  test('counts an order by itself unless it is asked to look at the portfolio', () => {
    const books = opened();
    trade(books, future('BUY'), 2_610_000);
    expect(requested(books, future('SELL'))).toMatchObject({ totalMargin: LOT, exposure: 65 * 2_610_000 * 0.02 });
    expect(requested(books, future('SELL'), true)).toMatchObject({ totalMargin: 0, exposure: 0 });
    expect(requested(books, future('BUY'), true)).toMatchObject({ totalMargin: LOT, exposure: 65 * 2_610_000 * 0.02 });
  });

  test('says how many could be placed at the price that is asked, after what orders and positions use of a pledge', () => {
    const cheap = order({ refId: TCS.refId, price: 100_000 });
    expect(requested(opened({ funds: 899_999 }), cheap).maxQuantity).toBe(8);
    const short = order({ refId: TCS.refId, side: 'SELL', product: 'IDAY', price: 300_000 });
    expect(requested(opened({ funds: 600_000 }), short).maxQuantity).toBe(10);
    const books = opened({ funds: LOT, shares: 10_000 });
    books.pledge(A, INFY.refId, 10_000, MORNING);
    const { collateral } = books.funds(A);
    const lots = (used: number) => Math.floor((LOT + collateral - used * LOT) / LOT) * 65;
    expect(requested(books, future('BUY')).maxQuantity).toBe(lots(0));
    books.hold(1n, future('BUY'), 2_610_000, MORNING);
    expect(requested(books, future('BUY')).maxQuantity).toBe(lots(1));
    trade(books, future('BUY'), 2_610_000);
    const { available, collateralUsed } = books.funds(A);
    expect([collateralUsed, requested(books, future('BUY')).maxQuantity]).toEqual([
      2 * LOT,
      Math.floor((available + collateral - 2 * LOT) / LOT) * 65,
    ]);
  });

  test('asks nothing for a sale of shares that are held', () => {
    const sale = order({ refId: INFY.refId, side: 'SELL', quantity: 10, price: 150_000 });
    expect(requested(opened(), sale)).toMatchObject({
      totalMargin: 0,
      deliveryMargin: 0,
      legMargin: [0],
      maxQuantity: 100,
    });
  });

  test('says how many whole lots of an option can be paid, and of what has no price none', () => {
    const call = order({ refId: CALL.refId, quantity: 65, price: 20_000 });
    for (const [funds, most] of [
      [65 * 20_000 - 1, 0],
      [65 * 20_000, 65],
      [65 * 59_999, 130],
    ] as const)
      expect(requested(opened({ funds }), call).maxQuantity).toBe(most);
    const of = prices();
    of.last.delete(TCS.refId);
    for (const product of ['CNC', 'IDAY'] as const)
      expect(requested(opened({ of }), order({ refId: TCS.refId, product, price: 0 })).maxQuantity).toBe(0);
  });

  test('asks for the exposure of both of two orders that cancel out, and for no SPAN', () => {
    const both = [future('BUY'), future('SELL')];
    expect(opened().marginRequired(A, both, { withPortfolio: false }, MORNING)).toMatchObject({
      netSpan: 0,
      exposure: 2 * 65 * 2_610_000 * 0.02,
      marginBenefit: 2 * 65 * 2_610_000 * 0.093,
    });
  });
});
