/** Sends new requests, and determines their outcomes. Every step is written as if the reply never came. */
import { attempt } from '../../attempt';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { BrokerageError, NetworkError } from '../../base/errors';
import type { Moment } from '../../base/ports';
import { findByTags, type TagSearch } from '../api/find-by-tag';
import type { LockHold } from '../account/shared-lock';
import { missingIn } from '../account/whole-list-reader';
import type { PlacingApi, ServiceRequest } from '../api/order-api';
import { isClearNo, isNoUnlessListed, isSentAgain, noLockReason } from './outcome';
import type { OrderOrBasket } from './order-or-basket';
import { TAKEN_OVER_MS, type PlacementContext, type PlacementRequest } from '../account/placement-context';
import type { OutcomeRecorder } from './outcome-recorder';
import { tagsOf } from '../model/tags';

/** A request that passed the guards. */
export interface ValuedRequest<Terms> extends PlacementRequest<Terms> {
  /** Maximum cost, paise; 0 if no guard needed it. */
  value: number;
}

/** The answer to a request: the records of its reply by their tags, or its error. */
interface Answer<Rec> {
  replied: ReadonlyMap<string, Rec>;
  error?: unknown;
}

/** The sending of one run of placing. */
export class OrderSubmitter<Terms, Rec extends OrderRecord | BasketRecord> {
  /** The lock of keyed orders, if one is held. */
  hold: LockHold | undefined;
  private readonly placing: PlacingApi<Terms, Rec>;
  private tags: string[] = [];
  /** Time since which it was to be sent without a lock, and how much of it was spent waiting for its turn, milliseconds. */
  private unlocked!: { since: Moment; inTurnMs: number };

  /** Makes the sender. @param write makes the request for orders without an earlier placement. */
  constructor(
    private readonly what: OrderOrBasket<Terms, Rec>,
    private readonly context: PlacementContext,
    private readonly outcomes: OutcomeRecorder<Terms, Rec>,
    private readonly write: (fresh: readonly PlacementRequest<Terms>[]) => Promise<ServiceRequest>,
  ) {
    this.placing = what.placing(context);
    this.beginUnlocked();
  }

  /** Begins work without a lock, from the look for earlier tries on. */
  beginUnlocked(): void {
    this.unlocked = { since: this.context.transport.clock.moment(), inTurnMs: 0 };
  }

  /**
   * Returns true if this process was held up for so long, without a lock, that n8n may have given it up. The wait for a turn does not count.
   */
  private isLate(): boolean {
    const { transport, keyLock } = this.context;
    const { since, inTurnMs } = this.unlocked;
    return keyLock !== undefined && this.hold === undefined && transport.clock.since(since) - inTurnMs > TAKEN_OVER_MS;
  }

  /** Tags of sent orders that may be placed. */
  get sent(): readonly string[] {
    return this.tags;
  }

  /**
   * Sends all of them, in several requests if one would exceed the orders per second. Stops after an unknown outcome. Each has an outcome
   * afterwards, but for those that were not sent because this process was held up.
   * @throws the signal's reason, if the execution is stopped before anything was sent.
   */
  async sendAll(fresh: readonly ValuedRequest<Terms>[]): Promise<void> {
    for (const part of inParts(fresh, this.context.transport.maxOrders))
      if (this.tags.some((tag) => this.outcomes.of(tag)?.outcome === 'unknown')) this.refuseAfterUnknown(part);
      else await this.sendPart(part);
  }

  private async sendPart(fresh: readonly ValuedRequest<Terms>[]): Promise<void> {
    const request = await this.write(fresh);
    const orders = request.orders ?? 0;
    // Waited for here: an order that has its turn is sent at once, so that what is asked below still holds.
    if (!(await this.hasTurn(orders))) return this.refuseStopped(fresh);
    const { placements } = this.context;
    const first = await placements.whileSending(async () => await this.sendFirst(fresh, request));
    if (first !== undefined) await this.followUp(fresh, request, first);
  }

  /** Sends a request for the first time. @returns its answer; undefined if nothing was sent: each has an outcome, or is late */
  private async sendFirst(
    fresh: readonly ValuedRequest<Terms>[],
    request: ServiceRequest,
  ): Promise<Answer<Rec> | undefined> {
    const stopped = await this.whyStopped();
    if (stopped !== undefined) this.outcomes.refused(fresh, stopped);
    else if (this.hold?.isSure() === false) {
      const late = new NetworkError('This process was held up for too long.', { maySent: false });
      this.outcomes.unseen(fresh, late, noLockReason);
    } else if (!this.isLate()) {
      const { placements, scope } = this.context;
      this.tags.push(...tagsOf(fresh));
      for (const { tag, value, terms, step } of fresh)
        placements.sending(scope, tag, value, this.what.ordersOf(terms).length, step);
      return await this.sendOnce(fresh, request);
    }
    return undefined;
  }

  /**
   * Finds out what became of a request. Only a clear no ends it at once; after anything else the day's list is looked
   * at for as long as it may lag, before it is called failed or sent again.
   */
  private async followUp(
    fresh: readonly ValuedRequest<Terms>[],
    request: ServiceRequest,
    first: Answer<Rec>,
  ): Promise<void> {
    const { placements } = this.context;
    const again = async (): Promise<Answer<Rec>> => await this.sendOnce(fresh, request);
    for (let sends = 1, answer = first; ; sends++, answer = await placements.whileSending(again)) {
      const { replied, error } = answer;
      if (error !== undefined && isClearNo(error, fresh.length)) return this.refuse(fresh, error);
      for (const { tag, terms } of this.outcomes.openOf(fresh)) {
        const record = replied.get(tag);
        if (record !== undefined && this.isPlain(terms, tag, record)) this.outcomes.placed(tag, record, false);
      }
      const rest = this.outcomes.openOf(fresh);
      if (rest.length === 0) return;
      const search = await this.lookFor(rest);
      const isAbsent = error !== undefined && search.isWhole && search.recordsByTag.size === 0;
      if (isAbsent && isSentAgain(error, sends) && (await this.mayGoAgain(request))) continue;
      if (isAbsent && isNoUnlessListed(error)) return this.refuse(fresh, error);
      for (const { tag } of rest) {
        const record = search.recordsByTag.get(tag) ?? replied.get(tag);
        if (record !== undefined && !this.isOfOther(tag, record)) this.outcomes.placed(tag, record, false);
        else this.outcomes.unknown(tag, error);
      }
      return;
    }
  }

  /**
   * Returns true if a reply is believed without a look at the list: it is complete, it does not call what the service has taken rejected, and
   * its id is not that of another order.
   */
  private isPlain(terms: Terms, tag: string, record: Rec): boolean {
    const isRejected = this.what.rejectionOf(record, tag) !== undefined;
    return this.what.isWhole(terms, record) && !isRejected && !this.isOfOther(tag, record);
  }

  private isOfOther(tag: string, record: Rec): boolean {
    const { placements, scope } = this.context;
    return placements.isOfOther(scope, tag, this.what.idOf(record));
  }

  /** Not handed the signal of an execution: a request that may have left is waited for. @returns what its reply shows, or its error */
  private async sendOnce(
    fresh: readonly ValuedRequest<Terms>[],
    { endpoint, path, body }: ServiceRequest,
  ): Promise<Answer<Rec>> {
    const sent = await attempt(this.context.transport.call(endpoint, { path, body }));
    if (!sent.ok) return { replied: new Map(), error: sent.error };
    return { replied: this.placing.matchReply(fresh, sent.value) };
  }

  /** Looks in the day's list for what the reply did not settle. */
  private async lookFor(rest: readonly ValuedRequest<Terms>[]): Promise<TagSearch<Rec>> {
    const { transport, signal } = this.context;
    const list = async (aborting?: AbortSignal): Promise<Rec[]> => await this.placing.list(aborting, 'marked');
    const isComplete = (listed: readonly Rec[]): boolean => missingIn(listed, this.what, this.context).length === 0;
    return await findByTags(transport.clock, tagsOf(rest), list, signal, isComplete);
  }

  /** Waits for the turn of what is sent again. @returns whether it may be */
  private async mayGoAgain({ orders = 0 }: ServiceRequest): Promise<boolean> {
    const { signal } = this.context;
    if (signal?.aborted) return false;
    // The list has just been read.
    this.beginUnlocked();
    await this.waitForTurn(orders);
    const isAllowed = !signal?.aborted && (await this.whyStopped()) === undefined;
    return isAllowed && this.hold?.isSure() !== false && !this.isLate();
  }

  /** Nothing of a request was placed. */
  private refuse(fresh: readonly ValuedRequest<Terms>[], error: BrokerageError): void {
    const tags = tagsOf(fresh);
    this.outcomes.no(fresh, error);
    this.tags = this.tags.filter((tag) => !tags.includes(tag));
  }

  /**
   * Waits until so many orders may be sent.
   * @returns false when the execution was stopped and others of it had left. @throws the signal's reason when none had
   */
  private async hasTurn(orders: number): Promise<boolean> {
    const { signal } = this.context;
    const turn = await attempt(this.waitForTurn(orders, signal));
    if (signal?.aborted && this.tags.length > 0) return false;
    signal?.throwIfAborted();
    if (!turn.ok) throw turn.error;
    return true;
  }

  private async waitForTurn(orders: number, signal?: AbortSignal): Promise<void> {
    const { transport } = this.context;
    const asked = transport.clock.moment();
    await transport.orderTurn(orders, signal);
    this.unlocked.inTurnMs += transport.clock.since(asked);
  }

  /** Refuses what was still to be sent when nobody could tell what had become of the part before it. */
  private refuseAfterUnknown(requests: readonly ValuedRequest<Terms>[]): void {
    const error = new NetworkError(
      `This ${this.what.noun} was not sent, because it is not known whether those before it were placed.`,
      { maySent: false, hint: 'It was not placed. Look for those before it first.' },
    );
    this.outcomes.refused(requests, error);
  }

  /** Refuses what was still to be sent when the execution was stopped, after other orders of it had left. */
  private refuseStopped(requests: readonly ValuedRequest<Terms>[]): void {
    const error = new NetworkError(`The execution was stopped before this ${this.what.noun} was sent.`, {
      maySent: false,
      hint: 'It was not placed.',
    });
    this.outcomes.refused(requests, error);
  }

  /** @returns the error where trading was stopped, by whichever process, or where nobody can tell. */
  private async whyStopped(): Promise<BrokerageError | undefined> {
    const { requireTrading } = this.context;
    if (requireTrading === undefined) return undefined;
    const allowed = await attempt(requireTrading());
    if (allowed.ok) return undefined;
    if (allowed.error instanceof BrokerageError) return allowed.error;
    return new NetworkError('It could not be found out whether trading is stopped.', {
      maySent: false,
      hint: 'It was not placed. Try again.',
      cause: allowed.error,
    });
  }
}

/** Several requests in place of one that would hold more orders than may be sent in a second. */
function inParts<T>(requests: readonly T[], max: number): (readonly T[])[] {
  if (requests.length <= max) return requests.length === 0 ? [] : [requests];
  return [requests.slice(0, max), ...inParts(requests.slice(max), max)];
}
