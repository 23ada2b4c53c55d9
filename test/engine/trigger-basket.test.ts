/**
 * A basket that goes on while the stream is away, in n8n's engine against the sandbox, over real HTTP and WebSockets.
 */
import { TriggerBench, is, json } from '../support/trigger-bench';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

let bench: TriggerBench;

beforeAll(async () => (bench = await TriggerBench.start()));
afterAll(async () => await bench.close());
afterEach(async () => await bench.endTest());

/** Waits until the basket with the tag, the only one, has a status; in one dialect its list is followed by other bytes. */
async function become(tag: string, status: string): Promise<void> {
  while (!JSON.stringify(await bench.ask('GET', `/orders/v2/basket?tag=${tag}`)).includes(`BASKET_STATUS_${status}`));
}

async function place(tag: string): Promise<string> {
  const { sessionToken } = await bench.engine.storedCredential();
  const reply = await fetch(`${bench.sandbox.url}/orders/v2/basket`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${String(sessionToken)}`,
      'x-device-id': 'device-of-a-trigger',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      exchange: 'NSE',
      tag,
      orders: [{ ref_id: await bench.infyRefId(), order_qty: 4, order_side: 'ORDER_SIDE_BUY' }],
      basket_params: {
        order_side: 'ORDER_SIDE_BUY',
        order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
        price_type: 'MARKET',
      },
    }),
  });
  return /"basket_id":(\d+)/.exec(await reply.text())?.[1] as string;
}

/** Nobody gets a stream until it is over. */
async function cutStream(): Promise<void> {
  await bench.control('POST', '/faults', {
    match: { method: 'GET', path: '/userinfo' },
    action: 'status',
    args: { status: 503 },
  });
  await bench.control('POST', '/faults', { match: { stream: true }, action: 'disconnect', times: 1 });
}

const EVENTS = ['accepted', 'fill', 'executed', 'rejected', 'cancelled', 'connectionLost', 'connectionRestored'];

it('recovers what became of it as a whole, in order and once', async () => {
  const { lines } = bench.engine.logger;
  const before = lines.length;
  const trigger = await bench.activate({ events: EVENTS, options: { compareEvery: 5 } });
  await cutStream();
  const id = await place('gap');
  await trigger.waitFor(is('connectionLost'));
  await become('gap', 'FILLED');
  await bench.ask('POST', `/orders/v2/basket/${id}`, { exchange: 'NSE' });
  await become('gap', 'CLOSED');
  await bench.control('DELETE', '/faults');
  const own = () => trigger.emitted.filter((emitted) => json(emitted).order_id === id);
  await trigger.waitFor(
    (emitted) =>
      json(emitted).order_id === id && json(emitted).order_status === 'CLOSED' && json(emitted).event === 'executed',
  );
  // What comes after it is live, and the lists are compared again meanwhile.
  const next = await place('next');
  await trigger.waitFor((emitted) => json(emitted).order_id === next && json(emitted).event === 'executed');
  const reported = own().map((emitted) => `${String(json(emitted).event)} ${json(emitted).trade_qty ?? ''}`.trim());
  const inOrder = ['accepted', 'fill 4', 'executed', 'fill 4', 'executed'];
  // A hurried clock on a busy machine may miss the list of baskets in the beginning: then fills come before what they
  // made of the basket.
  const isLate = lines.slice(before).some((line) => line.includes('baskets could not be read'));
  expect(isLate ? reported.toSorted() : reported).toEqual(isLate ? inOrder.toSorted() : inOrder);
  expect(own().every((emitted) => json(emitted).recovered === true)).toBe(true);
  expect(json(own()[4] as never)).toMatchObject({
    basket_id: id,
    tag: 'gap',
    order_status: 'CLOSED',
    symbol: 'INFY',
    order_side: 'BUY',
    order_type: 'FLEXI',
  });
  expect(new Set(own().map(({ deduplicationKey }) => deduplicationKey)).size).toBe(5);
});

it('goes on with orders when there is no list of baskets, and says so once', async () => {
  for (const path of ['/orders/v2/basket', '/sentinel/orders'])
    await bench.control('POST', '/faults', { match: { method: 'GET', path }, action: 'status', args: { status: 404 } });
  const { lines } = bench.engine.logger;
  const before = lines.length;
  const trigger = await bench.activate({ events: EVENTS, options: { compareEvery: 5 } });
  await bench.control('POST', '/faults', { match: { stream: true }, action: 'disconnect', times: 1 });
  await bench.buy(31);
  await trigger.waitFor(is('executed', 31));
  await trigger.waitFor(is('connectionRestored'));
  // Once the list is back, a hurried clock on a busy machine may miss its answer, which is told again, and rightly.
  expect(lines.slice(before).filter((line) => line.includes('baskets could not be read')).length).toBe(1);
  await bench.control('DELETE', '/faults');
  expect(trigger.errors).toEqual([]);
});
