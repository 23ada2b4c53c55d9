/** Undelivered steps in a view of a single order, or in a message about it. */
import { isLater } from '../../orders/model/order-snapshot';
import {
  filledValue,
  legOf,
  recordKey,
  recoveredFill,
  termsOf,
  UNKNOWN_VALUE,
  type OrderAsDelivered,
  type SourcedStep,
  type OrderStep,
} from './order-as-delivered';
import { exitFill, exitSteps, withClosed } from './exit-steps';
import { contentKey, eventKey } from './order-event';
import type { OrderMessage } from './order-message';
import {
  END_EVENTS,
  EXIT_EVENTS,
  type ExitKind,
  type OrderEventType,
  type OrderSnapshot,
} from '../../orders/model/order-snapshot';

/** The steps that lead from the delivered state to what the view shows, in the order in which they must have happened. */
export function orderSteps(state: OrderAsDelivered, view: OrderSnapshot): OrderStep[] {
  const steps: OrderStep[] = [];
  if (view.accepted && !state.accepted) steps.push({ type: 'accepted' });
  if (wasModified(state, view)) steps.push({ type: 'modified' });
  // Whoever has seen the end must not read of an order that is now in the market.
  if (view.triggered && !state.triggered && state.end === '') steps.push({ type: 'entryTriggered' });
  for (const leg of view.legs) {
    const before = legOf(state, leg.refId);
    if (leg.filled > before.filled)
      steps.push({
        type: 'fill',
        fill: recoveredFill(before, leg.refId, leg.filled, filledValue(leg.averagePrice, leg.filled)),
      });
  }
  if (view.end !== '' && state.end === '') steps.push({ type: view.end });
  return [...steps, ...exitSteps(state, view)];
}

/** The steps of a message: what it shows to have been missed, and its own, which is live. */
export function messageSteps(state: OrderAsDelivered, message: OrderMessage): SourcedStep[] {
  const { type, order, trade } = message;
  if (trade) return fillSteps(state, order, trade);
  const steps = orderSteps(state, withClosed(state, order));
  const own = steps.find((step) => isSameStep(step.type, type));
  if (own)
    return steps.map((step) =>
      step === own ? { step: { ...step, type }, live: true } : { step, live: bringsFurtherStep(step) },
    );
  const rest = steps.map((step) => ({ step, live: bringsFurtherStep(step) || step.type === 'expired' }));
  return isRepeat(state, message) ? rest : [...rest, { step: { type }, live: true }];
}

/** Returns true if a message reports a step beside its own: the entry's end, and its effect on exits. */
function bringsFurtherStep({ type, exit }: OrderStep): boolean {
  return type === 'executed' || exit !== undefined;
}

/** The stream and the list may stamp the same modification this far apart, nanoseconds. */
export const MAX_STAMP_DIFFERENCE_NS = 1_000_000_000n;

/** Returns true if a view shows the modification that the other source has shown already, with a time a moment apart. */
function isDeliveredModification(state: OrderAsDelivered, view: OrderSnapshot): boolean {
  const [same, other] = termsBySource(state, view);
  const terms = termsOf(view);
  return (
    other === terms && same !== terms && BigInt(view.times.modified) - BigInt(state.modified) <= MAX_STAMP_DIFFERENCE_NS
  );
}

/** A modification shows by a later time together with other terms: the time alone also changes for other reasons. */
function wasModified(state: OrderAsDelivered, view: OrderSnapshot): boolean {
  if (
    !state.accepted ||
    state.end !== '' ||
    !isLater(view.times.modified, state.modified) ||
    isDeliveredModification(state, view)
  )
    return false;
  const [same, other] = termsBySource(state, view);
  if (same !== '') return same !== termsOf(view);
  // The list gives orders at the market a separate price.
  return other === '' || (view.priceType === 'LIMIT' && other !== termsOf(view));
}

/** The last terms as the view's own source told them, and as the other one did. */
function termsBySource(state: OrderAsDelivered, view: OrderSnapshot): [same: string, other: string] {
  return view.source === 'stream' ? [state.streamTerms, state.ordersTerms] : [state.ordersTerms, state.streamTerms];
}

function isSameStep(step: OrderEventType, type: OrderEventType): boolean {
  return step === type || (step === 'cancelled' && type === 'unsolicitedCancel');
}

/** Returns true if the message's own event, which is not among the steps, was delivered before. */
function isRepeat(state: OrderAsDelivered, { type, order }: OrderMessage): boolean {
  if (type === 'modified') {
    const { modified } = order.times;
    return modified === '0'
      ? !recordKey(state, eventKey({ type }, order))
      : !isLater(modified, state.modified) || isDeliveredModification(state, order);
  }
  // What exits do shows in their states.
  if (EXIT_EVENTS.includes(type) && (order.exits ?? []).length > 0) return true;
  if (type === 'accepted' || type === 'entryTriggered' || END_EVENTS.includes(type)) return true;
  return !recordKey(state, eventKey({ type }, order));
}

/** The steps of a fill message: what was filled before its trade was missed, and its trade is live. */
function fillSteps(
  state: OrderAsDelivered,
  order: OrderSnapshot,
  { of, ...trade }: { refId: number; quantity: number; price: number; of?: ExitKind },
): SourcedStep[] {
  const shown = orderSteps(state, order);
  if (of !== undefined && !shown.some(({ fill }) => fill?.refId === trade.refId))
    return exitFillSteps(state, order, { ...trade, of }, shown);
  const steps: SourcedStep[] = [];
  for (const step of shown) {
    if (step.fill?.refId !== trade.refId) {
      steps.push({ step, live: bringsFurtherStep(step) });
      continue;
    }
    const { to } = step.fill;
    const start = to - trade.quantity;
    const before = legOf(state, trade.refId);
    if (start > before.filled) {
      const leg = order.legs.find(({ refId }) => refId === trade.refId);
      const [own, all] = [filledValue(trade.price, trade.quantity), filledValue(leg?.averagePrice ?? 0, to)];
      const value = own === UNKNOWN_VALUE ? UNKNOWN_VALUE : all - own;
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

/** The steps of a message that brings the trade of an exit. It tells no cumulative quantity: a repeat is known by its content. */
function exitFillSteps(
  state: OrderAsDelivered,
  order: OrderSnapshot,
  { of, ...trade }: { refId: number; quantity: number; price: number; of: ExitKind },
  shown: readonly OrderStep[],
): SourcedStep[] {
  const isNew = recordKey(state, contentKey('fill', order, `${of}:${trade.quantity}:${trade.price}`));
  const fill = isNew ? exitFill(state, order, of, trade) : undefined;
  const exit = order.exits?.find(({ kind }) => kind === of);
  const own: OrderStep[] = fill === undefined ? [] : [{ type: 'fill', fill, exit }];
  const isLast = ({ type }: OrderStep): boolean => type === 'exitFilled' || type === 'exitCancelled';
  const steps = [...shown.filter((step) => !isLast(step)), ...own, ...shown.filter(isLast)];
  return steps.map((step) => ({ step, live: bringsFurtherStep(step) }));
}
