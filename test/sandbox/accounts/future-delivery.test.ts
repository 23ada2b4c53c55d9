/** A future on a share brings its shares on its last day, and they must be paid. */
import { A, accounts, fill, INFY_FUTURE, INFY_PUT, MORNING, order, prices } from './support';

const EXPIRY_MORNING = Date.parse('2026-11-24T10:00:00+05:30');
const LOT = 400;
const VALUE = LOT * 150_500;

function held(funds: number) {
  const books = accounts(prices());
  books.open(A, { funds, holdings: [] }, MORNING);
  const bought = order({ refId: INFY_FUTURE.refId, quantity: LOT, price: 150_500 });
  books.trade(fill(1n, bought, LOT, 150_500, MORNING), MORNING);
  return books;
}

it('a bought future needs a margin until the day before, and on its last day all that the shares cost', () => {
  const books = held(10 * VALUE);
  expect(books.funds(A).heldForPositions).toBeLessThan(VALUE / 2);
  books.showAt(EXPIRY_MORNING);
  expect(books.funds(A).heldForPositions).toBe(VALUE);
  expect(books.marginPositions(A)).toMatchObject([{ refId: INFY_FUTURE.refId, margin: VALUE }]);
});

it('a bought future is called on that day where the money is not there, and cannot be bought then without it', () => {
  const books = held(VALUE / 2);
  expect(books.marginReview(MORNING)[0]!.available).toBeGreaterThan(0);
  expect(books.marginReview(EXPIRY_MORNING)[0]!.available).toBeLessThan(0);
  const poor = accounts(prices());
  poor.open(A, { funds: VALUE / 2, holdings: [] }, MORNING);
  const bought = order({ refId: INFY_FUTURE.refId, quantity: LOT, price: 150_500 });
  expect(poor.hold(1n, bought, 0, EXPIRY_MORNING)).toMatchObject({ ok: false, code: 'INSUFFICIENT_MARGIN' });
  expect(poor.marginRequired(A, [bought], { withPortfolio: false }, EXPIRY_MORNING).totalMargin).toBe(VALUE);
  expect(poor.hold(2n, { ...bought, side: 'SELL' }, 0, EXPIRY_MORNING)).toEqual({ ok: true });
});

it('a bought future does not change what a bought option of the same expiry needs for its delivery', () => {
  const put = order({ refId: INFY_PUT.refId, quantity: LOT, price: 6_200 });
  const asked = (at: number): number => {
    const books = accounts(prices());
    books.open(A, { funds: 10 * VALUE, holdings: [] }, at);
    const bought = order({ refId: INFY_FUTURE.refId, quantity: LOT, price: 150_500 });
    books.trade(fill(1n, bought, LOT, 150_500, at), at);
    expect(books.funds(A).heldForPositions).toBeGreaterThan(0);
    return books.marginRequired(A, [put], { withPortfolio: false }, at).var;
  };
  // 20 % of the shares at ₹1,500: two trading days before the expiry 45 % of that, ten before it nothing.
  expect(asked(MORNING)).toBe((LOT * 150_000 * 0.2 * 45) / 100);
  expect(asked(Date.parse('2026-11-10T10:00:00+05:30'))).toBe(0);
});
