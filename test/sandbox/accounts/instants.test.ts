/**
 * Facts that belong to an instant or a day: prices, terms of instruments, collateral; and values that no command
 * accepts.
 */
import { describe, expect, test } from '@jest/globals';
import type { Accounts } from '../../../sandbox/src/accounts/types';
import type { EffectiveAction } from '../../../sandbox/src/shared/corporate-actions';
import { A, accounts, CALL, fill, FUTURE, INFY, INFY_FUTURE, MORNING, order, prices, snapshot, TCS } from './support';

const MONDAY = Date.parse('2026-11-23T10:00:00+05:30');

function opened(of = prices(), funds = 1_000_000_000): Accounts {
  const books = accounts(of);
  books.open(A, { funds, holdings: [{ refId: INFY.refId, quantity: 100, averagePrice: 120_000 }] }, MORNING);
  return books;
}
const buy = order({ refId: TCS.refId, quantity: 3, price: 300_000 });
const action = (more: Partial<EffectiveAction>): EffectiveAction => ({
  id: 1,
  kind: 'split',
  symbol: 'INFY',
  refIds: [INFY.refId],
  exDate: '2026-11-23',
  ...{ from: MONDAY, announced: MORNING, before: 1, after: 2, dividend: 0, extraordinary: false, close: 150_000 },
  ...more,
});

test.each<[string, (books: Accounts) => void]>([
  ['an order', (books) => books.hold(2n, buy, 300_000, MONDAY)],
  ['a change of an order', (books) => books.amend(1n, { ...buy, quantity: 2 }, 300_000, MONDAY)],
  ['the end of an order', (books) => books.orderChanged(snapshot(1n, buy, 'CANCELLED'), MONDAY)],
  ['a trade', (books) => books.trade(fill(1n, buy, 3, 300_000, MONDAY), MONDAY)],
  ['a question for the margin', (books) => books.marginRequired(A, [buy], { withPortfolio: false }, MONDAY)],
  ['a look at margins', (books) => books.marginReview(MONDAY)],
  ['a pledge', (books) => books.pledge(A, INFY.refId, 1, MONDAY)],
  ['a release', (books) => books.unpledge(A, INFY.refId, 1, MONDAY)],
  ['money that is paid in', (books) => books.addFunds(A, 1, MONDAY)],
  ['a holding that is set', (books) => books.setHolding(A, { refId: TCS.refId, quantity: 1, averagePrice: 1 }, MONDAY)],
  ['a dividend', (books) => books.dividend(A, INFY.refId, 100, MONDAY)],
  ['a corporate action', (books) => books.corporateAction(action({}), MONDAY)],
  ['the end of a day', (books) => books.endOfDay('2026-11-23', MONDAY)],
  ['another account', (books) => books.open('A2', { funds: 1, holdings: [] }, MONDAY)],
])('the last event is that %s', (_what, does) => {
  const books = opened();
  books.hold(1n, buy, 300_000, MORNING);
  expect(books.lastEvent()).toBe(MORNING);
  does(books);
  expect(books.lastEvent()).toBe(MONDAY);
  books.addFunds(A, 1, MORNING);
  expect(books.lastEvent()).toBe(MONDAY);
});

test('an account that nobody opened, or a second time, is an error that names it', () => {
  const books = opened();
  expect(() => books.funds('A9')).toThrow('there is no account A9');
  expect(() => books.open(A, { funds: 1, holdings: [] }, MORNING)).toThrow('account A1 exists already');
  const unknown = 'there is no instrument with ref_id 999';
  expect(() => books.hold(1n, order({ refId: 999 }), 1, MORNING)).toThrow(unknown);
  expect(() => books.setHolding(A, { refId: 999, quantity: 1, averagePrice: 1 }, MORNING)).toThrow(unknown);
});

describe('pledged shares', () => {
  test('are worth what they closed at the day before, all day; on the next day their new close', () => {
    const of = prices();
    const books = opened(of);
    const worth = () => books.funds(A).collateral;
    expect(worth()).toBe(0);
    books.pledge(A, INFY.refId, 10, MORNING);
    // A share with derivatives: 12.5 % less.
    expect(worth()).toBe(10 * 131_250);
    of.previous.set(INFY.refId, 160_000);
    books.pledge(A, INFY.refId, 10, MORNING + 1);
    expect(worth()).toBe(20 * 131_250);
    books.showAt(MONDAY);
    expect(worth()).toBe(20 * 140_000);
    books.unpledge(A, INFY.refId, 5, MONDAY);
    expect(worth()).toBe(15 * 140_000);
  });

  test.each([0, -1, 1.5, 101, Number.NaN])('cannot be pledged, nor released, by a quantity of %s', (quantity) => {
    const books = opened();
    const pledge = books.pledge(A, INFY.refId, quantity, MORNING);
    expect(pledge).toEqual({
      ok: false,
      code: 'PLEDGE_REFUSED',
      text: `${quantity} cannot be pledged: 100 settled shares are free`,
    });
    books.pledge(A, INFY.refId, 10, MORNING);
    expect(books.unpledge(A, INFY.refId, quantity, MORNING)).toEqual({
      ok: false,
      code: 'PLEDGE_REFUSED',
      text: `${quantity} cannot be released: 10 are pledged`,
    });
    expect(books.holdings(A)[0]!.pledgedQuantity).toBe(10);
  });

  test('carry the margin of a future up to the paisa, and no further', () => {
    const future = order({ refId: FUTURE.refId, quantity: 65, price: 2_610_000 });
    const requested = (books: Accounts) => books.marginRequired(A, [future], { withPortfolio: false }, MORNING);
    const { totalMargin } = requested(opened());
    const collateral = 100 * 131_250;
    for (const [funds, code] of [
      [totalMargin - collateral, ''],
      [totalMargin - collateral - 1, 'INSUFFICIENT_MARGIN'],
    ] as const) {
      const books = opened(prices(), funds);
      books.pledge(A, INFY.refId, 100, MORNING);
      expect(requested(books).code).toBe(code);
      expect(books.hold(1n, future, 2_610_000, MORNING).ok).toBe(code === '');
    }
  });
});

describe('instruments', () => {
  test('are still known to who held them after they expired', () => {
    const of = { ...prices(), delisted: new Set<number>() };
    const books = opened(of);
    books.trade(fill(1n, order({ refId: CALL.refId, quantity: 65 }), 65, 20_000, MORNING), MORNING);
    of.delisted.add(CALL.refId).add(TCS.refId);
    expect(books.instrument(CALL.refId)?.symbol).toBe('NIFTY26NOV26000CE');
    expect(books.instrument(TCS.refId)).toBeUndefined();
  });

  test('have the new terms of a share that change, its contracts too, nobody else’s; one that is gone is unchanged', () => {
    const of = { ...prices(), terms: new Map(), delisted: new Set<number>() };
    const books = opened(of);
    const before = [INFY, INFY_FUTURE, TCS, FUTURE].map(({ refId }) => books.instrument(refId)!.lotSize);
    expect(before).toEqual([1, 400, 1, 65]);
    for (const { refId, lotSize } of [INFY, INFY_FUTURE, TCS, FUTURE])
      of.terms.set(refId, { lotSize: 2 * lotSize, lotMultiplier: 2 * lotSize });
    books.corporateAction(action({}), MONDAY);
    const after = () => [INFY, INFY_FUTURE, TCS, FUTURE].map(({ refId }) => books.instrument(refId)!.lotSize);
    expect(after()).toEqual([2, 800, 1, 65]);
    of.delisted.add(INFY_FUTURE.refId);
    of.terms.set(INFY.refId, { lotSize: 4, lotMultiplier: 4 });
    books.corporateAction(action({ id: 2 }), MONDAY);
    expect(after()).toEqual([4, 800, 1, 65]);
  });
});

test('money may always be paid in, also where less is there than is needed', () => {
  const of = prices();
  const books = opened(of, 200_000_000);
  const future = order({ refId: FUTURE.refId, quantity: 650, price: 2_610_000 });
  books.trade(fill(1n, future, 650, 2_610_000, MORNING), MORNING);
  of.last.set(FUTURE.refId, 2_300_000);
  const { available } = books.funds(A);
  expect(available).toBeLessThan(-1);
  expect(books.addFunds(A, 1, MORNING)).toEqual({ ok: true });
  expect(books.funds(A).available).toBe(available + 1);
  expect(books.addFunds(A, -1, MORNING)).toMatchObject({ ok: false, code: 'INSUFFICIENT_FUNDS' });
});

test('a purchase and a sale that both wait keep what they reserve apart', () => {
  const books = opened();
  const sell = (quantity: number) => order({ refId: INFY.refId, side: 'SELL', quantity, price: 150_000 });
  const bid = order({ refId: INFY.refId, quantity: 1, price: 150_000 });
  expect(books.hold(1n, bid, 150_000, MORNING)).toEqual({ ok: true });
  expect(books.hold(2n, sell(100), 150_000, MORNING)).toEqual({ ok: true });
  expect(books.funds(A).heldForOrders).toBe(150_000);
  expect(books.hold(3n, sell(1), 150_000, MORNING)).toMatchObject({ code: 'INSUFFICIENT_HOLDINGS' });
  books.orderChanged(snapshot(1n, bid, 'CANCELLED'), MORNING);
  expect(books.funds(A).heldForOrders).toBe(0);
  expect(books.hold(3n, sell(1), 150_000, MORNING)).toMatchObject({ code: 'INSUFFICIENT_HOLDINGS' });
});

test('shares bought today on the exchange of the sale are no reason to wait for the next day', () => {
  const books = opened();
  books.trade(fill(1n, order({ refId: INFY.refId, quantity: 7 }), 7, 150_000, MORNING), MORNING);
  expect(books.hold(2n, order({ refId: INFY.refId, side: 'SELL', quantity: 108 }), 150_000, MORNING)).toEqual({
    ok: false,
    code: 'INSUFFICIENT_HOLDINGS',
    text: 'INSUFFICIENT_HOLDINGS: 108 of INFY to sell, 107 free (held, not pledged, not in other sell orders)',
  });
});

test('nothing is squared off of what is flat or for delivery', () => {
  const books = opened();
  const intraday = order({ refId: TCS.refId, product: 'IDAY', quantity: 3 });
  books.trade(fill(1n, intraday, 3, 300_000, MORNING), MORNING);
  books.trade(fill(2n, { ...intraday, side: 'SELL' }, 3, 300_000, MORNING), MORNING);
  books.trade(fill(3n, buy, 3, 300_000, MORNING), MORNING);
  expect(books.squareOffs()).toEqual([]);
});

test.each([{ price: 310_000 }, { quantity: 4 }, { triggerPrice: 320_000, priceType: 'MARKET' as const }])(
  'an order that the exchange shows with other terms (%j) is held for with its present terms',
  (terms) => {
    const books = opened();
    const item = { ...buy, ...terms };
    books.hold(1n, { ...item, price: 300_000, quantity: 3, triggerPrice: 0 }, 300_000, MORNING);
    expect(books.funds(A).heldForOrders).toBe(900_000);
    books.orderChanged(snapshot(1n, item, 'OPEN'), MORNING);
    expect(books.funds(A).heldForOrders).toBe(item.quantity * Math.max(item.price, item.triggerPrice));
  },
);

test('a day ends once', () => {
  const books = opened();
  books.trade(fill(1n, buy, 3, 300_000, MORNING), MORNING);
  for (const date of ['2026-11-20', '2026-11-20', '2026-11-19']) books.endOfDay(date, MONDAY - 1);
  expect(books.closes(A).map(({ date }) => date)).toEqual(['2026-11-20']);
  books.setHolding(A, { refId: TCS.refId, quantity: 3, averagePrice: 1 }, MONDAY);
  books.setHolding(A, { refId: TCS.refId, quantity: 0, averagePrice: 0 }, MONDAY);
  // Three that are not settled yet are left.
  expect(books.holdings(A)[1]).toMatchObject({ refId: TCS.refId, quantity: 0, t1Quantity: 3 });
});

test('an order that would have closed what the evening closed needs its whole margin the next day', () => {
  const books = opened();
  const intraday = order({ refId: TCS.refId, product: 'IDAY', quantity: 10, price: 300_000 });
  books.trade(fill(1n, intraday, 10, 300_000, MORNING), MORNING);
  books.hold(2n, { ...intraday, side: 'SELL' }, 300_000, MORNING);
  expect(books.funds(A).heldForOrders).toBe(0);
  books.endOfDay('2026-11-20', MONDAY - 1);
  expect(books.funds(A).heldForOrders).toBe(600_000);
});

test('a change of an order that is filled in part is held for with the rest of it', () => {
  const books = opened();
  const ten = { ...buy, quantity: 10 };
  books.hold(1n, ten, 300_000, MORNING);
  books.trade(fill(1n, ten, 4, 300_000, MORNING), MORNING);
  expect(books.amend(1n, { ...ten, quantity: 8 }, 300_000, MORNING)).toEqual({ ok: true });
  expect(books.funds(A).heldForOrders).toBe(4 * 300_000);
});

test('holds are told by shares and derivatives, cash and margin, orders and positions', () => {
  const books = opened();
  const place = (id: bigint, newOrder: ReturnType<typeof order>) => books.hold(id, newOrder, newOrder.price, MORNING);
  place(1n, buy);
  place(2n, order({ refId: TCS.refId, product: 'IDAY', quantity: 10, price: 300_000 }));
  place(3n, order({ refId: CALL.refId, quantity: 65, price: 20_000 }));
  place(4n, order({ refId: FUTURE.refId, quantity: 65, price: 2_610_000 }));
  const sold = order({ refId: TCS.refId, product: 'IDAY', side: 'SELL', quantity: 20 });
  books.trade(fill(5n, sold, 20, 300_000, MORNING), MORNING);
  const future = order({ refId: FUTURE.refId, quantity: 130 });
  books.trade(fill(6n, future, 130, 2_610_000, MORNING), MORNING);
  const lot = (65 * 2_610_000 * 1_130) / 10_000;
  expect(books.blocked(A)).toEqual({
    sharesCash: 900_000,
    // It closes half of what is sold.
    sharesMargin: 0,
    derivativesCash: 1_300_000,
    derivativesMargin: lot,
    derivativePositions: 2 * lot,
    intradayPositions: 1_200_000,
  });
});

test('a premium is paid in cash, to the paisa, whatever is pledged', () => {
  const call = order({ refId: CALL.refId, quantity: 65, price: 20_000 });
  for (const [funds, code] of [
    [1_300_000, ''],
    [1_299_999, 'INSUFFICIENT_MARGIN'],
  ] as const) {
    const books = opened(prices(), funds);
    books.pledge(A, INFY.refId, 100, MORNING);
    expect(books.marginRequired(A, [call], { withPortfolio: false }, MORNING).code).toBe(code);
    expect(books.hold(1n, call, 20_000, MORNING).ok).toBe(code === '');
  }
});
