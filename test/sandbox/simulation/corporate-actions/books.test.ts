/** Corporate actions through their ex-date: books to the paisa, what is refused, and the same again from a log. */
import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CorporateActionRefusal, planCorporateAction } from '../../../../sandbox/src/simulation/corporate-actions';
import { DEFAULT_OPTIONS } from '../../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../../sandbox/src/simulation/sandbox';
import type { NewCorporateAction } from '../../../../sandbox/src/shared/corporate-actions';
import { limitOrder } from '../../../support/trading';
import { ACCOUNT, at, BEFORE, begin, EX, MIDNIGHT, type Begun } from './support';

const refusalOf = (begun: Begun, requested: NewCorporateAction): string => {
  try {
    planCorporateAction(begun.world, requested, begun.sandbox.instant);
  } catch (error) {
    if (error instanceof CorporateActionRefusal) return error.message;
    throw new Error('not refused in words', { cause: error });
  }
  return '';
};

describe('a bonus on a held share', () => {
  test('brings new shares at no cost, pays a fraction, and leaves the worth unchanged', () => {
    const begun = begin();
    const { world, go, share } = begun;
    const { refId } = share('INFY');
    world.trade.setHolding(ACCOUNT, refId, 15, 140_030);
    world.trade.pledge(ACCOUNT, refId, 4);
    world.announceCorporateAction({ kind: 'bonus', issued: 1, held: 2, refId, exDate: EX });
    go(MIDNIGHT - 1);
    expect(begun.holding(refId)).toMatchObject({ quantity: 15, cost: 15 * 140_030 });
    const closing = world.market.previousClose(share('INFY'), MIDNIGHT - 1 + 86_400_000);
    const cash = world.accounts.funds(ACCOUNT).cash;
    go(MIDNIGHT);
    const base = Math.round((closing * 2) / 3);
    expect(begun.holding(refId)).toMatchObject({ quantity: 22, cost: 15 * 140_030, pledgedQuantity: 4 });
    expect(begun.lastLedger()).toMatchObject({ kind: 'CORPORATE_ACTION', amount: Math.round(base / 2) });
    expect(world.accounts.funds(ACCOUNT).cash - cash).toBe(Math.round(base / 2));
    const { tickSize } = share('INFY');
    expect(Math.abs(world.market.previousClose(share('INFY'), MIDNIGHT) - (closing * 2) / 3)).toBeLessThanOrEqual(
      tickSize,
    );
    expect(Math.abs(world.lastPrice(share('INFY')) - (closing * 2) / 3)).toBeLessThan(closing * 0.01);
  });
});

describe('a split', () => {
  test('keeps what holdings and contracts cost to the paisa', () => {
    const begun = begin();
    const { world, go, share } = begun;
    const { refId } = share();
    world.trade.setHolding(ACCOUNT, refId, 7, 130_013);
    const future = world.universe().futures('NSE', 'RELIANCE')[0]!;
    world.announceCorporateAction({ kind: 'split', from: 10, to: 2, refId, exDate: EX });
    go(MIDNIGHT - 1);
    const before = world.market.previousClose(future, MIDNIGHT - 1 + 86_400_000);
    go(MIDNIGHT);
    expect(begun.holding(refId)).toMatchObject({ quantity: 35, cost: 7 * 130_013 });
    const after = world.instrument(future.refId)!;
    expect(after).toMatchObject({ symbol: future.symbol, lotSize: future.lotSize * 5 });
    expect(Math.abs(world.market.previousClose(after, MIDNIGHT) - before / 5)).toBeLessThanOrEqual(after.tickSize);
  });
});

describe('a log', () => {
  test.each([0, 1])('makes the same again, with a snapshot every %i entries', async (snapshotEvery) => {
    const data = mkdtempSync(path.join(os.tmpdir(), 'sandbox-actions-'));
    let now = at(BEFORE, '10:00');
    const start = `${BEFORE}T10:00:00+05:30`;
    const made = () =>
      new Sandbox(
        { ...DEFAULT_OPTIONS, seed: 5, hours: 'exchange', clock: 'manual', start, data, snapshotEvery },
        () => now,
      );
    const first = made();
    const go = (sandbox: Sandbox, to: number) => {
      now = to;
      sandbox.clock.set(now);
      sandbox.now();
      sandbox.noteTime();
    };
    const share = (symbol: string) => first.world.universe().bySymbol('NSE', symbol)!;
    const terms = { exDate: EX };
    first.world.announceCorporateAction({ kind: 'split', from: 10, to: 2, refId: share('RELIANCE').refId, ...terms });
    first.world.announceCorporateAction({ kind: 'dividend', perShare: 100, refId: share('TCS').refId, ...terms });
    first.world.announceCorporateAction({
      kind: 'bonus',
      issued: 1,
      held: 2,
      refId: share('INFY').refId,
      exDate: '2026-11-20',
    });
    go(first, at(EX, '10:00'));
    first.world.trade.addFunds(ACCOUNT, 100);
    const seen = ({ world }: Sandbox) => ({
      holdings: world.accounts.holdings(ACCOUNT),
      ledger: world.accounts.ledger(ACCOUNT).slice(-5),
      actions: world.corporateActions.all(),
      options: world.universe().options('NSE', 'RELIANCE', world.universe().expiries('NSE', 'RELIANCE')[0]!),
      price: world.lastPrice(world.universe().bySymbol('NSE', 'RELIANCE')!),
    });
    const before = seen(first);
    first.close();
    const second = made();
    try {
      expect(seen(second)).toEqual(before);
      go(second, at('2026-11-20', '10:00'));
      expect(second.world.corporateActions.all().every(({ close }) => close !== undefined)).toBe(true);
    } finally {
      second.close();
      rmSync(data, { recursive: true });
    }
  });
});

describe('refusals', () => {
  test('say why, and what to do', () => {
    const begun = begin();
    const { refId } = begun.share();
    const bonus = { kind: 'bonus', issued: 1, held: 1, refId, exDate: EX } as const;
    expect(refusalOf(begun, bonus)).toBe('');
    expect(refusalOf(begun, { ...bonus, exDate: BEFORE })).toContain('must be after today');
    expect(refusalOf(begun, { ...bonus, exDate: '2026-11-21' })).toContain('the next one is 2026-11-23');
    expect(refusalOf(begun, { ...bonus, exDate: '2026-02-30' })).toContain('must be a day');
    expect(refusalOf(begun, { ...bonus, refId: 1 })).toContain('no instrument');
    expect(refusalOf(begun, { ...bonus, refId: begun.share('NIFTY').refId })).toContain('is no share');
    for (const [issued, held] of [
      [0, 1],
      [1, 0],
      [1.5, 1],
      [-1, 1],
      [101, 1],
    ] as const)
      expect(refusalOf(begun, { ...bonus, issued, held })).toContain('whole numbers from 1 to 100');
    expect(refusalOf(begun, { kind: 'split', from: 2, to: 10, refId, exDate: EX })).toContain(
      'takes the face value down',
    );
    expect(refusalOf(begun, { kind: 'split', from: 10, to: 3, refId, exDate: EX })).toContain(
      'takes the face value down',
    );
    expect(refusalOf(begun, { kind: 'dividend', perShare: 0, refId, exDate: EX })).toContain('whole paise from 1');
    expect(refusalOf(begun, { kind: 'dividend', perShare: 1e9, refId, exDate: EX })).toContain('20 % of the price');
    expect(refusalOf(begun, { ...bonus, issued: 1, held: 7 })).toContain('no whole number of shares');
    begun.world.announceCorporateAction(bonus);
    expect(refusalOf(begun, bonus)).toContain('take another day');
  });
});

test('a dividend on shares that were not delivered is paid once: beside the close of the sale without it', () => {
  const begun = begin();
  const { world, go, share } = begun;
  const { refId } = share();
  const [shares, perShare] = [10, 1_000];
  world.announceCorporateAction({ kind: 'dividend', perShare, refId, exDate: EX });
  const market = { priceType: 'MARKET', price: 0, validity: 'IOC' } as const;
  const sale = { account: ACCOUNT, refId, side: 'SELL', quantity: shares, product: 'IDAY', ...market } as const;
  expect(world.placeOrder(limitOrder(sale)).ok).toBe(true);
  go(at(BEFORE, '14:00'));
  // Nothing trades any more on the day, so that nobody buys it back.
  world.exchange.halt(true, at(BEFORE, '14:00'));
  go(MIDNIGHT);
  world.exchange.halt(false, MIDNIGHT);
  expect(world.accounts.shortDeliveries(ACCOUNT)).toMatchObject([{ refId, quantity: shares }]);
  expect(begun.lastLedger()).toMatchObject({ kind: 'CORPORATE_ACTION', amount: -shares * perShare });
  const close = world.market.previousClose(share(), at(EX, '10:00'));
  go(at(EX, '10:00'));
  world.exchange.movePrice(refId, Math.round((close * 0.93) / 100) * 100, at(EX, '10:00'));
  go(MIDNIGHT + 86_400_000);
  const [purchase] = world.accounts.trades(ACCOUNT).slice(-2);
  expect(purchase!.trade).toMatchObject({ side: 'BUY', quantity: shares, price: close - perShare });
});
