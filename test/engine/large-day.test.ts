/** A day of very many orders: its list is read in parts, keys are found in it, and everything open is cancelled. */
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** 100,000 orders are a list of 98 MB, too large a one for every run of the tests. */
const ORDERS = Number(process.env['DAY_ORDERS'] ?? 1_000);
/** As many as one request of the service takes. */
const AT_ONCE = 100;

const open: TestSandbox[] = [];
afterAll(async () => await Promise.all(open.map(async (sandbox) => await sandbox.close())));

/** Fills the day with orders of the first account; every thousandth stays open. */
async function fill(sandbox: TestSandbox, engine: Engine, orderInterface: 'intent' | 'v2'): Promise<void> {
  const { items } = await engine.run(orderForm({ operation: 'place', priceType: 'MARKET', product: 'IDAY' }));
  const { ref_id: refId } = items[0]!.json as { ref_id: number };
  const { sessionToken } = await engine.storedCredential();
  const one = (number: number) => {
    const rests = number % 1_000 === 0;
    return orderInterface === 'intent'
      ? {
          ...{ refId, qty: 1, side: 'BUY', deliveryType: 'IDAY', isMultiLeg: false, executionMode: 'ENTRY' },
          ...(rests
            ? { priceType: 'LIMIT', validityType: 'DAY', entryPrice: 115_000 }
            : { priceType: 'MARKET', validityType: 'IOC' }),
          stratTags: [`other-${number}`],
        }
      : {
          ...{ ref_id: refId, order_qty: 1, order_side: 'ORDER_SIDE_BUY', order_type: 'ORDER_TYPE_REGULAR' },
          ...{ order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY', validity_type: rests ? 'DAY' : 'IOC' },
          ...(rests ? { price_type: 'LIMIT', order_price: 115_000 } : { price_type: 'MARKET' }),
          tag: `other-${number}`,
        };
  };
  const path = orderInterface === 'intent' ? 'sentinel/orders/create' : 'orders/v2/multi';
  for (let at = 0; at < ORDERS; at += AT_ONCE) {
    const orders = Array.from({ length: AT_ONCE }, (_, index) => one(at + index));
    const response = await fetch(`${sandbox.url}/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${String(sessionToken)}`,
        'x-device-id': 'test',
      },
      body: JSON.stringify({ orders }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  }
}

describe.each(share(['intent', 'v2'] as const, 2, 0))('over %s, a day of many orders', (orderInterface) => {
  test('is read whole: a key places once, and Cancel All leaves nothing open', async () => {
    const sandbox = await testSandbox({ orderInterface, rateLimit: 'off', funds: 'unchecked' });
    open.push(sandbox);
    const engine = await Engine.start({ ...sandbox.credential, ordersPerSecond: 100 });
    await fill(sandbox, engine, orderInterface);
    await sandbox.control('POST', 'clock', { advance: 'PT10S' });
    const { world } = sandbox.running.sandbox;
    const orders = () => world.ordersOf(world.users.all()[0]!.clientCode);
    const before = orders().length;
    expect(before).toBe(ORDERS + 1);

    const keyed = orderForm({ price: 1_150, options: { idempotencyKey: 'large-day' } });
    const runs = [await engine.run(keyed), await engine.run(keyed)];
    expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
    const [first, again] = runs.map(({ items }) => items[0]!.json);
    expect(again).toMatchObject({ order_id: first!.order_id, already_placed: true });
    await sandbox.control('POST', 'clock', { advance: 'PT10S' });
    expect(orders().length).toBe(before + 1);

    const cancelled = await engine.run({ resource: 'order', operation: 'cancelAll' });
    expect(cancelled.error).toBeUndefined();
    const results = Map.groupBy(cancelled.items, ({ json }) => json.result);
    expect([...results.keys()]).toEqual(['done']);
    expect(results.get('done')).toHaveLength(ORDERS / 1_000 + 1);
    expect(orders().filter(({ status }) => status === 'OPEN' || status === 'PENDING').length).toBe(0);
  }, 1_200_000);
});
