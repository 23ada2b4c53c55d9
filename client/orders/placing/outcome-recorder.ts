/** Outcomes of the orders or baskets of one run of placing. */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import type { BrokerageError, UnknownOutcomeError } from '../../base/errors';
import { termsMismatch, tagReusedError } from './terms-mismatch';
import type { ServiceRequest } from '../api/order-api';
import {
  noOutcome,
  placedAndUnreadable,
  unknownOutcome,
  unsentOutcome,
  type RecordNoun,
  type Outcome,
} from './outcome';
import type { OrderOrBasket } from './order-or-basket';
import type { SentPlacement } from '../account/placed-today';
import type { PlacementContext, PlacementRequest } from '../account/placement-context';
import { noteOwn } from './same-step';
import { tagOf } from '../model/order-record';
import { identityOf, isEchoOf } from '../model/tags';
import { isUnreadable } from '../model/record-units';

/** The outcomes of one run, by tag. What they mean for the memory of the process (`PlacementRegistry`) is noted there with each. */
export class OutcomeRecorder<Terms, Rec extends OrderRecord | BasketRecord> {
  private readonly byTag = new Map<string, Outcome<Rec>>();
  /** Placements that n8n has not stored yet. */
  private readonly unkept: SentPlacement[] = [];

  constructor(
    private readonly what: OrderOrBasket<Terms, Rec>,
    private readonly context: PlacementContext,
  ) {}

  /** The outcome of a tag; undefined while it has none. */
  of(tag: string): Outcome<Rec> | undefined {
    return this.byTag.get(tag);
  }

  /** Returns the requests without an outcome. */
  openOf<R extends PlacementRequest<Terms>>(requests: readonly R[]): R[] {
    return requests.filter(({ tag }) => !this.byTag.has(tag));
  }

  /**
   * The service has it, or had it before this try (`alreadyPlaced`). The tag of the record counts, as the person's label in it
   * may have been another.
   */
  placed(tag: string, record: Rec, alreadyPlaced: boolean): void {
    const { placements, scope } = this.context;
    const { noun } = this.what;
    const id = this.what.idOf(record);
    this.unkept.push({ noun, id, identity: identityOf(tag) });
    if (isUnreadable(record))
      return void this.byTag.set(tag, { outcome: 'unknown', tag, error: placedAndUnreadable(noun, record) });
    placements.placed(scope, tag, record, { noun, id });
    const shown = tagOf(record) || tag;
    if (isEchoOf(shown, tag)) placements.noteChangedTag(scope, { sent: tag, shown, id });
    const error = this.what.rejectionOf(record, shown);
    this.byTag.set(
      tag,
      error === undefined
        ? { outcome: 'confirmed', tag: shown, id: this.what.idOf(record), record, alreadyPlaced }
        : { outcome: 'rejected', tag: shown, record, alreadyPlaced, error },
    );
  }

  /** Stores in n8n what was placed, or may have been. */
  keep(): void {
    const { placedToday, scope } = this.context;
    if (this.unkept.length > 0) placedToday?.add(scope, this.unkept.splice(0));
  }

  /**
   * Records an order that has had the tag since an earlier try. A tag that was used for a different order is a mistake, not the same cause.
   */
  placedBefore(request: PlacementRequest<Terms>, record: Rec): void {
    const { tag, keyed } = request;
    if (isUnreadable(record)) return this.placed(tag, record, true);
    noteOwn(this.what, request, record);
    const difference = termsMismatch(this.what, request, record);
    if (difference === undefined) this.placed(tag, record, true);
    else this.refused([request], tagReusedError(keyed, this.what.noun, this.what.idOf(record), difference));
  }

  /** They were not sent. */
  refused(requests: readonly { tag: string }[], error: BrokerageError): void {
    for (const { tag } of requests) {
      this.context.placements.release(this.context.scope, tag);
      this.byTag.set(tag, { outcome: 'refused', tag, error });
    }
  }

  /** They were not sent, as it could not be seen whether they were placed before (see `unsent`). */
  unseen(
    requests: readonly PlacementRequest<Terms>[],
    cause: BrokerageError,
    reason: (noun: RecordNoun) => string,
  ): void {
    for (const request of requests) {
      this.context.placements.release(this.context.scope, request.tag);
      this.byTag.set(request.tag, unsentOutcome(request, cause, this.what.noun, reason));
    }
  }

  /** A clear no kept them from being placed. @param error one whose meaning is not "unknown". */
  no(requests: readonly { tag: string }[], error: BrokerageError): void {
    for (const { tag } of requests) {
      this.context.placements.notPlaced(this.context.scope, tag);
      this.byTag.set(tag, noOutcome(tag, error));
    }
  }

  /** Records that it was sent, now or before, with an unknown outcome. */
  unknown(tag: string, cause: unknown): void {
    this.unkept.push({ noun: this.what.noun, identity: identityOf(tag) });
    this.byTag.set(tag, { outcome: 'unknown', tag, error: unknownOutcome(tag, cause, this.what.noun) });
  }

  /** Records that it was not sent, because an earlier try may have placed it. */
  unknownBefore(tag: string, error: UnknownOutcomeError): void {
    this.context.placements.release(this.context.scope, tag);
    this.byTag.set(tag, { outcome: 'unknown', tag: error.tag, error });
  }

  /** A dry run: nothing was sent. */
  dryRun(tag: string, request: ServiceRequest): void {
    this.context.placements.release(this.context.scope, tag);
    this.byTag.set(tag, { outcome: 'dryRun', tag, request });
  }
}
