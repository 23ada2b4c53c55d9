/**
 * Meaning of a record of intent orders (docs/service/intent-orders.md#record): status, tag, kind, exits and legs, by
 * which money is counted.
 */
import type { IntentRecord } from '../../../../../client/endpoints/intent-orders';
import { itemOf } from '../../../../../client/orders/api/intent/request-body';
import { basketOf, orderOf, type ListedRecord } from '../../../../../client/orders/api/intent/record';
import type { JsonObject } from '../../../../../client/values/json';
import { LIMIT_BUY } from '../../support';

const AT = '2026-11-20T10:30:00.000000001+05:30';
const SENT = { sentToColoAt: AT };
const above = (value: number): JsonObject => ({ triggers: { ltp: { atOrAbove: { value } } } });
const below = (value: number): JsonObject => ({ triggers: { ltp: { atOrBelow: { value } } } });

const listed = (bucket: ListedRecord['bucket'], more: JsonObject = {}): ListedRecord => ({
  record: {
    intentOrderId: '1700000000000000001',
    refId: 7,
    side: 'BUY',
    priceType: 'LIMIT',
    orderQty: 10,
    filledQty: 0,
    timestamps: SENT,
    ...more,
  } as unknown as IntentRecord,
  bucket,
});

it.each<[string, ListedRecord['bucket'], JsonObject, string]>([
  ['rests at the exchange', 'open', {}, 'OPEN'],
  ['has not left yet', 'open', { timestamps: { sentToColoAt: null } }, 'PENDING'],
  ['was taken just now, which the reply tells', undefined, { status: 'OPEN' }, 'PENDING'],
  ['is filled in part', 'open', { filledQty: 4 }, 'PARTIAL_FILLED'],
  ['is filled in part before it is shown as sent', 'open', { filledQty: 1, timestamps: {} }, 'PARTIAL_FILLED'],
  ['waits for a price', 'open', { entryConfig: above(150_000), timestamps: { sentToColoAt: null } }, 'OPEN'],
  ['has seen its price', 'open', { entryConfig: { ...above(150_000), status: 'TRIGGERED' } }, 'TRIGGERED'],
  ['waits for days', 'gtt', {}, 'OPEN'],
  ['is filled', 'executed', { filledQty: 10 }, 'FILLED'],
  ['was cancelled after a part', 'cancelled', { filledQty: 4 }, 'CANCELLED'],
  ['was rejected', 'rejected', {}, 'REJECTED'],
  ['expired', 'expired', {}, 'EXPIRED'],
  // The bucket decides where it and the status differ.
  ['stands among the cancelled, whatever it says', 'cancelled', { status: 'OPEN' }, 'CANCELLED'],
  ['has a status that nobody knows', undefined, { status: 'PAUSED' }, 'PAUSED'],
  ['has a word for its status that every object knows', undefined, { status: 'constructor' }, 'CONSTRUCTOR'],
])('an order that %s is read with its status', (_, bucket, more, status) => {
  expect(orderOf(listed(bucket, more)).order_status).toBe(`ORDER_STATUS_${status}`);
});

it.each<[string, JsonObject, string]>([
  ['a rise, to buy, is a stop-loss order', { entryConfig: above(150_500) }, 'STOPLOSS'],
  ['a fall, to buy, is a condition', { entryConfig: below(150_500) }, 'REGULAR'],
  ['a fall, to sell, is a stop-loss order', { side: 'SELL', entryConfig: below(150_500) }, 'STOPLOSS'],
  ['a rise, to sell, is a condition', { side: 'SELL', entryConfig: above(150_500) }, 'REGULAR'],
  ['a rise, to buy at market, is a condition', { priceType: 'MARKET', entryConfig: above(150_500) }, 'REGULAR'],
  ['an iceberg is one, whatever it waits for', { entryConfig: above(150_500), icebergInfo: {} }, 'ICEBERG'],
])('an order that waits for %s shows its type and its trigger price', (_, more, kind) => {
  expect(orderOf(listed('open', more))).toMatchObject({
    order_type: `ORDER_TYPE_${kind}`,
    trigger_price: kind === 'STOPLOSS' ? 150_500 : null,
    entry_condition: { trigger_price: 150_500 },
  });
});

it.each(['BUY', 'SELL'] as const)(
  'a stop-loss order to %s is written as the condition that it is read from',
  (side) => {
    const terms = { ...LIMIT_BUY, side, kind: 'STOPLOSS' as const, triggerPrice: 150_500 };
    const { entryConfig } = itemOf(terms, 'a') as unknown as { entryConfig: JsonObject };
    expect(entryConfig.triggers).toEqual((side === 'BUY' ? above(150_500) : below(150_500)).triggers);
  },
);

it.each<[string, unknown, string]>([
  ['one', ['mine'], 'mine'],
  ['several, none of them ours', ['mine', 'other'], 'mine'],
  ['text in place of a list', 'mine', 'mine'],
  ['a list with what is no text', [null, 7, 'mine'], 'mine'],
  ['several, by which it is found again', ['mine', 'a-36gyqgmyriop', 'other'], 'a-36gyqgmyriop'],
  ['none', [], ''],
  ['nothing', null, ''],
])('has as its tag, of %s, the one that counts', (_, stratTags, tag) => {
  expect(orderOf(listed('open', { stratTags } as JsonObject)).tag).toBe(tag);
});

describe('a strategy', () => {
  const leg = (unitQty: number, filledQty: number) => ({ refId: 9, unitQty, orderQty: 65, filledQty });
  const exitConfig = {
    stoplossParams: { kind: 'STOPLOSS', stoplossTriggerPrice: 900, stoplossLimitPrice: 850 },
    targetParams: { targetProfitTriggerPrice: 1_500, targetProfitLimitPrice: 1_450 },
  };
  const strategy = (bucket: ListedRecord['bucket'], more: JsonObject = {}) =>
    basketOf(listed(bucket, { isMulti: true, legs: [leg(1, 65), leg(-1, 20)], exitConfig, ...more }));

  it('tells target and stop loss apart', () => {
    expect(strategy('open').basket_params).toMatchObject({ exit_price: 1_500, stoploss_price: 900 });
    const only = (part: keyof typeof exitConfig) =>
      strategy('open', { exitConfig: { [part]: exitConfig[part] } }).basket_params;
    expect(only('stoplossParams')).toMatchObject({ exit_price: null, stoploss_price: 900 });
    expect(only('targetParams')).toMatchObject({ exit_price: 1_500, stoploss_price: null });
  });

  it('shows of each leg its side, and whether that one has filled', () => {
    expect(strategy('open').orders).toMatchObject([
      { order_side: 'ORDER_SIDE_BUY', order_status: 'ORDER_STATUS_FILLED', filled_qty: 65 },
      { order_side: 'ORDER_SIDE_SELL', order_status: 'ORDER_STATUS_PARTIAL_FILLED', filled_qty: 20 },
    ]);
    expect(strategy('open', { legs: [leg(1, 0), leg(-1, 0)] }).orders).toMatchObject([
      { order_status: 'ORDER_STATUS_OPEN' },
      { order_status: 'ORDER_STATUS_OPEN' },
    ]);
  });

  it('is closed once an exit has filled, and only entered before', () => {
    const filled = { ...exitConfig, targetParams: { ...exitConfig.targetParams, status: 'FILLED' } };
    expect(strategy('executed', { filledQty: 10 }).basket_status).toBe('BASKET_STATUS_FILLED');
    expect(strategy('open', { filledQty: 4 }).basket_status).toBe('BASKET_STATUS_OPEN');
    expect(strategy('expired').basket_status).toBe('BASKET_STATUS_CANCELLED');
    expect(strategy('executed', { filledQty: 10, exitConfig: filled }).basket_status).toBe('BASKET_STATUS_CLOSED');
  });
});
