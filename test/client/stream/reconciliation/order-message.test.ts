/** Meaning of a message of the stream: the event, the step of a basket, and the state of the order after it. */
import { ONE_SHARE } from '../../../../client/values/contract-value';
import { describe, expect, test } from '@jest/globals';
import { readOrderMessage, type OrderMessage } from '../../../../client/stream/reconciliation/order-message';
import { updateOf } from '../wire';

const [ACCEPT, REJECT, FILLED, TRIGGERED, STOP, TARGET, TRAIL, EXECUTED, UNSOLICITED] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const [NEW, MOD, CANCEL] = [1, 2, 3];
const STATUS = { NONE: 0, OPEN: 1, EXECUTED: 2, REJECTED: 3, GTE: 4, CANCELLED: 5, EXPIRED: 6 };
type Status = keyof typeof STATUS;

function read(order: object, response = ACCEPT, request = NEW): OrderMessage {
  const message = readOrderMessage(updateOf({ intentOrderId: '5', refId: 7, ...order }, [response!, request!]));
  if (message === undefined) throw new Error('no message of an order');
  return message;
}
const single = (status: Status, response: number | undefined, request = NEW, more: object = {}): OrderMessage =>
  read({ orderStatus: STATUS[status], orderQty: 10, ...more }, response, request);
const strategy = (status: Status, response: number | undefined, request = NEW, more: object = {}): OrderMessage =>
  single(status, response, request, { refId: 0, isMulti: true, legs: [{ refId: 1, unitQty: 1 }], ...more });

test('a message without an order, or without its number, tells nothing', () => {
  expect(readOrderMessage(updateOf({ intentOrderId: '0' }, [1, 1]))).toBeUndefined();
  expect(readOrderMessage({ ...updateOf({}, [1, 1]), intentOrderResponse: null })).toBeUndefined();
});

test.each([
  ['accepted', 'OPEN', ACCEPT, NEW],
  ['modified', 'OPEN', ACCEPT, MOD],
  ['cancelled', 'CANCELLED', ACCEPT, CANCEL],
  ['rejected', 'REJECTED', REJECT, NEW],
  ['modifyRejected', 'OPEN', REJECT, MOD],
  ['cancelRejected', 'OPEN', REJECT, CANCEL],
  ['accepted', 'OPEN', ACCEPT, 0],
  ['rejected', 'REJECTED', REJECT, 0],
  ['entryTriggered', 'OPEN', TRIGGERED, NEW],
  ['stopLossTriggered', 'OPEN', STOP, NEW],
  ['targetTriggered', 'OPEN', TARGET, NEW],
  ['trailUpdated', 'OPEN', TRAIL, NEW],
  ['executed', 'EXECUTED', EXECUTED, NEW],
  ['unsolicitedCancel', 'CANCELLED', UNSOLICITED, NEW],
  ['executed', 'EXECUTED', FILLED, NEW],
  ['other', 'OPEN', FILLED, NEW],
  ['expired', 'EXPIRED', FILLED, NEW],
  ['expired', 'EXPIRED', 0, 0],
  ['other', 'EXECUTED', 0, 0],
  ['other', 'OPEN', 77, 88],
] as const)('%s comes of the status %s, with response %s to request %s', (type, status, response, request) => {
  expect(single(status, response, request).type).toBe(type);
});

describe('an order after its message', () => {
  const after = ({ order }: OrderMessage): unknown[] => [order.accepted, order.triggered, order.end];

  test.each([
    ['is as its status says', 'OPEN', 77, NEW, [true, false, '']],
    ['that has no status yet is not accepted', 'NONE', 77, NEW, [false, false, '']],
    ['that ended otherwise than rejected was accepted', 'CANCELLED', 77, NEW, [true, false, 'cancelled']],
    ['that was rejected was not', 'REJECTED', 77, NEW, [false, false, 'rejected']],
    ['that lives on beyond its day tells no end', 'GTE', 77, NEW, [true, false, '']],
    ['that was accepted, with the status of before', 'NONE', ACCEPT, NEW, [true, false, '']],
    ['that was changed, with the status of before', 'NONE', ACCEPT, MOD, [true, false, '']],
    ['that was rejected, with the status of before', 'OPEN', REJECT, NEW, [false, false, 'rejected']],
    ['whose trigger came, with the status of before', 'NONE', TRIGGERED, NEW, [true, true, '']],
    ['that was executed, with the status of before', 'OPEN', EXECUTED, NEW, [true, false, 'executed']],
    ['that was cancelled, with the status of before', 'OPEN', ACCEPT, CANCEL, [true, false, 'cancelled']],
    ['that the exchange cancelled, with the status of before', 'NONE', UNSOLICITED, NEW, [true, false, 'cancelled']],
    ['that expired, told as a cancellation', 'EXPIRED', UNSOLICITED, NEW, [true, false, 'expired']],
    ['whose change was refused stands as it did', 'NONE', REJECT, MOD, [false, false, '']],
    ['whose cancellation was refused stands as it did', 'NONE', REJECT, CANCEL, [false, false, '']],
  ] as const)('is read as far as its message tells: %s', (_name, status, response, request, expected) => {
    expect(after(single(status, response, request))).toEqual(expected);
  });

  test('is accepted where it has filled anything, whatever its status says', () => {
    expect(after(single('NONE', 77, NEW, { filledQty: 1 }))).toEqual([true, false, '']);
  });

  test.each([
    ['OPEN', 0, 'OPEN'],
    ['OPEN', 4, 'PARTIAL_FILLED'],
    ['EXECUTED', 10, 'FILLED'],
    ['CANCELLED', 4, 'CANCELLED'],
    ['REJECTED', 0, 'REJECTED'],
  ] as const)('%s with %d filled reads as in the list: %s', (status, filledQty, word) => {
    expect(single(status, 77, NEW, { filledQty }).order.status).toBe(word);
  });

  test.each([
    [2, 0, 1, true],
    [2, 0, 2, true],
    [2, 0, 0, false],
    [2, 0, 3, false],
    [2, 1, 0, true],
    [1, 1, 1, true],
  ])('is triggered with the type %d, %d filled and a condition of the status %d: %s', (type, filledQty, of, is) => {
    const { order } = single('OPEN', 77, NEW, {
      intentOrderType: type,
      filledQty,
      entryConfig: { conditions: [{ threshold: 9_900, status: of }] },
    });
    expect([order.triggered, order.triggerPrice, order.orderType]).toEqual([
      is,
      9_900,
      type === 2 ? 'STOPLOSS' : 'REGULAR',
    ]);
  });

  test('has no trigger where none is told', () => {
    expect(single('OPEN', ACCEPT).order.triggerPrice).toBeUndefined();
    expect(single('OPEN', ACCEPT, NEW, { entryConfig: {}, intentOrderType: 2 }).order.triggered).toBe(false);
  });
});

test('an order has its words, its instrument and its times', () => {
  const { order, part, raw, trade } = single('OPEN', ACCEPT, NEW, {
    orderSide: 2,
    deliveryType: 1,
    priceType: 1,
    validityType: 1,
    orderPrice: 150_000,
    filledQty: 3,
    filledPrice: 149_900,
    stratTags: ['a', 'b'],
    rejectionMsg: 'why',
    filledAt: '40',
    refdata: {
      refId: 7,
      exchange: 'NSE',
      stockName: 'INFY',
      platName: 'STOCK_INFY.NSECM',
      displayName: 'Infosys',
      asset: 'INFY',
    },
    svcTimestamps: { intentCreatedAt: '10', cancelledAt: '-5', lastModifiedAt: '20', lastUpdatedAt: '30' },
  });
  expect(order).toEqual({
    kind: 'order',
    orderId: '5',
    basketId: '0',
    instrument: {
      refId: 7,
      exchange: 'NSE',
      symbol: 'INFY',
      asset: 'INFY',
      derivativeType: '',
      platName: 'STOCK_INFY.NSECM',
      displayName: 'Infosys',
      contract: ONE_SHARE,
    },
    side: 'SELL',
    product: 'CNC',
    orderType: 'REGULAR',
    priceType: 'LIMIT',
    validity: 'DAY',
    status: 'PARTIAL_FILLED',
    quantity: 10,
    filled: 3,
    price: 150_000,
    averagePrice: 149_900,
    triggerPrice: undefined,
    legs: [{ refId: 7, filled: 3, averagePrice: 149_900 }],
    tags: ['a', 'b'],
    reason: 'why',
    accepted: true,
    triggered: false,
    end: '',
    times: { created: '10', accepted: '0', filled: '40', cancelled: '0', modified: '20', updated: '30' },
    source: 'stream',
  });
  expect([part, trade, raw.intentOrderResponse?.intentOrderId]).toEqual([undefined, undefined, '5']);
  expect(single('OPEN', ACCEPT, NEW, { svcTimestamps: { filledAt: '50' }, filledAt: '40' }).order.times).toEqual({
    ...{ created: '0', accepted: '0', filled: '50', cancelled: '0', modified: '0', updated: '0' },
  });
});

test.each([
  ['itself', { refId: 7, tradeFill: { refId: 8 }, legs: [{ refId: 9 }], refdata: { refId: 10 } }, 7],
  ['its trade', { refId: 0, tradeFill: { refId: 8 }, legs: [{ refId: 9 }] }, 8],
  ['its leg', { refId: 0, legs: [{ refId: 9, refdata: { stockName: 'TCS' } }] }, 9],
  ['its instrument', { refId: 0, refdata: { refId: 10, stockName: 'TCS' } }, 10],
  ['nothing', { refId: 0 }, 0],
])('the instrument is known by %s', (_of, order, refId) => {
  expect(read(order).order.instrument.refId).toBe(refId);
});

describe('a strategy', () => {
  test.each([
    ['several legs', { refId: 7, legs: [{ refId: 1 }, { refId: 2 }] }, 'strategy'],
    ['one leg', { refId: 7, legs: [{ refId: 7 }] }, 'order'],
    ['the word for it', { refId: 7, isMulti: true }, 'strategy'],
    ['its type, without an instrument', { refId: 0, intentOrderType: 4 }, 'strategy'],
    ['its type, with the number of an instrument', { refId: 7, intentOrderType: 4 }, 'order'],
    ['its type, with an instrument', { refId: 0, refdata: { refId: 7 }, intentOrderType: 4 }, 'order'],
    ['another type, without an instrument', { refId: 0, intentOrderType: 1 }, 'order'],
  ])('is told by %s: %s', (_by, order, kind) => {
    const { order: read_ } = read(order);
    expect([read_.kind, read_.basketId]).toEqual([kind, kind === 'strategy' ? '5' : '0']);
  });

  test.each([
    ['accepted', 'OPEN', ACCEPT, NEW],
    ['entered', 'OPEN', EXECUTED, NEW],
    ['ended', 'EXECUTED', EXECUTED, CANCEL],
    ['ended', 'REJECTED', REJECT, NEW],
    ['ended', 'CANCELLED', ACCEPT, CANCEL],
    ['ended', 'CANCELLED', UNSOLICITED, NEW],
    ['ended', 'EXPIRED', 0, 0],
    [undefined, 'EXECUTED', ACCEPT, CANCEL],
    [undefined, 'EXECUTED', UNSOLICITED, NEW],
    [undefined, 'OPEN', STOP, NEW],
    [undefined, 'OPEN', REJECT, MOD],
    // With the status of before it is about a leg, or about an exit that has only begun.
    [undefined, 'OPEN', REJECT, NEW],
    [undefined, 'OPEN', ACCEPT, CANCEL],
  ] as const)('has its %s told by the status %s, with response %s to request %s', (part, status, response, request) => {
    expect(strategy(status, response, request).part).toBe(part);
  });

  test('has legs, each with its direction', () => {
    const { order } = strategy('OPEN', ACCEPT, NEW, {
      orderPrice: 4,
      filledQty: 9,
      legs: [
        { refId: 1, unitQty: 2, filledQty: 6, filledPrice: 100, refdata: { stockName: 'INFY', exchange: 'NSE' } },
        { refId: 2, unitQty: -1, filledQty: -3, filledPrice: 200, refdata: { stockName: 'TCS', exchange: 'BSE' } },
      ],
    });
    expect(
      order.legs.map(({ refId, filled, averagePrice, side, instrument }) => [
        ...[refId, filled, averagePrice, side, instrument?.symbol, instrument?.exchange],
      ]),
    ).toEqual([
      [1, 6, 100, 'BUY', 'INFY', 'NSE'],
      [2, 3, 200, 'SELL', 'TCS', 'BSE'],
    ]);
    expect(order.instrument).toMatchObject({ refId: 1, symbol: 'INFY', displayName: '', asset: '', platName: '' });
  });

  test('has one leg where it names none, and an order of one leg is told by itself', () => {
    expect(strategy('OPEN', ACCEPT, NEW, { filledQty: 3, legs: [] }).order.legs).toEqual([
      { refId: 0, filled: 3, averagePrice: 0 },
    ]);
    expect(single('OPEN', ACCEPT, NEW, { filledQty: 3, legs: [{ refId: 7, filledQty: 9 }] }).order.legs).toEqual([
      { refId: 7, filled: 3, averagePrice: 0 },
    ]);
  });

  test('has legs of which little is told', () => {
    const { legs, instrument } = strategy('OPEN', ACCEPT, NEW, {
      legs: [{ refId: 1 }, { refId: 2, refdata: { platName: 'STOCK_TCS.NSECM' } }],
    }).order;
    const nothing = {
      refId: 1,
      exchange: '',
      symbol: '',
      asset: '',
      derivativeType: '',
      platName: '',
      displayName: '',
      contract: ONE_SHARE,
    };
    expect(legs[0]).toEqual({ refId: 1, filled: 0, averagePrice: 0, instrument: nothing });
    expect([legs[1]?.instrument?.symbol, instrument]).toEqual(['TCS', nothing]);
  });
});

describe('a trade', () => {
  const trade = { tradeQty: 3, tradePrice: 150_000, refId: 1 };
  const exit = (kind: number, status: number): object => ({ kind, status, triggerPrice: 9_000 });

  test('counts for the instrument of its order, and is none without a quantity', () => {
    expect(single('OPEN', FILLED, NEW, { filledQty: 3, tradeFill: trade })).toMatchObject({
      type: 'fill',
      part: undefined,
      trade: { refId: 7, quantity: 3, price: 150_000 },
    });
    expect(single('OPEN', ACCEPT, NEW, { tradeFill: { ...trade, tradeQty: 0 } })).toMatchObject({
      type: 'accepted',
      trade: undefined,
    });
  });

  test('is that of the exit that was triggered, before one that is filled', () => {
    const of = (...exitTriggers: object[]): unknown =>
      single('EXECUTED', FILLED, NEW, { filledQty: 10, tradeFill: trade, exitTriggers }).trade?.of;
    expect(of(exit(1, 0), exit(2, 0))).toBeUndefined();
    expect(of(exit(1, 0), exit(2, 1))).toBe('target');
    expect(of(exit(1, 2), exit(2, 3))).toBe('stop');
    expect(of(exit(1, 2), exit(2, 1))).toBe('target');
    expect(of(exit(4, 1))).toBe('time');
    expect(of(exit(9, 1))).toBeUndefined();
  });

  test('counts for the leg of a strategy, and is of the entry, an exit or a closing', () => {
    const of = (executionMode: number, ...exitTriggers: object[]): unknown => {
      const { trade: read_ } = strategy('OPEN', FILLED, NEW, { tradeFill: trade, executionMode, exitTriggers });
      return [read_?.refId, read_?.part, read_?.of];
    };
    expect(of(1)).toEqual([1, 'entry', undefined]);
    expect(of(2)).toEqual([1, 'close', undefined]);
    expect(of(3)).toEqual([1, 'entry', undefined]);
    expect(of(2, exit(3, 1))).toEqual([1, 'stop', undefined]);
  });
});

describe('what is said of an exit in the words of its order', () => {
  const [OPEN, DONE, FULL, OFF] = [0, 1, 2, 3];
  const typeOf = (
    status: Status,
    response: number | undefined,
    request: number | undefined,
    ...exits: [kind: number, status: number | undefined][]
  ): string =>
    single(status, response, request, {
      exitTriggers: exits.map(([kind, of]) => ({ kind, status: of, triggerPrice: 9_000 })),
    }).type;

  test('an exit time is told as a stop loss', () => {
    expect(typeOf('EXECUTED', STOP, NEW, [4, DONE])).toBe('exitTimeReached');
    expect(typeOf('EXECUTED', STOP, NEW, [4, DONE], [1, OPEN])).toBe('exitTimeReached');
    expect(typeOf('EXECUTED', STOP, NEW, [4, OPEN], [1, DONE])).toBe('stopLossTriggered');
    expect(typeOf('EXECUTED', STOP, NEW, [4, DONE], [3, DONE])).toBe('stopLossTriggered');
    expect(typeOf('EXECUTED', TARGET, NEW, [4, DONE])).toBe('targetTriggered');
  });

  test('an exit that is filled is told as executed, with the request to cancel', () => {
    expect(typeOf('EXECUTED', EXECUTED, CANCEL, [1, FULL])).toBe('exitFilled');
    expect(typeOf('EXECUTED', EXECUTED, NEW, [1, FULL])).toBe('executed');
    expect(typeOf('EXECUTED', EXECUTED, CANCEL, [1, DONE])).toBe('executed');
    expect(typeOf('EXECUTED', ACCEPT, CANCEL, [1, FULL])).toBe('cancelled');
  });

  test('an exit that is taken off is told as cancelled, where the order was not', () => {
    expect(typeOf('EXECUTED', ACCEPT, CANCEL, [1, OFF])).toBe('exitCancelled');
    expect(typeOf('OPEN', UNSOLICITED, NEW, [1, OFF])).toBe('exitCancelled');
    expect(typeOf('CANCELLED', ACCEPT, CANCEL, [1, OFF])).toBe('cancelled');
    expect(typeOf('EXPIRED', UNSOLICITED, NEW, [1, OFF])).toBe('unsolicitedCancel');
    expect(typeOf('OPEN', ACCEPT, CANCEL, [1, OPEN])).toBe('cancelled');
    expect(typeOf('OPEN', ACCEPT, NEW, [1, OFF])).toBe('accepted');
  });

  test('the words of a strategy are about the strategy', () => {
    const exitTriggers = [{ kind: 1, status: OFF, triggerPrice: 9_000 }];
    expect(strategy('OPEN', ACCEPT, CANCEL, { exitTriggers }).type).toBe('cancelled');
  });

  test('the exit time of a strategy is not told as its stop loss', () => {
    const typeWith = (...exitTriggers: object[]): string => strategy('EXECUTED', STOP, NEW, { exitTriggers }).type;
    expect(typeWith({ kind: 1, status: OPEN, triggerPrice: 9_000 }, { kind: 4, status: DONE })).toBe('exitTimeReached');
    expect(typeWith({ kind: 1, status: OFF, triggerPrice: 9_000 }, { kind: 4, status: DONE })).toBe('exitTimeReached');
    expect(typeWith({ kind: 1, status: DONE, triggerPrice: 9_000 }, { kind: 4, status: OPEN })).toBe(
      'stopLossTriggered',
    );
  });

  test('they are read with their price, and the trailing ones are known', () => {
    const exits = (list: object[]): unknown => single('OPEN', ACCEPT, NEW, { exitTriggers: list }).order.exits;
    expect(exits([])).toBeUndefined();
    expect(exits([{ kind: 9, status: 1, triggerPrice: 1 }])).toEqual([]);
    expect(
      exits([
        { kind: 3, status: 1, triggerPrice: 9_100 },
        { kind: 2, status: 77, triggerPrice: 1 },
      ]),
    ).toEqual([
      { kind: 'stop', status: 'TRIGGERED', trigger: 9_100, trails: true },
      { kind: 'target', status: 'OPEN', trigger: 1, trails: false },
    ]);
  });
});
