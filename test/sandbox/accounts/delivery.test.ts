import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deliveryOf, isDelivered } from '../../../sandbox/src/accounts/physical-delivery';
import type { Accounts } from '../../../sandbox/src/accounts/types';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import type { Side } from '../../../sandbox/src/shared/orders';
import {
  A,
  accounts,
  CALL,
  fill,
  INFY,
  INFY_CALL,
  INFY_FUTURE,
  INFY_PUT,
  order,
  prices,
  snapshot,
  TCS,
} from './support';
import { IS_WHOLE } from '../../support/sample';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (IS_WHOLE ? 150 : 50));
const CRORE = 1_000_000_000;
const at = (date: string, time = '10:00') => Date.parse(`${date}T${time}:00+05:30`);
/** The last day of the contracts, a Tuesday, and the days around it. */
const EXPIRY = '2026-11-24';
const evening = (date: string) => at(date, '23:59');

function opened({ of = prices(), shares = 0, funds = 100 * CRORE, intraday = false } = {}) {
  const books = accounts(of, undefined, intraday);
  const holdings = shares === 0 ? [] : [{ refId: INFY.refId, quantity: shares, averagePrice: 120_000 }];
  books.open(A, { funds, holdings }, at('2026-11-16'));
  return { books, of };
}

let next = 0n;
function trade(
  books: Accounts,
  of: { refId: number },
  [side, quantity, price]: [Side, number, number],
  when = at(EXPIRY),
  product: 'CNC' | 'IDAY' = 'CNC',
): void {
  next += 1n;
  const placed = order({ refId: of.refId, side, quantity, price, product });
  books.trade(fill(next, placed, quantity, price, when), when);
  books.orderChanged(snapshot(next, placed, 'FILLED', quantity), when);
}

const held = (books: Accounts) =>
  books.holdings(A).reduce((sum, { quantity, t1Quantity }) => sum + quantity + t1Quantity, 0);

describe('physical settlement of what expires on a share (SEBI circulars of 2018; customary margins)', () => {
  test('a bought future brings shares at the settlement price, on T+1', () => {
    const { books, of } = opened();
    trade(books, INFY_FUTURE, ['BUY', 400, 150_500]);
    of.last.set(INFY.refId, 151_000);
    const before = books.funds(A);
    books.endOfDay(EXPIRY, evening(EXPIRY));
    expect(books.positions(A)).toEqual([]);
    expect(books.holdings(A)).toEqual([
      expect.objectContaining({ refId: INFY.refId, t1Quantity: 400, quantity: 0, cost: 400 * 151_000 }),
    ]);
    const [close] = books.closes(A);
    expect(close!.funds.realised).toBe(400 * 500);
    expect(close!.funds.cash).toBe(before.cash + 400 * 500 - 400 * 151_000 - (close!.funds.charges - before.charges));
    // 0.1 % securities transaction tax and 0.015 % stamp duty of what is delivered.
    expect(books.trades(A).at(-1)!.charges).toMatchObject({ stt: 60_400, stamp: 9_060 });
  });

  test('a sold call in the money takes shares at its strike; settled and unsettled ones, none that are pledged', () => {
    const { books, of } = opened({ shares: 500 });
    books.pledge(A, INFY.refId, 200, at('2026-11-16'));
    trade(books, INFY_CALL, ['SELL', 400, 6_000]);
    of.last.set(INFY.refId, 151_000);
    books.endOfDay(EXPIRY, evening(EXPIRY));
    expect(books.holdings(A)).toEqual([expect.objectContaining({ quantity: 200, pledgedQuantity: 200 })]);
    expect(books.shortDeliveries(A)).toEqual([
      { refId: INFY.refId, quantity: 100, price: 145_000, date: EXPIRY, isCharged: false },
    ]);
    expect(books.closes(A)[0]!.funds.realised).toBe(400 * 6_000 + 300 * (145_000 - 120_000));
    // It is settled by its strike: the tax on an exercise is one of cash settlement.
    expect(books.ledger(A).map(({ text }) => text)).toContain('Sold 300 INFY at 1,450.00, settled by delivery');
    books.endOfDay('2026-11-25', evening('2026-11-25'));
    const bought = books.trades(A).filter(({ date }) => date === '2026-11-25');
    // Who gives shares for a contract pays the tax of a delivery, 0.1 %, also where they are bought in.
    expect(bought.map(({ trade: { side, quantity }, charges }) => [side, quantity, charges.stt])).toEqual([
      ['BUY', 100, 0],
      ['SELL', 100, 14_500],
    ]);
  });

  test('an option out of the money ends worthless, and one on an index is settled in cash', () => {
    const { books, of } = opened();
    trade(books, INFY_CALL, ['BUY', 400, 6_000]);
    trade(books, CALL, ['BUY', 65, 20_000]);
    of.last.set(INFY.refId, 145_000);
    of.last.set(10, 2_620_000);
    books.endOfDay(EXPIRY, evening(EXPIRY));
    expect(held(books)).toBe(0);
    expect(books.positions(A)).toEqual([]);
    expect(books.closes(A)[0]!.funds.realised).toBe(-400 * 6_000 + 65 * 0);
  });

  test('deliveries of one day net: a future and a put in the money that offset each other move no shares', () => {
    const { books, of } = opened();
    trade(books, INFY_FUTURE, ['BUY', 400, 150_000]);
    trade(books, INFY_PUT, ['BUY', 400, 5_000]);
    of.last.set(INFY.refId, 150_000);
    books.endOfDay(EXPIRY, evening(EXPIRY));
    expect(held(books)).toBe(0);
    expect(books.shortDeliveries(A)).toEqual([]);
    expect(books.closes(A)[0]!.funds.realised).toBe(400 * 5_000 - 400 * 5_000);
  });

  test('derivatives of shares are delivered since October 2019', () => {
    const on = (of: Instrument, date: string) => isDelivered(of, date);
    expect([on(INFY_CALL, '2019-09-30'), on(INFY_CALL, '2019-10-01'), on(INFY_FUTURE, EXPIRY)]).toEqual([
      false,
      true,
      true,
    ]);
    expect([on(CALL, EXPIRY), on(INFY, EXPIRY)]).toEqual([false, false]);
    expect(on({ ...INFY_FUTURE, exchange: 'MCX' }, EXPIRY)).toBe(false);
  });

  test('a bought option in the money needs 10, 25, 45, 70 and on its last day 100 % of the margin of its shares', () => {
    const days = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-23', EXPIRY];
    const { books, of } = opened();
    trade(books, INFY_CALL, ['BUY', 400, 6_000], at('2026-11-17'));
    const shares = (400 * 150_000 * 20) / 100;
    expect(books.marginReview(at('2026-11-17'))).toEqual([]);
    const margins = days.map((date) => {
      books.showAt(at(date));
      return books.funds(A).heldForPositions / shares;
    });
    expect(margins).toEqual([0, 0.1, 0.25, 0.45, 0.7, 1]);
    expect(books.marginPositions(A)).toEqual([
      { refId: INFY_CALL.refId, product: 'CNC', quantity: 400, margin: shares },
    ]);
    const buy = order({ refId: INFY_CALL.refId, quantity: 400, price: 6_000 });
    expect(books.marginRequired(A, [buy], { withPortfolio: false }, at(EXPIRY))).toMatchObject({
      optionPremium: 2_400_000,
      var: shares,
    });
    expect(books.hold(99n, buy, 6_000, at(EXPIRY))).toEqual({ ok: true });
    expect(books.funds(A).heldForOrders).toBe(2_400_000 + shares);
    of.last.set(INFY.refId, 145_000);
    expect(books.funds(A).heldForPositions).toBe(0);
  });

  test('a bought option needs its margin whatever else expires on its day and was asked about before', () => {
    for (const date of ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-23', EXPIRY]) {
      const needs = (...bought: { refId: number }[]) => {
        const { books } = opened();
        for (const one of bought) trade(books, one, ['BUY', 400, 6_000], at('2026-11-17'));
        books.showAt(at(date));
        books.funds(A);
        return books.marginPositions(A).find(({ refId }) => refId === INFY_CALL.refId)?.margin;
      };
      expect([date, needs(INFY_FUTURE, INFY_CALL)]).toEqual([date, needs(INFY_CALL)]);
      expect([date, needs(INFY_CALL, INFY_FUTURE)]).toEqual([date, needs(INFY_CALL)]);
    }
  });

  test('an option that is bought near its expiry is refused where its delivery margin is not there', () => {
    const { books } = opened({ funds: 3_000_000 });
    const buy = order({ refId: INFY_CALL.refId, quantity: 400, price: 6_000 });
    expect(books.hold(1n, buy, 6_000, at('2026-11-17'))).toEqual({ ok: true });
    books.orderChanged(snapshot(1n, buy, 'CANCELLED'), at('2026-11-17'));
    expect(books.hold(2n, buy, 6_000, at(EXPIRY))).toMatchObject({ ok: false, code: 'INSUFFICIENT_MARGIN' });
  });

  test('the account is worth what it was at the settlement price, less charges, whatever expires', () => {
    const leg = fc.record({
      of: fc.constantFrom(INFY_FUTURE, INFY_CALL, INFY_PUT),
      side: fc.constantFrom<Side>('BUY', 'SELL'),
      lots: fc.integer({ min: 1, max: 3 }),
      price: fc.integer({ min: 100, max: 200_000 }),
    });
    const facts = fc.record({
      legs: fc.array(leg, { maxLength: 5 }),
      shares: fc.integer({ min: 0, max: 3_000 }),
      pledged: fc.integer({ min: 0, max: 1_000 }),
      bought: fc.integer({ min: 0, max: 1_000 }),
      settlement: fc.integer({ min: 130_000, max: 170_000 }),
    });
    fc.assert(
      fc.property(facts, ({ legs, shares, pledged, bought, settlement }) => {
        const { books, of } = opened({ shares });
        books.pledge(A, INFY.refId, pledged, at('2026-11-16'));
        if (bought > 0) trade(books, INFY, ['BUY', bought, 149_000]);
        for (const { of: what, side, lots, price } of legs) trade(books, what, [side, lots * 400, price]);
        of.last.set(INFY.refId, settlement);
        const intrinsic = (refId: number) =>
          refId === INFY_CALL.refId ? Math.max(0, settlement - 145_000) : Math.max(0, 155_000 - settlement);
        const before = books.funds(A);
        const open = books.positions(A).reduce((sum, { refId, openQuantity, openValue }) => {
          if (refId === INFY_FUTURE.refId) return sum + openQuantity * settlement - openValue;
          return sum + openQuantity * (refId === INFY.refId ? settlement : intrinsic(refId));
        }, 0);
        const worth = before.cash + before.charges + open + shares * settlement;
        books.endOfDay(EXPIRY, evening(EXPIRY));
        const [close] = books.closes(A);
        const short = books.shortDeliveries(A);
        const owed = short.reduce((sum, { price, quantity }) => sum + quantity * (price - settlement), 0);
        const { cash, charges } = close!.funds;
        expect(cash + charges + held(books) * settlement + owed).toBe(worth);
        expect(books.positions(A)).toEqual([]);
        expect(books.holdings(A).every(({ quantity, pledgedQuantity }) => quantity >= pledgedQuantity)).toBe(true);
        expect(cash).toBe(
          close!.funds.opening + close!.funds.added + close!.funds.realised - charges - close!.funds.invested,
        );
        expect(books.ledger(A).reduce((sum, { amount }) => sum + amount, 0)).toBe(cash);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('short delivery (customary auction of the exchange)', () => {
  const sold = (of = prices()) => {
    const { books } = opened({ of, intraday: true });
    trade(books, TCS, ['SELL', 10, 300_000], at('2026-11-20'), 'IDAY');
    of.last.set(TCS.refId, 310_000);
    books.endOfDay('2026-11-20', evening('2026-11-20'));
    return { books, of };
  };

  test('an intraday sale that could not be bought back is short, and held for, until the auction', () => {
    const { books, of } = sold();
    expect(books.positions(A)).toEqual([]);
    expect(books.closes(A)[0]!.funds.realised).toBe(-10 * 10_000);
    expect(books.shortDeliveries(A)).toEqual([
      { refId: TCS.refId, quantity: 10, price: 310_000, date: '2026-11-20', isCharged: true },
    ]);
    expect(books.funds(A).heldForPositions).toBe((10 * 310_000 * 20) / 100);
    of.last.set(TCS.refId, 320_000);
    expect(books.funds(A)).toMatchObject({
      heldForPositions: (10 * 320_000 * 20) / 100,
      unrealisedLoss: 10 * 10_000,
    });
    expect(accounts(of, books.state()).funds(A)).toEqual(books.funds(A));
  });

  test('a short sale is bought in on the next trading day, not before, and the difference is paid', () => {
    const { books, of } = sold();
    of.buyIn = 330_000;
    books.endOfDay('2026-11-21', evening('2026-11-21'));
    expect(books.shortDeliveries(A)).toHaveLength(1);
    const { cash } = books.funds(A);
    books.endOfDay('2026-11-23', evening('2026-11-23'));
    expect(books.shortDeliveries(A)).toEqual([]);
    const close = books.closes(A).at(-1)!;
    expect(close.funds).toMatchObject({ realised: -10 * 20_000, heldForPositions: 0, unrealisedLoss: 0 });
    expect(close.funds.cash).toBe(cash - 10 * 20_000 - close.funds.charges);
    expect(books.ledger(A).map(({ text }) => text)).toContain(
      'Sold 10 TCS at 3,100.00, bought at auction for a delivery of 2026-11-20 that was short',
    );
    expect(books.positions(A)).toEqual([]);
    expect(held(books)).toBe(0);
  });

  test('an intraday sale is charged once, and the purchase that makes it good once: by hand', () => {
    const { books, of } = sold();
    const charged = books.trades(A)[0]!.charges;
    // 30,000 rupees sold: 0.03 %, 0.00307 %, 10 a crore; tax of 0.025 % in whole rupees.
    expect(charged).toEqual({ brokerage: 900, exchange: 92, sebi: 3, gst: 179, stt: 800, stamp: 0 });
    of.buyIn = 330_000;
    of.previous.set(TCS.refId, 310_000);
    books.endOfDay('2026-11-23', evening('2026-11-23'));
    const [purchase, sale] = books.trades(A).slice(-2);
    expect(purchase!.trade).toMatchObject({ side: 'BUY', price: 330_000, quantity: 10 });
    expect(purchase!.charges).toEqual({ brokerage: 990, exchange: 101, sebi: 3, gst: 197, stt: 0, stamp: 99 });
    expect(sale!.trade).toMatchObject({ side: 'SELL', price: 310_000, quantity: 10 });
    expect(Object.values(sale!.charges)).toEqual([0, 0, 0, 0, 0, 0]);
    // 0.05 % of 31,000 rupees, the shares at the close of the day of the sale, and 18 % on it.
    const penalty = books.ledger(A).filter(({ kind }) => kind === 'AUCTION_PENALTY');
    expect(penalty.map(({ amount, text }) => [amount, text])).toEqual([
      [-(1_550 + 279), 'Auction penalty for 10 TCS that were not delivered'],
    ]);
    expect(books.closes(A).at(-1)!.funds.charges).toBe(990 + 101 + 3 + 197 + 99 + 1_550 + 279);
    expect(books.funds(A).cash).toBe(
      100 * CRORE + 10 * (300_000 - 330_000) - (900 + 92 + 3 + 179 + 800) - (1_390 + 1_829),
    );
  });

  test('shares that an option took and that are not there are charged when they are sold: they had no trade before', () => {
    const { books, of } = opened({ shares: 0 });
    trade(books, INFY_CALL, ['SELL', 400, 6_000]);
    of.last.set(INFY.refId, 151_000);
    books.endOfDay(EXPIRY, evening(EXPIRY));
    books.endOfDay('2026-11-25', evening('2026-11-25'));
    const sale = books.trades(A).at(-1)!;
    expect(sale.trade).toMatchObject({ side: 'SELL', price: 145_000, quantity: 400 });
    expect(sale.charges.brokerage).toBeGreaterThan(0);
    expect(sale.charges.stt).toBeGreaterThan(0);
  });

  test('an intraday leftover is closed at the closing price where the market never closes', () => {
    const { books } = opened();
    trade(books, TCS, ['SELL', 10, 300_000], at('2026-11-20'), 'IDAY');
    books.endOfDay('2026-11-20', evening('2026-11-20'));
    expect(books.shortDeliveries(A)).toEqual([]);
  });
});

test('an option at its strike ends worthless, one paisa beyond it is delivered', () => {
  expect([deliveryOf(INFY_CALL, 400, 145_000), deliveryOf(INFY_PUT, 400, 155_000)]).toEqual([undefined, undefined]);
  expect(deliveryOf(INFY_CALL, 400, 145_001)).toEqual({ refId: INFY.refId, quantity: 400, price: 145_000 });
  expect(deliveryOf(INFY_PUT, 400, 154_999)).toEqual({ refId: INFY.refId, quantity: -400, price: 155_000 });
});
