/** Intraday positions are closed in the books when the day is over. Who pushed the price must not get that price for all of it. */
import { describe, expect, test } from '@jest/globals';
import { DEFAULT_OPTIONS } from '../../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../../sandbox/src/simulation/sandbox';
import { limitOrder } from '../../../support/trading';
import { ist } from './bots';

const ACCOUNT = 'SBX001';
const CRORE = 1_000_000_000;
const SEEDS = [2, 3, 4];

/** A sandbox that never closes, with much money, so long before midnight; `pass` lets time go on (milliseconds). */
function beforeMidnight(seed: number, ms = 60_000) {
  let now = ist('2026-11-24T00:00:00') - ms;
  const start = new Date(now).toISOString();
  const sandbox = new Sandbox(
    { ...DEFAULT_OPTIONS, seed, hours: 'always', clock: 'manual', latency: '0', start },
    () => now,
  );
  const pass = (ms: number): void => {
    now += ms;
    sandbox.clock.set(now);
    sandbox.now();
  };
  const { world } = sandbox;
  world.trade.addFunds(ACCOUNT, 1_000 * CRORE);
  const trade = (symbol: string, side: 'BUY' | 'SELL', quantity: number): void => {
    const { refId } = world.universe().bySymbol('NSE', symbol)!;
    const terms = { account: ACCOUNT, refId, side, quantity, product: 'IDAY' as const };
    const market = { priceType: 'MARKET', price: 0, validity: 'IOC' } as const;
    expect(world.placeOrder(limitOrder({ ...terms, ...market })).ok).toBe(true);
  };
  return { world, pass, trade };
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
