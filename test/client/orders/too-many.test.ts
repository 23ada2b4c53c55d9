import { InputError } from '../../../client/base/errors';
import { cancelOrder } from '../../../client/orders/changing/change-order';
import { readOrdersPerSecond } from '../../../client/orders/model/guard-settings';
import { v2Api } from '../../../client/orders/api/v2/v2';
import { modifyOrder } from '../../../client/orders/changing/modify-order';
import { placeBasket, placeOrder, placeOrders } from '../../../client/orders/placing/place';
import type { PlacementContext } from '../../../client/orders/account/placement-context';
import { PlacementRegistry } from '../../../client/orders/account/placement-registry';
import { createTransport, rateLimits } from '../../../client/transport';
import { OrderModel } from '../../support/order-service';
import type { Fault } from '../../support/order-service-faults';
import { seededRandom, VirtualTime } from '../../support/virtual-time';
import { INFY, market, orderRequest, basketRequest } from './support';

const posts = (model: OrderModel) => model.requests.filter(({ method }) => method === 'POST');
const tags = (model: OrderModel) => model.journal.map(({ tag }) => tag);

/** The first faults of what is posted; then none. */
function firstPosts(...faults: Fault[]) {
  const left = [...faults];
  return ({ method }: { method: string }) => (method === 'POST' ? left.shift() : undefined);
}

describe('once the list was looked at after a 429 for as long as it may lag', () => {
  it('the order is sent again, and is placed once', async () => {
    const { time, model, context } = market({ fault: firstPosts(429, 429) });
    const from = time.now();
    expect(await time.run(placeOrder(orderRequest('a'), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: false,
    });
    expect(time.now() - from).toBeGreaterThan(24_000);
    expect(tags(model)).toEqual(['a']);
  });

  it('the 429 is told after five tries', async () => {
    let sent = 0;
    const { time, model, context } = market({
      fault: ({ method }) => (method === 'POST' && ++sent > 0 ? 429 : undefined),
    });
    const outcome = await time.run(placeOrder(orderRequest('a'), context));
    expect(outcome).toMatchObject({ outcome: 'rejected', error: { status: 429 } });
    expect(sent).toBe(5);
    expect(model.journal).toEqual([]);
  });

  it('the order is not sent again where it was placed all the same', async () => {
    const { time, model, context } = market({ fault: firstPosts({ status: 429, processed: true }) });
    expect(await time.run(placeOrder(orderRequest('a'), context))).toMatchObject({ outcome: 'confirmed' });
    expect(tags(model)).toEqual(['a']);
  });

  it('the order is not sent again where the list cannot be read', async () => {
    let isDown = false;
    const tooMany = firstPosts(429);
    const { time, model, context } = market({
      fault: (request) => {
        if (request.method === 'GET') return isDown ? 500 : undefined;
        isDown = true;
        return tooMany(request);
      },
    });
    expect(await time.run(placeOrder(orderRequest('a'), context))).toMatchObject({ outcome: 'unknown' });
    expect(model.journal).toEqual([]);
  });

  it('nothing more is sent or read after the execution was stopped', async () => {
    const stop = new AbortController();
    const tooMany = firstPosts(429);
    const { time, model, context } = market({
      fault: (request) => {
        if (request.method === 'POST') stop.abort();
        return tooMany(request);
      },
    });
    const outcome = await time.run(placeOrder(orderRequest('a'), { ...context, signal: stop.signal }));
    expect(outcome).toMatchObject({ outcome: 'unknown', error: { cause: { status: 429 } } });
    expect(model.journal).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });

  it('nothing is sent again after a reply that never came', async () => {
    const { time, model, context } = market({ fault: firstPosts('no_reply') });
    await time.run(placeOrder(orderRequest('a'), context));
    expect(posts(model)).toHaveLength(1);
  });

  it('a basket is sent again, too', async () => {
    const { time, model, context } = market({ fault: firstPosts(429) });
    expect(await time.run(placeBasket(basketRequest('a'), context))).toMatchObject({ outcome: 'confirmed' });
    expect(new Set(tags(model))).toEqual(new Set(['a']));
  });
});

describe('a 429 to a change', () => {
  const NO_LIMITS = { allowLiveOrders: true, dryRun: false, marketHoursOnly: false };
  const stopped = new InputError('Trading with this credential is stopped.', { parameter: 'tradingStopped' });

  /** A resting order whose changes are answered 429 so often. */
  async function resting(times: number, meanwhile: () => void = () => undefined) {
    let isPlaced = false;
    let sent = 0;
    const { time, model, context } = market({
      fault: ({ method }) => {
        if (!isPlaced || method === 'GET') return undefined;
        meanwhile();
        return ++sent > times ? undefined : 429;
      },
    });
    await time.run(placeOrder(orderRequest('a'), context));
    await time.run(time.sleep(2_000));
    isPlaced = true;
    const [order] = await time.run(context.orders.list());
    const modify = (more: Partial<PlacementContext> = {}) => {
      const request = { order: order!, instrument: INFY, change: { price: 150_010 }, unit: 'rupees' as const };
      return time.run(modifyOrder({ ...request, guards: [NO_LIMITS], waitMs: 0 }, { ...context, ...more }));
    };
    const cancel = (more: Partial<PlacementContext> = {}) =>
      time.run(cancelOrder(model.journal[0]!.id, 0, { ...context, ...more }));
    return { modify, cancel, sent: () => sent };
  }

  it('sends it again', async () => {
    const { modify, cancel, sent } = await resting(2);
    expect(await modify()).toMatchObject({ result: 'requested' });
    expect(await cancel()).toMatchObject({ result: 'requested' });
    expect(sent()).toBe(4);
  });

  it.each(['modify', 'cancel'] as const)('sends no %s once the execution was stopped', async (what) => {
    const stop = new AbortController();
    const item = await resting(2, () => stop.abort());
    const outcome = await item[what]({ signal: stop.signal }).catch((error: unknown) => error);
    expect(outcome).not.toMatchObject({ result: 'requested' });
    expect(item.sent()).toBe(1);
  });

  it('sends no modification once trading was stopped, but sends a cancellation', async () => {
    let isStopped = false;
    const { modify, cancel, sent } = await resting(1, () => (isStopped = true));
    const requireTrading = async () => {
      if (isStopped) throw stopped;
    };
    expect(await modify({ requireTrading })).toMatchObject({ result: 'refused', error: stopped });
    expect(sent()).toBe(1);
    expect(await cancel({ requireTrading })).toMatchObject({ result: 'requested' });
  });
});

describe('Orders per Second', () => {
  let made = 0;
  /** A service that notes when how many orders came. */
  function paced(
    ordersPerSecond: number,
    fault: (method: string, posts: number) => Fault | undefined = () => undefined,
  ) {
    const time = new VirtualTime();
    const came: { at: number; count: number }[] = [];
    const model = new OrderModel(time, {
      fault: ({ method, body = '{}' }) => {
        const { orders } = JSON.parse(String(body)) as { orders?: unknown[] };
        if (method === 'POST') came.push({ at: time.now(), count: orders?.length ?? 1 });
        return fault(method, came.length);
      },
    });
    const transport = createTransport({
      http: model.http,
      clock: time.clock,
      random: seededRandom(1),
      baseUrl: `https://paced${made++}.broker.example`,
      deviceId: 'n8n',
      limits: rateLimits('live', ordersPerSecond),
    });
    const context: PlacementContext = {
      ...v2Api(transport),
      transport,
      placements: new PlacementRegistry(time.clock),
      scope: 'live/me',
      environment: 'sandbox',
    };
    return { time, came, model, context };
  }

  it('lets no more orders out in any second, however many a request holds, and places each once', async () => {
    const { time, came, model, context } = paced(4);
    const names = Array.from({ length: 11 }, (_, index) => `t${index}`);
    const outcomes = await time.run(
      placeOrders(
        names.map((tag) => orderRequest(tag)),
        context,
      ),
    );
    await time.run(Promise.all(['x', 'y', 'z'].map((tag) => placeOrder(orderRequest(tag), context))));
    expect(outcomes.every(({ outcome }) => outcome === 'confirmed')).toBe(true);
    expect(came.map(({ count }) => count)).toEqual([4, 4, 3, 1, 1, 1]);
    for (const { at } of came) {
      const within = came.filter((item) => item.at >= at && item.at < at + 1_000);
      expect(within.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(4);
    }
    expect(tags(model).sort()).toEqual([...names, 'x', 'y', 'z'].sort());
  });

  it('sends no more once nobody can tell what became of those before', async () => {
    const { time, came, context } = paced(2, (method, posts) =>
      method === 'POST' ? 'no_reply' : posts > 0 ? 500 : undefined,
    );
    const outcomes = await time.run(
      placeOrders(
        ['a', 'b', 'c'].map((tag) => orderRequest(tag)),
        context,
      ),
    );
    expect(outcomes).toMatchObject([
      { outcome: 'unknown' },
      { outcome: 'unknown' },
      {
        outcome: 'refused',
        error: { message: expect.stringMatching(/^This order was not sent, because it is not known/) },
      },
    ]);
    expect(came).toHaveLength(1);
  });

  it('tells of what was not sent when the execution was stopped as not placed', async () => {
    const stop = new AbortController();
    const { time, came, model, context } = paced(2);
    const placing = placeOrders([orderRequest('a'), orderRequest('b'), orderRequest('c')], {
      ...context,
      signal: stop.signal,
    });
    const stopping = time.sleep(500).then(() => stop.abort());
    const [outcomes] = await time.run(Promise.all([placing, stopping]));
    expect(outcomes).toMatchObject([
      { outcome: 'confirmed' },
      { outcome: 'confirmed' },
      { outcome: 'refused', error: { message: 'The execution was stopped before this order was sent.' } },
    ]);
    expect(came).toHaveLength(1);
    expect(tags(model)).toEqual(['a', 'b']);
  });

  it('is eight on Live where nothing is said, and nothing else than a whole number from 1 to 100', () => {
    expect(readOrdersPerSecond({ environment: 'live' })).toBe(8);
    expect(readOrdersPerSecond({ environment: 'sandbox' })).toBeUndefined();
    for (const ordersPerSecond of [null, '', undefined]) {
      expect(readOrdersPerSecond({ environment: 'live', ordersPerSecond })).toBe(8);
      expect(readOrdersPerSecond({ environment: 'uat', ordersPerSecond })).toBeUndefined();
    }
    expect(readOrdersPerSecond({ environment: 'sandbox', ordersPerSecond: 3 })).toBe(3);
    for (const ordersPerSecond of [0, -1, 101, 2.5, 'many', true])
      expect(() => readOrdersPerSecond({ environment: 'live', ordersPerSecond })).toThrow(InputError);
  });
});
