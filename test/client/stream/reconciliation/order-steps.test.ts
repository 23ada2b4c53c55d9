/**
 * News in a message about a single order beyond what was delivered: which events, at which price, live or recovered.
 */
import { describe, expect, test } from '@jest/globals';
import { nothingDelivered, type OrderAsDelivered } from '../../../../client/stream/reconciliation/order-as-delivered';
import { latestTime, tradedInstrument } from '../../../../client/stream/reconciliation/order-event';
import { readOrderMessage, type OrderMessage } from '../../../../client/stream/reconciliation/order-message';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import { orderSteps } from '../../../../client/stream/reconciliation/order-steps';
import type { OrderEvent } from '../../../../client/stream/reconciliation/types';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import type { JsonObject } from '../../../../client/values/json';
import { updateOf } from '../wire';

const [ACCEPT, REJECT, FILLED, TRIGGERED, STOP, TARGET, TRAIL, EXECUTED, UNSOLICITED] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const;
const [NEW, MOD, CANCEL] = [1, 2, 3] as const;
const STATUS = { NONE: 0, OPEN: 1, EXECUTED: 2, REJECTED: 3, CANCELLED: 5, EXPIRED: 6 };
/** Nanoseconds. */
const at = (ms: number): string => `${1_795_165_546_000 + ms}000000`;

interface MessageValues {
  status?: keyof typeof STATUS;
  /** Instant when the message was sent. `modified` is the instant of the order's last change. Both are milliseconds. */
  sent?: number;
  modified?: number;
  filled?: number;
  average?: number;
  price?: number;
  trade?: [quantity: number, price: number];
  exits?: [kind: number, status: number, trigger?: number][];
}

/** A message about a purchase of ten. */
function messageWith(response: number, request: number, given: MessageValues = {}): OrderMessage {
  const { status = 'OPEN', sent = 0, modified, filled = 0, average = 0, price = 100, trade, exits = [] } = given;
  return readOrderMessage(
    updateOf(
      {
        ...{
          intentOrderId: '5',
          orderStatus: STATUS[status],
          orderSide: 1,
          orderQty: 10,
          refId: 7,
          intentOrderType: 1,
        },
        ...{ orderPrice: price, priceType: 1, filledQty: filled, filledPrice: average },
        exitTriggers: exits.map(([kind, of, triggerPrice = 9_000]) => ({ kind, status: of, triggerPrice })),
        svcTimestamps: { lastUpdatedAt: at(sent), ...(modified === undefined ? {} : { lastModifiedAt: at(modified) }) },
        ...(trade ? { tradeFill: { tradeQty: trade[0], tradePrice: trade[1], refId: 7 } } : {}),
      },
      [response, request],
    ),
  )!;
}

/** The same order in the list. */
const listed = (more: JsonObject = {}): OrderSnapshot[] =>
  readDayOrders([
    {
      ...{ order_id: '5', ref_id: 7, order_side: 'ORDER_SIDE_BUY', order_status: 'ORDER_STATUS_OPEN', order_qty: 10 },
      ...{ order_price: 100, price_type: 'LIMIT' },
      ...more,
    },
  ]);

const name = ({ type, fill, exit, recovered }: OrderEvent): string =>
  [
    type,
    ...(exit ? [exit.kind] : []),
    ...(fill ? [`${fill.from}-${fill.to} at ${fill.price}${fill.exact ? '' : ' about'}`] : []),
    ...(recovered ? ['recovered'] : []),
  ].join(' ');
const names = (events: readonly OrderEvent[]): string[] => events.map(name);
/** The names of the events of several messages, of each for itself. */
const after = (...messages: OrderMessage[]): string[][] => {
  const reconciler = new OrderReconciler();
  return messages.map((message) => names(reconciler.update(message)));
};
const begun = (): OrderReconciler => {
  const reconciler = new OrderReconciler();
  reconciler.update(messageWith(ACCEPT, NEW));
  return reconciler;
};

describe('a message', () => {
  test('tells its own event live, and what was missed before it as recovered', () => {
    expect(after(messageWith(ACCEPT, NEW), messageWith(ACCEPT, NEW, { sent: 1 }))).toEqual([['accepted'], []]);
    expect(after(messageWith(REJECT, MOD))).toEqual([['accepted recovered', 'modifyRejected']]);
    expect(after(messageWith(ACCEPT, MOD, { modified: 1 }))).toEqual([['accepted recovered', 'modified']]);
    expect(after(messageWith(TRIGGERED, NEW), messageWith(TRIGGERED, NEW, { sent: 1 }))).toEqual([
      ['accepted recovered', 'entryTriggered'],
      [],
    ]);
    expect(after(messageWith(REJECT, NEW), messageWith(REJECT, NEW, { sent: 1 }))).toEqual([['rejected'], []]);
    expect(after(messageWith(ACCEPT, CANCEL, { filled: 4, average: 90 }))).toEqual([
      ['accepted recovered', 'fill 0-4 at 90 about recovered', 'cancelled'],
    ]);
    expect(after(messageWith(UNSOLICITED, NEW, { status: 'CANCELLED' }))).toEqual([
      ['accepted recovered', 'unsolicitedCancel'],
    ]);
    expect(after(messageWith(REJECT, MOD, { status: 'CANCELLED' }))).toEqual([
      ['accepted recovered', 'cancelled recovered', 'modifyRejected'],
    ]);
    expect(after(messageWith(EXECUTED, NEW, { filled: 10, average: 90 }))).toEqual([
      ['accepted recovered', 'fill 0-10 at 90 about recovered', 'executed'],
    ]);
  });

  test('tells live that a day order expired, though it is told as a cancellation', () => {
    expect(
      after(messageWith(UNSOLICITED, NEW, { status: 'EXPIRED' }), messageWith(UNSOLICITED, NEW, { status: 'EXPIRED' })),
    ).toEqual([['accepted recovered', 'expired'], []]);
  });

  test('tells once that a change was refused, and again with the next refusal', () => {
    const [accepted, refused] = [messageWith(ACCEPT, NEW), messageWith(REJECT, CANCEL, { sent: 1 })];
    expect(after(accepted, refused, refused, messageWith(REJECT, CANCEL, { sent: 2 }), refused)).toEqual([
      ...[['accepted'], ['cancelRejected'], [], ['cancelRejected'], []],
    ]);
    expect(after(accepted, refused, messageWith(REJECT, MOD, { sent: 1 })).at(-1)).toEqual(['modifyRejected']);
  });

  test('tells once for each time that the order was changed', () => {
    const [accepted, orderMessage] = [messageWith(ACCEPT, NEW), messageWith(ACCEPT, MOD, { price: 110, modified: 1 })];
    const [same, later] = [
      messageWith(ACCEPT, MOD, { price: 110, modified: 2 }),
      messageWith(ACCEPT, MOD, { modified: 3 }),
    ];
    expect(after(accepted, orderMessage, orderMessage, same, same, later, orderMessage)).toEqual([
      ...[['accepted'], ['modified'], [], ['modified'], [], ['modified'], []],
    ]);
  });

  test('tells by its content that the order was changed where it has no time of it', () => {
    const orderMessage = messageWith(ACCEPT, MOD, { sent: 1, price: 110 });
    expect(
      after(messageWith(ACCEPT, NEW), orderMessage, orderMessage, messageWith(ACCEPT, MOD, { sent: 2, price: 110 })),
    ).toEqual([...[['accepted'], ['modified'], [], ['modified']]]);
  });
});

describe('a trade', () => {
  test('comes with its price, before the end that it makes', () => {
    expect(after(messageWith(FILLED, NEW, { status: 'EXECUTED', filled: 10, average: 95, trade: [10, 90] }))).toEqual([
      ['accepted recovered', 'fill 0-10 at 90', 'executed'],
    ]);
  });

  test('comes after others that were missed before it, which have the rest of the average', () => {
    const first = messageWith(FILLED, NEW, { filled: 4, average: 100, trade: [4, 100] });
    const third = messageWith(FILLED, NEW, { sent: 1, filled: 10, average: 110, trade: [3, 130] });
    expect(after(messageWith(ACCEPT, NEW), first, third, third)).toEqual([
      ['accepted'],
      ['fill 0-4 at 100'],
      [`fill 4-7 at ${Math.round((1_100 - 390 - 400) / 3)} about recovered`, 'fill 7-10 at 130', 'executed'],
      [],
    ]);
  });

  test('is told for the rest where a list has told a part', () => {
    const reconciler = begun();
    reconciler.recover(listed({ filled_qty: 3, avg_filled_price: 90 }));
    const [fill] = reconciler.update(messageWith(FILLED, NEW, { filled: 5, average: 95, trade: [5, 95] }));
    expect([name(fill!), fill!.fill!.quantity]).toEqual(['fill 3-5 at 95 about', 2]);
    expect(names(reconciler.update(messageWith(FILLED, NEW, { sent: 1, filled: 9, trade: [4, 99] })))).toEqual([
      'fill 5-9 at 99',
    ]);
    expect(names(reconciler.update(messageWith(FILLED, NEW, { sent: 2, filled: 8, trade: [1, 99] })))).toEqual([]);
  });
});

describe('the exits of an order', () => {
  const [OPEN, REACHED, FULL, OFF] = [0, 1, 2, 3];
  const [SL, TP, TRAILING] = [1, 2, 3];
  const exits = (stop: number, target: number): NonNullable<MessageValues['exits']> => [
    [SL!, stop],
    [TP!, target, 11_000],
  ];
  const entered = messageWith(FILLED, NEW, {
    ...{ status: 'EXECUTED', filled: 10, average: 100, trade: [10, 100], exits: exits(OPEN!, OPEN!) },
  });
  const trade = (quantity: number, price: number, sent: number, stop: number, target: number): OrderMessage =>
    messageWith(FILLED, CANCEL, {
      ...{ status: 'EXECUTED', filled: 10, average: 100, trade: [quantity, price], sent, exits: exits(stop, target) },
    });

  test('are told live by the messages that show them, their trades before their end', () => {
    expect(
      after(
        entered,
        messageWith(STOP, NEW, {
          status: 'EXECUTED',
          filled: 10,
          average: 100,
          sent: 1,
          exits: exits(REACHED!, OPEN!),
        }),
        trade(4, 8_990, 2, REACHED!, OPEN!),
        trade(6, 8_980, 2, FULL!, OFF!),
        trade(6, 8_980, 2, FULL!, OFF!),
        messageWith(EXECUTED, CANCEL, {
          status: 'EXECUTED',
          filled: 10,
          average: 100,
          sent: 3,
          exits: exits(FULL!, OFF!),
        }),
      ),
    ).toEqual([
      ['accepted recovered', 'fill 0-10 at 100', 'executed', 'exitArmed stop', 'exitArmed target'],
      ['stopLossTriggered stop'],
      ['fill stop 0-4 at 8990'],
      ['fill stop 4-10 at 8980', 'exitFilled stop', 'exitCancelled target'],
      [],
      [],
    ]);
  });

  test('are told in order where the first is heard with its trade', () => {
    expect(after(entered, trade(10, 8_990, 2, FULL!, OFF!)).at(-1)).toEqual([
      ...['stopLossTriggered stop', 'fill stop 0-10 at 8990', 'exitFilled stop', 'exitCancelled target'],
    ]);
  });

  test('are told apart by quantity where they trade at one moment and price', () => {
    const both = after(entered, trade(4, 8_990, 2, REACHED!, OPEN!), trade(5, 8_990, 2, REACHED!, OPEN!));
    expect(both.at(-1)).toEqual(['fill stop 4-9 at 8990']);
    const prices = after(entered, trade(4, 8_990, 2, REACHED!, OPEN!), trade(4, 8_980, 2, REACHED!, OPEN!));
    expect(prices.at(-1)).toEqual(['fill stop 4-8 at 8980']);
  });

  test('a trade while one is triggered is of the entry, where the entry has filled more', () => {
    const half = messageWith(FILLED, NEW, { filled: 5, average: 100, trade: [5, 100], exits: exits(OPEN!, OPEN!) });
    const rest = messageWith(FILLED, NEW, {
      filled: 10,
      sent: 1,
      average: 101,
      trade: [5, 102],
      exits: exits(REACHED!, OPEN!),
    });
    expect(after(half, rest).at(-1)).toEqual(['fill 5-10 at 102', 'executed', 'stopLossTriggered stop']);
  });

  test('say by their state what a message about them says, and else by the message, once', () => {
    const trail = (sent: number, trigger?: number): OrderMessage =>
      messageWith(TRAIL, NEW, {
        ...{ status: 'EXECUTED', filled: 10, average: 100, sent },
        ...(trigger === undefined ? {} : { exits: [[TRAILING!, OPEN!, trigger]] }),
      });
    const start = messageWith(FILLED, NEW, {
      ...{ status: 'EXECUTED', filled: 10, average: 100, trade: [10, 100], exits: [[TRAILING!, OPEN!, 9_000]] },
    });
    expect(after(start, trail(1, 9_100), trail(2, 9_100), trail(3, 9_200)).slice(1)).toEqual([
      ...[['trailUpdated stop'], [], ['trailUpdated stop']],
    ]);
    expect(after(start, trail(1), trail(1), trail(2)).slice(1)).toEqual([['trailUpdated'], [], ['trailUpdated']]);
    const unknown = messageWith(TARGET, NEW, {
      status: 'EXECUTED',
      filled: 10,
      average: 100,
      sent: 1,
      exits: [[9, REACHED!]],
    });
    expect(after(start, unknown, unknown).slice(1)).toEqual([['targetTriggered'], []]);
    const refused = messageWith(REJECT, MOD, {
      status: 'EXECUTED',
      filled: 10,
      average: 100,
      sent: 1,
      exits: exits(OPEN!, OPEN!),
    });
    expect(after(entered, refused, refused).slice(1)).toEqual([['modifyRejected'], []]);
  });
});

describe('a modification', () => {
  const state = (more: Partial<OrderAsDelivered>): OrderAsDelivered => ({
    ...{ ...nothingDelivered(), accepted: true, modified: at(0) },
    ...more,
  });
  const [SAME, OTHER] = ['100@10@', '90@10@'];
  test.each<[string, Partial<OrderAsDelivered>, JsonObject, boolean]>([
    ['by a later time, where no terms are known', {}, {}, true],
    ['by a later time, where no terms are known, at the market too', {}, { price_type: 'MARKET' }, true],
    ['by other terms than it told before', { ordersTerms: OTHER }, {}, true],
    ['but not by those that it told before', { ordersTerms: SAME }, {}, false],
    ['but not by those, though the stream told others', { ordersTerms: SAME, streamTerms: OTHER }, {}, false],
    ['by other terms than the stream told', { streamTerms: OTHER }, {}, true],
    ['but not by those that the stream told', { streamTerms: SAME }, {}, false],
    ['but not by the price of an order at the market', { streamTerms: OTHER }, { price_type: 'MARKET' }, false],
    ['by other terms than its own, at the market too', { ordersTerms: OTHER }, { price_type: 'MARKET' }, true],
    ['but not at the same time', { ordersTerms: OTHER, modified: at(5_000) }, {}, false],
    ['but not of an order that has ended', { ordersTerms: OTHER, end: 'cancelled' }, {}, false],
    [
      'a moment after the stream told the same',
      { ordersTerms: OTHER, streamTerms: SAME, modified: at(4_000) },
      {},
      false,
    ],
    ['long after the stream told the same', { ordersTerms: OTHER, streamTerms: SAME, modified: at(3_999) }, {}, true],
  ])('is shown by a list or not: %s', (_name, given, more, shows) => {
    const [view] = listed({ last_modified: at(5_000), ...more });
    expect(orderSteps(state(given), view!).some(({ type }) => type === 'modified')).toBe(shows);
  });

  test('is not told of an order of which nothing was known', () => {
    expect(names(new OrderReconciler().recover(listed({ last_modified: at(5_000) })))).toEqual(['accepted recovered']);
  });

  test('is told by the stream right after another that a list told, with the same terms', () => {
    const reconciler = begun();
    reconciler.update(messageWith(ACCEPT, MOD, { price: 110, modified: 0 }));
    reconciler.recover(listed({ order_price: 110, last_modified: at(300) }));
    expect(names(reconciler.update(messageWith(ACCEPT, MOD, { price: 110, modified: 600 })))).toEqual(['modified']);
  });
});

describe('an event', () => {
  const keys = (events: readonly OrderEvent[]): string[] => events.map(({ key }) => key);

  test('has one key, whether it is live or recovered', () => {
    const done = { order_status: 'ORDER_STATUS_FILLED', filled_qty: 10 };
    expect(keys(new OrderReconciler().recover(listed(done)))).toEqual(['5:accepted', '5:fill:7:10', '5:end']);
    expect(
      keys(new OrderReconciler().update(messageWith(FILLED, NEW, { status: 'EXECUTED', filled: 10, trade: [10, 90] }))),
    ).toEqual(['5:accepted', '5:fill:7:10', '5:end']);
    expect(keys(begun().update(messageWith(TRIGGERED, NEW)))).toEqual(['5:entryTriggered']);
    expect(keys(begun().update(messageWith(ACCEPT, CANCEL)))).toEqual(['5:end']);
    expect(keys(begun().update(messageWith(ACCEPT, MOD, { modified: 1 })))).toEqual([`5:modified:${at(1)}`]);
    expect(keys(begun().recover(listed({ order_price: 90, last_modified: at(1) })))).toEqual([`5:modified:${at(1)}`]);
  });

  test('has a key of its content where it may come again, the same in every version of the node', () => {
    expect(keys(begun().update(messageWith(REJECT, CANCEL, { sent: 1 })))).toEqual([
      '5:cancelRejected:zJ1vsTnn9sdihUMD',
    ]);
    const ofChanged = begun().update(messageWith(REJECT, CANCEL, { sent: 1, modified: 0 }));
    expect(keys(ofChanged)).toEqual(['5:cancelRejected:zJ1vsTnn9sdihUMD']);
    expect(keys(begun().update(messageWith(ACCEPT, MOD, { sent: 1, price: 110 })))).toEqual([
      '5:modified:Zo0uu89YCEo8IYOl',
    ]);
  });

  test('tells when it happened, as closely as is known', () => {
    const times = {
      ...{ created: '1', accepted: '2', filled: '3', cancelled: '4', modified: '5', updated: '6' },
    };
    const of = (type: string, change: Partial<OrderSnapshot['times']> = {}): string => {
      const message = messageWith(ACCEPT, NEW);
      const order = { ...message.order, times: { ...times, ...change } };
      const reconciler = new OrderReconciler();
      reconciler.resume('5', { ...nothingDelivered(), accepted: type !== 'accepted' });
      const end = { executed: 'executed', cancelled: 'cancelled', unsolicitedCancel: 'cancelled', expired: 'expired' }[
        type
      ];
      return reconciler
        .update({ ...message, type, order: { ...order, end: end ?? '' } } as OrderMessage)
        .find((event) => event.type === type)!.at;
    };
    expect(
      ['accepted', 'executed', 'cancelled', 'unsolicitedCancel', 'modified', 'expired', 'cancelRejected'].map((type) =>
        of(type),
      ),
    ).toEqual(['2', '3', '4', '4', '5', '6', '6']);
    expect([of('accepted', { accepted: '0' }), of('accepted', { accepted: '0', updated: '0' })]).toEqual(['6', '1']);
    const [fill] = begun().update(messageWith(FILLED, NEW, { sent: 3, filled: 1, trade: [1, 1] }));
    expect(fill!.at).toBe(at(3));
  });

  test('says who may have cancelled, where only a list tells of it', () => {
    const cancelled = { order_status: 'ORDER_STATUS_CANCELLED' };
    expect(begun().recover(listed(cancelled))).toMatchObject([{ type: 'cancelled', maybe: ['unsolicitedCancel'] }]);
    expect(begun().update(messageWith(ACCEPT, CANCEL))).toMatchObject([{ type: 'cancelled', maybe: [] }]);
    expect(new OrderReconciler().recover(listed())[0]?.maybe).toEqual([]);
  });

  test('brings the message that told it, and none where it was recovered', () => {
    const message = messageWith(REJECT, MOD);
    const [accepted, refused] = new OrderReconciler().update(message);
    expect([accepted!.raw, refused!.raw]).toEqual([undefined, message.raw]);
  });

  test('is about the instrument that was traded, of which a strategy has several', () => {
    const [event] = new OrderReconciler().update(messageWith(FILLED, NEW, { filled: 1, trade: [1, 1] })).slice(-1);
    const about = (refId: number, legs: number[]): unknown => {
      const order = {
        ...event!.order,
        legs: legs.map((leg) => ({
          refId: leg,
          filled: 1,
          averagePrice: 1,
          instrument: { ...instrument, refId: leg },
        })),
      };
      return tradedInstrument({ ...event!, order, fill: { ...event!.fill!, refId } });
    };
    const { instrument } = event!.order;
    expect(tradedInstrument({ ...event!, fill: undefined })).toBe(instrument);
    expect(about(7, [7])).toBe(instrument);
    expect(about(8, [7, 8])).toEqual({ ...instrument, refId: 8 });
    expect(about(9, [7, 8])).toEqual({ ...instrument, refId: 9 });
  });

  test('the latest time of an order is the last that it tells', () => {
    const [order] = listed({ order_time: '9', ack_time: '10', last_modified: '8' });
    expect([latestTime(order!), latestTime(listed()[0]!)]).toEqual(['10', '0']);
  });
});
