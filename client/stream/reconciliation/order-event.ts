/** Events: what they say, their keys and their times. */
import { createHash } from 'crypto';
import type { SvcToClientIntentUpdate } from '../../../proto/generated/messages';
import { isLater } from '../../orders/model/order-snapshot';
import { UNKNOWN_VALUE, type OrderAsDelivered, type OrderStep } from './order-as-delivered';
import { exitKey } from './exit-steps';
import { packState } from './state-codec';
import {
  END_EVENTS,
  type ExitView,
  type OrderEventType,
  type OrderInstrument,
  type OrderSnapshot,
} from '../../orders/model/order-snapshot';
import { type OrderEvent } from './types';

/** Other possible types of an event: a cancellation in the day's orders does not show who asked for it. */
const MAYBE: Partial<Record<OrderEventType, readonly OrderEventType[]>> = { cancelled: ['unsolicitedCancel'] };

/**
 * The event of a step.
 * @param state of the order after the step.
 * @param raw the message that brought it; undefined if it was recovered.
 * @param happenedAt see {@link OrderEvent.happenedAt}.
 */
export function makeEvent(
  state: OrderAsDelivered,
  order: OrderSnapshot,
  step: OrderStep,
  recovered: boolean,
  raw: SvcToClientIntentUpdate | undefined,
  happenedAt: string,
): OrderEvent {
  return {
    type: step.type,
    maybe: recovered ? [...(MAYBE[step.type] ?? []), ...(step.maybe ?? [])] : [],
    key: `${order.orderId}:${step.exit && !step.fill ? exitKey(step.type, step.exit, state) : eventKey(step, order)}`,
    recovered,
    order,
    fill: step.fill,
    exit: step.exit,
    ...stepOf(step),
    ...(step.type === 'exitFilled' && step.exit !== undefined ? { closed: closedBy(state, step.exit) } : {}),
    at: (step.at ?? '0') === '0' ? timeOf(step, order) : (step.at as string),
    happenedAt,
    after: packState(state),
    raw,
  };
}

/** Returns what an executed basket did: the same event tells that it entered, and that it was closed. */
function stepOf({ type, part }: OrderStep): Pick<OrderEvent, 'step'> {
  if (type !== 'executed' || (part !== 'entered' && part !== 'ended')) return {};
  return { step: part === 'entered' ? 'entered' : 'closed' };
}

/** Unique within the order, and the same whether the event is live or recovered. */
export function eventKey({ type, fill, part = 'other' }: OrderStep, order: OrderSnapshot): string {
  if (fill) return `fill:${fill.refId}:${fill.of === undefined ? '' : `${fill.of}:`}${fill.to}`;
  if (part !== 'other') return part;
  if (order.kind === 'strategy') return contentKey(type, order);
  if (END_EVENTS.includes(type)) return 'end';
  if (type === 'accepted' || type === 'entryTriggered') return type;
  const { modified } = order.times;
  if (type === 'modified' && modified !== '0') return `modified:${modified}`;
  return contentKey(type, order);
}

/** For events that may come again: what tells one from the next. */
export function contentKey(
  type: OrderEventType,
  { times, price, quantity, triggerPrice, filled, reason }: OrderSnapshot,
  own = '',
): string {
  const content = [times.updated, price, quantity, triggerPrice ?? '', filled, reason, own].join(':');
  return `${type}:${createHash('sha256').update(content).digest('base64url').slice(0, 16)}`;
}

/** Returns the total trade of an exit; without a price if a list showed a part of it, since lists show none. */
function closedBy({ exits }: OrderAsDelivered, { kind }: ExitView): OrderEvent['closed'] {
  const { filled = 0, value = UNKNOWN_VALUE } = exits.find((exit) => exit.kind === kind) ?? {};
  const isPriced = filled > 0 && value !== UNKNOWN_VALUE;
  return { quantity: filled, price: isPriced ? Math.round(value / filled) : 0, of: kind };
}

/** Returns true if it happened to an exit, or to an order that closes a basket: the fill time of an order is its entry's. */
function isBeyondEntry({ type, fill, part }: OrderStep): boolean {
  if (fill !== undefined) return fill.of !== undefined || (fill.part ?? 'entry') !== 'entry';
  return type === 'executed' && part === 'ended';
}

function timeOf(step: OrderStep, view: OrderSnapshot): string {
  const own = isBeyondEntry(step) ? '0' : ownTime(step.type, view);
  if (own !== '0') return own;
  return view.times.updated !== '0' ? view.times.updated : view.times.created;
}

/** Returns the time of the order's event, nanoseconds, if its times show that very event; '0' otherwise. */
export function ownTime(type: OrderEventType, { times }: OrderSnapshot): string {
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

/** The latest time that a view tells, nanoseconds. */
export function latestTime({ times }: OrderSnapshot): string {
  return Object.values(times).reduce((latest, time) => (isLater(time, latest) ? time : latest), '0');
}

/** Returns the instrument of an event; for a fill, the traded one: a basket has several instruments. */
export function tradedInstrument({ order, fill }: OrderEvent): OrderInstrument {
  if (fill === undefined || fill.refId === order.instrument.refId) return order.instrument;
  return order.legs.find(({ refId }) => refId === fill.refId)?.instrument ?? { ...order.instrument, refId: fill.refId };
}
