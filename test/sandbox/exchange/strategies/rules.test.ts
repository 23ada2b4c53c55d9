/** Each rule on an intent order at its edge: the last that it takes, and the first that it refuses (docs/service/intent-orders.md#item-to-place). */
import { describe, expect, test } from '@jest/globals';
import {
  gainDirectionOf,
  entryReference,
  intentRefusal,
  type StrategyConditions,
} from '../../../../sandbox/src/exchange/strategies/rules';
import type { NewIntent } from '../../../../sandbox/src/exchange/strategies/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { intent } from '../../../support/intents';
import { CALL, FUTURE, INDEX, MONDAY_TEN, PUT, SHARE } from '../../../support/still-market';

const DAY = 86_400_000;
const MINUTE = 60_000;
const OPENS = MONDAY_TEN - 45 * MINUTE;
const CLOSES = MONDAY_TEN + 330 * MINUTE;
const ABROAD: Instrument = { ...SHARE, refId: 7010, exchange: 'BSE', symbol: 'INFY' };
const KNOWN = [SHARE, FUTURE, INDEX, CALL, PUT, ABROAD];
const moment: StrategyConditions = {
  at: MONDAY_TEN,
  instrument: (refId) => KNOWN.find((instrument) => instrument.refId === refId),
  session: { from: OPENS, to: CLOSES },
  price: () => 150_000,
  // At noon all legs rest for a minute.
  trades: (at) => at !== MONDAY_TEN + 120 * MINUTE,
};
const future = { legs: [{ refId: FUTURE.refId, unit: 1 }], quantity: 65 };
const strategy = {
  multi: true,
  legs: [
    { refId: CALL.refId, unit: 1 },
    { refId: PUT.refId, unit: -2 },
  ],
  quantity: 65,
} as const;
const later = (goodTill: number, more: Partial<NewIntent> = {}) => ({ validity: 'GTE', goodTill, ...more }) as const;
const iceberg = (maxQuantity: number | null, legs: number | null, more: Partial<NewIntent> = {}) => ({
  iceberg: { maxQuantity, legs },
  ...more,
});
const entry = (time: number | null, price: number | null = null) => ({
  entry: { time, condition: price === null ? null : { kind: 'AT_OR_ABOVE' as const, price } },
});
const exitAt = (time: number, more: Partial<NewIntent> = {}) => ({
  exits: { stop: null, target: null, time },
  ...more,
});
const stop = (trigger: number) => ({
  exits: { stop: { trigger, limit: trigger, jump: null }, target: null, time: null },
});
type IntentChanges = Omit<Partial<NewIntent>, 'legs' | 'entry' | 'iceberg'> & Record<string, unknown>;

test.each<[what: string, order: IntentChanges, code: string | undefined, text?: string]>([
  ['a limit order for the day', {}, undefined],
  ['a tag of letters, digits and hyphens', { tag: 'Ab-9' }, undefined],
  ['a tag with a blank', { tag: 'a b' }, 'TAG', 'not "a b"'],
  ['a tag that ends with a blank', { tag: 'ab ' }, 'TAG'],
  ['a tag that begins with a blank', { tag: ' ab' }, 'TAG'],
  ['no legs', { legs: [] }, 'NO_LEGS'],
  ['one share', { quantity: 1 }, undefined],
  ['no share', { quantity: 0 }, 'INVALID_QUANTITY', 'qty must be a whole number above 0, not 0'],
  ['half a share', { quantity: 0.5 }, 'INVALID_QUANTITY'],
  ['an unknown instrument', { legs: [{ refId: 1, unit: 1 }] }, 'UNKNOWN_INSTRUMENT', 'refId 1 is not an instrument'],
  [
    'a leg of none',
    { legs: [{ refId: SHARE.refId, unit: 0 }] },
    'UNIT_QTY',
    'unitQty must be a whole number other than 0, not 0',
  ],
  ['a leg of a half', { legs: [{ refId: SHARE.refId, unit: 0.5 }] }, 'UNIT_QTY'],
  ['an index', { legs: [{ refId: INDEX.refId, unit: 1 }] }, 'NOT_TRADABLE'],
  ['a lot', future, undefined],
  ['a lot and one', { ...future, quantity: 66 }, 'LOT_SIZE', '66 is not a multiple of 65'],
  ['a strategy', strategy, undefined],
  ['a strategy for nothing, or less: a net premium', { ...strategy, price: -5 }, undefined],
  ['a strategy off the tick: it has none', { ...strategy, price: 7 }, undefined],
  [
    'a strategy between paise',
    { ...strategy, price: 0.5 },
    'INVALID_PRICE',
    'entryPrice must be a whole number of paise, not 0.5',
  ],
  ['a strategy that is sold', { ...strategy, side: 'SELL' }, 'STRATEGY_SIDE'],
  [
    'a strategy with a leg twice',
    { ...strategy, legs: [strategy.legs[0], strategy.legs[0]] },
    'SAME_LEG',
    `legs[1]: refId ${CALL.refId} is in legs twice`,
  ],
  [
    'a strategy over two exchanges',
    { ...strategy, legs: [strategy.legs[0], { refId: ABROAD.refId, unit: 1 }] },
    'LEG_EXCHANGE',
    'legs[1]: INFY is on BSE, all legs must be on NSE',
  ],
  [
    'a strategy of which one leg is no lot',
    { ...strategy, quantity: 33, legs: [{ refId: SHARE.refId, unit: 1 }, strategy.legs[1]] },
    'LOT_SIZE',
    'legs[1]: quantity entered',
  ],
  ['at market, for the moment', { priceType: 'MARKET', price: 0, validity: 'IOC' }, undefined],
  ['at market with a price', { priceType: 'MARKET', price: 1, validity: 'IOC' }, 'MARKET_PRICE'],
  [
    'at market for the day',
    { priceType: 'MARKET', price: 0 },
    'MARKET_VALIDITY',
    'Use a Limit Order for Day validity.',
  ],
  ['a tick', { price: 10 }, undefined],
  ['no price', { price: 0 }, 'INVALID_PRICE', 'entryPrice must be a whole number of paise above 0, not 0'],
  [
    'off the tick',
    { price: 150_004 },
    'TICK_SIZE',
    'entryPrice 150004 is not a multiple of the tick size 10: nearest are 150000 and 150010',
  ],

  ['good till a date, without one', { validity: 'GTE' }, 'GOOD_TILL', 'validityType GTE needs goodTillDate'],
  [
    'a date for the day only',
    { goodTill: MONDAY_TEN },
    'GOOD_TILL',
    'goodTillDate is for validityType GTE only, not DAY',
  ],
  ['good till today', later(MONDAY_TEN), undefined],
  ['good till yesterday', later(MONDAY_TEN - DAY), 'GOOD_TILL', 'goodTillDate is in the past'],
  ['intraday good till today', later(MONDAY_TEN, { product: 'IDAY' }), undefined],
  [
    'intraday good till tomorrow',
    later(MONDAY_TEN + DAY, { product: 'IDAY' }),
    'INTRADAY_EXPIRY',
    'Intraday orders cannot have an expiry beyond today',
  ],
  [
    'an intraday strategy good till today',
    later(MONDAY_TEN, { ...strategy, legs: [...strategy.legs], product: 'IDAY' }),
    'INTRADAY_EXPIRY',
  ],
  ['a strategy good till today', later(MONDAY_TEN, { ...strategy, legs: [...strategy.legs] }), undefined],
  ['good till the expiry', later(MONDAY_TEN + DAY, future), undefined],
  [
    'good till the day after the expiry',
    later(MONDAY_TEN + 2 * DAY, future),
    'ERR011',
    'You cannot place an order beyond the asset expiry',
  ],
  ['a share for a year', later(MONDAY_TEN + 366 * DAY), undefined],
  ['a share for longer', later(MONDAY_TEN + 367 * DAY), 'GOOD_TILL', 'at most one year away'],

  ['legs of so many', iceberg(9, null), undefined],
  [
    'legs as large as the order',
    iceberg(10, null),
    'ICEBERG',
    'icebergInfo.maxQtyPerLeg must be above 0 and below qty, not 10',
  ],
  ['legs of nothing', iceberg(0, null), 'ICEBERG'],
  ['legs of a half', iceberg(0.5, null), 'ICEBERG'],
  ['so many legs', iceberg(null, 10), undefined],
  ['two legs', iceberg(null, 2), undefined],
  ['one leg', iceberg(null, 1), 'ICEBERG', 'icebergInfo.numberOfLegs must be from 2 to the number of lots, not 1'],
  ['more legs than shares', iceberg(null, 11), 'ICEBERG'],
  ['two and a half legs', iceberg(null, 2.5), 'ICEBERG'],
  ['size and number of legs', iceberg(5, 2), 'ICEBERG', 'either maxQtyPerLeg or numberOfLegs, never both'],
  ['neither', iceberg(null, null), 'ICEBERG', 'either maxQtyPerLeg or numberOfLegs, never both'],
  ['legs of lots', iceberg(65, null, { ...future, quantity: 130 }), undefined],
  [
    'legs of half lots',
    iceberg(66, null, { ...future, quantity: 130 }),
    'LOT_SIZE',
    'icebergInfo.maxQtyPerLeg 66 is not a multiple of 65',
  ],
  ['a leg for each lot', iceberg(null, 2, { ...future, quantity: 130 }), undefined],
  ['more legs than lots', iceberg(null, 3, { ...future, quantity: 130 }), 'ICEBERG'],
  ['legs of a strategy', iceberg(null, 2, { ...strategy, legs: [...strategy.legs] }), 'ICEBERG', 'not for a strategy'],
  [
    'legs at market',
    iceberg(5, null, { priceType: 'MARKET', price: 0, validity: 'IOC' }),
    'ICEBERG',
    'needs priceType LIMIT and validityType DAY or GTE',
  ],
  [
    'legs for the moment',
    iceberg(5, null, { validity: 'IOC' }),
    'ICEBERG',
    'needs priceType LIMIT and validityType DAY or GTE',
  ],
  ['legs till a date', iceberg(5, null, later(MONDAY_TEN)), undefined],

  ['a condition on the tick', entry(null, 150_010), undefined],
  ['a condition off the tick', entry(null, 150_001), 'TICK_SIZE', 'entryConfig.triggers.ltp 150001'],
  ['an entry time to come', entry(MONDAY_TEN + 1), undefined],
  ['an entry time that is now', entry(MONDAY_TEN), 'ENTRY_TIME', 'must be still to come'],
  ['an entry time just before the close', entry(CLOSES - 1), undefined],
  ['an entry time at the close', entry(CLOSES), 'ENTRY_TIME', 'before the close of the session'],
  ['an entry time on the last day', { ...later(MONDAY_TEN + DAY), ...entry(MONDAY_TEN + DAY + MINUTE) }, undefined],
  [
    'an entry time after it',
    { ...later(MONDAY_TEN + DAY), ...entry(MONDAY_TEN + 2 * DAY) },
    'ENTRY_TIME',
    'must not be after goodTillDate',
  ],

  ['an exit time to come', exitAt(MONDAY_TEN + 1), undefined],
  ['an exit time that is now', exitAt(MONDAY_TEN), 'EXIT_TIME', 'must be still to come'],
  ['an exit time just before the close', exitAt(CLOSES - 1), undefined],
  ['an exit time at the close', exitAt(CLOSES), 'EXIT_TIME', 'inside the session'],
  ['an exit time at which nothing trades', exitAt(MONDAY_TEN + 120 * MINUTE), 'EXIT_TIME', 'inside the session'],
  ['an exit time till a date', exitAt(MONDAY_TEN + 1, later(MONDAY_TEN)), 'EXIT_TIME', 'not for validityType GTE'],
  [
    'an exit time 30 seconds after the entry time',
    { ...exitAt(MONDAY_TEN + 40_000), ...entry(MONDAY_TEN + 10_000) },
    undefined,
  ],
  [
    'an exit time just before that',
    { ...exitAt(MONDAY_TEN + 39_999), ...entry(MONDAY_TEN + 10_000) },
    'EXIT_TIME',
    'at least 30 seconds after',
  ],

  ['a stop below the limit', stop(149_990), undefined],
  ['a stop at the limit', stop(150_000), 'STOPLOSS'],
  ['a stop off the tick', stop(149_991), 'TICK_SIZE', 'stoplossTriggerPrice 149991'],
  [
    'a stop above what is sold',
    { ...stop(150_010), side: 'SELL', legs: [{ refId: SHARE.refId, unit: -1 }] },
    undefined,
  ],
  [
    'a stop below what is sold',
    { ...stop(149_990), side: 'SELL', legs: [{ refId: SHARE.refId, unit: -1 }] },
    'STOPLOSS',
  ],
  ['a stop of a strategy, off the tick', { ...strategy, ...stop(149_991) }, undefined],
])('an order is allowed or refused: %s', (_what, order, code, text = '') => {
  const refused = intentRefusal(intent(order as Partial<NewIntent>), moment);
  expect(refused?.code).toBe(code);
  expect(refused?.text ?? '').toContain(text);
});

test('an exit time is not before the opening of a session that is still to come', () => {
  const early = { ...moment, at: OPENS - MINUTE };
  const refused = (time: number) => intentRefusal(intent(exitAt(time)), early)?.code;
  expect([OPENS - 1, OPENS, OPENS + 1].map(refused)).toEqual(['EXIT_TIME', 'EXIT_TIME', undefined]);
});

test('exits are measured against the limit, else against the condition, else against the price now', () => {
  const market = { priceType: 'MARKET', price: 0 } as const;
  const condition = { entry: { time: null, condition: { kind: 'AT_OR_ABOVE' as const, price: 151_000 } } };
  expect(entryReference(intent({ price: 149_000, ...condition } as Partial<NewIntent>), moment)).toBe(149_000);
  expect(entryReference(intent({ ...market, ...condition } as Partial<NewIntent>), moment)).toBe(151_000);
  expect(entryReference(intent(market), moment)).toBe(150_000);
});

describe('the owner gains', () => {
  test.each([
    [{ side: 'BUY', multi: false }, 1],
    [{ side: 'SELL', multi: false }, -1],
    [{ side: 'SELL', multi: true }, 1],
  ] as const)('gains from %j in direction %d', (order, direction) => {
    expect(gainDirectionOf(order)).toBe(direction);
  });
});
