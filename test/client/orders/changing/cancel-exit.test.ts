/** Taking one exit off an order: it is read first, and nothing but that exit is taken off. */
import { cancelExit, cancelOrders, exitCancellation } from '../../../../client/orders/changing/change-order';
import { intentApi } from '../../../../client/orders/api/intent/intent';
import type { PlacementContext } from '../../../../client/orders/account/placement-context';
import { PlacementRegistry } from '../../../../client/orders/account/placement-registry';
import type { Json } from '../../../../client/values/json';
import { answeringTransport } from '../answering';

/** An account whose list is always the same: whatever is sent is only noted. */
function account(records: readonly object[]) {
  const { transport, time, asked } = answeringTransport({ orders: { executed: records } });
  const placements = new PlacementRegistry(time.clock);
  const context: PlacementContext = {
    ...intentApi(transport),
    transport,
    placements,
    scope: 'sandbox/me',
    environment: 'sandbox',
  };
  const sent = (): Json[] =>
    asked.filter(({ url }) => url.endsWith('/cancel')).map(({ body }) => JSON.parse(body ?? 'null') as Json);
  return { time, context, sent };
}

const stop = (more: object = {}): object => ({ kind: 'STOPLOSS', triggerPrice: 147_005, status: 'OPEN', ...more });
const target = (more: object = {}): object => ({ kind: 'TARGET_PROFIT', triggerPrice: 153_005, ...more });
const filled = (...exitConfig: object[]): object => ({
  intentOrderId: '5',
  refId: 7,
  side: 'BUY',
  orderQty: 10,
  filledQty: 10,
  exitConfig,
});

type Kind = Parameters<typeof exitCancellation>[1];
async function takeOff(kind: Kind, ...exits: object[]) {
  const { time, context, sent } = account([filled(...exits)]);
  const result = await time
    .run(exitCancellation('5', kind, context).then(async (exit) => await cancelExit(exit, 0, context)))
    .catch((error: Error) => error.message);
  return { result, sent: sent() };
}

const JUMP = { trailJump: 100 };
it.each<[string, Kind, object[]]>([
  ['a stop loss', 'STOPLOSS', [stop(), target()]],
  ['a stop loss that trails, by either word', 'STOPLOSS', [stop(JUMP)]],
  ['a trailing stop', 'TRAILING_STOP', [stop(JUMP)]],
  ['a target', 'TARGET_PROFIT', [stop(), target()]],
  ['an exit of which the service does not say the kind', 'TARGET_PROFIT', [stop({ kind: undefined })]],
])('takes %s off', async (_, kind, exits) => {
  expect(await takeOff(kind, ...exits)).toEqual({
    result: { orderId: '5', result: 'requested' },
    sent: [{ orders: [{ orderId: 5, exitTriggerKind: kind }] }],
  });
});

it.each<[string, Kind, object[], unknown]>([
  [
    'a stop loss that does not trail, asked for as a trailing stop',
    'TRAILING_STOP',
    [stop(), target()],
    'The stop loss of order 5 does not trail. Nothing was sent.',
  ],
  ['an exit that the order does not have', 'STOPLOSS', [target()], 'Order 5 has no stop loss. Nothing was sent.'],
  ['an exit of an order without exits', 'TARGET_PROFIT', [], 'Order 5 has no target. Nothing was sent.'],
  ['an exit that is gone', 'STOPLOSS', [stop({ status: 'CANCELLED' }), target()], { result: 'done' }],
  [
    'an exit that has filled',
    'STOPLOSS',
    [stop({ status: 'FILLED', filledQty: 10 }), target({ status: 'CANCELLED' })],
    {
      result: 'too_late',
      error: {
        message: 'The stop loss of order 5 could not be taken off: the order was filled before that.',
        hint: 'An exit of it was filled: nothing of it is left to change.',
      },
    },
  ],
])('sends nothing for %s', async (_, kind, exits, expected) => {
  const { result, sent } = await takeOff(kind, ...exits);
  expect(sent).toEqual([]);
  if (typeof expected === 'string') expect(result).toBe(expected);
  else expect(result).toMatchObject(expected as object);
});

it('sends nothing for the id of a basket, whose exits a cancellation would take off', async () => {
  const leg = { unitQty: 1, orderQty: 65, filledQty: 65 };
  const basket = {
    ...filled(stop()),
    isMulti: true,
    refId: 0,
    legs: [
      { ...leg, refId: 9 },
      { ...leg, refId: 10 },
    ],
  };
  const { time, context, sent } = account([basket]);
  await expect(time.run(exitCancellation('5', 'STOPLOSS', context))).rejects.toMatchObject({
    message: 'The service has no order 5 today.',
    hint: 'It is a basket: use the operations of Basket.',
  });
  expect(await time.run(cancelOrders(['5'], 0, context))).toMatchObject([
    { orderId: '5', result: 'refused', error: { message: '5 is a basket, and no order. Nothing was sent for it.' } },
  ]);
  expect(sent()).toEqual([]);
});
