/** Turns messages of the stream and views of the day's lists into events: each once, and those of one order in order. */
import type { SvcToClientIntentUpdate } from '../../../proto/generated/messages';
import {
  basketMessageSteps,
  basketSteps,
  isAfter,
  markAsBasket,
  recordRecovered,
  timeOfBasketStep,
} from './basket-steps';
import { basketViews, confirmedByOrders } from './basket-views';
import { isLater } from '../../orders/model/order-snapshot';
import {
  nothingDelivered,
  recordStep,
  recordTerms,
  termsOf,
  type LegAsDelivered,
  type OrderAsDelivered,
  type SourcedStep,
  type OrderStep,
} from './order-as-delivered';
import { recordExit } from './exit-steps';
import { OrderIdentities, streamedTermsOf, type KnownOrder } from './order-identity';
import { latestTime, makeEvent, ownTime } from './order-event';
import type { OrderMessage } from './order-message';
import { MAX_STAMP_DIFFERENCE_NS, messageSteps, orderSteps } from './order-steps';
import { packState } from './state-codec';
import type { ListedDay, OrderEvent } from './types';
import type { OrderSnapshot } from '../../orders/model/order-snapshot';

interface Entry extends KnownOrder {
  state: OrderAsDelivered;
}

/**
 * The delivered state of orders of one account. A feed has one for all orders of the day, which every message and every comparison passes
 * once. A trigger has one for those orders whose delivered events differ from the account's (see consumer.ts).
 */
export class OrderReconciler {
  private readonly entries = new Map<string, Entry>();
  /** The orders of baskets, as the list showed them. */
  private readonly legs = new Map<string, OrderSnapshot>();
  /** The baskets that were listed last. */
  private listed: ReadonlySet<string> = new Set();
  /**
   * Legs that have recovered fills which the stream may still bring, and whether that was so already at the last comparison
   * but one.
   */
  private readonly unstreamed = new Map<LegAsDelivered, boolean>();
  /** Events of baskets before this instant (nanoseconds on the service's clock) are past; undefined if unknown. */
  private since: string | undefined;
  private awaitsBaskets = false;
  private readonly identities = new OrderIdentities(this.entries);
  private readonly misread: string[] = [];

  /**
   * Takes over orders without events: what the first look shows is past.
   * @param since nanoseconds on the service's clock: what happened after it is left for {@link recover}. A step whose time
   *   is not told counts as old as its order.
   */
  baseline(orders: Iterable<OrderSnapshot>, since?: string): void {
    const isNew = (time: string): boolean => isAfter(time, since);
    const old = [...orders].filter(({ kind, times }) => !isNew(kind === 'leg' ? times.filled : times.created));
    for (const view of this.viewsOf(old)) {
      const { state } = this.entryOf(view);
      const past =
        view.kind === 'strategy'
          ? basketSteps(state, view)
          : orderSteps(state, view).filter(({ type }) => !isNew(ownTime(type, view)));
      for (const step of past) {
        recordStep(state, step);
        recordExit(state, step);
      }
      if (!isNew(view.times.modified)) recordTerms(state, view);
    }
    this.resumeBaskets(since, false);
  }

  /**
   * Says what of baskets is past.
   * @param since nanoseconds on the service's clock: what baskets did before it is past; undefined if unknown.
   * @param isSeen whether a list of baskets was seen. Of the first one, what has no time is past; without `since`, all is.
   */
  resumeBaskets(since: string | undefined, isSeen: boolean): void {
    this.since = since;
    this.awaitsBaskets = !isSeen;
  }

  /**
   * Takes over the first list of baskets without events, if it is the first one. A record has no times but those of its orders: it counts
   * as accepted, rejected or cancelled at its placing, and as entered or closed at the last fill of its orders. An end that its orders do
   * not confirm is very recent, and is left for {@link recover}.
   * @returns the baskets whose past it shows, with their delivered state; undefined if it is not the first.
   */
  firstBaskets({ orders, baskets: records }: ListedDay): [orderId: string, state: string][] | undefined {
    if (!this.awaitsBaskets || records === undefined) return undefined;
    const { since } = this;
    this.awaitsBaskets = false;
    this.listed = new Set(records.map(({ orderId }) => orderId));
    for (const order of orders) if (order.kind === 'leg') this.legs.set(order.orderId, order);
    const legs = [...this.legs.values()].filter(({ basketId }) => this.listed.has(basketId));
    const { unconfirmed } = confirmedByOrders(legs, records, new Map());
    return basketViews(legs, records).flatMap((shown) => {
      const view = since !== undefined && unconfirmed.has(shown.orderId) ? { ...shown, end: '' as const } : shown;
      const { state } = this.entryOf(view);
      const past = basketSteps(state, view).filter(
        (step) => (!step.fill || view.isWhole === true) && !isAfter(timeOfBasketStep(step, view), since),
      );
      for (const step of past) recordStep(state, step);
      return past.length === 0 ? [] : [[view.orderId, packState(state)]];
    });
  }

  /** Goes on from what was delivered of an order earlier. */
  resume(orderId: string, state: OrderAsDelivered): void {
    this.entries.set(orderId, { state, last: undefined });
    this.watchUnstreamed(state);
  }

  /** Events of one message of the stream: none when it repeats what was delivered. */
  update(message: OrderMessage): OrderEvent[] {
    const { order, raw, trade } = message;
    const isKnown = this.entries.has(order.orderId);
    const entry = this.entryOf(order);
    if (entry.last === undefined || !isOlder(order, entry.last)) {
      entry.last = order;
      entry.streamed = streamedTermsOf(order);
    }
    const { state } = entry;
    const steps =
      order.kind === 'strategy' ? basketMessageSteps(state, message, this.awaitsBaskets) : messageSteps(state, message);
    // The time of the last fill is that of the message's own trade, not of those before it.
    const timeOf = (step: OrderStep): string => {
      if (!(step.fill && trade)) return timeOfStep(step, order);
      return isKnown ? '0' : listedBy(order);
    };
    return deliver({ state, order, isKnown, raw, timeOf }, steps);
  }

  /**
   * Events that views of orders, and records of baskets, show and that have not been delivered.
   * @param records all baskets of the day; undefined if they were not asked for.
   */
  recover(orders: Iterable<OrderSnapshot>, records?: readonly OrderSnapshot[]): OrderEvent[] {
    if (records) this.listed = new Set(records.map(({ orderId }) => orderId));
    return this.viewsOf(orders, records).flatMap((view) => {
      const isKnown = this.entries.has(view.orderId);
      const entry = this.entryOf(view);
      if (entry.last === undefined || !isBehind(view, entry.last)) entry.last = view;
      const { state } = entry;
      const steps = this.missing(state, view).map((step) => ({ step, live: false }));
      const isBasket = view.kind === 'strategy';
      const source = {
        state,
        order: view,
        isKnown,
        raw: undefined,
        timeOf: (step: OrderStep) => timeOfStep(step, view),
      };
      const events = deliver(isBasket ? { ...source, streamsLater: true } : source, steps);
      if (isBasket && steps.length > 0) this.watchUnstreamed(state);
      return events;
    });
  }

  /**
   * Returns why views cannot be of the orders whose ids they have, as a sentence; undefined if they can. A list is believed rather than a
   * message that came before it: what that one told of the order is forgotten (see {@link takeMisread}).
   */
  contradiction(views: readonly OrderSnapshot[]): string | undefined {
    return this.identities.contradiction(views, (orderId) => {
      this.drop([orderId]);
      this.misread.push(orderId);
    });
  }

  /** Returns the orders whose messages the list has contradicted since the last call. */
  takeMisread(): string[] {
    return this.misread.splice(0);
  }

  /** The orders, and the records of baskets, that show more than has been delivered. */
  ahead(orders: readonly OrderSnapshot[], records: readonly OrderSnapshot[] = []): OrderSnapshot[] {
    const behind = new Set<string>();
    for (const view of basketViews(orders, records)) {
      if (this.missing(this.stateOf(view.orderId) ?? nothingDelivered(), view).length > 0) behind.add(view.orderId);
    }
    return [...orders, ...records].filter((order) => behind.has(order.kind === 'leg' ? order.basketId : order.orderId));
  }

  /** True if a known basket has not ended. */
  get hasBaskets(): boolean {
    for (const { state } of this.entries.values()) if (state.marks.has('basket') && state.end === '') return true;
    return false;
  }

  /** True until the first list of baskets comes: before it, nothing shows which of their steps are past. */
  get isAwaitingBaskets(): boolean {
    return this.awaitsBaskets;
  }

  /**
   * Says that all has arrived that was sent before the last comparison but one: what was recovered before it, and the stream
   * has not brought by now, it will not bring.
   */
  confirmedOrders(): void {
    for (const [leg, isOld] of this.unstreamed) {
      if (isOld) leg.unstreamed = undefined;
      if (leg.unstreamed === undefined) this.unstreamed.delete(leg);
      else this.unstreamed.set(leg, true);
    }
  }

  /** The newest view of every order, for a trigger that begins later. A later message does not tell of a trigger before it. */
  *views(): Generator<OrderSnapshot> {
    for (const { last, state } of this.entries.values())
      if (last?.kind === 'order') yield { ...last, triggered: last.triggered || state.triggered };
    yield* this.legs.values();
  }

  /** Returns the orders with delivered events. */
  orderIds(): Iterable<string> {
    return this.entries.keys();
  }

  has(orderId: string): boolean {
    return this.entries.has(orderId);
  }

  /** Returns the delivered state of an order; it changes with the order. */
  stateOf(orderId: string): Readonly<OrderAsDelivered> | undefined {
    return this.entries.get(orderId)?.state;
  }

  /** The delivered state of every order as text, for a checkpoint that starts here. */
  *states(): Generator<[orderId: string, state: string]> {
    for (const [orderId, { state }] of this.entries) yield [orderId, packState(state)];
  }

  /** Forgets orders. */
  drop(orderIds: Iterable<string>): void {
    for (const orderId of orderIds) {
      this.identities.forget(orderId);
      this.entries.delete(orderId);
      this.legs.delete(orderId);
    }
  }

  /**
   * The orders that are no longer among the day's and were last heard of before an instant.
   * @param before nanoseconds on the service's clock.
   */
  past(orders: readonly OrderSnapshot[], before: string): string[] {
    const listed = new Set(orders.map(({ orderId }) => orderId));
    for (const basketId of this.listed) listed.add(basketId);
    const isPast = ([orderId, { last }]: [string, Entry]): boolean =>
      !listed.has(orderId) && (last === undefined || !isLater(latestTime(last), before));
    const legs = [...this.legs.keys()].filter((orderId) => !listed.has(orderId));
    return [...[...this.entries].filter(isPast).map(([orderId]) => orderId), ...legs];
  }

  /** Takes note of what the lists show of baskets; returns what is to be compared. */
  private viewsOf(orders: Iterable<OrderSnapshot>, records: Iterable<OrderSnapshot> = []): OrderSnapshot[] {
    const all = [...orders];
    for (const order of all) if (order.kind === 'leg') this.legs.set(order.orderId, order);
    return basketViews(all, records);
  }

  /**
   * Returns the missing steps. Before the first list of baskets, nothing shows which of their steps are past; their fills have separate
   * times.
   */
  private missing(state: OrderAsDelivered, view: OrderSnapshot): OrderStep[] {
    if (view.kind !== 'strategy') return orderSteps(state, view);
    return basketSteps(state, view).filter(
      ({ fill, part, at }) => fill !== undefined || !(this.awaitsBaskets || (part === 'entered' && this.isPast(at))),
    );
  }

  private isPast(at = '0'): boolean {
    return this.since !== undefined && at !== '0' && !isLater(at, this.since);
  }

  private watchUnstreamed({ legs }: OrderAsDelivered): void {
    for (const leg of legs) if (leg.unstreamed) this.unstreamed.set(leg, false);
  }

  private entryOf(order: OrderSnapshot): Entry {
    let entry = this.entries.get(order.orderId);
    if (entry?.last === undefined) this.identities.note(order);
    if (entry === undefined) {
      entry = { state: nothingDelivered(), last: order };
      this.entries.set(order.orderId, entry);
    }
    if (order.kind === 'strategy') markAsBasket(entry.state);
    return entry;
  }
}

/** Returns true if a message has an earlier time than the view. The list has no time of its last change: its content decides. */
function isOlder(message: OrderSnapshot, view: OrderSnapshot): boolean {
  return (
    isLater(view.times.updated, message.times.updated) ||
    isLater(view.times.modified, message.times.modified) ||
    message.filled < view.filled ||
    (view.end !== '' && message.end === '') ||
    (view.accepted && !message.accepted && message.end === '')
  );
}

/** Returns true if a list shows less of an order than the newest view: it lags. */
function isBehind(view: OrderSnapshot, last: OrderSnapshot): boolean {
  const modifiedBy = BigInt(last.times.modified) - BigInt(view.times.modified);
  return (
    (modifiedBy > MAX_STAMP_DIFFERENCE_NS && termsOf(last) !== termsOf(view)) ||
    view.filled < last.filled ||
    (last.end !== '' && view.end === '')
  );
}

/** An order shows in the list up to two seconds after it was placed (docs/service/order-life.md#acknowledgement-and-result), nanoseconds. */
const LIST_LAG = 3_000_000_000n;

/**
 * Returns the time by which an order must have been in the list, nanoseconds; '0' if its creation is unknown. For unseen fills of an
 * unknown order this is their time: a list that was read later and lacked it was incomplete, and the fills are as old as their order.
 */
function listedBy({ times: { created } }: OrderSnapshot): string {
  return created === '0' ? '0' : (BigInt(created) + LIST_LAG).toString();
}

/** Of one order: what its steps are made events with. */
interface Source {
  state: OrderAsDelivered;
  order: OrderSnapshot;
  /** True if the order was known before. */
  isKnown: boolean;
  raw: SvcToClientIntentUpdate | undefined;
  /** The own time of a step, nanoseconds; '0' where it is not told. */
  timeOf(step: OrderStep): string;
  /** A list told the steps first, so that the stream may still bring them. Each event says so: a checkpoint may end at any of them. */
  streamsLater?: boolean;
}

/** Makes the events of steps and records them as delivered. */
function deliver(
  { state, order, isKnown, raw, timeOf, streamsLater }: Source,
  steps: readonly SourcedStep[],
): OrderEvent[] {
  const events = steps.map(({ step, live }) => {
    recordStep(state, step);
    recordExit(state, step);
    if (streamsLater) recordRecovered(state, step, order.times.filled);
    const own = timeOf(step);
    const happenedAt = own === '0' && !isKnown ? order.times.created : own;
    return makeEvent(state, order, step, !live, live ? raw : undefined, happenedAt);
  });
  recordTerms(state, order);
  const last = events.at(-1);
  if (last) last.after = packState(state);
  return events;
}

/** The own time of a step, nanoseconds; '0' where it is not told. */
function timeOfStep({ type, at = '0' }: OrderStep, view: OrderSnapshot): string {
  return at === '0' ? ownTime(type, view) : at;
}
