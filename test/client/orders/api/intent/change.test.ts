/**
 * Bodies of intent orders that change an order (docs/service/intent-orders.md#modify-and-cancel): a field that is left
 * out stays, and an exit that is off is taken off.
 */
import type { OrderRecord } from '../../../../../client/endpoints/orders';
import { changeBody } from '../../../../../client/orders/api/intent/request-body';
import type { OrderChange } from '../../../../../client/orders/model/order-terms';
import { refusal } from '../../../../support/refusal';

const AT = Date.parse('2026-11-20T11:00:00+05:30');
const AT_TEXT = '2026-11-20T05:30:00.000Z';
const off = { disabled: true };
/** As it goes over the wire: what is undefined is not there. */
const wire = (body: object): unknown => JSON.parse(JSON.stringify(body));

const ORDER = {
  order_id: '5',
  order_type: 'ORDER_TYPE_ICEBERG',
  order_side: 'ORDER_SIDE_BUY',
  validity_type: 'GTE',
  leg_size: 5,
  intent_status: 'OPEN',
  exits: [],
} as unknown as OrderRecord;
const SALE = { ...ORDER, order_side: 'ORDER_SIDE_SELL' } as OrderRecord;
const waitingFor = (when: string, order = ORDER): OrderRecord =>
  ({ ...order, entry_condition: { when, trigger_price: 5 } }) as unknown as OrderRecord;
const trailing = (status: string, kind = 'TRAILING_STOP'): OrderRecord =>
  ({ ...ORDER, exits: [{ kind, status, trail_jump: 500 }] }) as unknown as OrderRecord;
const STOP = { trigger: 140_000, limit: 139_000 };
const stopParams = { stoplossTriggerPrice: { value: 140_000 }, stoplossLimitPrice: { value: 139_000 } };

it.each<[string, OrderRecord, OrderChange, object]>([
  ['nothing', ORDER, {}, { executionMode: 'ENTRY' }],
  ['the quantity', ORDER, { quantity: 4 }, { executionMode: 'ENTRY', qty: 4 }],
  ['the price', ORDER, { price: 9 }, { executionMode: 'ENTRY', entryPrice: 9 }],
  ['kind and leg size as they are', ORDER, { kind: 'ICEBERG', legSize: 5 }, { executionMode: 'ENTRY' }],
  [
    'the last day',
    ORDER,
    { goodTill: '2026-11-27' },
    {
      executionMode: 'ENTRY',
      validityType: 'GTE',
      goodTillDate: '2026-11-27T18:29:00.000Z',
    },
  ],
  [
    'the trigger of a purchase',
    ORDER,
    { triggerPrice: 7 },
    {
      executionMode: 'ENTRY',
      entryConfig: { triggers: { ltp: { atOrAbove: { value: 7 } } } },
    },
  ],
  [
    'the trigger of a sale',
    SALE,
    { triggerPrice: 7 },
    {
      executionMode: 'ENTRY',
      entryConfig: { triggers: { ltp: { atOrBelow: { value: 7 } } } },
    },
  ],
  [
    'the condition',
    ORDER,
    { condition: { when: 'AT_OR_BELOW', price: 8 } },
    {
      executionMode: 'ENTRY',
      entryConfig: { triggers: { ltp: { atOrBelow: { value: 8 } } } },
    },
  ],
  ['the entry time', ORDER, { entryTime: AT }, { executionMode: 'ENTRY', entryConfig: { entryTime: AT_TEXT } }],
  ['the entry time, away', ORDER, { entryTime: null }, { executionMode: 'ENTRY', entryConfig: { entryTime: off } }],
  ...(
    [
      ['ABOVE', 'above'],
      ['BELOW', 'below'],
      ['AT_OR_ABOVE', 'atOrAbove'],
      ['AT_OR_BELOW', 'atOrBelow'],
    ] as const
  ).map(([when, name]): [string, OrderRecord, OrderChange, object] => [
    `the condition that it shows (${when}), away`,
    waitingFor(when),
    { condition: null },
    { executionMode: 'ENTRY', entryConfig: { triggers: { ltp: { [name]: off } } } },
  ]),
  [
    'a condition that is not shown, away: that of a stop-loss purchase',
    ORDER,
    { condition: null },
    {
      executionMode: 'ENTRY',
      entryConfig: { triggers: { ltp: { atOrAbove: off } } },
    },
  ],
  [
    'a condition that is not shown, away: that of a stop-loss sale',
    SALE,
    { condition: null },
    {
      executionMode: 'ENTRY',
      entryConfig: { triggers: { ltp: { atOrBelow: off } } },
    },
  ],
  [
    'the condition of a record of the older interface, whose words are others',
    { ...waitingFor('ABOVE'), intent_status: undefined } as unknown as OrderRecord,
    { condition: null },
    { executionMode: 'ENTRY', entryConfig: { triggers: { ltp: { atOrAbove: off } } } },
  ],
  ['the stop loss', ORDER, { stop: STOP }, { executionMode: 'EXIT', exitConfig: { stoplossParams: stopParams } }],
  [
    'the stop loss, away',
    ORDER,
    { stop: null },
    {
      executionMode: 'EXIT',
      exitConfig: { stoplossParams: { stoplossTriggerPrice: off, stoplossLimitPrice: off } },
    },
  ],
  [
    'a stop loss that trails, and goes on with its jump',
    trailing('OPEN'),
    { stop: STOP },
    {
      executionMode: 'EXIT',
      exitConfig: { stoplossParams: { ...stopParams, stoplossTrailJump: { value: 500 } } },
    },
  ],
  [
    'a stop loss that trailed until it was taken off',
    trailing('CANCELLED'),
    { stop: STOP },
    {
      executionMode: 'EXIT',
      exitConfig: { stoplossParams: stopParams },
    },
  ],
  [
    'a stop loss that does not trail',
    trailing('OPEN', 'STOPLOSS'),
    { stop: STOP },
    {
      executionMode: 'EXIT',
      exitConfig: { stoplossParams: stopParams },
    },
  ],
  [
    'the jump',
    trailing('OPEN'),
    { stop: { ...STOP, jump: 100 } },
    {
      executionMode: 'EXIT',
      exitConfig: { stoplossParams: { ...stopParams, stoplossTrailJump: { value: 100 } } },
    },
  ],
  [
    'the jump, away',
    trailing('OPEN'),
    { stop: { ...STOP, jump: null } },
    {
      executionMode: 'EXIT',
      exitConfig: { stoplossParams: { ...stopParams, stoplossTrailJump: off } },
    },
  ],
  [
    'the target, away',
    ORDER,
    { target: null },
    {
      executionMode: 'EXIT',
      exitConfig: { targetParams: { targetProfitTriggerPrice: off, targetProfitLimitPrice: off } },
    },
  ],
  [
    'target and exit time',
    ORDER,
    { target: { trigger: 3, limit: 2 }, exitTime: AT },
    {
      executionMode: 'EXIT',
      exitConfig: {
        targetParams: { targetProfitTriggerPrice: { value: 3 }, targetProfitLimitPrice: { value: 2 } },
        exitTime: AT_TEXT,
      },
    },
  ],
  [
    'the exit time, away, and the price',
    ORDER,
    { exitTime: null, price: 9 },
    {
      executionMode: 'ENTRY_AND_EXIT',
      entryPrice: 9,
      exitConfig: { exitTime: off },
    },
  ],
])('writes the change of %s', (__, order, change, expected) => {
  expect(wire(changeBody(order, change))).toEqual({ orderId: '5', ...expected });
});

it.each<[OrderChange, string, OrderRecord?]>([
  [{ kind: 'REGULAR' }, 'orderType'],
  [{ legSize: 4 }, 'legSize'],
  [{ goodTill: '2026-11-27' }, 'goodTillDate', { ...ORDER, validity_type: 'DAY' } as OrderRecord],
])('the change %j is refused', (change, parameter, order = ORDER) => {
  expect(refusal(() => changeBody(order, change))).toMatchObject({
    parameter,
    hint: 'Cancel the order and place a new one. Nothing was sent.',
  });
});
