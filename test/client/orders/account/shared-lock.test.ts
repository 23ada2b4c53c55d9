/** The lock of keyed orders over several processes, on a record as n8n keeps it. */
import { istDate } from '../../../../client/values/time';
import { monotonicBy } from '../../../../client/base/monotonic';
import { SharedLock } from '../../../../client/orders/account/shared-lock';
import { placeOrder } from '../../../../client/orders/placing/place';
import type { PlacementContext } from '../../../../client/orders/account/placement-context';
import { LIST_DELAY_MS, PlacementRegistry } from '../../../../client/orders/account/placement-registry';
import type { OrderModel, OrderModelOptions } from '../../../support/order-service';
import { ProcessedData } from '../../../support/processed-data';
import { VirtualTime, seededRandom } from '../../../support/virtual-time';
import { market, posts, orderRequest } from '../support';

/** Several processes of one n8n. */
function processes(
  count: number,
  options: OrderModelOptions = {},
): { time: VirtualTime; model: OrderModel; data: ProcessedData; contexts: PlacementContext[] } {
  const { time, model, context } = market(options);
  const random = seededRandom(7);
  const data = new ProcessedData(async () => await time.sleep(random() * 4));
  const contexts = Array.from({ length: count }, () => ({
    ...context,
    placements: new PlacementRegistry(time.clock),
    keyLock: new SharedLock(data, time.clock, random),
  }));
  return { time, model, data, contexts };
}

const keyed = (key: string) => orderRequest(key, { keyed: true });

it('one key that comes to three processes at the same moment is one order', async () => {
  const { time, model, contexts } = processes(3);
  const outcomes = await time.run(Promise.all(contexts.map(async (context) => await placeOrder(keyed('k'), context))));
  expect(outcomes.map((outcome) => outcome.outcome === 'confirmed' && outcome.alreadyPlaced).sort()).toEqual([
    false,
    true,
    true,
  ]);
  expect(posts(model)).toBe(1);
});

it.each([
  ['while it decides', 60_000, false],
  ['and is old when it comes to the order', 0, true],
])('a process that hangs %s, and a retry at the moment at which it wakes, place one order', async (_, ms, isOld) => {
  const { time, model, contexts } = processes(2, { listDelay: () => 1_500, latency: () => 200 });
  await time.run(time.sleep(LIST_DELAY_MS));
  const [hung, other] = [{ ...contexts[0]!, requireTrading: async () => await time.sleep(ms) }, contexts[1]!];
  const retry = async () => {
    await time.sleep(ms);
    return await placeOrder(orderRequest('one', { isRepeat: true, isRetry: true }), other);
  };
  const first = placeOrder(orderRequest('one', { isRepeat: isOld, mayBeRetried: isOld }), hung);
  const outcomes = await time.run(Promise.all([first, retry()]));
  expect(outcomes.map((outcome) => outcome.outcome === 'confirmed' && outcome.alreadyPlaced).sort()).toEqual([
    false,
    true,
  ]);
  expect(posts(model)).toBe(1);
});

it('an order that waits long for its turn is sent without the lock', async () => {
  const { time, model, contexts } = processes(1);
  const [context] = contexts as [PlacementContext];
  await time.run(time.sleep(LIST_DELAY_MS));
  const hold = jest.spyOn(context.keyLock!, 'hold');
  const orderTurn = async (): Promise<void> => await time.sleep(60_000);
  await time.run(placeOrder(orderRequest('one'), { ...context, transport: { ...context.transport, orderTurn } }));
  expect([hold.mock.calls.length, posts(model)]).toEqual([0, 1]);
});

it.each([
  ['is sent again however long the looks at the list take', 4, 0, 1],
  ['is not sent again by a process that hangs then', 1, 60_000, 0],
])('an order without a lock that the service was too busy for %s', async (_, busy, ms, placed) => {
  let left = busy;
  const fault = ({ method }: { method: string }) => (method === 'POST' && left-- > 0 ? 429 : undefined);
  const { time, model, contexts } = processes(1, { fault });
  const requireTrading = async () => await time.sleep(left < busy ? ms : 0);
  await time.run(time.sleep(LIST_DELAY_MS));
  const outcome = await time.run(placeOrder(orderRequest('one'), { ...contexts[0]!, requireTrading }));
  expect([outcome.outcome, posts(model)]).toEqual([placed === 1 ? 'confirmed' : 'rejected', placed]);
});

it('two hundred keys, each at two processes at the same moment, are two hundred orders', async () => {
  const random = seededRandom(3);
  const { time, model, contexts } = processes(2, { listDelay: () => random() * 2_000, latency: () => random() * 300 });
  await time.run(time.sleep(LIST_DELAY_MS));
  const deliveries = Array.from({ length: 200 }, (_, key) => key).flatMap((key) =>
    contexts.map(async (context) => {
      await time.sleep(key * 40);
      return await placeOrder(keyed(`k${key}`), context);
    }),
  );
  const outcomes = await time.run(Promise.all(deliveries));
  expect(outcomes.filter((outcome) => outcome.outcome !== 'confirmed')).toEqual([]);
  expect(posts(model)).toBe(200);
});

it('returns the order before the list shows it, and lets others in when it does', async () => {
  const { time, data, contexts } = processes(2, { listDelay: () => 2_000 });
  await time.run(time.sleep(LIST_DELAY_MS));
  const since = time.now();
  await time.run(placeOrder(keyed('k'), contexts[0]!));
  expect(time.now() - since).toBeLessThan(500);
  expect(await time.run(data.count())).toBeGreaterThan(0);
  await time.run(placeOrder(keyed('l'), contexts[1]!));
  expect(time.now() - since).toBeGreaterThan(2_000);
  expect(time.now() - since).toBeLessThan(4_500);
});

it('goes on in the same process without waiting, for three seconds', async () => {
  const { time, data, contexts } = processes(1);
  await time.run(time.sleep(LIST_DELAY_MS));
  const since = time.now();
  for (const key of ['a', 'b', 'c', 'd']) await time.run(placeOrder(keyed(key), contexts[0]!));
  expect(time.now() - since).toBeLessThan(1_000);
  expect(data.made).toBe(1);
});

it('an order that the list does not show keeps others out for twenty seconds, and no longer', async () => {
  const { time, model, contexts } = processes(2, {
    listDelay: () => 3_600_000,
    fault: ({ method }) => (method === 'POST' && contexts.length > 0 && !model.journal.length ? 'no_reply' : undefined),
  });
  await time.run(time.sleep(LIST_DELAY_MS));
  const since = time.now();
  expect(await time.run(placeOrder(keyed('k'), contexts[0]!))).toMatchObject({ outcome: 'unknown' });
  await time.run(placeOrder(keyed('l'), contexts[1]!));
  expect(time.now() - since).toBeGreaterThan(20_000);
  expect(time.now() - since).toBeLessThan(40_000);
});

it('looks through the interface for what goes on after the step, not through that of the step', async () => {
  const { time, data, contexts } = processes(1, { listDelay: () => 2_000 });
  await time.run(time.sleep(LIST_DELAY_MS));
  const [context] = contexts as [PlacementContext];
  let listReads = 0;
  let isPlaced = false;
  const list = async () => {
    if (isPlaced) throw new Error('The interface of the step was asked after it');
    return await context.orders.list();
  };
  const background = {
    ...context,
    orders: {
      ...context.orders,
      list: async () => {
        listReads += 1;
        return await context.orders.list();
      },
    },
  };
  await time.run(placeOrder(keyed('k'), { ...context, orders: { ...context.orders, list }, background }));
  isPlaced = true;
  await time.run(time.sleep(10_000));
  expect(listReads).toBeGreaterThan(1);
  expect(await time.run(data.count())).toBe(0);
});

it.each([
  ['sandbox', 0],
  ['live', 1],
] as const)(
  '%s: the lock ends in a second where the clock goes to the next day in a moment: %d are left',
  async (environment, left) => {
    const { time, data, contexts } = processes(1, { listDelay: () => 3_600_000 });
    await time.run(time.sleep(LIST_DELAY_MS));
    const [context] = contexts as [PlacementContext];
    let ahead = 0;
    const marketClock = {
      ...context.transport.marketClock,
      now: () => time.clock.now() + ahead,
      get run(): string | undefined {
        return environment === 'sandbox' ? `0123456789abcdef ${istDate(this.now())}` : undefined;
      },
    };
    await time.run(
      placeOrder(keyed('k'), { ...context, environment, transport: { ...context.transport, marketClock } }),
    );
    ahead = 24 * 3_600_000;
    await time.run(time.sleep(1_500));
    expect(Math.min(1, await time.run(data.count()))).toBe(left);
  },
);

it('a holder that died is broken by one of those who wait, after thirty to forty seconds', async () => {
  const { time, model, data, contexts } = processes(4);
  await time.run(time.sleep(LIST_DELAY_MS));
  await time.run(data.add(['held', 'by a process that was killed']));
  const since = time.now();
  await time.run(Promise.all(contexts.map(async (context) => await placeOrder(keyed('k'), context))));
  expect(time.now() - since).toBeGreaterThan(30_000);
  expect(posts(model)).toBe(1);
});

it('a living holder whose reply takes long is not taken for dead', async () => {
  const { time, model, data, contexts } = processes(2, {
    listDelay: () => 0,
    fault: ({ method }) => (method === 'POST' && model.journal.length === 0 ? 'late' : undefined),
  });
  await time.run(time.sleep(LIST_DELAY_MS));
  await time.run(Promise.all(contexts.map(async (context) => await placeOrder(keyed('k'), context))));
  expect(posts(model)).toBe(1);
  expect(data.made).toBeLessThanOrEqual(2);
});

it('sends nothing when it was held up so long that another may have taken its place', async () => {
  const { time, model, contexts } = processes(1);
  const [context] = contexts;
  await time.run(time.sleep(LIST_DELAY_MS));
  let ahead = 0;
  const clock = { ...time.clock, ...monotonicBy(() => time.now() + ahead) };
  const keyLock = new SharedLock(new ProcessedData(async () => await time.sleep(1)), clock, seededRandom(1));
  const held = {
    ...context!,
    keyLock,
    orders: {
      ...context!.orders,
      list: async () => {
        ahead = 60_000;
        return [];
      },
    },
  };
  expect(await time.run(placeOrder(keyed('k'), held))).toMatchObject({ outcome: 'unknown' });
  expect(posts(model)).toBe(0);
});

describe('when the clock has gone on by hours before the lock was released', () => {
  async function heldOverHours(leave: (data: ProcessedData) => Promise<unknown>) {
    const { time, data, contexts } = processes(1, { listDelay: () => 3_600_000 });
    await time.run(time.sleep(LIST_DELAY_MS));
    let ahead = 0;
    const clock = { ...time.clock, ...monotonicBy(() => time.now() + ahead) };
    const context = { ...contexts[0]!, keyLock: new SharedLock(data, clock, seededRandom(1)) };
    await time.run(placeOrder(keyed('k'), context));
    await time.run(leave(data));
    ahead = 14 * 3_600_000;
    await time.run(time.sleep(2_000));
    return { time, data, context };
  }

  it('its own record is removed, and the next order goes out at once', async () => {
    const { time, data, context } = await heldOverHours(() => Promise.resolve());
    expect(await time.run(data.count())).toBe(0);
    const since = time.now();
    expect(await time.run(placeOrder(keyed('l'), context))).toMatchObject({ outcome: 'confirmed' });
    expect(time.now() - since).toBeLessThan(1_000);
  });

  it("another holder's record stays", async () => {
    const { time, data } = await heldOverHours(async (left) => {
      await left.clear();
      await left.add(['held', 'by another']);
    });
    expect(await time.run(data.add(['held']))).toEqual([]);
  });

  it('no record is made where it was removed', async () => {
    const { time, data } = await heldOverHours((left) => left.clear());
    expect(await time.run(data.count())).toBe(0);
    expect(data.made).toBe(1);
  });
});

it('sends nothing when n8n takes no lock, says so, and places when it does', async () => {
  const { time, model, data, contexts } = processes(1);
  data.isDown = true;
  const outcome = await time.run(placeOrder(keyed('k'), contexts[0]!));
  expect(outcome).toMatchObject({ outcome: 'unknown', tag: 'k' });
  expect(outcome.outcome === 'unknown' && outcome.error.message).toMatch(/^Nothing was sent now.*n8n's database/);
  expect(posts(model)).toBe(0);
  data.isDown = false;
  expect(await time.run(placeOrder(keyed('k'), contexts[0]!))).toMatchObject({ outcome: 'confirmed' });
});

it('an execution that is stopped while it waits sends nothing', async () => {
  const { time, model, data, contexts } = processes(1);
  await time.run(data.add(['held']));
  const stop = new AbortController();
  const placing = placeOrder(keyed('k'), { ...contexts[0]!, signal: stop.signal });
  const ended = expect(placing).rejects.toThrow('stopped');
  await time.run(time.sleep(1_000));
  stop.abort(new Error('stopped'));
  await ended;
  expect(posts(model)).toBe(0);
});

it('an order without a key asks for no lock', async () => {
  const { time, data, contexts } = processes(1);
  data.isDown = true;
  expect(await time.run(placeOrder(orderRequest('a'), contexts[0]!))).toMatchObject({ outcome: 'confirmed' });
});
