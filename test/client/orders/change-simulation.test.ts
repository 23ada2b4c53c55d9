/**
 * Modifying and cancelling orders, and taking exits off, in virtual time under any schedule of faults, retries and
 * executions at once. One seed is one schedule: it is printed when it fails and replays alone with CHANGES_SEED=n.
 * CHANGES_SEEDS sets how many run.
 */
import type { Http } from '../../../client/base/ports';
import { BrokerageError } from '../../../client/base/errors';
import {
  cancelExit,
  cancelOrder,
  cancelOrders,
  exitCancellation,
  type ChangeResult,
} from '../../../client/orders/changing/change-order';
import { openAccountApi, KnownOrderApis } from '../../../client/orders/account/account-api';
import { v2Api } from '../../../client/orders/api/v2/v2';
import { modifyOrder } from '../../../client/orders/changing/modify-order';
import type { OrderChange } from '../../../client/orders/model/order-terms';
import { placeOrder } from '../../../client/orders/placing/place';
import type { PlacementContext } from '../../../client/orders/account/placement-context';
import { PlacementRegistry } from '../../../client/orders/account/placement-registry';
import { createTransport } from '../../../client/transport';
import { FAULTS, PAGE_FAULTS, MEANING_FAULTS, type Fault } from '../../support/order-service-faults';
import { OrderModel, type JournalOrder } from '../../support/order-service';
import { seedsOf } from '../../support/seeds';
import { VirtualTime, seededRandom } from '../../support/virtual-time';
import { INFY, isClear, LIMIT_BUY, orderRequest } from './support';

const SEEDS = seedsOf('CHANGES', 120);

/** The interfaces of an account; `switching` has another one after some seconds. */
type Interfaces = 'v2' | 'intent' | 'both' | 'switching';
type Work =
  | { what: 'modify'; change: OrderChange }
  | { what: 'cancel' }
  | { what: 'cancel several' }
  | { what: 'cancel exit'; kind: 'STOPLOSS' | 'TARGET_PROFIT' };

/** One wish for one or several orders, with what each try of it came to. */
interface PlannedRequest {
  orders: JournalOrder[];
  work: Work;
  waitMs: number;
  tries: Try[];
}
interface Try {
  /** Text by which the requests of this try are known. */
  call: string;
  /** Requests of change that it sent, whatever became of them. */
  sent: number;
  /** A request of change had no clear answer, or what became of it could not be read each time. */
  unclear: boolean;
  /** A request of change was sent. */
  hasAsked?: boolean;
  results: ChangeResult[];
  /** Error that was thrown: nothing should have been sent then. */
  thrown?: BrokerageError;
}

const isChange = ({ method, url }: { method: string; url: string }): boolean =>
  method === 'DELETE' || /\/(modify|cancel)(\/|$)/.test(new URL(url).pathname);

async function simulate(
  seed: number,
  interfaces: Interfaces,
): Promise<{ model: OrderModel; requests: PlannedRequest[] }> {
  const random = seededRandom(seed);
  const chance = (probability: number): boolean => random() < probability;
  const among = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const time = new VirtualTime();
  if (seed % 3 === 0) time.setClockAtRandom(seed);
  const faultRate = among([0, 0.1, 0.3, 0.6]);
  const badReads = chance(0.4);
  const tries = new Map<string, Try>();
  let areOrdersPlaced = false;
  let hasMoved = false;

  const first = among(['v2', 'intent', 'both'] as const);
  const has = (): 'v2' | 'intent' | 'both' => (interfaces === 'switching' ? (hasMoved ? 'both' : first) : interfaces);
  const model = new OrderModel(time, {
    fault: (request) => {
      const attempt = tries.get(request.headers['x-call'] ?? '');
      const isBad = areOrdersPlaced && chance(isChange(request) || badReads ? faultRate : faultRate / 4);
      const fault = isBad
        ? among<Fault>([...FAULTS, ...MEANING_FAULTS, ...(isChange(request) ? [] : PAGE_FAULTS)])
        : undefined;
      if (attempt !== undefined && isChange(request)) {
        // A whole 429 is a clear no, after which it is sent again.
        if (fault !== 429) attempt.sent += 1;
        attempt.unclear ||= !isClear(fault);
        attempt.hasAsked = true;
      } else if (attempt?.hasAsked === true && fault !== undefined) attempt.unclear = true;
      return fault;
    },
    latency: () => 5 + random() * 400,
    listDelay: () => random() * 500,
    life: () => [
      { after: 50, status: 'OPEN' },
      ...(chance(0.4) ? [{ after: random() * 20_000, status: 'FILLED' }] : []),
    ],
    exitDelay: () => (chance(0.5) ? random() * 20_000 : undefined),
    changeDelay: () => random() * 2_000,
    has,
  });

  const known = new KnownOrderApis();
  const placements = new PlacementRegistry(time.clock);
  const contextOf = (call: string): PlacementContext => {
    const http: Http = async (request, signal) =>
      await model.http({ ...request, headers: { ...request.headers, 'x-call': call } }, signal);
    const transport = createTransport({
      http,
      clock: time.clock,
      random,
      baseUrl: `https://c${seed}-${interfaces}.broker.example`,
      deviceId: 'n8n',
    });
    const scope = 'sandbox/me';
    const spoken =
      interfaces === 'v2'
        ? { ...v2Api(transport), transport }
        : openAccountApi(transport, { choice: 'automatic', known, scope });
    return { ...spoken, environment: 'sandbox', placements, scope };
  };

  const exits = { stop: { trigger: 147_005, limit: 145_535 }, target: { trigger: 153_005, limit: 153_005 } };
  const placing = contextOf('place');
  const hasExits = has() !== 'v2';
  for (let index = 0; index < 4; index++) {
    const terms = hasExits && chance(0.7) ? { ...LIMIT_BUY, exits } : LIMIT_BUY;
    const placed = await time.run(placeOrder(orderRequest(`order-${index}`, { terms }), placing));
    expect(placed.outcome).toBe('confirmed');
  }
  await time.run(time.sleep(1_000));
  areOrdersPlaced = true;

  // Each try asks for a separate price, quantity or trigger: what an order shows tells which try set it.
  const workFor = (orders: readonly JournalOrder[], index: number): Work => {
    if (orders.length > 1) return { what: 'cancel several' };
    const isIntent = orders[0]!.intent !== undefined;
    const trigger = 140_005 + 5 * index;
    const change = among<OrderChange>([
      { price: 150_010 + 5 * index },
      { quantity: 11 + index },
      { quantity: 11 + index, price: 150_010 + 5 * index },
      ...(isIntent
        ? [{ stop: { trigger, limit: trigger } }, { stop: { trigger, limit: trigger }, price: 150_010 + 5 * index }]
        : []),
    ]);
    return among<Work>([
      { what: 'modify', change },
      { what: 'modify', change },
      { what: 'cancel' },
      ...(isIntent
        ? ([{ what: 'cancel exit', kind: among<'STOPLOSS' | 'TARGET_PROFIT'>(['STOPLOSS', 'TARGET_PROFIT']) }] as const)
        : []),
    ]);
  };
  const requests: PlannedRequest[] = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, index) => {
    const orders = chance(0.2) ? model.journal.slice(0, 3) : [among(model.journal)];
    return { orders, work: workFor(orders, index), waitMs: among([0, 3_000, 10_000]), tries: [] };
  });

  const once = async ({ orders, work, waitMs }: PlannedRequest, context: PlacementContext): Promise<ChangeResult[]> => {
    const [{ id }] = orders as [JournalOrder];
    if (work.what === 'cancel several') {
      return await cancelOrders(
        orders.map((order) => order.id),
        waitMs,
        context,
      );
    }
    if (work.what === 'cancel') return [await cancelOrder(id, waitMs, context)];
    if (work.what === 'cancel exit')
      return [await cancelExit(await exitCancellation(id, work.kind, context), waitMs, context)];
    const order = await context.orders.get(id);
    const modification = { order, instrument: INFY, change: work.change, guards: [], unit: 'rupees' as const, waitMs };
    return [(await modifyOrder(modification, context)) as ChangeResult];
  };
  /** Retry On Fail: the node again, until nothing of it failed. */
  const execute = async (request: PlannedRequest, index: number): Promise<void> => {
    await time.sleep(random() * 15_000);
    for (let left = 1 + Math.floor(random() * 3); left > 0; left--) {
      const attempt: Try = { call: `${index}-${request.tries.length}`, sent: 0, unclear: false, results: [] };
      tries.set(attempt.call, attempt);
      const ran = await once(request, contextOf(attempt.call)).then(
        (results) => ({ results }),
        (thrown: unknown) => {
          if (!(thrown instanceof BrokerageError)) throw thrown;
          return { thrown };
        },
      );
      request.tries.push(Object.assign(attempt, ran));
      if (attempt.results.length > 0 && attempt.results.every(({ error }) => error === undefined)) return;
      await time.sleep(random() * 3_000);
    }
  };
  const moves = time.sleep(random() * 15_000).then(() => void (hasMoved = true));
  await time.run(Promise.all([moves, ...requests.map(execute)]));
  await time.run(time.sleep(60_000));
  model.runDueEvents();
  return { model, requests };
}

/** True if it happened in the service what was wished of an order: a modification by the wish itself, the rest by anybody. */
function hasHappened({ work, tries }: PlannedRequest, order: JournalOrder, { changes }: OrderModel): boolean {
  const occurred = changes.filter((change) => change.orderId === order.id && change.isCarriedOut === true);
  if (work.what === 'modify') return occurred.some(({ call }) => tries.some((item) => item.call === call));
  if (work.what !== 'cancel exit') return occurred.some(({ what }) => what === 'cancel');
  // Where there was none of the kind, or it was switched off, it is gone already; a modification may add one later.
  const isGone = !order.exits!.some(({ kind, status }) => kind === work.kind && status !== 'CANCELLED');
  return isGone || order.intent!.exitConfig === undefined || occurred.some(({ what }) => what === 'cancel exit');
}

const KIND = { modify: 'modify', cancel: 'cancel', 'cancel several': 'cancel', 'cancel exit': 'cancel exit' } as const;

async function check(seed: number, interfaces: Interfaces): Promise<string[]> {
  const { model, requests } = await simulate(seed, interfaces);
  const ends: string[] = [];
  for (const request of requests) {
    for (const { call, sent, unclear, results, thrown } of request.tries) {
      // Once each: one request, or one for each interface that orders were placed by.
      expect(sent).toBeLessThanOrEqual(request.work.what === 'cancel several' && interfaces !== 'v2' ? 2 : 1);
      if (thrown !== undefined) expect([thrown.message, sent]).toEqual([thrown.message, 0]);
      else expect(results.map(({ orderId }) => orderId)).toEqual(request.orders.map(({ id }) => id));
      for (const [index, { result, error, order: shown }] of results.entries()) {
        const order = request.orders[index]!;
        const taken = model.changes.filter(
          (change) => change.orderId === order.id && change.what === KIND[request.work.what],
        );
        const mine = taken.filter((takenChange) => takenChange.call === call);
        ends.push(`${request.work.what}: ${result}`);
        expect([result, error === undefined]).toEqual([result, ['done', 'requested'].includes(result)]);
        // Acknowledged: the service took it, once.
        if (result === 'requested') expect(mine).toHaveLength(1);
        // A no is no: it never happens afterwards.
        if (result === 'refused') expect(mine).toEqual([]);
        // Not known is said only where no clear answer came.
        if (result === 'unknown') expect(unclear).toBe(true);
        // Seen: it happened, by this wish where nobody else can have done it.
        if (result === 'done') expect(hasHappened(request, order, model)).toBe(true);
        if (result === 'too_late') {
          expect(shown?.order_status).toMatch(/FILLED|CANCELLED/);
          if (request.work.what === 'cancel' || request.work.what === 'cancel several')
            expect(model.statusOf(order)).toBe('FILLED');
        }
      }
    }
  }
  // Nothing happened to any order that nobody wished.
  for (const { orderId, call, what } of model.changes) {
    const request = requests.find(({ tries }) => tries.some((item) => item.call === call));
    expect(KIND[request!.work.what]).toBe(what);
    expect(request!.orders.map(({ id }) => id)).toContain(orderId);
  }
  for (const { exits = [] } of model.journal)
    expect(exits.filter(({ status }) => status === 'FILLED').length).toBeLessThanOrEqual(1);
  return ends;
}

it.each<Interfaces>(['v2', 'intent', 'both', 'switching'])(
  `%s: sends a change once, and reports none falsely (${SEEDS.schedules})`,
  async (interfaces) => {
    const ends = await SEEDS.run(async (seed) => await check(seed, interfaces));
    // The schedules are worth something only when they lead to every end.
    if (SEEDS.isRepeat) return;
    for (const what of ['modify', 'cancel', 'cancel several', ...(interfaces === 'v2' ? [] : ['cancel exit'])])
      for (const end of ['requested', 'done', 'refused', 'unknown', ...(what === 'cancel exit' ? [] : ['too_late'])])
        expect(ends).toContain(`${what}: ${end}`);
  },
  SEEDS.limitMs,
);
