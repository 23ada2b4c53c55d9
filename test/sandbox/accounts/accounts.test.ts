import { describe, expect, test } from '@jest/globals';
import { totalCharges } from '../../../sandbox/src/accounts/charges';
import type { Accounts } from '../../../sandbox/src/accounts/types';
import type { NewOrder } from '../../../sandbox/src/shared/orders';
import {
  A,
  accounts,
  CALL,
  CLOSE,
  fill,
  FUTURE,
  HIGHER_CALL,
  INFY,
  INFY_BSE,
  MORNING,
  order,
  prices,
  PUT,
  snapshot,
  TCS,
} from './support';

const CRORE = 1_000_000_000;

function opened(funds = CRORE, of = prices()) {
  const books = accounts(of);
  books.open(
    A,
    { funds, holdings: [{ refId: INFY.refId, quantity: 100, averagePrice: 120_000, date: '2026-09-01' }] },
    MORNING,
  );
  return books;
}

let next = 0n;
function traded(books: Accounts, of: NewOrder, price = of.price, at = MORNING): void {
  next += 1n;
  expect(books.hold(next, of, price, at)).toEqual({ ok: true });
  books.trade(fill(next, of, of.quantity, price, at), at);
  books.orderChanged(snapshot(next, of, 'FILLED', of.quantity), at);
}

describe('holding at placement', () => {
  test('a delivery purchase holds its full value and releases it part by part', () => {
    const books = opened();
    const buy = order({ refId: TCS.refId, quantity: 10, price: 300_000 });
    expect(books.hold(1n, buy, 300_000, MORNING)).toEqual({ ok: true });
    expect(books.funds(A)).toMatchObject({ cash: CRORE, heldForOrders: 3_000_000, available: CRORE - 3_000_000 });
    books.trade(fill(1n, buy, 4, 299_000, MORNING), MORNING);
    books.orderChanged(snapshot(1n, buy, 'PARTIAL_FILLED', 4), MORNING);
    expect(books.funds(A)).toMatchObject({
      heldForOrders: 1_800_000,
      cash: CRORE - 4 * 299_000 - books.funds(A).charges,
    });
    books.orderChanged(snapshot(1n, buy, 'CANCELLED', 4), MORNING);
    expect(books.funds(A).heldForOrders).toBe(0);
  });
  test('a change of the order that comes before its trade holds the same', () => {
    const books = opened();
    const buy = order({ refId: TCS.refId, quantity: 10, price: 300_000 });
    books.hold(1n, buy, 300_000, MORNING);
    books.orderChanged(snapshot(1n, buy, 'PARTIAL_FILLED', 4), MORNING);
    books.trade(fill(1n, buy, 4, 300_000, MORNING), MORNING);
    expect(books.funds(A).heldForOrders).toBe(1_800_000);
    books.orderChanged(snapshot(1n, buy, 'FILLED', 10), MORNING);
    books.trade(fill(1n, buy, 6, 300_000, MORNING), MORNING);
    expect(books.funds(A).heldForOrders).toBe(0);
    expect(books.positions(A)).toEqual([
      expect.objectContaining({ refId: TCS.refId, quantity: 10, buyValue: 3_000_000 }),
    ]);
  });
  test('a refusal is to the paisa, with nothing held', () => {
    const books = opened(300_000);
    expect(books.hold(1n, order({ refId: TCS.refId, price: 300_001 }), 0, MORNING)).toEqual({
      ok: false,
      code: 'INSUFFICIENT_MARGIN',
      text: 'INSUFFICIENT_MARGIN: the order needs Rs 3,000.01, available are Rs 3,000.00',
    });
    expect(books.funds(A).heldForOrders).toBe(0);
    expect(books.hold(2n, order({ refId: TCS.refId, price: 300_000 }), 0, MORNING)).toEqual({ ok: true });
  });
  test('a modification is checked before, and leaves the old hold when refused', () => {
    const books = opened(1_000_000);
    const buy = order({ refId: TCS.refId, quantity: 3, price: 300_000 });
    books.hold(1n, buy, 0, MORNING);
    expect(books.amend(1n, { ...buy, quantity: 4 }, 0, MORNING)).toMatchObject({
      ok: false,
      code: 'INSUFFICIENT_MARGIN',
    });
    expect(books.funds(A).heldForOrders).toBe(900_000);
    expect(books.amend(1n, { ...buy, quantity: 2 }, 0, MORNING)).toEqual({ ok: true });
    expect(books.funds(A).heldForOrders).toBe(600_000);
    books.orderChanged(snapshot(1n, buy, 'OPEN'), MORNING);
    expect(books.funds(A).heldForOrders).toBe(900_000);
  });
  test('a delivery sale needs holdings less what is pledged and less other sell orders', () => {
    const books = opened();
    expect(books.pledge(A, INFY.refId, 30, MORNING)).toEqual({ ok: true });
    const sell = (quantity: number) => order({ refId: INFY.refId, side: 'SELL', quantity, price: 150_000 });
    expect(books.hold(1n, sell(71), 0, MORNING)).toMatchObject({ ok: false, code: 'INSUFFICIENT_HOLDINGS' });
    expect(books.hold(2n, sell(50), 0, MORNING)).toEqual({ ok: true });
    expect(books.hold(3n, sell(21), 0, MORNING)).toMatchObject({ ok: false, text: expect.stringContaining('20 free') });
    expect(books.pledge(A, INFY.refId, 21, MORNING)).toMatchObject({ ok: false });
    books.orderChanged(snapshot(2n, sell(50), 'CANCELLED'), MORNING);
    expect(books.hold(4n, sell(70), 0, MORNING)).toEqual({ ok: true });
  });
  test("a holding is sold on any exchange that lists it, once; today's purchase on its exchange", () => {
    const books = opened();
    const sale = (refId: number, quantity: number) => order({ refId, side: 'SELL', quantity, price: 150_000 });
    traded(books, order({ refId: INFY.refId, quantity: 7, price: 150_000 }));
    expect(books.hold(80n, sale(INFY_BSE.refId, 60), 150_000, MORNING)).toEqual({ ok: true });
    // 40 of the holding and 7 of today are left on NSE, 40 on BSE.
    expect(books.hold(81n, sale(INFY.refId, 48), 150_000, MORNING)).toMatchObject({ code: 'INSUFFICIENT_HOLDINGS' });
    expect(books.hold(82n, sale(INFY_BSE.refId, 41), 150_000, MORNING)).toEqual({
      ok: false,
      code: 'INSUFFICIENT_HOLDINGS',
      text: 'INSUFFICIENT_HOLDINGS: 41 of INFY to sell, 40 free (held, not pledged, not in other sell orders); 7 bought today on another exchange are sold here from the next trading day',
    });
    expect(books.freeQuantity(A, INFY_BSE.refId)).toBe(40);
    const both = sale(INFY.refId, 47);
    expect(books.hold(83n, both, 150_000, MORNING)).toEqual({ ok: true });
    books.trade(fill(83n, both, 47, 150_000, MORNING), MORNING);
    books.trade(fill(80n, sale(INFY_BSE.refId, 60), 60, 150_000, MORNING), MORNING);
    expect(books.holdings(A)).toEqual([]);
    expect(books.positions(A).map(({ refId, quantity, openQuantity }) => ({ refId, quantity, openQuantity }))).toEqual([
      { refId: INFY.refId, quantity: -40, openQuantity: 0 },
      { refId: INFY_BSE.refId, quantity: -60, openQuantity: 0 },
    ]);
    expect(books.closures(A).reduce((sum, { sellValue, buyValue }) => sum + sellValue - buyValue, 0)).toBe(
      books.funds(A).realised,
    );
  });
  test('a share pledged by either name carries margin once, and is not sold on the other exchange', () => {
    const books = opened();
    expect(books.pledge(A, INFY_BSE.refId, 90, MORNING)).toEqual({ ok: true });
    expect(books.pledge(A, INFY.refId, 11, MORNING)).toMatchObject({ code: 'PLEDGE_REFUSED' });
    const sale = order({ refId: INFY_BSE.refId, side: 'SELL', quantity: 11, price: 150_000 });
    expect(books.hold(84n, sale, 150_000, MORNING)).toMatchObject({ code: 'INSUFFICIENT_HOLDINGS' });
    expect(books.unpledge(A, INFY.refId, 90, MORNING)).toEqual({ ok: true });
    expect(books.hold(84n, sale, 150_000, MORNING)).toEqual({ ok: true });
    expect(books.freeQuantity(A, INFY.refId)).toBe(89);
  });
  test('an intraday order holds a fifth of the value; what reduces a position needs nothing', () => {
    const books = opened();
    traded(books, order({ refId: TCS.refId, product: 'IDAY', quantity: 100, price: 300_000 }));
    expect(books.funds(A)).toMatchObject({ heldForPositions: 6_000_000, heldForOrders: 0 });
    const sell = order({ refId: TCS.refId, product: 'IDAY', side: 'SELL', quantity: 150, price: 310_000 });
    books.hold(1n, sell, 310_000, MORNING);
    expect(books.funds(A).heldForOrders).toBe((50 * 310_000) / 5);
    books.trade(fill(1n, sell, 100, 310_000, MORNING), MORNING);
    expect(books.funds(A)).toMatchObject({
      heldForPositions: 0,
      heldForOrders: (50 * 310_000) / 5,
      realised: 1_000_000,
    });
  });
  test('a purchase that buys back a short position needs nothing, and beyond it a fifth of the value', () => {
    const books = opened();
    traded(books, order({ refId: TCS.refId, product: 'IDAY', side: 'SELL', quantity: 100, price: 300_000 }));
    const buy = order({ refId: TCS.refId, product: 'IDAY', quantity: 150, price: 300_000 });
    books.hold(1n, buy, 300_000, MORNING);
    expect(books.funds(A).heldForOrders).toBe((50 * 300_000) / 5);
    books.hold(2n, order({ refId: TCS.refId, product: 'IDAY', side: 'SELL', price: 300_000 }), 300_000, MORNING);
    expect(books.funds(A).heldForOrders).toBe((51 * 300_000) / 5);
  });
  test('a purchase and a sale that both open hold their margins until each has ended, in either order', () => {
    const terms = { refId: TCS.refId, product: 'IDAY', quantity: 10, price: 300_000 } as const;
    const both = [order(terms), order({ ...terms, side: 'SELL' })];
    for (const ends of [
      [0, 1],
      [1, 0],
    ]) {
      const books = opened();
      both.forEach((one, id) => books.hold(BigInt(id), one, 300_000, MORNING));
      const held = [books.funds(A).heldForOrders];
      for (const id of ends) {
        books.orderChanged(snapshot(BigInt(id), both[id]!, 'CANCELLED'), MORNING);
        held.push(books.funds(A).heldForOrders);
      }
      expect(held).toEqual([1_200_000, 600_000, 0]);
    }
  });
  test('two orders cannot both reduce the same position', () => {
    const books = opened();
    traded(books, order({ refId: TCS.refId, product: 'IDAY', quantity: 100, price: 300_000 }));
    const sell = order({ refId: TCS.refId, product: 'IDAY', side: 'SELL', quantity: 100, price: 300_000 });
    books.hold(1n, sell, 300_000, MORNING);
    books.hold(2n, sell, 300_000, MORNING);
    expect(books.funds(A).heldForOrders).toBe(6_000_000);
    books.orderChanged(snapshot(1n, sell, 'CANCELLED'), MORNING);
    expect(books.funds(A).heldForOrders).toBe(0);
  });
  test('options hold the premium for a purchase, SPAN and exposure for a sale, less for a hedged one', () => {
    const books = opened();
    traded(books, order({ refId: HIGHER_CALL.refId, quantity: 65, price: 8_000 }));
    expect(books.funds(A)).toMatchObject({ heldForPositions: 0, cash: CRORE - 65 * 8_000 - books.funds(A).charges });
    const sell = order({ refId: CALL.refId, side: 'SELL', quantity: 65, price: 20_000 });
    books.hold(1n, sell, 20_000, MORNING);
    const alone = (65 * 2_600_000 * 1_130) / 10_000;
    expect(books.funds(A).heldForOrders).toBe(alone);
    books.trade(fill(1n, sell, 65, 20_000, MORNING), MORNING);
    expect(books.funds(A)).toMatchObject({
      heldForOrders: 0,
      heldForPositions: 65 * 50_000 + (65 * 2_600_000 * 200) / 10_000,
    });
  });
  test('a future holds scan range and exposure of its value', () => {
    const books = opened();
    const buy = order({ refId: FUTURE.refId, quantity: 65, price: 2_610_000 });
    books.hold(1n, buy, 2_610_000, MORNING);
    expect(books.funds(A).heldForOrders).toBe((65 * 2_610_000 * 1_130) / 10_000);
  });
  test('pledged holdings carry margin, never a purchase', () => {
    const books = opened(1_000_000);
    books.pledge(A, INFY.refId, 100, MORNING);
    expect(books.funds(A).collateral).toBe((100 * 150_000 * 875) / 1000);
    expect(books.hold(1n, order({ refId: TCS.refId, price: 300_000, quantity: 4 }), 0, MORNING)).toMatchObject({
      ok: false,
    });
    traded(books, order({ refId: TCS.refId, product: 'IDAY', quantity: 200, price: 300_000 }));
    expect(books.funds(A)).toMatchObject({
      heldForPositions: 12_000_000,
      collateralUsed: 12_000_000,
      available: books.funds(A).cash,
    });
    expect(books.unpledge(A, INFY.refId, 100, MORNING)).toMatchObject({ ok: false, code: 'INSUFFICIENT_MARGIN' });
    expect(books.unpledge(A, INFY.refId, 1, MORNING)).toEqual({ ok: true });
  });
});

describe('charges', () => {
  test('a delivery purchase of Rs 1,00,000 in November 2026 costs what the tariff says', () => {
    const books = opened();
    traded(books, order({ refId: TCS.refId, quantity: 100, price: 100_000 }));
    expect(books.trades(A)[0]!.charges).toEqual({
      brokerage: 2_000,
      exchange: 307,
      sebi: 10,
      gst: 417,
      stt: 10_000,
      stamp: 1_500,
    });
  });
  test('many small fills cost what one large fill costs', () => {
    const accounts = opened();
    const many = opened();
    const buy = order({ refId: TCS.refId, product: 'IDAY', quantity: 33, price: 99_985 });
    traded(accounts, buy);
    many.hold(1n, buy, 0, MORNING);
    for (let part = 0; part < 33; part += 1) many.trade(fill(1n, buy, 1, buy.price, MORNING), MORNING);
    expect(many.funds(A)).toEqual(accounts.funds(A));
    expect(many.trades(A).reduce((sum, { charges }) => sum + totalCharges(charges), 0)).toBe(accounts.funds(A).charges);
  });
});

describe('the end of the day', () => {
  test('a purchase on Friday is T+1 on Friday evening, and settled on Monday evening', () => {
    const books = opened();
    traded(books, order({ refId: TCS.refId, quantity: 5, price: 300_000 }));
    expect(books.holdings(A).map(({ refId }) => refId)).toEqual([INFY.refId]);
    books.endOfDay('2026-11-20', CLOSE);
    expect(books.holdings(A)[1]).toMatchObject({ refId: TCS.refId, quantity: 0, t1Quantity: 5, cost: 1_500_000 });
    expect(books.positions(A)).toEqual([]);
    books.endOfDay('2026-11-21', CLOSE + 86_400_000);
    expect(books.holdings(A)[1]).toMatchObject({ quantity: 0, t1Quantity: 5 });
    books.endOfDay('2026-11-23', CLOSE + 3 * 86_400_000);
    expect(books.holdings(A)[1]).toMatchObject({ quantity: 5, t1Quantity: 0, cost: 1_500_000 });
  });
  test('purchases on Friday and Saturday (a market that never closes) lose nothing, and are all settled on Monday', () => {
    const books = opened();
    const saturday = MORNING + 86_400_000;
    traded(books, order({ refId: TCS.refId, quantity: 5, price: 300_000 }));
    books.endOfDay('2026-11-20', CLOSE);
    traded(books, order({ refId: TCS.refId, quantity: 2, price: 310_000 }), 310_000, saturday);
    books.endOfDay('2026-11-21', CLOSE + 86_400_000);
    expect(books.holdings(A)[1]).toMatchObject({ quantity: 0, t1Quantity: 7, cost: 2_120_000 });
    books.endOfDay('2026-11-23', CLOSE + 3 * 86_400_000);
    expect(books.holdings(A)[1]).toMatchObject({ quantity: 7, t1Quantity: 0, cost: 2_120_000 });
  });
  test('purchases on two exchanges are one holding the next morning', () => {
    const books = opened();
    traded(books, order({ refId: INFY_BSE.refId, quantity: 5, price: 150_000 }));
    traded(books, order({ refId: INFY.refId, quantity: 2, price: 150_000 }));
    books.endOfDay('2026-11-20', CLOSE);
    expect(books.holdings(A)).toMatchObject([{ refId: INFY.refId, quantity: 100, t1Quantity: 7 }]);
    books.dividend(A, INFY_BSE.refId, 100, CLOSE);
    expect(books.ledger(A).at(-1)).toMatchObject({ kind: 'DIVIDEND', shares: 107 });
  });
  test('a sale takes the oldest shares first, and its profit is exact', () => {
    const books = opened();
    traded(books, order({ refId: INFY.refId, quantity: 1, price: 150_000 }));
    traded(books, order({ refId: INFY.refId, side: 'SELL', quantity: 41, price: 151_001 }));
    expect(books.positions(A)).toEqual([
      expect.objectContaining({ quantity: -40, realised: 1_001 + 40 * 31_001, openQuantity: 0 }),
    ]);
    expect(books.holdings(A)).toEqual([expect.objectContaining({ quantity: 60, cost: 60 * 120_000 })]);
    expect(books.closures(A)).toEqual([
      expect.objectContaining({ buyDate: '2026-11-20', sellDate: '2026-11-20', quantity: 1 }),
      expect.objectContaining({ buyDate: '2026-09-01', quantity: 40, buyValue: 4_800_000 }),
    ]);
  });
  test('a carried future is marked to market, an intraday leftover closed, an expired option settled', () => {
    const of = prices();
    const books = opened(CRORE, of);
    traded(books, order({ refId: FUTURE.refId, quantity: 65, price: 2_600_000 }));
    traded(books, order({ refId: TCS.refId, product: 'IDAY', side: 'SELL', quantity: 10, price: 300_000 }));
    of.last.set(TCS.refId, 301_000);
    books.endOfDay('2026-11-20', CLOSE);
    expect(books.positions(A)).toEqual([
      expect.objectContaining({ refId: FUTURE.refId, quantity: 65, buyValue: 65 * 2_610_000, realised: 0 }),
    ]);
    expect(books.closes(A)[0]).toMatchObject({ funds: { realised: 650_000 - 10_000, heldForOrders: 0 } });
    const put = order({ refId: PUT.refId, side: 'SELL', quantity: 65, price: 7_000 });
    const tuesday = Date.parse('2026-11-24T10:00:00+05:30');
    traded(books, put, 7_000, tuesday);
    of.last.set(10, 2_540_000);
    books.endOfDay('2026-11-24', tuesday + 40_000_000);
    expect(books.positions(A)).toEqual([]);
    expect(books.closes(A)[1]!.funds).toMatchObject({
      realised: 65 * (2_540_000 - 2_610_000) + 65 * (7_000 - 10_000),
      heldForPositions: 0,
    });
  });
  test.each([
    ['BUY', 'SELL'],
    ['SELL', 'BUY'],
  ] as const)('an intraday %s that is left over is closed by a %s', (side, closing) => {
    const books = opened();
    traded(books, order({ refId: TCS.refId, product: 'IDAY', side, quantity: 10, price: 300_000 }));
    books.endOfDay('2026-11-20', CLOSE);
    expect(books.trades(A).at(-1)!.trade).toMatchObject({ side: closing, product: 'IDAY', quantity: 10 });
    expect(books.closures(A)).toEqual([expect.not.objectContaining({ settled: expect.anything() })]);
  });
  test('a day is closed once, and none before it any more', () => {
    const books = opened();
    expect(books.instrument(TCS.refId)).toMatchObject({ symbol: 'TCS' });
    for (const date of ['2026-11-20', '2026-11-20', '2026-11-19', '2026-11-21']) books.endOfDay(date, CLOSE);
    expect(books.closes(A).map(({ date }) => date)).toEqual(['2026-11-20', '2026-11-21']);
  });
  test('an option that expires is settled by the other side, without a trade', () => {
    const books = opened();
    traded(books, order({ refId: CALL.refId, quantity: 65, price: 20_000 }));
    traded(books, order({ refId: PUT.refId, side: 'SELL', quantity: 65, price: 7_000 }));
    books.endOfDay('2026-11-24', Date.parse('2026-11-24T23:45:00+05:30'));
    expect(books.closures(A).map(({ refId, settled }) => [refId, settled])).toEqual([
      [CALL.refId, 'SELL'],
      [PUT.refId, 'BUY'],
    ]);
    expect(books.trades(A)).toHaveLength(2);
  });
  test('the positions that the broker has to square off are told', () => {
    const books = opened();
    traded(books, order({ refId: TCS.refId, product: 'IDAY', side: 'SELL', quantity: 10, price: 300_000 }));
    traded(books, order({ refId: CALL.refId, product: 'IDAY', quantity: 65, price: 20_000 }));
    expect(books.squareOffs()).toEqual([
      { account: A, refId: TCS.refId, side: 'BUY', quantity: 10 },
      { account: A, refId: CALL.refId, side: 'SELL', quantity: 65 },
    ]);
  });
});

describe('the margin calculator', () => {
  test('a spread costs less than its legs; the refusal is in the answer', () => {
    const books = opened(40_000_000);
    const legs = [
      order({ refId: CALL.refId, side: 'SELL', quantity: 65, price: 20_000 }),
      order({ refId: HIGHER_CALL.refId, quantity: 65, price: 8_000 }),
    ];
    const answer = books.marginRequired(A, legs, { withPortfolio: false }, MORNING);
    expect(answer).toMatchObject({
      span: (65 * 2_600_000 * 930) / 10_000,
      netSpan: 65 * 50_000,
      exposure: (65 * 2_600_000 * 200) / 10_000,
      optionPremium: 520_000,
      code: '',
      var: 0,
      legMargin: [(65 * 2_600_000 * 1_130) / 10_000, 520_000],
      maxQuantity: 2 * 65,
    });
    expect(answer.marginBenefit).toBe(answer.span - answer.netSpan);
    expect(answer.totalMargin).toBe(answer.netSpan + answer.exposure + answer.optionPremium);
    const large = books.marginRequired(
      A,
      [order({ refId: TCS.refId, quantity: 1_000, price: 300_000 })],
      { withPortfolio: false },
      MORNING,
    );
    expect(large).toMatchObject({ code: 'INSUFFICIENT_MARGIN', deliveryMargin: 300_000_000, maxQuantity: 133 });
  });
  test('closing what is open needs nothing with the portfolio', () => {
    const books = opened();
    traded(books, order({ refId: FUTURE.refId, quantity: 65, price: 2_610_000 }));
    const close = order({ refId: FUTURE.refId, side: 'SELL', quantity: 65, price: 2_610_000 });
    expect(books.marginRequired(A, [close], { withPortfolio: true }, MORNING)).toMatchObject({
      totalMargin: 0,
      netSpan: 0,
    });
    expect(books.marginRequired(A, [close], { withPortfolio: false }, MORNING).totalMargin).toBeGreaterThan(0);
  });
});
