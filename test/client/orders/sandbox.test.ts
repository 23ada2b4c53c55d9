/**
 * The schedules of `simulation.test.ts` over real HTTP against the sandbox, with the sandbox's own faults: single, several
 * and basket orders on the older interface, on intent orders with exits, and on an account that moves from the one to both;
 * retries, duplicate deliveries; then changes of what was placed. ORDERS_HTTP_SEEDS sets how many; ORDERS_HTTP_SEED=n replays one.
 */
import { randomUUID } from 'crypto';
import { BrokerageError, NetworkError } from '../../../client/base/errors';
import type { BasketRecord } from '../../../client/endpoints/baskets';
import type { OrderRecord } from '../../../client/endpoints/orders';
import type { BasketTerms } from '../../../client/orders/model/basket-terms';
import { v2Api } from '../../../client/orders/api/v2/v2';
import type { OrderTerms, TradedInstrument } from '../../../client/orders/model/order-terms';
import type { Outcome } from '../../../client/orders/placing/outcome';
import { placeBasket, placeOrder, placeOrders } from '../../../client/orders/placing/place';
import type { PlacementContext } from '../../../client/orders/account/placement-context';
import { PlacementRegistry } from '../../../client/orders/account/placement-registry';
import { cancelOrder, type ChangeResult } from '../../../client/orders/changing/change-order';
import { openAccountApi, KnownOrderApis } from '../../../client/orders/account/account-api';
import { modifyOrder } from '../../../client/orders/changing/modify-order';
import { exitsOf, orderIdOf, priceOf, refIdOf, statusOf, tagOf } from '../../../client/orders/model/order-record';
import { tagFrom } from '../../../client/orders/model/tags';
import type { Http } from '../../../client/base/ports';
import { Sessions } from '../../../client/session/sessions';
import { readSettings } from '../../../client/session/settings';
import { createTransport } from '../../../client/transport';
import { clock } from '../../support/virtual-clock';
import { seedsOf } from '../../support/seeds';
import { seededRandom } from '../../support/virtual-time';
import { FIRST_ACCOUNT, testSandbox, type JournalEntry, type TestSandbox } from '../../support/sandbox';
import { orderRequest } from './support';

const SEEDS = seedsOf('ORDERS_HTTP', 6);

const http: Http = async ({ method, url, headers, body, timeoutMs }) => {
  try {
    const reply = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      status: reply.status,
      headers: Object.fromEntries(reply.headers),
      body: new Uint8Array(await reply.arrayBuffer()),
    };
  } catch {
    throw new NetworkError('No complete reply came.', { maySent: true });
  }
};

let sandbox: TestSandbox;
let authorization: string;
let options: TradedInstrument[];

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off', orderInterface: 'both' });
  const settings = readSettings(sandbox.credential);
  const { state } = await new Sessions(clock, randomUUID).obtain(http, settings, {
    mark: '',
    sessionToken: '',
    authToken: '',
    tempToken: '',
    loginState: '',
  });
  authorization = `Bearer ${state.sessionToken}`;
  const { refdata } = (await (
    await fetch(`${sandbox.url}/refdata/refdata/2026-11-20?exchange=NSE`, {
      headers: { authorization, 'x-device-id': 'test' },
    })
  ).json()) as { refdata: Record<string, never>[] };
  const traded = (row: Record<string, unknown>): TradedInstrument => ({
    refId: Number(row.ref_id),
    exchange: 'NSE',
    symbol: String(row.stock_name),
    asset: String(row.asset),
    tickSize: Number(row.tick_size),
    lotSize: Number(row.lot_size),
    lotMultiplier: Number(row.lot_size),
    derivative: true,
  });
  const ofNifty = refdata.filter((row) => row.asset === 'NIFTY' && ['CE', 'PE'].includes(String(row.option_type)));
  options = ofNifty
    .filter((row) => row.expiry === ofNifty[0]!.expiry)
    .slice(0, 6)
    .map(traded);
});
afterAll(async () => await sandbox.close());

const basketOf = (first: number): BasketTerms => ({
  name: 'pair',
  legs: [0, 1].map((leg) => ({
    instrument: options[(first + leg) % options.length]!,
    side: 'BUY' as const,
    quantity: options[0]!.lotSize,
  })),
  side: 'BUY',
  product: 'IDAY',
  priceType: 'MARKET',
  multiplier: 1,
});

interface Truth {
  orders: { tag: string; id: string; live: boolean }[];
  baskets: { tag: string; id: string }[];
  /** Net quantity of the trades under a tag: bought less sold, of each instrument. */
  held(tag: string): number[];
}

async function truth(after: number): Promise<Truth> {
  const entries = (await sandbox.journal()).filter(({ seq }) => seq > after);
  const began = (kind: string) =>
    entries.filter(
      (entry) => entry.kind === kind && entry.event === 'received' && !(kind === 'order' && entry.intent_order_id),
    );
  const tags = new Map(
    entries
      .filter(({ kind, event }) => kind === 'order' && event === 'received')
      .map(({ order_id, tag }) => [order_id, tag]),
  );
  const trades = entries.filter(({ kind }) => kind === 'trade');
  const held = (tag: string): number[] => {
    const sums = new Map<unknown, number>();
    for (const { order_id, ref_id, side, quantity } of trades)
      if (tags.get(order_id) === tag)
        sums.set(ref_id, (sums.get(ref_id) ?? 0) + (side === 'BUY' ? 1 : -1) * Number(quantity));
    return [...sums.values()];
  };
  const rejected = new Set(
    entries
      .filter(({ kind, event }) => (kind === 'order' || kind === 'intent') && event === 'rejected')
      .map(({ order_id, intent_order_id }) => order_id ?? intent_order_id),
  );
  const single = ({ tag, order_id, intent_order_id }: JournalEntry) => {
    const id = order_id ?? intent_order_id;
    return { tag: String(tag), id: String(id), live: !rejected.has(id) };
  };
  return {
    held,
    orders: [...began('order'), ...began('intent')].map(single),
    baskets: [
      ...new Map(
        entries
          .filter(({ kind }) => kind === 'basket')
          .map(({ basket_id, tag }) => [basket_id, { id: String(basket_id), tag: String(tag) }]),
      ).values(),
      ...began('intent').map(single),
    ],
  };
}

/**
 * Changes up to three open orders of the day under the remaining faults: each is modified, then cancelled. @returns a
 * function that compares the outcomes with the orders, for a time when nothing is in progress any more
 */
async function changes(seed: number, context: PlacementContext): Promise<() => Promise<string[]>> {
  const listed = await context.orders.list().catch((): OrderRecord[] => []);
  const mine = listed.filter((order) => statusOf(order) === 'OPEN' && tagOf(order).startsWith('http-')).slice(0, 3);
  const results: { modified?: ChangeResult; cancelled: ChangeResult; price: number }[] = [];
  for (const order of mine) {
    const instrument = options.find(({ refId }) => refId === refIdOf(order))!;
    const price = priceOf(order) + instrument.tickSize * (1 + (seed % 3));
    const modification = { order, instrument, change: { price }, guards: [], unit: 'rupees' as const, waitMs: 5_000 };
    // Exits stand around the price that they were placed with.
    const modified =
      exitsOf(order).length > 0 ? undefined : ((await modifyOrder(modification, context)) as ChangeResult);
    await clock.sleep(6_000);
    const orderId = orderIdOf(order);
    // Whose order it is is read first; without that nothing is sent.
    const cancelled = await cancelOrder(orderId, 5_000, context).catch((error: unknown): ChangeResult => {
      if (error instanceof BrokerageError) return { orderId, result: 'refused', error };
      throw error;
    });
    results.push({ modified, cancelled, price });
  }
  return async () => {
    const now = new Map((await context.orders.list()).map((order) => [orderIdOf(order), order]));
    for (const { modified, cancelled, price } of results) {
      const order = now.get(cancelled.orderId)!;
      if (modified?.result === 'done') expect(priceOf(order)).toBe(price);
      if (modified?.result === 'refused') expect(priceOf(order)).not.toBe(price);
      if (cancelled.result === 'done') expect(statusOf(order)).toBe('CANCELLED');
      if (cancelled.result === 'refused') expect(statusOf(order)).not.toBe('CANCELLED');
    }
    return results.flatMap(({ modified, cancelled }) => [
      ...(modified ? [`modify ${modified.result}`] : []),
      `cancel ${cancelled.result}`,
    ]);
  };
}

/** Every tag that was wanted so far: a basket goes on sending its legs after its own seed has ended. */
const requestedTags = new Set<string>();

async function simulate(seed: number): Promise<Record<string, number>> {
  const random = seededRandom(seed);
  const among = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const before = (await sandbox.journal()).at(-1)?.seq ?? 0;
  const transport = createTransport({
    http,
    clock,
    random,
    baseUrl: sandbox.url,
    deviceId: 'test',
    authenticate: () => ({ authorization }),
  });
  const speaks = among(['v2', 'intent', 'moving'] as const);
  const scope = `sandbox/${seed}`;
  const has = async (order_interface: string): Promise<void> =>
    void (await sandbox.control('POST', `accounts/${FIRST_ACCOUNT.phone}`, { order_interface }));
  await has(speaks === 'moving' ? 'v2' : 'both');
  const context: PlacementContext = {
    ...(speaks === 'v2'
      ? { ...v2Api(transport), transport }
      : openAccountApi(transport, { choice: 'automatic', known: new KnownOrderApis(), scope })),
    placements: new PlacementRegistry(clock),
    scope,
    environment: 'sandbox',
  };

  const probability = among([0.1, 0.3, 0.6]);
  for (const action of ['drop_before', 'drop_after', 'truncate', 'malformed', 'status'] as const) {
    const args = action === 'status' ? { args: { status: among([429, 500, 503]) } } : {};
    for (const path of ['/orders/v2/*', '/sentinel/orders/*'])
      if (random() < 0.7)
        await sandbox.control('POST', 'faults', {
          match: { method: 'POST', path },
          action,
          ...args,
          probability,
          times: 6,
          seed: seed * 10 + 1,
        });
    for (const path of ['/orders*', '/sentinel/orders*'])
      if (random() < 0.2)
        await sandbox.control('POST', 'faults', {
          match: { method: 'GET', path },
          action,
          ...args,
          probability: probability / 2,
          times: 4,
          seed: seed * 10 + 2,
        });
  }

  const terms = (): OrderTerms => ({
    instrument: options[Math.floor(random() * 2)]!,
    kind: 'REGULAR',
    side: 'BUY',
    quantity: options[0]!.lotSize,
    product: 'IDAY',
    validity: 'DAY',
    priceType: 'LIMIT',
    price: 25 * options[0]!.tickSize,
    ...(speaks === 'intent' && random() < 0.5
      ? {
          exits: {
            stop: { trigger: 20 * options[0]!.tickSize, limit: 18 * options[0]!.tickSize },
            target: { trigger: 30 * options[0]!.tickSize, limit: 30 * options[0]!.tickSize },
          },
        }
      : {}),
  });
  const requests = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, index) => {
    const keyed = random() < 0.5;
    const source = keyed
      ? ({ kind: 'key', key: `alert-${index}` } as const)
      : ({ kind: 'execution', executionId: String(seed), nodeId: 'n', runIndex: 0, itemIndex: index } as const);
    const request = orderRequest(tagFrom('http', source, context.scope), { terms: terms(), keyed });
    return {
      request,
      by: among(['single', 'single', 'multi', 'basket'] as const),
      outcomes: [] as Outcome<OrderRecord | BasketRecord>[],
    };
  });
  const run = async (items: typeof requests): Promise<void> => {
    for (const request of items.filter(({ by }) => by === 'single'))
      request.outcomes.push(await placeOrder(request.request, context));
    const multi = items.filter(({ by }) => by === 'multi');
    if (multi.length > 0)
      for (const [index, outcome] of (
        await placeOrders(
          multi.map(({ request }) => request),
          context,
        )
      ).entries())
        multi[index]!.outcomes.push(outcome);
    for (const request of items.filter(({ by }) => by === 'basket'))
      request.outcomes.push(
        await placeBasket({ ...request.request, terms: basketOf(request.request.terms.instrument.refId) }, context),
      );
  };
  const tries = [run(requests)];
  if (random() < 0.5) tries.push(run(requests.filter(({ request }) => request.keyed)));
  await Promise.all(tries);
  if (speaks === 'moving') await has('both');
  await run(requests);
  const changed = await changes(seed, context);
  await sandbox.control('DELETE', 'faults');
  await clock.sleep(10_000);
  const changeEnds = await changed();

  const { orders, baskets, held } = await truth(before);
  const ends: Record<string, number> = {};
  for (const end of changeEnds) ends[end] = (ends[end] ?? 0) + 1;
  for (const { request, by, outcomes } of requests) {
    const mine = orders.filter(({ tag }) => tag === request.tag);
    const myBaskets = baskets.filter(({ tag }) => tag === request.tag);
    expect(by === 'basket' ? myBaskets.length : mine.length).toBeLessThanOrEqual(1);
    for (const outcome of outcomes) {
      if (outcome.outcome !== 'confirmed') continue;
      expect(tagOf(outcome.record)).toBe(request.tag);
      if (by === 'basket') expect(outcome.id).toBe(myBaskets[0]?.id);
      else expect(outcome.id).toBe(mine[0]?.id);
    }
    const last = outcomes.at(-1)!;
    ends[last.outcome] = (ends[last.outcome] ?? 0) + 1;
    if (last.outcome !== 'refused' && last.outcome !== 'rejected') continue;
    // A basket whose entry fails is rejected after a leg of it has traded; the service takes that leg back.
    if (by === 'basket' && last.outcome === 'rejected')
      expect([request.tag, held(request.tag).filter((quantity) => quantity !== 0)]).toEqual([request.tag, []]);
    else expect(mine.filter(({ live }) => live)).toEqual([]);
  }
  for (const { request } of requests) requestedTags.add(request.tag);
  expect(orders.filter(({ tag }) => tag.startsWith('http-') && !requestedTags.has(tag))).toEqual([]);
  return ends;
}

it(
  `no order is doubled over real HTTP, and no open one is called failed (${SEEDS.schedules})`,
  async () => {
    const ends: Record<string, number> = {};
    await SEEDS.run(async (seed) => {
      const reached = await simulate(seed);
      for (const [end, count] of Object.entries(reached)) ends[end] = (ends[end] ?? 0) + count;
      return Object.keys(reached);
    });
    if (SEEDS.isRepeat) return;
    expect(ends.confirmed ?? 0).toBeGreaterThan(SEEDS.count);
    for (const end of ['modify done', 'cancel done']) expect([end, ends[end] ?? 0]).not.toEqual([end, 0]);
  },
  SEEDS.limitMs,
);
