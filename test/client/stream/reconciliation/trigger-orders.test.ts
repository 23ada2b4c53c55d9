/** Triggers that begin at different times: what one frame is to each, and that it is reconciled once wherever that is the same. */
import { describe, expect, test } from '@jest/globals';
import { readFrame } from '../../../../client/stream/connection/frames';
import { Consumer } from '../../../../client/stream/delivery/consumer';
import type { CheckpointData } from '../../../../client/stream/delivery/checkpoint';
import {
  canReplace,
  nothingDelivered,
  type DeliveredState,
} from '../../../../client/stream/reconciliation/delivered-state';
import { readOrderMessage, type OrderMessage } from '../../../../client/stream/reconciliation/order-message';
import { readDayOrders } from '../../../../client/stream/reconciliation/order-record';
import type { Day, OrderEvent, OrderSnapshot } from '../../../../client/stream/reconciliation/types';
import { typeOf } from '../../../proto/support';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { Account } from '../account';
import { ID, instant, names, orders, record } from '../basket-fixture';
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

const day = (orders: OrderSnapshot[]): Day => ({ orders, baskets: [] });

class Trigger {
  readonly given: OrderEvent[] = [];
  stored: CheckpointData = {};
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

  resume(account: Account, stored: CheckpointData): void {
    this.stored = structuredClone(stored);
    expect(this.consumer.resume(this.stored, undefined, 'a', account.reconciler)).toBe(true);
  }

  get fills(): string[] {
    return this.given.flatMap(({ fill, recovered }) =>
      fill ? [`${fill.from}-${fill.to}${recovered ? ' recovered' : ''}`] : [],
    );
  }
}

/** What a trigger stores that was given the order up to so many shares. */
function checkpointAt(filled: number): CheckpointData {
  const account = new Account(day([]));
  const trigger = new Trigger();
  account.tell(trigger.consumer);
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
      account.tell(trigger.consumer);
      trigger.begin(account);
    }
    account.message(message(13, 3));
    account.compare(day(listed(20)));
    expect(first.fills).toEqual(['10-13', '13-20 recovered']);
    expect(second.given).toHaveLength(2);
    second.given.forEach((event, n) => expect(event).toBe(first.given[n]));
    expect(second.stored.orders).toEqual(first.stored.orders);
  });

  test('that go on from different checkpoints are each given what they missed, and then the same events', () => {
    const account = new Account(day(listed(10)));
    const [behind, level] = [new Trigger(), new Trigger()];
    for (const trigger of [behind, level]) account.tell(trigger.consumer);
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

  test('that know more than the list shows yet are not given it again', () => {
    const account = new Account(day(listed(4)));
    const [ahead, other] = [new Trigger(), new Trigger()];
    for (const trigger of [ahead, other]) account.tell(trigger.consumer);
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

  test('that begin later take what the others were given for past', () => {
    const account = new Account(day([]));
    const [first, late] = [new Trigger(), new Trigger()];
    account.tell(first.consumer);
    first.begin(account);
    account.message(message());
    account.message(message(10, 10));
    account.tellLater(late.consumer);
    late.begin(account, at(50));
    account.message(message(13, 3));
    expect([first.fills, late.fills]).toEqual([['0-10', '10-13'], ['10-13']]);
    expect(late.given[0]).toBe(first.given.at(-1));
  });

  test('that begin after a message that was overtaken by the list take what the list showed for past', () => {
    const account = new Account(day([]));
    const [first, late] = [new Trigger(), new Trigger()];
    account.tell(first.consumer);
    first.begin(account);
    account.compare(day(listed(10)));
    account.message(message());
    account.tellLater(late.consumer);
    late.begin(account, at(50));
    account.compare(day(listed(10)));
    expect([first.fills, late.fills]).toEqual([['0-10 recovered'], []]);
  });

  test('that have not seen the list of baskets are told of a basket only what that list does not show to be past', () => {
    const account = new Account({ orders: orders(10), baskets: record('FILLED', { filled: 10 }) });
    const [first, late] = [new Trigger(), new Trigger()];
    account.tell(first.consumer);
    first.begin(account, instant(50));
    account.tellLater(late.consumer);
    late.begin(account, instant(60));
    const closed = { orders: orders(10, 10), baskets: record('CLOSED', { filled: 10 }) };
    account.compare({ ...closed, baskets: record('FILLED', { filled: 10 }) });
    account.compare(closed);
    expect(names(late.given)).toEqual(names(first.given));
    expect(Object.keys(late.stored.orders ?? {})).toEqual([ID]);
  });
});

describe("the state of an account takes the place of a trigger's own", () => {
  const state = (more: Partial<DeliveredState>): DeliveredState => ({
    ...nothingDelivered(),
    accepted: true,
    streamTerms: '1@2@',
    legs: [{ refId: 7, filled: 10, value: 1_000 }],
    ...more,
  });
  const own = state({ recent: ['a'], marks: new Set(['basket']) });
  const same = state({ recent: ['b', 'a'], marks: new Set(['basket']), ordersTerms: '1@2@' });

  test('where it knows as much', () => expect(canReplace(own, same)).toBe(true));
  test.each<[string, Partial<DeliveredState>]>([
    ['another fill', { legs: [{ refId: 7, filled: 11, value: 1_000 }] }],
    ['another value', { legs: [{ refId: 7, filled: 10, value: 1_011 }] }],
    ['another leg', { legs: [{ refId: 8, filled: 10, value: 1_000 }] }],
    ['one leg more', { legs: [...same.legs, { refId: 8, filled: 1, value: 1 }] }],
    [
      'a fill that the stream may still bring',
      { legs: [{ ...same.legs[0]!, unstreamed: { quantity: 1, until: '0' } }] },
    ],
    ['no acceptance', { accepted: false }],
    ['a trigger', { triggered: true }],
    ['an end', { end: 'executed' }],
    ['another modification', { modified: '1' }],
    ['no terms of the stream', { streamTerms: '' }],
    ['a key less', { recent: ['b'] }],
    ['a mark more', { marks: new Set(['basket', 'entered']) }],
    ['another mark', { marks: new Set(['entered']) }],
  ])('but not with %s', (_, more) => expect(canReplace(own, { ...same, ...more })).toBe(false));
  test('but not without the terms of the list', () =>
    expect(canReplace({ ...own, ordersTerms: '1@3@' }, { ...same, ordersTerms: '' })).toBe(false));
});
