/**
 * Ends of intent orders: closed by their owner, taken back at a corporate action, by the exchange; and the messages
 * before they are placed.
 */
import { describe, expect, test } from '@jest/globals';
import type { NewIntent } from '../../../../sandbox/src/exchange/strategies/types';
import { intending, intent, type Intending } from '../../../support/intents';
import { CALL, FUTURE, MONDAY_TEN, PUT, SHARE } from '../../../support/still-market';

const stop = { trigger: 149_000, limit: 148_900, jump: null };
const target = { trigger: 151_000, limit: 150_900 };
const exits = { stop, target, time: null };
const statuses = (t: Intending, id: bigint) => t.get(id).exits.map(({ slot, status }) => [slot, status]);

const SPLIT = { before: 1, after: 2, dividend: 0 };

describe('closing what is entered', () => {
  test('sells all at market at once, and takes the exits off; nothing can be closed twice', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, exits });
    expect(t.intents.close(id, t.now())).toEqual({ ok: true });
    t.pass(0);
    expect(t.trades(id).at(-1)).toEqual(['request', 'SELL', 149_990, 10]);
    expect(statuses(t, id)).toEqual([
      ['stop', 'CANCELLED'],
      ['target', 'CANCELLED'],
      ['request', 'FILLED'],
    ]);
    expect(t.get(id)).toMatchObject({ status: 'EXECUTED', filledQuantity: 10 });
    expect(t.intents.close(id, t.now())).toMatchObject({ code: 'ORDER_NOT_PENDING' });
  });

  test('takes an exit’s order back first, and never sells more than is held', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, exits });
    t.market.shown = 4;
    t.price(148_900);
    // Half of the stop is sold at its limit, the rest waits there.
    const sold = t.exit(id, 'stop').filledQuantity;
    t.price(148_000);
    t.market.shown = 100;
    t.intents.close(id, t.now());
    t.pass(2_000);
    expect(t.get(id).legs[0]).toMatchObject({ filledQuantity: 10, exitQuantity: 10 });
    expect(t.exit(id, 'stop')).toMatchObject({ status: 'CANCELLED', filledQuantity: sold });
    expect(t.exit(id, 'request')).toMatchObject({ status: 'FILLED', filledQuantity: 10 - sold });
    expect(t.life(id).slice(-3)).toEqual(['exit_cancelled', 'exit_triggered', 'exit_filled']);
  });

  test('is refused on the day after, whether or not another order was placed then: no list shows the order any more', () => {
    const t = intending();
    const [first, second] = [t.enter({ price: 150_100 }), t.enter({ price: 150_100 })];
    t.pass(86_400_000);
    expect(t.intents.intents('A', t.now())).toEqual([]);
    expect(t.intents.close(first, t.now())).toMatchObject({ code: 'ORDER_NOT_FOUND' });
    t.enter({ price: 149_000 });
    expect(t.intents.close(second, t.now())).toMatchObject({ code: 'ORDER_NOT_FOUND' });
  });

  test('works without exits, and is refused where nothing is held', () => {
    const t = intending();
    const id = t.enter({ price: 150_100 });
    expect(t.intents.close(id, t.now())).toEqual({ ok: true });
    t.pass(0);
    expect(t.trades(id)).toHaveLength(2);
    const waits = t.enter({ price: 149_000 });
    expect(t.intents.close(waits, t.now())).toEqual({ ok: true });
    t.pass(0);
    expect(t.get(waits)).toMatchObject({ status: 'CANCELLED', filledQuantity: 0 });
    expect(t.intents.close(waits, t.now())).toMatchObject({ code: 'ORDER_NOT_PENDING' });
  });

  test('takes the rest of the entry back where a part is filled; the filled part keeps its exits', () => {
    const t = intending();
    t.market.shown = 4;
    const id = t.enter({ price: 150_010, exits });
    t.market.shown = 0;
    t.cancel(id);
    expect(t.get(id)).toMatchObject({ status: 'CANCELLED', filledQuantity: 4, reason: '' });
    expect(statuses(t, id)).toEqual([
      ['stop', 'OPEN'],
      ['target', 'OPEN'],
    ]);
    t.market.shown = 100;
    t.price(151_000);
    expect(t.trades(id).at(-1)).toEqual(['target', 'SELL', 150_990, 4]);
  });

  test('ends the remaining exits where it is cancelled once more, each told by itself', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, exits: { ...exits, time: MONDAY_TEN + 60_000 } });
    t.cancel(id, 'target');
    t.cancel(id);
    expect(
      t.strategyEvents.filter(({ type }) => type === 'exit_cancelled').map((event) => 'slot' in event && event.slot),
    ).toEqual(['target', 'stop', 'time']);
    t.price(148_000);
    t.pass(60_000);
    expect(t.trades(id)).toHaveLength(1);
  });
});

describe('a corporate action', () => {
  test('takes back what waits for the share or its contracts, exits too; everything else stays', () => {
    const t = intending();
    const waits = t.enter({ price: 149_000 });
    const future = t.enter({ legs: [{ refId: FUTURE.refId, unit: 1 }], quantity: 65, price: 149_000, tag: 'future' });
    const entered = t.enter({ price: 150_100, exits, tag: 'entered' });
    const over = t.enter({ price: 150_100, tag: 'over' });
    t.intents.repriced([SHARE.refId], SPLIT, 'split', t.now());
    t.pass(0);
    expect(t.get(waits)).toMatchObject({ status: 'CANCELLED', reason: 'split' });
    expect(t.get(future).status).toBe('OPEN');
    expect(t.get(entered).status).toBe('EXECUTED');
    expect(t.get(entered).exits.map(({ status, reason }) => [status, reason])).toEqual([
      ['CANCELLED', 'split'],
      ['CANCELLED', 'split'],
    ]);
    expect(t.life(over)).toEqual(['received', 'accepted', 'executed']);
    // The number of the index applies to its contracts.
    t.intents.repriced([FUTURE.underlyingRefId!], SPLIT, 'other', t.now());
    t.pass(0);
    expect(t.get(future)).toMatchObject({ status: 'CANCELLED', reason: 'other' });
  });

  test('takes back a strategy of which one leg is on the share', () => {
    const t = intending();
    const other = { ...PUT, refId: 7099, underlyingRefId: SHARE.refId };
    const before = t.market.universe(0);
    t.market.prices.set(other.refId, 8_000);
    t.market.universe = () => ({
      ...before,
      byRefId: (refId) => (refId === other.refId ? other : before.byRefId(refId)),
    });
    const legs = [
      { refId: CALL.refId, unit: 1 },
      { refId: other.refId, unit: 1 },
    ];
    const id = t.enter({ multi: true, legs, quantity: 65, price: 100 });
    t.intents.repriced([SHARE.refId], SPLIT, 'split', t.now());
    expect(t.get(id)).toMatchObject({ status: 'CANCELLED', reason: 'split' });
  });
});

describe('an order before it is placed', () => {
  test('is told whether it would wait for its session, and whether it would be sliced', () => {
    const t = intending({ hours: 'exchange' });
    const evening = MONDAY_TEN + 6 * 3_600_000;
    expect([MONDAY_TEN, evening].map((at) => t.intents.waitsForSession(intent(), at))).toEqual([false, true]);
    const sliced = (quantity: number, legs: NewIntent['legs']) =>
      t.intents.slicesOf({ quantity, legs }, MONDAY_TEN).some((cut) => cut.length > 1);
    const future = (unit: number) => [{ refId: FUTURE.refId, unit }];
    // 1,800 at most, in lots of 65: 27 lots.
    expect([sliced(1_755, future(1)), sliced(1_820, future(1)), sliced(910, future(-2))]).toEqual([false, true, true]);
    expect(sliced(65, [...future(1), { refId: CALL.refId, unit: 40 }])).toBe(true);
  });
});

describe('a strategy', () => {
  const legs = [
    { refId: CALL.refId, unit: 1 },
    { refId: PUT.refId, unit: 1 },
  ];
  const straddle: Partial<NewIntent> = {
    multi: true,
    legs,
    quantity: 65,
    priceType: 'LIMIT',
    price: 21_000,
    product: 'IDAY',
  };
  const set = (t: Intending, call: number, put: number) => {
    t.market.prices.set(CALL.refId, call).set(PUT.refId, put);
    t.pass(1_000);
  };
  const begun = () => {
    const t = intending();
    t.market.shown = 1_040;
    set(t, 12_000, 8_000);
    return t;
  };

  test('gets out at its limit or better: while the net price is worse its stop waits', () => {
    const t = begun();
    const id = t.enter({
      ...straddle,
      exits: { stop: { trigger: 18_000, limit: 17_500, jump: null }, target: null, time: null },
    });
    set(t, 10_000, 7_000);
    expect(t.exit(id, 'stop')).toMatchObject({ status: 'TRIGGERED', filledQuantity: 0 });
    set(t, 10_000, 7_490);
    expect(t.exit(id, 'stop').status).toBe('TRIGGERED');
    set(t, 10_000, 7_500);
    expect(t.exit(id, 'stop')).toMatchObject({ status: 'FILLED', filledQuantity: 65 });
  });

  test('is cancelled as IOC where its net premium is not there', () => {
    const t = begun();
    const id = t.enter({ ...straddle, price: 19_999, validity: 'IOC' });
    expect(t.get(id)).toMatchObject({ status: 'CANCELLED', filledQuantity: 0 });
    expect(t.get(id).reason).toContain('IOC: the net premium was not there');
    const there = t.enter({ ...straddle, price: 20_000, validity: 'IOC', tag: 'there' });
    expect(t.get(there).status).toBe('EXECUTED');
  });
});

test('an intraday order that waits ends when the broker squares off, one for delivery at the close', () => {
  const HOUR = 3_600_000;
  const t = intending({ hours: 'exchange', stepMs: 60_000, intradayStop: () => MONDAY_TEN + 5 * HOUR });
  const waits = { price: 149_000, entry: { condition: { kind: 'BELOW', price: 1_000 }, time: null } } as const;
  const ids = [t.enter({ ...waits, product: 'IDAY' }), t.enter({ ...waits, tag: 'cnc' })];
  const states = () => ids.map((id) => t.get(id).status);
  t.pass(5 * HOUR - 1);
  expect(states()).toEqual(['OPEN', 'OPEN']);
  t.pass(60_001);
  expect(states()).toEqual(['EXPIRED', 'OPEN']);
  t.pass(HOUR);
  expect(states()).toEqual(['EXPIRED', 'EXPIRED']);
});
