/** Content of an account's books afterwards: each movement of cash with its reason, and the positions of each day. */
import { chargesOf, totalCharges } from '../../../sandbox/src/accounts/charges';
import { describe, expect, test } from '@jest/globals';
import type { Accounts } from '../../../sandbox/src/accounts/types';
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
  INFY_FUTURE,
  INFY_PUT,
  MORNING,
  order,
  prices,
  PUT,
  snapshot,
  TCS,
} from './support';

const FUNDS = 10_000_000_000;
/** The last day of the contracts. */
const TUESDAY = Date.parse('2026-11-24T10:00:00+05:30');
const TUESDAY_CLOSE = Date.parse('2026-11-24T23:45:00+05:30');

function opened(of = prices()): Accounts {
  const books = accounts(of);
  const held = { refId: INFY.refId, quantity: 1_000, averagePrice: 120_000, date: '2026-09-01' };
  books.open(A, { funds: FUNDS, holdings: [held] }, MORNING);
  return books;
}

function trade(books: Accounts, id: bigint, terms: Partial<NewOrder> & { refId: number }, at = MORNING): void {
  const placed = order(terms);
  books.trade(fill(id, placed, placed.quantity, placed.price, at), at);
}

/** Every movement but the charges of trades: kind, amount in paise, reason. */
const movements = (books: Accounts) =>
  books
    .ledger(A)
    .filter(({ text }) => !text.startsWith('Charges of order'))
    .map(({ kind, amount, text }) => [kind, amount, text]);

describe('the ledger', () => {
  test('tells what was bought and sold, and what the evening made of it', () => {
    const of = prices();
    const books = opened(of);
    trade(books, 1n, { refId: TCS.refId, quantity: 10, price: 300_000 });
    trade(books, 2n, { refId: INFY.refId, side: 'SELL', quantity: 20, price: 150_050 });
    trade(books, 3n, { refId: CALL.refId, side: 'SELL', quantity: 65, price: 20_000 });
    trade(books, 4n, { refId: FUTURE.refId, side: 'SELL', quantity: 65, price: 2_600_000 });
    trade(books, 5n, { refId: TCS.refId, product: 'IDAY', side: 'SELL', quantity: 5, price: 301_000 });
    trade(books, 6n, { refId: TCS.refId, product: 'IDAY', quantity: 2, price: 300_500 });
    of.last.set(TCS.refId, 299_000);
    books.endOfDay('2026-11-20', CLOSE);
    expect(movements(books)).toEqual([
      ['OPENING', FUNDS, 'Opening balance'],
      ['PURCHASE', -3_000_000, 'Bought 10 TCS at 3,000.00'],
      ['SALE', 3_001_000, 'Sold 20 INFY at 1,500.50'],
      ['SALE', 1_300_000, 'Sold 65 NIFTY26NOV26000CE at 200.00'],
      ['REALISED', 1_000, 'Bought 2 TCS at 3,005.00'],
      ['MARK_TO_MARKET', -650_000, 'NIFTY26NOVFUT marked to market at 26,100.00'],
      ['REALISED', 6_000, 'Bought 3 TCS at 2,990.00, intraday position closed at the closing price'],
      ['DEPOSITORY', -1_534, 'Depository charge for the delivery of INFY'],
    ]);
    const charges = books.ledger(A).filter(({ kind }) => kind === 'CHARGES');
    expect(charges.slice(0, -1).map(({ text, refId }) => [text, refId])).toEqual(
      [TCS, INFY, CALL, FUTURE, TCS, TCS].map(({ refId }, index) => [`Charges of order ${index + 1}`, refId]),
    );
    // The evening's purchase costs what a purchase of the day costs.
    const alone = chargesOf(TCS, 'IDAY', 'BUY', 3 * 299_000, '2026-11-20');
    const services = books
      .trades(A)
      .map(({ charges: { brokerage, exchange, sebi } }) => brokerage + exchange + sebi)
      .reduce((sum, charged) => sum + charged, 0);
    const earlierServices = services - alone.brokerage - alone.exchange - alone.sebi;
    const gst = Math.round(services * 0.18) - Math.round(earlierServices * 0.18);
    expect(charges.at(-1)).toMatchObject({ refId: TCS.refId, amount: -totalCharges({ ...alone, gst }) });
    const entries = books.ledger(A);
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    entries.reduce((before, { amount, balance }) => {
      expect(balance).toBe(before + amount);
      return balance;
    }, 0);
    expect(entries.at(-1)!.balance).toBe(books.funds(A).cash);
  });

  test('an index option that expires in the money pays what it is worth, less the tax on its exercise', () => {
    const of = prices();
    const books = opened(of);
    trade(books, 1n, { refId: CALL.refId, quantity: 65, price: 20_000 }, TUESDAY);
    trade(books, 2n, { refId: PUT.refId, side: 'SELL', quantity: 65, price: 7_000 }, TUESDAY);
    of.last.set(10, 2_612_345);
    books.endOfDay('2026-11-24', TUESDAY_CLOSE);
    // 123.45 in the money: 0.15 % of Rs 8,024.25, to the rupee. The put is worth nothing, which its seller keeps.
    expect(movements(books).slice(3)).toEqual([
      ['EXERCISE_TAX', -1_200, 'Tax on the exercise of NIFTY26NOV26000CE'],
      ['SALE', 65 * 12_345, 'NIFTY26NOV26000CE expired, settled at 123.45'],
    ]);
    expect(books.closes(A)[0]!.positions.map(({ refId, realised }) => [refId, realised])).toEqual([
      [CALL.refId, 65 * (12_345 - 20_000)],
      [PUT.refId, 65 * 7_000],
    ]);
  });

  test('the seller of what expires in the money pays it, and no tax; a future of an index is settled at the index', () => {
    const of = prices();
    const books = opened(of);
    trade(books, 1n, { refId: CALL.refId, side: 'SELL', quantity: 65, price: 20_000 }, TUESDAY);
    trade(books, 2n, { refId: FUTURE.refId, quantity: 65, price: 2_610_000 }, TUESDAY);
    of.last.set(10, 2_612_345);
    books.endOfDay('2026-11-24', TUESDAY_CLOSE);
    expect(movements(books).slice(2)).toEqual([
      ['PURCHASE', -65 * 12_345, 'NIFTY26NOV26000CE expired, settled at 123.45'],
      ['REALISED', 65 * 2_345, 'NIFTY26NOVFUT expired, settled at 26,123.45'],
    ]);
    expect(
      books
        .closes(A)[0]!
        .positions.map(({ buyQuantity, buyValue, sellQuantity, sellValue }) => [
          buyQuantity,
          buyValue,
          sellQuantity,
          sellValue,
        ]),
    ).toEqual([
      [65, 65 * 12_345, 65, 65 * 20_000],
      [65, 65 * 2_610_000, 65, 65 * 2_612_345],
    ]);
  });

  test('a share’s contracts bring and take shares at the last day’s price or at their strike, each taxed as a delivery', () => {
    const books = opened();
    trade(books, 1n, { refId: INFY_FUTURE.refId, side: 'SELL', quantity: 400, price: 151_000 }, TUESDAY);
    trade(books, 2n, { refId: INFY_CALL.refId, quantity: 400, price: 6_000 }, TUESDAY);
    trade(books, 3n, { refId: INFY_PUT.refId, quantity: 400, price: 6_200 }, TUESDAY);
    books.endOfDay('2026-11-24', TUESDAY_CLOSE);
    expect(movements(books).slice(3)).toEqual([
      ['REALISED', 400_000, 'INFY26NOVFUT expired: 400 shares at 1,500.00'],
      ['PURCHASE', -58_000_000, 'Bought 400 INFY at 1,450.00, settled by delivery'],
      ['SALE', 60_000_000, 'Sold 400 INFY at 1,500.00, settled by delivery'],
      ['SALE', 62_000_000, 'Sold 400 INFY at 1,550.00, settled by delivery'],
      ['DEPOSITORY', -1_534, 'Depository charge for the delivery of INFY'],
    ]);
    const shares = books.trades(A).filter(({ trade: { refId } }) => refId === INFY.refId);
    expect(shares.map(({ charges }) => [charges.stt, charges.stamp])).toEqual([
      [58_000, 8_700],
      [60_000, 0],
      [62_000, 0],
    ]);
  });
});

test('a day’s positions count what the close made flat as traded at its price; the next day begins with what is carried', () => {
  const of = prices();
  const books = opened(of);
  const intraday = { product: 'IDAY', quantity: 10 } as const;
  trade(books, 1n, { ...intraday, refId: TCS.refId, price: 299_000 });
  trade(books, 2n, { ...intraday, refId: INFY.refId, side: 'SELL', price: 151_000 });
  trade(books, 3n, { refId: FUTURE.refId, quantity: 130, price: 2_600_000 });
  trade(books, 4n, { refId: FUTURE.refId, side: 'SELL', quantity: 65, price: 2_605_000 });
  trade(books, 5n, { refId: INFY_FUTURE.refId, side: 'SELL', quantity: 400, price: 151_000 });
  books.endOfDay('2026-11-20', CLOSE);
  const day = books.closes(A)[0]!;
  const traded = (list: typeof day.positions) =>
    list.map(
      ({ refId, buyQuantity, buyValue, sellQuantity, sellValue, quantity, openQuantity, openValue, realised }) => ({
        refId,
        bought: [buyQuantity, buyValue],
        sold: [sellQuantity, sellValue],
        quantity,
        open: [openQuantity, openValue],
        realised,
      }),
    );
  const value = 65 * 2_610_000;
  expect(traded(day.positions)).toEqual([
    { refId: TCS.refId, bought: [10, 2_990_000], sold: [10, 3_000_000], quantity: 0, open: [0, 0], realised: 10_000 },
    { refId: INFY.refId, bought: [10, 1_500_000], sold: [10, 1_510_000], quantity: 0, open: [0, 0], realised: 10_000 },
    {
      refId: FUTURE.refId,
      bought: [130, 130 * 2_600_000],
      sold: [65, 65 * 2_605_000],
      quantity: 65,
      open: [65, value],
      realised: 65 * 5_000 + 65 * 10_000,
    },
    {
      refId: INFY_FUTURE.refId,
      bought: [0, 0],
      sold: [400, 400 * 151_000],
      quantity: -400,
      open: [-400, -400 * 150_500],
      realised: 400 * 500,
    },
  ]);
  const carried = [
    { refId: FUTURE.refId, bought: [65, value], sold: [0, 0], quantity: 65, open: [65, value], realised: 0 },
    {
      refId: INFY_FUTURE.refId,
      bought: [0, 0],
      sold: [400, 400 * 150_500],
      quantity: -400,
      open: [-400, -400 * 150_500],
      realised: 0,
    },
  ];
  expect(traded(day.carried)).toEqual(carried);
  expect(traded(books.positions(A))).toEqual(carried);
  expect(day.closes).toEqual({
    [TCS.refId]: 300_000,
    [INFY.refId]: 150_000,
    [FUTURE.refId]: 2_610_000,
    [INFY_FUTURE.refId]: 150_500,
  });
  expect(day.funds).toMatchObject({ opening: FUNDS, realised: 10_000 + 10_000 + 975_000 + 200_000 });
  expect(books.funds(A)).toMatchObject({ opening: day.funds.cash, added: 0, charges: 0, realised: 0, invested: 0 });
  expect(
    books
      .closures(A)
      .map(({ refId, quantity, buyValue, sellValue, settled: confirmed }) => [
        refId,
        quantity,
        buyValue,
        sellValue,
        confirmed,
      ]),
  ).toEqual([
    [FUTURE.refId, 65, 65 * 2_600_000, 65 * 2_605_000, undefined],
    [TCS.refId, 10, 2_990_000, 3_000_000, undefined],
    [INFY.refId, 10, 1_500_000, 1_510_000, undefined],
  ]);
});

test('charges are the cost of the day: after a close they begin at nothing, also those of an order that goes on', () => {
  const books = opened();
  const half = { refId: TCS.refId, quantity: 10, price: 300_000 };
  trade(books, 1n, half);
  const { charges } = books.funds(A);
  books.endOfDay('2026-11-20', CLOSE);
  trade(books, 1n, half, TUESDAY);
  expect(books.funds(A).charges).toBe(charges);
});

test('books that are made again from their state say the same, and what happens later is not in it', () => {
  const books = opened();
  trade(books, 1n, { refId: TCS.refId, quantity: 10, price: 300_000 });
  trade(books, 2n, { refId: TCS.refId, product: 'IDAY', quantity: 10, price: 300_000 });
  trade(books, 3n, { refId: TCS.refId, product: 'IDAY', side: 'SELL', quantity: 4, price: 300_000 });
  books.endOfDay('2026-11-20', CLOSE);
  books.hold(4n, order({ refId: TCS.refId, quantity: 3, price: 300_000 }), 300_000, TUESDAY);
  trade(books, 5n, { refId: INFY.refId, quantity: 3, price: 150_000 }, TUESDAY);
  const views = (of: Accounts) => ({
    funds: of.funds(A),
    positions: of.positions(A),
    holdings: of.holdings(A),
    ledger: [...of.ledger(A)],
    trades: [...of.trades(A)],
    closures: [...of.closures(A)],
    closes: [...of.closes(A)],
    last: of.lastEvent(),
  });
  const state = books.state();
  const before = views(books);
  trade(books, 5n, { refId: INFY.refId, quantity: 1, price: 150_000 }, TUESDAY);
  books.orderChanged(snapshot(4n, order({ refId: TCS.refId }), 'CANCELLED'), TUESDAY + 1);
  books.endOfDay('2026-11-24', TUESDAY_CLOSE);
  const again = accounts(prices(), state);
  expect(views(again)).toEqual(before);
  expect(before.funds.heldForOrders).toBe(900_000);
  trade(again, 5n, { refId: INFY.refId, quantity: 1, price: 150_000 }, TUESDAY);
  again.orderChanged(snapshot(4n, order({ refId: TCS.refId }), 'CANCELLED'), TUESDAY + 1);
  again.endOfDay('2026-11-24', TUESDAY_CLOSE);
  expect(views(again)).toEqual(views(books));
});
