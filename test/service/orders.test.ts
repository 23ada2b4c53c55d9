/**
 * Orders as the live service's makers and users print them: the sandbox accepts each of them, like the live service, or
 * refuses it with the service's reason.
 */
import printed from './orders.json';
import { start, type Bench } from '../sandbox/support';
import { liveSession, present } from './live';

let bench: Bench;
let headers: Record<string, string>;
beforeAll(async () => {
  bench = await start({ as: 'live', rateLimit: 'off' });
  headers = await liveSession(bench);
});
afterAll(async () => await bench.close());

it.each(printed.orders)('an order is taken or refused: $name', async ({ item, refused }) => {
  const reply = await bench.http.post('/sentinel/orders/create', { orders: [present(bench, item)] }, { headers });
  if (refused === undefined) {
    expect([reply.status, reply.data.error]).toEqual([201, undefined]);
    await bench.advance('PT3S');
    const id = reply.data.orders[0].intentOrderId as number;
    const { status, reason } = bench.running.sandbox.world.intents.intent(BigInt(id))!;
    expect([status, reason]).toEqual([expect.stringMatching(/^(OPEN|EXECUTED)$/), '']);
  } else {
    expect([reply.status, reply.data.error]).toEqual([400, expect.stringContaining(refused)]);
  }
});
