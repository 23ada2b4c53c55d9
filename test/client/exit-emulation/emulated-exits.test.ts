/** The next step for an entry whose exits a trigger keeps, from the day's orders alone. */
import { isExitTag, exitsInTag, exitTagOf } from '../../../client/exit-emulation/exit-tag';
import {
  closingTags,
  emulatedOrders,
  nextStep,
  type EmulatedOrder,
  type ExitStep,
} from '../../../client/exit-emulation/emulated-exits';
import type { OrderRecord } from '../../../client/endpoints/orders';
import { tagFrom } from '../../../client/orders/model/tags';

const EXITS = { stop: 147_000, target: 153_000 };
const ID = '1763712345678900001';
const tags = closingTags(ID, 'me');
const tag = tagFrom(exitTagOf(EXITS), { kind: 'key', key: 'entry' }, 'me');

const order = (more: object): OrderRecord => ({
  order_id: '1763712345678900009',
  ref_id: 7,
  order_side: 'ORDER_SIDE_SELL',
  order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
  order_type: 'ORDER_TYPE_STOPLOSS',
  order_status: 'ORDER_STATUS_OPEN',
  order_qty: 10,
  filled_qty: 0,
  ...more,
});
const entry = (more: object = {}): OrderRecord =>
  order({
    order_id: ID,
    tag,
    order_side: 'ORDER_SIDE_BUY',
    order_type: 'ORDER_TYPE_REGULAR',
    order_status: 'ORDER_STATUS_FILLED',
    filled_qty: 10,
    ...more,
  });
const otherTag = tagFrom(exitTagOf(EXITS), { kind: 'key', key: 'other' }, 'me');
const thirdTag = tagFrom(exitTagOf(EXITS), { kind: 'key', key: 'third' }, 'me');
const kept = (...orders: OrderRecord[]): EmulatedOrder => emulatedOrders(orders, () => tags)[0]!;
const step = (orders: OrderRecord[], { price = 150_000, mustExit = false } = {}): ExitStep =>
  nextStep(kept(...orders), mustExit, price);
const stop = (more: object = {}) => order({ tag: tags[0], ...more });
const byHand = (more: object = {}) =>
  order({
    order_id: '9',
    tag: 'mine',
    order_type: 'ORDER_TYPE_REGULAR',
    order_status: 'ORDER_STATUS_FILLED',
    filled_qty: 10,
    ...more,
  });

const ODD = { order_qty: null, filled_qty: null, unreadable_reason: 'Order 5 is shown with 9 filled of 1.' };

it.each<[string, OrderRecord[]]>([
  ['its own record', [entry(ODD)]],
  ['a closing order', [entry(), stop(ODD)]],
  ['a closing order that is shown as one of another instrument', [entry(), stop({ ...ODD, ref_id: 8 })]],
  ['another order in the instrument', [entry(), byHand(ODD)]],
  ['an order that does not tell its instrument', [entry(), byHand({ ...ODD, ref_id: null })]],
])('the rest of an entry is unknown while %s contradicts itself', (_, orders) => {
  expect(kept(...orders).whyUnclear).toBe('order 5 is shown with 9 filled of 1');
});

it.each<[string, OrderRecord[]]>([
  ['an entry', [entry({ filled_qty: 4, order_status: 'ORDER_STATUS_CANCELLED' }), entry({ order_id: '8' })]],
  ['a closing order', [entry(), stop({ order_id: '7', filled_qty: 4, order_status: 'CANCELLED' }), stop()]],
  ['an open closing order', [entry(), stop({ order_id: '7' }), stop()]],
])('the rest of an entry is unknown while %s is shown under two ids', (_, orders) => {
  expect(kept(...orders).whyUnclear).toMatch(/^orders \d+ and \d+ have the same tag, and it is not known whether/);
});

it('guards what an entry tells as filled, and waits until the rest is told', () => {
  const early = entry({ order_qty: 20, filled_qty: 10 });
  expect(step([early])).toEqual({ do: 'stop', quantity: 10 });
  const sold = stop({ order_status: 'ORDER_STATUS_FILLED', filled_qty: 10 });
  expect(step([early, sold])).toEqual({ do: 'wait' });
  expect(step([entry({ order_qty: 20, filled_qty: 20 }), sold])).toEqual({ do: 'stop', quantity: 10 });
  expect(step([entry({ order_qty: 20, filled_qty: 0 })])).toEqual({ do: 'stop', quantity: 20 });
});

it('the rest of another entry in the position is unknown too, and that of one elsewhere is not', () => {
  const orders = [
    ...[entry(), stop({ order_id: '7' }), stop()],
    ...[
      entry({ order_id: '11', tag: otherTag }),
      entry({ order_id: '12', tag: thirdTag, order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC' }),
    ],
  ];
  const all = emulatedOrders(orders, (id) => (id === ID ? tags : closingTags(id, 'me')));
  expect(all.map(({ whyUnclear }) => whyUnclear !== undefined)).toEqual([true, false, true]);
});

it('a closing order that has a new id counts under it, whichever is listed first', () => {
  const gone = stop({ order_id: '7', order_status: 'ORDER_STATUS_CANCELLED' });
  const now = stop({ order_id: '8' });
  for (const orders of [
    [entry(), gone, now],
    [now, gone, entry()],
  ]) {
    expect(kept(...orders)).not.toHaveProperty('whyUnclear');
    expect(step(orders)).toEqual({ do: 'wait' });
  }
});

it('an entry that has a new id before it fills counts once', () => {
  const gone = entry({ order_id: '7', filled_qty: 0, order_status: 'ORDER_STATUS_CANCELLED' });
  expect(emulatedOrders([gone, entry()], () => tags).map(({ left }) => left)).toEqual([0, 10]);
});

it.each([
  ['instrument', { ref_id: 8 }],
  ['product', { order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC' }],
])('an order of another %s that contradicts itself changes nothing of an entry', (_, more) => {
  expect(kept(entry(), byHand({ ...ODD, ...more }))).toMatchObject({ left: 10 });
  expect(kept(entry(), byHand({ ...ODD, ...more }))).not.toHaveProperty('whyUnclear');
});

it('prices go into the tag and come out of it', () => {
  expect(exitsInTag(tag)).toEqual(EXITS);
  expect(exitsInTag(tagFrom(exitTagOf({ stop: 5 }), { kind: 'key', key: 'k' }, 'me'))).toEqual({ stop: 5 });
  expect(exitTagOf({ stop: 78_000_000_000, target: 78_000_000_000 }).length).toBeLessThanOrEqual(20);
  for (const other of ['breakout-aaaaaaaaaaaa', exitTagOf(EXITS), 'x', '']) expect(exitsInTag(other)).toBeUndefined();
  expect([isExitTag(exitTagOf(EXITS)), isExitTag('breakout')]).toEqual([true, false]);
});

it.each<[string, ExitStep, OrderRecord[], { price?: number; mustExit?: boolean }?]>([
  ['nothing is filled yet', { do: 'wait' }, [entry({ order_status: 'ORDER_STATUS_OPEN', filled_qty: 0 })]],
  [
    'nothing was filled',
    { do: 'end', why: 'notFilled' },
    [entry({ order_status: 'ORDER_STATUS_CANCELLED', filled_qty: 0 })],
  ],
  ['filled', { do: 'stop', quantity: 10 }, [entry()]],
  [
    'filled in part',
    { do: 'stop', quantity: 4 },
    [entry({ order_status: 'ORDER_STATUS_PARTIAL_FILLED', filled_qty: 4 })],
  ],
  ['guarded', { do: 'wait' }, [entry(), stop()]],
  ['filled further', { do: 'stop', quantity: 6 }, [entry(), stop({ order_qty: 4 })]],
  ['past the stop loss before it could be placed', { do: 'close', quantity: 10 }, [entry()], { price: 146_000 }],
  ['at the target, without a stop loss', { do: 'close', quantity: 10 }, [entry()], { mustExit: true }],
  [
    'stopped out',
    { do: 'end', why: 'closed' },
    [entry(), stop({ order_status: 'ORDER_STATUS_FILLED', filled_qty: 10 })],
  ],
  ['closed by hand', { do: 'end', why: 'byHand' }, [entry(), byHand()]],
  ['closed by hand in part', { do: 'stop', quantity: 7 }, [entry(), byHand({ order_qty: 3, filled_qty: 3 })]],
  ['expired', { do: 'end', why: 'dayOver' }, [entry(), stop({ order_status: 'ORDER_STATUS_EXPIRED' })]],
  [
    'immediate, and expired with a part of it',
    { do: 'stop', quantity: 4 },
    [entry({ validity_type: 'IOC', order_status: 'ORDER_STATUS_EXPIRED', filled_qty: 4 })],
  ],
])('the next step is right: %s', (...[, expected, orders, more]) => {
  expect(step(orders, more)).toEqual(expected);
});

it('cancels the stop loss at the target, and where more is guarded than is there', () => {
  expect(step([entry(), stop()], { mustExit: true })).toMatchObject({ do: 'cancel', orders: [{ tag: tags[0] }] });
  expect(step([entry(), stop(), byHand({ filled_qty: 1 })])).toMatchObject({ do: 'cancel' });
  expect(step([entry(), stop(), byHand()])).toMatchObject({ do: 'cancel' });
});

it('cancels the rest of an entry that is partly closed', () => {
  const partly = entry({ order_status: 'ORDER_STATUS_PARTIAL_FILLED', filled_qty: 4 });
  const stopped = stop({ order_qty: 4, order_status: 'ORDER_STATUS_FILLED', filled_qty: 4 });
  expect(step([partly, stopped])).toMatchObject({ do: 'cancel', orders: [{ order_id: ID }] });
});

it('gives up after three refusals in a row, and not after two', () => {
  const refused = (count: number) =>
    tags.slice(0, count).map((tag) => stop({ tag, order_status: 'ORDER_STATUS_REJECTED' }));
  expect(step([entry(), ...refused(2)])).toEqual({ do: 'stop', quantity: 10 });
  expect(step([entry(), ...refused(3)])).toEqual({ do: 'giveUp' });
});

it('a sale by hand reduces the newest entry, and a later purchase by hand is no entry of ours', () => {
  const at = (id: string, more: object = {}) => byHand({ order_id: id, ...more });
  const leftOf = (...orders: OrderRecord[]) =>
    emulatedOrders(orders, (id) => closingTags(id, 'me')).map(({ id, left }) => [id, left]);
  const [first, second, later] = ['1763712345678900001', '1763712345678900002', '1763712345678900005'];
  const two = [entry({ order_id: second }), entry()];
  expect(leftOf(...two, at(later, { order_qty: 4, filled_qty: 4 }))).toEqual([
    [first, 10],
    [second, 6],
  ]);
  // Closed by hand, and then opened again: by hand, or by another entry.
  const bought = { order_side: 'ORDER_SIDE_BUY' };
  expect(leftOf(entry(), at(second), at(later, bought))).toEqual([[first, 0]]);
  expect(leftOf(entry(), at(second), entry({ order_id: later }))).toEqual([
    [first, 0],
    [later, 10],
  ]);
  // What was bought by hand before is closed first.
  expect(leftOf(at('1763712345678900000', bought), entry(), at(later))).toEqual([[first, 10]]);
});
