/** The months before an account is first seen: what it traded, when and at what price, and that it ends with what it is to have. */
import { describe, expect, test } from '@jest/globals';
import { type AccountHistoryPlan, writeAccountHistory } from '../../../sandbox/src/accounts/backfill';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { A, accounts, FUTURE, INFY, prices, TCS } from './support';

/** Saturday, 2026-11-21, 10:00 IST. */
const UNTIL = Date.parse('2026-11-21T10:00:00+05:30');
const FUNDS = 1_000_000_000;
const HELD = { instrument: INFY, quantity: 102, averagePrice: 120_000 };
/** A Friday on which the markets are closed. */
const HOLIDAY = '2026-10-02';

/**
 * The history of sixty days, in which every draw of chance is the same.
 * @param chance in [0, 1)
 * @param price of every share, paise; a future costs 26,100 rupees
 */
function history(chance: number, price = 100_003, more: Partial<AccountHistoryPlan> = {}) {
  const books = accounts(prices());
  const isTradingDay = (_exchange: string, date: string) =>
    ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()) && date !== HOLIDAY;
  const plan = {
    account: A,
    funds: FUNDS,
    holdings: [HELD],
    shares: [TCS],
    future: FUTURE,
    until: UNTIL,
    days: 60,
    ...more,
  };
  const nextId = writeAccountHistory(
    {
      accounts: books,
      calendar: { isTradingDay },
      price: ({ derivativeType }: Instrument) => (derivativeType === 'FUT' ? 2_610_000 : price),
      random: () => chance,
    },
    plan,
    1_001n,
  );
  const trades = books.trades(A).map(({ trade }) => {
    const at = Number(trade.at / 1_000_000n);
    const [date, time] = new Date(at + 19_800_000).toISOString().slice(0, 19).split('T');
    return { date, what: [time, trade.refId, trade.side, trade.product, trade.quantity, trade.price] };
  });
  return {
    books,
    nextId,
    trades,
    on: (date: string) => trades.filter((trade) => trade.date === date).map(({ what }) => what),
  };
}

describe.each([0, 0.2, 0.5, 0.65, 0.75, 0.95])('where chance always says %d', (chance) => {
  test('the history ends with the cash and the settled shares that it is to have, and nothing open', () => {
    const { books } = history(chance);
    expect(books.funds(A)).toMatchObject({ cash: FUNDS, available: FUNDS, opening: FUNDS });
    expect(books.holdings(A)).toEqual([
      expect.objectContaining({ refId: INFY.refId, quantity: 102, t1Quantity: 0, cost: 102 * 120_000 }),
    ]);
    expect(books.positions(A)).toEqual([]);
    expect(books.closes(A)).toHaveLength(43);
    expect([books.closes(A)[0]!.date, books.closes(A).at(-1)!.date]).toEqual(['2026-09-22', '2026-11-20']);
  });

  test('the history trades in sessions only, on ticks, in order', () => {
    const { books, trades, nextId } = history(chance);
    for (const { date, what } of trades) {
      expect(date).not.toBe(HOLIDAY);
      expect(String(what[0]) >= '09:15:00' && String(what[0]) < '15:30:00').toBe(true);
      expect(Number(what[5]) % 5).toBe(0);
    }
    const times = books.trades(A).map(({ trade }) => Number(trade.at / 1_000_000n));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const made = books.trades(A).map(({ trade }) => trade);
    made.forEach(({ orderId, at }, index) => {
      const before = made[index - 1];
      if (before?.orderId === orderId) expect(at).toBeGreaterThan(before.at);
    });
    const ids = books.trades(A).flatMap(({ trade }) => [trade.id, trade.orderId]);
    expect(ids.every((id) => id >= 1_001n && id < nextId)).toBe(true);
    expect(new Set(books.trades(A).map(({ trade }) => trade.id)).size).toBe(trades.length);
  });

  test('the history begins with fifteen lakh and a fifth of the shares more, bought long before and sold in its course', () => {
    const { books, trades } = history(chance);
    const [first] = books.ledger(A);
    expect(first).toMatchObject({ kind: 'OPENING', amount: FUNDS + 150_000_000, date: '2026-09-22' });
    expect(first!.at).toBe(Date.parse('2026-09-22T09:00:00+05:30'));
    const sold = trades.filter(({ what }) => what[1] === INFY.refId);
    expect(new Set(sold.map(({ date, what }) => `${date} ${what[2]} ${what[3]}`))).toEqual(
      new Set(['2026-10-21 SELL CNC']),
    );
    expect(sold.reduce((sum, { what }) => sum + Number(what[4]), 0)).toBe(20);
    expect(books.closures(A).find(({ refId }) => refId === INFY.refId)).toMatchObject({ buyDate: '2025-07-29' });
  });

  test('a future is carried, in whole lots, from the tenth day before the end to the fifth', () => {
    const carried = history(chance).trades.filter(({ what }) => what[1] === FUTURE.refId && what[3] === 'CNC');
    expect(carried.map(({ date, what }) => [date, what[2], what[4], what[5]])).toEqual([
      ['2026-11-09', 'BUY', 65, 2_610_000],
      ['2026-11-16', 'SELL', 65, 2_610_000],
    ]);
  });

  test('a dividend is paid every twelve trading days', () => {
    const dividends = history(chance)
      .books.ledger(A)
      .filter(({ kind }) => kind === 'DIVIDEND');
    expect(dividends.map(({ date }) => date)).toEqual(['2026-10-01', '2026-10-20', '2026-11-05']);
    expect(
      dividends.map(({ perShare, at }) => [perShare, new Date(at + 19_800_000).toISOString().slice(11, 16)]),
    ).toEqual([0, 1, 2].map(() => [200 + Math.floor(chance * 17) * 50, '11:00']));
    expect(dividends.map(({ shares }) => shares)).toEqual([122, 122, 102]);
  });
});

describe('a day of the history', () => {
  test('buys for delivery: Rs 15,000 of a share at the earliest, sold on the next day', () => {
    const { on } = history(0);
    expect(on('2026-09-22')).toEqual([['09:20:00', TCS.refId, 'BUY', 'CNC', 14, 100_005]]);
    expect(on('2026-09-23')).toEqual([
      ['09:20:00', TCS.refId, 'BUY', 'CNC', 14, 100_005],
      ['09:45:00', TCS.refId, 'SELL', 'CNC', 14, 100_005],
    ]);
    // On the day before the last all is sold, and nothing bought; on the last there is nothing to deliver.
    expect(on('2026-11-19')).toEqual([['09:45:00', TCS.refId, 'SELL', 'CNC', 14, 100_005]]);
    expect(on('2026-11-20')).toEqual([]);
    expect(on('2026-10-01')).toHaveLength(2);
    expect(on(HOLIDAY)).toEqual([]);
  });

  test('buys to hold for some days: later in the day, of more', () => {
    const { on } = history(0.2);
    // 5 + 0.2 × 295 minutes after 09:15; Rs 15,000 + 0.2 × 60,000; sold 1 + 2 days later at 30 + 0.2 × 300 minutes.
    expect(on('2026-09-22')).toEqual(
      [['10:19:00', TCS.refId, 'BUY', 'CNC', 26, 100_005]].flatMap(([t, r, s, p, , c]) => [
        [t, r, s, p, 8, c],
        [t, r, s, p, 18, c],
      ]),
    );
    expect(on('2026-09-25').filter(([, , side]) => side === 'SELL')).toEqual([
      ['10:45:00', TCS.refId, 'SELL', 'CNC', 8, 100_005],
      ['10:45:00', TCS.refId, 'SELL', 'CNC', 18, 100_005],
    ]);
    expect(on('2026-09-24').filter(([, , side]) => side === 'SELL')).toEqual([]);
  });

  test('buys intraday in the morning, and sells after noon', () => {
    // Rs 50,000 + 0.5 × 150,000; 5 + 0.5 × 115 and 150 + 0.5 × 190 minutes.
    expect(history(0.5).on('2026-09-22')).toEqual([
      ['10:17:30', TCS.refId, 'BUY', 'IDAY', 124, 100_005],
      ['13:20:00', TCS.refId, 'SELL', 'IDAY', 124, 100_005],
    ]);
  });

  test('sells intraday in the morning, and buys back after noon', () => {
    expect(history(0.65).on('2026-09-22')).toEqual([
      ['10:34:45', TCS.refId, 'SELL', 'IDAY', 147, 100_005],
      ['13:48:30', TCS.refId, 'BUY', 'IDAY', 147, 100_005],
    ]);
  });

  test('trades a future only within four weeks of the end, and where there is one', () => {
    const { on, trades } = history(0.75);
    expect(on('2026-10-26')).toEqual([
      ['10:31:15', FUTURE.refId, 'BUY', 'IDAY', 65, 2_610_000],
      ['14:07:30', FUTURE.refId, 'SELL', 'IDAY', 65, 2_610_000],
    ]);
    expect(on('2026-10-23')).toEqual([]);
    expect(trades.filter(({ what }) => what[3] === 'IDAY')).toHaveLength(2 * 18);
    expect(history(0.75, 100_003, { future: undefined }).trades.map(({ date }) => date)).toEqual(['2026-10-21']);
  });

  test('trades nothing: only the shares that were too many are sold', () => {
    const { trades } = history(0.95, 100_003, { future: undefined });
    expect(trades).toEqual([{ date: '2026-10-21', what: ['14:03:00', INFY.refId, 'SELL', 'CNC', 20, 100_005] }]);
  });

  test('buys one of a share that costs more than is spent, and at a tick one that costs less than a tick', () => {
    expect(
      history(0, 2_000_000)
        .on('2026-09-22')
        .map((what) => what.slice(4)),
    ).toEqual([[1, 2_000_000]]);
    expect(
      history(0, 1)
        .on('2026-09-22')
        .map((what) => what[5]),
    ).toEqual([5, 5]);
  });

  test('trades the first shares of a plan more often than the last', () => {
    const shares = [TCS, INFY];
    const of = (chance: number) => history(chance, 100_003, { shares, holdings: [] }).on('2026-09-22')[0]![1];
    expect([0.5, 0.62, 0.64].map(of)).toEqual([TCS.refId, TCS.refId, INFY.refId]);
  });
});

test('a history that cannot end with its cash is an error', () => {
  expect(() => history(0.95, 100_003, { funds: -100_000_000 })).toThrow(
    `the history of ${A} cannot end with its opening funds`,
  );
});
