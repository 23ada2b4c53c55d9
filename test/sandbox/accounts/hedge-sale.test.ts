/** An order that closes a hedge needs the margin of what stays open (docs/sandbox-books.md#what-an-order-blocks). */
import { describe, expect, jest, test } from '@jest/globals';
import {
  A,
  accounts,
  CALL,
  fill,
  FUTURE,
  HIGHER_CALL,
  INFY_FUTURE,
  MORNING,
  order,
  prices,
  PUT,
  snapshot,
  TCS,
} from './support';
import { MARGIN_SQUARE_OFF_SOURCE } from '../../../sandbox/src/accounts/margin-calls';
import { SQUARE_OFF_SOURCE } from '../../../sandbox/src/accounts/square-off';
import type { NewOrder } from '../../../sandbox/src/shared/orders';

const LOT = 65;
const RUPEE = 100;
type Terms = Partial<NewOrder> & { refId: number };

/** Books that have bought and sold at the prices of the morning, and then have so much money left (paise). */
function opened(left: number, ...trades: Terms[]) {
  const of = prices();
  const books = accounts(of);
  let next = 1n;
  const placed = (terms: Terms): NewOrder => order({ quantity: LOT, price: of.last.get(terms.refId)!, ...terms });
  const hold = (terms: Terms) => {
    const id = next++;
    const made = placed(terms);
    const reference = made.price > 0 ? made.price : of.last.get(terms.refId)!;
    return { id, made, verdict: books.hold(id, made, reference, MORNING) };
  };
  const trade = (terms: Terms): boolean => {
    const { id, made, verdict } = hold(terms);
    if (!verdict.ok) return false;
    books.trade(fill(id, made, made.quantity, of.last.get(terms.refId)!, MORNING), MORNING);
    books.orderChanged(snapshot(id, made, 'FILLED', made.quantity), MORNING);
    return true;
  };
  books.open(A, { funds: 2_000_000 * RUPEE, holdings: [] }, MORNING);
  for (const terms of trades) expect(trade(terms)).toBe(true);
  books.addFunds(A, left - books.funds(A).available, MORNING);
  expect(books.funds(A).available).toBe(left);
  return { of, books, hold, trade, available: () => books.funds(A).available };
}

const hedge = { refId: HIGHER_CALL.refId, side: 'BUY' } as const;
const naked = { refId: CALL.refId, side: 'SELL' } as const;
const sale = { ...hedge, side: 'SELL' } as const;

/**
 * Margin of 65 calls at 26,000 with the index there, by hand: a move of 9.3 % of 26,000 and 2 % exposure. The spread with the call at 26,500
 * loses 500 points at most, and pays 2 % exposure too.
 */
const NAKED = LOT * 26_000 * 0.113 * RUPEE;
const SPREAD = LOT * (500 + 26_000 * 0.02) * RUPEE;
const PREMIUM = LOT * 80 * RUPEE;

describe('the sale of a hedge', () => {
  test('is refused a paisa below the margin of what stays, less what the sale brings', () => {
    const needed = NAKED - SPREAD - PREMIUM;
    const { trade, hold, available } = opened(needed - 1, hedge, naked);
    expect(hold(sale).verdict).toEqual({
      ok: false,
      code: 'INSUFFICIENT_MARGIN',
      text: 'INSUFFICIENT_MARGIN: the order needs Rs 1,19,470.00, available are Rs 1,19,469.99',
    });
    expect(available()).toBe(needed - 1);
    expect(trade(sale)).toBe(false);
  });

  test('blocks the difference until it trades, and leaves nothing below zero but its charges', () => {
    const needed = NAKED - SPREAD - PREMIUM;
    const { books, hold, available } = opened(needed + 100 * RUPEE, hedge, naked);
    const { id, made, verdict } = hold(sale);
    expect(verdict.ok).toBe(true);
    expect(available()).toBe(100 * RUPEE);
    expect(books.funds(A).heldForOrders).toBe(needed);
    expect(books.blocked(A).derivativesMargin).toBe(needed);
    // What it blocks is free for nothing else.
    expect(hold({ refId: PUT.refId, side: 'BUY' }).verdict.ok).toBe(false);
    const charges = books.funds(A).charges;
    books.trade(fill(id, made, LOT, made.price, MORNING), MORNING);
    expect(books.funds(A).heldForPositions).toBe(NAKED);
    expect(available()).toBe(100 * RUPEE - (books.funds(A).charges - charges));
  });

  test('is refused piece by piece too', () => {
    const two = { quantity: 2 * LOT };
    const { hold } = opened(NAKED - SPREAD, { ...hedge, ...two }, { ...naked, ...two });
    expect(hold(sale).verdict.ok).toBe(true);
    expect(hold(sale).verdict.ok).toBe(false);
  });

  test('is taken after the order at market that closes what it hedges, and not after one that may wait for ever', () => {
    const both = opened(1_000 * RUPEE, hedge, naked);
    expect(both.hold({ ...naked, side: 'BUY', priceType: 'MARKET', price: 0, validity: 'IOC' }).verdict.ok).toBe(true);
    expect(both.hold({ ...sale, priceType: 'MARKET', price: 0, validity: 'IOC' }).verdict.ok).toBe(true);
    const waiting = opened(1_000 * RUPEE, hedge, naked);
    expect(waiting.hold({ ...naked, side: 'BUY', price: 5 }).verdict.ok).toBe(true);
    expect(waiting.hold(sale).verdict.ok).toBe(false);
    const stop = opened(1_000 * RUPEE, hedge, naked);
    const terms = { kind: 'STOPLOSS', priceType: 'MARKET', price: 0, triggerPrice: 30_000 } as const;
    expect(stop.hold({ ...naked, ...terms, side: 'BUY' }).verdict.ok).toBe(true);
    expect(stop.hold(sale).verdict.ok).toBe(false);
  });

  test('brings its price, and what is bought back meanwhile brings none', () => {
    const two = { quantity: 2 * LOT } as const;
    const needed = NAKED - 2 * SPREAD - 2 * PREMIUM;
    for (const [left, isCovered] of [
      [needed - 1, false],
      [needed, true],
    ] as const) {
      const { hold } = opened(left, { ...hedge, ...two }, { ...naked, ...two });
      const atMarket = { priceType: 'MARKET', price: 0, validity: 'IOC' } as const;
      expect(hold({ ...naked, ...atMarket, side: 'BUY' }).verdict.ok).toBe(true);
      expect(hold({ ...sale, ...two, ...atMarket }).verdict.ok).toBe(isCovered);
    }
  });

  test('is taken for as much as was bought back, where the market took a part only', () => {
    const two = { quantity: 2 * LOT } as const;
    const { books, hold } = opened(1_000 * RUPEE, { ...hedge, ...two }, { ...naked, ...two });
    const back = hold({ ...naked, ...two, side: 'BUY', priceType: 'MARKET', price: 0, validity: 'IOC' });
    expect(back.verdict.ok).toBe(true);
    books.addFunds(A, LOT * 200 * RUPEE, MORNING);
    books.trade(fill(back.id, back.made, LOT, 20_000, MORNING), MORNING);
    books.orderChanged(snapshot(back.id, back.made, 'CANCELLED', LOT), MORNING);
    const atMarket = { ...sale, priceType: 'MARKET', price: 0, validity: 'IOC' } as const;
    expect(hold({ ...atMarket, ...two }).verdict).toMatchObject({ ok: false, code: 'INSUFFICIENT_MARGIN' });
    expect(hold(atMarket).verdict.ok).toBe(true);
    expect(hold(atMarket).verdict.ok).toBe(false);
  });

  test('is refused of a future that hedges, in either direction', () => {
    const two = { side: 'SELL', quantity: 2 * LOT } as const;
    const bought = opened(1_000 * RUPEE, { refId: FUTURE.refId, side: 'BUY' }, { refId: CALL.refId, ...two });
    expect(bought.hold({ refId: FUTURE.refId, side: 'SELL' }).verdict.ok).toBe(false);
    const sold = opened(1_000 * RUPEE, { refId: FUTURE.refId, side: 'SELL' }, { refId: PUT.refId, ...two });
    expect(sold.hold({ refId: FUTURE.refId, side: 'BUY' }).verdict.ok).toBe(false);
  });

  test.each([MARGIN_SQUARE_OFF_SOURCE, SQUARE_OFF_SOURCE])('is never refused to the broker (%s)', (source) => {
    const { hold } = opened(0, hedge, naked);
    expect(hold({ ...sale, source }).verdict.ok).toBe(true);
  });

  test('is never refused of what hedges nothing, also where money is missing', () => {
    const { books, hold } = opened(0, hedge);
    expect(books.funds(A).available).toBe(0);
    expect(hold(sale).verdict.ok).toBe(true);
    expect(books.funds(A).heldForOrders).toBe(0);
  });

  test('calls for no margin while it waits', () => {
    const { books, hold } = opened(NAKED - SPREAD - PREMIUM, hedge, naked);
    expect(hold(sale).verdict.ok).toBe(true);
    expect(books.funds(A).available).toBe(0);
    expect(books.marginReview(MORNING)[0]!.available).toBe(NAKED - SPREAD - PREMIUM);
  });

  test('is measured by the contracts on its own underlying: others are not priced for it', () => {
    const priced = (...waiting: Terms[]): number => {
      const { of, hold } = opened(1_000_000 * RUPEE, hedge, naked, { refId: INFY_FUTURE.refId, quantity: 400 });
      for (const terms of waiting) expect(hold(terms).verdict.ok).toBe(true);
      const ask = jest.spyOn(of.last, 'get');
      expect(hold({ refId: TCS.refId, quantity: 1 }).verdict.ok).toBe(true);
      return ask.mock.calls.filter(([refId]) => refId === INFY_FUTURE.refId).length;
    };
    expect(priced()).toBeGreaterThan(0);
    expect(priced(sale)).toBe(priced());
  });
});
