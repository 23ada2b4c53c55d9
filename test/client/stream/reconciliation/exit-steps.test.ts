/** The exits of an order, from the list and from messages, against what was delivered. */
import { expect, test } from '@jest/globals';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import { readDayOrders } from '../../../../client/stream/reconciliation/order-record';
import { packState, unpackState } from '../../../../client/stream/reconciliation/stored-state';
import type { OrderSnapshot } from '../../../../client/stream/reconciliation/types';
import type { JsonObject } from '../../../../client/values/json';

const exit = (kind: string, status: string, filled = 0, trigger = 9_000): JsonObject => ({
  kind,
  status,
  filled_qty: filled,
  trigger_price: trigger,
});
/** A purchase of 10 that is filled, as the list shows it. */
const listed = (exits: JsonObject[], modified = '1795165546000000000', filled = 10): OrderSnapshot[] =>
  readDayOrders([
    {
      order_id: '5',
      ref_id: 7,
      order_side: 'ORDER_SIDE_BUY',
      order_status: filled === 10 ? 'ORDER_STATUS_FILLED' : 'ORDER_STATUS_OPEN',
      order_qty: 10,
      filled_qty: filled,
      last_modified: modified,
      exits,
    },
  ]);
const types = (reconciler: OrderReconciler, view: OrderSnapshot[]): string[] =>
  reconciler
    .recover(view)
    .map(({ type, fill, exit: of }) => `${type}${of ? ` ${of.kind}` : ''}${fill ? ` ${fill.quantity}` : ''}`);

test('each step comes once, in order, and the sibling ends', () => {
  const reconciler = new OrderReconciler();
  const both = (stop: JsonObject, target: JsonObject): OrderSnapshot[] => listed([stop, target]);
  const open = both(exit('STOPLOSS', 'OPEN'), exit('TARGET_PROFIT', 'OPEN', 0, 11_000));
  expect(types(reconciler, listed([exit('STOPLOSS', 'OPEN')], '0', 0))).toEqual(['accepted']);
  expect(types(reconciler, open)).toEqual(['fill 10', 'executed', 'exitArmed stop', 'exitArmed target']);
  expect(types(reconciler, open)).toEqual([]);
  const part = both(exit('STOPLOSS', 'TRIGGERED', 4), exit('TARGET_PROFIT', 'CANCELLED', 0, 11_000));
  expect(types(reconciler, part)).toEqual(['stopLossTriggered stop', 'fill stop 4', 'exitCancelled target']);
  const done = both(exit('STOPLOSS', 'FILLED', 10), exit('TARGET_PROFIT', 'CANCELLED', 0, 11_000));
  expect(types(reconciler, done)).toEqual(['fill stop 6', 'exitFilled stop']);
  // The list may be older than what was delivered.
  expect(types(reconciler, open)).toEqual([]);
});

test('exits of an order of which nothing was filled have never lived', () => {
  const reconciler = new OrderReconciler();
  expect(types(reconciler, listed([exit('STOPLOSS', 'CANCELLED')], '0', 0))).toEqual(['accepted']);
});

test('a trailing stop moves forward only, and a change of it is no move', () => {
  const reconciler = new OrderReconciler();
  const at = (trigger: number, modified?: string): OrderSnapshot[] =>
    listed([exit('TRAILING_STOP', 'OPEN', 0, trigger)], modified);
  types(reconciler, at(9_000));
  expect(types(reconciler, at(9_100))).toEqual(['trailUpdated stop']);
  expect(types(reconciler, at(9_050))).toEqual([]);
  expect(types(reconciler, at(9_500, '1795165549000000000'))).not.toContain('trailUpdated stop');
});

test('an exit that is taken off and put back is armed again, under another key', () => {
  const reconciler = new OrderReconciler();
  const key = (view: OrderSnapshot[]): string[] =>
    reconciler.recover(view).flatMap(({ key: one, exit: of }) => (of ? one : []));
  const armed = key(listed([exit('STOPLOSS', 'OPEN')]));
  const off = key(listed([exit('STOPLOSS', 'CANCELLED')], '1795165548000000000'));
  const again = key(listed([exit('STOPLOSS', 'OPEN')], '1795165549000000000'));
  expect([...armed, ...off, ...again]).toEqual(['5:exitArmed:stop', '5:exitCancelled:stop', '5:exitArmed:stop:again1']);
});

test('a checkpoint keeps them, so that a restart tells none again', () => {
  const before = new OrderReconciler();
  const view = listed([exit('STOPLOSS', 'TRIGGERED', 4), exit('TARGET_PROFIT', 'CANCELLED')]);
  before.recover(view);
  const text = packState(before.stateOf('5')!);
  const after = new OrderReconciler();
  after.resume('5', unpackState(text)!);
  expect(types(after, view)).toEqual([]);
  expect(packState(unpackState(text)!)).toBe(text);
});
