/** Finds earlier placements with the requested tags: by this process, or by any other in the day's list. */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { BrokerageError } from '../../base/errors';
import { WholeListReader } from '../account/whole-list-reader';
import { changedTagError, earlierTryError } from './terms-mismatch';
import { byTags, findByTags } from '../api/find-by-tag';
import type { PlacingApi } from '../api/order-api';
import { changedTags, knownToday, recordsByIdentity } from '../account/known-today';
import { brokerageErrorOnly, noListReason, placedBeforeMidnight, sentBefore, unclearCause } from './outcome';
import type { OrderOrBasket } from './order-or-basket';
import type { DayPlacement } from '../account/placed-today';
import { TradedMeanwhileError, type PlacementContext, type PlacementRequest } from '../account/placement-context';
import type { OutcomeRecorder } from './outcome-recorder';
import { orderOfMovedItem } from './same-step';
import { tagOf } from '../model/order-record';
import { causeMarkOf, identityOf, tagsOf } from '../model/tags';

/** The look for earlier tries of one run of placing. */
export class EarlierPlacements<Terms, Rec extends OrderRecord | BasketRecord> {
  private readonly placing: PlacingApi<Terms, Rec>;

  constructor(
    private readonly what: OrderOrBasket<Terms, Rec>,
    private readonly context: PlacementContext,
    private readonly outcomes: OutcomeRecorder<Terms, Rec>,
  ) {
    this.placing = what.placing(context);
  }

  /**
   * Resolves each request that was placed before, that was sent and may be there, or whose outcome cannot be seen. An open request was
   * never sent.
   * @throws the signal's reason, if the execution is stopped.
   */
  async resolve(requests: readonly PlacementRequest<Terms>[]): Promise<void> {
    await this.resolveKnown(requests);
    const open = this.outcomes.openOf(requests);
    if (open.length === 0) return;
    const listed = await this.dayList(open).catch((error: unknown) => brokerageErrorOnly(error, this.context.signal));
    if (listed instanceof BrokerageError) return this.outcomes.unseen(open, listed, noListReason);
    const recordOf = recordsOf(open, listed);
    const knownRecordOf = this.knownRecordsOf(open, listed);
    for (const request of open) {
      const record = recordOf(request) ?? knownRecordOf(request);
      if (record !== undefined) this.outcomes.placedBefore(request, record);
    }
    // After all that are found: an order that is another item's own is not of this one.
    for (const request of this.outcomes.openOf(open))
      if (!this.resolveSameCause(request, listed) && !this.resolveMoved(request, listed))
        this.refuseTraceOf(request, listed);
    await this.resolveUnlisted(this.outcomes.openOf(open));
    this.refuseAfterChange(this.outcomes.openOf(open));
    const outdated = this.outcomes.openOf(open).filter(({ isUnchanged }) => isUnchanged?.(listed) === false);
    const error = new TradedMeanwhileError(
      'Somebody else has traded the same since it was counted. Nothing was sent.',
      {
        hint: 'Run it again.',
      },
    );
    this.outcomes.refused(outdated, error);
  }

  /**
   * Finds the record of each request by the id that is remembered for its tag, also by an earlier process: a list may show another tag. Such
   * tags are noted.
   */
  private knownRecordsOf(
    open: readonly PlacementRequest<Terms>[],
    listed: readonly Rec[],
  ): (request: PlacementRequest<Terms>) => Rec | undefined {
    const { placements, scope } = this.context;
    const placementsToday = isTriedElsewhere(open) ? knownToday(this.context, this.what.noun) : [];
    if (placementsToday.length === 0) return () => undefined;
    const byId = new Map(listed.map((record) => [this.what.idOf(record), record]));
    for (const changed of changedTags(placementsToday, byId)) placements.noteChangedTag(scope, changed);
    const byIdentity = recordsByIdentity(placementsToday, byId);
    return ({ tag }) => byIdentity.get(identityOf(tag));
  }

  /** Resolves requests that a process, now ended, sent just before midnight or with an unknown outcome: no list need show them. */
  private async resolveUnlisted(open: readonly PlacementRequest<Terms>[]): Promise<void> {
    const { placedToday, scope } = this.context;
    const { noun } = this.what;
    const sent = (placedToday?.unlisted(scope) ?? []).filter((one) => one.noun === noun && one.identity !== '');
    for (const request of open) {
      const { tag } = request;
      const before = sent.find(({ identity }) => identity === identityOf(tag));
      if (before === undefined) continue;
      const { id } = before;
      const read = id === undefined ? undefined : await this.readOfNight({ noun, id });
      if (read !== undefined && !(read instanceof BrokerageError)) this.outcomes.placedBefore(request, read);
      else
        this.outcomes.unknownBefore(
          tag,
          id === undefined ? sentBefore(noun, tag) : placedBeforeMidnight(noun, id, tag),
        );
    }
  }

  /** Reads the current record of an order placed last night. @returns undefined for a basket, which only the list shows. */
  private async readOfNight({
    noun,
    id,
  }: Pick<DayPlacement, 'noun' | 'id'>): Promise<Rec | BrokerageError | undefined> {
    const { orders, signal } = this.context;
    if (noun === 'basket') return undefined;
    return await orders.get(id, signal).then(
      (order) => order as Rec,
      (error: unknown) => brokerageErrorOnly(error, signal),
    );
  }

  /**
   * Refuses requests with a key if the service changes tags, because nothing shows which orders were placed under it: the user has to check
   * first.
   */
  private refuseAfterChange(open: readonly PlacementRequest<Terms>[]): void {
    const { placements, scope } = this.context;
    const changed = placements.changedTag(scope);
    if (changed === undefined) return;
    const byTag = open.filter(({ keyed, isRetry }) => keyed || isRetry === true);
    this.outcomes.refused(byTag, changedTagError(changed));
  }

  /**
   * Resolves a request with the order that an earlier try placed in another execution of the workflow, since a retry calls it again (see
   * `causeMarkOf`). If it placed a different order, nothing shows whether it replaces this one: it is neither returned nor added to.
   * @returns true if the request has an outcome
   */
  private resolveSameCause(request: PlacementRequest<Terms>, listed: readonly Rec[]): boolean {
    const { sameCause, terms, tag } = request;
    const mark = causeMarkOf(tag);
    if (sameCause === undefined || mark === undefined) return false;
    const { takenIds, isCalledAnew } = sameCause;
    const { placements, scope } = this.context;
    const sent = placements.underMark(scope, mark);
    const listedIds = new Set(listed.map((record) => this.what.idOf(record)));
    const unlisted = sent.flatMap(({ record }) => (record === undefined ? [] : [record as Rec]));
    const earlierRecords = [
      ...listed.filter((record) => causeMarkOf(tagOf(record)) === mark),
      ...unlisted.filter((record) => !listedIds.has(this.what.idOf(record))),
    ].filter((record) => !takenIds.has(this.what.idOf(record)));
    const same = isCalledAnew
      ? earlierRecords.find((record) => this.what.differencesOf(terms, record).length === 0)
      : undefined;
    if (same !== undefined) {
      takenIds.add(this.what.idOf(same));
      this.outcomes.placedBefore(request, same);
      return true;
    }
    const unclear =
      earlierRecords[0] === undefined ? sent.find(({ record }) => record === undefined)?.tag : tagOf(earlierRecords[0]);
    if (unclear === undefined) return false;
    this.outcomes.unknownBefore(request.tag, unclearCause(this.what.noun, unclear));
    return true;
  }

  /**
   * Resolves a request whose order an earlier try may have placed for another item of the step, as the step had other items then.
   * @returns true if the request has an outcome
   */
  private resolveMoved(request: PlacementRequest<Terms>, listed: readonly Rec[]): boolean {
    // What closes a position is limited by the position.
    if (this.context.hasPosition === true) return false;
    const tag = orderOfMovedItem(this.what, request, listed, this.context);
    if (tag === undefined) return false;
    this.outcomes.unknownBefore(request.tag, unclearCause(this.what.noun, tag));
    return true;
  }

  /** Settles what this process knows: it placed it, or sent it and never heard what became of it. */
  private async resolveKnown(requests: readonly PlacementRequest<Terms>[]): Promise<void> {
    const { transport, placements, scope, signal } = this.context;
    const lost: PlacementRequest<Terms>[] = [];
    for (const request of requests) {
      const placement = placements.get(scope, request.tag);
      if (placement?.record !== undefined)
        this.outcomes.placedBefore(request, await this.asItIsNow(placement.record as Rec));
      else if (placement !== undefined) lost.push(request);
    }
    const list = async (aborting?: AbortSignal): Promise<Rec[]> => await this.placing.list(aborting, 'marked');
    const { recordsByTag } = await findByTags(transport.clock, tagsOf(lost), list, signal);
    for (const request of lost) {
      const record = recordsByTag.get(request.tag);
      if (record !== undefined) this.outcomes.placedBefore(request, record);
      else this.outcomes.unknown(request.tag, undefined);
    }
  }

  /** Returns the current record of an order that this process placed before, or the last seen one if it cannot be read. */
  private async asItIsNow(record: Rec): Promise<Rec> {
    const now = await this.placing.reread(record, this.context.signal).catch(() => record);
    return this.what.idOf(now) === this.what.idOf(record) ? now : record;
  }

  /** The list of the day; what another process may have placed waits until the list is sure to show it, and is looked up again. */
  private async dayList(open: readonly PlacementRequest<Terms>[]): Promise<Rec[]> {
    const { transport, placements, scope, signal } = this.context;
    const { noun, listServesMs } = this.what;
    const elsewhere = isTriedElsewhere(open);
    if (elsewhere && placements.untilListed() > 0) await transport.clock.sleep(placements.untilListed(), signal);
    // Not handed the signal: other executions may wait for the same list.
    const isFresh = elsewhere || open.some(({ isUnchanged }) => isUnchanged !== undefined);
    const read = async (): Promise<Rec[]> =>
      await placements.dayList(
        `${scope} ${noun}`,
        async () => await this.placing.list(undefined, 'marked'),
        isFresh ? 0 : listServesMs,
      );
    return elsewhere ? await new WholeListReader(this.what, this.context).read(read) : await read();
  }

  /** Settles what an earlier try may have placed under another tag: it is neither returned nor sent again. */
  private refuseTraceOf(request: PlacementRequest<Terms>, listed: readonly Rec[]): void {
    if (request.earlierTags === undefined) return;
    const earlierTags = new Set([...request.earlierTags].map(identityOf));
    const { placements, scope } = this.context;
    const trace =
      listed.map(tagOf).find((tag) => earlierTags.has(identityOf(tag))) ??
      [...earlierTags].map((tag) => placements.get(scope, tag)?.tag).find((tag) => tag !== undefined);
    if (trace !== undefined) this.outcomes.refused([request], earlierTryError(this.what.noun, trace));
  }
}

/** Returns true if another process, or an earlier one, may have placed one of them. */
function isTriedElsewhere(requests: readonly PlacementRequest<unknown>[]): boolean {
  return requests.some(({ keyed, isRepeat }) => keyed || isRepeat);
}

/** Finds the record of each request in a list, under its tag or its former one. */
function recordsOf<Terms, Rec extends OrderRecord | BasketRecord>(
  requests: readonly PlacementRequest<Terms>[],
  listed: readonly Rec[],
): (request: PlacementRequest<Terms>) => Rec | undefined {
  if (listed.length === 0) return () => undefined;
  const former = new Map(
    requests.flatMap(({ tag, formerTag }) => (formerTag === undefined ? [] : [[tag, formerTag()]])),
  );
  const placed = byTags(listed, [...tagsOf(requests), ...former.values()]);
  return ({ tag }) => placed.get(tag) ?? placed.get(former.get(tag) ?? tag);
}
