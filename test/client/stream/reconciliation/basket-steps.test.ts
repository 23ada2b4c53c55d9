/**
 * News in a message about a basket, or in its record, beyond what was delivered: each trade once, and what each is of.
 */
import { describe, expect, test } from '@jest/globals';
import { readDayBaskets } from '../../../../client/orders/model/basket-record';
import { nothingDelivered } from '../../../../client/stream/reconciliation/order-as-delivered';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import { packState, unpackState } from '../../../../client/stream/reconciliation/state-codec';
import type { OrderEvent } from '../../../../client/stream/reconciliation/types';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import type { JsonObject } from '../../../../client/values/json';
import {
  ACCEPT,
  CANCEL,
  EXECUTED,
  FILLED,
  ID,
  REJECT,
  SL,
  instant,
  names,
  orders,
  record,
  applyMessage,
  type Message,
} from '../basket-fixture';

const [TARGET, UNSOLICITED] = [6, 9];
const entered: Message = { response: EXECUTED, status: 'EXECUTED', at: 11 };
const accepted: Message = { response: ACCEPT, at: 2 };
const cancelled: Message = { response: ACCEPT, request: CANCEL, at: 12 };
/** The names of the events of each message. */
const namesAfterEach = (reconciler: OrderReconciler, ...messages: Message[]): string[][] =>
  messages.map((message) => names(applyMessage(reconciler, message)));
const after = (...messages: Message[]): OrderReconciler => {
  const reconciler = new OrderReconciler();
  namesAfterEach(reconciler, ...messages);
  return reconciler;
};
const trade = (quantity: number, more: Partial<Message> = {}): Message => ({
  ...{ response: FILLED, at: 11, trade: quantity },
  ...more,
});

describe('trades of one moment', () => {
  test.each<[string, Message, string]>([
    ['quantity', trade(5), 'fill 4-9 at 100 live fill:1:9'],
    ['price', trade(4, { price: 101 }), 'fill 4-8 at 101 live fill:1:8'],
    ['instrument', trade(4, { refId: 2 }), 'fill 0-4 at 100 live fill:2:4'],
  ])('are two where they differ in %s', (_in, other, name) => {
    expect(namesAfterEach(after(accepted), trade(4), other, trade(4), other)).toEqual([
      ...[['fill 0-4 at 100 live fill:1:4'], [name], [], []],
    ]);
  });
});

describe('a trade that a list told first', () => {
  const recovered = (filledAt = true): OrderReconciler => {
    const reconciler = after(accepted);
    const [order] = orders(10);
    reconciler.recover([{ ...order!, times: { ...order!.times, filled: filledAt ? instant(11) : '0' } }]);
    return reconciler;
  };

  test('is not told again by the stream, which may tell it in parts', () => {
    const reconciler = recovered();
    expect(namesAfterEach(reconciler, trade(4), trade(6, { at: 12 }))).toEqual([[], []]);
    expect(reconciler.stateOf(ID)?.legs[0]).toEqual({ refId: 1, filled: 10, value: 1_000 });
    expect(namesAfterEach(reconciler, trade(3, { at: 12 }))).toEqual([['fill 10-13 at 100 live fill:1:13']]);
  });

  test('is told for the rest where it is a part, whose quantity is worked out', () => {
    const [fill] = applyMessage(recovered(), trade(12, { price: 90 }));
    expect(fill!.fill).toMatchObject({ quantity: 2, price: 90, from: 10, to: 12, exact: false });
    const [exact] = applyMessage(after(accepted), trade(12));
    expect(exact!.fill).toMatchObject({ quantity: 12, exact: true });
  });

  test.each<[string, Partial<Message>, boolean]>([
    ['a second later at most', { at: 12 }, true],
    ['later', { more: { svcTimestamps: { lastUpdatedAt: `${instant(12).slice(0, -1)}1` } } }, false],
    ['at a time that is not told', { at: undefined }, true],
  ])('is the one that the stream tells %s: %s', (_when, more, isSame) => {
    expect(namesAfterEach(recovered(), trade(10, more))[0]).toHaveLength(isSame ? 0 : 1);
  });

  test('is the one that comes, where the list tells no time of it', () => {
    expect(namesAfterEach(recovered(false), trade(10, { at: 500 }))).toEqual([[]]);
  });

  test('is not told again after a restart where a checkpoint tells of it, and the rest is', () => {
    const before = recovered();
    before.recover(orders(10), record('OPEN', { filled: 10 }));
    const restarted = new OrderReconciler();
    restarted.resume(ID, unpackState(packState(before.stateOf(ID)!))!);
    expect(namesAfterEach(restarted, trade(10))).toEqual([[]]);
    expect(names(restarted.recover(orders(10), record('FILLED', { filled: 10 })))).toEqual(['executed entered']);
  });
});

describe('what a trade is of', () => {
  const partOf = (events: readonly OrderEvent[]): unknown => events.find(({ fill }) => fill)?.fill?.part;
  const exits = (kind: number, status: number): object => ({ exitTriggers: [{ kind, status, triggerPrice: 9 }] });

  test('is its exit that was triggered, also after a closing was told, and else a closing', () => {
    expect(partOf(applyMessage(after(accepted, cancelled), trade(4, { at: 13 })))).toBe('close');
    expect(partOf(applyMessage(after(accepted, cancelled), trade(4, { at: 13, more: exits(2, 1) })))).toBe('target');
    expect(partOf(applyMessage(after(accepted), trade(4)))).toBe('entry');
  });

  test('is told by the lists as far as they tell it', () => {
    const parts = (listed: OrderSnapshot[], records: OrderSnapshot[]): unknown[] =>
      new OrderReconciler().recover(listed, records).flatMap(({ fill }) => (fill ? [fill.part] : []));
    expect(parts(orders(10, 10), record('CLOSED', { filled: 10 }))).toEqual(['entry', null]);
    expect(parts(orders(10), [])).toEqual(['entry']);
    // Entered on an earlier day.
    const exit = orders(10, 10).filter(({ side }) => side === 'SELL');
    expect(parts(exit, record('CLOSED', { filled: 10 }))).toEqual([null]);
  });
});

describe('a strategy', () => {
  /** Entered at 12 seconds, closed by its stop loss at 40. */
  const strategy = (more: JsonObject = {}): OrderSnapshot[] =>
    readDayBaskets([
      {
        ...{ basket_id: ID, basket_status: 'BASKET_STATUS_CLOSED', intent_status: 'EXECUTED', order_qty: 10 },
        ...{ filled_qty: 10, order_time: instant(1), filled_time: instant(12), closed_time: instant(40) },
        exits: [{ kind: 'STOPLOSS', status: 'FILLED', trigger_price: 9, filled_qty: 10 }],
        orders: {
          '1': {
            order_id: '0',
            ref_id: 1,
            order_side: 'ORDER_SIDE_BUY',
            order_qty: 10,
            filled_qty: 10,
            avg_filled_price: 50,
          },
        },
        ...more,
      },
    ]);

  test('tells when it was entered and closed, and by which exit', () => {
    expect(
      new OrderReconciler()
        .recover([], strategy())
        .map(({ type, fill, at }) => [type, ...(fill ? [fill.part, fill.from, fill.to, fill.price] : []), at]),
    ).toEqual([
      ['accepted', instant(1)],
      ['fill', 'entry', 0, 10, 50, instant(12)],
      ['executed', instant(12)],
      ['fill', 'stop', 10, 20, 0, instant(40)],
      ['executed', instant(40)],
    ]);
  });

  test.each<[number, string[]]>([
    [0, ['accepted', 'fill 0-10', 'executed', 'fill 10-20', 'executed']],
    [5, ['fill 0-10', 'executed', 'fill 10-20', 'executed']],
    [12, ['fill 10-20', 'executed']],
    [39, ['fill 10-20', 'executed']],
    [40, []],
  ])('tells what happened since when one sees it first who began at %d seconds', (since, expected) => {
    const reconciler = new OrderReconciler();
    reconciler.baseline([], instant(since));
    reconciler.firstBaskets({ orders: [], baskets: strategy() });
    const events = reconciler.recover([], strategy());
    expect(events.map(({ type, fill }) => `${type}${fill ? ` ${fill.from}-${fill.to}` : ''}`)).toEqual(expected);
  });
});

describe('an exit that begins', () => {
  const enteredAfter = (...messages: Message[]): boolean =>
    names(after(accepted, ...messages).recover(orders(10), record('FILLED', { filled: 10 }))).includes(
      'executed entered',
    );

  test.each<[string, Message[], boolean]>([
    ['with a cancellation', [cancelled], false],
    ['with a cancellation by the exchange', [{ response: UNSOLICITED, at: 12 }], false],
    ['with a cancellation of what is entered', [{ ...cancelled, status: 'EXECUTED' }], true],
    ['with a stop loss', [{ response: SL, at: 12 }], true],
    ['with a target', [{ response: TARGET, at: 12 }], true],
    ['not at all', [], true],
  ])('%s: shows that the entry can still have happened', (_how, messages, isEntered) => {
    expect(enteredAfter(...messages)).toBe(isEntered);
  });
});

describe('an end that was told with the status of before', () => {
  test.each<[string, Message, string]>([
    ['a refusal', { response: REJECT, at: 3 }, 'REJECTED'],
    ['a cancellation', { ...cancelled, at: 3 }, 'CANCELLED'],
    ['a cancellation by the exchange', { response: UNSOLICITED, at: 3 }, 'CANCELLED'],
  ])('is not repeated by the list where it is %s', (_as, message, status) => {
    expect(names(after(accepted, message).recover([], record(status)))).toEqual([]);
  });

  test('is not inferred from a change that was refused', () => {
    const refused: Message = { response: REJECT, request: 2, at: 3 };
    expect(names(after(accepted, refused).recover([], record('CANCELLED')))).toEqual(['cancelled ended']);
  });

  test('needs no other cause where one was told', () => {
    const params = { stoploss_price: 90, exit_price: 120 };
    const maybe = (...messages: Message[]): unknown =>
      after(accepted, entered, ...messages)
        .recover(orders(10, 10), record('CLOSED', { filled: 10, params }))
        .at(-1)?.maybe;
    expect(maybe()).toEqual(['stopLossTriggered', 'targetTriggered']);
    expect(maybe({ response: REJECT, request: 2, status: 'EXECUTED', at: 20 })).toHaveLength(2);
    expect(maybe({ response: TARGET, status: 'EXECUTED', at: 20 })).toEqual([]);
    expect(maybe({ response: UNSOLICITED, status: 'EXECUTED', at: 20 })).toEqual([]);
    const atTime = { exitTriggers: [{ kind: 4, status: 1 }] };
    expect(maybe({ response: SL, status: 'EXECUTED', at: 20, more: atTime })).toEqual([]);
  });
});

test('a refusal that a list told is not followed by the acceptance before it', () => {
  const reconciler = new OrderReconciler();
  expect(names(reconciler.recover([], record('REJECTED')))).toEqual(['rejected ended']);
  expect(namesAfterEach(reconciler, accepted)).toEqual([[]]);
  // Where the stream has told it, another one is another event.
  const received = after(accepted);
  received.recover([], record('CANCELLED'));
  expect(applyMessage(received, { ...accepted, at: 3 })).toHaveLength(1);
  const live = new OrderReconciler();
  applyMessage(live, { response: REJECT, status: 'REJECTED', at: 3 });
  expect(live.stateOf(ID)).toMatchObject({ accepted: false, end: 'rejected' });
});

test('a checkpoint of an earlier version took the entry for the end', () => {
  const reconciler = new OrderReconciler();
  const legs = [{ refId: 1, filled: 10, value: 1_000 }];
  reconciler.resume(ID, { ...nothingDelivered(), accepted: true, end: 'executed', legs });
  expect(reconciler.recover(orders(10), record('FILLED', { filled: 10 }))).toEqual([]);
  expect(names(reconciler.recover(orders(10, 10), record('CLOSED', { filled: 10 })))).toEqual([
    ...['fill 10-20 at 200 fill:1:20', 'executed ended'],
  ]);
});

test('a basket that is in no list was accepted when its first order was', () => {
  const listed = (ack: string | null): OrderSnapshot[] =>
    readDayOrders([
      { order_id: '11', basket_id: ID, order_status: 'ORDER_STATUS_OPEN', order_time: instant(1), ack_time: ack },
    ]);
  const at = (ack: string | null): unknown => new OrderReconciler().recover(listed(ack))[0]?.at;
  expect([at(instant(2)), at(null)]).toEqual([instant(2), instant(1)]);
});

test('fills of two legs are told each for its own', () => {
  const order = (id: string, refId: number, side: string, filled: number) => ({
    ...{ order_id: id, basket_id: ID, ref_id: refId, order_side: `ORDER_SIDE_${side}`, order_qty: 10 },
    ...{ filled_qty: filled, avg_filled_price: 100 * refId, order_status: 'ORDER_STATUS_OPEN', order_time: instant(1) },
  });
  const listed = readDayOrders([order('11', 1, 'BUY', 10), order('12', 2, 'SELL', 6)]);
  const reconciler = after(accepted);
  expect(names(reconciler.recover(listed))).toEqual(['fill 0-10 at 100 fill:1:10', 'fill 0-6 at 200 fill:2:6']);
  expect(namesAfterEach(reconciler, trade(6, { refId: 2, price: 200 }), trade(1, { refId: 2, price: 200 }))).toEqual([
    [],
    ['fill 6-7 at 200 live fill:2:7'],
  ]);
});
