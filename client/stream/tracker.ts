/** Turns messages of the stream and views of the day's orders into events, each once, per order in order. */
import { createHash } from 'crypto';
import type { SvcToClientIntentUpdate } from '../../proto/generated/messages';
import { Baskets, basketViews } from './baskets';
import { isLater, learnKey, learnStep, learnTerms, legOf, nothingKnown, packKnown, recoveredFill, stepsTo, type Known, type Step } from './known';
import type { OrderEvent, OrderEventType, OrderSnapshot } from './types';
import type { ReadUpdate } from './update';

interface Entry {
  known: Known;
  /** The newest view of the order; undefined when only a cursor tells of it. */
  last: OrderSnapshot | undefined;
}

const ENDINGS: readonly OrderEventType[] = ['cancelled', 'unsolicitedCancel', 'expired', 'rejected', 'executed'];
/** What the day's orders show of a cancellation does not tell who asked for it. */
const MAYBE: Partial<Record<OrderEventType, readonly OrderEventType[]>> = { cancelled: ['unsolicitedCancel'] };

/** The state of the day's orders of one account, as far as it has been given out. */
export class OrderTracker {
  private readonly entries = new Map<string, Entry>();
  private readonly baskets = new Baskets();

  /**
   * Takes over orders without events: what the first look shows is past. With an instant (nanoseconds on the service's
   * clock), what happened after it is left for {@link recover}; a step whose time is not told counts as old as its order.
   */
  baseline(orders: Iterable<OrderSnapshot>, since?: string): void {
    const isNew = (time: string): boolean => since !== undefined && isLater(time, since);
    const old = [...orders].filter(({ kind, times }) => !isNew(kind === 'leg' ? times.filled : times.created));
    for (const view of this.baskets.seen(old)) {
      const { known } = this.entryOf(view);
      const past = view.kind === 'strategy' ? stepsTo(known, view) : stepsTo(known, view).filter(({ type }) => !isNew(ownTime(type, view)));
      for (const step of past) learnStep(known, step);
      if (!isNew(view.times.modified)) learnTerms(known, view);
    }
  }

  /** Goes on from what was given out earlier. */
  resume(orderId: string, known: Known): void {
    this.entries.set(orderId, { known, last: undefined });
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

  /** Events that views of orders show and that have not been given out. */
  recover(orders: Iterable<OrderSnapshot>): OrderEvent[] {
    return this.baskets.seen(orders).flatMap((view) => {
      const entry = this.entryOf(view);
      entry.last = view;
      const missed = view.kind === 'strategy' ? stepsTo(entry.known, view).filter(({ fill }) => fill) : stepsTo(entry.known, view);
      for (const { fill } of missed) if (fill && view.kind === 'strategy') this.baskets.owe(view.orderId, fill);
      return giveOut(
        entry.known,
        view,
        missed.map((step) => ({ step, live: false })),
        undefined,
      );
    });
  }

  /** The orders that show more than has been given out. */
  ahead(orders: readonly OrderSnapshot[]): OrderSnapshot[] {
    const behind = new Set<string>();
    for (const view of basketViews(orders)) {
      const known = this.entries.get(view.orderId)?.known ?? nothingKnown();
      const steps = stepsTo(known, view);
      if (steps.some(({ fill }) => view.kind !== 'strategy' || fill !== undefined)) behind.add(view.orderId);
    }
    return orders.filter((order) => behind.has(order.kind === 'leg' ? order.basketId : order.orderId));
  }

  /** What was sent before the last comparison has arrived, or never will. */
  settled(): void {
    this.baskets.forgive();
  }

  /** The newest view of every order. */
  *views(): Generator<OrderSnapshot> {
    for (const { last } of this.entries.values()) if (last?.kind === 'order') yield last;
    yield* this.baskets.legs.values();
  }

  /** What has been given out of every order, for a cursor that starts here. */
  *states(): Generator<[orderId: string, state: string]> {
    for (const [orderId, { known }] of this.entries) yield [orderId, packKnown(known)];
  }

  /** Forgets orders. */
  drop(orderIds: readonly string[]): void {
    for (const orderId of orderIds) {
      this.entries.delete(orderId);
      this.baskets.legs.delete(orderId);
    }
  }

  /** The orders that are no longer among the day's and were last heard of before an instant. */
  past(orders: readonly OrderSnapshot[], before: string): string[] {
    const listed = new Set(orders.map(({ orderId }) => orderId));
    const isPast = ([orderId, { last }]: [string, Entry]): boolean => !listed.has(orderId) && (last === undefined || !isLater(latestTime(last), before));
    const legs = [...this.baskets.legs.keys()].filter((orderId) => !listed.has(orderId));
    return [...[...this.entries].filter(isPast).map(([orderId]) => orderId), ...legs];
  }

  private stepsOf(known: Known, read: ReadUpdate): Given[] {
    const { order } = read;
    const entry = this.entryOf(order);
    if (entry.last === undefined || !isLater(entry.last.times.updated, order.times.updated)) entry.last = order;
    return order.kind === 'strategy' ? this.strategySteps(known, read) : liveSteps(known, read);
  }

  /**
   * A basket's messages are told apart by their content: its states and its trades come more than once. A trade whose
   * fill was recovered already is not told again.
   */
  private strategySteps(known: Known, { type, order, trade }: ReadUpdate): Given[] {
    const own = trade ? `${trade.refId}:${trade.quantity}:${trade.price}` : '';
    if (!learnKey(known, contentKey(type, order, own))) return [];
    if (!trade) return [{ step: { type }, live: true }];
    const paid = this.baskets.pay(order.orderId, trade.refId, trade.quantity);
    const quantity = trade.quantity - paid;
    if (quantity === 0) return [];
    const from = legOf(known, trade.refId).filled;
    return [{ step: { type: 'fill', fill: { ...trade, quantity, from, to: from + quantity, exact: paid === 0 } }, live: true }];
  }

  private entryOf(order: OrderSnapshot): Entry {
    let entry = this.entries.get(order.orderId);
    if (entry === undefined) {
      entry = { known: nothingKnown(), last: order };
      this.entries.set(order.orderId, entry);
    }
    return entry;
  }
}

interface Given {
  step: Step;
  live: boolean;
}

/** Makes the events of steps and takes note of them. */
function giveOut(known: Known, order: OrderSnapshot, steps: readonly Given[], message: SvcToClientIntentUpdate | undefined): OrderEvent[] {
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
  if (own) return steps.map((step) => (step === own ? { step: { ...step, type }, live: true } : { step, live: step.type === 'executed' }));
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
    return modified === '0' ? !learnKey(known, eventKey(type, order)) : !isLater(modified, known.modified);
  }
  if (type === 'accepted' || type === 'entryTriggered' || ENDINGS.includes(type)) return true;
  return !learnKey(known, eventKey(type, order));
}

function fillSteps(known: Known, order: OrderSnapshot, trade: { refId: number; quantity: number; price: number }): Given[] {
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
    steps.push({ step: { type: 'fill', fill: { ...trade, quantity: to - from, from, to, exact: from === start } }, live: true });
  }
  return steps;
}

function makeEvent(known: Known, order: OrderSnapshot, step: Step, recovered: boolean, raw: SvcToClientIntentUpdate | undefined): OrderEvent {
  return {
    type: step.type,
    maybe: recovered ? (MAYBE[step.type] ?? []) : [],
    key: `${order.orderId}:${eventKey(step.type, order, step.fill)}`,
    recovered,
    order,
    fill: step.fill,
    at: timeOf(step.type, order),
    after: packKnown(known),
    raw,
  };
}

/** Unique within the order, and the same whether the event is live or recovered. */
function eventKey(type: OrderEventType, order: OrderSnapshot, fill?: { refId: number; to: number }): string {
  if (fill) return `fill:${fill.refId}:${fill.to}`;
  if (order.kind === 'strategy') return contentKey(type, order);
  if (ENDINGS.includes(type)) return 'end';
  if (type === 'accepted' || type === 'entryTriggered') return type;
  const { modified } = order.times;
  if (type === 'modified' && modified !== '0') return `modified:${modified}`;
  return contentKey(type, order);
}

/** For events that may come again: what tells one from the next. */
function contentKey(type: OrderEventType, { times, price, quantity, triggerPrice, filled, reason }: OrderSnapshot, own = ''): string {
  const content = [times.updated, price, quantity, triggerPrice ?? '', filled, reason, own].join(':');
  return `${type}:${createHash('sha256').update(content).digest('base64url').slice(0, 16)}`;
}

function timeOf(type: OrderEventType, view: OrderSnapshot): string {
  const own = ownTime(type, view);
  if (own !== '0') return own;
  return view.times.updated !== '0' ? view.times.updated : view.times.created;
}

/** When the order got there, as far as its times tell that very thing; '0' otherwise. */
function ownTime(type: OrderEventType, { times }: OrderSnapshot): string {
  const own = {
    accepted: times.accepted,
    fill: times.filled,
    executed: times.filled,
    cancelled: times.cancelled,
    unsolicitedCancel: times.cancelled,
    modified: times.modified,
  } as Partial<Record<OrderEventType, string>>;
  return own[type] ?? '0';
}

function latestTime({ times }: OrderSnapshot): string {
  return Object.values(times).reduce((latest, time) => (isLater(time, latest) ? time : latest), '0');
}
