/** A service that gives a modified order a new id, and shows the old one as cancelled: nobody is told that nothing is left of it. */
import { LosslessNumber, parse, stringify } from 'lossless-json';
import { orderForm } from '../support/parameters';
import { lastPrice } from '../support/last-price';
import { proxiedOperations } from '../support/proxied-operations';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

type Fields = Record<string, unknown>;
const NEW_ID = '1795999999999999999';
const LISTS = { v2: /^\/orders/, intent: /^\/sentinel\/orders$/ } as const;

describe.each(['v2', 'intent'] as const)('over %s', (orderInterface) => {
  const proxied = proxiedOperations(orderInterface);

  it('names the order that has the tag of a modified one which is cancelled', async () => {
    const { world, proxy } = proxied;
    const price = Math.floor((await lastPrice(world.engine)) * 0.97);
    const placed = await world.engine.run(orderForm({ price, quantity: 10 }));
    const orderId = String(placed.items[0]!.json.order_id);
    await world.sandbox.control('POST', 'clock', { advance: 'PT3S' });
    const [id, status, cancelled] =
      orderInterface === 'v2'
        ? ['order_id', 'order_status', 'ORDER_STATUS_CANCELLED']
        : ['intentOrderId', 'status', 'CANCELLED'];
    const isOld = (value: unknown): value is Fields => String((value as Fields | null)?.[id]) === orderId;
    const replaced = (value: unknown): unknown => {
      if (Array.isArray(value))
        return value.flatMap((item: unknown) =>
          isOld(item)
            ? [
                { ...item, [status]: cancelled },
                { ...item, [id]: new LosslessNumber(NEW_ID) },
              ]
            : [replaced(item)],
        );
      if (isOld(value)) return { ...value, [status]: cancelled };
      if (Object(value) !== value || value instanceof LosslessNumber) return value;
      return Object.fromEntries(Object.entries(value as Fields).map(([name, inner]) => [name, replaced(inner)]));
    };
    let sent = 0;
    proxy.change = ({ method, path }, reply) => {
      if (/\/modify/.test(path)) sent += 1;
      if (method !== 'GET' || sent === 0 || !LISTS[orderInterface].test(path)) return undefined;
      let text = stringify(replaced(parse(reply.text)))!;
      // In the bucket of what is open the status of a bucket decides.
      if (orderInterface === 'intent') {
        const { orders, ...rest } = JSON.parse(text.replace(/:(\d{16,})/g, ':"$1"')) as {
          orders: Record<string, Fields[]>;
        };
        const all = Object.values(orders).flatMap((list) => list ?? []);
        const of = (words: readonly string[]): Fields[] => all.filter((order) => words.includes(String(order.status)));
        text = JSON.stringify({
          ...rest,
          orders: { open: of(['OPEN']), executed: of(['EXECUTED']), cancelled: of(['CANCELLED']) },
        });
      }
      return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, text };
    };
    const { error } = await world.engine.run({
      ...{ resource: 'order', operation: 'modify', orderId, updateFields: { price: price + 1 } },
      options: { waitSeconds: 5 },
    });
    proxy.change = undefined;
    expect([sent, error?.message]).toEqual([
      1,
      `Order ${orderId} is cancelled, and order ${NEW_ID} has its tag: the service shows the modified order under this ID. Nothing more was sent.`,
    ]);
    expect(error?.description).toContain(`Look at order ${NEW_ID}`);
  });
});
