import { waitForStatus, type FollowOrder } from '../../../../client/orders/placing/wait-for-status';
import { placeOrder } from '../../../../client/orders/placing/place';
import { market, wanted } from '../support';

const BODY = { ref_id: 7, order_qty: 10, order_side: 'ORDER_SIDE_BUY', tag: 't' };

/** An order that is filled after so many milliseconds, and how it is waited for. */
async function setUp(filledAfter: number) {
  const { time, model, context } = market({
    life: () => [
      { after: 100, status: 'OPEN' },
      { after: filledAfter - 100, status: 'FILLED' },
    ],
    listDelay: () => 0,
    latency: () => 1,
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
  let notify = (): void => undefined;
  let following = 0;
  const follow: FollowOrder = (id, onChange) => {
    expect(id).toBe(orderId);
    following += 1;
    notify = onChange;
    return () => void (following -= 1);
  };
  const begun = time.now();
  const reads = (): number => model.requests.filter(({ method }) => method === 'GET').length;
  return {
    time,
    context,
    orderId,
    follow,
    tell: () => notify(),
    following: () => following,
    reads,
    after: () => time.now() - begun,
  };
}

it('reads at a pace that slows down, without a stream', async () => {
  const { time, context, orderId, reads, after } = await setUp(30_000);
  expect(await time.run(waitForStatus(orderId, 'filled', 60_000, context))).toMatchObject({ reached: true });
  expect(after()).toBeLessThan(35_100);
  expect(reads()).toBeLessThan(14);
});

it('reads at once when a stream tells of the order, and stops following at the end', async () => {
  const item = await setUp(30_000);
  const waiting = item.time.run(waitForStatus(item.orderId, 'filled', 60_000, item.context, item.follow));
  void item.time.sleep(29_990).then(item.tell);
  expect(await waiting).toMatchObject({ reached: true, order: { order_status: 'ORDER_STATUS_FILLED' } });
  expect(item.after()).toBeLessThan(30_600);
  expect(item.following()).toBe(0);
});

it('takes what a stream tells for a reason to look, never for the status', async () => {
  const item = await setUp(30_000);
  const waiting = item.time.run(waitForStatus(item.orderId, 'filled', 10_000, item.context, item.follow));
  for (let at = 100; at < 9_000; at += 700) void item.time.sleep(at).then(item.tell);
  expect(await waiting).toMatchObject({ reached: false, timedOut: true });
});

it('ends at once when the execution is stopped, following or not', async () => {
  for (const followed of [false, true]) {
    const item = await setUp(30_000);
    const stop = new AbortController();
    void item.time.sleep(3_210).then(() => stop.abort(new Error('stopped')));
    await expect(
      item.time.run(
        waitForStatus(
          item.orderId,
          'filled',
          60_000,
          { ...item.context, signal: stop.signal },
          followed ? item.follow : undefined,
        ),
      ),
    ).rejects.toThrow();
    expect(item.after()).toBeLessThan(3_300);
    expect(item.following()).toBe(0);
  }
});

describe('waiting for a status', () => {
  it('reads at a slowing pace until it comes', async () => {
    const { time, model, context } = market({
      life: () => [
        { after: 200, status: 'OPEN' },
        { after: 30_000, status: 'FILLED' },
      ],
    });
    await time.run(placeOrder(wanted('a'), context));
    const before = model.requests.length;
    const waited = await time.run(waitForStatus(model.journal[0]!.id, 'filled', 60_000, context));
    expect(waited).toMatchObject({ reached: true, timedOut: false });
    expect(model.requests.length - before).toBeLessThan(14);
  });

  it('ends at the deadline, at the end of the order, and at once when stopped', async () => {
    const { time, model, context } = market({
      life: () => [
        { after: 200, status: 'OPEN' },
        { after: 30_000, status: 'CANCELLED' },
      ],
    });
    await time.run(placeOrder(wanted('a'), context));
    const id = model.journal[0]!.id;
    expect(await time.run(waitForStatus(id, 'accepted', 9_000, context))).toMatchObject({ reached: true });
    const started = time.now();
    expect(await time.run(waitForStatus(id, 'filled', 5_000, context))).toMatchObject({
      reached: false,
      timedOut: true,
    });
    expect(time.now() - started).toBeLessThan(6_000);
    expect(await time.run(waitForStatus(id, 'filled', 90_000, context))).toMatchObject({
      reached: false,
      timedOut: false,
      order: { order_status: 'ORDER_STATUS_CANCELLED' },
    });
    const stop = new AbortController();
    const waiting = waitForStatus('1', 'filled', 600_000, { ...context, signal: stop.signal });
    await time.run(time.sleep(1_000));
    const stoppedAt = time.now();
    stop.abort(new Error('stopped'));
    await expect(time.run(waiting)).rejects.toThrow('stopped');
    expect(time.now() - stoppedAt).toBeLessThan(100);
  });
});
