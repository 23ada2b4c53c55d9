/** Intent orders as the older interface shows them, orders and baskets, and what it can change of them. */
import { describe, expect, test } from '@jest/globals';
import { asBasket, strategyProfit } from '../../../../sandbox/src/exchange/strategies/as-v2-basket';
import { asOrder, changeOf } from '../../../../sandbox/src/exchange/strategies/as-v2-order';
import { receivedStrategy } from '../../../../sandbox/src/exchange/strategies/new-strategy';
import type { IntentOrder, NewIntent } from '../../../../sandbox/src/exchange/strategies/types';
import { intent } from '../../../support/intents';
import { CALL, PUT, SHARE } from '../../../support/still-market';

const received = (given: Partial<NewIntent> = {}, more: Partial<IntentOrder> = {}): IntentOrder => ({
  ...receivedStrategy(intent(given), { id: 7n, createdAt: 100n, visibleAt: 0 }).intent,
  ...more,
});
const waits = (kind: 'AT_OR_ABOVE' | 'AT_OR_BELOW', side: 'BUY' | 'SELL' = 'BUY') => ({
  side,
  entry: { condition: { kind, price: 151_000 }, time: null },
});
const iceberg = (maxQuantity: number | null, legs: number | null) => ({ iceberg: { maxQuantity, legs } });

describe('a single order', () => {
  test('keeps id, tag, terms and times', () => {
    const intentOrder = received(
      { side: 'SELL', product: 'IDAY', validity: 'IOC', placedBy: { client: 'app' } as never },
      { sentAt: 101n, acceptedAt: 102n, filledAt: 103n, cancelledAt: 104n, modifiedAt: 105n, reason: 'why' },
    );
    intentOrder.legs[0] = {
      ...intentOrder.legs[0]!,
      filledQuantity: 4,
      filledValue: 600_000,
      exchangeOrderIds: [11n, 12n],
    };
    expect(asOrder(intentOrder)).toEqual({
      ...{ account: 'A', refId: SHARE.refId, kind: 'REGULAR', side: 'SELL', quantity: 10, product: 'IDAY' },
      ...{
        validity: 'IOC',
        priceType: 'LIMIT',
        price: 150_000,
        triggerPrice: 0,
        legSize: 0,
        tag: 'demo',
        basketId: 0n,
      },
      ...{ source: 'ORDER_SOURCE_NORMAL', placedBy: { client: 'app' }, id: 7n, exchangeOrderId: 12n, status: 'OPEN' },
      ...{
        filledQuantity: 4,
        filledValue: 600_000,
        reason: 'why',
        createdAt: 100n,
        sentAt: 101n,
        acknowledgedAt: 102n,
      },
      ...{ filledAt: 103n, cancelledAt: 104n, modifiedAt: 105n },
    });
    const plain = asOrder(received({ validity: 'GTE', goodTill: 1 }));
    expect(plain).toMatchObject({ validity: 'DAY', exchangeOrderId: 0n });
    expect('placedBy' in plain).toBe(false);
  });

  test.each([
    ['a purchase from a price on is a stop-loss', waits('AT_OR_ABOVE'), { kind: 'STOPLOSS', triggerPrice: 151_000 }],
    ['a sale down to a price is one', waits('AT_OR_BELOW', 'SELL'), { kind: 'STOPLOSS', triggerPrice: 151_000 }],
    ['a purchase that waits for a fall is none', waits('AT_OR_BELOW'), { kind: 'REGULAR', triggerPrice: 0 }],
    ['a sale that waits for a rise is none', waits('AT_OR_ABOVE', 'SELL'), { kind: 'REGULAR', triggerPrice: 0 }],
    ['legs of so many', iceberg(3, null), { kind: 'ICEBERG', legSize: 3 }],
    ['so many legs, the last one smaller', iceberg(null, 3), { kind: 'ICEBERG', legSize: 4 }],
    [
      'an iceberg that waits is an iceberg',
      { ...waits('AT_OR_ABOVE'), ...iceberg(3, null) },
      { kind: 'ICEBERG', triggerPrice: 0 },
    ],
  ] as const)('is shown right: %s', (_what, given, shown) => {
    expect(asOrder(received(given))).toMatchObject(shown);
  });

  test.each<[string, Partial<IntentOrder>]>([
    ['PENDING', {}],
    ['SENT', { sentAt: 1n }],
    ['OPEN', { sentAt: 1n, acceptedAt: 1n }],
    ['OPEN', { acceptedAt: 1n, entryTriggered: true }],
    ['OPEN', { acceptedAt: 1n, ...waits('AT_OR_ABOVE') }],
    ['TRIGGERED', { acceptedAt: 1n, entryTriggered: true, ...waits('AT_OR_ABOVE') }],
    ['PARTIAL_FILLED', { acceptedAt: 1n, entryTriggered: true, filledQuantity: 1, ...waits('AT_OR_ABOVE') }],
    ['FILLED', { acceptedAt: 1n, status: 'EXECUTED' }],
    ['CANCELLED', { status: 'CANCELLED', filledQuantity: 1 }],
    ['REJECTED', { status: 'REJECTED' }],
    ['EXPIRED', { status: 'EXPIRED' }],
  ])('is %s', (status, more) => {
    expect(asOrder(received({}, more)).status).toBe(status);
  });
});

describe('a change of the older interface', () => {
  const stopLoss = received(waits('AT_OR_ABOVE'));
  const condition = (price: number) => ({ condition: { kind: 'AT_OR_ABOVE', price } });
  test.each<[string, IntentOrder, Parameters<typeof changeOf>[1], object]>([
    ['quantity and price', received(), { quantity: 5, price: 149_000 }, { quantity: 5, price: 149_000 }],
    ['nothing', received(), {}, {}],
    ['the kind that it is', received(), { kind: 'REGULAR', legSize: 0, triggerPrice: 0 }, {}],
    ['another kind', received(), { kind: 'STOPLOSS' }, { code: 'KIND_CHANGE' }],
    ['another kind, the same leg size', stopLoss, { kind: 'REGULAR', legSize: 0 }, { code: 'KIND_CHANGE' }],
    ['another leg size', received(iceberg(3, null)), { kind: 'ICEBERG', legSize: 4 }, { code: 'KIND_CHANGE' }],
    ['the same leg size', received(iceberg(3, null)), { legSize: 3, quantity: 9 }, { quantity: 9 }],
    ['a trigger', stopLoss, { triggerPrice: 152_000 }, condition(152_000)],
    ['the trigger that it has', stopLoss, { triggerPrice: 151_000, price: 151_500 }, { price: 151_500 }],
    ['a trigger where there is none', received(), { triggerPrice: 152_000 }, { code: 'TRIGGER_NOT_ALLOWED' }],
    [
      'a price of a market order, which has none',
      received({ priceType: 'MARKET', price: 0 }),
      { price: 1, quantity: 3 },
      { quantity: 3 },
    ],
  ])('is translated: %s', (_what, order, change, requested) => {
    const answer = changeOf(order, change);
    if ('code' in requested) expect(answer).toMatchObject({ ok: false, ...requested });
    else expect(answer).toEqual(requested);
  });
});

describe('a strategy', () => {
  const terms: Partial<NewIntent> = {
    multi: true,
    legs: [
      { refId: CALL.refId, unit: 1 },
      { refId: PUT.refId, unit: -2 },
    ],
    quantity: 65,
    price: 2_000,
    entry: { condition: { kind: 'AT_OR_ABOVE', price: 2_100 }, time: 5 },
    exits: { stop: { trigger: 1_500, limit: 1_400, jump: 50 }, target: { trigger: 3_000, limit: 2_900 }, time: 9 },
  };

  test('is a basket with the same id, legs, prices and times', () => {
    const intentOrder = received(terms, {
      acceptedAt: 101n,
      sentAt: 102n,
      filledAt: 103n,
      rejectedAt: 104n,
      updatedAt: 105n,
    });
    intentOrder.exits[0]!.trigger = 1_550;
    const leg = { filledQuantity: 0, filledValue: 0, exitQuantity: 0, exitValue: 0, orderIds: [], workingId: 0n };
    expect(asBasket(intentOrder, { ...CALL, exchange: 'BSE' })).toEqual({
      ...{ account: 'A', exchange: 'BSE', name: 'demo', tag: 'demo', side: 'BUY', product: 'CNC', priceType: 'LIMIT' },
      legs: [
        { ...leg, refId: CALL.refId, side: 'BUY', ratio: 1, quantity: 65 },
        { ...leg, refId: PUT.refId, side: 'SELL', ratio: -2, quantity: 130 },
      ],
      ...{
        entryPrice: 2_000,
        multiplier: 65,
        targetPrice: 3_000,
        stoplossPrice: 1_500,
        stoplossNow: 1_550,
        trailJump: 50,
      },
      ...{
        momentumTriggerPrice: 2_100,
        entryTime: 5,
        exitTime: 9,
        id: 7n,
        status: 'OPEN',
        reason: '',
        exitCause: null,
      },
      ...{
        createdAt: 100n,
        acknowledgedAt: 101n,
        entryTriggeredAt: 102n,
        filledAt: 103n,
        exitTriggeredAt: 0n,
        endedAt: 104n,
      },
    });
    const plain = { entry: { condition: null, time: null }, exits: { stop: null, target: null, time: null } };
    expect(
      asBasket(received({ ...terms, ...plain }, { cancelledAt: 106n, rejectedAt: 104n }), undefined),
    ).toMatchObject({
      ...{ exchange: 'NSE', targetPrice: null, stoplossPrice: null, stoplossNow: null, trailJump: null },
      ...{ momentumTriggerPrice: null, entryTime: null, exitTime: null, status: 'PENDING', endedAt: 106n },
    });
    const still = { ...terms, exits: { stop: { trigger: 1_500, limit: 1_400, jump: null }, target: null, time: null } };
    expect(asBasket(received(still), CALL).trailJump).toBeNull();
  });

  test.each([
    ['stop', 'STOPLOSS'],
    ['target', 'TARGET'],
    ['time', 'EXIT_TIME'],
  ] as const)('is told, where its %s has come, as %s, while it works and once it is filled', (slot, cause) => {
    const intentOrder = received(terms, { status: 'EXECUTED', acceptedAt: 1n, updatedAt: 105n });
    expect(asBasket(intentOrder, CALL)).toMatchObject({ exitCause: null, exitTriggeredAt: 0n, status: 'FILLED' });
    const exit = intentOrder.exits.find((candidate) => candidate.slot === slot)!;
    intentOrder.legs.forEach((leg) => (leg.filledQuantity = 65));
    exit.status = 'TRIGGERED';
    expect(asBasket(intentOrder, CALL)).toMatchObject({ exitCause: cause, exitTriggeredAt: 105n, status: 'FILLED' });
    exit.status = 'FILLED';
    intentOrder.legs[0]!.exitQuantity = 65;
    expect(asBasket(intentOrder, CALL)).toMatchObject({ exitCause: cause, status: 'FILLED' });
    intentOrder.legs[1]!.exitQuantity = 65;
    expect(asBasket(intentOrder, CALL)).toMatchObject({ exitCause: cause, status: 'CLOSED' });
    exit.status = 'CANCELLED';
    expect(asBasket(intentOrder, CALL)).toMatchObject({ exitCause: null, status: 'FILLED' });
  });

  test.each([
    ['EXPIRED', 'CANCELLED'],
    ['CANCELLED', 'CANCELLED'],
    ['REJECTED', 'REJECTED'],
  ] as const)('is shown, where it is %s, as %s', (status, shown) => {
    expect(asBasket(received(terms, { status, acceptedAt: 1n }), CALL).status).toBe(shown);
  });

  test('tells the profit of what was closed, and of what is open at the prices of now', () => {
    const intentOrder = received(terms);
    const price = (refId: number) => (refId === CALL.refId ? 300 : 50);
    expect(strategyProfit(intentOrder, () => CALL, price)).toBe(0);
    Object.assign(intentOrder.legs[0]!, {
      filledQuantity: 65,
      filledValue: 65 * 200,
      exitQuantity: 5,
      exitValue: 5 * 250,
    });
    Object.assign(intentOrder.legs[1]!, {
      filledQuantity: 130,
      filledValue: 130 * 80,
      exitQuantity: 130,
      exitValue: 130 * 60,
    });
    // The put is closed: its price of now is none of it.
    expect(strategyProfit(intentOrder, () => CALL, price)).toBe(5 * 50 + 60 * 100 + 130 * 20);
  });
});
