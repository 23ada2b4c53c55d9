/**
 * Places orders and baskets, each once and never twice (docs/service/orders-v2.md#order-requests). Every request goes the same way: earlier
 * placements are found, the guards are checked, the rest is sent, and its outcome is determined. Every step is written as if the reply
 * never came.
 */
import { attempt } from '../../attempt';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { InputError, type BrokerageError } from '../../base/errors';
import { EarlierPlacements } from './earlier-placements';
import { isDryRun } from '../model/guard-settings';
import { passGuards } from '../guards/guards';
import type { PlacingApi, ServiceRequest } from '../api/order-api';
import { brokerageErrorOnly, noLockReason, type Outcome } from './outcome';
import { BASKET, ORDER, type OrderOrBasket } from './order-or-basket';
import {
  positionName,
  type BasketRequest,
  type OrderRequest,
  type PlacementContext,
  type PlacementRequest,
} from '../account/placement-context';
import { OutcomeRecorder } from './outcome-recorder';
import { requireProductsAllowed } from '../model/order-rules';
import { tagOf } from '../model/order-record';
import { OrderSubmitter, type ValuedRequest } from './submit';
import { causeMarkOf, identityOf, tagsOf } from '../model/tags';
import type { ReadTags } from '../account/shared-lock';
import { isOtherRun } from '../../market-clock';

/**
 * Places one order, unless it was placed before: by this process, or by any other as the day's list shows.
 * @returns its outcome. What the service or the network did is never thrown.
 * @throws the signal's reason, when the execution is stopped before anything was sent.
 */
export async function placeOrder(request: OrderRequest, context: PlacementContext): Promise<Outcome> {
  return await new PlacementFlow(ORDER, context, ([item]) => context.orders.place(item!)).placeOne(request);
}

/**
 * Places several orders with one request; those that were placed before are left out of it.
 * @returns their outcomes, in order, each kept apart.
 * @throws as `placeOrder`; InputError when two of them have the same tag: they would be sent both.
 */
export async function placeOrders(requests: readonly OrderRequest[], context: PlacementContext): Promise<Outcome[]> {
  return await new PlacementFlow(ORDER, context, (fresh) => context.orders.placeSeveral(fresh)).placeAll(requests);
}

/** Places one basket, unless it was placed before. @returns its outcome, with the basket's record. @throws as `placeOrder` */
export async function placeBasket(request: BasketRequest, context: PlacementContext): Promise<Outcome<BasketRecord>> {
  return await new PlacementFlow(BASKET, context, ([item]) => context.baskets.place(item!)).placeOne(request);
}

/** One run of placing; a new one is made for each. */
class PlacementFlow<Terms, Rec extends OrderRecord | BasketRecord> {
  private readonly placing: PlacingApi<Terms, Rec>;
  private readonly outcomes: OutcomeRecorder<Terms, Rec>;
  private readonly earlierPlacements: EarlierPlacements<Terms, Rec>;
  private readonly sender: OrderSubmitter<Terms, Rec>;

  /** Makes the placing flow. @param write makes the request for orders without an earlier placement. */
  constructor(
    private readonly what: OrderOrBasket<Terms, Rec>,
    private readonly context: PlacementContext,
    private readonly write: (fresh: readonly PlacementRequest<Terms>[]) => Promise<ServiceRequest>,
  ) {
    this.placing = what.placing(context);
    this.outcomes = new OutcomeRecorder(what, context);
    this.earlierPlacements = new EarlierPlacements(what, context, this.outcomes);
    this.sender = new OrderSubmitter(what, context, this.outcomes, write);
    this.sender.hold = context.hold;
  }

  /** @returns its outcome */
  async placeOne(request: PlacementRequest<Terms>): Promise<Outcome<Rec>> {
    const [outcome] = await this.placeAll([request]);
    return outcome!;
  }

  /** @returns outcomes in the order of the requests */
  async placeAll(requests: readonly PlacementRequest<Terms>[]): Promise<Outcome<Rec>[]> {
    requireDifferentTags(requests);
    const real = requests.filter(({ guards }) => !isDryRun(guards));
    for (const request of requests) if (!real.includes(request)) await this.dryRun(request);
    for (const request of real) if (this.isNew(request)) this.refuseBroken(request);
    await this.placeOpen(this.outcomes.openOf(real));
    // Held up before they were sent: n8n may have given this process up, and somebody may be retrying the execution.
    const late = this.outcomes.openOf(real);
    await this.placeOpen(late.map((request) => ({ ...request, isRepeat: true, mayBeRetried: true })));
    return requests.map(({ tag }) => this.outcomes.of(tag)!);
  }

  private async placeOpen(open: readonly PlacementRequest<Terms>[]): Promise<void> {
    if (open.length === 0) return;
    const { placements, scope, signal } = this.context;
    await this.besidePositions(
      open,
      async () =>
        await placements.alone(scope, queuesOf(open), async () => {
          signal?.throwIfAborted();
          await this.keeping(open, async () => {
            await this.earlierPlacements.resolve(open);
            const fresh = await this.guarded(this.outcomes.openOf(open));
            if (await this.mayFromHere(fresh)) await this.sender.sendAll(fresh);
          });
          this.take(open);
        }),
    );
  }

  /** Does the work while nobody closes a position of a request with a key, or brings it to a target: such work counts open orders. */
  private async besidePositions(
    requests: readonly PlacementRequest<Terms>[],
    work: () => Promise<void>,
  ): Promise<void> {
    const { hasPosition, placements, scope } = this.context;
    const keyed = hasPosition === true ? [] : requests.filter((request) => request.keyed);
    const names = keyed.flatMap(({ terms }) =>
      this.what.ordersOf(terms).map(({ instrument }) => positionName(instrument.refId)),
    );
    await placements.beside(scope, names, work);
  }

  /** Does the work under the lock, and stores its placements in n8n, even if it is stopped. */
  private async keeping(requests: readonly PlacementRequest<Terms>[], work: () => Promise<void>): Promise<void> {
    try {
      await this.underLock(requests, work);
    } finally {
      this.outcomes.keep();
    }
  }

  /** Notes the current order of each request, so that no other execution of the same retry takes it. */
  private take(requests: readonly PlacementRequest<Terms>[]): void {
    for (const { sameCause, sameStep, tag } of requests) {
      const outcome = this.outcomes.of(tag);
      if (outcome?.outcome === 'confirmed') sameCause?.takenIds.add(outcome.id);
      if (this.sender.sent.includes(tag)) sameStep?.orders.own.add(identityOf(tag));
    }
  }

  /** Does the work while no other process places with a key, or retries; what this process sent before, or sends soon, needs no lock. */
  private async underLock(requests: readonly PlacementRequest<Terms>[], work: () => Promise<void>): Promise<void> {
    const { hold: held, keyLock, placements, scope, signal } = this.context;
    const isNew = requests.some(
      ({ keyed, isRetry, mayBeRetried, tag }) =>
        (keyed || isRetry === true || mayBeRetried === true) && placements.get(scope, tag) === undefined,
    );
    this.sender.beginUnlocked();
    if (held !== undefined || keyLock === undefined || !isNew) return await work();
    let isHeld = false;
    const locked = await keyLock
      .hold(async (hold) => {
        isHeld = true;
        this.sender.hold = hold;
        await work().finally(() => hold.untilListed(this.what.noun, this.sender.sent, this.listedAfter()));
      }, signal)
      .catch((error: unknown) => {
        if (isHeld) throw error;
        return brokerageErrorOnly(error, signal);
      });
    if (locked !== undefined) this.outcomes.unseen(requests, locked, noLockReason);
  }

  /** @returns reads the tags in the list of the day on which they were sent; all of them where a sandbox is at another day */
  private listedAfter(): ReadTags {
    const { background, transport } = this.context;
    const placing = this.what.placing(background ?? this.context);
    const { run } = transport.marketClock;
    return async () => {
      // A sandbox can go to the next day in a moment, and no list shows these any more. It says so itself: this machine's clock may be set.
      if (isOtherRun(run, transport.marketClock.run)) return this.sender.sent;
      return (await placing.list(undefined, 'marked')).map(tagOf);
    };
  }

  /** Asks the guards of each. @returns those that pass. */
  private async guarded(requests: readonly PlacementRequest<Terms>[]): Promise<ValuedRequest<Terms>[]> {
    const fresh: ValuedRequest<Terms>[] = [];
    for (const request of requests) {
      const value = await this.check(request);
      if (value !== undefined) fresh.push({ ...request, value });
    }
    return fresh;
  }

  /** Returns true if no earlier try can have placed it: a search is unnecessary. */
  private isNew({ keyed, isRepeat, isRetry, tag }: PlacementRequest<Terms>): boolean {
    const { placements, scope } = this.context;
    return !keyed && !isRepeat && isRetry !== true && placements.get(scope, tag) === undefined;
  }

  /** Settles one that breaks a rule. @returns whether it does */
  private refuseBroken(request: PlacementRequest<Terms>): boolean {
    const error = brokenRule(this.what, request, this.context);
    if (error !== undefined) this.outcomes.refused([request], error);
    return error !== undefined;
  }

  /** Checks a request. @returns its value in paise if a guard needed it; undefined for one that is refused and settled. */
  private async check(request: PlacementRequest<Terms>): Promise<number | undefined> {
    const { terms, refusal } = request;
    if (refusal !== undefined) this.outcomes.refused([request], refusal);
    if (refusal !== undefined || this.refuseBroken(request)) return undefined;
    try {
      await this.placing.requirePossible(terms, this.context.signal);
      return await passGuards(this.what.ordersOf(terms), { ...request, net: this.what.netOf(terms) }, this.context);
    } catch (error) {
      this.outcomes.refused([request], brokerageErrorOnly(error, this.context.signal));
      return undefined;
    }
  }

  /** Checks the machine's address. @returns true if this machine may place orders; otherwise all are refused. */
  private async mayFromHere(requests: readonly ValuedRequest<Terms>[]): Promise<boolean> {
    const { requireAddress, signal } = this.context;
    if (requests.length === 0 || requireAddress === undefined) return true;
    const allowed = await attempt(requireAddress());
    if (!allowed.ok) this.outcomes.refused(requests, brokerageErrorOnly(allowed.error, signal));
    return allowed.ok;
  }

  /** Checks one as if it were placed, and sends nothing. */
  private async dryRun(request: PlacementRequest<Terms>): Promise<void> {
    const value = await this.check(request);
    if (value !== undefined) this.outcomes.dryRun(request.tag, await this.write([request]));
  }
}

/** Returns the error of a rule that an order or a basket breaks; undefined if it keeps all of them. */
export function brokenRule<Terms, Rec extends OrderRecord | BasketRecord>(
  what: OrderOrBasket<Terms, Rec>,
  { terms, unit }: PlacementRequest<Terms>,
  { transport, onlyCloses }: Pick<PlacementContext, 'transport' | 'onlyCloses'>,
): BrokerageError | undefined {
  try {
    if (onlyCloses !== true) requireProductsAllowed(what.ordersOf(terms));
    what.requireRules(terms, unit, transport.marketClock);
    return undefined;
  } catch (error) {
    return brokerageErrorOnly(error);
  }
}

/** Returns the names of the queues that a request waits in: tags, and in a retry the step of a called workflow. */
function queuesOf(requests: readonly PlacementRequest<unknown>[]): string[] {
  const marks = requests.map(({ sameCause, tag }) => (sameCause === undefined ? undefined : causeMarkOf(tag)));
  return [...tagsOf(requests), ...marks.filter((mark) => mark !== undefined)];
}

function requireDifferentTags(requests: readonly { tag: string }[]): void {
  if (new Set(tagsOf(requests).map(identityOf)).size === requests.length) return;
  throw new InputError('Two of these orders have the same Idempotency Key.', {
    parameter: 'idempotencyKey',
    hint: 'Each order needs its own key. Nothing was sent.',
  });
}
