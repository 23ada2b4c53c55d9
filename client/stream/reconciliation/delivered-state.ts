/**
 * What has been given out about an order, and what a newer view of it adds. Both the stream and the day's orders are
 * compared with it, so that an event comes out once, whichever of the two brings it first, and a gap is seen.
 */
import type { Fill, OrderEnd, OrderEventType, OrderSnapshot } from './types';

export interface Known {
  accepted: boolean;
  triggered: boolean;
  end: OrderEnd;
  /** Nanoseconds; of the last modification that was given out. */
  modified: string;
  /** Price and quantity, as the stream and as the day's orders told them; '' when they did not yet. */
  streamTerms: string;
  ordersTerms: string;
  legs: KnownLeg[];
  /** Keys of the last events that may happen more than once. */
  recent: string[];
  /** Of a basket. */
  marks: Set<Mark>;
}

export interface KnownLeg {
  refId: number;
  /** Cumulative quantity and its value in paise, as given out. */
  filled: number;
  value: number;
  /** What of it was recovered from a basket's orders, up to an instant (nanoseconds), and may still come by the stream. */
  owed?: { quantity: number; until: string };
}

/** The steps of a basket's life, each of which happens once. */
export type BasketPart = 'accepted' | 'entered' | 'ended';

/**
 * What is known of a basket beyond what is known of an order: that it is one; that it was entered; which steps were
 * recovered, so that the stream may still bring them; which events were given out that may have been its end, or what
 * led to it; that its exit began before all of it was entered.
 */
const MARKS = [
  'basket',
  'entered',
  'owes accepted',
  'owes entered',
  'owes ended',
  'told executed',
  'told cancelled',
  'told rejected',
  'told exit',
  'left early',
] as const;
export type Mark = (typeof MARKS)[number];

export interface Step {
  type: OrderEventType;
  fill?: Fill;
  /** When it happened, nanoseconds, where the view's own times do not tell. */
  at?: string;
  /** Only of a basket: the step of its life, or something that may happen more than once. */
  part?: BasketPart | 'other';
}

/** A step that is to be given out, as it came or recovered. */
export interface Given {
  step: Step;
  live: boolean;
}

const RECENT_KEYS = 8;

export function nothingKnown(): Known {
  return {
    accepted: false,
    triggered: false,
    end: '',
    modified: '0',
    streamTerms: '',
    ordersTerms: '',
    legs: [],
    recent: [],
    marks: new Set(),
  };
}

/** Compares decimal texts without sign by their value. */
export function isLater(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}

/** The steps that lead from what is known to what the view shows, in the order in which they must have happened. */
export function stepsTo(known: Known, view: OrderSnapshot): Step[] {
  const steps: Step[] = [];
  if (view.accepted && !known.accepted) steps.push({ type: 'accepted' });
  if (wasModified(known, view)) steps.push({ type: 'modified' });
  if (view.triggered && !known.triggered) steps.push({ type: 'entryTriggered' });
  for (const leg of view.legs) {
    const before = legOf(known, leg.refId);
    if (leg.filled > before.filled)
      steps.push({ type: 'fill', fill: recoveredFill(before, leg.refId, leg.filled, leg.filled * leg.averagePrice) });
  }
  if (view.end !== '' && known.end === '') steps.push({ type: view.end });
  return steps;
}

/** The stream and the list may stamp the same thing so far apart, nanoseconds. */
export const STAMPS_DIFFER = 1_000_000_000n;

/** Whether a view shows the modification that its other source has shown already, stamped a moment apart. */
export function isToldModification(known: Known, view: OrderSnapshot): boolean {
  const [same, other] =
    view.source === 'stream' ? [known.streamTerms, known.ordersTerms] : [known.ordersTerms, known.streamTerms];
  const terms = termsOf(view);
  return (
    other === terms &&
    same !== terms &&
    known.modified !== '0' &&
    BigInt(view.times.modified) - BigInt(known.modified) <= STAMPS_DIFFER
  );
}

/** A modification shows by a later time together with other terms: the time alone also changes for other reasons. */
function wasModified(known: Known, view: OrderSnapshot): boolean {
  if (
    !known.accepted ||
    known.end !== '' ||
    !isLater(view.times.modified, known.modified) ||
    isToldModification(known, view)
  )
    return false;
  const [same, other] =
    view.source === 'stream' ? [known.streamTerms, known.ordersTerms] : [known.ordersTerms, known.streamTerms];
  if (same !== '') return same !== termsOf(view);
  return other === '' || (view.priceType === 'LIMIT' && other !== termsOf(view));
}

export function termsOf(view: OrderSnapshot): string {
  return `${view.price}@${view.quantity}@${view.triggerPrice ?? ''}`;
}

export function legOf(known: Known, refId: number): { filled: number; value: number } {
  return known.legs.find((leg) => leg.refId === refId) ?? { filled: 0, value: 0 };
}

/** A fill that only the cumulative figures tell of; `value` is that of the whole filled quantity, 0 when unknown. */
export function recoveredFill(
  before: { filled: number; value: number },
  refId: number,
  filled: number,
  value: number,
): Fill {
  const quantity = filled - before.filled;
  const price = value > before.value ? Math.round((value - before.value) / quantity) : 0;
  return { refId, quantity, price, from: before.filled, to: filled, exact: false };
}

/** Takes note of a step that was given out. */
export function learnStep(known: Known, step: Step): void {
  const { type, fill } = step;
  if (step.part) learnPart(known, step.part, type);
  else learnType(known, type);
  if (fill) {
    const leg = known.legs.find(({ refId }) => refId === fill.refId);
    const value = fill.quantity * fill.price;
    if (leg) {
      leg.filled = fill.to;
      leg.value += value;
    } else known.legs.push({ refId: fill.refId, filled: fill.to, value });
  }
}

function learnType(known: Known, type: OrderEventType): void {
  if (type === 'accepted') known.accepted = true;
  if (type === 'entryTriggered') known.triggered = true;
  if (type === 'executed' || type === 'expired' || type === 'rejected') known.end = type;
  if (type === 'cancelled' || type === 'unsolicitedCancel') known.end = 'cancelled';
}

function learnPart(known: Known, part: BasketPart | 'other', type: OrderEventType): void {
  if (part === 'accepted') known.accepted = true;
  else if (part === 'entered') known.marks.add('entered');
  else if (part === 'ended') learnType(known, type);
  else if (type === 'executed') known.marks.add('told executed');
  else if (type === 'rejected') known.marks.add('told rejected');
  else if (type === 'cancelled' || type === 'unsolicitedCancel') known.marks.add('told cancelled').add('told exit');
  else if (type === 'stopLossTriggered' || type === 'targetTriggered') known.marks.add('told exit');
}

/** Takes note of the terms and the time of modification that a view shows, unless it is older than what is known. */
export function learnTerms(known: Known, view: OrderSnapshot): void {
  if (isLater(known.modified, view.times.modified)) return;
  known.modified = view.times.modified;
  if (view.source === 'stream') known.streamTerms = termsOf(view);
  else known.ordersTerms = termsOf(view);
}

/** Takes note of the key of an event that may happen again; false when it is known already. */
export function learnKey(known: Known, key: string): boolean {
  if (known.recent.includes(key)) return false;
  known.recent.push(key);
  if (known.recent.length > RECENT_KEYS) known.recent.shift();
  return true;
}

const ENDS: readonly OrderEnd[] = ['', 'executed', 'cancelled', 'expired', 'rejected'];

/** As short text, for the cursor that n8n stores. */
export function packKnown(known: Known): string {
  const flags = (known.accepted ? 1 : 0) + (known.triggered ? 2 : 0) + ENDS.indexOf(known.end) * 4;
  const legs = known.legs
    .map(
      ({ refId, filled, value, owed }) => `${refId}:${filled}:${value}${owed ? `:${owed.quantity}:${owed.until}` : ''}`,
    )
    .join(',');
  const marks = [...known.marks].map((mark) => MARKS.indexOf(mark)).join('');
  return [
    flags,
    known.modified,
    known.streamTerms,
    known.ordersTerms,
    legs,
    known.recent.join(','),
    ...(marks === '' ? [] : [marks]),
  ].join('|');
}

/** @returns undefined when the text is not one of {@link packKnown}. */
export function unpackKnown(text: unknown): Known | undefined {
  if (typeof text !== 'string') return undefined;
  const [flags, modified, streamTerms, ordersTerms, legs, recent, marks] = text.split('|');
  const bits = Number(flags);
  const end = ENDS[bits >> 2];
  if (recent === undefined || !Number.isInteger(bits) || end === undefined) return undefined;
  return {
    accepted: (bits & 1) !== 0,
    triggered: (bits & 2) !== 0,
    end,
    modified: modified as string,
    streamTerms: streamTerms as string,
    ordersTerms: ordersTerms as string,
    legs: split(legs as string).map(unpackLeg),
    recent: split(recent),
    marks: new Set([...(marks ?? '')].flatMap((index) => MARKS[Number(index)] ?? [])),
  };
}

function unpackLeg(text: string): KnownLeg {
  const [refId, filled, value, quantity, until] = text.split(':');
  const leg = { refId: Number(refId ?? 0), filled: Number(filled ?? 0), value: Number(value ?? 0) };
  return until === undefined ? leg : { ...leg, owed: { quantity: Number(quantity), until } };
}

function split(text: string): string[] {
  return text === '' ? [] : text.split(',');
}
