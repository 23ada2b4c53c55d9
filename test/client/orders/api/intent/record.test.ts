/**
 * Meaning of a record of intent orders (docs/service/intent-orders.md#record): status, tag, kind, exits and legs, by
 * which money is counted.
 */
import type { IntentRecord } from '../../../../../client/endpoints/intent-orders';
import { UnreadableReplyError } from '../../../../../client/base/errors';
import { itemOf } from '../../../../../client/orders/api/intent/request-body';
import { basketOf, listedIn, orderOf, type ListedRecord } from '../../../../../client/orders/api/intent/record';
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

it.each<[string, JsonObject, string]>([
  ['that waits for a time, and has its status, is open', { status: 'OPEN', entryConfig: { entryTime: AT } }, 'OPEN'],
  [
    'that has seen its price, and a time is set',
    { entryConfig: { ...above(5), entryTime: AT, status: 'TRIGGERED' } },
    'TRIGGERED',
  ],
  [
    'that waits for a time alone has triggered nothing',
    { entryConfig: { entryTime: AT, status: 'TRIGGERED' } },
    'OPEN',
  ],
  ['filled by all of its quantity, though it stands among the open', { filledQty: 10 }, 'FILLED'],
  ['filled, of unknown quantity', { filledQty: 4, orderQty: 0 }, 'PARTIAL_FILLED'],
  ['filled in part while it waits', { filledQty: 4, entryConfig: above(5) }, 'PARTIAL_FILLED'],
])('an order %s', (_, more, status) => {
  const bucket = more.status === undefined ? 'open' : undefined;
  expect(orderOf(listed(bucket, more)).order_status).toBe(`ORDER_STATUS_${status}`);
});

it('a word that says that it is taken, and none that it was sent, is on its way; a modified one is open', () => {
  const status = (word: string) => orderOf(listed(undefined, { status: word })).order_status;
  expect(['INTENT_OPEN', 'open', 'MODIFIED'].map(status)).toEqual([
    'ORDER_STATUS_PENDING',
    'ORDER_STATUS_PENDING',
    'ORDER_STATUS_OPEN',
  ]);
});

it.each([
  ['2026-11-20T10:30:00.000000001+05:30', '1795150800000000001'],
  ['2026-11-20T10:30:00.5+05:30', '1795150800500000000'],
  ['2026-11-20T05:00:00Z', '1795150800000000000'],
  ['2026-11-20T05:00:00', '0'],
  ['2026-13-20T05:00:00Z', '0'],
  ['2026-11-20T05:00:00.1234567890Z', '0'],
  [' 2026-11-20T05:00:00Z', '0'],
  ['2026-11-20T05:00:00Z x', '0'],
  [null, '0'],
  [5, '0'],
])('a time of %p is %s nanoseconds', (filledAt, nanos) => {
  expect(orderOf(listed('executed', { timestamps: { filledAt } })).filled_time).toBe(nanos);
});

it('an order that waits for a time alone is a regular one, whatever its type says', () => {
  const type = (more: JsonObject) => orderOf(listed('open', { intentOrderType: 'TRIGGER', ...more })).order_type;
  expect(type({ entryConfig: { entryTime: AT } })).toBe('ORDER_TYPE_REGULAR');
  // Where the condition is not told, the type alone says that it waits for a price.
  expect(type({})).toBe('ORDER_TYPE_STOPLOSS');
});

it.each<[string, unknown, string]>([
  ['the last of its exchange', { NSE: ['11', '12'] }, '12'],
  ['none of an empty list', { NSE: [] }, '0'],
  ['none of what is no list', { NSE: '11' }, '0'],
  ['none where there is none', null, '0'],
])('its number at the exchange is %s', (_, exchangeOrderIds, id) => {
  expect(orderOf(listed('open', { exchangeOrderIds } as JsonObject)).exchange_order_id).toBe(id);
});

describe('a list with parts in other spellings', () => {
  const one = (id: string): JsonObject => ({ intentOrderId: id, refId: 7, status: 'INTENT_OPEN' });
  const buckets = (reply: JsonObject) => listedIn(reply as never).map(({ bucket }) => bucket);

  it('takes the word of a part for its status in any case, and in the words of a record', () => {
    expect(
      buckets({ orders: { OPEN: [one('1')], Executed: [one('2')], filled: [one('3')], CANCELED: [one('4')] } }),
    ).toEqual(['open', 'executed', 'executed', 'cancelled']);
  });

  it('leaves the status to the records of a part that nobody knows', () => {
    expect(buckets({ orders: { parked: [one('1')] } })).toEqual([undefined]);
    expect(buckets({ orders: { parked: { 1: one('1') } } })).toEqual([undefined]);
    expect(buckets({ orders: { totals: { open: 5, nested: {} }, notes: ['x'] } })).toEqual([]);
  });

  it('is refused where a part that is known cannot be read, or an order of it has no number', () => {
    for (const open of ['x', [null], ['x'], [one(''), one('1')], [{ ...one('0') }]])
      expect(() => listedIn({ orders: { open } } as never)).toThrow(UnreadableReplyError);
  });
});

describe('the exits and legs of a strategy', () => {
  const exitConfig = (more: JsonObject): JsonObject => ({ exitConfig: more });
  const params = (more: JsonObject) => basketOf(listed('open', { isMulti: true, ...more })).basket_params;

  it('show the exit time, and what the entry waits for', () => {
    expect(params({ ...exitConfig({ exitTime: AT }), entryConfig: { ...above(700), entryTime: AT } })).toMatchObject({
      exit_time: AT,
      stoploss_price: null,
      exit_price: null,
      momentum_trigger_price: 700,
      entry_time: AT,
    });
    expect(params(exitConfig({ stoplossParams: { stoplossTriggerPrice: 5 } }))).toMatchObject({ exit_time: null });
  });

  it('do not show as its stop loss one that trails: it has moved on', () => {
    const trailing = { stoplossParams: { stoplossTriggerPrice: 5, stoplossTrailJump: 1 } };
    expect(params(exitConfig(trailing))).toMatchObject({ stoploss_price: null });
  });

  it('tell the time of closing only of one that is closed', () => {
    const targetParams = { targetProfitTriggerPrice: 9, status: 'FILLED' };
    const times = { timestamps: { lastUpdatedAt: AT }, filledQty: 10 };
    const closed = basketOf(listed('executed', { ...exitConfig({ targetParams }), ...times }));
    expect(closed).toMatchObject({ basket_status: 'BASKET_STATUS_CLOSED', closed_time: '1795150800000000001' });
    expect(basketOf(listed('executed', times))).not.toHaveProperty('closed_time');
    // One that was cancelled is not closed by an exit.
    expect(basketOf(listed('cancelled', { ...exitConfig({ targetParams }), ...times })).basket_status).toBe(
      'BASKET_STATUS_CANCELLED',
    );
  });

  it('tell their instrument, its exchange, the tag and the number of the strategy', () => {
    const refData = { refId: 9, exchange: 'BSE', displayName: 'Nifty call' };
    const legs: JsonObject[] = [
      { refId: 9, unitQty: -2, orderQty: 65, filledQty: 0, filledPrice: 3, refData },
      { refId: 10, orderQty: 0, filledQty: 0 },
    ];
    const { orders } = basketOf(listed('open', { isMulti: true, exchange: 'NSE', stratTags: ['mine'], legs }));
    expect(orders).toMatchObject([
      {
        basket_id: '1700000000000000001',
        exchange: 'BSE',
        display_name: 'Nifty call',
        order_side: 'ORDER_SIDE_SELL',
        unit_qty: -2,
        avg_filled_price: 3,
        tag: 'mine',
      },
      // Nothing ordered and nothing filled is not filled.
      {
        exchange: 'NSE',
        display_name: '',
        order_side: '',
        order_status: 'ORDER_STATUS_OPEN',
        unit_qty: null,
      },
    ]);
  });
});
