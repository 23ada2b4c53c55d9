/** Earnings of an account over an ex-date: new shares belong to whom the shares belonged that they came for. */
import { expect, test } from '@jest/globals';
import { totalCharges } from '../../../../sandbox/src/accounts/charges';
import { reportOf } from '../../../../sandbox/src/control/performance';
import type { CorporateActionTerms } from '../../../../sandbox/src/shared/corporate-actions';
import type { User } from '../../../../sandbox/src/sessions/users';
import { marketOrder } from '../../../support/in-process';
import { ACCOUNT, at, BEFORE, begin, EX } from './support';

const [BOUGHT, ADDED, SOLD] = [34, 240, 41];

test.each<[string, CorporateActionTerms, number]>([
  ['a split', { kind: 'split', from: 10, to: 2 }, 5],
  ['a bonus', { kind: 'bonus', issued: 1, held: 2 }, 1.5],
])('%s of shares is no profit of trades, nor two trips of one', (_name, terms, factor) => {
  const begun = begin('exchange', '15:00');
  const { world, sandbox, go, share } = begun;
  const { refId } = share();
  const held = begun.holding(refId)!.quantity;
  world.trade.setHolding(ACCOUNT, refId, held + ADDED, 120_000);
  const trade = (side: 'BUY' | 'SELL', quantity: number): void => {
    const placed = world.placeOrder(marketOrder({ account: ACCOUNT, refId, side, quantity, product: 'CNC' }));
    if (!placed.ok) throw new Error(placed.text);
    go(sandbox.instant + 60_000);
  };
  trade('BUY', BOUGHT);
  const bought = world.accounts.trades(ACCOUNT).filter(({ date }) => date === BEFORE);
  const paid = bought.reduce((sum, { trade: { price, quantity } }) => sum + price * quantity, 0);
  const charges = bought.reduce((sum, booked) => sum + totalCharges(booked.charges), 0);
  world.announceCorporateAction({ ...terms, refId, exDate: EX });
  go(at(EX, '09:30'));
  trade('SELL', SOLD);
  const period = { from: BEFORE, to: EX };
  const report = reportOf(sandbox, { clientCode: ACCOUNT } as User, period);
  const last = world.lastPrice(share());
  expect(report.round_trips).toMatchObject([
    {
      side: 'LONG',
      quantity: BOUGHT * factor,
      open: true,
      gross: BOUGHT * factor * last - paid,
      net: BOUGHT * factor * last - paid - charges,
    },
  ]);
  const { start, end, result, held_before: before, external, set_by_hand: byHand } = report.equity;
  expect(result).toBe(BOUGHT * factor * last - paid - charges);
  expect(byHand).toBe(ADDED * factor * last);
  expect(end - start).toBe(result + before + external + byHand);
  const kept = report.held_before.filter(({ symbol }) => symbol === 'RELIANCE');
  expect(kept.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(held * factor);
  expect(at(EX, '09:31')).toBeGreaterThanOrEqual(Date.parse(kept.find(({ open }) => !open)!.exit_at!));
});

test('a future that an extraordinary dividend takes to another price stays what it was: held before the period', () => {
  const begun = begin('exchange', '15:00');
  const { world, sandbox, go, share } = begun;
  const future = world.universe().futures('NSE', 'RELIANCE')[0]!;
  const order = {
    account: ACCOUNT,
    refId: future.refId,
    side: 'BUY',
    quantity: future.lotSize,
    product: 'CNC',
  } as const;
  const placed = world.placeOrder(marketOrder(order));
  if (!placed.ok) throw new Error(placed.text);
  world.announceCorporateAction({ kind: 'dividend', perShare: 15_000, refId: share().refId, exDate: EX });
  go(at(EX, '09:30'));
  const {
    equity,
    held_before: held,
    round_trips: trips,
  } = reportOf(sandbox, { clientCode: ACCOUNT } as User, {
    from: EX,
    to: EX,
  });
  expect(trips).toEqual([]);
  expect(equity.result).toBe(0);
  expect(held.filter(({ symbol }) => symbol.includes('FUT'))).toMatchObject([
    { quantity: future.lotSize, open: false },
    { quantity: future.lotSize, open: true },
  ]);
  expect(equity.end - equity.start).toBe(equity.held_before + equity.external);
});
