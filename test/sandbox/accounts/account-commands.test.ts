/** Commands to an account beside trading, up to the last paisa and share, and the words of each refusal. */
import { describe, expect, test } from '@jest/globals';
import type { Accounts } from '../../../sandbox/src/accounts/types';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import type { EffectiveAction } from '../../../sandbox/src/shared/corporate-actions';
import type { NewOrder } from '../../../sandbox/src/shared/orders';
import {
  A,
  accounts,
  CALL,
  CLOSE,
  fill,
  FUTURE,
  INFY,
  INFY_CALL,
  INFY_PUT,
  MORNING,
  order,
  prices,
  snapshot,
  TCS,
} from './support';

const CRORE = 1_000_000_000;
/** The broker squares off intraday positions from then on. */
const STOP = Date.parse('2026-11-20T15:15:00+05:30');
const TUESDAY_CLOSE = Date.parse('2026-11-24T23:45:00+05:30');

function opened({ funds = CRORE, of = prices(), intraday = false } = {}): Accounts {
  const books = accounts(of, undefined, intraday);
  books.open(
    A,
    { funds, holdings: [{ refId: INFY.refId, quantity: 100, averagePrice: 120_000, date: '2026-09-01' }] },
    MORNING,
  );
  return books;
}

function traded(books: Accounts, id: bigint, of: NewOrder, at = MORNING): void {
  expect(books.hold(id, of, of.price, at)).toEqual({ ok: true });
  books.trade(fill(id, of, of.quantity, of.price, at), at);
  books.orderChanged(snapshot(id, of, 'FILLED', of.quantity), at);
}

/** One new share for two that are held. @param close before the ex-date, paise */
const threeForTwo = ({ refId, symbol }: Instrument, close: number): EffectiveAction => ({
  id: 1,
  kind: 'bonus',
  symbol,
  refIds: [refId],
  exDate: '2026-11-20',
  ...{ from: MORNING, announced: MORNING, before: 2, after: 3, dividend: 0, extraordinary: false },
  close,
});

const intradayOf = (side: 'BUY' | 'SELL', quantity: number) =>
  order({ refId: TCS.refId, side, quantity, product: 'IDAY', price: 300_000 });

describe('the broker, once intraday positions are squared off', () => {
  test('opens none from that instant on, but delivers', () => {
    const books = opened({ intraday: true });
    expect(books.hold(1n, intradayOf('BUY', 1), 300_000, STOP - 1)).toEqual({ ok: true });
    expect(books.hold(2n, intradayOf('BUY', 1), 300_000, STOP)).toEqual({
      ok: false,
      code: 'INTRADAY_CLOSED',
      text: 'INTRADAY_CLOSED: no intraday position can be opened after 15:15:00; use delivery (CNC), or the next trading day',
    });
    expect(books.hold(3n, { ...intradayOf('BUY', 1), product: 'CNC' }, 300_000, STOP)).toEqual({ ok: true });
  });

  test.each([
    ['bought', 'BUY', 'SELL'],
    ['sold', 'SELL', 'BUY'],
  ] as const)('closes one that was %s as far as it goes, and does not make it larger', (_, opening, closing) => {
    const books = opened({ intraday: true });
    traded(books, 1n, intradayOf(opening, 10));
    expect(books.hold(2n, intradayOf(closing, 11), 300_000, STOP)).toMatchObject({ code: 'INTRADAY_CLOSED' });
    expect(books.hold(3n, intradayOf(opening, 1), 300_000, STOP)).toMatchObject({ code: 'INTRADAY_CLOSED' });
    expect(books.hold(4n, intradayOf(closing, 10), 300_000, STOP)).toEqual({ ok: true });
  });

  test.each([
    ['bought', 'BUY', 'SELL'],
    ['sold', 'SELL', 'BUY'],
  ] as const)(
    'closes one that was %s once: neither a second order nor a changed one turns it round',
    (_, opening, closing) => {
      const books = opened({ intraday: true });
      traded(books, 1n, intradayOf(opening, 10));
      expect(books.hold(2n, intradayOf(closing, 6), 300_000, STOP)).toEqual({ ok: true });
      expect(books.hold(3n, intradayOf(closing, 5), 300_000, STOP)).toMatchObject({ code: 'INTRADAY_CLOSED' });
      expect(books.hold(4n, intradayOf(closing, 4), 300_000, STOP)).toEqual({ ok: true });
      expect(books.amend(4n, intradayOf(closing, 5), 300_000, STOP)).toMatchObject({ code: 'INTRADAY_CLOSED' });
      books.trade(fill(2n, intradayOf(closing, 6), 2, 300_000, STOP), STOP);
      expect(books.amend(2n, intradayOf(closing, 7), 300_000, STOP)).toMatchObject({ code: 'INTRADAY_CLOSED' });
      expect(books.amend(2n, intradayOf(closing, 5), 300_000, STOP)).toEqual({ ok: true });
      // Eight are open: three are left of one order, and five may be of the other.
      expect(books.amend(4n, intradayOf(closing, 6), 300_000, STOP)).toMatchObject({ code: 'INTRADAY_CLOSED' });
      expect(books.amend(4n, intradayOf(closing, 5), 300_000, STOP)).toEqual({ ok: true });
    },
  );
});

describe('the price at which an order is counted', () => {
  const heldFor = (of: NewOrder, referencePrice: number): number => {
    const books = opened();
    expect(books.hold(1n, of, referencePrice, MORNING)).toEqual({ ok: true });
    return books.funds(A).heldForOrders;
  };
  const buy = (more: Partial<NewOrder>) => order({ refId: TCS.refId, ...more });

  test('is the limit of a purchase, else the market’s or the trigger’s, the higher of both', () => {
    expect(heldFor(buy({ price: 290_000 }), 300_000)).toBe(290_000);
    expect(heldFor(buy({ priceType: 'MARKET', price: 0 }), 300_000)).toBe(300_000);
    expect(heldFor(buy({ priceType: 'MARKET', price: 0, triggerPrice: 305_000 }), 300_000)).toBe(305_000);
    expect(heldFor(buy({ priceType: 'MARKET', price: 0, triggerPrice: 295_000 }), 300_000)).toBe(300_000);
  });

  test('is the market’s or the limit of a sale, the higher of both', () => {
    const at = (price: number) => heldFor({ ...intradayOf('SELL', 1), price }, 300_000);
    const limit = (price: number) => heldFor({ ...intradayOf('BUY', 1), price }, 300_000);
    expect([at(290_000), at(310_000)]).toEqual([limit(300_000), limit(310_000)]);
    expect(limit(310_000)).toBeGreaterThan(limit(300_000));
  });

  test('makes an intraday order need a part of the cost of delivery, and a sale of shares nothing', () => {
    expect(heldFor(intradayOf('BUY', 1), 300_000)).toBeLessThan(150_000);
    expect(heldFor(order({ refId: INFY.refId, side: 'SELL', quantity: 100, price: 150_000 }), 150_000)).toBe(0);
  });
});

describe('a pledge', () => {
  test('is released up to what is pledged', () => {
    const books = opened();
    expect(books.pledge(A, INFY.refId, 40, MORNING)).toEqual({ ok: true });
    for (const quantity of [41, 0, -1, 1.5])
      expect(books.unpledge(A, INFY.refId, quantity, MORNING)).toEqual({
        ok: false,
        code: 'PLEDGE_REFUSED',
        text: `${quantity} cannot be released: 40 are pledged`,
      });
    expect(books.unpledge(A, TCS.refId, 1, MORNING)).toMatchObject({ text: '1 cannot be released: 0 are pledged' });
    expect(books.freeQuantity(A, INFY.refId)).toBe(60);
    expect(books.unpledge(A, INFY.refId, 40, MORNING)).toEqual({ ok: true });
    expect(books.freeQuantity(A, INFY.refId)).toBe(100);
  });

  test('is released unless its margin is in use, to the paisa', () => {
    const needed = (() => {
      const books = opened();
      books.hold(1n, intradayOf('BUY', 1), 300_000, MORNING);
      return books.funds(A).heldForOrders;
    })();
    for (const [funds, released] of [
      [needed, true],
      [needed - 1, false],
    ] as const) {
      const books = opened({ funds });
      books.pledge(A, INFY.refId, 100, MORNING);
      expect(books.hold(1n, intradayOf('BUY', 1), 300_000, MORNING)).toEqual({ ok: true });
      expect(books.unpledge(A, INFY.refId, 100, MORNING)).toEqual(
        released
          ? { ok: true }
          : {
              ok: false,
              code: 'INSUFFICIENT_MARGIN',
              text: 'INSUFFICIENT_MARGIN: the pledge of 100 carries margin that is in use',
            },
      );
      expect(books.freeQuantity(A, INFY.refId)).toBe(released ? 100 : 0);
    }
  });
});

test('money is paid in and out, out to the last free paisa', () => {
  const books = opened({ funds: 500_000 });
  expect(books.addFunds(A, -500_001, MORNING)).toEqual({
    ok: false,
    code: 'INSUFFICIENT_FUNDS',
    text: 'Rs 5,000.01 cannot be paid out: Rs 5,000.00 are free',
  });
  expect([books.addFunds(A, -500_000, MORNING), books.addFunds(A, 7, MORNING)]).toEqual([{ ok: true }, { ok: true }]);
  expect(books.ledger(A).slice(-2)).toEqual([
    expect.objectContaining({ kind: 'FUNDS_WITHDRAWN', amount: -500_000, text: 'Funds withdrawn' }),
    expect.objectContaining({ kind: 'FUNDS_ADDED', amount: 7, text: 'Funds added' }),
  ]);
  expect(books.funds(A).cash).toBe(7);
});

test('a holding is made smaller down to what sell orders need, and is gone at nothing', () => {
  const books = opened();
  const sell = order({ refId: INFY.refId, side: 'SELL', quantity: 30, price: 150_000 });
  const set = (quantity: number) =>
    books.setHolding(A, { refId: INFY.refId, quantity, averagePrice: 110_000 }, MORNING);
  expect(books.hold(1n, sell, 150_000, MORNING)).toEqual({ ok: true });
  expect(set(29)).toEqual({
    ok: false,
    code: 'HOLDING_IN_USE',
    text: 'only 70 of ref_id 1 are free; the rest is pledged or in sell orders',
  });
  expect(books.holdings(A)).toEqual([expect.objectContaining({ quantity: 100, cost: 12_000_000 })]);
  expect(set(30)).toEqual({ ok: true });
  expect(books.holdings(A)).toEqual([expect.objectContaining({ quantity: 30, cost: 3_300_000 })]);
  books.orderChanged(snapshot(1n, sell, 'CANCELLED'), MORNING);
  expect(set(0)).toEqual({ ok: true });
  expect(books.holdings(A)).toEqual([]);
});

test('positions that need margin are told, those first that need the most; a bought option of an index needs none', () => {
  const books = opened();
  traded(books, 1n, order({ refId: CALL.refId, quantity: 65, price: 20_000 }));
  expect(books.marginReview(MORNING)).toEqual([]);
  traded(books, 2n, intradayOf('BUY', 10));
  traded(books, 3n, order({ refId: FUTURE.refId, side: 'SELL', quantity: 65, price: 2_610_000 }));
  const reported = books.marginPositions(A);
  expect(reported.map(({ refId, quantity }) => [refId, quantity])).toEqual([
    [FUTURE.refId, -65],
    [TCS.refId, 10],
  ]);
  const shares = opened();
  shares.hold(1n, intradayOf('BUY', 10), 300_000, MORNING);
  expect(reported[1]!.margin).toBe(shares.funds(A).heldForOrders);
  expect(books.marginReview(MORNING)).toEqual([expect.objectContaining({ account: A, onMargin: true })]);
});

describe('the margin calculator', () => {
  const requested = (orders: NewOrder[], books = opened()) =>
    books.marginRequired(A, orders, { withPortfolio: false }, MORNING);

  test('counts an order at its price, one without a price at the last one, and adds up the legs', () => {
    expect(requested([order({ refId: TCS.refId, price: 310_000 })])).toMatchObject({ deliveryMargin: 310_000 });
    const delivery = order({ refId: TCS.refId, quantity: 2, price: 0 });
    const bought = order({ refId: CALL.refId, quantity: 65, price: 20_000 });
    const result = requested([delivery, bought, intradayOf('BUY', 1)]);
    expect(result).toMatchObject({ deliveryMargin: 600_000, optionPremium: 1_300_000, code: '', message: '' });
    expect(result.legMargin).toEqual([600_000, 1_300_000, result.var]);
    expect(result.totalMargin).toBe(1_900_000 + result.var);
    expect(result.var).toBeGreaterThan(0);
  });

  test('says to the paisa when it is too much', () => {
    const buy = order({ refId: TCS.refId, quantity: 1, price: 300_000 });
    expect(requested([buy], opened({ funds: 300_000 }))).toMatchObject({ code: '', message: '', maxQuantity: 1 });
    expect(requested([buy], opened({ funds: 299_999 }))).toMatchObject({
      code: 'INSUFFICIENT_MARGIN',
      message:
        'INSUFFICIENT_MARGIN: needs Rs 3,000.00, available are Rs 2,999.99 in cash and Rs 0.00 of pledged margin',
      maxQuantity: 0,
    });
  });

  test('says how much could be placed: shares that are held, lots that the cash or the pledged margin pays for', () => {
    expect(requested([order({ refId: INFY.refId, side: 'SELL', price: 150_000 })]).maxQuantity).toBe(100);
    const buy = order({ refId: TCS.refId, price: 0 });
    expect(requested([buy], opened({ funds: 899_999 })).maxQuantity).toBe(2);
    const future = order({ refId: FUTURE.refId, side: 'SELL', quantity: 65, price: 2_610_000 });
    const lot = requested([future]).totalMargin;
    expect(requested([future], opened({ funds: 2 * lot })).maxQuantity).toBe(130);
    expect(requested([future], opened({ funds: 2 * lot - 1 })).maxQuantity).toBe(65);
    const pledged = opened({ funds: lot });
    pledged.pledge(A, INFY.refId, 100, MORNING);
    const collateral = pledged.funds(A).collateral;
    expect(requested([future], pledged).maxQuantity).toBe(Math.floor((lot + collateral) / lot) * 65);
  });
});

describe('settlement in shares', () => {
  test('incoming shares cover outgoing ones, in whichever order the options were bought', () => {
    const books = opened();
    traded(books, 1n, order({ refId: INFY_PUT.refId, quantity: 400, price: 6_200 }));
    traded(books, 2n, order({ refId: INFY_CALL.refId, quantity: 400, price: 6_000 }));
    books.endOfDay('2026-11-24', TUESDAY_CLOSE);
    expect(books.shortDeliveries(A)).toEqual([]);
    expect(books.holdings(A)).toEqual([expect.objectContaining({ refId: INFY.refId, quantity: 100 })]);
  });
});

describe('an intraday position that is still open at the close', () => {
  const closed = (side: 'BUY' | 'SELL', refId: number, price: number) => {
    const books = opened({ intraday: true });
    traded(books, 1n, order({ refId, side, quantity: 65, product: 'IDAY', price }));
    books.endOfDay('2026-11-20', CLOSE);
    return books;
  };

  test('is owed in shares where shares were sold, and only there', () => {
    expect(closed('SELL', TCS.refId, 300_000).shortDeliveries(A)).toEqual([
      { refId: TCS.refId, quantity: 65, price: 300_000, date: '2026-11-20', isCharged: true },
    ]);
    expect(closed('BUY', TCS.refId, 300_000).shortDeliveries(A)).toEqual([]);
    expect(closed('SELL', FUTURE.refId, 2_610_000).shortDeliveries(A)).toEqual([]);
  });

  test('grows with a bonus where shares are owed, and its fraction is charged', () => {
    const books = closed('SELL', TCS.refId, 300_000);
    const { cash } = books.funds(A);
    books.corporateAction(threeForTwo(TCS, 300_000), CLOSE);
    const owed = books.shortDeliveries(A);
    expect(owed.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(97);
    expect(owed.reduce((sum, { quantity, price }) => sum + quantity * price, 0)).toBe(65 * 300_000);
    expect(books.ledger(A).at(-1)).toMatchObject({
      kind: 'CORPORATE_ACTION',
      amount: -100_000,
      text: 'Fraction of a share on 65 TCS that were not delivered',
    });
    expect(books.funds(A).cash).toBe(cash - 100_000);
  });
});

test('a fraction of a bonus on a holding is paid', () => {
  const books = opened();
  books.setHolding(A, { refId: INFY.refId, quantity: 101, averagePrice: 120_000 }, MORNING);
  books.corporateAction(threeForTwo(INFY, 150_000), MORNING);
  expect(books.holdings(A)).toEqual([expect.objectContaining({ quantity: 151, cost: 101 * 120_000 })]);
  expect(books.ledger(A).at(-1)).toMatchObject({
    kind: 'CORPORATE_ACTION',
    amount: 50_000,
    text: 'Fraction of a share from the bonus on 101 INFY at 500.00',
  });
});

describe('an order that is worth more than the books can count', () => {
  const huge: [string, Partial<NewOrder> & { refId: number }][] = [
    ['a price without bounds', { refId: CALL.refId, quantity: 65, price: Number.MAX_SAFE_INTEGER }],
    ['a share', { refId: TCS.refId, quantity: 100_000_000, price: 10_000_000, product: 'IDAY' }],
    ['a sale', { refId: FUTURE.refId, side: 'SELL', quantity: 99_999_900, price: 1_000_000_000 }],
    ['a trigger', { refId: CALL.refId, side: 'SELL', quantity: 65, price: 5, triggerPrice: Number.MAX_SAFE_INTEGER }],
  ];

  test.each(huge)('is refused, and leaves the account unchanged: %s', (_, terms) => {
    const books = opened();
    const before = books.funds(A);
    const refused = { ok: false, code: 'INSUFFICIENT_MARGIN' };
    expect(books.hold(1n, order(terms), 300_000, MORNING)).toMatchObject(refused);
    const small = order({ refId: TCS.refId, quantity: 1, price: 5 });
    expect(books.hold(2n, small, 5, MORNING)).toEqual({ ok: true });
    expect(books.amend(2n, order({ ...terms, account: A }), 300_000, MORNING)).toMatchObject(refused);
    books.orderChanged(snapshot(2n, small, 'CANCELLED'), MORNING);
    books.endOfDay('2026-11-20', CLOSE);
    expect(books.funds(A).available).toBe(before.available);
  });

  test.each(huge.slice(0, 3))('has no margin in the calculator: %s', (_, terms) => {
    const calculated = opened().marginRequired(A, [order(terms)], { withPortfolio: true }, MORNING);
    expect(calculated).toMatchObject({ code: 'INSUFFICIENT_MARGIN', totalMargin: 0, maxQuantity: 0 });
    expect(calculated.message).toContain('the order is worth more than Rs 10,00,00,00,00,000.00');
  });
});
