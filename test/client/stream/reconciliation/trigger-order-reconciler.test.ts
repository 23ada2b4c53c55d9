/** Triggers that begin at different times: what one frame is to each, and that it is reconciled once wherever that is the same. */
import { describe, expect, test } from '@jest/globals';
import { readFrame } from '../../../../client/stream/account-feed/frames';
import { Consumer } from '../../../../client/stream/delivery/consumer';
import type { DeliveryCheckpointData } from '../../../../client/stream/delivery/checkpoint';
import { readOrderMessage, type OrderMessage } from '../../../../client/stream/reconciliation/order-message';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import { unpackState } from '../../../../client/stream/reconciliation/state-codec';
import { TriggerOrderReconciler } from '../../../../client/stream/reconciliation/trigger-order-reconciler';
import type { ListedDay, OrderEvent } from '../../../../client/stream/reconciliation/types';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import { typeOf } from '../../../proto/support';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { Account } from '../account';
import { ACCEPT, ID, SL, instant, messageOf, names, orders, record } from '../basket-fixture';
import { EVERYTHING } from '../instance';
import { wrap } from '../wire';

const update = typeOf('SvcToClientIntentUpdate');
const QUANTITY = 100;
/** Nanoseconds. */
const at = (seconds: number): string => `${1_795_165_545 + seconds}000000000`;

/** An acceptance of order 5, or with `trade` a fill that ends at `filled`. */
function message(filled = 0, trade = 0): OrderMessage {
  const order = {
    intentOrderId: '5',
    orderStatus: 1,
    orderQty: QUANTITY,
    filledQty: filled,
    filledPrice: filled > 0 ? 100 : 0,
    orderPrice: 100,
    priceType: 1,
    refId: 7,
    intentOrderType: 1,
    svcTimestamps: { intentCreatedAt: at(0), filledAt: at(filled), lastUpdatedAt: at(filled) },
    ...(trade > 0 ? { tradeFill: { tradeQty: trade, tradePrice: 100, refId: 7 } } : {}),
  };
  const bytes = update
    .encode(
      update.fromObject({
        intentOrderResponse: order,
        intentOrderResponseType: trade > 0 ? 3 : 1,
        intentOrderRequstType: 1,
      }),
    )
    .finish();
  const frame = readFrame(wrap('AcmeToClientIntentUpdate', bytes));
  return readOrderMessage((frame as Extract<typeof frame, { kind: 'order' }>).update) as OrderMessage;
}

/** The same order in the day's list. */
function listed(filled: number): OrderSnapshot[] {
  return readDayOrders([
    {
      order_id: '5',
      ref_id: 7,
      order_qty: QUANTITY,
      filled_qty: filled,
      avg_filled_price: 100,
      order_price: 100,
      price_type: 'LIMIT',
      order_status: 'ORDER_STATUS_OPEN',
      order_time: at(0),
      filled_time: filled > 0 ? at(filled) : null,
    },
  ]);
}

const day = (orders: OrderSnapshot[]): ListedDay => ({ orders, baskets: [] });

class Trigger {
  readonly given: OrderEvent[] = [];
  stored: DeliveryCheckpointData = {};
  readonly consumer = new Consumer({
    raw: true,
    clock: new VirtualClock(MONDAY_TEN),
    filter: EVERYTHING,
    batches: { count: 1, waitMs: 0 },
    deliver: (events) => void this.given.push(...events),
    onLag: () => undefined,
  });

  begin(account: Account, since?: string): void {
    this.consumer.begin(this.stored, since, 'a', account.reconciler);
  }

  resume(account: Account, stored: DeliveryCheckpointData): void {
    this.stored = structuredClone(stored);
    expect(this.consumer.resume(this.stored, undefined, 'a', account.reconciler)).toBe(true);
  }

  get fills(): string[] {
    return this.given.flatMap(({ fill, recovered }) =>
      fill ? [`${fill.from}-${fill.to}${recovered ? ' recovered' : ''}`] : [],
    );
  }
}

/** Data that a trigger stores after it was given the order up to this number of shares. */
function checkpointAt(filled: number): DeliveryCheckpointData {
  const account = new Account(day([]));
  const trigger = new Trigger();
  account.startConsumer(trigger.consumer);
  trigger.begin(account);
  account.message(message());
  account.message(message(filled, filled));
  return trigger.stored;
}

describe('triggers on one account', () => {
  test('are handed the same event, as each frame is reconciled once', () => {
    const account = new Account(day(listed(10)));
    const [first, second] = [new Trigger(), new Trigger()];
    for (const trigger of [first, second]) {
      account.startConsumer(trigger.consumer);
      trigger.begin(account);
    }
    account.message(message(13, 3));
    account.compare(day(listed(20)));
    expect(first.fills).toEqual(['10-13', '13-20 recovered']);
    expect(second.given).toHaveLength(2);
    second.given.forEach((event, n) => expect(event).toBe(first.given[n]));
    expect(second.stored.orders).toEqual(first.stored.orders);
  });

  test('are each given what they missed where they go on from different checkpoints, and then the same events', () => {
    const account = new Account(day(listed(10)));
    const [behind, level] = [new Trigger(), new Trigger()];
    for (const trigger of [behind, level]) account.startConsumer(trigger.consumer);
    behind.resume(account, checkpointAt(4));
    level.resume(account, checkpointAt(10));
    expect([behind.fills, level.fills]).toEqual([['4-10 recovered'], []]);
    account.message(message(13, 3));
    // The list tells no terms as the stream does: in step from the first message on.
    account.message(message(15, 2));
    expect(behind.fills).toEqual(['4-10 recovered', '10-13', '13-15']);
    expect(level.fills).toEqual(['10-13', '13-15']);
    expect(level.given.at(-1)).toBe(behind.given.at(-1));
  });

  test('are not given again what they know before the list shows it', () => {
    const account = new Account(day(listed(4)));
    const [ahead, other] = [new Trigger(), new Trigger()];
    for (const trigger of [ahead, other]) account.startConsumer(trigger.consumer);
    ahead.resume(account, checkpointAt(10));
    other.begin(account);
    account.compare(day(listed(10)));
    expect([ahead.fills, other.fills]).toEqual([[], ['4-10 recovered']]);
    account.message(message(13, 3));
    account.message(message(15, 2));
    expect([ahead.fills, other.fills]).toEqual([
      ['10-13', '13-15'],
      ['4-10 recovered', '10-13', '13-15'],
    ]);
    expect(ahead.given.at(-1)).toBe(other.given.at(-1));
  });

  test('take what the others were given for past where they begin later', () => {
    const account = new Account(day([]));
    const [first, late] = [new Trigger(), new Trigger()];
    account.startConsumer(first.consumer);
    first.begin(account);
    account.message(message());
    account.message(message(10, 10));
    account.startConsumerLater(late.consumer);
    late.begin(account, at(50));
    account.message(message(13, 3));
    expect([first.fills, late.fills]).toEqual([['0-10', '10-13'], ['10-13']]);
    expect(late.given[0]).toBe(first.given.at(-1));
  });

  test('take what the list showed for past where they begin after a message that the list overtook', () => {
    const account = new Account(day([]));
    const [first, late] = [new Trigger(), new Trigger()];
    account.startConsumer(first.consumer);
    first.begin(account);
    account.compare(day(listed(10)));
    account.message(message());
    account.startConsumerLater(late.consumer);
    late.begin(account, at(50));
    account.compare(day(listed(10)));
    expect([first.fills, late.fills]).toEqual([['0-10 recovered'], []]);
  });

  test('are told of a basket only what the list of baskets does not show to be past, where they have not seen that list', () => {
    const account = new Account({ orders: orders(10), baskets: record('FILLED', { filled: 10 }) });
    const [first, late] = [new Trigger(), new Trigger()];
    account.startConsumer(first.consumer);
    first.begin(account, instant(50));
    account.startConsumerLater(late.consumer);
    late.begin(account, instant(60));
    const closed = { orders: orders(10, 10), baskets: record('CLOSED', { filled: 10 }) };
    account.compare({ ...closed, baskets: record('FILLED', { filled: 10 }) });
    account.compare(closed);
    expect(names(late.given)).toEqual(names(first.given));
    expect(Object.keys(late.stored.orders ?? {})).toEqual([ID]);
  });
});

describe('the orders of a trigger', () => {
  /** An account and a trigger that has joined it; each has seen a list of baskets, or not. */
  const joined = (
    { own = true, account: seen = true, since = undefined as string | undefined } = {},
    before: OrderMessage[] = [],
  ) => {
    const account = new OrderReconciler();
    account.resumeBaskets(since, seen);
    for (const orderMessage of before) account.update(orderMessage);
    const trigger = new TriggerOrderReconciler();
    trigger.resume([], since, own);
    trigger.join(account);
    const receive = (orderMessage: OrderMessage): { own: readonly OrderEvent[]; isShared: boolean } => {
      const events = account.update(orderMessage);
      const given = trigger.update({ type: 'update', message: orderMessage, events });
      return { own: given, isShared: given === events };
    };
    const compare = (day: ListedDay): { given: OrderEvent[]; accountEvents: OrderEvent[] } => {
      account.firstBaskets(day);
      const reported = account.recover(day.orders, day.baskets);
      trigger.firstBaskets(day);
      return { given: trigger.recover({ type: 'day', day, events: reported }), accountEvents: reported };
    };
    return { account, trigger, receive, compare };
  };
  const types = (events: readonly OrderEvent[]): string[] => events.map(({ type }) => type);
  const accepted = messageOf({ response: ACCEPT, at: 2 });
  const ids = (trigger: TriggerOrderReconciler): string[] => [...trigger.states()].map(([id]) => id);

  test('are all separate before it has joined', () => {
    const trigger = new TriggerOrderReconciler();
    expect(types(trigger.update({ type: 'update', message: message(), events: [] }))).toEqual(['accepted']);
    expect(types(trigger.update({ type: 'update', message: accepted, events: [] }))).toEqual(['accepted']);
  });

  test("are the account's where neither knows them, and separate until it has caught up where the account knows more", () => {
    const fresh = joined();
    expect(fresh.receive(message()).isShared).toBe(true);
    const late = joined({}, [message()]);
    expect(ids(late.trigger)).toEqual(['5']);
    const first = late.receive(message(10, 10));
    expect([first.isShared, types(first.own)]).toEqual([false, ['accepted', 'fill']]);
    expect([ids(late.trigger), late.receive(message(13, 3)).isShared]).toEqual([[], true]);
  });

  test.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
    [false, false, false],
  ])('are separate for baskets until it (%s) and the account (%s) have seen their list', (own, account, isShared) => {
    const { trigger, receive } = joined({ own, account });
    expect(receive(accepted).isShared).toBe(isShared);
    expect(ids(trigger)).toEqual(isShared ? [] : [ID]);
    expect(receive(message()).isShared).toBe(true);
  });

  test('are those of the account for baskets from the list on', () => {
    for (const given of [{ own: false }, { account: false }]) {
      const { trigger, receive, compare } = joined(given);
      receive(accepted);
      compare(day([]));
      const { given: of, accountEvents: reported } = compare({
        orders: orders(10),
        baskets: record('FILLED', { filled: 10 }),
      });
      expect(of).toEqual(reported);
      compare({ orders: [], baskets: undefined });
      expect(ids(trigger)).toEqual([]);
      expect(receive(messageOf({ response: SL, at: 20 })).isShared).toBe(true);
    }
  });

  test('stay separate for baskets over a comparison without their list', () => {
    for (const given of [{ own: false }, { account: false }]) {
      const { receive, compare } = joined(given);
      compare({ orders: [], baskets: undefined });
      expect(receive(accepted).isShared).toBe(false);
    }
  });

  test('are separate for baskets where it knows less of one', () => {
    const { receive } = joined({}, [accepted]);
    const { own, isShared } = receive(messageOf({ response: SL, at: 20 }));
    expect([isShared, types(own)]).toEqual([false, ['accepted', 'stopLossTriggered']]);
  });

  test('wait no longer for what the stream must have brought, and are forgotten', () => {
    const trigger = new TriggerOrderReconciler();
    trigger.resume([], undefined, true);
    trigger.recover({ type: 'day', day: day(orders(10)), events: [] });
    const waits = (): boolean => [...trigger.states()].some(([, text]) => unpackState(text)!.legs[0]!.unstreamed);
    trigger.confirmedOrders();
    expect(waits()).toBe(true);
    trigger.confirmedOrders();
    expect(waits()).toBe(false);
    trigger.drop([ID]);
    expect(ids(trigger)).toEqual([]);
  });
});
