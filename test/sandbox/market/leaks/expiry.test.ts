/** A future of a commodity is settled in cash at its own close. Who pushes that close by buying must not be paid by it. */
import { describe, expect, test } from '@jest/globals';
import { DEFAULT_OPTIONS } from '../../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../../sandbox/src/simulation/sandbox';
import { marketOrder } from '../../../support/in-process';
import { ist } from './bots';

const ACCOUNT = 'SBX001';
const CRORE = 1_000_000_000;
/** The last half hour of trading in the crude oil of September 2026 begins. */
const LAST = ist('2026-09-21T23:00:00');
const SEEDS = [5, 6, 7];

describe('a commodity future that is bought in its last half hour', () => {
  test.each(SEEDS)('is settled at the close that there would have been without the purchase (seed %i)', (seed) => {
    let now = LAST;
    const start = new Date(now).toISOString();
    const options = { ...DEFAULT_OPTIONS, seed, hours: 'exchange', clock: 'manual', latency: '0', start } as const;
    const sandbox = new Sandbox(options, () => now);
    const pass = (ms: number): void => {
      now += ms;
      sandbox.clock.set(now);
      sandbox.now();
    };
    const { world } = sandbox;
    world.trade.addFunds(ACCOUNT, 1_000 * CRORE);
    const [future] = world.universe().futures('MCX', 'CRUDEOIL');
    for (let second = 0; second < 20; second++) {
      const quantity = future!.lotSize * 50;
      world.placeOrder(marketOrder({ account: ACCOUNT, refId: future!.refId, side: 'BUY', quantity, product: 'CNC' }));
      pass(1_000);
    }
    const cost = world.accounts.positions(ACCOUNT)[0]!;
    expect(cost.openQuantity).toBeGreaterThan(500 * future!.lotSize);
    pass(ist('2026-09-22T00:00:01') - now);
    const close = world.marketAlone.close(future!, LAST);
    const ended = world.accounts.closures(ACCOUNT).filter(({ refId }) => refId === future!.refId);
    expect(ended.length).toBeGreaterThan(0);
    expect(ended.map(({ sellValue }) => sellValue)).toEqual(ended.map(({ quantity }) => quantity * close));
    expect(close).toBeLessThan(cost.openValue / cost.openQuantity);
  });
});
