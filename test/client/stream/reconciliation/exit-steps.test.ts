/** The exits of an order, from the list and from messages, against what was delivered. */
import { describe, expect, test } from '@jest/globals';
import { readOrderMessage, type OrderMessage } from '../../../../client/stream/reconciliation/order-message';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import { packState, unpackState } from '../../../../client/stream/reconciliation/state-codec';
import type { OrderEvent } from '../../../../client/stream/reconciliation/types';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import type { JsonObject } from '../../../../client/values/json';
import { updateOf } from '../wire';

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
    reconciler.recover(view).flatMap(({ key: name, exit: of }) => (of ? name : []));
  const armed = key(listed([exit('STOPLOSS', 'OPEN')]));
  const off = key(listed([exit('STOPLOSS', 'CANCELLED')], '1795165548000000000'));
  const again = key(listed([exit('STOPLOSS', 'OPEN')], '1795165549000000000'));
  expect([...armed, ...off, ...again]).toEqual(['5:exitArmed:stop', '5:exitCancelled:stop', '5:exitArmed:stop:again1']);
});

test('a move of a stop loss has a key of its price, and each exit its own round', () => {
  const reconciler = new OrderReconciler();
  const keys = (trail: number, target: string, modified?: string): string[] =>
    reconciler
      .recover(listed([exit('TARGET_PROFIT', target), exit('TRAILING_STOP', 'OPEN', 0, trail)], modified))
      .flatMap(({ key, exit: of }) => (of ? key : []));
  expect(keys(9_000, 'OPEN')).toEqual(['5:exitArmed:target', '5:exitArmed:stop']);
  expect([keys(9_100, 'OPEN'), keys(9_200, 'OPEN')]).toEqual([
    ...[['5:trailUpdated:stop:9100'], ['5:trailUpdated:stop:9200']],
  ]);
  expect(keys(9_200, 'CANCELLED', '1795165548000000000')).toEqual(['5:exitCancelled:target']);
  expect(keys(9_200, 'OPEN', '1795165549000000000')).toEqual(['5:exitArmed:target:again1']);
  expect(keys(9_300, 'OPEN', '1795165549000000000')).toEqual(['5:trailUpdated:stop:9300']);
});

describe('what the stream tells of exits', () => {
  const [OPEN, REACHED, FULL, OFF] = [0, 1, 2, 3];
  const reported = (stop: number, target: number, more: object = {}): OrderMessage =>
    readOrderMessage(
      updateOf(
        {
          ...{ intentOrderId: '5', orderStatus: 2, orderSide: 1, orderQty: 10, refId: 7, intentOrderType: 1 },
          ...{ filledQty: 10, filledPrice: 100 },
          exitTriggers: [stop, target].map((status, n) => ({ kind: n + 1, status, triggerPrice: 9_000 })),
          ...more,
        },
        [8, 3],
      ),
    )!;
  const trade = (quantity: number, at: number, status = REACHED!): OrderMessage => ({
    ...reported(status, OPEN!, { svcTimestamps: { lastUpdatedAt: String(at) } }),
    ...{ type: 'fill', trade: { refId: 7, quantity, price: 9_000, of: 'stop' } },
  });
  const name = ({ type, fill, exit: of }: OrderEvent): string =>
    [type, ...(of ? [of.kind] : []), ...(fill ? [`${fill.from}-${fill.to}${fill.exact ? '' : ' about'}`] : [])].join(
      ' ',
    );
  const received = (reconciler: OrderReconciler, message: OrderMessage): string[] =>
    reconciler.update(message).map(name);
  const entered = (): OrderReconciler => {
    const reconciler = new OrderReconciler();
    reconciler.update(reported(OPEN!, OPEN!));
    return reconciler;
  };

  test('one that is filled has closed all that the others have not, also where its trades did not come', () => {
    expect(received(entered(), reported(FULL!, OFF!))).toEqual([
      ...['stopLossTriggered stop', 'fill stop 0-10 about', 'exitFilled stop', 'exitCancelled target'],
    ]);
    const rest = entered();
    rest.update(trade(4, 1));
    expect(received(rest, reported(FULL!, OFF!))).toEqual([
      'fill stop 4-10 about',
      'exitFilled stop',
      'exitCancelled target',
    ]);
    const part = entered();
    part.update(trade(4, 1));
    expect(received(part, reported(OFF!, FULL!))).toEqual([
      ...['exitCancelled stop', 'targetTriggered target', 'fill target 0-6 about', 'exitFilled target'],
    ]);
    expect(received(entered(), reported(REACHED!, OPEN!))).toEqual(['stopLossTriggered stop']);
  });

  test('a trade that a list told first is not told again, and the rest of it is', () => {
    const reconciler = entered();
    const [fill] = reconciler
      .recover(listed([exit('STOPLOSS', 'TRIGGERED', 4), exit('TARGET_PROFIT', 'OPEN')]))
      .slice(-1);
    expect(name(fill!)).toBe('fill stop 0-4 about');
    expect(received(reconciler, trade(3, 1))).toEqual([]);
    expect(received(reconciler, trade(3, 2))).toEqual(['fill stop 4-6']);
    expect(received(reconciler, trade(2, 3))).toEqual(['fill stop 6-8']);
  });

  test('a trade that comes again under another time closes no more than the order has filled', () => {
    const reconciler = entered();
    expect(received(reconciler, trade(10, 1)).slice(-1)).toEqual(['fill stop 0-10']);
    expect(received(reconciler, trade(10, 2))).toEqual([]);
    const part = entered();
    part.update(trade(4, 1));
    part.update(trade(4, 2));
    expect(received(part, trade(4, 3))).toEqual(['fill stop 8-10 about']);
  });
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
