/**
 * A step that is run again from the start after its process was killed, while what it asks has changed: items have come, gone, or changed
 * places. In virtual time, under faults. One seed is one schedule: it is printed when it fails and replays alone with RETRY_ORDERS_SEED=n.
 */
import { v2Api } from '../../../client/orders/api/v2/v2';
import type { OrderTerms } from '../../../client/orders/model/order-terms';
import type { Outcome } from '../../../client/orders/placing/outcome';
import { placeOrder, placeOrders } from '../../../client/orders/placing/place';
import type { OrderRequest, PlacementContext } from '../../../client/orders/account/placement-context';
import { LIST_DELAY_MS, PlacementRegistry } from '../../../client/orders/account/placement-registry';
import { tagFrom } from '../../../client/orders/model/tags';
import type { Http } from '../../../client/base/ports';
import { createTransport } from '../../../client/transport';
import { FAULTS, GATEWAY_FAULTS, PAGE_FAULTS } from '../../support/order-service-faults';
import { OrderModel } from '../../support/order-service';
import { seedsOf } from '../../support/seeds';
import { VirtualTime, seededRandom } from '../../support/virtual-time';
import { LIMIT_BUY, orderRequest } from './support';

const SEEDS = seedsOf('RETRY_ORDERS', 120);
const SCOPE = 'sandbox/me';

const nameOf = ({ instrument, quantity }: OrderTerms): string => `${instrument.refId} ${quantity}`;
const countOf = <T>(list: readonly T[], wantedValue: T): number => list.filter((value) => value === wantedValue).length;

/** One schedule. @returns how often each order was asked for at most, and how often it was placed. */
async function simulate(
  seed: number,
): Promise<{ asked: Map<string, number>; model: OrderModel; ends: string[]; isPlain: boolean }> {
  const random = seededRandom(seed);
  const chance = (probability: number): boolean => random() < probability;
  const among = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const time = new VirtualTime();
  if (seed % 3 === 0) time.setClockAtRandom(seed);
  const faultRate = among([0, 0, 0.1, 0.3]);
  const model = new OrderModel(time, {
    fault: ({ method }) => {
      if (!chance(faultRate)) return undefined;
      return among(chance(0.5) ? FAULTS : method === 'GET' ? PAGE_FAULTS : GATEWAY_FAULTS);
    },
    latency: () => 5 + random() * 400,
    listDelay: () => random() * 2_000,
    life: () => [{ after: random() * 800, status: chance(0.1) ? 'REJECTED' : 'OPEN' }],
  });
  let alive = new Set<PlacementContext>();
  const boot = (): PlacementContext => {
    const http: Http = async (request, signal) => {
      if (!alive.has(context)) return await new Promise(() => undefined);
      const reply = await model.http(request, signal);
      return alive.has(context) ? reply : await new Promise(() => undefined);
    };
    const transport = createTransport({
      http,
      clock: time.clock,
      random,
      baseUrl: `https://r${seed}.broker.example`,
      deviceId: 'n8n',
    });
    const placements = new PlacementRegistry(time.clock);
    const context = { ...v2Api(transport), transport, placements, scope: SCOPE, environment: 'sandbox' as const };
    alive = new Set([context]);
    return context;
  };
  /** An order for one of two shares; twins, and steps of a ladder, are frequent. */
  const terms = (): OrderTerms => ({
    ...LIMIT_BUY,
    instrument: { ...LIMIT_BUY.instrument, refId: 1 + Math.floor(random() * 2) },
    quantity: 1 + Math.floor(random() * 4),
  });
  /** The items of another try: some have come, gone, or changed places. */
  const keepsItems = chance(0.2);
  const changed = (items: readonly OrderTerms[]): OrderTerms[] => {
    if (keepsItems) return [...items];
    const next = [...items];
    for (let changes = Math.floor(random() * 4); changes > 0; changes--) {
      const at = Math.floor(random() * (next.length + 1));
      if (chance(0.4)) next.splice(at, 0, terms());
      else if (chance(0.5)) next.splice(at, 1);
      else next.reverse();
    }
    return next;
  };
  const isTogether = chance(0.5);
  const asked = new Map<string, number>();
  const ends: string[] = [];
  /** One run of the step over its items, going on after errors. */
  const run = async (items: readonly OrderTerms[], isRepeat: boolean, on: PlacementContext): Promise<void> => {
    const names = items.map(nameOf);
    for (const name of names) asked.set(name, Math.max(asked.get(name) ?? 0, countOf(names, name)));
    const tagAt = (itemIndex: number): string =>
      tagFrom('', { kind: 'execution', executionId: '7', nodeId: 'node', runIndex: 0, itemIndex }, SCOPE);
    const tags = Array.from({ length: items.length + 30 }, (_, index) => tagAt(index));
    const orders = { own: new Set<string>(), foreign: new Set<string>() };
    const requests = items.map((order, itemIndex): OrderRequest => {
      const sameStep = { orders, tags: () => tags, itemIndex, itemCount: items.length };
      return orderRequest(tagAt(itemIndex), {
        terms: order,
        isRepeat,
        isRetry: isRepeat,
        ...(isRepeat ? { sameStep } : {}),
      });
    });
    const keep = (outcome: Outcome): void => {
      const isFound = outcome.outcome === 'confirmed' && outcome.alreadyPlaced;
      if (alive.has(on)) ends.push(isFound ? 'found' : outcome.outcome);
    };
    if (isTogether) for (const outcome of await placeOrders(requests, on)) keep(outcome);
    else for (const request of requests) keep(await placeOrder(request, on));
  };

  let items = Array.from({ length: 1 + Math.floor(random() * 6) }, terms);
  for (let tries = 2 + Math.floor(random() * 3), at = 0; at < tries; at++) {
    const context = boot();
    await time.run(time.sleep(at === 0 ? 10_000 : LIST_DELAY_MS));
    const running = run(items, at > 0, context);
    // It is killed at some moment; the last one ends.
    await time.run(at === tries - 1 ? running : Promise.race([running, time.sleep(random() * 4_000)]));
    items = changed(items);
  }
  await time.run(time.sleep(60_000));
  return { asked, model, ends, isPlain: keepsItems && faultRate === 0 };
}

it(
  `places no order again for an item that has another place in a retry (${SEEDS.schedules})`,
  async () => {
    const ends = await SEEDS.run(async (seed) => {
      const { asked, model, ends, isPlain } = await simulate(seed);
      const placed = model.journal.map(({ body }) => `${Number(body.ref_id)} ${Number(body.order_qty)}`);
      for (const name of new Set(placed)) expect(countOf(placed, name)).toBeLessThanOrEqual(asked.get(name) ?? 0);
      // The same items: what was missing is placed, twins among them.
      if (isPlain) for (const [name, count] of asked) expect(countOf(placed, name)).toBe(count);
      return ends;
    });
    if (!SEEDS.isRepeat)
      expect(['confirmed', 'found', 'unknown', 'refused'].filter((end) => !ends.has(end))).toEqual([]);
  },
  SEEDS.limitMs,
);
