/** The words for the status of an order that clients of Indian brokers print: each is read as one thing, by everybody, on both interfaces. */
import { intentApi } from '../../../client/orders/api/intent/intent';
import type { OrderApi } from '../../../client/orders/api/order-api';
import { v2Api } from '../../../client/orders/api/v2/v2';
import { basketStatusOf, isBasketLive } from '../../../client/orders/model/basket-record';
import {
  entryHasEnded,
  exitsOf,
  exitViewsOf,
  filledQuantityOf,
  hasEnded,
  hasExited,
  hasLiveExits,
  hasReachedExchange,
  isUnpricedFill,
  readDayOrders,
  reasonOf,
  statusOf,
} from '../../../client/orders/model/order-record';
import { statusFrom } from '../../../client/orders/model/order-status';
import type { Transport } from '../../../client/transport';
import type { Json } from '../../../client/values/json';
import { orderOutput } from '../../../nodes/Brokerage/trading/orderOutput';
import { scriptedTransport } from '../../support/scripted-transport';

const listed = async (over: (transport: Transport) => OrderApi, reply: Json) => {
  const { transport } = scriptedTransport([{ text: JSON.stringify(reply) }]);
  return await over(transport).orders.list();
};

it.each([
  ['CANCELLED', 'ApiCancelled'],
  ['CANCELLED', 'partially_canceled'],
  ['CANCELLED', 'Canceled by user'],
  ['EXPIRED', 'EXPIRED_IN_MATCH'],
  ['PARTIAL_FILLED', 'Partly Executed'],
])('%s is read from %s, as clients of other markets print it', (status, word) => {
  expect(statusFrom(word)).toBe(status);
});

const WORDS: readonly [string, readonly string[]][] = [
  [
    'FILLED',
    [
      ...[
        'COMPLETE',
        'complete',
        'Complete',
        'Executed',
        'TRADED',
        'Fully Executed',
        'ORDER_STATUS_COMPLETE',
        'Filled',
      ],
      ...['Order Executed', 'DELIVERY_AWAITED'],
    ],
  ],
  ['PARTIAL_FILLED', ['PartiallyFilled', 'Partially Executed', 'PART_TRADED', 'partially-filled']],
  [
    'CANCELLED',
    [
      ...['cancelled', 'CANCELED', 'Cancelled', 'CANCELLED AMO', 'cancelled after market order'],
      ...['cancelled after partial fill', 'Cancelled by Exchange', 'IOC Cancelled', 'SYSTEM_CANCELLED'],
      ...['Cancelled (AMO)', 'CANCELLED.', 'Order Cancelled', 'Cancelled by RMS', '_UNSOLICITED_CANCEL'],
    ],
  ],
  [
    'REJECTED',
    [
      ...['rejected', 'Rejected', 'REJECTED ', 'Rejected By Exch', 'Rejected by RMS', 'REJECTED - RMS'],
      ...['Rejected By 5P', 'Order Rejected'],
    ],
  ],
  [
    'EXPIRED',
    ['expired', 'ORDER_STATUS_EXPIRED', 'Lapsed', 'Partially Executed And Expired', 'PartiallyFilledExpired'],
  ],
  ['TRIGGERED', ['triggered', 'SL Triggered']],
  [
    'OPEN',
    [
      ...[
        'open',
        'TRIGGER PENDING',
        'TRIGGER_PENDING',
        'trigger pending',
        'modify pending',
        'MODIFY VALIDATION PENDING',
      ],
      ...['CANCEL PENDING', 'not modified', 'modified', 'PendingReplace', 'PendingCancel', 'GTE'],
      ...['CANCEL REJECTED', 'MODIFY_REJECTED', 'CANCEL_REQUESTED', 'ACKED', 'Ordered'],
    ],
  ],
  [
    'PENDING',
    [
      ...['pending', 'PUT ORDER REQ RECEIVED', 'put order req received', 'validation pending', 'OPEN PENDING'],
      ...['after market order req received', 'AMO REQ RECEIVED', 'PendingNew', 'TRANSIT', 'order_status_pending'],
      ...['AH Placed', 'Xmitted', 'Requested', 'Queued'],
    ],
  ],
];
const ALL = WORDS.flatMap(([status, words]) => words.map((word) => [word, status] as const));
const OVER = ['FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED'];
const UNITS: Readonly<Record<string, number>> = { FILLED: 10, PARTIAL_FILLED: 4, CANCELLED: 4 };

test.each(ALL)('"%s" is %s for whoever asks', async (word, status) => {
  const filled = UNITS[status] ?? 0;
  const common = { order_qty: 10, filled_qty: filled, avg_filled_price: 100 };
  const [older] = await listed(v2Api, [{ order_id: '5', ref_id: 7, order_status: word, ...common }]);
  // A part of the list that is not known: the record says its status itself.
  const [newer] = await listed(intentApi, {
    orders: {
      others: [{ intentOrderId: '5', refId: 7, status: word, orderQty: 10, filledQty: filled, filledPrice: 100 }],
    },
  });
  for (const order of [older!, newer!]) {
    const isUnsent = order === newer && status === 'OPEN' && /open$/i.test(word);
    const shown = isUnsent ? 'PENDING' : status;
    const [snapshot] = readDayOrders([order]);
    expect([statusOf(order), snapshot!.status]).toEqual([shown, shown]);
    expect([entryHasEnded(order), snapshot!.end !== '']).toEqual([OVER.includes(status), OVER.includes(status)]);
    expect(hasReachedExchange(order)).toBe(shown !== 'PENDING');
    expect(filledQuantityOf(order)).toBe(filled);
    const item = orderOutput(order, { unit: 'paise', simplify: true, environment: 'sandbox', today: '2026-11-20' });
    expect(item).toMatchObject({ order_status: shown, filled_qty: filled });
  }
});

test.each([
  ['BASKET_STATUS_CANCELED', 'CANCELLED', false],
  ['closed', 'CLOSED', false],
  ['Rejected', 'REJECTED', false],
  ['PartiallyFilled', 'OPEN', true],
  ['trigger pending', 'OPEN', true],
  ['expired', 'CANCELLED', false],
])('the basket of the status "%s" is %s', (word, status, isLive) => {
  const basket = { basket_id: '9', basket_status: word };
  expect([basketStatusOf(basket), isBasketLive(basket)]).toEqual([status, isLive]);
});

test('a word that nobody knows has not ended, and stays one word of bounded length', () => {
  expect(statusFrom('FILLED\nREJECTED')).toBe('FILLED_REJECTED');
  expect(statusFrom('x'.repeat(10_000))).toHaveLength(60);
  expect(hasEnded({ order_status: 'FILLED\nREJECTED' })).toBe(false);
  expect([statusFrom('constructor'), statusFrom('')]).toEqual(['CONSTRUCTOR', '']);
});

test('the reason of a refusal is told in any spelling of the status', () => {
  expect(reasonOf({ order_status: 'rejected by exch', message: 'no margin' })).toBe('no margin');
  expect(reasonOf({ order_status: 'complete', message: 'done' })).toBe('');
});

describe('status and fills that disagree', () => {
  const v2 = async (order_status: string, filled_qty: Json) =>
    (await listed(v2Api, [{ order_id: '5', ref_id: 7, order_status, order_qty: 10, filled_qty }]))[0]!;
  const intent = async (bucket: string, filledQty: Json, more: object = {}) =>
    (
      await listed(intentApi, {
        orders: { [bucket]: [{ intentOrderId: '5', refId: 7, orderQty: 10, filledQty, ...more }] },
      })
    )[0]!;

  test('a filled order has all of its quantity, and waits for its price', async () => {
    for (const filledQuantity of [0, 3, null, '']) {
      for (const order of [await v2('ORDER_STATUS_FILLED', filledQuantity), await intent('executed', filledQuantity)]) {
        expect([statusOf(order), filledQuantityOf(order)]).toEqual(['FILLED', 10]);
        expect(isUnpricedFill(order)).toBe(true);
      }
    }
  });

  test('an order whose fills are told first has filled', async () => {
    for (const word of ['OPEN', 'PENDING', 'SENT', 'trigger pending']) {
      expect(statusOf(await v2(word, 10))).toBe('FILLED');
      expect(statusOf(await v2(word, 4))).toBe('PARTIAL_FILLED');
    }
    expect(statusOf(await intent('open', 10))).toBe('FILLED');
  });

  test('an entry that an exit has cut short keeps what it has filled', async () => {
    const stop = { stoplossParams: { stoplossTriggerPrice: { value: 90 }, status: 'complete', filledQty: '3' } };
    const order = await intent('executed', 3, { exitConfig: stop });
    expect(filledQuantityOf(order)).toBe(3);
    expect(exitsOf(order)).toMatchObject([{ kind: 'STOPLOSS', status: 'FILLED', filled_qty: 3 }]);
    expect([hasLiveExits(order), hasExited(order)]).toEqual([false, true]);
  });
});

test.each([
  ['open', 'OPEN', true],
  ['Triggered', 'TRIGGERED', true],
  ['INTENT_EXIT_TRIGGER_STATUS_OPEN', 'OPEN', true],
  ['INTENT_EXIT_TRIGGER_STATUS_CANCELLED', 'CANCELLED', false],
  ['canceled', 'CANCELLED', false],
  ['executed', 'FILLED', false],
  [undefined, 'OPEN', true],
])('an exit of the status "%s" is %s for the node and the trigger', async (word, status, isLive) => {
  const target = {
    targetParams: { targetProfitTriggerPrice: { value: 120 }, ...(word === undefined ? {} : { status: word }) },
  };
  const [order] = await listed(intentApi, {
    orders: { executed: [{ intentOrderId: '5', refId: 7, orderQty: 10, filledQty: 10, exitConfig: target }] },
  });
  expect(exitsOf(order!).map((exit) => exit.status)).toEqual([status]);
  expect(exitViewsOf(order!).map((exit) => exit.status)).toEqual([status]);
  expect(hasLiveExits(order!)).toBe(isLive);
});

describe('a list that names an order twice', () => {
  const id = { order_id: '5', ref_id: 7, order_qty: 10 };
  test.each([
    [
      'open, then filled',
      [
        { ...id, order_status: 'OPEN' },
        { ...id, order_status: 'FILLED', filled_qty: 10 },
      ],
    ],
    [
      'filled, then open',
      [
        { ...id, order_status: 'FILLED', filled_qty: 10 },
        { ...id, order_status: 'OPEN' },
      ],
    ],
    [
      'twice the same',
      [
        { ...id, order_status: 'FILLED', filled_qty: 10 },
        { ...id, order_status: 'COMPLETE' },
      ],
    ],
  ])('counts it once, by its later record: %s', async (_, records) => {
    const orders = await listed(v2Api, records);
    expect(orders.map((order) => [statusOf(order), filledQuantityOf(order)])).toEqual([['FILLED', 10]]);
  });

  test('the newer interface too, where it moves from one part to another', async () => {
    const record = { intentOrderId: '5', refId: 7, orderQty: 10 };
    const orders = await listed(intentApi, {
      orders: { open: [record], executed: [{ ...record, filledQty: 10 }], gtt: null },
    });
    expect(orders.map((order) => [statusOf(order), filledQuantityOf(order)])).toEqual([['FILLED', 10]]);
  });
});

test('parts of a list under other names are read, and what is no list beside them is left out', async () => {
  const record = (intentOrderId: string) => ({ intentOrderId, refId: 7, orderQty: 10, filledQty: 0 });
  const orders = await listed(intentApi, {
    orders: { Complete: [record('1')], OPEN: [record('2')], pending: [record('3')], count: 3, note: 'x' },
  });
  expect(orders.map(statusOf)).toEqual(['FILLED', 'OPEN', '']);
});
