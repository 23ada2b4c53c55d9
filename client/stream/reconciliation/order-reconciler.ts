/** Turns messages of the stream and views of the day's orders into events, each once, per order in order. */
import type { SvcToClientIntentUpdate } from '../../../proto/generated/messages';
import { beBasket, messageSteps } from './basket-messages';
import { basketSteps, basketViews, borneOut, enteredAt, owe } from './baskets';
import { ENDINGS, eventKey, latestTime, makeEvent, ownTime } from './order-event';
import {
  isLater,
  isToldModification,
  learnKey,
  learnStep,
  learnTerms,
  legOf,
  nothingKnown,
  packKnown,
  recoveredFill,
  stepsTo,
  type Given,
  type Known,
  type KnownLeg,
  type Step,
} from './delivered-state';
import type { Day, OrderEvent, OrderEventType, OrderSnapshot } from './types';
import type { ReadUpdate } from './order-message';

interface Entry {
  known: Known;
  /** The newest view of the order; undefined when only a cursor tells of it. */
  last: OrderSnapshot | undefined;
}

/** The state of the day's orders of one account, as far as it has been given out. */
export class OrderTracker {
  private readonly entries = new Map<string, Entry>();
  /** The orders of baskets, as the list showed them. */
  private readonly legs = new Map<string, OrderSnapshot>();
  /** The baskets that were listed last. */
  private listed: ReadonlySet<string> = new Set();
  /** Of which legs fills are owed by the stream, and whether that was so already when it last had the time to bring them. */
  private readonly owing = new Map<KnownLeg, boolean>();
  /** What baskets did before this instant (nanoseconds on the service's clock) is past; undefined when it is not known. */
  private since: string | undefined;
  /** The first list of baskets is still to come. */
  private isAwaiting = false;

  /**
   * Takes over orders without events: what the first look shows is past. With an instant (nanoseconds on the service's
   * clock), what happened after it is left for {@link recover}; a step whose time is not told counts as old as its order.
   */
  baseline(orders: Iterable<OrderSnapshot>, since?: string): void {
    const isNew = (time: string): boolean => since !== undefined && isLater(time, since);
    const old = [...orders].filter(({ kind, times }) => !isNew(kind === 'leg' ? times.filled : times.created));
    for (const view of this.seen(old)) {
      const { known } = this.entryOf(view);
      const past =
        view.kind === 'strategy'
          ? basketSteps(known, view)
          : stepsTo(known, view).filter(({ type }) => !isNew(ownTime(type, view)));
      for (const step of past) learnStep(known, step);
      if (!isNew(view.times.modified)) learnTerms(known, view);
    }
    this.resumeBaskets(since, false);
  }

  /**
   * What baskets did before an instant (nanoseconds on the service's clock) is past. Of the first list of baskets, unless it
   * was seen, that is all whose time is not told, or simply all where the instant is not known.
   */
  resumeBaskets(since: string | undefined, isSeen: boolean): void {
    this.since = since;
    this.isAwaiting = !isSeen;
  }

  /**
   * Takes over the first list of baskets without events, if it is the first one. A record has no times but those of its
   * orders: accepted, rejected and cancelled it was when it was placed; entered and closed, when its orders filled last. An
   * end that they do not bear out has only just come, and is left for {@link recover}.
   * @returns the baskets of which it shows what is past, with what is known of them now; undefined when it is not the first.
   */
  firstBaskets({ orders, baskets: records }: Day): [orderId: string, state: string][] | undefined {
    if (!this.isAwaiting || records === undefined) return undefined;
    const { since } = this;
    this.isAwaiting = false;
    this.listed = new Set(records.map(({ orderId }) => orderId));
    const isNew = (time: string): boolean => since !== undefined && isLater(time, since);
    for (const order of orders) if (order.kind === 'leg') this.legs.set(order.orderId, order);
    const legs = [...this.legs.values()].filter(({ basketId }) => this.listed.has(basketId));
    const { unsure } = borneOut(legs, records, new Map());
    return basketViews(legs, records).flatMap((shown) => {
      const view = since !== undefined && unsure.has(shown.orderId) ? { ...shown, end: '' as const } : shown;
      const { known } = this.entryOf(view);
      const timeOfStep = (type: OrderEventType, part: Step['part']): string =>
        part === 'entered' ? enteredAt(view) : type === 'executed' ? view.times.filled : view.times.created;
      const past = basketSteps(known, view).filter(({ type, fill, part }) => !fill && !isNew(timeOfStep(type, part)));
      for (const step of past) learnStep(known, step);
      return past.length === 0 ? [] : [[view.orderId, packKnown(known)]];
    });
  }

  /** Goes on from what was given out earlier. */
  resume(orderId: string, known: Known): void {
    this.entries.set(orderId, { known, last: undefined });
    this.watchOwed(known);
  }

  /** Events of one message of the stream: none when it repeats what is known. */
  update(read: ReadUpdate, message: SvcToClientIntentUpdate): OrderEvent[] {
    const { known } = this.entryOf(read.order);
    return giveOut(known, read.order, this.stepsOf(known, read), message);
  }

  /** As `update`, for one who does not ask for the events. */
  follow(read: ReadUpdate): void {
    const { known } = this.entryOf(read.order);
    for (const { step } of this.stepsOf(known, read)) learnStep(known, step);
    learnTerms(known, read.order);
  }

  /**
   * Events that views of orders, and records of baskets, show and that have not been given out.
   * @param records all baskets of the day; undefined when they were not asked for.
   */
  recover(orders: Iterable<OrderSnapshot>, records?: readonly OrderSnapshot[]): OrderEvent[] {
    if (records) this.listed = new Set(records.map(({ orderId }) => orderId));
    return this.seen(orders, records).flatMap((view) => {
      const entry = this.entryOf(view);
      entry.last = view;
      const steps = this.missing(entry.known, view);
      const events = giveOut(
        entry.known,
        view,
        steps.map((step) => ({ step, live: false })),
        undefined,
      );
      if (view.kind === 'strategy' && steps.length > 0) this.owe(entry.known, view, steps, events);
      return events;
    });
  }

  /** The orders, and the records of baskets, that show more than has been given out. */
  ahead(orders: readonly OrderSnapshot[], records: readonly OrderSnapshot[] = []): OrderSnapshot[] {
    const behind = new Set<string>();
    for (const view of basketViews(orders, records)) {
      if (this.missing(this.entries.get(view.orderId)?.known ?? nothingKnown(), view).length > 0)
        behind.add(view.orderId);
    }
    return [...orders, ...records].filter((order) => behind.has(order.kind === 'leg' ? order.basketId : order.orderId));
  }

  /** Whether a basket is known that has not ended. */
  get hasBaskets(): boolean {
    for (const { known } of this.entries.values()) if (known.marks.has('basket') && known.end === '') return true;
    return false;
  }

  /** What was sent before the last comparison but one has arrived, or never will. */
  settled(): void {
    for (const [leg, isOld] of this.owing) {
      if (isOld) leg.owed = undefined;
      if (leg.owed === undefined) this.owing.delete(leg);
      else this.owing.set(leg, true);
    }
  }

  /** The newest view of every order. */
  *views(): Generator<OrderSnapshot> {
    for (const { last } of this.entries.values()) if (last?.kind === 'order') yield last;
    yield* this.legs.values();
  }

  /** What has been given out of every order, for a cursor that starts here. */
  *states(): Generator<[orderId: string, state: string]> {
    for (const [orderId, { known }] of this.entries) yield [orderId, packKnown(known)];
  }

  /** Forgets orders. */
  drop(orderIds: readonly string[]): void {
    for (const orderId of orderIds) {
      this.entries.delete(orderId);
      this.legs.delete(orderId);
    }
  }

  /** The orders that are no longer among the day's and were last heard of before an instant. */
  past(orders: readonly OrderSnapshot[], before: string): string[] {
    const listed = new Set(orders.map(({ orderId }) => orderId));
    for (const basketId of this.listed) listed.add(basketId);
    const isPast = ([orderId, { last }]: [string, Entry]): boolean =>
      !listed.has(orderId) && (last === undefined || !isLater(latestTime(last), before));
    const legs = [...this.legs.keys()].filter((orderId) => !listed.has(orderId));
    return [...[...this.entries].filter(isPast).map(([orderId]) => orderId), ...legs];
  }

  private stepsOf(known: Known, read: ReadUpdate): Given[] {
    const { order } = read;
    const entry = this.entryOf(order);
    if (entry.last === undefined || !isLater(entry.last.times.updated, order.times.updated)) entry.last = order;
    return order.kind === 'strategy' ? messageSteps(known, read, this.isAwaiting) : liveSteps(known, read);
  }

  /** Takes note of what the lists show of baskets; gives out what is to be compared. */
  private seen(orders: Iterable<OrderSnapshot>, records: Iterable<OrderSnapshot> = []): OrderSnapshot[] {
    const all = [...orders];
    for (const order of all) if (order.kind === 'leg') this.legs.set(order.orderId, order);
    return basketViews(all, records);
  }

  /** Before the first list of baskets nobody knows which of their steps are past; their fills have times of their own. */
  private missing(known: Known, view: OrderSnapshot): Step[] {
    if (view.kind !== 'strategy') return stepsTo(known, view);
    return basketSteps(known, view).filter(
      ({ fill, part, at }) => fill !== undefined || !(this.isAwaiting || (part === 'entered' && this.isPast(at))),
    );
  }

  private isPast(at = '0'): boolean {
    return this.since !== undefined && at !== '0' && !isLater(at, this.since);
  }

  private owe(known: Known, view: OrderSnapshot, steps: readonly Step[], events: readonly OrderEvent[]): void {
    for (const step of steps) owe(known, step, view.times.filled);
    this.watchOwed(known);
    const last = events.at(-1);
    if (last) last.after = packKnown(known);
  }

  private watchOwed({ legs }: Known): void {
    for (const leg of legs) if (leg.owed) this.owing.set(leg, false);
  }

  private entryOf(order: OrderSnapshot): Entry {
    let entry = this.entries.get(order.orderId);
    if (entry === undefined) {
      entry = { known: nothingKnown(), last: order };
      this.entries.set(order.orderId, entry);
    }
    if (order.kind === 'strategy') beBasket(entry.known);
    return entry;
  }
}

/** Makes the events of steps and takes note of them. */
function giveOut(
  known: Known,
  order: OrderSnapshot,
  steps: readonly Given[],
  message: SvcToClientIntentUpdate | undefined,
): OrderEvent[] {
  const events = steps.map(({ step, live }) => {
    learnStep(known, step);
    return makeEvent(known, order, step, !live, live ? message : undefined);
  });
  learnTerms(known, order);
  const last = events.at(-1);
  if (last) last.after = packKnown(known);
  return events;
}

/** The steps of a message: what it shows to have been missed, and its own, which is live. */
function liveSteps(known: Known, read: ReadUpdate): Given[] {
  const { type, order, trade } = read;
  if (trade) return fillSteps(known, order, trade);
  const steps = stepsTo(known, order);
  const own = steps.find((step) => isSameStep(step.type, type));
  if (own)
    return steps.map((step) =>
      step === own ? { step: { ...step, type }, live: true } : { step, live: step.type === 'executed' },
    );
  const rest = steps.map((step) => ({ step, live: step.type === 'executed' || step.type === 'expired' }));
  return isRepeat(known, read) ? rest : [...rest, { step: { type }, live: true }];
}

function isSameStep(step: OrderEventType, type: OrderEventType): boolean {
  return step === type || (step === 'cancelled' && type === 'unsolicitedCancel');
}

/** Whether the message's own event, which is not among the steps, was given out before. */
function isRepeat(known: Known, { type, order }: ReadUpdate): boolean {
  if (type === 'modified') {
    const { modified } = order.times;
    return modified === '0'
      ? !learnKey(known, eventKey({ type }, order))
      : !isLater(modified, known.modified) || isToldModification(known, order);
  }
  if (type === 'accepted' || type === 'entryTriggered' || ENDINGS.includes(type)) return true;
  return !learnKey(known, eventKey({ type }, order));
}

function fillSteps(
  known: Known,
  order: OrderSnapshot,
  trade: { refId: number; quantity: number; price: number },
): Given[] {
  const steps: Given[] = [];
  for (const step of stepsTo(known, order)) {
    if (step.fill?.refId !== trade.refId) {
      steps.push({ step, live: step.type === 'executed' });
      continue;
    }
    const { to } = step.fill;
    const start = to - trade.quantity;
    const before = legOf(known, trade.refId);
    if (start > before.filled) {
      const leg = order.legs.find(({ refId }) => refId === trade.refId);
      const value = (leg?.averagePrice ?? 0) * to - trade.quantity * trade.price;
      steps.push({ step: { type: 'fill', fill: recoveredFill(before, trade.refId, start, value) }, live: false });
    }
    const from = Math.max(start, before.filled);
    steps.push({
      step: { type: 'fill', fill: { ...trade, quantity: to - from, from, to, exact: from === start } },
      live: true,
    });
  }
  return steps;
}
