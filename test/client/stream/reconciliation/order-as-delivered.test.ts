/** Rules by which one delivered state can replace another, and what a state keeps of what it was shown. */
import { describe, expect, test } from '@jest/globals';
import {
  canReplace,
  LONG_AGO,
  nothingDelivered,
  recordKey,
  recordStep,
  recordTerms,
  recoveredFill,
  UNKNOWN_VALUE,
  type OrderAsDelivered,
  type OrderStep,
} from '../../../../client/stream/reconciliation/order-as-delivered';
import { isLater } from '../../../../client/orders/model/order-snapshot';
import { exitFill, exitSteps, recordExit } from '../../../../client/stream/reconciliation/exit-steps';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import { packState, unpackState } from '../../../../client/stream/reconciliation/state-codec';
import type { ExitView, OrderSnapshot } from '../../../../client/orders/model/order-snapshot';

const leg = { refId: 7, filled: 10, value: 1_000 };
const stop = { kind: 'stop', status: 'OPEN', trigger: 9_000, filled: 0, unstreamed: 0, value: 0, round: 0 } as const;
/** A state with something of everything; a new one each time. */
const full = (more: Partial<OrderAsDelivered> = {}): OrderAsDelivered => ({
  ...{ accepted: true, triggered: true, end: '', modified: '5', streamTerms: 's', ordersTerms: 'o' },
  ...{ legs: [{ ...leg }], recent: ['a', 'b'], marks: new Set(['basket'] as const), exits: [{ ...stop }] },
  ...more,
});
const view = (more: Partial<OrderSnapshot> = {}): OrderSnapshot => ({
  ...readDayOrders([
    { order_id: '5', ref_id: 7, order_side: 'ORDER_SIDE_BUY', order_status: 'ORDER_STATUS_FILLED', filled_qty: 10 },
  ])[0]!,
  ...more,
});
const exit = (status: ExitView['status'], more: Partial<ExitView> = {}): ExitView => ({
  ...{ kind: 'stop', status, trigger: 9_000, trails: false },
  ...more,
});

describe('a state', () => {
  test.each<[string, Partial<OrderAsDelivered>, Partial<OrderAsDelivered>]>([
    ['which is the same', {}, {}],
    ['whose modification is long ago', { modified: LONG_AGO }, { modified: '6' }],
    ['which has seen no terms', { streamTerms: '', ordersTerms: '' }, {}],
    ['which has seen fewer keys', { recent: ['a'] }, {}],
    ['whose value is not known', { legs: [{ ...leg, value: UNKNOWN_VALUE }] }, {}],
    ['whose value differs by less than a paisa for each unit', { legs: [{ ...leg, value: 1_010 }] }, {}],
  ])('can take the place of another: %s', (_name, own, by) => {
    expect(canReplace(full(own), full(by))).toBe(true);
  });

  test.each<[string, Partial<OrderAsDelivered>]>([
    ['accepted', { accepted: false }],
    ['triggered', { triggered: false }],
    ['its end', { end: 'cancelled' }],
    ['its modification', { modified: '6' }],
    ["the stream's terms", { streamTerms: 'x' }],
    ["the list's terms", { ordersTerms: 'x' }],
    ['its keys', { recent: ['a', 'c'] }],
    ['its marks', { marks: new Set(['entered'] as const) }],
    ['how many marks', { marks: new Set(['basket', 'entered'] as const) }],
    ['what is filled', { legs: [{ ...leg, filled: 9 }] }],
    ['what was filled', { legs: [{ ...leg, refId: 8 }] }],
    ['its value', { legs: [{ ...leg, value: 1_011 }] }],
    ['how many legs', { legs: [{ ...leg }, { refId: 8, filled: 0, value: 0 }] }],
    ['what the stream may bring', { legs: [{ ...leg, unstreamed: { quantity: 1, until: '0' } }] }],
    ['an exit', { exits: [{ ...stop, kind: 'target' }] }],
    ['the status of an exit', { exits: [{ ...stop, status: 'TRIGGERED' }] }],
    ['the trigger of an exit', { exits: [{ ...stop, trigger: 1 }] }],
    ['what an exit has filled', { exits: [{ ...stop, filled: 1 }] }],
    ['what the stream may bring of an exit', { exits: [{ ...stop, unstreamed: 1 }] }],
    ['the round of an exit', { exits: [{ ...stop, round: 1 }] }],
    ['how many exits', { exits: [{ ...stop }, { ...stop, kind: 'time' }] }],
  ])('cannot take the place of another where they differ in %s', (_name, more) => {
    expect([canReplace(full(), full(more)), canReplace(full(more), full())]).toEqual([false, false]);
  });

  test('is held whole by its text', () => {
    const state = full({ legs: [{ ...leg, unstreamed: { quantity: 3, until: '9' } }], end: 'rejected' });
    expect(unpackState(packState(state))).toEqual(state);
    expect(unpackState(packState(nothingDelivered()))).toEqual(nothingDelivered());
    for (const text of [undefined, 5, '', 'x|0|||', '1.5|0||||', '99|0||||']) expect(unpackState(text)).toBeUndefined();
  });

  test('can take the place of another where both have several legs and exits, in whatever order', () => {
    const legs = [leg, { refId: 8, filled: 1, value: 5 }];
    const exits = [stop, { ...stop, kind: 'target' as const }];
    const both = full({ legs, exits });
    expect(canReplace(both, full({ legs: legs.toReversed(), exits: exits.toReversed() }))).toBe(true);
    expect(canReplace(both, full({ legs: [leg, { ...legs[1]!, filled: 2 }], exits }))).toBe(false);
    expect(canReplace(both, full({ legs, exits: [stop, { ...exits[1]!, filled: 2 }] }))).toBe(false);
  });
});

describe('the text of a state', () => {
  const legs = [leg, { ...{ refId: 8, filled: 4, value: 40 }, unstreamed: { quantity: 3, until: '9' } }];
  const exits = [
    stop,
    {
      ...{ kind: 'target' as const, status: 'CANCELLED' as const },
      trigger: 5,
      filled: 2,
      unstreamed: 1,
      value: Infinity,
      round: 3,
    },
    { ...stop, kind: 'time' as const, filled: 2, value: 250 },
  ];
  test.each<[string, OrderAsDelivered]>([
    ['0|0||||', nothingDelivered()],
    ['3|5|s|o|7:10:1000|a,b|0|0:0:9000:0:0:0', full()],
    ['7|5|s|o|7:10:1000,8:4:40:3:9|', full({ legs, end: 'executed', recent: [], marks: new Set(), exits: [] })],
    [
      '2|5|s|o||a,b||0:0:9000:0:0:0,1:3:5:2:1:3,2:0:9000:2:0:0:250',
      full({ accepted: false, marks: new Set(), legs: [], exits }),
    ],
    [
      '19|5|s|o||a,b|91',
      full({ end: 'rejected', legs: [], exits: [], marks: new Set(['exit began early', 'entered']) }),
    ],
  ])('stays the same in every version, as n8n has stored it: %s', (text, state) => {
    expect(packState(state)).toBe(text);
    expect(unpackState(text)).toEqual(state);
  });

  test('may hold a mark or an exit of a later version, which is left out', () => {
    expect(unpackState('0|0|||||x')?.marks).toEqual(new Set());
    expect(unpackState('0|0||||||7:0:1:0:0:0,0:7:1:0:0:0,0')?.exits).toEqual([]);
    expect(unpackState('0|0||||||1:1')?.exits).toEqual([
      ...[{ kind: 'target', status: 'TRIGGERED', trigger: 0, filled: 0, unstreamed: 0, value: 0, round: 0 }],
    ]);
  });
});

test('terms are those of the newest view, of each source for itself, with the triggers of its exits', () => {
  const state = full({ streamTerms: '', ordersTerms: '', modified: '5' });
  const at = (modified: string): OrderSnapshot['times'] => ({ ...view().times, modified });
  recordTerms(state, view({ price: 1, quantity: 2, triggerPrice: 3, times: at('4') }));
  expect([state.modified, state.ordersTerms, state.exits[0]!.trigger]).toEqual(['5', '', 9_000]);
  recordTerms(state, view({ price: 1, quantity: 2, triggerPrice: 3, times: at('6') }));
  expect([state.modified, state.ordersTerms, state.streamTerms, state.exits[0]!.trigger]).toEqual([
    ...['6', '1@2@3', '', 9_000],
  ]);
  recordTerms(state, view({ source: 'stream', times: at('6'), exits: [exit('OPEN', { trigger: 9_500 })] }));
  expect([state.streamTerms, state.ordersTerms, state.exits[0]!.trigger]).toEqual(['0@0@', '1@2@3', 9_500]);
  recordTerms(state, view({ times: at('6'), exits: [exit('OPEN', { kind: 'target', trigger: 1 })] }));
  expect(state.exits[0]!.trigger).toBe(9_500);
});

test.each<[OrderStep['type'], boolean, boolean, OrderAsDelivered['end']]>([
  ['accepted', true, false, ''],
  ['entryTriggered', false, true, ''],
  ['executed', false, false, 'executed'],
  ['expired', false, false, 'expired'],
  ['rejected', false, false, 'rejected'],
  ['cancelled', false, false, 'cancelled'],
  ['unsolicitedCancel', false, false, 'cancelled'],
  ['modified', false, false, ''],
])('%s is kept: accepted %s, triggered %s, end "%s"', (type, accepted, triggered, end) => {
  const state = nothingDelivered();
  recordStep(state, { type });
  expect(state).toMatchObject({ accepted, triggered, end });
});

test('the last eight keys are remembered', () => {
  const state = nothingDelivered();
  for (let key = 0; key < 9; key++) expect(recordKey(state, String(key))).toBe(true);
  expect([recordKey(state, '8'), recordKey(state, '1'), recordKey(state, '0')]).toEqual([false, false, true]);
});

test('times compare by value, and a recovered fill has the price of what is new', () => {
  expect([isLater('10', '9'), isLater('9', '10'), isLater('2', '1'), isLater('1', '1')]).toEqual([
    ...[true, false, true, false],
  ]);
  const fill = { refId: 7, quantity: 4, from: 6, to: 10, exact: false };
  expect(recoveredFill({ filled: 6, value: 600 }, 7, 10, 1_042)).toEqual({ ...fill, price: 111 });
  expect(recoveredFill({ filled: 6, value: 600 }, 7, 10, 600).price).toBe(0);
  expect(recoveredFill({ filled: 6, value: 600 }, 7, 10, 0).price).toBe(0);
});

describe('the steps of an exit', () => {
  const steps = (state: OrderAsDelivered, ...exits: ExitView[]): string[] =>
    exitSteps(state, view({ exits })).map(({ type, fill }) => `${type}${fill ? ` ${fill.from}-${fill.to}` : ''}`);
  const known = (more: object = {}): OrderAsDelivered => full({ exits: [{ ...stop, ...more }] });

  test('are told of one that was never seen', () => {
    const none = full({ exits: [] });
    expect(steps(none, exit('OPEN'))).toEqual(['exitArmed']);
    expect(steps(none, exit('TRIGGERED'))).toEqual(['exitArmed', 'stopLossTriggered']);
    expect(steps(none, exit('FILLED'))).toEqual(['exitArmed', 'stopLossTriggered', 'exitFilled']);
    expect(steps(none, exit('CANCELLED'))).toEqual([]);
    expect(steps(none, exit('CANCELLED', { filled: 3 }))).toEqual([
      ...['exitArmed', 'stopLossTriggered', 'fill 0-3', 'exitCancelled'],
    ]);
    expect(steps(none)).toEqual([]);
    expect(exitSteps(none, view({ kind: 'strategy', exits: [exit('OPEN')] }))).toEqual([]);
    expect(exitSteps(none, view({ filled: 0, legs: [], exits: [exit('OPEN')] }))).toEqual([]);
    expect(exitSteps(none, view())).toEqual([]);
  });

  test('are told of one that is known', () => {
    expect(steps(known(), exit('OPEN'))).toEqual([]);
    expect(steps(known(), exit('OPEN', { filled: 2 }))).toEqual(['stopLossTriggered', 'fill 0-2']);
    expect(steps(known({ status: 'TRIGGERED', filled: 2 }), exit('TRIGGERED', { filled: 5 }))).toEqual(['fill 2-5']);
    expect(steps(known({ status: 'TRIGGERED' }), exit('FILLED'))).toEqual(['exitFilled']);
    expect(steps(known({ status: 'FILLED' }), exit('OPEN'))).toEqual([]);
    expect(steps(known({ status: 'CANCELLED' }), exit('OPEN'))).toEqual([]);
    expect(steps(known({ status: 'CANCELLED' }), exit('TRIGGERED'))).toEqual([]);
  });

  test('come again for one that is put back only where the order was changed', () => {
    const changed = view({ times: { ...view().times, modified: '6' }, exits: [exit('OPEN')] });
    const types = (state: OrderAsDelivered): string[] => exitSteps(state, changed).map(({ type }) => type);
    expect(types(known({ status: 'CANCELLED' }))).toEqual(['exitArmed']);
    expect(types(known({ status: 'FILLED' }))).toEqual([]);
    expect(types(known())).toEqual([]);
    const off = view({ times: { ...view().times, modified: '6' }, exits: [exit('CANCELLED')] });
    expect(exitSteps(known({ status: 'CANCELLED' }), off)).toEqual([]);
  });

  test('go forward only for one that trails, by the side of the order', () => {
    const trail = (trigger: number, side = 'BUY'): number =>
      exitSteps(known(), view({ side, exits: [exit('OPEN', { trails: true, trigger })] })).length;
    expect([trail(9_001), trail(9_000), trail(8_999)]).toEqual([1, 0, 0]);
    expect([trail(9_001, 'SELL'), trail(9_000, 'SELL'), trail(8_999, 'SELL')]).toEqual([0, 0, 1]);
    expect(steps(known({ status: 'TRIGGERED' }), exit('TRIGGERED', { trails: true, trigger: 9_500 }))).toEqual([]);
    expect(steps(known(), exit('OPEN', { trigger: 9_500 }))).toEqual([]);
  });

  test('a trade of it is what no list has told before', () => {
    const trade = { refId: 7, quantity: 5, price: 100 };
    const state = known({ filled: 2, unstreamed: 2 });
    expect(exitFill(state, view(), 'stop', trade)).toEqual({
      ...{ refId: 7, price: 100, quantity: 3, from: 2, to: 5, exact: true, of: 'stop' },
    });
    expect(state.exits[0]!.unstreamed).toBe(0);
    expect(exitFill(known({ filled: 5, unstreamed: 6 }), view(), 'stop', trade)).toBeUndefined();
    expect(exitFill(nothingDelivered(), view(), 'stop', trade)).toMatchObject({ quantity: 5, from: 0, to: 5 });
    // What the order has filled is not told.
    const unfilledOrder = view({ filled: 0 });
    expect(exitFill(nothingDelivered(), unfilledOrder, 'stop', trade)).toMatchObject({ quantity: 5 });
  });

  test('are recorded, each in its place', () => {
    const state = full({ exits: [{ ...stop, kind: 'target', trigger: 1 }] });
    const exitView = exit('OPEN');
    recordExit(state, { type: 'accepted' });
    recordExit(state, { type: 'exitCancelled', exit: exitView });
    expect(state.exits).toHaveLength(1);
    recordExit(state, { type: 'exitArmed', exit: exitView });
    expect(state.exits[1]).toEqual(stop);
    const after = (type: 'stopLossTriggered' | 'exitFilled' | 'exitCancelled' | 'trailUpdated'): unknown[] => {
      recordExit(state, { type, exit: { ...exitView, trigger: 9_100 } });
      return [state.exits[1]!.status, state.exits[1]!.trigger];
    };
    expect(after('trailUpdated')).toEqual(['OPEN', 9_100]);
    expect(after('stopLossTriggered')).toEqual(['TRIGGERED', 9_100]);
    const fill = { refId: 7, quantity: 4, price: 0, from: 0, to: 4, exact: false };
    recordExit(state, { type: 'fill', exit: exitView, fill });
    recordExit(state, { type: 'fill', exit: exitView, fill: { ...fill, from: 4, to: 8, exact: true } });
    expect([state.exits[1]!.filled, state.exits[1]!.unstreamed]).toEqual([8, 4]);
    expect(after('exitFilled')).toEqual(['FILLED', 9_100]);
    expect(after('exitCancelled')).toEqual(['CANCELLED', 9_100]);
    recordExit(state, { type: 'exitArmed', exit: exitView });
    expect(state.exits.map(({ kind, round, status }) => [kind, round, status])).toEqual([
      ['target', 0, 'OPEN'],
      ['stop', 1, 'OPEN'],
    ]);
  });
});
