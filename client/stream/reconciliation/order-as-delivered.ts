/**
 * The delivered state of one order. Messages of the stream and the day's lists are compared with it, so that an event is delivered once,
 * whichever of the two brings it first, and a gap is noticed.
 */
import { priceSum } from '../../values/contract-value';
import { fillPriceIn } from '../../values/market-price';
import {
  isLater,
  type ExitKind,
  type ExitStatus,
  type ExitView,
  type OrderEnd,
  type OrderEventType,
  type OrderSnapshot,
} from '../../orders/model/order-snapshot';
import type { Fill } from './types';

export interface OrderAsDelivered {
  accepted: boolean;
  triggered: boolean;
  end: OrderEnd;
  /** Nanoseconds; of the last modification that was delivered. */
  modified: string;
  /** Price and quantity as the stream told them last, and as the day's orders did; '' until seen. */
  streamTerms: string;
  ordersTerms: string;
  legs: LegAsDelivered[];
  /** Keys of the last events of a kind that may happen more than once. */
  recent: string[];
  /** Only of a basket. */
  marks: Set<BasketFlag>;
  /** Those that were armed. */
  exits: ExitAsDelivered[];
}

/** The delivered state of one exit. */
export interface ExitAsDelivered {
  kind: ExitKind;
  status: ExitStatus;
  /** Paise. */
  trigger: number;
  /** Cumulative quantity, and how much of it a list told, so that the stream may still bring it. */
  filled: number;
  unstreamed: number;
  /** Value of what is filled, paise; UNKNOWN_VALUE where no trade told a part of it. */
  value: number;
  /** Number of times that it was restored after a removal. */
  round: number;
}

export interface LegAsDelivered {
  refId: number;
  /** Cumulative quantity, and its value in paise. */
  filled: number;
  value: number;
  /** Quantity that was recovered from a basket's orders, up to an instant (nanoseconds), and may still come by the stream. */
  unstreamed?: { quantity: number; until: string };
}

/** The steps of a basket. Each happens once. */
export type BasketPart = 'accepted' | 'entered' | 'ended';

/**
 * Flags of a basket, beyond those of an order.
 * - `basket`: it is one.
 * - `entered`: its entry is filled in full.
 * - `recovered …`: a list showed this step first, and the stream may still bring it.
 * - `emitted …`: an event was delivered that may have been the basket's end, or its cause.
 * - `exit began early`: its exit began before all of it was entered. Checkpoints hold the place of each in this list as one digit: nothing
 *   moves, and ten is the maximum.
 */
export const BASKET_FLAGS = [
  'basket',
  'entered',
  'recovered accepted',
  'recovered entered',
  'recovered ended',
  'emitted executed',
  'emitted cancelled',
  'emitted rejected',
  'emitted exit',
  'exit began early',
] as const;
export type BasketFlag = (typeof BASKET_FLAGS)[number];

/** One thing that a view shows beyond the delivered state. */
export interface OrderStep {
  type: OrderEventType;
  fill?: Fill;
  /** The exit that it is about. */
  exit?: ExitView;
  /** Time of the step, nanoseconds, if the view's own times do not show it. */
  at?: string;
  /** Only of a basket: the step of its life, or something that may happen more than once. */
  part?: BasketPart | 'other';
  /** Other possible types of the event. */
  maybe?: readonly OrderEventType[];
}

/** A step, and whether the stream brought it (live) or a comparison found it. */
export interface SourcedStep {
  step: OrderStep;
  live: boolean;
}

const RECENT_KEYS = 8;

/** Of an order that has ended, in a checkpoint: the time of its last modification, later than all, so that none counts as new. */
export const LONG_AGO = '9'.repeat(19);
/** As {@link LONG_AGO}, and where a fill had no price: the value of what is filled. A fill that comes to light then has no price. */
export const UNKNOWN_VALUE = Infinity;

export function nothingDelivered(): OrderAsDelivered {
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
    exits: [],
  };
}

export function termsOf(view: OrderSnapshot): string {
  return `${view.price}@${view.quantity}@${view.triggerPrice ?? ''}`;
}

export function legOf(state: OrderAsDelivered, refId: number): { filled: number; value: number } {
  return state.legs.find((leg) => leg.refId === refId) ?? { filled: 0, value: 0 };
}

/** Returns the value of a quantity at a price, paise; UNKNOWN_VALUE if the price is none: nothing is worked out from it. */
export function filledValue(price: number, quantity: number): number {
  return fillPriceIn(price) === undefined ? UNKNOWN_VALUE : priceSum(price, quantity);
}

/**
 * A fill that only the cumulative figures tell of. Its price is 0 if the value before it, or with it, is unknown.
 * @param value paise; of the whole filled quantity, UNKNOWN_VALUE if unknown.
 */
export function recoveredFill(
  before: { filled: number; value: number },
  refId: number,
  filled: number,
  value: number,
): Fill {
  const quantity = filled - before.filled;
  const isPriced = value !== UNKNOWN_VALUE && value > before.value;
  const price = isPriced ? Math.round((value - before.value) / quantity) : 0;
  return { refId, quantity, price, from: before.filled, to: filled, exact: false };
}

/** Records a step as delivered. */
export function recordStep(state: OrderAsDelivered, step: OrderStep): void {
  const { type, fill } = step;
  if (step.part) recordPart(state, step.part, type);
  else recordType(state, type);
  if (fill && fill.of === undefined) {
    const leg = state.legs.find(({ refId }) => refId === fill.refId);
    const value = filledValue(fill.price, fill.quantity);
    if (leg) {
      leg.filled = fill.to;
      leg.value += value;
    } else state.legs.push({ refId: fill.refId, filled: fill.to, value });
  }
}

function recordType(state: OrderAsDelivered, type: OrderEventType): void {
  if (type === 'accepted') state.accepted = true;
  if (type === 'entryTriggered') state.triggered = true;
  if (type === 'executed' || type === 'expired' || type === 'rejected') state.end = type;
  if (type === 'cancelled' || type === 'unsolicitedCancel') state.end = 'cancelled';
}

function recordPart(state: OrderAsDelivered, part: BasketPart | 'other', type: OrderEventType): void {
  if (part === 'accepted') state.accepted = true;
  else if (part === 'entered') state.marks.add('entered');
  else if (part === 'ended') recordType(state, type);
  else if (type === 'executed') state.marks.add('emitted executed');
  else if (type === 'rejected') state.marks.add('emitted rejected');
  else if (type === 'cancelled' || type === 'unsolicitedCancel')
    state.marks.add('emitted cancelled').add('emitted exit');
  else if (type === 'stopLossTriggered' || type === 'targetTriggered' || type === 'exitTimeReached')
    state.marks.add('emitted exit');
}

/** Records the terms and the time of modification that a view shows, unless the view is older than the state. */
export function recordTerms(state: OrderAsDelivered, view: OrderSnapshot): void {
  if (isLater(state.modified, view.times.modified)) return;
  state.modified = view.times.modified;
  if (view.source === 'stream') state.streamTerms = termsOf(view);
  else state.ordersTerms = termsOf(view);
  for (const exit of state.exits)
    exit.trigger = view.exits?.find(({ kind }) => kind === exit.kind)?.trigger ?? exit.trigger;
}

/** Records the key of an event that may happen again. @returns false when it is recorded already. */
export function recordKey(state: OrderAsDelivered, key: string): boolean {
  if (state.recent.includes(key)) return false;
  state.recent.push(key);
  if (state.recent.length > RECENT_KEYS) state.recent.shift();
  return true;
}

/**
 * Returns true if one state can replace another: it knows everything that the other knows, and the same has been delivered under both.
 * Every later event would then be the same, but for the last paisa of an average price.
 */
export function canReplace(own: OrderAsDelivered, by: OrderAsDelivered): boolean {
  return (
    by.accepted === own.accepted &&
    by.triggered === own.triggered &&
    by.end === own.end &&
    (by.modified === own.modified || own.modified === LONG_AGO) &&
    (own.streamTerms === '' || by.streamTerms === own.streamTerms) &&
    (own.ordersTerms === '' || by.ordersTerms === own.ordersTerms) &&
    own.recent.every((key) => by.recent.includes(key)) &&
    own.marks.size === by.marks.size &&
    [...own.marks].every((mark) => by.marks.has(mark)) &&
    own.legs.length === by.legs.length &&
    own.legs.every((leg) => by.legs.some((other) => isSameLeg(leg, other))) &&
    own.exits.length === by.exits.length &&
    own.exits.every((exit) => by.exits.some((other) => isSameExit(exit, other)))
  );
}

function isSameExit(a: ExitAsDelivered, b: ExitAsDelivered): boolean {
  return (
    a.kind === b.kind &&
    a.status === b.status &&
    a.trigger === b.trigger &&
    a.filled === b.filled &&
    a.unstreamed === b.unstreamed &&
    a.round === b.round
  );
}

/** If the stream may still bring a recovered trade, two states can diverge: no two such legs count as the same. */
function isSameLeg(a: LegAsDelivered, b: LegAsDelivered): boolean {
  return (
    a.refId === b.refId &&
    a.filled === b.filled &&
    (a.value === UNKNOWN_VALUE || Math.abs(a.value - b.value) <= a.filled) &&
    a.unstreamed === undefined &&
    b.unstreamed === undefined
  );
}
