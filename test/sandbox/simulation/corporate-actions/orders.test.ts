/** Orders that wait for a price while it becomes another by a corporate action. */
import { describe, expect, test } from '@jest/globals';
import type { NewIntent } from '../../../../sandbox/src/exchange/strategies/types';
import { ACCOUNT, at, begin, EX, MIDNIGHT, type Begun } from './support';
import { AT_THE_MARKET } from '../../../support/basketing';
import { intent } from '../../../support/intents';
import { share } from '../../../support/sample';

/**
 * Start of an hour: waiting orders are tried against every second that passes, so that an hour of a session shows what
 * a day would.
 */
const AFTERNOON = '15:00';
const HOURS = ['exchange', 'always'] as const;

describe('orders that wait', () => {
  /** An order for a share, good for two weeks, and one that has been filled and has a stop loss that waits. */
  function waiting(begun: Begun) {
    const { world, share, go } = begun;
    const { refId } = share();
    const last = world.lastPrice(share());
    const place = (more: Partial<NewIntent>): bigint => {
      const placed = world.placeIntent({ ...GTE, legs: [{ refId, unit: 1 }], ...more }, false);
      if (!placed.ok) throw new Error(placed.text);
      return placed.intent.id;
    };
    const price = Math.round((last * 0.93) / 10) * 10;
    const stop = {
      trigger: Math.round((last * 0.4) / 10) * 10,
      limit: Math.round((last * 0.39) / 10) * 10,
      jump: null,
    };
    const entry = place({ price });
    const guarded = place({ price: Math.round((last * 1.01) / 10) * 10, exits: { stop, target: null, time: null } });
    go(begun.sandbox.instant + 60_000);
    expect([entry, guarded].map((id) => world.intents.intent(id)!.status)).toEqual(['OPEN', 'EXECUTED']);
    return { entry, guarded };
  }
  const goodTill = at('2026-12-01', '12:00');
  const GTE = intent({ account: ACCOUNT, validity: 'GTE', price: 0, goodTill, tag: 'waits', echo: '' });

  test.each(share(HOURS, 2, 0))('end with a bonus, and so do exits that are armed (hours %s)', (hours) => {
    const begun = begin(hours, AFTERNOON);
    const { world } = begun;
    const { entry, guarded } = waiting(begun);
    const reported: string[] = [];
    begun.sandbox.onIntentEvent((event) => reported.push(`${event.intent.id} ${event.type}`));
    world.announceCorporateAction({ kind: 'bonus', issued: 1, held: 1, refId: begun.share().refId, exDate: EX });
    begun.go(MIDNIGHT - 1);
    expect(world.intents.intent(entry)!.status).toBe('OPEN');
    begun.go(at(EX, '09:20'));
    expect(reported).toContain(`${entry} cancelled`);
    expect(reported).toContain(`${guarded} exit_cancelled`);
    expect(reported.some((event) => event.endsWith('exit_triggered'))).toBe(false);
    const reason = expect.stringContaining('the exchange cancels orders');
    expect(world.intents.intent(entry)).toMatchObject({ status: 'CANCELLED', filledQuantity: 0, reason });
    expect(world.intents.intent(guarded)!.exits).toMatchObject([{ status: 'CANCELLED', reason }]);
    expect(
      begun.holding(begun.share().refId)!.quantity + begun.holding(begun.share().refId)!.t1Quantity,
    ).toBeGreaterThan(0);
  });

  test('stay with an ordinary dividend, and those on other shares always', () => {
    const begun = begin('exchange', AFTERNOON);
    const { entry, guarded } = waiting(begun);
    begun.world.announceCorporateAction({ kind: 'dividend', perShare: 500, refId: begun.share().refId, exDate: EX });
    begun.world.announceCorporateAction({
      kind: 'bonus',
      issued: 1,
      held: 1,
      refId: begun.share('INFY').refId,
      exDate: EX,
    });
    begun.go(at(EX, '09:20'));
    expect(begun.world.intents.intent(entry)!.status).toBe('OPEN');
    expect(begun.world.intents.intent(guarded)!.exits).toMatchObject([{ status: 'OPEN' }]);
  });
});

describe('baskets that are carried', () => {
  /** A straddle for delivery on a share, whose stop loss is at 60 % of its net price. */
  function carried({ world, sandbox, share, go }: Begun, symbol?: string) {
    const of = share(symbol);
    const universe = world.universe();
    const last = world.lastPrice(of);
    const { ce, pe } = universe.options('NSE', of.symbol, universe.expiries('NSE', of.symbol)[0]!);
    const legs = [ce, pe].map((options) => {
      const [nearest] = [...options].sort((a, b) => Math.abs(a.strikePrice - last) - Math.abs(b.strikePrice - last));
      return { refId: nearest!.refId, quantity: nearest!.lotSize, side: 'BUY' as const };
    });
    const net = legs.reduce((sum, { refId }) => sum + world.lastPrice(world.instrument(refId)!), 0);
    const placed = world.placeBasket({
      account: ACCOUNT,
      name: 'straddle',
      side: 'BUY',
      exchange: 'NSE',
      legs,
      product: 'CNC',
      ...AT_THE_MARKET,
      stoplossPrice: Math.round((net * 0.6) / 5) * 5,
      tag: 'carried',
    });
    if (!placed.ok) throw new Error(placed.text);
    go(sandbox.instant + 60_000);
    expect(world.basket(placed.basket.id)!.status).toBe('FILLED');
    return { id: placed.basket.id, legs };
  }

  test.each(share(HOURS, 2, 0))('end with a bonus and trade nothing (hours %s)', (hours) => {
    const begun = begin(hours, AFTERNOON);
    const { world, go, share } = begun;
    const { id, legs } = carried(begun);
    const other = carried(begun, 'INFY');
    world.announceCorporateAction({ kind: 'bonus', issued: 1, held: 1, refId: share().refId, exDate: EX });
    go(at(EX, '09:20'));
    expect(world.basket(id)).toMatchObject({
      status: 'CLOSED',
      reason: expect.stringContaining('the exchange cancels orders'),
      legs: legs.map(() => ({ exitQuantity: 0 })),
    });
    for (const { refId, quantity } of legs)
      expect(world.accounts.positions(ACCOUNT).find((position) => position.refId === refId)!.openQuantity).toBe(
        2 * quantity,
      );
    expect(world.basket(other.id)!.status).toBe('FILLED');
    // Its profit is that of its positions, at twice the quantity and half the prices.
    const held = world.accounts.positions(ACCOUNT).filter(({ refId }) => legs.some((leg) => leg.refId === refId));
    const profit = held.reduce(
      (sum, { refId, openQuantity, openValue }) =>
        sum + world.lastPrice(world.instrument(refId)!) * openQuantity - openValue,
      0,
    );
    expect(world.profitOf(world.basket(id)!)).toBe(profit);
  });
});
