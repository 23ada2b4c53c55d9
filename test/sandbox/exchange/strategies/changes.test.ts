/** Changes of an intent order while it waits, works, is entered and gets out; and the messages to its owner. */
import { describe, expect, test } from '@jest/globals';
import type { IntentChange, NewIntent } from '../../../../sandbox/src/exchange/strategies/types';
import { intending, type Intending } from '../../../support/intents';
import { CALL, MONDAY_TEN, PUT, SHARE } from '../../../support/still-market';

const DAY = 86_400_000;
const stop = (trigger: number, jump: number | null = null) => ({ trigger, limit: trigger - 100, jump });
const target = (trigger: number) => ({ trigger, limit: trigger - 100 });
const exits = (more: Partial<NewIntent['exits']> = {}) => ({
  exits: { stop: null, target: null, time: null, ...more },
});
const condition = (
  kind: 'ABOVE' | 'BELOW' | 'AT_OR_ABOVE' | 'AT_OR_BELOW',
  price: number,
  time: number | null = null,
) => ({
  entry: { condition: { kind, price }, time },
});
const refused = (t: Intending, id: bigint, change: IntentChange) => {
  const answer = t.intents.checkModify(id, change, t.now());
  return answer === undefined ? undefined : answer.code;
};
const straddle: Partial<NewIntent> = {
  multi: true,
  legs: [
    { refId: CALL.refId, unit: 1 },
    { refId: PUT.refId, unit: -1 },
  ],
  quantity: 65,
  priceType: 'LIMIT',
  price: 1_000,
};
/** Intent orders in a market where others show nothing in the beginning. */
function quiet(options?: Parameters<typeof intending>[0]) {
  const t = intending(options);
  t.market.shown = 0;
  return t;
}

describe('the entry', () => {
  test('can be changed in everything while it waits for its condition', () => {
    const t = quiet();
    const id = t.enter({ ...condition('ABOVE', 151_000), ...exits({ stop: stop(149_000) }) });
    const all: IntentChange = {
      ...{ quantity: 5, price: 149_900, condition: { kind: 'BELOW', price: 149_950 }, entryTime: MONDAY_TEN + 60_000 },
      ...{ stop: stop(148_000), target: target(152_000), exitTime: MONDAY_TEN + 120_000 },
    };
    expect(refused(t, id, all)).toBeUndefined();
    t.change(id, all);
    expect(t.get(id)).toMatchObject({
      ...{ quantity: 5, price: 149_900, legs: [{ quantity: 5 }] },
      entry: { condition: { kind: 'BELOW', price: 149_950 }, time: MONDAY_TEN + 60_000 },
    });
    expect(t.get(id).exits.map(({ slot, trigger, limit, at }) => [slot, trigger, limit, at])).toEqual([
      ['stop', 148_000, 147_900, 0],
      ['target', 152_000, 151_900, 0],
      ['time', 0, 0, MONDAY_TEN + 120_000],
    ]);
    t.change(id, { condition: null, entryTime: null, stop: null, exitTime: null });
    expect(t.get(id).entry).toEqual({ condition: null, time: null });
    expect(t.get(id).exits.map(({ status }) => status)).toEqual(['CANCELLED', 'OPEN', 'CANCELLED']);
    expect(t.life(id)).toEqual(['received', 'accepted', 'modified', 'modified']);
    expect(t.get(id).modifiedAt).toBeGreaterThan(0n);
  });

  test('keeps the rules of a new one', () => {
    const t = quiet();
    const id = t.enter({ ...condition('ABOVE', 151_000), ...exits({ stop: stop(149_000), target: target(152_000) }) });
    expect(refused(t, id, { price: 150_001 })).toBe('TICK_SIZE');
    expect(refused(t, id, { quantity: 0 })).toBe('BELOW_FILLED');
    expect(refused(t, id, { stop: stop(150_000) })).toBe('STOPLOSS');
    expect(refused(t, id, { price: 148_990 })).toBe('STOPLOSS');
    expect(refused(t, id, { goodTill: MONDAY_TEN })).toBe('GOOD_TILL');
    expect(refused(t, id, { entryTime: t.now() })).toBe('ENTRY_TIME');
    expect(refused(t, id, { exitTime: t.now() })).toBe('EXIT_TIME');
    expect(refused(t, 99n, {})).toBe('ORDER_NOT_FOUND');
  });

  test('keeps its times when they are past and something else is changed', () => {
    const t = quiet();
    const id = t.enter({ ...condition('ABOVE', 151_000, MONDAY_TEN + 1_000), ...exits({ time: MONDAY_TEN + 40_000 }) });
    t.pass(50_000);
    expect(refused(t, id, { quantity: 5 })).toBeUndefined();
    expect(refused(t, id, { entryTime: MONDAY_TEN + 1_000 })).toBe('ENTRY_TIME');
    expect(refused(t, id, { exitTime: MONDAY_TEN + 40_000 })).toBe('EXIT_TIME');
  });

  test('waits for nothing any more at the exchange; price and quantity are changed there', () => {
    const t = quiet();
    const id = t.enter({});
    const triggered = t.enter(condition('AT_OR_BELOW', 150_000));
    t.pass(1_000);
    const wait: IntentChange = { condition: { kind: 'ABOVE', price: 151_000 } };
    expect(refused(t, id, wait)).toBe('ENTRY_SENT');
    expect(refused(t, id, { entryTime: MONDAY_TEN + 60_000 })).toBe('ENTRY_SENT');
    expect(refused(t, triggered, wait)).toBe('ENTRY_TRIGGERED');
    expect(refused(t, triggered, { entryTime: MONDAY_TEN + 60_000 })).toBe('ENTRY_TRIGGERED');
    t.change(id, { price: 149_900, quantity: 12 });
    expect(t.get(id)).toMatchObject({ price: 149_900, quantity: 12, status: 'OPEN', legs: [{ quantity: 12 }] });
    const [child] = t.exchange.orders('A', t.now()).filter(({ intentId }) => intentId === id);
    expect(child).toMatchObject({ price: 149_900, quantity: 12 });
    expect(t.life(id).at(-1)).toBe('modified');
    t.market.shown = 100;
    t.price(149_800);
    expect(t.get(id)).toMatchObject({ status: 'EXECUTED', filledQuantity: 12 });
  });

  test('is not made smaller than what is filled', () => {
    const t = quiet();
    t.market.shown = 4;
    const id = t.enter({ price: 150_010, quantity: 10 });
    expect(t.get(id).filledQuantity).toBe(4);
    expect(refused(t, id, { quantity: 4 })).toBe('BELOW_FILLED');
    expect(refused(t, id, { quantity: 5 })).toBeUndefined();
    t.market.shown = 0;
    t.pass(6_000);
    t.change(id, { quantity: 6 });
    expect(t.get(id)).toMatchObject({ quantity: 6, filledQuantity: 4, legs: [{ quantity: 6 }] });
    t.market.shown = 2;
    t.pass(1_000);
    expect(t.get(id)).toMatchObject({ status: 'EXECUTED', filledQuantity: 6 });
  });

  test('counts what the day before filled where it goes on the next day', () => {
    const t = intending({ hours: 'exchange', stepMs: 60_000 });
    t.market.shown = 4;
    const id = t.enter({ price: 150_010, quantity: 10, validity: 'GTE', goodTill: MONDAY_TEN + 3 * DAY });
    t.market.shown = 0;
    t.pass(DAY);
    expect(t.get(id)).toMatchObject({ status: 'OPEN', filledQuantity: 4, quantity: 10 });
    t.change(id, { quantity: 8 });
    expect(t.get(id)).toMatchObject({ quantity: 8, filledQuantity: 4 });
    const child = t.exchange
      .orders('A', t.now())
      .filter(({ intentId }) => intentId === id)
      .at(-1)!;
    expect(child).toMatchObject({ quantity: 4, filledQuantity: 0 });
    t.market.shown = 100;
    t.pass(60_000);
    expect(t.get(id)).toMatchObject({ status: 'EXECUTED', filledQuantity: 8 });
  });

  test('keeps its quantity where it was sliced, but may be told it again', () => {
    const t = quiet();
    const id = t.enter({ quantity: 150_000 });
    expect(refused(t, id, { quantity: 140_000 })).toBe('SLICED');
    expect(refused(t, id, { quantity: 150_000, price: 149_990 })).toBeUndefined();
    t.change(id, { price: 149_990 });
    expect(t.exchange.orders('A', t.now()).map(({ price, quantity }) => [price, quantity])).toEqual([
      [149_990, 100_000],
      [149_990, 50_000],
    ]);
  });

  test('keeps its figures where it is over; its last day and its exits can be changed', () => {
    const t = intending();
    const id = t.enter({
      price: 150_100,
      validity: 'GTE',
      goodTill: MONDAY_TEN + DAY,
      ...exits({ stop: stop(149_000) }),
    });
    expect(t.get(id).status).toBe('EXECUTED');
    for (const change of [{ quantity: 20 }, { price: 150_000 }, { entryTime: MONDAY_TEN + 1 }, { condition: null }])
      expect(refused(t, id, change)).toBe('ENTRY_OVER');
    expect(refused(t, id, { goodTill: MONDAY_TEN + 2 * DAY, price: 150_000 })).toBe('ENTRY_OVER');
    expect(refused(t, id, { goodTill: MONDAY_TEN + 2 * DAY })).toBeUndefined();
    // What is filled is no reference any more: a stop above it takes a profit.
    expect(refused(t, id, { stop: stop(150_500) })).toBeUndefined();
    expect(refused(t, id, { stop: stop(150_500), target: target(150_500) })).toBe('EXITS');
    t.change(id, { goodTill: MONDAY_TEN + 2 * DAY, target: target(152_000) });
    expect(t.get(id).goodTill).toBe(MONDAY_TEN + 2 * DAY);
    expect(t.exit(id, 'target')).toMatchObject({ status: 'OPEN', trigger: 152_000 });
  });

  test('keeps the quantity of a strategy that is being entered', () => {
    const t = quiet();
    t.market.prices.set(CALL.refId, 12_000).set(PUT.refId, 11_500);
    const id = t.enter(straddle);
    expect(refused(t, id, { quantity: 130 })).toBe('STRATEGY_ENTERING');
    const waits = t.enter({ ...straddle, price: 100, tag: 'waits' });
    expect(refused(t, waits, { quantity: 130, price: 90 })).toBeUndefined();
    t.change(waits, { quantity: 130, price: 90 });
    expect(t.get(waits)).toMatchObject({ quantity: 130, price: 90, legs: [{ quantity: 130 }, { quantity: 130 }] });
  });

  test('takes one request at a time, and none where it is over', () => {
    const t = quiet({ latency: { send: [10, 10], exchange: [10, 10], list: [0, 0] } });
    const id = t.enter(condition('ABOVE', 151_000));
    expect(refused(t, id, { quantity: 5 })).toBe('REQUEST_IN_FLIGHT');
    t.pass(20);
    t.change(id, { quantity: 5 });
    expect(refused(t, id, { quantity: 6 })).toBe('REQUEST_IN_FLIGHT');
    t.pass(10);
    expect(t.get(id).quantity).toBe(5);
    expect(refused(t, id, { quantity: 6 })).toBeUndefined();
    t.pass(5_000);
    t.cancel(id);
    t.pass(10);
    expect(t.get(id).status).toBe('CANCELLED');
    expect(refused(t, id, { quantity: 6 })).toBe('ORDER_NOT_PENDING');
    expect(t.intents.checkCancel(id, null, t.now())).toMatchObject({ code: 'ORDER_NOT_PENDING' });
    expect(t.intents.checkCancel(id, 'stop', t.now())).toMatchObject({ code: 'EXIT_NOT_FOUND' });
    expect(t.intents.checkCancel(99n, null, t.now())).toMatchObject({ code: 'ORDER_NOT_FOUND' });
  });

  test('is told that the exchange would not change it, and stays', () => {
    const t = quiet({
      risk: { hold: () => ({ ok: true }), amend: () => ({ ok: false, code: 'X', text: 'NO_MARGIN' }) },
    });
    const id = t.enter({});
    t.change(id, { price: 150_500 });
    expect(t.strategyEvents.at(-1)).toMatchObject({ type: 'modify_rejected', reason: 'NO_MARGIN' });
    expect(t.get(id)).toMatchObject({ price: 150_000, status: 'OPEN' });
  });
});

describe('a condition', () => {
  test.each([
    ['ABOVE', 150_000, [false, false, true]],
    ['AT_OR_ABOVE', 150_000, [false, true, true]],
    ['BELOW', 150_000, [true, false, false]],
    ['AT_OR_BELOW', 150_000, [true, true, false]],
  ] as const)('is met at its price: %s %d', (kind, price, met) => {
    const entered = [149_990, 150_000, 150_010].map((now) => {
      const t = quiet();
      t.market.prices.set(SHARE.refId, now);
      const id = t.enter(condition(kind, price));
      t.pass(1_000);
      return t.get(id).entryTriggered;
    });
    expect(entered).toEqual(met);
  });
});

describe('an exit', () => {
  const entered = (more: Partial<NewIntent['exits']>) => {
    const t = intending();
    const id = t.enter({ price: 150_100, ...exits(more) });
    t.market.shown = 0;
    return { t, id };
  };

  test('is changed no more once it was triggered, nor is the other one; it can be taken off', () => {
    const { t, id } = entered({ stop: stop(149_000), target: target(151_000) });
    t.price(148_000);
    expect(t.exit(id, 'stop').status).toBe('TRIGGERED');
    expect(refused(t, id, { stop: stop(148_500) })).toBe('EXIT_TRIGGERED');
    expect(refused(t, id, { target: target(152_000) })).toBe('EXIT_TRIGGERED');
    expect(refused(t, id, { exitTime: MONDAY_TEN + 60_000 })).toBeUndefined();
    t.cancel(id, 'stop');
    t.pass(1_000);
    expect(t.exit(id, 'stop')).toMatchObject({ status: 'CANCELLED', filledQuantity: 0 });
    expect(t.exchange.orders('A', t.now()).filter(({ status }) => status === 'OPEN')).toEqual([]);
    expect(t.life(id).slice(-2)).toEqual(['exit_triggered', 'exit_cancelled']);
  });

  test('counts only the jumps that come after where it trails and is set again', () => {
    const { t, id } = entered({ stop: stop(149_000, 100) });
    t.price(150_210);
    // Bought at 1,500.10: two jumps up.
    expect(t.exit(id, 'stop')).toMatchObject({ trigger: 149_200, limit: 149_100 });
    t.change(id, { stop: stop(149_100, 100) });
    t.pass(1_000);
    expect(t.exit(id, 'stop')).toMatchObject({ trigger: 149_100, limit: 149_000, jumpsBefore: 2 });
    t.price(150_310);
    expect(t.exit(id, 'stop').trigger).toBe(149_200);
  });

  test('the exit time comes before the stop, the stop before the target', () => {
    const time = MONDAY_TEN + 60_000;
    const { t, id } = entered({ stop: stop(149_000), target: target(151_000), time });
    t.pass(59_000);
    t.price(148_000);
    expect(t.exit(id, 'time').status).toBe('TRIGGERED');
    expect([t.exit(id, 'stop').status, t.exit(id, 'target').status]).toEqual(['CANCELLED', 'CANCELLED']);
  });

  test('is tried again at market where it trades nothing, at last every half a minute', () => {
    const { t, id } = entered({ time: MONDAY_TEN + 10_000 });
    const tries = () => t.events.filter(({ type, order }) => type === 'received' && order.side === 'SELL').length;
    t.pass(9_999);
    expect(tries()).toBe(0);
    t.pass(1);
    expect(tries()).toBe(1);
    t.pass(2_000);
    expect(tries()).toBe(3);
    t.pass(29_000);
    expect(tries()).toBe(3);
    t.pass(1_000);
    expect(tries()).toBe(4);
    t.market.shown = 100;
    t.pass(30_000);
    expect(t.exit(id, 'time')).toMatchObject({ status: 'FILLED', filledQuantity: 10 });
  });
});
