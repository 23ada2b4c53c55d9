/** What a view of a single order, or a message about it, shows beyond what has been delivered. */
import {
  isLater,
  legOf,
  recordKey,
  recoveredFill,
  termsOf,
  type DeliveredState,
  type SourcedStep,
  type Step,
} from './delivered-state';
import { eventKey } from './order-event';
import type { OrderMessage } from './order-message';
import { END_EVENTS, type OrderEventType, type OrderSnapshot } from './types';

/** The steps that lead from the delivered state to what the view shows, in the order in which they must have happened. */
export function stepsTo(state: DeliveredState, view: OrderSnapshot): Step[] {
  const steps: Step[] = [];
  if (view.accepted && !state.accepted) steps.push({ type: 'accepted' });
  if (wasModified(state, view)) steps.push({ type: 'modified' });
  // Whoever has seen the end must not read of an order that is now in the market.
  if (view.triggered && !state.triggered && state.end === '') steps.push({ type: 'entryTriggered' });
  for (const leg of view.legs) {
    const before = legOf(state, leg.refId);
    if (leg.filled > before.filled)
      steps.push({ type: 'fill', fill: recoveredFill(before, leg.refId, leg.filled, leg.filled * leg.averagePrice) });
  }
  if (view.end !== '' && state.end === '') steps.push({ type: view.end });
  return steps;
}

/** The steps of a message: what it shows to have been missed, and its own, which is live. */
export function messageSteps(state: DeliveredState, message: OrderMessage): SourcedStep[] {
  const { type, order, trade } = message;
  if (trade) return fillSteps(state, order, trade);
  const steps = stepsTo(state, order);
  const own = steps.find((step) => isSameStep(step.type, type));
  if (own)
    return steps.map((step) =>
      step === own ? { step: { ...step, type }, live: true } : { step, live: step.type === 'executed' },
    );
  const rest = steps.map((step) => ({ step, live: step.type === 'executed' || step.type === 'expired' }));
  return isRepeat(state, message) ? rest : [...rest, { step: { type }, live: true }];
}

/** The stream and the list may stamp the same modification this far apart, nanoseconds. */
export const STAMPS_DIFFER = 1_000_000_000n;

/** Whether a view shows the modification that the other source has shown already, stamped a moment apart. */
function isDeliveredModification(state: DeliveredState, view: OrderSnapshot): boolean {
  const [same, other] = termsBySource(state, view);
  const terms = termsOf(view);
  return (
    other === terms &&
    same !== terms &&
    state.modified !== '0' &&
    BigInt(view.times.modified) - BigInt(state.modified) <= STAMPS_DIFFER
  );
}

/** A modification shows by a later time together with other terms: the time alone also changes for other reasons. */
function wasModified(state: DeliveredState, view: OrderSnapshot): boolean {
  if (
    !state.accepted ||
    state.end !== '' ||
    !isLater(view.times.modified, state.modified) ||
    isDeliveredModification(state, view)
  )
    return false;
  const [same, other] = termsBySource(state, view);
  if (same !== '') return same !== termsOf(view);
  // The list gives orders at the market a price of its own.
  return other === '' || (view.priceType === 'LIMIT' && other !== termsOf(view));
}

/** The last terms as the view's own source told them, and as the other one did. */
function termsBySource(state: DeliveredState, view: OrderSnapshot): [same: string, other: string] {
  return view.source === 'stream' ? [state.streamTerms, state.ordersTerms] : [state.ordersTerms, state.streamTerms];
}

function isSameStep(step: OrderEventType, type: OrderEventType): boolean {
  return step === type || (step === 'cancelled' && type === 'unsolicitedCancel');
}

/** Whether the message's own event, which is not among the steps, was delivered before. */
function isRepeat(state: DeliveredState, { type, order }: OrderMessage): boolean {
  if (type === 'modified') {
    const { modified } = order.times;
    return modified === '0'
      ? !recordKey(state, eventKey({ type }, order))
      : !isLater(modified, state.modified) || isDeliveredModification(state, order);
  }
  if (type === 'accepted' || type === 'entryTriggered' || END_EVENTS.includes(type)) return true;
  return !recordKey(state, eventKey({ type }, order));
}

/** The steps of a fill message: what was filled before its trade was missed, and its trade is live. */
function fillSteps(
  state: DeliveredState,
  order: OrderSnapshot,
  trade: { refId: number; quantity: number; price: number },
): SourcedStep[] {
  const steps: SourcedStep[] = [];
  for (const step of stepsTo(state, order)) {
    if (step.fill?.refId !== trade.refId) {
      steps.push({ step, live: step.type === 'executed' });
      continue;
    }
    const { to } = step.fill;
    const start = to - trade.quantity;
    const before = legOf(state, trade.refId);
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
