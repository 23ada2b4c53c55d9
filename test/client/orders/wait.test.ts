import { waitForStatus, type FollowOrder } from '../../../client/orders/wait';
import { createTransport } from '../../../client/transport';
import { OrderModel } from '../../support/order-service';
import { VirtualTime, seededRandom } from '../../support/virtual-time';

const BODY = { ref_id: 7, order_qty: 10, order_side: 'ORDER_SIDE_BUY', tag: 't' };

/** An order that is filled after so many milliseconds, and how it is waited for. */
async function setUp(filledAfter: number) {
  const time = new VirtualTime();
  const model = new OrderModel(time, {
    life: () => [
      { after: 100, status: 'OPEN' },
      { after: filledAfter - 100, status: 'FILLED' },
    ],
    listDelay: () => 0,
    latency: () => 1,
  });
  const transport = createTransport({
    http: model.http,
    clock: time.clock,
    random: seededRandom(1),
    baseUrl: `https://wait-${filledAfter}.broker.example`,
    deviceId: 'n8n',
  });
  await time.run(
    model.http({
      method: 'POST',
      url: 'https://x.example/orders/v2/single',
      headers: {},
      body: JSON.stringify(BODY),
      timeoutMs: 1_000,
    }),
  );
  const orderId = model.journal[0]!.id;
  let tell = (): void => undefined;
  let following = 0;
  const follow: FollowOrder = (id, onChange) => {
    expect(id).toBe(orderId);
    following += 1;
    tell = onChange;
    return () => void (following -= 1);
  };
  const begun = time.now();
  const reads = (): number => model.requests.filter(({ method }) => method === 'GET').length;
  return {
    time,
    transport,
    orderId,
    follow,
    tell: () => tell(),
    following: () => following,
    reads,
    after: () => time.now() - begun,
  };
}

it('reads at a pace that slows down, without a stream', async () => {
  const { time, transport, orderId, reads, after } = await setUp(30_000);
  expect(await time.run(waitForStatus(transport, orderId, 'filled', 60_000))).toMatchObject({ reached: true });
  expect(after()).toBeLessThan(35_100);
  expect(reads()).toBeLessThan(14);
});

it('reads at once when a stream tells of the order, and stops following at the end', async () => {
  const one = await setUp(30_000);
  const waiting = one.time.run(waitForStatus(one.transport, one.orderId, 'filled', 60_000, undefined, one.follow));
  void one.time.sleep(29_990).then(one.tell);
  expect(await waiting).toMatchObject({ reached: true, order: { order_status: 'ORDER_STATUS_FILLED' } });
  expect(one.after()).toBeLessThan(30_600);
  expect(one.following()).toBe(0);
});

it('takes what a stream tells for a reason to look, never for the status', async () => {
  const one = await setUp(30_000);
  const waiting = one.time.run(waitForStatus(one.transport, one.orderId, 'filled', 10_000, undefined, one.follow));
  for (let at = 100; at < 9_000; at += 700) void one.time.sleep(at).then(one.tell);
  expect(await waiting).toMatchObject({ reached: false, timedOut: true });
});

it('ends at once when the execution is stopped, following or not', async () => {
  for (const followed of [false, true]) {
    const one = await setUp(30_000);
    const stop = new AbortController();
    void one.time.sleep(3_210).then(() => stop.abort(new Error('stopped')));
    await expect(
      one.time.run(
        waitForStatus(one.transport, one.orderId, 'filled', 60_000, stop.signal, followed ? one.follow : undefined),
      ),
    ).rejects.toThrow();
    expect(one.after()).toBeLessThan(3_300);
    expect(one.following()).toBe(0);
  }
});
