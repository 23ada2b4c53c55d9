/** An account that trades futures on NIFTY in a separate sandbox, and what the broker does to it. */
import { expect } from '@jest/globals';
import { MARGIN_SQUARE_OFF_SOURCE } from '../../../sandbox/src/accounts/margin-calls';
import type { NewOrder } from '../../../sandbox/src/shared/orders';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import { marketOrder } from '../../support/in-process';

/** The first account of the sandbox. */
export const ACCOUNT = 'SBX001';
/** Milliseconds since the epoch. */
export const START = Date.parse('2026-11-18T10:00:00+05:30');
export const MINUTE = 60_000;

/** Starts a sandbox whose clock moves by `wait` alone, with the nearest future on NIFTY. */
export function opened(seed = 7) {
  let now = START;
  const sandbox = new Sandbox(
    { ...DEFAULT_OPTIONS, seed, hours: 'exchange', clock: 'manual', start: '2026-11-18T10:00:00+05:30' },
    () => now,
  );
  const { world } = sandbox;
  const nifty = world.universe().bySymbol('NSE', 'NIFTY')!;
  const future = world.universe().futures('NSE', 'NIFTY')[0]!;
  const place = (more: Partial<NewOrder>) =>
    world.placeOrder({
      ...marketOrder({
        account: ACCOUNT,
        refId: future.refId,
        side: 'BUY',
        quantity: 25 * future.lotSize,
        product: 'CNC',
      }),
      ...more,
    });
  const wait = (ms: number) => {
    now += ms;
    sandbox.clock.set(now);
    sandbox.now();
  };
  const move = (percent: number) => {
    world.trade.movePrice(nifty.refId, Math.round(world.lastPrice(nifty) * (1 + percent / 100)));
  };
  const calls = () => sandbox.journal.after(0, 'margin_call', 1_000).map(({ data }) => data['event']);
  const forced = () => world.ordersOf(ACCOUNT).filter(({ source }) => source === MARGIN_SQUARE_OFF_SOURCE);
  const open = () => world.accounts.positions(ACCOUNT).find(({ refId }) => refId === future.refId)?.openQuantity ?? 0;
  const funds = () => world.accounts.funds(ACCOUNT);
  return { sandbox, world, nifty, future, place, wait, move, calls, forced, open, funds };
}

/** The sandbox that `opened` starts, and its account. */
export type Trading = ReturnType<typeof opened>;

/** Buys futures, and leaves ten thousand rupees beside them. */
export function load(trading: Trading, lots = 48): void {
  for (let left = lots; left > 0; left -= 24) {
    trading.place({ quantity: Math.min(24, left) * trading.future.lotSize });
    trading.wait(3_000);
  }
  expect(trading.open()).toBe(lots * trading.future.lotSize);
  trading.world.trade.addFunds(ACCOUNT, 1_000_000 - trading.funds().available);
}
