/** Times of records in the units and words that services use: the same instant on both order interfaces, or none. */
import { intentApi } from '../../../client/orders/api/intent/intent';
import { v2Api } from '../../../client/orders/api/v2/v2';
import { timesOf } from '../../../client/orders/model/order-record';
import { answeringTransport } from './answering';

const AT = '1795167900000000000';
const LISTS = {
  v2: (time: unknown) => [
    { order_id: '5', ref_id: 7, order_status: 'ORDER_STATUS_OPEN', order_qty: 1, order_time: time, filled_time: time },
  ],
  intent: (time: unknown) => ({
    orders: {
      open: [{ intentOrderId: '5', refId: 7, orderQty: 1, timestamps: { intentCreatedAt: time, filledAt: time } }],
    },
  }),
} as const;

describe.each(['v2', 'intent'] as const)('a time of %s', (kind) => {
  const read = async (time: unknown): Promise<string[]> => {
    const { transport, time: clock } = answeringTransport(LISTS[kind](time));
    const { orders } = kind === 'v2' ? v2Api(transport) : intentApi(transport);
    const [order] = await clock.run(orders.list());
    const { created, filled } = timesOf(order!);
    return [created, filled];
  };

  it.each<[time: unknown, nanos: string]>([
    [AT, AT],
    ['1795167900000000', AT],
    ['1795167900000', AT],
    [1795167900000, AT],
    ['1795167900', AT],
    [1795167900, AT],
    ['2026-11-20T09:45:00Z', AT],
    ['2026-11-20T09:45:00.000z', AT],
    ['2026-11-20T15:15:00+05:30', AT],
    ['2026-11-20T15:15:00+0530', AT],
    ['2026-11-20 15:15:00+0530', AT],
    ['2026-11-20T15:15:00.123456789+0530', '1795167900123456789'],
    // Without a zone it may be that of India or of Greenwich.
    ...['2026-11-20T15:15:00', '2026-11-20 15:15:00', '20-11-2026 15:15:00', '2026-11-20', '15:15:00'].map(
      (time): [unknown, string] => [time, '0'],
    ),
    ...['0001-01-01T00:00:00Z', '1970-01-01T05:30:00+05:30', '2026-13-40T15:15:00Z', '-', '', null, 0, -1].map(
      (time): [unknown, string] => [time, '0'],
    ),
  ])('is %j as %s', async (time, nanos) => {
    expect(await read(time)).toEqual([nanos, nanos]);
  });
});
