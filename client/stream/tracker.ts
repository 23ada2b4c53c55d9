/** Turns messages of the stream and views of the day's orders into events, each once, per order in order. */
import { createHash } from 'crypto';
import type { SvcToClientIntentUpdate } from '../../proto/generated/messages';
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

  get size(): number {
    return this.entries.size;
  }

  /** Takes over orders as they are, without events: what happened before the first look. */
  baseline(orders: Iterable<OrderSnapshot>): void {
    for (const order of orders) {
      const known = nothingKnown();
      for (const step of stepsTo(known, order)) learnStep(known, step);
      learnTerms(known, order);
      this.entries.set(order.orderId, { known, last: order });
    }
  }

  /** Goes on from what was given out earlier. */
  resume(orderId: string, known: Known): void {
    this.entries.set(orderId, { known, last: undefined });
  }

  /** Events of one message of the stream: none when it repeats what is known. */
  update(read: ReadUpdate, message: SvcToClientIntentUpdate): OrderEvent[] {
    const entry = this.entryOf(read.order);
    const { last } = entry;
    if (last === undefined || !isLater(last.times.updated, read.order.times.updated)) entry.last = { ...read.order, basketId: last?.basketId ?? '0' };
    return giveOut(entry.known, read.order, liveSteps(entry.known, read), message);
  }

  /** Events that views of orders show and that have not been given out. */
  recover(orders: Iterable<OrderSnapshot>): OrderEvent[] {
    const events: OrderEvent[] = [];
    for (const order of orders) {
      const entry = this.entryOf(order);
      entry.last = order;
      const missed = stepsTo(entry.known, order).map((step) => ({ step, live: false }));
      events.push(...giveOut(entry.known, order, missed, undefined));
    }
    return events;
  }

  /** The orders that show more than has been given out. */
  ahead(orders: readonly OrderSnapshot[]): OrderSnapshot[] {
    return orders.filter((order) => stepsTo(this.entries.get(order.orderId)?.known ?? nothingKnown(), order).length > 0);
  }

  /** The newest view of every order. */
  *views(): Generator<OrderSnapshot> {
    for (const { last } of this.entries.values()) if (last) yield last;
  }

  /** What has been given out of every order, for a cursor that starts here. */
  *states(): Generator<[orderId: string, state: string]> {
    for (const [orderId, { known }] of this.entries) yield [orderId, packKnown(known)];
  }

  /** Forgets orders. */
  drop(orderIds: readonly string[]): void {
    for (const orderId of orderIds) this.entries.delete(orderId);
  }

  /** The orders that are no longer among the day's and were last heard of before an instant. */
  past(orders: readonly OrderSnapshot[], before: string): string[] {
    const listed = new Set(orders.map(({ orderId }) => orderId));
    const isPast = ([orderId, { last }]: [string, Entry]): boolean => !listed.has(orderId) && (last === undefined || !isLater(latestTime(last), before));
    return [...this.entries].filter(isPast).map(([orderId]) => orderId);
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
  if (ENDINGS.includes(type)) return 'end';
  if (type === 'accepted' || type === 'entryTriggered') return type;
  const { modified, updated } = order.times;
  if (type === 'modified' && modified !== '0') return `modified:${modified}`;
  const content = [updated, order.price, order.quantity, order.triggerPrice ?? '', order.filled, order.reason].join(':');
  return `${type}:${createHash('sha256').update(content).digest('base64url').slice(0, 16)}`;
}

function timeOf(type: OrderEventType, { times }: OrderSnapshot): string {
  const own = {
    accepted: times.accepted,
    fill: times.filled,
    executed: times.filled,
    cancelled: times.cancelled,
    unsolicitedCancel: times.cancelled,
    modified: times.modified,
  } as Partial<Record<OrderEventType, string>>;
  const time = own[type];
  return time !== undefined && time !== '0' ? time : times.updated !== '0' ? times.updated : times.created;
}

function latestTime({ times }: OrderSnapshot): string {
  return Object.values(times).reduce((latest, time) => (isLater(time, latest) ? time : latest), '0');
}
