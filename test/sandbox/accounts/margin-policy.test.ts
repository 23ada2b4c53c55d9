/**
 * Margin calls: when an account is called, when its positions are closed and which, to the paisa and the instant, on
 * books without a market.
 */
import { describe, expect, test } from '@jest/globals';
import {
  MARGIN_SQUARE_OFF_SOURCE,
  MarginCalls,
  type MarginCallEvent,
} from '../../../sandbox/src/accounts/margin-calls';
import type { Accounts } from '../../../sandbox/src/accounts/types';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import type { NewOrder, Order, Product, Side } from '../../../sandbox/src/shared/orders';
import {
  A,
  accounts,
  CALL,
  fill,
  FUTURE,
  INFY,
  INFY_CALL,
  INFY_FUTURE,
  MORNING,
  order,
  prices,
  snapshot,
  TCS,
} from './support';

const MINUTE = 60_000;
const LOTS = 10 * FUTURE.lotSize;
/** Margin of a lot's worth of the index' future, 9.3 and 2 %. */
const marginOf = (price: number, quantity = LOTS) => (quantity * price * 1_130) / 10_000;

/** The broker's policy at work on books, beside an exchange that notes what it is asked. */
function watched(books: Accounts) {
  const events: MarginCallEvent[] = [];
  const placed: NewOrder[] = [];
  /** Instruments whose own orders were ended, with how many closing orders had been placed before. */
  const ended: [refId: number, placedBefore: number][] = [];
  const cancelled: bigint[] = [];
  const market = { orders: [] as Order[], closed: new Map<number, number>() };
  const calls = new MarginCalls({
    accounts: books,
    exchange: {
      orders: () => market.orders,
      place: (newOrder) => placed.push(newOrder),
      cancel: (id) => cancelled.push(id),
      isOpen: ({ refId }: Instrument) => !market.closed.has(refId),
      session: ({ refId }: Instrument, at: number) => {
        const until = market.closed.get(refId);
        return until === undefined ? { open: true, until: at + MINUTE } : { open: false, until };
      },
    },
    endOrdersOn: ({ refId }) => ended.push([refId, placed.length]),
    onMarginCall: (event) => events.push(event),
  });
  return { books, calls, events, placed, ended, cancelled, market };
}

/** Books with ten lots of a future at its price, and so much beside their margin, paise. */
function opened({ free = 1_000_000, side = 'BUY' as Side } = {}) {
  const of = prices();
  const books = accounts(of);
  books.open(A, { funds: 1_000_000_000, holdings: [] }, MORNING);
  const trade = (
    id: bigint,
    { refId, price }: { refId: number; price: number },
    way: Side,
    quantity: number,
    product: Product = 'CNC',
  ) => books.trade(fill(id, order({ refId, side: way, quantity, product }), quantity, price, MORNING), MORNING);
  const leave = (paise: number) => books.addFunds(A, paise - books.funds(A).available, books.lastEvent());
  trade(1n, { refId: FUTURE.refId, price: 2_610_000 }, side, LOTS);
  leave(free);
  /** Returns the shortfall at a price of the future, paise. */
  const shortAt = (price: number) => {
    of.last.set(FUTURE.refId, price);
    return -books.funds(A).available;
  };
  return { ...watched(books), of, trade, leave, shortAt };
}

describe('a margin call', () => {
  test('is made from the first paisa that is missing, and says how much and until when', () => {
    const { books, calls, events, of, leave } = opened();
    leave(0);
    calls.run(MORNING + 10_000);
    expect(events).toEqual([]);
    books.addFunds(A, 650, MORNING);
    of.last.set(FUTURE.refId, 2_609_990);
    // Ten paise on 650: Rs 65 lost. The margin gives Rs 7.34 of it (half a paisa is rounded) back.
    const missing = 6_500 - 650 - Math.round(marginOf(10));
    calls.run(MORNING + 20_000);
    expect(events).toEqual([
      {
        type: 'called',
        account: A,
        at: MORNING + 20_000,
        shortfall: expect.any(Number),
        required: expect.any(Number),
        due: MORNING + 20_000 + 15 * MINUTE,
      },
    ]);
    expect(Math.abs(events[0]!.shortfall - missing)).toBeLessThanOrEqual(1);
    expect(events[0]!.shortfall).toBe(-books.funds(A).available);
    expect(events[0]!.required).toBe(books.funds(A).heldForPositions);
    calls.run(MORNING + 30_000);
    expect(events).toHaveLength(1);
  });

  test.each(['BUY', 'SELL'] as const)(
    'closes positions (%s) at market where its time does not meet it, then waits half a minute for them',
    (side) => {
      const { books, calls, events, placed, shortAt } = opened({ side });
      const short = shortAt(side === 'BUY' ? 2_570_000 : 2_650_000);
      expect(short).toBeGreaterThan(0);
      calls.run(MORNING);
      const due = MORNING + 15 * MINUTE;
      calls.run(due - 1);
      expect(placed).toEqual([]);
      calls.run(due);
      expect(events.map(({ type, at, shortfall, due: until }) => [type, at, shortfall, until])).toEqual([
        ['called', MORNING, short, due],
        ['square_off', due, short, due],
      ]);
      expect(placed).toEqual([
        {
          ...order({ refId: FUTURE.refId, side: side === 'BUY' ? 'SELL' : 'BUY', quantity: LOTS }),
          validity: 'IOC',
          priceType: 'MARKET',
          price: 0,
          source: MARGIN_SQUARE_OFF_SOURCE,
        },
      ]);
      calls.run(due + 29_999);
      expect(placed).toHaveLength(1);
      calls.run(due + 30_000);
      expect(placed).toHaveLength(2);
      expect(books.state().accounts.get(A)!.marginCall).toEqual({ since: MORNING, due: due + MINUTE, closing: true });
    },
  );

  test.each([
    [0, ['called', 'square_off']],
    [1, ['called']],
  ])('is not waited for where half of the margin is missing; with %d paise less missing it is', (less, reported) => {
    const { books, leave } = opened();
    leave(0);
    const required = books.funds(A).heldForPositions;
    expect(required % 2).toBe(0);
    const state = books.state();
    state.accounts.get(A)!.cash -= required / 2 - less;
    const { calls, events } = watched(accounts(prices(), state));
    calls.run(MORNING);
    calls.run(MORNING + 10_000);
    expect(events.map(({ type }) => type)).toEqual(reported);
  });

  test('ends where it is met, says that nothing is missing, and the next one has its time', () => {
    const { books, calls, events, shortAt } = opened();
    const short = shortAt(2_570_000);
    calls.run(MORNING);
    books.addFunds(A, short, MORNING);
    calls.run(MORNING + 10_000);
    expect(events[1]).toMatchObject({ type: 'met', at: MORNING + 10_000, shortfall: 0, due: MORNING + 10_000 });
    shortAt(2_569_000);
    calls.run(MORNING + 20_000);
    expect(events[2]).toMatchObject({ type: 'called', due: MORNING + 20_000 + 15 * MINUTE });
  });

  test('ends, too, for an account that has closed all and still owes, at the next look', () => {
    const { books, calls, events, shortAt, trade } = opened();
    shortAt(2_250_000);
    calls.run(MORNING);
    expect(events.map(({ type }) => type)).toEqual(['called', 'square_off']);
    trade(2n, { refId: FUTURE.refId, price: 2_250_000 }, 'SELL', LOTS);
    expect(books.marginWatch()).toEqual({ instruments: [], calledFlat: true });
    expect(calls.nextDue()).toBe(MORNING + 10_000);
    calls.run(MORNING + 10_000);
    expect(events[2]).toMatchObject({ type: 'nothing_left', shortfall: -books.funds(A).available });
    expect(calls.nextDue()).toBeUndefined();
  });
});

describe('closing positions', () => {
  test('waits for what is cancelled before, and looks again after ten seconds; an order of the broker is left to trade', () => {
    const { calls, events, placed, cancelled, market, shortAt } = opened();
    shortAt(2_200_000);
    const mine = snapshot(5n, order({ refId: FUTURE.refId, side: 'SELL' }), 'OPEN');
    const brokers = snapshot(
      6n,
      { ...order({ refId: FUTURE.refId, side: 'SELL' }), source: MARGIN_SQUARE_OFF_SOURCE },
      'SENT',
    );
    const over = snapshot(7n, order({ refId: FUTURE.refId, side: 'SELL' }), 'FILLED');
    market.orders = [mine, brokers, over];
    calls.run(MORNING);
    expect([cancelled, placed]).toEqual([[5n], []]);
    calls.run(MORNING + 9_999);
    market.orders = [over];
    expect(placed).toEqual([]);
    calls.run(MORNING + 10_000);
    expect(placed).toHaveLength(1);
    expect(events.map(({ type }) => type)).toEqual(['called', 'square_off']);
  });

  test('takes those that need the most first, and no more than are needed; what is not open now is left out', () => {
    const { books, calls, placed, ended, market, trade, shortAt } = opened({ free: 800_000_000 });
    trade(2n, { refId: INFY_FUTURE.refId, price: 150_500 }, 'SELL', 400);
    trade(3n, { refId: TCS.refId, price: 300_000 }, 'BUY', 10, 'IDAY');
    trade(4n, { refId: CALL.refId, price: 20_000 }, 'BUY', 65);
    expect(books.marginPositions(A)).toEqual([
      { refId: FUTURE.refId, product: 'CNC', quantity: LOTS, margin: marginOf(2_610_000) },
      { refId: INFY_FUTURE.refId, product: 'CNC', quantity: -400, margin: (400 * 150_500 * 1_770) / 10_000 },
      { refId: TCS.refId, product: 'IDAY', quantity: 10, margin: 600_000 },
    ]);
    books.addFunds(A, -books.funds(A).available, MORNING);
    market.closed.set(FUTURE.refId, MORNING + MINUTE);
    const short = shortAt(2_590_000);
    expect(short).toBeGreaterThan((400 * 150_500 * 1_770) / 10_000);
    calls.run(MORNING);
    calls.run(MORNING + 15 * MINUTE);
    expect(placed.map(({ refId, side, quantity, product }) => [refId, side, quantity, product])).toEqual([
      [INFY_FUTURE.refId, 'BUY', 400, 'CNC'],
      [TCS.refId, 'SELL', 10, 'IDAY'],
    ]);
    // What its owner has on a position ends before the broker closes it.
    expect(ended).toEqual([
      [INFY_FUTURE.refId, 0],
      [TCS.refId, 1],
    ]);
    market.closed.clear();
    calls.run(MORNING + 15 * MINUTE + 30_000);
    expect(placed.slice(2).map(({ refId }) => refId)).toEqual([FUTURE.refId]);
  });
});

test('the second position stays where the first one’s margin is just what is missing', () => {
  const { books, leave, trade } = opened();
  trade(2n, { refId: INFY_FUTURE.refId, price: 150_500 }, 'BUY', 400);
  leave(0);
  const state = books.state();
  state.accounts.get(A)!.cash -= marginOf(2_610_000);
  const { calls, placed } = watched(accounts(prices(), state));
  calls.run(MORNING);
  expect(placed.map(({ refId }) => refId)).toEqual([FUTURE.refId]);
});

describe('the next look', () => {
  test('is at the next ten seconds of an open market, else when the first one opens; never without a position on margin', () => {
    const { calls, books, market, trade } = opened({ free: 800_000_000 });
    expect(calls.nextDue()).toBe(MORNING + 10_000);
    calls.run(MORNING + 3_000);
    expect(calls.nextDue()).toBe(MORNING + 10_000);
    market.closed.set(FUTURE.refId, MORNING + 30 * MINUTE);
    expect(calls.nextDue()).toBe(MORNING + 30 * MINUTE);
    trade(2n, { refId: INFY_FUTURE.refId, price: 150_500 }, 'BUY', 400);
    expect(calls.nextDue()).toBe(MORNING + 10_000);
    market.closed.set(INFY_FUTURE.refId, MORNING + 20 * MINUTE);
    expect(calls.nextDue()).toBe(MORNING + 20 * MINUTE);
    trade(3n, { refId: INFY_FUTURE.refId, price: 150_500 }, 'SELL', 400);
    trade(4n, { refId: FUTURE.refId, price: 2_610_000 }, 'SELL', LOTS);
    expect(books.marginWatch()).toEqual({ instruments: [], calledFlat: false });
    expect(calls.nextDue()).toBeUndefined();
  });

  test('watches a bought option of a share from its first day, though it needs no margin until its last ones', () => {
    const { books, of, trade } = opened();
    trade(2n, { refId: FUTURE.refId, price: 2_610_000 }, 'SELL', LOTS);
    trade(3n, { refId: INFY_CALL.refId, price: 6_000 }, 'BUY', 400);
    trade(4n, { refId: CALL.refId, price: 20_000 }, 'BUY', 65);
    trade(5n, { refId: TCS.refId, price: 300_000 }, 'BUY', 10);
    expect(books.marginWatch().instruments.map(({ symbol }) => symbol)).toEqual([INFY_CALL.symbol]);
    const account = (at: number) => books.marginReview(at).map(({ onMargin }) => onMargin);
    // Two trading days before the expiry on Tuesday: 45 % of a fifth of the shares' value.
    expect(account(MORNING)).toEqual([true]);
    expect(books.marginPositions(A)).toEqual([
      { refId: INFY_CALL.refId, product: 'CNC', quantity: 400, margin: 400 * 150_000 * 0.2 * 0.45 },
    ]);
    of.last.set(1, 145_000);
    expect(books.marginPositions(A)).toEqual([]);
  });
});

describe('shares that are not paid for', () => {
  const DAY = 86_400_000;
  /** Books whose account owes ₹20,000 and charges for what it bought on Friday, in the morning so many days later; `at` is then. */
  function owing(days: number, between = (_books: Accounts, _day: number) => {}) {
    const of = prices();
    const books = accounts(of);
    const holdings = [
      { refId: INFY.refId, quantity: 100, averagePrice: 120_000 },
      { refId: TCS.refId, quantity: 5, averagePrice: 300_000 },
    ];
    books.open(A, { funds: 10_000_000, holdings }, MORNING);
    const bought = order({ refId: TCS.refId, quantity: 40, price: 300_000 });
    books.trade(fill(1n, bought, 40, 300_000, MORNING), MORNING);
    for (let day = 0; day < days; day++) {
      between(books, day);
      const date = new Date(MORNING + day * DAY).toISOString().slice(0, 10);
      books.endOfDay(date, Date.parse(`${date}T23:59:59.999+05:30`));
    }
    return { ...watched(books), at: MORNING + days * DAY, of };
  }
  const sold = (placed: readonly NewOrder[]) =>
    placed.map(({ refId, side, quantity, product }) => [refId, side, quantity, product]);

  test('are called for on the sixth trading day after the first evening below zero, and sold in as many as are missing', () => {
    // Friday evening and those of five more trading days, with the weekend between them.
    const early = owing(7);
    early.calls.run(early.at);
    expect([early.events, early.books.marginWatch().instruments]).toEqual([[], []]);
    const { books, calls, events, placed, ended, at } = owing(8);
    expect(books.closes(A).at(-1)!.date).toBe('2026-11-27');
    calls.run(at);
    const { cash } = books.funds(A);
    expect(cash).toBeLessThan(-2_000_000);
    expect(events).toMatchObject([{ type: 'called', shortfall: -cash, required: 45 * 300_000 + 100 * 150_000 }]);
    calls.run(at + 15 * MINUTE);
    // Those of the larger value: INFY at ₹1,500, and one more than are worth what is missing.
    expect(sold(placed)).toEqual([[INFY.refId, 'SELL', Math.round(-cash / 150_000) + 1, 'CNC']]);
    expect(ended).toEqual([]);
  });

  test('stay where the money comes in time, also for a night', () => {
    const { books, calls, events, at } = owing(8, (books, day) => {
      const now = books.lastEvent();
      if (day === 4) books.addFunds(A, 3_000_000, now);
      if (day === 5) books.trade(fill(2n, order({ refId: TCS.refId }), 10, 300_000, now), now);
    });
    calls.run(at);
    expect(books.closes(A).map(({ funds }) => Math.sign(funds.cash))).toEqual([-1, -1, -1, -1, 1, -1, -1, -1]);
    expect(events).toEqual([]);
  });

  test('are not those that are pledged, and are sold without the authorisation of their owner', () => {
    const { books, calls, placed, at } = owing(8, (books, day) => {
      if (day > 0) return;
      books.pledge(A, INFY.refId, 100, books.lastEvent());
      books.authoriseSales(A, 'none', books.lastEvent());
    });
    calls.run(at);
    calls.run(at + 15 * MINUTE);
    expect(sold(placed)).toMatchObject([[TCS.refId, 'SELL', expect.any(Number), 'CNC']]);
    expect(books.hold(9n, placed[0]!, 300_000, at)).toEqual({ ok: true });
    expect(books.hold(10n, { ...placed[0]!, source: 'ORDER_SOURCE_NORMAL' }, 300_000, at)).toMatchObject({
      code: 'EDIS_AUTHORISATION_REQUIRED',
    });
  });
});
