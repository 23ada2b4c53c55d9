/**
 * Undelivered steps in a view of a basket, or in a message about it. A list may show a step before the stream does. Such a step is recorded
 * as recovered, and the stream's own message about it is then passed over, once.
 */
import { isLater } from '../../orders/model/order-snapshot';
import {
  filledValue,
  legOf,
  recordKey,
  recoveredFill,
  type BasketPart,
  type LegAsDelivered,
  type OrderAsDelivered,
  type BasketFlag,
  type SourcedStep,
  type OrderStep,
} from './order-as-delivered';
import { enteredAt } from './basket-views';
import { exitOfTrade } from './exit-steps';
import { contentKey } from './order-event';
import type { OrderMessage } from './order-message';
import type { Fill } from './types';
import { MAX_STAMP_DIFFERENCE_NS } from './order-steps';
import type { ListedEntry, OrderEnd, OrderEventType, OrderSnapshot } from '../../orders/model/order-snapshot';

const RECOVERED: Record<BasketPart, BasketFlag> = {
  accepted: 'recovered accepted',
  entered: 'recovered entered',
  ended: 'recovered ended',
};

/** The steps that lead from the delivered state to what the view shows, in the order in which they must have happened. */
export function basketSteps(state: OrderAsDelivered, view: OrderSnapshot): OrderStep[] {
  const steps: OrderStep[] = [];
  const { times } = view;
  // A record's last time is that of its closing.
  const acceptedAt = times.accepted === '0' ? times.created : times.accepted;
  if (view.accepted && !state.accepted) steps.push({ type: 'accepted', part: 'accepted', at: acceptedAt });
  const exits: OrderStep[] = [];
  // Only the record of a strategy tells when it was closed.
  const isReported = times.updated !== '0';
  const closedAt = isReported ? times.updated : times.filled;
  for (const leg of view.legs) {
    let before: LegAsDelivered | { filled: number; value: number } = legOf(state, leg.refId);
    const entry = leg.entry as ListedEntry;
    if (entry.filled > before.filled) {
      const value = filledValue(entry.averagePrice, entry.filled);
      steps.push({
        type: 'fill',
        at: entry.at,
        // Of a basket that was entered on an earlier day the lists show orders of its exit only.
        fill: {
          ...recoveredFill(before, leg.refId, entry.filled, value),
          part: entry.side === leg.side ? 'entry' : null,
        },
      });
      before = { filled: entry.filled, value: Math.max(before.value, value) };
    }
    if (leg.filled > before.filled)
      exits.push({
        type: 'fill',
        at: closedAt,
        fill: {
          ...recoveredFill(before, leg.refId, leg.filled, filledValue(leg.averagePrice, leg.filled)),
          part: exitOfTrade(view.exits ?? []) ?? null,
        },
      });
  }
  if (view.entered && !isDelivered(state, 'entered') && !state.marks.has('exit began early'))
    steps.push({ type: 'executed', part: 'entered', at: enteredAt(view) });
  steps.push(...exits);
  if (view.end !== '' && state.end === '' && !wasEmitted(state, view.end))
    steps.push({
      type: view.end,
      part: 'ended',
      maybe: causesOf(state, view),
      ...(isReported ? { at: closedAt } : {}),
    });
  return steps;
}

function isDelivered(state: OrderAsDelivered, part: BasketPart): boolean {
  if (part === 'accepted') return state.accepted;
  return part === 'entered' ? state.marks.has('entered') : state.end !== '';
}

/**
 * Returns true if an event that may have been this end was delivered: some services report a cancellation or rejection with the status of
 * before, and a closing as an entry.
 */
function wasEmitted({ marks }: OrderAsDelivered, end: OrderEnd): boolean {
  return marks.has(`emitted ${end}` as BasketFlag);
}

/**
 * Records that a list told this step first, so that the stream may still bring it. A fill is recorded as delivered already.
 * @param at nanoseconds; up to when the list tells.
 */
export function recordRecovered(state: OrderAsDelivered, { fill, part }: OrderStep, at: string): void {
  if (fill) {
    const leg = state.legs.find(({ refId }) => refId === fill.refId) as LegAsDelivered;
    leg.unstreamed = { quantity: (leg.unstreamed?.quantity ?? 0) + fill.quantity, until: at };
    return;
  }
  state.marks.add(RECOVERED[part as BasketPart]);
  // Whoever has seen the end wants no beginning after it.
  if (part === 'ended' && !state.accepted) {
    state.accepted = true;
    state.marks.add(RECOVERED.accepted);
  }
}

/**
 * Returns the part of a stream's trade that was recovered before. If it was a new trade after all, the next comparison shows it.
 * @param at nanoseconds; time of the trade's message.
 */
function takeRecoveredFill(state: OrderAsDelivered, refId: number, quantity: number, at: string): number {
  const leg = state.legs.find((leg) => leg.refId === refId);
  if (leg?.unstreamed === undefined) return 0;
  const { until } = leg.unstreamed;
  if (until !== '0' && BigInt(at) > BigInt(until) + MAX_STAMP_DIFFERENCE_NS) return 0;
  const taken = Math.min(leg.unstreamed.quantity, quantity);
  leg.unstreamed = taken === leg.unstreamed.quantity ? undefined : { quantity: leg.unstreamed.quantity - taken, until };
  return taken;
}

/** Returns the other possible causes of a closing: the record gives none, but a cause that was delivered needs no other. */
function causesOf(state: OrderAsDelivered, view: OrderSnapshot): readonly OrderEventType[] {
  return state.marks.has('emitted exit') ? [] : (view.causes ?? []);
}

/** Events that cannot happen to a basket before its acceptance. */
const SHOWS_ACCEPTED: readonly OrderEventType[] = [
  'fill',
  'entryTriggered',
  'executed',
  'exitTimeReached',
  'stopLossTriggered',
  'targetTriggered',
  'trailUpdated',
  'cancelled',
  'unsolicitedCancel',
];

/**
 * The steps of a message about a basket. Messages are told apart by their content, as some may come more than once. What
 * was recovered is not told again.
 * @param isUnlisted whether no list of baskets has been seen, so that it may have been accepted before anybody listened.
 */
export function basketMessageSteps(state: OrderAsDelivered, message: OrderMessage, isUnlisted: boolean): SourcedStep[] {
  const { type, order, trade } = message;
  const own = trade ? `${trade.refId}:${trade.quantity}:${trade.price}` : '';
  if (!recordKey(state, contentKey(type, order, own))) return [];
  const step = ownStep(state, message);
  if (step === undefined) return [];
  if (exitsEarly(step, order)) state.marks.add('exit began early');
  if (state.accepted || isUnlisted || !SHOWS_ACCEPTED.includes(type)) return [{ step, live: true }];
  const accepted: OrderStep = { type: 'accepted', part: 'accepted' };
  recordRecovered(state, accepted, '0');
  return [
    { step: accepted, live: false },
    { step, live: true },
  ];
}

/**
 * The most units of a leg that can have traded by a message, which tells what the entry has filled of it: that, and its exit as much
 * again. A trade beyond them was told before, under another time. Infinity if the message does not tell.
 */
function mostTraded({ marks }: OrderAsDelivered, { legs }: OrderSnapshot, of: Pick<Fill, 'refId' | 'part'>): number {
  const { filled = 0 } = legs.find(({ refId }) => refId === of.refId) ?? {};
  if (filled === 0) return Infinity;
  return of.part === 'entry' && !marks.has('entered') ? filled : 2 * filled;
}

/** The step that a message itself tells of; undefined if it was told before. */
function ownStep(state: OrderAsDelivered, { type, order, trade, part }: OrderMessage): OrderStep | undefined {
  if (trade) {
    const taken = takeRecoveredFill(state, trade.refId, trade.quantity, order.times.updated);
    const from = legOf(state, trade.refId).filled;
    // After a closing on request no exit says that it was triggered.
    const partOf = trade.part === 'entry' && state.marks.has('emitted exit') ? 'close' : trade.part;
    const most = mostTraded(state, order, { refId: trade.refId, part: partOf });
    const quantity = Math.min(trade.quantity - taken, Math.max(0, most - from));
    return quantity === 0
      ? undefined
      : {
          type,
          fill: { ...trade, quantity, from, to: from + quantity, exact: quantity === trade.quantity, part: partOf },
        };
  }
  if (part === undefined || !isDelivered(state, part)) return { type, part: part ?? 'other' };
  const wasRecovered = state.marks.delete(RECOVERED[part]);
  return wasRecovered ? undefined : { type, part: 'other' };
}

/** An exit that begins before the basket is entered in full: it never will be. */
function exitsEarly({ type, part }: OrderStep, { status }: OrderSnapshot): boolean {
  return part === 'other' && (type === 'cancelled' || type === 'unsolicitedCancel') && status !== 'FILLED';
}

/** Marks a state as that of a basket. Earlier versions took an entry, and the beginning of an exit, for its end. */
export function markAsBasket(state: OrderAsDelivered): void {
  if (state.marks.has('basket')) return;
  state.marks.add('basket');
  if (state.end === 'executed') state.marks.add('entered');
  state.end = '';
}

/** Returns the time of a step in a record's first read, nanoseconds: a record has no times but those of its orders. */
export function timeOfBasketStep({ type, at = '0' }: OrderStep, view: OrderSnapshot): string {
  if (at !== '0') return at;
  return type === 'executed' ? view.times.filled : view.times.created;
}

/** Returns true if it is later than an instant (nanoseconds) that may be unknown. */
export function isAfter(time: string, since: string | undefined): boolean {
  return since !== undefined && isLater(time, since);
}
