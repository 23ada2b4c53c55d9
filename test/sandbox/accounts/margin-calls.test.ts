import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MARGIN_SQUARE_OFF_SOURCE } from '../../../sandbox/src/accounts/margin-calls';
import { DEFAULTS } from '../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import { istText } from '../../../sandbox/src/shared/time';
import type { NewOrder } from '../../../sandbox/src/shared/orders';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 4);
const ACCOUNT = 'SBX001';
const START = Date.parse('2026-11-18T10:00:00+05:30');
const MINUTE = 60_000;

function opened(seed = 7) {
  let now = START;
  const sandbox = new Sandbox(
    { ...DEFAULTS, seed, hours: 'exchange', clock: 'manual', start: '2026-11-18T10:00:00+05:30' },
    () => now,
  );
  const { world } = sandbox;
  const nifty = world.universe().bySymbol('NSE', 'NIFTY')!;
  const future = world.universe().futures('NSE', 'NIFTY')[0]!;
  const place = (more: Partial<NewOrder>) =>
    world.placeOrder({
      account: ACCOUNT,
      refId: future.refId,
      kind: 'REGULAR',
      side: 'BUY',
      quantity: 25 * future.lotSize,
      product: 'CNC',
      validity: 'DAY',
      priceType: 'MARKET',
      price: 0,
      triggerPrice: 0,
      legSize: 0,
      tag: '',
      basketId: 0n,
      source: 'ORDER_SOURCE_NORMAL',
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

type Desk = ReturnType<typeof opened>;

/** Buys futures, and leaves ten thousand rupees beside them. */
function load(desk: Desk, lots = 48): void {
  for (let left = lots; left > 0; left -= 24) {
    desk.place({ quantity: Math.min(24, left) * desk.future.lotSize });
    desk.wait(3_000);
  }
  expect(desk.open()).toBe(lots * desk.future.lotSize);
  desk.world.trade.addFunds(ACCOUNT, 1_000_000 - desk.funds().available);
}

describe('margin calls', () => {
  test('an account that has less than its positions need is called, and closed out when its time is over', () => {
    const desk = opened();
    load(desk);
    expect(desk.calls()).toEqual([]);
    desk.move(-2.5);
    desk.wait(11_000);
    expect(desk.funds().available).toBeLessThan(0);
    expect(desk.calls()).toEqual(['called']);
    const working = desk.place({ side: 'SELL', priceType: 'LIMIT', price: desk.world.lastPrice(desk.future) + 50_000 });
    desk.wait(13 * MINUTE);
    expect(desk.forced()).toEqual([]);
    desk.wait(4 * MINUTE);
    expect(desk.calls()[1]).toBe('square_off');
    expect(working.ok && desk.world.order(working.order.id)).toMatchObject({ status: 'CANCELLED' });
    expect(desk.forced()[0]).toMatchObject({
      side: 'SELL',
      validity: 'IOC',
      status: 'FILLED',
      refId: desk.future.refId,
    });
    expect(desk.open()).toBe(0);
    expect(desk.funds().available).toBeGreaterThan(0);
    expect(desk.calls().at(-1)).toBe('met');
  });

  test('who pays in is left alone, and may be called again', () => {
    const desk = opened();
    load(desk);
    desk.move(-2.5);
    desk.wait(11_000);
    desk.world.trade.addFunds(ACCOUNT, 200_000_000);
    desk.wait(20 * MINUTE);
    expect(desk.calls()).toEqual(['called', 'met']);
    expect(desk.forced()).toEqual([]);
    desk.move(-5);
    desk.wait(11_000);
    expect(desk.calls()).toEqual(['called', 'met', 'called']);
  });

  test('a large shortfall is not waited for', () => {
    const desk = opened();
    load(desk);
    desk.move(-7);
    desk.wait(MINUTE);
    expect(desk.calls().slice(0, 2)).toEqual(['called', 'square_off']);
    expect(desk.open()).toBe(0);
    desk.wait(MINUTE);
    const left = desk.calls().length;
    desk.wait(5 * MINUTE);
    expect(desk.calls()).toHaveLength(left);
  });

  test('no more is closed than it takes: the position with the largest margin, and the other one stays', () => {
    const desk = opened();
    const other = desk.world.universe().futures('NSE', 'BANKNIFTY')[0]!;
    desk.place({ refId: other.refId, quantity: 2 * other.lotSize });
    desk.wait(3_000);
    load(desk, 24);
    desk.move(-2.5);
    desk.wait(17 * MINUTE);
    expect(new Set(desk.forced().map(({ refId }) => refId))).toEqual(new Set([desk.future.refId]));
    expect(desk.world.accounts.marginPositions(ACCOUNT)).toMatchObject([{ refId: other.refId }]);
    expect(desk.calls().at(-1)).toBe('met');
  });

  test('a bought option is never called for', () => {
    const desk = opened();
    const expiry = desk.world.universe().expiries('NSE', 'NIFTY')[1]!;
    const call = desk.world.universe().options('NSE', 'NIFTY', expiry).ce[10]!;
    desk.place({ refId: call.refId, quantity: call.lotSize });
    desk.wait(3_000);
    desk.move(-7);
    desk.wait(MINUTE);
    expect(desk.calls()).toEqual([]);
    expect(desk.world.accounts.marginWatch()).toEqual({ instruments: [], calledFlat: false });
  });

  test('the same seed and commands bring the same calls and closing orders; the books reconcile to the paisa', () => {
    const step = fc.record({
      percent: fc.integer({ min: -4, max: 4 }),
      lots: fc.integer({ min: -30, max: 30 }),
      seconds: fc.integer({ min: 1, max: 900 }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.array(step, { minLength: 3, maxLength: 8 }),
        (seed, steps) => {
          const run = (looking: boolean) => {
            const desk = opened(seed);
            desk.place({ quantity: 24 * desk.future.lotSize });
            desk.wait(3_000);
            desk.world.trade.addFunds(ACCOUNT, 1_000_000 - desk.funds().available);
            for (const { percent, lots, seconds } of steps) {
              if (lots !== 0) {
                desk.place({
                  side: lots > 0 ? 'BUY' : 'SELL',
                  quantity: Math.min(27, Math.abs(lots)) * desk.future.lotSize,
                });
                desk.wait(3_000);
              }
              desk.move(percent);
              if (!looking) desk.wait(seconds * 1_000);
              // Who looks more often sees the same.
              else for (let left = seconds; left > 0; left -= 100) desk.wait(Math.min(100, left) * 1_000);
              const funds = desk.funds();
              expect(funds.cash).toBe(funds.opening + funds.added + funds.realised - funds.charges - funds.invested);
              expect(funds.available).toBe(
                funds.cash - funds.heldForOrders - funds.heldForPositions + funds.collateralUsed - funds.unrealisedLoss,
              );
              expect(desk.world.accounts.ledger(ACCOUNT).at(-1)!.balance).toBe(funds.cash);
            }
            return {
              calls: desk.sandbox.journal.after(0, 'margin_call', 1_000),
              orders: desk.forced(),
              funds: desk.funds(),
            };
          };
          expect(run(true)).toEqual(run(false));
        },
      ),
      { numRuns: RUNS },
    );
  }, 300_000);
});

describe('the margin of bought options that are about to be settled in shares', () => {
  /** Four lots of a call far in the money, with little money beside them, over some days that are looked at so often. */
  function called(looks: number) {
    const desk = opened();
    const { world } = desk;
    const share = world.universe().bySymbol('NSE', 'RELIANCE')!;
    const { expiry } = world.universe().futures('NSE', 'RELIANCE')[0]!;
    const calls = world.universe().options('NSE', 'RELIANCE', expiry).ce;
    const option = calls.filter(({ strikePrice }) => strikePrice < 0.92 * world.lastPrice(share)).at(-1)!;
    desk.place({ refId: option.refId, quantity: 4 * option.lotSize });
    desk.wait(3_000);
    world.trade.addFunds(ACCOUNT, 1_000_000 - desk.funds().available);
    const days = 5 * 24 * 60 * MINUTE;
    for (let look = 0; look < looks; look += 1) desk.wait(days / looks);
    return {
      steps: desk.sandbox.journal.after(0, 'margin_call', 1_000).map(({ at, data }) => [istText(at), data['event']]),
      left: world.accounts.positions(ACCOUNT).filter(({ refId, quantity }) => refId === option.refId && quantity !== 0),
    };
  }

  test('leads to a margin call and to selling, at the same instants however often time is looked at', () => {
    const once = called(1);
    // 10 % of the shares' margin was there, 25 % on the next morning are not.
    expect(once.steps.slice(0, 2)).toEqual([
      ['2026-11-19T09:15:00.000+05:30', 'called'],
      ['2026-11-19T09:30:00.000+05:30', 'square_off'],
    ]);
    expect(once.left).toEqual([]);
    expect(called(300)).toEqual(once);
  });
});
