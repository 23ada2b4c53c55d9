/**
 * Bodies that are written to intent orders (docs/service/intent-orders.md#item-to-place,
 * docs/service/intent-orders.md#modify-and-cancel): a field too many or too few makes another order.
 */
import type { BasketTerms } from '../../../../../client/orders/model/basket-terms';
import { itemOf, strategyOf } from '../../../../../client/orders/api/intent/request-body';
import type { OrderTerms } from '../../../../../client/orders/model/order-terms';
import { LIMIT_BUY, SPREAD } from '../../support';

const AT = Date.parse('2026-11-20T11:00:00+05:30');
const AT_TEXT = '2026-11-20T05:30:00.000Z';
/** As it goes over the wire: what is undefined is not there. */
const wire = (body: object): unknown => JSON.parse(JSON.stringify(body));

const ITEM = {
  refId: 7,
  qty: 10,
  side: 'BUY',
  isMultiLeg: false,
  deliveryType: 'CNC',
  priceType: 'LIMIT',
  validityType: 'DAY',
  executionMode: 'ENTRY',
  entryPrice: 150_005,
  stratTags: ['t'],
};
const { entryPrice: _, ...MARKET_ITEM } = { ...ITEM, priceType: 'MARKET', validityType: 'IOC' };

it.each<[string, Partial<OrderTerms>, object]>([
  ['a limit order', {}, ITEM],
  ['a limit order that has a trigger it does not use', { triggerPrice: 5 }, ITEM],
  [
    'a sale',
    { side: 'SELL', product: 'IDAY', validity: 'IOC' },
    {
      ...ITEM,
      side: 'SELL',
      deliveryType: 'IDAY',
      validityType: 'IOC',
    },
  ],
  ['a market order, which is Immediate or Cancel', { priceType: 'MARKET', price: undefined }, MARKET_ITEM],
  [
    'a market order, which is good till no date',
    { priceType: 'MARKET', validity: 'GTE', goodTill: '2026-11-27' },
    MARKET_ITEM,
  ],
  [
    'what is good till a date, to its end in India',
    { validity: 'GTE', goodTill: '2026-11-27' },
    {
      ...ITEM,
      validityType: 'GTE',
      goodTillDate: '2026-11-27T18:29:00.000Z',
    },
  ],
  ['a date that a day order does not use', { goodTill: '2026-11-27' }, ITEM],
  [
    'a stop-loss purchase',
    { kind: 'STOPLOSS', triggerPrice: 150_000 },
    {
      ...ITEM,
      entryConfig: { triggers: { ltp: { atOrAbove: { value: 150_000 } } } },
    },
  ],
  [
    'a stop-loss sale',
    { kind: 'STOPLOSS', side: 'SELL', triggerPrice: 150_000 },
    {
      ...ITEM,
      side: 'SELL',
      entryConfig: { triggers: { ltp: { atOrBelow: { value: 150_000 } } } },
    },
  ],
  [
    'a condition',
    { condition: { when: 'AT_OR_BELOW', price: 140_000 } },
    {
      ...ITEM,
      entryConfig: { triggers: { ltp: { atOrBelow: { value: 140_000 } } } },
    },
  ],
  ['an entry time', { entryTime: AT }, { ...ITEM, entryConfig: { entryTime: AT_TEXT } }],
  [
    'a stop loss',
    { exits: { stop: { trigger: 140_000, limit: 139_000 } } },
    {
      ...ITEM,
      executionMode: 'ENTRY_AND_EXIT',
      exitConfig: {
        stoplossParams: { stoplossTriggerPrice: { value: 140_000 }, stoplossLimitPrice: { value: 139_000 } },
      },
    },
  ],
  [
    'a stop loss that trails',
    { exits: { stop: { trigger: 140_000, limit: 139_000, jump: 500 } } },
    {
      ...ITEM,
      executionMode: 'ENTRY_AND_EXIT',
      exitConfig: {
        stoplossParams: {
          stoplossTriggerPrice: { value: 140_000 },
          stoplossLimitPrice: { value: 139_000 },
          stoplossTrailJump: { value: 500 },
        },
      },
    },
  ],
  [
    'a target and an exit time',
    { exits: { target: { trigger: 160_000, limit: 159_000 }, time: AT } },
    {
      ...ITEM,
      executionMode: 'ENTRY_AND_EXIT',
      exitConfig: {
        targetParams: { targetProfitTriggerPrice: { value: 160_000 }, targetProfitLimitPrice: { value: 159_000 } },
        exitTime: AT_TEXT,
      },
    },
  ],
  ['exits of which there are none', { exits: {} }, ITEM],
  ['an iceberg', { kind: 'ICEBERG', legSize: 5 }, { ...ITEM, icebergInfo: { maxQtyPerLeg: 5 } }],
  ['an iceberg by its slices', { kind: 'ICEBERG', slices: 2 }, { ...ITEM, icebergInfo: { numberOfLegs: 2 } }],
])('writes the item of %s', (__, changes, expected) => {
  expect(wire(itemOf({ ...LIMIT_BUY, ...changes }, 't'))).toEqual(expected);
});

const STRATEGY = {
  qty: 65,
  side: 'BUY',
  isMultiLeg: true,
  deliveryType: 'IDAY',
  priceType: 'LIMIT',
  validityType: 'DAY',
  executionMode: 'ENTRY',
  entryPrice: 1_000,
  stratTags: ['t'],
  legs: [
    { refId: 9, unitQty: 1 },
    { refId: 10, unitQty: -1 },
  ],
};
it.each<[string, Partial<BasketTerms>, object]>([
  ['two legs', {}, STRATEGY],
  ['three of it', { multiplier: 3 }, { ...STRATEGY, qty: 195 }],
  [
    'one that is good till a date',
    { goodTill: '2026-11-27' },
    {
      ...STRATEGY,
      validityType: 'GTE',
      goodTillDate: '2026-11-27T18:29:00.000Z',
    },
  ],
  [
    'one that waits',
    { momentumTriggerPrice: 900, entryTime: AT },
    {
      ...STRATEGY,
      entryConfig: { triggers: { ltp: { atOrAbove: { value: 900 } } }, entryTime: AT_TEXT },
    },
  ],
  [
    'one with a target, at which it is sold',
    { targetPrice: 1_500 },
    {
      ...STRATEGY,
      executionMode: 'ENTRY_AND_EXIT',
      exitConfig: {
        targetParams: { targetProfitTriggerPrice: { value: 1_500 }, targetProfitLimitPrice: { value: 1_500 } },
      },
    },
  ],
  [
    'one with a stop loss that trails, and an exit time',
    { stopLossPrice: 800, trailJump: 20, exitTime: AT },
    {
      ...STRATEGY,
      executionMode: 'ENTRY_AND_EXIT',
      exitConfig: {
        stoplossParams: {
          stoplossTriggerPrice: { value: 800 },
          // A percent below, on the smallest tick of its legs.
          stoplossLimitPrice: { value: 790 },
          stoplossTrailJump: { value: 20 },
        },
        exitTime: AT_TEXT,
      },
    },
  ],
  [
    'one whose stop loss stays',
    { stopLossPrice: 800 },
    {
      ...STRATEGY,
      executionMode: 'ENTRY_AND_EXIT',
      exitConfig: { stoplossParams: { stoplossTriggerPrice: { value: 800 }, stoplossLimitPrice: { value: 790 } } },
    },
  ],
])('writes the strategy of %s', (__, changes, expected) => {
  expect(wire(strategyOf({ ...SPREAD, ...changes }, 't'))).toEqual(expected);
});
