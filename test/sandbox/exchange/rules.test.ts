/** Each rule on an order at its edge: the last figure that it takes, and the first that it refuses, with code and advice. */
import { describe, expect, test } from '@jest/globals';
import { exitsRefusal } from '../../../sandbox/src/exchange/strategies/exits-refusal';
import type { ExitTerms } from '../../../sandbox/src/exchange/strategies/exit-types';
import {
  changedOrder,
  changeRefusal,
  type MarketConditions,
  productRefusal,
  orderRefusal,
  stateRefusal,
  tradableRefusal,
} from '../../../sandbox/src/exchange/rules';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import type { NewOrder, Order } from '../../../sandbox/src/shared/orders';
import { CALL, FUTURE, INDEX, SHARE } from '../../support/still-market';
import { limitOrder } from '../../support/trading';

const STOP = { kind: 'STOPLOSS', triggerPrice: 150_000 } as const;
const ICEBERG = { kind: 'ICEBERG', legSize: 5 } as const;
type Case = [what: string, order: Partial<NewOrder>, code: string | undefined, text?: string, instrument?: Instrument];

describe('rules on an order itself', () => {
  test.each<Case>([
    ['one share', { quantity: 1 }, undefined],
    ['none', { quantity: 0 }, 'INVALID_QUANTITY', 'order_qty must be a whole number above 0, not 0'],
    ['a part of one', { quantity: 1.5 }, 'INVALID_QUANTITY', 'not 1.5'],
    ['the largest quantity', { quantity: 100_000_000 }, undefined],
    [
      'one more',
      { quantity: 100_000_001 },
      'QUANTITY_LIMIT',
      'order_qty 100000001 exceeds the maximum order quantity limit of 100000000',
    ],
    ['two lots', { quantity: 130 }, undefined, '', FUTURE],
    [
      'a lot and one',
      { quantity: 66 },
      'LOT_SIZE',
      'quantity entered is not a multiple of current lots size: 66 is not a multiple of 65 on NSE',
      FUTURE,
    ],
    ['one tick', { price: 10 }, undefined],
    ['no price', { price: 0 }, 'INVALID_PRICE', 'order_price must be a whole number of paise above 0, not 0'],
    ['a part of a paisa', { price: 10.5 }, 'INVALID_PRICE', 'not 10.5'],
    [
      'half a tick',
      { price: 150_005 },
      'TICK_SIZE',
      'order_price 150005 is not a multiple of the tick size 10: nearest are 150000 and 150010',
    ],
    ['a market order', { priceType: 'MARKET', price: 0 }, undefined],
    ['a stop-loss at market', { ...STOP, priceType: 'MARKET', price: 0 }, 'STOPLOSS_MARKET'],
    ['a stop-loss for the moment', { ...STOP, validity: 'IOC' }, 'STOPLOSS_IOC'],
    [
      'a stop-loss without a trigger',
      { kind: 'STOPLOSS' },
      'INVALID_TRIGGER',
      'algo_params.trigger_price must be a whole number of paise above 0, not 0',
    ],
    ['a trigger between paise', { ...STOP, triggerPrice: 9.5 }, 'INVALID_TRIGGER'],
    ['a trigger off the tick', { ...STOP, triggerPrice: 149_995 }, 'TICK_SIZE', 'algo_params.trigger_price 149995'],
    ['a purchase that triggers at its price', { ...STOP, price: 150_000 }, undefined],
    ['a purchase that triggers above it', { ...STOP, price: 149_990 }, 'TRIGGER_ABOVE_PRICE'],
    ['a purchase that triggers below it', { ...STOP, price: 150_010 }, undefined],
    ['a sale that triggers at its price', { ...STOP, side: 'SELL', price: 150_000 }, undefined],
    ['a sale that triggers below it', { ...STOP, side: 'SELL', price: 150_010 }, 'TRIGGER_BELOW_PRICE'],
    ['a sale that triggers above it', { ...STOP, side: 'SELL', price: 149_990 }, undefined],
    ['a trigger of a regular order', { triggerPrice: 150_000 }, 'TRIGGER_NOT_ALLOWED'],
    ['a leg of a regular order', { legSize: 5 }, 'LEG_NOT_ALLOWED'],
    ['a leg of a stop-loss', { ...STOP, legSize: 5 }, 'LEG_NOT_ALLOWED'],
    ['an iceberg', { ...ICEBERG, quantity: 6 }, undefined],
    [
      'an iceberg of one leg',
      { ...ICEBERG, quantity: 5 },
      'ICEBERG_LEG',
      'order_qty 5 must exceed algo_params.leg_size 5',
    ],
    ['an iceberg for the moment', { ...ICEBERG, validity: 'IOC' }, 'ICEBERG_IOC'],
    [
      'an iceberg without legs',
      { ...ICEBERG, legSize: 0 },
      'INVALID_LEG_SIZE',
      'algo_params.leg_size must be a whole number above 0, not 0',
    ],
    ['an iceberg of parts', { ...ICEBERG, legSize: 2.5 }, 'INVALID_LEG_SIZE'],
    ['an iceberg of lots', { ...ICEBERG, quantity: 195, legSize: 65 }, undefined, '', FUTURE],
    [
      'an iceberg of half lots',
      { ...ICEBERG, quantity: 195, legSize: 66 },
      'LOT_SIZE',
      'algo_params.leg_size 66 is not a multiple of 65',
      FUTURE,
    ],
  ])('are kept: %s', (_what, given, code, text = '', instrument = SHARE) => {
    const refused = orderRefusal(limitOrder(given), instrument);
    expect(refused?.code).toBe(code);
    expect(refused?.text ?? '').toContain(text);
  });

  test.each([
    ['BE', 'NSE', '2026-08-21', true],
    ['BZ', 'NSE', '2026-08-21', true],
    ['SM', 'NSE', '2026-08-21', true],
    ['ST', 'NSE', '2026-08-21', true],
    ['E1', 'NSE', '2026-08-21', true],
    ['EQ', 'NSE', '2026-08-21', false],
    ['SM', 'NSE', '2012-09-17', false],
    ['BE', 'NSE', '2010-01-04', true],
    ['T', 'BSE', '2026-08-21', true],
    ['XT', 'BSE', '2026-08-21', true],
    ['A', 'BSE', '2026-08-21', false],
    ['BE', 'BSE', '2026-08-21', false],
  ] as const)('refuse an intraday order in series %s of %s on %s: %s', (series, exchange, date, isRefused) => {
    const share = { ...SHARE, series, exchange };
    const at = Date.parse(`${date}T10:00:00+05:30`);
    expect(productRefusal('IDAY', share, at)?.code).toBe(isRefused ? 'DELIVERY_ONLY' : undefined);
    expect(productRefusal('CNC', share, at)).toBeUndefined();
    expect(productRefusal('IDAY', { ...CALL, series }, at)).toBeUndefined();
  });

  test('let an index only be looked at', () => {
    expect(tradableRefusal(INDEX)).toMatchObject({ ok: false, code: 'NOT_TRADABLE' });
    expect([SHARE, FUTURE, CALL].map(tradableRefusal)).toEqual([undefined, undefined, undefined]);
  });
});

const placed = (more: Partial<Order>): Order => ({
  ...limitOrder(),
  id: 1n,
  exchangeOrderId: 2n,
  status: 'OPEN',
  filledQuantity: 0,
  filledValue: 0,
  reason: '',
  ...{ createdAt: 0n, sentAt: 0n, acknowledgedAt: 0n, filledAt: 0n, cancelledAt: 0n, modifiedAt: 0n },
  ...more,
});

describe('a change of an order', () => {
  test('leaves what it does not name, and drops what another kind does not have', () => {
    const stop = placed({ ...STOP, price: 150_100 });
    expect(changedOrder(stop, { price: 150_200 })).toEqual({ ...stop, price: 150_200 });
    expect(changedOrder(stop, { kind: 'REGULAR' })).toEqual({ ...stop, kind: 'REGULAR', triggerPrice: 0 });
    expect(changedOrder(stop, { triggerPrice: 149_000, quantity: 3 })).toEqual({
      ...stop,
      triggerPrice: 149_000,
      quantity: 3,
    });
    const iceberg = placed(ICEBERG);
    expect(changedOrder(iceberg, { quantity: 20 })).toEqual({ ...iceberg, quantity: 20 });
    expect(changedOrder(iceberg, { kind: 'REGULAR' })).toEqual({ ...iceberg, kind: 'REGULAR', legSize: 0 });
    expect(changedOrder(iceberg, { legSize: 4 })).toMatchObject({ kind: 'ICEBERG', legSize: 4 });
    const market = placed({ priceType: 'MARKET', price: 0 });
    expect(changedOrder(market, { price: 150_000 }).price).toBe(0);
  });

  test.each<[string, Partial<Order>, Parameters<typeof changedOrder>[1], string | undefined]>([
    ['to one more than is filled', { filledQuantity: 4 }, { quantity: 5 }, undefined],
    ['to what is filled', { filledQuantity: 4 }, { quantity: 4 }, 'BELOW_FILLED'],
    ['of a regular order into a stop-loss', {}, STOP, undefined],
    ['of an order with fills into a stop-loss', { filledQuantity: 1 }, STOP, 'KIND_CHANGE'],
    ['of an order whose trigger is behind it into a stop-loss', { status: 'TRIGGERED' }, STOP, 'KIND_CHANGE'],
    ['of a regular order into a stop-loss without a trigger', {}, { kind: 'STOPLOSS' }, 'INVALID_TRIGGER'],
    [
      'of a stop-loss that waits: its trigger is judged',
      { ...STOP, price: 150_100 },
      { price: 149_900 },
      'TRIGGER_ABOVE_PRICE',
    ],
    [
      'of one that was triggered: it is none any more',
      { ...STOP, price: 150_100, status: 'TRIGGERED' },
      { price: 149_900 },
      undefined,
    ],
    [
      'of one that is filled in part',
      { ...STOP, price: 150_100, status: 'PARTIAL_FILLED', filledQuantity: 1 },
      { price: 149_900 },
      undefined,
    ],
    [
      'of an iceberg that is filled in part: its legs are judged',
      { ...ICEBERG, filledQuantity: 1 },
      { legSize: 10 },
      'ICEBERG_LEG',
    ],
    ['off the tick', { ...STOP, price: 150_100, status: 'TRIGGERED' }, { price: 149_905 }, 'TICK_SIZE'],
  ])('is allowed or refused: %s', (_what, order, change, code) => {
    const before = placed(order);
    expect(changeRefusal(before, changedOrder(before, change), SHARE)?.code).toBe(code);
  });
});

describe('rules on an order that reaches the exchange', () => {
  const open: MarketConditions = {
    instrument: { ...SHARE, freezeQty: 100 },
    band: { low: 120_000, high: 180_000 },
    last: 150_000,
    phase: 'OPEN',
    worst: undefined,
  };
  const sell = { side: 'SELL' } as const;
  test.each<[string, Partial<NewOrder>, Partial<MarketConditions>, string | undefined, string?]>([
    ['the freeze quantity', { quantity: 100 }, {}, undefined],
    ['one more', { quantity: 101 }, {}, 'FREEZE_QTY', 'ORDER QTY IS GREATER THAN FREEZE QTY: 101 is above 100'],
    ['the lower edge of the band', { price: 120_000 }, {}, undefined],
    [
      'a tick below it',
      { price: 119_990 },
      {},
      'PRICE_BAND',
      'PRICE_BAND_HIT: order_price 119990 is outside the price band of 120000 to 180000',
    ],
    ['its upper edge', { price: 180_000 }, {}, undefined],
    ['a tick above it', { price: 180_010 }, {}, 'PRICE_BAND'],
    ['a market order whose protection is beyond it', { priceType: 'MARKET', price: 180_010 }, {}, undefined],
    ['a purchase at the worst limit', { price: 160_000 }, { worst: 160_000 }, undefined],
    [
      'a purchase above it',
      { price: 160_010 },
      { worst: 160_000 },
      'PRICE_PROTECTION',
      'order_price 160010 is above 160000',
    ],
    ['a purchase far below it', { price: 130_000 }, { worst: 160_000 }, undefined],
    ['a sale at the worst limit', { ...sell, price: 140_000 }, { worst: 140_000 }, undefined],
    [
      'a sale below it',
      { ...sell, price: 139_990 },
      { worst: 140_000 },
      'PRICE_PROTECTION',
      'order_price 139990 is below 140000',
    ],
    ['a sale far above it', { ...sell, price: 170_000 }, { worst: 140_000 }, undefined],
    ['a market order beyond it', { priceType: 'MARKET', price: 170_000 }, { worst: 160_000 }, undefined],
    ['an iceberg while trading is continuous', ICEBERG, {}, undefined],
    ['an iceberg before the opening', ICEBERG, { phase: 'PRE_OPEN' }, 'SESSION_KIND'],
    ['a stop-loss in the closing auction', STOP, { phase: 'CLOSING_AUCTION' }, 'SESSION_KIND'],
    ['an order for the moment while trading is continuous', { validity: 'IOC' }, {}, undefined],
    ['an order for the moment before the opening', { validity: 'IOC' }, { phase: 'PRE_OPEN' }, 'SESSION_IOC'],
    ['a day’s order before the opening', {}, { phase: 'PRE_OPEN' }, undefined],
    ['an order for the moment after the close', { validity: 'IOC' }, { phase: 'POST_CLOSE' }, undefined],
    ['a purchase after the close at its price', { price: 150_000 }, { phase: 'POST_CLOSE' }, undefined],
    [
      'a purchase after the close below it',
      { price: 149_990 },
      { phase: 'POST_CLOSE' },
      'SESSION_PRICE',
      'closing price of 150000 only',
    ],
    ['a purchase after the close above it', { price: 150_010 }, { phase: 'POST_CLOSE' }, undefined],
    ['a sale after the close at its price', { ...sell, price: 150_000 }, { phase: 'POST_CLOSE' }, undefined],
    ['a sale after the close above it', { ...sell, price: 150_010 }, { phase: 'POST_CLOSE' }, 'SESSION_PRICE'],
    ['a sale after the close below it', { ...sell, price: 149_990 }, { phase: 'POST_CLOSE' }, undefined],
  ])('are kept: %s', (_what, given, conditions, code, text = '') => {
    const newOrder = limitOrder(given);
    const refused = stateRefusal(newOrder, newOrder.price, { ...open, ...conditions });
    expect(refused?.code).toBe(code);
    expect(refused?.text ?? '').toContain(text);
  });
});

describe('rules on the exits of an order', () => {
  const stop = (trigger: number, limit = trigger, jump: number | null = null) => ({ trigger, limit, jump });
  const target = (trigger: number, limit = trigger) => ({ trigger, limit });
  const none: ExitTerms = { stop: null, target: null, time: null };
  const price = (name: string, requested: number) =>
    requested > 0 ? undefined : ({ ok: false, code: 'PRICE', text: name } as const);

  /** Each rule of a purchase at 100 is one of a sale at 100 with every price on its other side. */
  test.each<[string, Partial<ExitTerms>, string | undefined, string?, string?]>([
    ['nothing', {}, undefined],
    ['a stop a paisa below the entry', { stop: stop(99) }, undefined],
    [
      'a stop at the entry',
      { stop: stop(100) },
      'STOPLOSS',
      'stoplossTriggerPrice 100 must be below the entry (100)',
      'must be above the entry (100)',
    ],
    ['a stop beyond the entry', { stop: stop(101) }, 'STOPLOSS'],
    ['a stop whose limit is worse than its trigger', { stop: stop(90, 89) }, undefined],
    [
      'a stop whose limit is better than its trigger',
      { stop: stop(90, 91) },
      'STOPLOSS_LIMIT',
      'stoplossLimitPrice 91 must not be above stoplossTriggerPrice 90',
      'stoplossLimitPrice 109 must not be below stoplossTriggerPrice 110',
    ],
    ['a stop that trails by a paisa', { stop: stop(90, 90, 1) }, undefined],
    ['a stop that trails by nothing', { stop: stop(90, 90, 0) }, 'TRAIL'],
    ['a target a paisa above the entry', { target: target(101) }, undefined],
    [
      'a target at the entry',
      { target: target(100) },
      'TARGET',
      'targetProfitLimitPrice 100 must be above the entry (100)',
      'must be below the entry (100)',
    ],
    ['a target whose limit is at the entry', { target: target(110, 100) }, 'TARGET'],
    ['a target whose limit is worse than its trigger', { target: target(110, 109) }, undefined],
    [
      'a target whose limit is better than its trigger',
      { target: target(110, 111) },
      'TARGET_LIMIT',
      'targetProfitLimitPrice 111 must not be above targetProfitTriggerPrice 110',
      'targetProfitLimitPrice 89 must not be below',
    ],
    ['a stop below its target', { stop: stop(90), target: target(110) }, undefined],
  ])('are kept: %s', (_what, terms, code, long = '', short = '') => {
    const bought = exitsRefusal({ ...none, ...terms }, { direction: 1, price, reference: 100 });
    expect([bought?.code, bought?.text ?? '']).toEqual([code, expect.stringContaining(long)]);
    const other = ({ trigger, limit }: { trigger: number; limit: number }) => ({
      trigger: 200 - trigger,
      limit: 200 - limit,
    });
    const mirrored = {
      ...none,
      stop: terms.stop ? { ...other(terms.stop), jump: terms.stop.jump } : null,
      target: terms.target ? other(terms.target) : null,
    };
    const sold = exitsRefusal(mirrored, { direction: -1, price, reference: 100 });
    expect([sold?.code, sold?.text ?? '']).toEqual([code, expect.stringContaining(short)]);
  });

  test('let a stop be on either side of fills, but not beyond its target', () => {
    const filled = { direction: 1, price, reference: undefined } as const;
    expect(exitsRefusal({ ...none, stop: stop(120), target: target(121) }, filled)).toBeUndefined();
    expect(exitsRefusal({ ...none, stop: stop(121), target: target(121) }, filled)).toMatchObject({
      code: 'EXITS',
      text: 'stop loss 121 must be below target 121',
    });
    expect(exitsRefusal({ ...none, stop: stop(90), target: target(90) }, { ...filled, direction: -1 })).toMatchObject({
      text: 'stop loss 90 must be above target 90',
    });
  });

  test.each<[Partial<ExitTerms>, string]>([
    [{ stop: stop(0, 1) }, 'stoplossTriggerPrice'],
    [{ stop: stop(90, 0) }, 'stoplossLimitPrice'],
    [{ target: target(0, 1) }, 'targetProfitTriggerPrice'],
    [{ target: target(110, 0) }, 'targetProfitLimitPrice'],
  ])('name a price that is none: %j', (terms, name) => {
    expect(exitsRefusal({ ...none, ...terms }, { direction: 1, price, reference: 100 })).toMatchObject({ text: name });
  });

  test.each([
    [7, undefined],
    [0, 'TRAIL'],
    [-5, 'TRAIL'],
    [2.5, 'TRAIL'],
  ])('take a whole number of paise above 0 for a jump, of the tick or not: %d', (jump, code) => {
    const refused = exitsRefusal({ ...none, stop: stop(90, 90, jump) }, { direction: 1, price, reference: 100 });
    expect(refused?.code).toBe(code);
  });
});
