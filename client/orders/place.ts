/**
 * Places orders and baskets, each once and never twice (specification: Orders; design: Order outcome). All go one way:
 * what was placed before is found, the guards are asked, what is left is sent, and what became of it is found out. Every
 * step is written as if the reply never came.
 */
import type { BasketRecord } from '../endpoints/baskets';
import type { OrderRecord } from '../endpoints/orders';
import { BrokerageError, InputError, NetworkError } from '../base/errors';
import { differenceOf, placedWithoutRecord, usedForAnother } from './difference';
import { byTags, findByTags } from './find';
import { isDryRun } from './guard-settings';
import { passGuards } from './guards';
import type { Hold } from './key-lock';
import { send, type Placing, type ServiceRequest } from './order-interface';
import {
  brokerageErrorOnly,
  isNoToAll,
  meaningOfFailure,
  noOutcome,
  NO_LIST,
  NO_LOCK,
  unknownOutcome,
  unsent,
  type Outcome,
} from './outcome';
import { BASKET, ORDER, type Placeable } from './placeable';
import type { BasketRequest, OrderRequest, PlacementContext, PlacementRequest } from './placement';
import { tagOf } from './record';
import { identityOf } from './tags';

/**
 * Places one order, unless it was placed before: by this process, or by any other as the day's list shows.
 * @returns its outcome. What the service or the network did is never thrown.
 * @throws the signal's reason, when the execution is stopped before anything was sent.
 */
export async function placeOrder(request: OrderRequest, context: PlacementContext): Promise<Outcome> {
  return await new Flow(ORDER, context, ([one]) => context.orders.place(one!)).placeOne(request);
}

/**
 * Places several orders with one request; those that were placed before are left out of it.
 * @returns their outcomes, in order, each kept apart.
 * @throws as `placeOrder`; InputError when two of them have the same tag: they would be sent both.
 */
export async function placeOrders(requests: readonly OrderRequest[], context: PlacementContext): Promise<Outcome[]> {
  return await new Flow(ORDER, context, (fresh) => context.orders.placeSeveral(fresh)).placeAll(requests);
}

/** Places one basket, unless it was placed before. @returns its outcome, with the basket's record. @throws as `placeOrder` */
export async function placeBasket(request: BasketRequest, context: PlacementContext): Promise<Outcome<BasketRecord>> {
  return await new Flow(BASKET, context, ([one]) => context.baskets.place(one!)).placeOne(request);
}

/** One run of placing; a new one is made for each. */
class Flow<Terms, Rec extends OrderRecord | BasketRecord> {
  private readonly outcomes = new Map<string, Outcome<Rec>>();
  private readonly placing: Placing<Terms, Rec>;
  /** The lock of keyed orders, where this is one. */
  private hold: Hold | undefined;
  /** Tags of what was sent and may be there. */
  private sent: string[] = [];

  /** @param write the request that places what was not placed before. */
  constructor(
    private readonly what: Placeable<Terms, Rec>,
    private readonly context: PlacementContext,
    private readonly write: (fresh: readonly PlacementRequest<Terms>[]) => Promise<ServiceRequest>,
  ) {
    this.placing = what.placing(context);
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
    for (const request of requests) if (!real.includes(request)) await this.rehearse(request);
    if (real.length > 0) {
      const { transport, placements, scope, signal } = this.context;
      await placements.alone(scope, tagsOf(real), async () => {
        signal?.throwIfAborted();
        await this.underLock(real, async () => {
          await this.findEarlier(real);
          const fresh = await this.fromHere(await this.guarded(this.unsettled(real)));
          for (const part of inParts(fresh, transport.mostOrders))
            if (this.isUnknownOfSent()) this.settleHeldBack(part);
            else await this.sendAll(part);
        });
      });
    }
    return requests.map(({ tag }) => this.outcomes.get(tag)!);
  }

  /** Does the work while no other process places with a key; what this process sent before needs no lock. */
  private async underLock(requests: readonly PlacementRequest<Terms>[], work: () => Promise<void>): Promise<void> {
    const { keyLock, placements, scope, signal } = this.context;
    const isNew = requests.some(({ keyed, tag }) => keyed && placements.get(scope, tag) === undefined);
    if (keyLock === undefined || !isNew) return await work();
    let isHeld = false;
    const locked = await keyLock
      .hold(async (hold) => {
        isHeld = true;
        this.hold = hold;
        await work().finally(() => {
          const read = async (): Promise<string[]> => (await this.placing.list()).map(tagOf);
          hold.untilListed(this.what.noun, this.sent, read);
        });
      }, signal)
      .catch((error: unknown) => {
        if (isHeld) throw error;
        return brokerageErrorOnly(error, signal);
      });
    if (locked !== undefined) this.settleLocked(requests, locked);
  }

  private settleLocked(requests: readonly PlacementRequest<Terms>[], why: BrokerageError): void {
    for (const request of requests) {
      this.context.placements.release(this.context.scope, request.tag);
      this.outcomes.set(request.tag, unsent(request, why, this.what.noun, NO_LOCK));
    }
  }

  private unsettled(requests: readonly PlacementRequest<Terms>[]): PlacementRequest<Terms>[] {
    return requests.filter(({ tag }) => !this.outcomes.has(tag));
  }

  /** Settles what is known already: placed by this process, sent with an outcome that is unknown, or in the day's list. */
  private async findEarlier(requests: readonly PlacementRequest<Terms>[]): Promise<void> {
    const { placements, scope, signal } = this.context;
    const lost: PlacementRequest<Terms>[] = [];
    for (const request of requests) {
      const known = placements.get(scope, request.tag);
      if (known?.record !== undefined) this.settleFound(request, await this.asItIsNow(known.record as Rec));
      else if (known !== undefined) lost.push(request);
    }
    const found = await this.lookUp(lost);
    for (const request of lost) {
      const { tag } = request;
      const record = found.get(tag);
      if (record !== undefined) this.settleFound(request, record);
      else this.outcomes.set(tag, { outcome: 'unknown', tag, error: unknownOutcome(tag, undefined, this.what.noun) });
    }
    const open = this.unsettled(requests);
    if (open.length === 0) return;
    const listed = await this.dayList(open).catch((error: unknown) => brokerageErrorOnly(error, signal));
    if (listed instanceof BrokerageError) {
      for (const request of open) this.outcomes.set(request.tag, unsent(request, listed, this.what.noun, NO_LIST));
      return;
    }
    const former = open.flatMap(({ formerTag }) => formerTag ?? []);
    const placed = byTags(listed, [...tagsOf(open), ...former]);
    for (const request of open) {
      const record = placed.get(request.tag) ?? placed.get(request.formerTag ?? request.tag);
      if (record !== undefined) this.settleFound(request, record);
      else this.refuseTraceOf(request, listed);
    }
  }

  /** What this process placed before: as it is now, or as it was last seen when it cannot be read. */
  private async asItIsNow(record: Rec): Promise<Rec> {
    const now = await this.placing.reread(record, this.context.signal).catch(() => record);
    return this.what.idOf(now) === this.what.idOf(record) ? now : record;
  }

  /** The list of the day; what another process may have placed waits until the list is sure to show it, and is looked up again. */
  private async dayList(open: readonly PlacementRequest<Terms>[]): Promise<Rec[]> {
    const { transport, placements, scope, signal } = this.context;
    const { noun, listServesMs } = this.what;
    const elsewhere = open.some(({ keyed, isRepeat }) => keyed || isRepeat);
    if (elsewhere && placements.settlesIn() > 0) await transport.clock.sleep(placements.settlesIn(), signal);
    // Not handed the signal: other executions may wait for the same list.
    const read = async (): Promise<Rec[]> => await this.placing.list();
    return await placements.dayList(`${scope} ${noun}`, read, elsewhere ? 0 : listServesMs);
  }

  private async lookUp(requests: readonly PlacementRequest<Terms>[]): Promise<Map<string, Rec>> {
    const { transport, signal } = this.context;
    if (requests.length === 0) return new Map();
    const list = async (aborting?: AbortSignal): Promise<Rec[]> => await this.placing.list(aborting);
    return await findByTags(transport.clock, tagsOf(requests), list, signal);
  }

  /** Settles what was placed before this try; a tag that was used for something else is a mistake, not the same cause. */
  private settleFound(request: PlacementRequest<Terms>, record: Rec): void {
    const { tag, keyed } = request;
    const difference = differenceOf(this.what, request, record);
    if (difference === undefined) {
      this.settlePlaced(tag, record, true);
      return;
    }
    const error = usedForAnother(keyed, this.what.noun, this.what.idOf(record), difference);
    this.outcomes.set(tag, { outcome: 'refused', tag, error });
  }

  /** Settles what an earlier try without a record may have placed: it is neither returned nor sent again. */
  private refuseTraceOf({ tag, earlierTags }: PlacementRequest<Terms>, listed: readonly Rec[]): void {
    if (earlierTags === undefined) return;
    const earlier = new Set(earlierTags);
    const trace = listed.find((record) => earlier.has(identityOf(tagOf(record))));
    if (trace === undefined) return;
    const error = placedWithoutRecord(this.what.noun, tagOf(trace));
    this.outcomes.set(tag, { outcome: 'refused', tag, error });
  }

  /** Settles what the service has. Its own tag counts, as the person's label in it may have been another. */
  private settlePlaced(tag: string, record: Rec, alreadyPlaced: boolean): void {
    this.context.placements.placed(this.context.scope, tag, record);
    const shown = tagOf(record) || tag;
    const error = this.what.rejectionOf(record, shown);
    this.outcomes.set(
      tag,
      error === undefined
        ? { outcome: 'confirmed', tag: shown, id: this.what.idOf(record), record, alreadyPlaced }
        : { outcome: 'rejected', tag: shown, record, alreadyPlaced, error },
    );
  }

  /** Asks the guards of each. @returns those that pass. */
  private async guarded(requests: readonly PlacementRequest<Terms>[]): Promise<(PlacementRequest<Terms> & Valued)[]> {
    const fresh: (PlacementRequest<Terms> & Valued)[] = [];
    for (const request of requests) {
      const value = await this.check(request);
      if (value !== undefined) fresh.push({ ...request, value });
    }
    return fresh;
  }

  /** @returns what it is worth in paise where a guard needed it; undefined for one that is refused and settled. */
  private async check(request: PlacementRequest<Terms>): Promise<number | undefined> {
    const { tag, terms, refusal } = request;
    if (refusal !== undefined) {
      this.outcomes.set(tag, { outcome: 'refused', tag, error: refusal });
      return undefined;
    }
    try {
      await this.placing.requirePossible(terms, this.context.signal);
      return await passGuards(this.what.ordersOf(terms), request, this.context);
    } catch (error) {
      this.outcomes.set(tag, { outcome: 'refused', tag, error: brokerageErrorOnly(error, this.context.signal) });
      return undefined;
    }
  }

  /** @returns all of them where this machine may place orders; none where it may not, and all are settled. */
  private async fromHere<R extends PlacementRequest<Terms>>(requests: readonly R[]): Promise<readonly R[]> {
    const { requireAddress, placements, scope, signal } = this.context;
    if (requests.length === 0 || requireAddress === undefined) return requests;
    const [allowed] = await Promise.allSettled([requireAddress()]);
    if (allowed.status === 'fulfilled') return requests;
    const error = brokerageErrorOnly(allowed.reason, signal);
    for (const { tag } of requests) {
      placements.release(scope, tag);
      this.outcomes.set(tag, { outcome: 'refused', tag, error });
    }
    return [];
  }

  /** Checks one as if it were placed, and sends nothing. */
  private async rehearse(request: PlacementRequest<Terms>): Promise<void> {
    const { placements, scope } = this.context;
    const { tag } = request;
    const value = await this.check(request);
    if (value === undefined) return;
    placements.release(scope, tag);
    this.outcomes.set(tag, { outcome: 'rehearsed', tag, request: await this.write([request]) });
  }

  /** Sends what was never sent, and finds out what became of each. The reply may never come. */
  private async sendAll(fresh: readonly (PlacementRequest<Terms> & Valued)[]): Promise<void> {
    const { transport, placements, scope, signal } = this.context;
    const request = await this.write(fresh);
    const orders = request.orders ?? 0;
    // Waited for here: an order that has its turn is sent at once, so that what is asked below still holds.
    if (!(await this.hasTurn(orders))) {
      this.settleStopped(fresh);
      return;
    }
    const stopped = await this.whyStopped();
    if (stopped !== undefined) return this.settleRefused(fresh, stopped);
    if (this.hold?.isSure() === false) {
      this.settleLocked(fresh, new NetworkError('This process was held up for too long.', { maySent: false }));
      return;
    }
    const tags = tagsOf(fresh);
    this.sent.push(...tags);
    for (const { tag, value } of fresh) placements.sending(scope, tag, value);
    let isThere = false;
    const mayAgain = async (): Promise<boolean> => {
      if (signal?.aborted) return false;
      await transport.orderTurn(orders);
      const listed = await this.placing.list().catch((error: unknown) => brokerageErrorOnly(error));
      if (listed instanceof BrokerageError) return false;
      isThere = byTags(listed, tags).size > 0;
      return !isThere && (await this.whyStopped()) === undefined && this.hold?.isSure() !== false;
    };
    const attempt = await send(transport, request, mayAgain).then(
      (reply) => ({ replied: this.placing.matchReply(fresh, reply), error: undefined }),
      (error: unknown) => ({ replied: new Map<string, Rec>(), error }),
    );
    const { replied, error } = attempt;
    if (!isThere && isNoToAll(error, fresh.length)) {
      for (const { tag } of fresh) this.settleNo(tag, error);
      this.sent = this.sent.filter((tag) => !tags.includes(tag));
      return;
    }
    for (const { tag, terms } of fresh) {
      const record = replied.get(tag);
      if (record !== undefined && this.what.isWhole(terms, record)) this.settlePlaced(tag, record, false);
    }
    const rest = fresh.filter(({ tag }) => !this.outcomes.has(tag));
    const listed = await this.lookUp(rest);
    const noneOfThem =
      !isThere && listed.size === 0 && error instanceof BrokerageError && meaningOfFailure(error) === 'rejected';
    for (const { tag } of rest) {
      const record = listed.get(tag) ?? replied.get(tag);
      if (record !== undefined) this.settlePlaced(tag, record, false);
      else if (noneOfThem) this.settleNo(tag, error);
      else this.outcomes.set(tag, { outcome: 'unknown', tag, error: unknownOutcome(tag, error, this.what.noun) });
    }
  }

  /**
   * Waits until so many orders may be sent.
   * @returns false when the execution was stopped and others of it had left. @throws the signal's reason when none had
   */
  private async hasTurn(orders: number): Promise<boolean> {
    const { transport, signal } = this.context;
    const [turn] = await Promise.allSettled([transport.orderTurn(orders, signal)]);
    if (signal?.aborted && this.sent.length > 0) return false;
    signal?.throwIfAborted();
    if (turn.status === 'rejected') throw turn.reason;
    return true;
  }

  private isUnknownOfSent(): boolean {
    return this.sent.some((tag) => this.outcomes.get(tag)?.outcome === 'unknown');
  }

  /** Settles what was still to be sent when nobody could tell what had become of the part before it. */
  private settleHeldBack(requests: readonly PlacementRequest<Terms>[]): void {
    const error = new NetworkError(
      `This ${this.what.noun} was not sent, as it is not known whether those before it were placed.`,
      { maySent: false, hint: 'It was not placed. Look for those before it first.' },
    );
    this.settleRefused(requests, error);
  }

  /** Settles what was still to be sent when the execution was stopped, after other orders of it had left. */
  private settleStopped(requests: readonly PlacementRequest<Terms>[]): void {
    const error = new NetworkError(`The execution was stopped before this ${this.what.noun} was sent.`, {
      maySent: false,
      hint: 'It was not placed.',
    });
    this.settleRefused(requests, error);
  }

  private settleRefused(requests: readonly PlacementRequest<Terms>[], error: BrokerageError): void {
    for (const { tag } of requests) {
      this.context.placements.release(this.context.scope, tag);
      this.outcomes.set(tag, { outcome: 'refused', tag, error });
    }
  }

  /** @returns the error where trading was stopped, by whichever process, or where nobody can tell. */
  private async whyStopped(): Promise<BrokerageError | undefined> {
    const [allowed] = await Promise.allSettled([this.context.requireTrading?.()]);
    if (allowed.status === 'fulfilled') return undefined;
    if (allowed.reason instanceof BrokerageError) return allowed.reason;
    return new NetworkError('It could not be found out whether trading is stopped.', {
      maySent: false,
      hint: 'It was not placed. Try again.',
      cause: allowed.reason,
    });
  }

  private settleNo(tag: string, error: BrokerageError): void {
    this.context.placements.notPlaced(this.context.scope, tag);
    this.outcomes.set(tag, noOutcome(tag, error));
  }
}

interface Valued {
  /** Paise. */
  value: number;
}

/** Several requests in place of one that would hold more orders than may be sent in a second. */
function inParts<T>(requests: readonly T[], most: number): (readonly T[])[] {
  if (requests.length <= most) return requests.length === 0 ? [] : [requests];
  return [requests.slice(0, most), ...inParts(requests.slice(most), most)];
}

const tagsOf = (requests: readonly { tag: string }[]): string[] => requests.map(({ tag }) => tag);

function requireDifferentTags(requests: readonly { tag: string }[]): void {
  if (new Set(tagsOf(requests).map(identityOf)).size === requests.length) return;
  throw new InputError('Two of these orders have the same Idempotency Key.', {
    parameter: 'idempotencyKey',
    hint: 'Each order needs its own key. Nothing was sent.',
  });
}
