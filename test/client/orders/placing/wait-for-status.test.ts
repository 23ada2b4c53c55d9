import { waitForOrders, waitForStatus, type FollowOrder } from '../../../../client/orders/placing/wait-for-status';
import { placeOrder } from '../../../../client/orders/placing/place';
import { momentAt } from '../../../support/clock';
import { market, orderRequest } from '../support';

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
    notify: () => notify(),
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
  void item.time.sleep(29_990).then(item.notify);
  expect(await waiting).toMatchObject({ reached: true, order: { order_status: 'ORDER_STATUS_FILLED' } });
  expect(item.after()).toBeLessThan(30_600);
  expect(item.following()).toBe(0);
});

it('takes what a stream tells for a reason to look, never for the status', async () => {
  const item = await setUp(30_000);
  const waiting = item.time.run(waitForStatus(item.orderId, 'filled', 10_000, item.context, item.follow));
  for (let at = 100; at < 9_000; at += 700) void item.time.sleep(at).then(item.notify);
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
    await time.run(placeOrder(orderRequest('a'), context));
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
    await time.run(placeOrder(orderRequest('a'), context));
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

describe('waiting for several orders', () => {
  const COUNT = 300;
  /**
   * Several orders. The n-th fills after n / 100 s; those that end in 7 are cancelled then, and those that end in 9 are
   * not listed before.
   */
  function several() {
    const { time, context } = market();
    const begun = time.now();
    const ids = Array.from({ length: COUNT }, (_, index) => String(index + 1));
    const reads: string[] = [];
    const list = async () => {
      reads.push('list');
      return ids
        .filter((id) => !id.endsWith('9') || time.now() - begun >= Number(id) * 10)
        .map((id) => {
          const isOver = time.now() - begun >= Number(id) * 10;
          const end = id.endsWith('7') ? 'CANCELLED' : 'FILLED';
          return {
            order_id: id,
            order_status: isOver ? end : 'OPEN',
            filled_qty: isOver && end === 'FILLED' ? 10 : 0,
            avg_filled_price: 150_000,
          };
        });
    };
    const get = async (id: string) => {
      reads.push(id);
      return (await list()).find(({ order_id }) => order_id === id)!;
    };
    const on = { ...context, orders: { ...context.orders, list, get } };
    return { time, context: on, ids, reads, after: () => time.now() - begun };
  }
  const each = (ids: readonly string[], deadline: number) =>
    ids.map((orderId) => ({ orderId, until: 'filled' as const, deadline: momentAt(deadline) }));

  it('reads one list for all of them, and each ends for itself', async () => {
    const { time, context, ids, reads, after } = several();
    const ends = await time.run(waitForOrders(each(ids, time.now() + 60_000), context));
    expect(ends.map(({ order }) => order?.order_id)).toEqual(ids);
    expect(ends.map(({ reached }) => reached)).toEqual(ids.map((id) => !id.endsWith('7')));
    expect(ends.every(({ timedOut }) => !timedOut)).toBe(true);
    expect(reads.length).toBeLessThan(10);
    expect(after()).toBeLessThan(9_000);
  });

  it('keeps the deadline of each', async () => {
    const { time, context, ids } = several();
    const now = time.now();
    const waited = ids.map((orderId, index) => ({
      orderId,
      until: 'filled' as const,
      deadline: momentAt(now + (index < 150 ? 1_000 : 60_000)),
    }));
    const ends = await time.run(waitForOrders(waited, context));
    const late = ends.map(({ timedOut }) => timedOut);
    expect(late.slice(0, 100).some(Boolean)).toBe(false);
    expect(late.slice(110, 150).every(Boolean)).toBe(true);
    expect(late.slice(150).some(Boolean)).toBe(false);
  });

  it('reads the list twice a second at most, however often a stream tells of one of them', async () => {
    const { time, context, ids, reads } = several();
    const listeners = new Set<() => void>();
    const follow: FollowOrder = (_, onChange) => {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    };
    for (let at = 10; at < 3_000; at += 10) void time.sleep(at).then(() => listeners.forEach((notify) => notify()));
    await time.run(waitForOrders(each(ids, time.now() + 60_000), context, follow));
    expect(reads.length).toBeGreaterThan(5);
    expect(reads.length).toBeLessThan(9);
    expect(listeners.size).toBe(0);
  });

  it('waits for the record of intent orders where they placed it, and takes the older one at the deadline only', async () => {
    const { time, context, ids, after } = several();
    const [orderId] = ids.filter((id) => !id.endsWith('7'));
    const deadline = momentAt(time.now() + 9_000);
    const older = { orderId: orderId!, until: 'filled' as const, deadline };
    const [taken, waited] = await time.run(waitForOrders([older, { ...older, wasPlacedAsIntent: true }], context));
    expect(taken).toMatchObject({ reached: true, timedOut: false });
    expect(waited).toMatchObject({ reached: true, timedOut: true });
    expect(after()).toBeGreaterThanOrEqual(9_000);
    const { get } = context.orders;
    const whole = async (id: string) => ({ ...(await get(id)), intent_status: 'EXECUTED' });
    const now = { ...older, deadline: momentAt(time.now() + 60_000), wasPlacedAsIntent: true };
    const shown = { ...context, orders: { ...context.orders, get: whole } } as typeof context;
    const found = await time.run(waitForOrders([now], shown));
    expect(found).toMatchObject([{ reached: true, timedOut: false }]);
  });

  it('reads an order that is named twice, and one that the service never shows', async () => {
    const { time, context } = several();
    const ends = await time.run(waitForOrders(each(['5', '5', '4711'], time.now() + 3_000), context));
    expect(ends).toMatchObject([{ reached: true }, { reached: true }, { reached: false, timedOut: true }]);
    expect(ends[2]?.order).toBeUndefined();
  });
});
