import fc from 'fast-check';
import { logIn, start } from '../support';
import { StreamClient } from './client';
import { IS_WHOLE } from '../../support/sample';

/** Types that a frame of an event names, from the tables of the specification: response type, request type. */
const ACTION_TYPES: Record<string, [response: string, request: string]> = {
  accepted: ['ACCEPT', 'NEW'],
  rejected: ['REJECT', 'NEW'],
  modified: ['ACCEPT', 'MOD'],
  modify_rejected: ['REJECT', 'MOD'],
  triggered: ['ENTRY_TRIGGERED', 'NEW'],
  trade: ['FILLED', 'NEW'],
  cancelled: ['ACCEPT', 'CANCEL'],
  cancel_rejected: ['REJECT', 'CANCEL'],
  unsolicited_cancel: ['UNSOLICITED_CANCEL', 'NEW'],
};
/** Events that no frame tells: the order is on its way. */
const SILENT = new Set(['received', 'sent']);
const STATUS: Record<string, string> = { FILLED: 'EXECUTED', CANCELLED: 'CANCELLED', REJECTED: 'REJECTED' };

interface Happening {
  event: string;
  order_id: string;
  status: string;
  filled_quantity: number;
}

const deed = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      kind: fc.constantFrom('ORDER_TYPE_REGULAR', 'ORDER_TYPE_STOPLOSS', 'ORDER_TYPE_STOPLOSS', 'ORDER_TYPE_ICEBERG'),
      side: fc.constantFrom('ORDER_SIDE_BUY', 'ORDER_SIDE_SELL'),
      quantity: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 11, max: 60 }) },
        { weight: 1, arbitrary: fc.constant(5_000_000) },
      ),
      ticks: fc.integer({ min: -60, max: 60 }),
      market: fc.constantFrom(true, false, false),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel' as const, 'modify' as const, 'modify' as const),
      which: fc.nat(20),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('move' as const), ticks: fc.integer({ min: -90, max: 90 }) }) },
);

const algo = (kind: string, trigger_price: number) =>
  kind === 'ORDER_TYPE_STOPLOSS' ? { trigger_price } : kind === 'ORDER_TYPE_ICEBERG' ? { leg_size: 10 } : null;

it('each change of an order is exactly one frame, in order, and each frame is a change (issue: the stream)', async () => {
  const bench = await start({ rateLimit: 'off' });
  const { http } = bench;
  const url = bench.running.url.replace('http', 'ws');
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 15, maxLength: 40 }), async (deeds) => {
        await http.post('/_sandbox/reset', {});
        const headers = await logIn(bench);
        await http.post('/_sandbox/accounts/9000000001', { funds: 10_000_000_000 });
        const token = headers['authorization']!.slice(7);
        const client = await new StreamClient(`${url}/stream?token=${token}`).open();
        client.socket.send(`subscribe ${token} direct_intent notification`);
        while (!(await http.get('/_sandbox/journal?kind=subscribe')).data.length);
        const { data } = await http.get('/refdata/refdata/2026-11-23', { headers });
        const { ref_id, tick_size } = data.refdata.find(
          (row: { plat_name: string }) => row.plat_name === 'STOCK_INFY.NSECM',
        );
        const price = async (ticks: number) =>
          (await http.get('/optionchains/INFY/price?exchange=NSE', { headers })).data.price + ticks * tick_size;
        const placedAs: [id: string, type: string, trigger: number][] = [];
        for (const deed of deeds) {
          if (deed.do === 'pass') await bench.advance(`PT${deed.seconds}S`);
          else if (deed.do === 'move') await http.post('/_sandbox/market', { ref_id, price: await price(deed.ticks) });
          else if (deed.do === 'place') {
            const market = deed.market && deed.kind === 'ORDER_TYPE_REGULAR';
            const limit = await price(deed.ticks);
            const placed = await http.post(
              '/orders/v2/single',
              {
                ref_id,
                order_type: deed.kind,
                order_qty: deed.quantity,
                order_side: deed.side,
                order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
                validity_type: market ? 'IOC' : 'DAY',
                price_type: market ? 'MARKET' : 'LIMIT',
                order_price: market ? null : limit,
                algo_params: algo(deed.kind, limit),
              },
              { headers },
            );
            if (placed.status === 200) placedAs.push([placed.data.order_id, deed.kind, limit]);
          } else if (placedAs.length > 0) {
            const [id, order_type, trigger_price] = placedAs[deed.which % placedAs.length]!;
            if (deed.do === 'cancel') await http.delete(`/orders/${id}`, { headers });
            else
              await http.post(
                `/orders/v2/modify/${id}`,
                { exchange: 'NSE', order_type, order_qty: 70, algo_params: algo(order_type, trigger_price) },
                { headers },
              );
          }
        }
        await bench.advance('PT20S');
        const occurred = ((await http.get('/_sandbox/journal?kind=order')).data as Happening[]).filter(
          ({ event }) => !SILENT.has(event),
        );
        const reported: string[] = [];
        while (reported.length < occurred.length) {
          const { intentOrderResponse: order, intentOrderResponseType, intentOrderRequstType } = await client.update();
          reported.push(
            [
              order['intentOrderId'],
              order['orderStatus'],
              order['filledQty'] ?? '0',
              intentOrderResponseType,
              intentOrderRequstType,
            ].join(' '),
          );
        }
        const expected = occurred.map(({ event, order_id, status, filled_quantity }) => {
          const [response, request] = ACTION_TYPES[event]!;
          return [
            order_id,
            `INTENT_ORDER_STATUS_${STATUS[status] ?? 'OPEN'}`,
            filled_quantity,
            `INTENT_ORDER_RESPONSE_TYPE_${response}`,
            `INTENT_ORDER_REQUEST_TYPE_${request}`,
          ].join(' ');
        });
        expect(reported).toEqual(expected);
        expect((await http.get('/_sandbox/journal?kind=frame')).data).toHaveLength(occurred.length);
        client.socket.terminate();
      }),
      { numRuns: Number(process.env['STREAM_RUNS'] ?? (IS_WHOLE ? 3 : 2)) },
    );
  } finally {
    await bench.close();
  }
});
