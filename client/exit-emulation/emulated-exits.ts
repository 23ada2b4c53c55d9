/**
 * Determines the next step for an order whose exits a trigger emulates. The step follows from the day's orders alone: the entry, the orders
 * that were placed to close it (found by their tags), and other trades in the instrument. Quantities are units.
 */
import type { OrderRecord } from '../endpoints/orders';
import { directionOf } from '../orders/model/exits';
import {
  entryHasEnded,
  filledQuantityOf,
  hasEnded,
  kindOf,
  orderIdOf,
  productOf,
  quantityOf,
  refIdOf,
  sideOf,
  statusOf,
  tagOf,
  unitsIn,
  validityOf,
} from '../orders/model/order-record';
import { byTags } from '../orders/api/find-by-tag';
import { isUnreadable } from '../orders/model/record-units';
import { identityOf, tagFrom } from '../orders/model/tags';
import { isOrderOf, whyUnreadable, whyPositionUnclear } from '../closing/traded-quantity';
import type { EmulatedExits, Product, Side } from '../orders/model/order-terms';
import { exitsInTag } from './exit-tag';

/** Maximum number of orders that are placed to close one entry. */
export const MAX_ORDERS = 40;
/** Number of consecutive rejections by the exchange after which the user must look. */
const MAX_REJECTIONS = 3;
/** Number of orders reserved for stop losses: once the others are used, the target is no longer watched. */
const KEPT_FOR_STOPS = 10;

/** An entry with its kept exits, as the day's orders show it. */
export interface EmulatedOrder {
  id: string;
  side: Side;
  refId: number;
  product: Product;
  exits: EmulatedExits;
  entry: OrderRecord;
  /** Orders that were placed to close it, by their number. */
  closing: ReadonlyMap<number, OrderRecord>;
  /** Units that it filled and its closing orders did not close. */
  held: number;
  /** Remaining units of `held`: fewer if some were closed by hand. */
  left: number;
  /** The reason, in words that follow "because", for which `held` and `left` are not known; left out if they are. */
  whyUnclear?: string;
}

/** The tag of an order that closes an entry: the same in every process, so that none is placed twice. */
function closingTag(entryId: string, number: number, scope: string): string {
  return tagFrom('exit', { kind: 'key', key: `kept exits of ${entryId}`, part: String(number) }, scope);
}

/** The tags of all orders that may close an entry, by their numbers. */
export function closingTags(entryId: string, scope: string): readonly string[] {
  return Array.from({ length: MAX_ORDERS }, (_, number) => closingTag(entryId, number, scope));
}

/**
 * The entries of the day whose exits are kept, oldest first.
 * @param tagsOf gives the closing tags of an entry.
 */
export function emulatedOrders(
  orders: readonly OrderRecord[],
  tagsOf: (entryId: string) => readonly string[],
): EmulatedOrder[] {
  const emulated: EmulatedOrder[] = [];
  const ordersByIdentity = byIdentity(orders);
  for (const entry of orders) {
    const exits = exitsInTag(tagOf(entry));
    const [side, product, id] = [sideOf(entry), productOf(entry), orderIdOf(entry)];
    if (exits === undefined || side === undefined || product === undefined || id === '') continue;
    const tags = tagsOf(id);
    const ordersByTag = byTags(orders, tags);
    const closing = new Map<number, OrderRecord>();
    let twins = (ordersByIdentity.get(identityOf(tagOf(entry))) ?? []).filter((order) => filledQuantityOf(order) > 0);
    if (!twins.includes(entry)) twins = [];
    for (const [tag, first] of ordersByTag) {
      const same = ordersByIdentity.get(identityOf(tagOf(first)))!;
      closing.set(tags.indexOf(tag), same[0]!);
      if (same.length > 1) twins = same;
    }
    const held = enteredUnits(entry) - sum([...closing.values()].map(filledQuantityOf));
    const refId = refIdOf(entry);
    const whyUnclear =
      whyUnreadable([...closing.values()].find(isUnreadable)) ??
      whyPositionUnclear(orders, { refId, product }) ??
      whyTwins(twins);
    const order = { id, side, refId, product, exits, entry, closing, held, left: 0 };
    emulated.push(whyUnclear === undefined ? order : { ...order, whyUnclear });
  }
  emulated.sort((a, b) => byTime(a.id, b.id));
  const left = leftOf(emulated, orders);
  return emulated.map((order) => {
    // What one closes by hand, another in the same position may seem to lack.
    const isBeside = ({ refId, product }: EmulatedOrder): boolean => refId === order.refId && product === order.product;
    const whyUnclear =
      order.whyUnclear ?? emulated.find((other) => isBeside(other) && other.whyUnclear !== undefined)?.whyUnclear;
    return { ...order, left: left.get(order.id) ?? 0, ...(whyUnclear === undefined ? {} : { whyUnclear }) };
  });
}

/** The orders of a day by their tags; one that ended without a fill is left out where another has its tag. */
function byIdentity(orders: readonly OrderRecord[]): Map<string, OrderRecord[]> {
  const ordersByIdentity = new Map<string, OrderRecord[]>();
  for (const order of orders) {
    const identity = identityOf(tagOf(order));
    const same = ordersByIdentity.get(identity);
    if (same === undefined) ordersByIdentity.set(identity, [order]);
    else same.push(order);
  }
  for (const [identity, same] of ordersByIdentity) {
    if (same.length === 1) continue;
    const lasting = same.filter((order) => isUnreadable(order) || !hasEnded(order) || filledQuantityOf(order) > 0);
    if (lasting.length > 0) ordersByIdentity.set(identity, lasting);
  }
  return ordersByIdentity;
}

/** A service may give a changed order a new id, and tell its fills under both. */
function whyTwins(twins: readonly OrderRecord[]): string | undefined {
  if (twins.length < 2) return undefined;
  const [one, other] = twins.map(orderIdOf);
  return `orders ${one} and ${other} have the same tag, and it is not known whether they tell the same fills`;
}

/**
 * The units that an entry has filled for certain: those that it tells, where it tells some. Its status may come before the last of them, and
 * a service may count its quantity otherwise.
 */
function enteredUnits(entry: OrderRecord): number {
  return unitsIn(entry.filled_qty) || filledQuantityOf(entry);
}

/** Ids grow with time. */
const byTime = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

/**
 * Returns the remaining units of each entry. The day is read in order. A manual closing first reduces manual purchases (or sales), then the
 * newest entry at that time. Later manual purchases belong to no entry.
 */
function leftOf(emulated: readonly EmulatedOrder[], orders: readonly OrderRecord[]): Map<string, number> {
  const left = new Map<string, number>();
  const inOrder = [...orders].sort((a, b) => byTime(orderIdOf(a), orderIdOf(b)));
  for (const keptOrder of emulated) {
    if (left.has(keptOrder.id)) continue;
    const alike = emulated.filter(
      ({ refId, product, side }) =>
        [refId, product, side].join() === [keptOrder.refId, keptOrder.product, keptOrder.side].join(),
    );
    const own = new Map(alike.map((entry) => [entry.id, entry]));
    const closing = new Set(alike.flatMap((entry) => [...entry.closing.values()].map(orderIdOf)));
    let byHand = 0;
    for (const order of inOrder) {
      if (!isOrderOf(order, keptOrder) || closing.has(orderIdOf(order))) continue;
      const entry = own.get(orderIdOf(order));
      if (entry !== undefined) {
        const before = Math.min(Math.max(0, -byHand), entry.held);
        left.set(entry.id, Math.max(0, entry.held - before));
        byHand += before;
        continue;
      }
      const side = sideOf(order);
      byHand += side === keptOrder.side ? filledQuantityOf(order) : -filledQuantityOf(order);
      for (const { id } of [...alike].reverse()) {
        const taken = Math.min(Math.max(0, -byHand), left.get(id) ?? 0);
        if (taken === 0) continue;
        left.set(id, (left.get(id) ?? 0) - taken);
        byHand += taken;
      }
    }
  }
  return left;
}

/** The next step. */
export type ExitStep =
  /** Nothing, until something changes. */
  | { do: 'wait' }
  /** The order is over: nothing of it is held, and nothing of it is open. */
  | { do: 'end'; why: 'closed' | 'byHand' | 'dayOver' | 'notFilled' }
  /** Cancels these orders, and waits until each is seen to have ended. */
  | { do: 'cancel'; orders: readonly OrderRecord[] }
  /** Place a stop loss for this number of units. */
  | { do: 'stop'; quantity: number }
  /** Close this number of units at the market. */
  | { do: 'close'; quantity: number }
  /** The exchange refuses what would close it. */
  | { do: 'giveUp' };

/** Returns true if a price has reached the target. */
export function isAtTarget({ side, exits: { target } }: Pick<EmulatedOrder, 'side' | 'exits'>, price: number): boolean {
  return target !== undefined && directionOf(side) * (price - target) >= 0;
}

/** Returns true if a price has reached the stop loss. */
export function isAtStop({ side, exits: { stop } }: Pick<EmulatedOrder, 'side' | 'exits'>, price: number): boolean {
  return directionOf(side) * (stop - price) >= 0;
}

/**
 * Returns the next step for an entry.
 * @param mustExit true if its target was reached: the remaining units are closed at the market.
 * @param price the last price, paise; undefined if unknown.
 */
export function nextStep(emulated: EmulatedOrder, mustExit: boolean, price: number | undefined): ExitStep {
  const { entry, closing, left, exits } = emulated;
  const isClosing = mustExit && closing.size < MAX_ORDERS - KEPT_FOR_STOPS;
  const orders = [...closing.values()];
  const open = orders.filter((order) => !hasEnded(order));
  const isSold = orders.some((order) => filledQuantityOf(order) > 0);
  // The service ends the orders of a day at its close, and takes no more. What is immediate may expire at once.
  if ([entry, ...orders].some((order) => statusOf(order) === 'EXPIRED' && validityOf(order) !== 'IOC'))
    return { do: 'end', why: 'dayOver' };
  // What the rest of the entry would fill now, nobody wants any more.
  if ((isSold || isClosing) && !entryHasEnded(entry))
    return { do: 'cancel', orders: [entry, ...(isClosing ? open : [])] };
  if (left === 0) {
    if (open.length > 0) return { do: 'cancel', orders: open };
    if (!entryHasEnded(entry) || enteredUnits(entry) < filledQuantityOf(entry)) return { do: 'wait' };
    if (filledQuantityOf(entry) === 0) return { do: 'end', why: 'notFilled' };
    return { do: 'end', why: emulated.held > 0 ? 'byHand' : 'closed' };
  }
  const guarded = sum(open.map((order) => quantityOf(order) - filledQuantityOf(order)));
  if (guarded > left || (isClosing && open.some((order) => kindOf(order) === 'STOPLOSS')))
    return { do: 'cancel', orders: open };
  if (isClosing && open.length > 0) return { do: 'wait' };
  if (guarded === left) return { do: 'wait' };
  if (isGivenUp(emulated)) return { do: 'giveUp' };
  if (isClosing) return { do: 'close', quantity: left };
  // A stop loss on the wrong side of the price would be refused.
  if (price !== undefined && isAtStop({ side: emulated.side, exits }, price))
    return open.length > 0 ? { do: 'wait' } : { do: 'close', quantity: left };
  return { do: 'stop', quantity: left - guarded };
}

/** Returns true if the exchange rejected the last closing orders, or if there were too many. */
export function isGivenUp({ closing }: EmulatedOrder): boolean {
  if (closing.size >= MAX_ORDERS) return true;
  const last = [...closing].sort(([a], [b]) => b - a).slice(0, MAX_REJECTIONS);
  return last.length === MAX_REJECTIONS && last.every(([, order]) => statusOf(order) === 'REJECTED');
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0);
