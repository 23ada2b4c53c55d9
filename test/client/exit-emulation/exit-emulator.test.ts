import { InputError, UnreadableReplyError } from '../../../client/base/errors';
import { closingTags } from '../../../client/exit-emulation/emulated-exits';
import { ExitEmulator } from '../../../client/exit-emulation/exit-emulator';
import { exitTagOf } from '../../../client/exit-emulation/exit-tag';
import type { PlacementContext } from '../../../client/orders/account/placement-context';
import { PlacementRegistry } from '../../../client/orders/account/placement-registry';
import { tagFrom } from '../../../client/orders/model/tags';
import { INFY } from '../orders/support';
import { VirtualTime } from '../../support/virtual-time';

const SCOPE = 'an account';
const TAG = tagFrom(exitTagOf({ stop: 140_000, target: 160_000 }), { kind: 'key', key: 'e', terms: {} }, SCOPE);
const NANOS_OF_DAY = 86_400_000_000_000n;
const FIRST_DAY = 1_795_500_000_000_000_000n;

/** An entry that waits, so that nothing is placed for it yet. */
const entry = (id: string, day = 0n, tag = TAG) => ({
  ...{ order_id: id, tag, order_side: 'BUY', order_delivery_type: 'IDAY', order_status: 'OPEN' },
  ...{ order_qty: '10', filled_qty: '0', ref_id: 1, order_time: String(FIRST_DAY + day * NANOS_OF_DAY) },
});

/** Lets an emulator look at one list after another. */
async function look(...lists: object[][]): Promise<void> {
  const time = new VirtualTime();
  let at = -1;
  const emulator = new ExitEmulator({
    context: {
      orders: { list: async () => await Promise.resolve(lists[at]) },
      placements: new PlacementRegistry(time.clock),
      transport: { clock: time.clock },
      scope: SCOPE,
    } as unknown as PlacementContext,
    requireSending: async () => await Promise.resolve(),
    instrument: async () => await Promise.resolve(INFY),
    price: () => undefined,
    notify: () => undefined,
  });
  for (at = 0; at < lists.length; at++) await emulator.cycle();
}

test.each([
  ['under another number', entry('2'), 'Order 1 is no longer in the list, which shows it as 2'],
  ['as another instrument', { ...entry('1'), ref_id: 2 }, 'Order 1 is shown as BUY 10 (ref_id 2)'],
  ['as a sale', { ...entry('1'), order_side: 'SELL' }, 'Order 1 is shown as SELL 10 (ref_id 1)'],
])('an entry that is listed %s is kept no further, in words', async (_, other, words) => {
  await expect(look([entry('1')], [other])).rejects.toThrow(words);
});

test.each([
  ['a second order with the tag of one that was refused', [[entry('1')], [entry('1'), entry('2')]]],
  ['an order of the next day with the same tag', [[entry('1')], [entry('2', 1n)]]],
  ['a list without it', [[entry('1')], [], [entry('1')]]],
])('%s is read as before', async (_, lists) => {
  await expect(look(...lists)).resolves.toBeUndefined();
});

test('an entry whose closing order contradicts itself is left alone, said once, and the others go on', async () => {
  const time = new VirtualTime();
  const filled = (id: string, refId: number) => ({
    ...entry(id, 0n, tagFrom(exitTagOf({ stop: 140_000 }), { kind: 'key', key: id, terms: {} }, SCOPE)),
    ...{ order_status: 'FILLED', filled_qty: 10, ref_id: refId },
  });
  const closing = {
    ...{ order_id: '3', tag: closingTags('1', SCOPE)[0], ref_id: 1, order_side: 'SELL', order_status: 'OPEN' },
    ...{ order_delivery_type: 'IDAY', order_type: 'STOPLOSS', order_qty: null, filled_qty: null },
    unreadable_reason: 'Order 3 is shown with 20 filled of 10.',
  };
  const reports: string[] = [];
  const emulator = new ExitEmulator({
    context: {
      orders: {
        list: async (_signal: unknown, odd: unknown) => {
          if (odd !== 'marked') throw new UnreadableReplyError('refused');
          return await Promise.resolve([filled('1', 1), filled('2', 2), closing]);
        },
      },
      placements: new PlacementRegistry(time.clock),
      transport: { clock: time.clock },
      scope: SCOPE,
    } as unknown as PlacementContext,
    requireSending: async () => await Promise.reject(new InputError('Sending was asked for.')),
    instrument: async () => await Promise.resolve(INFY),
    price: () => undefined,
    notify: (event) =>
      void reports.push(event.what === 'failed' ? `${event.order.id} ${event.error.message}` : event.what),
  });
  await emulator.cycle();
  await emulator.cycle();
  expect(reports).toEqual([
    '1 Nothing was sent for the exits of order 1, because order 3 is shown with 20 filled of 10.',
    '2 Sending was asked for.',
  ]);
});
