/** The look for earlier tries before sending: a retry, a key and a called workflow find what an earlier try placed, or say that nobody knows. */
import { UnreadableReplyError } from '../../../../client/base/errors';
import type { OrderRecord } from '../../../../client/endpoints/orders';
import type { DayPlacement, DayPlacements } from '../../../../client/orders/account/placed-today';
import type { OrderRequest, PlacementContext, SameCause } from '../../../../client/orders/account/placement-context';
import { PlacementRegistry } from '../../../../client/orders/account/placement-registry';
import { tagFrom } from '../../../../client/orders/model/tags';
import { placeBasket, placeOrder, placeOrders } from '../../../../client/orders/placing/place';
import { LIMIT_BUY, market, posts, orderRequest, basketRequest } from '../support';

const CALLED = { kind: 'execution', caller: 'parent', nodeId: 'n', runIndex: 0 } as const;
/** The tag of an item in an execution of a workflow that another one called. */
const tagIn = (executionId: string, itemIndex = 0, label = ''): string =>
  tagFrom(label, { ...CALLED, executionId, itemIndex }, 'sandbox/me');

/** Memory of the day that n8n stores, with these entries. */
const stored = (all: readonly DayPlacement[], unlisted: readonly DayPlacement[] = []): DayPlacements => ({
  all: () => all,
  unlisted: () => unlisted,
  add: () => undefined,
});

/** The same account in a process that has just started and knows nothing. */
const restarted = ({ context, time }: ReturnType<typeof market>): PlacementContext => ({
  ...context,
  placements: new PlacementRegistry(time.clock),
});

describe('while an order of the day contradicts itself', () => {
  const fields = { order_qty: null, filled_qty: null, unreadable_reason: 'Order 5 is shown with 20 filled of 10.' };
  const keyed = (key: string): OrderRequest =>
    orderRequest(tagFrom('', { kind: 'key', key, terms: {} }, 'sandbox/me'), { keyed: true });

  it('an order with another key is placed; with its own key nothing is sent, and nobody says what has filled', async () => {
    const service = market();
    const { time, model, context } = service;
    await time.run(placeOrder(keyed('a'), context));
    await time.run(time.sleep(5_000));
    const { list } = context.orders;
    const [odd] = await time.run(list());
    const marked: typeof list = async (signal, how) => {
      if (how !== 'marked') throw new UnreadableReplyError('The list is refused.');
      return (await list(signal)).map((order) => (order.tag === odd!.tag ? { ...order, ...fields } : order));
    };
    const now = { ...restarted(service), orders: { ...context.orders, list: marked } };
    expect(await time.run(placeOrder(keyed('b'), now))).toMatchObject({ outcome: 'confirmed', alreadyPlaced: false });
    const again = await time.run(placeOrder(keyed('a'), now));
    expect(again).toMatchObject({ outcome: 'unknown', tag: odd!.tag });
    expect('error' in again && again.error.message).toMatch(/was placed, but .* not known: Order 5 is shown with 20/);
    expect(posts(model)).toBe(2);
  });

  it('an order whose reply was lost, and that is listed so, is not sent again', async () => {
    const { time, model, context } = market({
      fault: ({ method }) => (method === 'POST' ? 'no_reply' : undefined),
    });
    const { list } = context.orders;
    const marked: typeof list = async (signal, how) => {
      if (how !== 'marked') throw new UnreadableReplyError('The list is refused.');
      return (await list(signal)).map((order) => ({ ...order, ...fields }));
    };
    const orders = { ...context.orders, list: marked };
    const added: unknown[] = [];
    const placedToday: DayPlacements = { ...stored([]), add: (_scope, sent) => void added.push(...sent) };
    const outcome = await time.run(placeOrder(keyed('c'), { ...context, orders, placedToday }));
    // A restarted n8n knows that it is there, so that a list which lacks it is not believed.
    expect(added).toEqual([expect.objectContaining({ noun: 'order', id: expect.stringMatching(/^\d+$/) })]);
    expect(outcome).toMatchObject({ outcome: 'unknown' });
    expect('error' in outcome && outcome.error.message).toMatch(/was placed, but .* not known/);
    expect(posts(model)).toBe(1);
  });
});

describe('a retry of a workflow that another one called', () => {
  const cause = (isCalledAnew = true, ...taken: string[]): SameCause => ({ takenIds: new Set(taken), isCalledAnew });
  const retried = (sameCause: SameCause, changes: Partial<OrderRequest> = {}): OrderRequest =>
    orderRequest(tagIn('2'), { isRepeat: true, isRetry: true, sameCause, ...changes });

  it.each([
    ['in the same process', false],
    ['after a restart', true],
  ])('finds the order that the first call placed, %s, and sends nothing', async (_, isRestarted) => {
    const service = market();
    const { time, model, context } = service;
    await time.run(placeOrder(orderRequest(tagIn('1')), context));
    const sameCause = cause();
    const again = await time.run(placeOrder(retried(sameCause), isRestarted ? restarted(service) : context));
    const { id } = model.journal[0]!;
    expect(again).toMatchObject({ outcome: 'confirmed', id, tag: tagIn('1'), alreadyPlaced: true });
    expect(posts(model)).toBe(1);
    // No other item of the retry may take it for its own.
    expect([...sameCause.takenIds]).toEqual([id]);
  });

  it('finds an order of this process that the list does not show yet', async () => {
    const { time, model, context } = market({ listDelay: () => 60_000 });
    await time.run(placeOrder(orderRequest(tagIn('1')), context));
    expect(await time.run(placeOrder(retried(cause()), context))).toMatchObject({
      outcome: 'confirmed',
      id: model.journal[0]!.id,
      alreadyPlaced: true,
    });
    expect(posts(model)).toBe(1);
  });

  it('finds of two orders the one with its own terms', async () => {
    const { time, model, context } = market();
    const other = { ...LIMIT_BUY, quantity: 20 };
    await time.run(placeOrder(orderRequest(tagIn('1'), { terms: other }), context));
    await time.run(placeOrder(orderRequest(tagIn('3')), context));
    await time.run(time.sleep(5_000));
    expect(await time.run(placeOrder(retried(cause()), context))).toMatchObject({
      outcome: 'confirmed',
      id: model.journal[1]!.id,
    });
    expect(posts(model)).toBe(2);
  });

  it('leaves alone what another item of the retry has found, and places its own', async () => {
    const { time, model, context } = market();
    await time.run(placeOrder(orderRequest(tagIn('1')), context));
    const taken = model.journal[0]!.id;
    expect(await time.run(placeOrder(retried(cause(true, taken)), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: false,
    });
    expect(posts(model)).toBe(2);
  });

  it('leaves alone what another step placed, and what nothing called', async () => {
    const { time, model, context } = market();
    await time.run(placeOrder(orderRequest(tagIn('1', 5)), context));
    await time.run(placeOrder(orderRequest('by-hand'), context));
    await time.run(time.sleep(5_000));
    expect(await time.run(placeOrder(retried(cause()), context))).toMatchObject({ alreadyPlaced: false });
    expect(posts(model)).toBe(3);
  });

  it.each([
    ['other terms', true, { ...LIMIT_BUY, quantity: 20 }],
    ['the same terms, where not all items are called again', false, LIMIT_BUY],
  ])('sends nothing and names the order where the first call placed one with %s', async (_, isCalledAnew, terms) => {
    const { time, model, context } = market();
    await time.run(placeOrder(orderRequest(tagIn('1', 0, 'mine'), { terms }), context));
    await time.run(time.sleep(5_000));
    const again = await time.run(placeOrder(retried(cause(isCalledAnew)), context));
    expect(again).toMatchObject({ outcome: 'unknown', tag: tagIn('1', 0, 'mine') });
    expect(again.outcome === 'unknown' && again.error.message).toContain(
      `at this step it placed the order with the tag ${tagIn('1', 0, 'mine')}`,
    );
    expect(posts(model)).toBe(1);
    // Nothing was sent: the limit of the day does not count it.
    expect(context.placements.get(context.scope, tagIn('2'))).toBeUndefined();
  });

  it('sends nothing while nobody knows what became of the order of the first call', async () => {
    const { time, model, context } = market({
      listDelay: () => 600_000,
      fault: ({ method }) => (method === 'POST' ? 'no_reply' : undefined),
    });
    await time.run(placeOrder(orderRequest(tagIn('1')), context));
    const again = await time.run(placeOrder(retried(cause()), context));
    expect(again.outcome === 'unknown' && again.error.message).toContain(tagIn('1'));
    expect(posts(model)).toBe(1);
  });

  it('two retries at the same moment place one order', async () => {
    const { time, model, context } = market();
    await time.run(time.sleep(5_000));
    const place = async (execution: string) =>
      await placeOrder(orderRequest(tagIn(execution), { isRepeat: true, isRetry: true, sameCause: cause() }), context);
    await time.run(Promise.all([place('2'), place('3')]));
    expect(posts(model)).toBe(1);
  });
});

describe('a tool that an agent calls again in a retry', () => {
  const labelled = (label: string): string => tagFrom(label, { kind: 'key', key: 'call 1' }, 'sandbox/me');

  it.each([
    ['the list shows', false],
    ['this process placed, which no list shows yet', true],
  ])('is refused with the tag of the order that %s', async (_, isHidden) => {
    const { time, model, context } = market({ listDelay: () => (isHidden ? 60_000 : 0) });
    await time.run(placeOrder(orderRequest(labelled('first')), context));
    if (!isHidden) await time.run(time.sleep(5_000));
    const on = isHidden ? context : { ...context, placements: new PlacementRegistry(time.clock) };
    // The label may be another one: the twelve letters count.
    const request = orderRequest('new', { isRepeat: true, isRetry: true, earlierTags: [labelled('second')] });
    const again = await time.run(placeOrder(request, on));
    expect(again).toMatchObject({
      outcome: 'refused',
      tag: 'new',
      error: { message: expect.stringContaining(`the same order, with the tag ${labelled('first')}`) as string },
    });
    expect(posts(model)).toBe(1);
  });

  it('places where no earlier try has left anything', async () => {
    const { time, model, context } = market();
    await time.run(placeOrder(orderRequest('other'), context));
    const request = orderRequest('new', { isRepeat: true, isRetry: true, earlierTags: [labelled('x')] });
    expect(await time.run(placeOrder(request, context))).toMatchObject({ outcome: 'confirmed', alreadyPlaced: false });
    expect(posts(model)).toBe(2);
  });
});

describe('an order that was decided on by what was traded so far', () => {
  it('is refused where the list, read right before sending, shows that somebody else has traded since', async () => {
    const { time, model, context } = market();
    let seen = -1;
    const isUnchanged = (listed: readonly object[]): boolean => {
      seen = listed.length;
      return listed.length === 0;
    };
    await time.run(placeOrder(orderRequest('a'), context));
    await time.run(time.sleep(500));
    // The list of half a second ago would serve any other order: it lacks what was placed meanwhile.
    await time.run(placeOrder(orderRequest('b'), { ...context, placements: new PlacementRegistry(time.clock) }));
    await time.run(time.sleep(5_000));
    const outcomes = await time.run(placeOrders([orderRequest('c', { isUnchanged }), orderRequest('d')], context));
    expect(seen).toBe(2);
    expect(outcomes).toMatchObject([
      { outcome: 'refused', error: { message: expect.stringContaining('Somebody else has traded') as string } },
      { outcome: 'confirmed', tag: 'd' },
    ]);
    expect(model.journal.map(({ tag }) => tag)).toEqual(['a', 'b', 'd']);
  });

  it('goes out where the list shows only what was counted, in a list that is read for it', async () => {
    const { time, model, context } = market();
    await time.run(placeOrder(orderRequest('a'), context));
    const lists = (): number => model.requests.filter(({ method }) => method === 'GET').length;
    const before = lists();
    expect(await time.run(placeOrder(orderRequest('b', { isUnchanged: () => true }), context))).toMatchObject({
      outcome: 'confirmed',
    });
    expect(lists()).toBeGreaterThan(before);
    expect(posts(model)).toBe(2);
  });
});

it('an order under the tag that an older version gave it is the same order', async () => {
  const service = market();
  const { time, model, context } = service;
  await time.run(placeOrder(orderRequest('old'), context));
  const request = orderRequest('new', { keyed: true, formerTag: () => 'old' });
  expect(await time.run(placeOrder(request, restarted(service)))).toMatchObject({
    outcome: 'confirmed',
    id: model.journal[0]!.id,
    alreadyPlaced: true,
  });
  expect(posts(model)).toBe(1);
});

describe('a service that changes tags', () => {
  const keyTag = (key: string): string => tagFrom('', { kind: 'key', key }, 'sandbox/me');

  /** A service whose list shows each tag in another form. */
  function renaming() {
    const service = market();
    const { context } = service;
    const renamed = (record: OrderRecord): OrderRecord => ({ ...record, tag: `shown ${String(record.tag).length}` });
    const orders = { ...context.orders, list: async () => (await context.orders.list()).map(renamed) };
    return { ...service, context: { ...context, orders } };
  }

  it('gives the order back whose id is remembered for the key, after a restart too', async () => {
    const service = renaming();
    const { time, model, context } = service;
    await time.run(placeOrder(orderRequest(keyTag('1'), { keyed: true }), context));
    const { id } = model.journal[0]!;
    const placedToday = stored([{ noun: 'order', id, identity: keyTag('1') }]);
    const next = { ...restarted(service), placedToday };
    expect(await time.run(placeOrder(orderRequest(keyTag('1'), { keyed: true }), next))).toMatchObject({
      outcome: 'confirmed',
      id,
      alreadyPlaced: true,
    });
    expect(posts(model)).toBe(1);
  });

  it('stops keys and retries, which find by tags, and tells the tag; orders of a new cause go on', async () => {
    const service = renaming();
    const { time, model, context } = service;
    await time.run(placeOrder(orderRequest(keyTag('1')), context));
    const { id } = model.journal[0]!;
    const placedToday = stored([{ noun: 'order', id, identity: keyTag('1') }]);
    const next = { ...restarted(service), placedToday };
    const requests = [
      orderRequest(keyTag('2'), { keyed: true }),
      orderRequest(keyTag('3'), { isRepeat: true, isRetry: true }),
      orderRequest(keyTag('4')),
    ];
    const outcomes = await time.run(placeOrders(requests, next));
    const error = { message: expect.stringContaining(`${id} was sent with the tag ${keyTag('1')}`) as string };
    expect(outcomes).toMatchObject([
      { outcome: 'refused', error },
      { outcome: 'refused', error },
      { outcome: 'confirmed', alreadyPlaced: false },
    ]);
    expect(posts(model)).toBe(2);
  });
});

describe('what a process placed under a key right before midnight', () => {
  const keyTag = tagFrom('', { kind: 'key', key: 'night' }, 'sandbox/me');
  const night = (noun: DayPlacement['noun'], id: string, identity = keyTag): DayPlacements =>
    stored([], [{ noun, id, identity }]);
  const noList = async (): Promise<never[]> => [];

  it('is the order of that id, read by itself where the list of the new day lacks it', async () => {
    const { time, model, context } = market();
    await time.run(placeOrder(orderRequest(keyTag, { keyed: true }), context));
    const { id } = model.journal[0]!;
    await time.run(time.sleep(5_000));
    const next: PlacementContext = {
      ...context,
      orders: { ...context.orders, list: noList },
      placements: new PlacementRegistry(time.clock),
      placedToday: night('order', id),
    };
    expect(await time.run(placeOrder(orderRequest(keyTag, { keyed: true }), next))).toMatchObject({
      outcome: 'confirmed',
      id,
      alreadyPlaced: true,
    });
    expect(posts(model)).toBe(1);
  });

  it('is unknown where the order cannot be read, and for a basket, which only the list shows', async () => {
    const { time, model, context } = market();
    const order = await time.run(
      placeOrder(orderRequest(keyTag, { keyed: true }), { ...context, placedToday: night('order', '77') }),
    );
    const basket = await time.run(
      placeBasket(basketRequest(keyTag, { keyed: true }), { ...context, placedToday: night('basket', '78') }),
    );
    expect(order.outcome === 'unknown' && order.error.message).toContain('placed before midnight as order 77');
    expect(basket.outcome === 'unknown' && basket.error.message).toContain('placed before midnight as basket 78');
    expect(posts(model)).toBe(0);
  });

  it('does not keep another key, a basket of the same key or an unnamed placement from being placed', async () => {
    for (const placedToday of [night('order', '77', 'abcdefghijkl'), night('basket', '77'), night('order', '77', '')]) {
      const { time, model, context } = market();
      const placing = placeOrder(orderRequest(keyTag, { keyed: true }), { ...context, placedToday });
      expect(await time.run(placing)).toMatchObject({ outcome: 'confirmed', alreadyPlaced: false });
      expect(posts(model)).toBe(1);
    }
  });
});

describe('a step that another process may have run before, with other items', () => {
  const at = (itemIndex: number): string =>
    tagFrom('', { kind: 'execution', executionId: '1', nodeId: 'n', runIndex: 0, itemIndex }, 'sandbox/me');
  const tags = Array.from({ length: 10 }, (_, index) => at(index));
  /** The items of one run of the step. */
  const step = (itemCount: number) => {
    const orders = { own: new Set<string>(), foreign: new Set<string>() };
    return (itemIndex: number, changes: Partial<OrderRequest> = {}): OrderRequest =>
      orderRequest(at(itemIndex), {
        isRepeat: true,
        sameStep: { orders, tags: () => tags, itemIndex, itemCount },
        ...changes,
      });
  };
  const DEARER = { ...LIMIT_BUY, price: 160_005 };

  it('places twins of an item that has not moved, of one whose outcome is unknown too', async () => {
    const { time, model, context } = market({
      fault: ({ method }) => (method === 'POST' && posts(model) === 0 ? 'no_reply' : undefined),
      listDelay: () => 15_000,
    });
    const item = step(2);
    await time.run(time.sleep(10_000));
    expect((await time.run(placeOrder(item(0), context))).outcome).toBe('unknown');
    await time.run(time.sleep(15_000));
    expect(await time.run(placeOrder(item(1), context))).toMatchObject({ outcome: 'confirmed', alreadyPlaced: false });
    expect(posts(model)).toBe(2);
  });

  it.each([
    ['has exactly its terms, under an item that asks for another price', 2, DEARER, LIMIT_BUY, 'unknown'],
    ['has its instrument and side, under an item that there is no more', 1, undefined, DEARER, 'unknown'],
    ['has another price, under an item that may have been calculated anew', 2, DEARER, DEARER, 'confirmed'],
  ])('an order that %s', async (_, itemCount, other, terms, outcome) => {
    const service = market();
    const { time, model, context } = service;
    await time.run(time.sleep(10_000));
    const before = itemCount === 1 ? 5 : 0;
    await time.run(placeOrder(orderRequest(at(before)), context));
    await time.run(time.sleep(5_000));
    const item = step(itemCount);
    const again = restarted(service);
    await time.run(time.sleep(5_000));
    if (other !== undefined) await time.run(placeOrder(item(0, { terms: other }), again));
    const placed = await time.run(placeOrder(item(itemCount - 1, { terms }), again));
    expect(placed.outcome).toBe(outcome);
    if (placed.outcome === 'unknown') expect(placed.error.message).toContain(at(before));
    expect(posts(model)).toBe(outcome === 'unknown' ? 1 : 2);
  });
});
