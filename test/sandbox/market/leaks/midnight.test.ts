/** Intraday positions are closed in the books when the day is over. Who pushed the price must not get that price for all of it. */
import { describe, expect, test } from '@jest/globals';
import { MARGIN_SQUARE_OFF_SOURCE } from '../../../../sandbox/src/accounts/margin-calls';
import { DEFAULT_OPTIONS } from '../../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../../sandbox/src/simulation/sandbox';
import { limitOrder } from '../../../support/trading';
import type { Product, Side } from '../../../../sandbox/src/shared/orders';
import { ist } from './bots';
import { share } from '../../../support/sample';

const ACCOUNT = 'SBX001';
const CRORE = 1_000_000_000;
const SEEDS = share([2, 3, 4], 3, 0);

/** A sandbox that never closes, with much money, so long before midnight; `pass` lets time go on (milliseconds). */
function beforeMidnight(seed: number, ms = 60_000, latency = '0') {
  let now = ist('2026-11-24T00:00:00') - ms;
  const start = new Date(now).toISOString();
  const sandbox = new Sandbox(
    { ...DEFAULT_OPTIONS, seed, hours: 'always', clock: 'manual', latency, start },
    () => now,
  );
  const pass = (ms: number): void => {
    now += ms;
    sandbox.clock.set(now);
    sandbox.now();
  };
  const { world } = sandbox;
  world.trade.addFunds(ACCOUNT, 1_000 * CRORE);
  const place = (refId: number, side: Side, quantity: number, product: Product): bigint => {
    const market = { priceType: 'MARKET', price: 0, validity: 'IOC' } as const;
    const placed = world.placeOrder(limitOrder({ account: ACCOUNT, refId, side, quantity, product, ...market }));
    if (!placed.ok) throw new Error(placed.text);
    return placed.order.id;
  };
  const trade = (symbol: string, side: Side, quantity: number): bigint =>
    place(world.universe().bySymbol('NSE', symbol)!.refId, side, quantity, 'IDAY');
  return { world, pass, place, trade };
}

describe('an intraday position that is open at midnight', () => {
  test.each(SEEDS)('earns nothing of what it has pushed itself (seed %i)', (seed) => {
    for (const side of ['BUY', 'SELL'] as const) {
      const { world, pass, trade } = beforeMidnight(seed);
      for (let second = 0; second < 50; second++) {
        for (let piece = 0; piece < 5; piece++) trade('TATASTEEL', side, 50_000);
        pass(1_000);
      }
      const open = world.accounts.positions(ACCOUNT).find(({ openQuantity }) => openQuantity !== 0)!;
      expect(Math.abs(open.openQuantity)).toBeGreaterThan(1_000_000);
      pass(11_000);
      expect(world.accounts.positions(ACCOUNT)).toEqual([]);
      const { funds } = world.accounts.closes(ACCOUNT).at(-1)!;
      // At the last price it had earned some tenths of a percent.
      expect(funds.realised).toBeLessThan(0);
      expect(world.accounts.ledger(ACCOUNT).at(-2)!.text).toContain('pushed by its size');
    }
  });

  test.each(SEEDS)('earns nothing of how far its own orders of the last second have walked (seed %i)', (seed) => {
    for (const side of ['BUY', 'SELL'] as const) {
      const { world, pass, trade } = beforeMidnight(seed, 300);
      for (let piece = 0; piece < 5; piece++) {
        trade('TATASTEEL', side, 50_000);
        pass(1);
      }
      pass(300);
      const { funds, positions } = world.accounts.closes(ACCOUNT).at(-1)!;
      expect(positions.filter(({ product }) => product === 'IDAY')[0]!.buyQuantity).toBeGreaterThan(50_000);
      // A quarter of a percent was earned by it.
      expect(funds.realised).toBeLessThan(0);
    }
  });

  test('is closed at the last price where it is small', () => {
    const { world, pass, trade } = beforeMidnight(5);
    trade('TATASTEEL', 'BUY', 1);
    pass(59_999);
    const last = world.lastPrice(world.universe().bySymbol('NSE', 'TATASTEEL')!);
    pass(1);
    const { trade: closing } = world.accounts.trades(ACCOUNT).at(-1)!;
    expect(closing).toMatchObject({ side: 'SELL', product: 'IDAY', quantity: 1, price: last });
  });
});

test('an intraday order that is on its way at midnight trades nothing: what it would close is closed already', () => {
  const { world, pass, trade } = beforeMidnight(5, 60_000, 'retail');
  trade('TATASTEEL', 'BUY', 10);
  pass(59_999);
  const late = trade('TATASTEEL', 'SELL', 10);
  pass(5_000);
  expect(world.order(late)).toMatchObject({ status: 'REJECTED', reason: expect.stringContaining('INTRADAY_CLOSED') });
  expect(world.accounts.positions(ACCOUNT)).toEqual([]);
  expect(world.accounts.funds(ACCOUNT).heldForOrders).toBe(0);
});

describe('a future that is carried over nights in a market that is always open', () => {
  test('is marked to market once a night, and needs its margin on each day', () => {
    const { world, pass, place } = beforeMidnight(3);
    const future = world.universe().futures('NSE', 'NIFTY')[1]!;
    place(future.refId, 'SELL', future.lotSize, 'CNC');
    pass(0);
    const { trade } = world.accounts.trades(ACCOUNT).at(-1)!;
    let carriedAt = trade.price;
    for (let night = 0; night < 4; night++) {
      const seen = world.accounts.ledger(ACCOUNT).length;
      pass(night === 0 ? 59_999 : 86_399_999);
      const close = world.lastPrice(future);
      pass(1);
      const marks = world.accounts.ledger(ACCOUNT).slice(seen);
      expect(marks).toMatchObject([{ kind: 'MARK_TO_MARKET', amount: (carriedAt - close) * future.lotSize }]);
      carriedAt = close;
      const [position] = world.accounts.positions(ACCOUNT);
      expect(position).toMatchObject({ openQuantity: -future.lotSize, openValue: -close * future.lotSize });
      // 9.3 % SPAN and 2 % exposure of its value now.
      const value = world.lastPrice(future) * future.lotSize;
      expect(world.accounts.funds(ACCOUNT).heldForPositions).toBe(Math.round(value * 0.093) + Math.round(value * 0.02));
    }
  });

  test('is called for on a Sunday, too, where its margin is missing', () => {
    const { world, pass, place } = beforeMidnight(3);
    const future = world.universe().futures('NSE', 'NIFTY')[1]!;
    place(future.refId, 'BUY', future.lotSize, 'CNC');
    pass(5 * 86_400_000);
    world.trade.addFunds(ACCOUNT, -world.accounts.funds(ACCOUNT).available);
    world.trade.movePrice(future.refId, Math.round((world.lastPrice(future) * 0.97) / 100) * 100);
    pass(20 * 60_000);
    expect(world.ordersOf(ACCOUNT).at(-1)).toMatchObject({ source: MARGIN_SQUARE_OFF_SOURCE, side: 'SELL' });
    expect(world.accounts.positions(ACCOUNT).map(({ openQuantity }) => openQuantity)).toEqual([0]);
  });
});
