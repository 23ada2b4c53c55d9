/** What a message of the stream adds to what is known of a basket. */
import { isTold, owe, payFill, payPart } from './baskets';
import { contentKey } from './order-event';
import { learnKey, legOf, type Given, type Known, type Step } from './delivered-state';
import type { OrderEventType, OrderSnapshot } from './types';
import type { ReadUpdate } from './order-message';

/** What cannot happen to a basket that was not accepted. */
const SHOWS_ACCEPTED: readonly OrderEventType[] = [
  'fill',
  'entryTriggered',
  'executed',
  'stopLossTriggered',
  'targetTriggered',
  'trailUpdated',
  'cancelled',
  'unsolicitedCancel',
];

/**
 * The steps of a basket's message. Messages are told apart by their content, as some may come more than once; what was
 * recovered already is not told again.
 * @param isUnseen whether no list of baskets has been seen, so that it may have been accepted before anybody listened.
 */
export function messageSteps(known: Known, read: ReadUpdate, isUnseen: boolean): Given[] {
  const { type, order, trade } = read;
  const own = trade ? `${trade.refId}:${trade.quantity}:${trade.price}` : '';
  if (!learnKey(known, contentKey(type, order, own))) return [];
  const step = ownStep(known, read);
  if (step === undefined) return [];
  if (leavesEarly(step, order)) known.marks.add('left early');
  if (known.accepted || isUnseen || !SHOWS_ACCEPTED.includes(type)) return [{ step, live: true }];
  const accepted: Step = { type: 'accepted', part: 'accepted' };
  owe(known, accepted, '0');
  return [
    { step: accepted, live: false },
    { step, live: true },
  ];
}

/** The step that a message itself tells of; undefined when it was recovered before. */
function ownStep(known: Known, { type, order, trade, part }: ReadUpdate): Step | undefined {
  if (trade) {
    const paid = payFill(known, trade.refId, trade.quantity, order.times.updated);
    const quantity = trade.quantity - paid;
    const from = legOf(known, trade.refId).filled;
    return quantity === 0
      ? undefined
      : { type, part: 'other', fill: { ...trade, quantity, from, to: from + quantity, exact: paid === 0 } };
  }
  if (part === undefined || !isTold(known, part)) return { type, part: part ?? 'other' };
  return payPart(known, part) ? undefined : { type, part: 'other' };
}

/** An exit that begins before the basket is entered in full: it never will be. */
function leavesEarly({ type, part }: Step, { status }: OrderSnapshot): boolean {
  return part === 'other' && (type === 'cancelled' || type === 'unsolicitedCancel') && status !== 'FILLED';
}

/** What earlier versions stored of a basket took an entry, and the beginning of an exit, for its end. */
export function beBasket(known: Known): void {
  if (known.marks.has('basket')) return;
  known.marks.add('basket');
  if (known.end === 'executed') known.marks.add('entered');
  known.end = '';
}
