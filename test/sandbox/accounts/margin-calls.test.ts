import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MARGIN_SQUARE_OFF_SOURCE } from '../../../sandbox/src/accounts/margin-calls';
import { istText } from '../../../sandbox/src/shared/time';
import type { Trade } from '../../../sandbox/src/shared/orders';
import { ACCOUNT, load, MINUTE, opened } from './margin-call-bench';
import { A, accounts, CALL, fill, MORNING, order, prices } from './support';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 4);
describe('margin calls', () => {
  test('an account that has less than its positions need is called, and closed out when its time is over', () => {
    const trading = opened();
    load(trading);
    expect(trading.calls()).toEqual([]);
    trading.move(-2.5);
    trading.wait(11_000);
    expect(trading.funds().available).toBeLessThan(0);
    expect(trading.calls()).toEqual(['called']);
    const working = trading.place({
      side: 'SELL',
      priceType: 'LIMIT',
      price: trading.world.lastPrice(trading.future) + 50_000,
    });
    trading.wait(13 * MINUTE);
    expect(trading.forced()).toEqual([]);
    trading.wait(4 * MINUTE);
    expect(trading.calls()[1]).toBe('square_off');
    expect(working.ok && trading.world.order(working.order.id)).toMatchObject({ status: 'CANCELLED' });
    expect(trading.forced()[0]).toMatchObject({
      side: 'SELL',
      validity: 'IOC',
      status: 'FILLED',
      refId: trading.future.refId,
    });
    // No more is closed than it takes: the book is thin after the fall, and what is left has its margin.
    expect(trading.open()).toBeLessThan(12 * trading.future.lotSize);
    expect(trading.funds().available).toBeGreaterThan(0);
    expect(trading.calls().at(-1)).toBe('met');
  });

  test('a position that its owner closes in the last moment, before any list shows the order, is not closed a second time', () => {
    const trading = opened();
    load(trading, 24);
    trading.move(-2.5);
    trading.wait(11_000);
    const [called] = trading.sandbox.journal.after(0, 'margin_call', 1);
    trading.wait(called!.at + 15 * MINUTE - trading.sandbox.instant - 100);
    trading.place({ side: 'SELL', quantity: 24 * trading.future.lotSize, validity: 'IOC' });
    for (let seconds = 0; seconds < 60; seconds++) {
      trading.wait(1_000);
      expect(trading.open()).toBeGreaterThanOrEqual(0);
    }
    expect(trading.calls().at(-1)).toMatch(/met|nothing_left/);
  });

  test('an account that pays in is left alone, and may be called again', () => {
    const trading = opened();
    load(trading);
    trading.move(-2.5);
    trading.wait(11_000);
    trading.world.trade.addFunds(ACCOUNT, 200_000_000);
    trading.wait(20 * MINUTE);
    expect(trading.calls()).toEqual(['called', 'met']);
    expect(trading.forced()).toEqual([]);
    trading.move(-5);
    trading.wait(11_000);
    expect(trading.calls()).toEqual(['called', 'met', 'called']);
  });

  test('a large shortfall is not waited for', () => {
    const trading = opened();
    load(trading);
    trading.move(-7);
    trading.wait(MINUTE);
    expect(trading.calls().slice(0, 2)).toEqual(['called', 'square_off']);
    trading.wait(MINUTE);
    expect(trading.funds().available).toBeGreaterThanOrEqual(0);
    const left = trading.calls().length;
    trading.wait(5 * MINUTE);
    expect(trading.calls()).toHaveLength(left);
  });

  test('no more is closed than is needed: the position with the largest margin, and the other one stays', () => {
    const trading = opened();
    const other = trading.world.universe().futures('NSE', 'BANKNIFTY')[0]!;
    trading.place({ refId: other.refId, quantity: 2 * other.lotSize });
    trading.wait(3_000);
    load(trading, 24);
    trading.move(-2.5);
    trading.wait(17 * MINUTE);
    expect(new Set(trading.forced().map(({ refId }) => refId))).toEqual(new Set([trading.future.refId]));
    expect(trading.world.accounts.marginPositions(ACCOUNT)).toMatchObject([{ refId: other.refId }]);
    expect(trading.calls().at(-1)).toBe('met');
  });

  test('a bought option is never called for', () => {
    const trading = opened();
    const expiry = trading.world.universe().expiries('NSE', 'NIFTY')[1]!;
    const call = trading.world.universe().options('NSE', 'NIFTY', expiry).ce[10]!;
    trading.place({ refId: call.refId, quantity: call.lotSize });
    trading.wait(3_000);
    trading.move(-7);
    trading.wait(MINUTE);
    expect(trading.calls()).toEqual([]);
    expect(trading.world.accounts.marginWatch()).toEqual({ instruments: [], calledFlat: false });
  });

  test('bought options are called for where they are owed for: the sold ones that they hedged were bought back without the money', () => {
    const trading = opened();
    const { world } = trading;
    const { ce } = world.universe().options('NSE', 'NIFTY', world.universe().expiries('NSE', 'NIFTY')[1]!);
    const call = ce.find(({ strikePrice }) => strikePrice > 0.96 * world.lastPrice(trading.nifty))!;
    const quantity = 10 * call.lotSize;
    for (const [side, product] of [
      ['SELL', 'IDAY'],
      ['BUY', 'CNC'],
    ] as const) {
      trading.place({ refId: call.refId, side, quantity, product });
      trading.wait(3_000);
    }
    // The same option in both products needs little margin, so nearly everything can be paid out.
    world.trade.addFunds(ACCOUNT, 1_000_000 - trading.funds().available);
    trading.place({ refId: call.refId, side: 'BUY', quantity, product: 'IDAY' });
    trading.wait(3_000);
    expect(trading.funds().cash).toBeLessThan(-20_000_000);
    trading.wait(MINUTE);
    expect(trading.calls().slice(0, 2)).toEqual(['called', 'square_off']);
    expect(trading.forced()[0]).toMatchObject({ refId: call.refId, side: 'SELL', product: 'CNC' });
    expect(trading.funds().available).toBeGreaterThan(0);
    expect(trading.calls().at(-1)).toBe('met');
  });

  test('a bought option is called for from a balance of minus a tenth of its value on, not because of its charges', () => {
    const of = prices();
    const books = accounts(of);
    const premium = CALL.lotSize * of.last.get(CALL.refId)!;
    books.open(A, { funds: premium, holdings: [] }, MORNING);
    const bought = order({ refId: CALL.refId, quantity: CALL.lotSize, price: of.last.get(CALL.refId)! });
    books.trade(fill(1n, bought, CALL.lotSize, bought.price, MORNING), MORNING);
    const { cash } = books.funds(A);
    expect(cash).toBeLessThan(0);
    expect(books.marginReview(MORNING)).toEqual([]);
    expect(books.marginWatch().instruments).toEqual([CALL]);
    of.last.set(CALL.refId, Math.floor((-cash * 10) / CALL.lotSize));
    const required = CALL.lotSize * of.last.get(CALL.refId)!;
    expect(books.marginReview(MORNING)).toMatchObject([{ account: A, available: cash, required, onMargin: true }]);
    expect(books.marginPositions(A)).toMatchObject([{ refId: CALL.refId, quantity: CALL.lotSize }]);
    books.addFunds(A, -cash, MORNING);
    expect(books.marginReview(MORNING)).toEqual([]);
    expect(books.marginWatch()).toEqual({ instruments: [], calledFlat: false });
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
            const trading = opened(seed);
            trading.place({ quantity: 24 * trading.future.lotSize });
            trading.wait(3_000);
            trading.world.trade.addFunds(ACCOUNT, 1_000_000 - trading.funds().available);
            for (const { percent, lots, seconds } of steps) {
              if (lots !== 0) {
                trading.place({
                  side: lots > 0 ? 'BUY' : 'SELL',
                  quantity: Math.min(27, Math.abs(lots)) * trading.future.lotSize,
                });
                trading.wait(3_000);
              }
              trading.move(percent);
              if (!looking) trading.wait(seconds * 1_000);
              // Who looks more often sees the same.
              else for (let left = seconds; left > 0; left -= 100) trading.wait(Math.min(100, left) * 1_000);
              const funds = trading.funds();
              expect(funds.cash).toBe(funds.opening + funds.added + funds.realised - funds.charges - funds.invested);
              expect(funds.available).toBe(
                funds.cash - funds.heldForOrders - funds.heldForPositions + funds.collateralUsed - funds.unrealisedLoss,
              );
              expect(trading.world.accounts.ledger(ACCOUNT).at(-1)!.balance).toBe(funds.cash);
            }
            return {
              calls: trading.sandbox.journal.after(0, 'margin_call', 1_000),
              orders: trading.forced(),
              funds: trading.funds(),
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
  function called(reads: number) {
    const trading = opened();
    const { world } = trading;
    const share = world.universe().bySymbol('NSE', 'RELIANCE')!;
    const { expiry } = world.universe().futures('NSE', 'RELIANCE')[0]!;
    const calls = world.universe().options('NSE', 'RELIANCE', expiry).ce;
    const option = calls.filter(({ strikePrice }) => strikePrice < 0.92 * world.lastPrice(share)).at(-1)!;
    trading.place({ refId: option.refId, quantity: 4 * option.lotSize });
    trading.wait(3_000);
    world.trade.addFunds(ACCOUNT, 1_000_000 - trading.funds().available);
    const days = 5 * 24 * 60 * MINUTE;
    for (let look = 0; look < reads; look += 1) trading.wait(days / reads);
    return {
      steps: trading.sandbox.journal.after(0, 'margin_call', 1_000).map(({ at, data }) => [istText(at), data['event']]),
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
    // Each call is met by selling what it takes.
    expect(once.steps.filter(([, event]) => event === 'square_off').length).toBeGreaterThan(1);
    expect(once.steps.at(-1)![1]).toBe('met');
    expect(once.left.map(({ quantity }) => quantity)).toEqual([500]);
    expect(called(300)).toEqual(once);
  });
});

test('shares that a sold put brought without the money for them are sold on the fifth trading day after their pay-out', () => {
  const trading = opened();
  const { world, sandbox } = trading;
  const share = world.universe().bySymbol('NSE', 'RELIANCE')!;
  const { expiry } = world.universe().futures('NSE', 'RELIANCE')[0]!;
  expect(expiry).toBe(20261123);
  const put = world
    .universe()
    .options('NSE', 'RELIANCE', expiry)
    .pe.find(({ strikePrice }) => strikePrice > 1.05 * world.lastPrice(share))!;
  const quantity = 2 * put.lotSize;
  trading.place({ refId: put.refId, side: 'SELL', quantity });
  trading.wait(3_000);
  world.trade.addFunds(ACCOUNT, 30_000_000 - trading.funds().available);
  const sold: Trade[] = [];
  sandbox.onOrderEvent((event) => {
    if (event.type !== 'trade') return;
    expect(event.order.source).toBe(MARGIN_SQUARE_OFF_SOURCE);
    sold.push(event.trade);
  });
  const before = new Map(world.accounts.holdings(ACCOUNT).map(({ refId, quantity: held }) => [refId, held]));
  const until = (text: string) => trading.wait(Date.parse(text) - sandbox.instant);
  until('2026-11-24T10:00:00+05:30');
  const owed = trading.funds().cash;
  expect(owed).toBeLessThan(-50_000_000);
  // The 24th is a holiday: the shares are paid out on the 25th.
  until('2026-12-02T08:59:59+05:30');
  expect([trading.calls(), sold]).toEqual([[], []]);
  const rest = world.accounts.ledger(ACCOUNT).length;
  const { cash } = trading.funds();
  expect(cash).toBeLessThan(owed);
  until('2026-12-02T10:00:00+05:30');
  expect(trading.calls()).toEqual(expect.arrayContaining(['called', 'square_off', 'met']));
  const proceeds = sold.reduce((sum, trade) => sum + trade.price * trade.quantity, 0);
  const charges = world.accounts
    .ledger(ACCOUNT)
    .slice(rest)
    .reduce((sum, { kind, amount }) => sum + (kind === 'CHARGES' ? amount : 0), 0);
  expect(trading.funds().cash).toBe(cash + proceeds + charges);
  expect(trading.funds().cash).toBeGreaterThanOrEqual(0);
  // Not much more than was owed is sold, and nothing that is not there.
  expect(proceeds).toBeLessThan(-1.02 * cash);
  const after = new Map(world.accounts.holdings(ACCOUNT).map(({ refId, quantity: held }) => [refId, held]));
  for (const [refId, held] of before) {
    const taken = sold.reduce((sum, trade) => sum + (trade.refId === refId ? trade.quantity : 0), 0);
    expect(after.get(refId) ?? 0).toBe(held + (refId === share.refId ? quantity : 0) - taken);
  }
});
