/**
 * A list may name an order twice, such as one that moves between its parts while it is read. Each counts once, by its later record. A record
 * without an id could be any of them, and two orders with one id cannot be told apart: such a list is not used.
 */
import { UnreadableReplyError } from '../../base/errors';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { basketIdOf, isBasketLive, legsOf, requireBasketId } from '../model/basket-record';
import {
  entryHasEnded,
  filledQuantityOf,
  hasLiveExits,
  orderIdOf,
  refIdOf,
  requireOrderIds,
  sideOf,
  timesOf,
} from '../model/order-record';
import { isLater } from '../model/order-snapshot';

/** The orders of a list, each once. @throws UnreadableReplyError if one has no id, or an id is that of two orders */
export function ordersOnce(orders: readonly OrderRecord[]): OrderRecord[] {
  orders.forEach(requireOrderIds);
  return eachOnce(orders, orderIdOf, isLaterOrder, isSameOrder);
}

/** The baskets of a list, each once. @throws UnreadableReplyError if one has no id, or an id is that of two baskets */
export function basketsOnce(baskets: readonly BasketRecord[]): BasketRecord[] {
  baskets.forEach(requireBasketId);
  const isLater = (one: BasketRecord, other: BasketRecord): boolean => {
    const [isOneOver, isOtherOver] = [!isBasketLive(one), !isBasketLive(other)];
    return isOneOver === isOtherOver ? unitsOf(one) > unitsOf(other) : isOneOver;
  };
  return eachOnce(baskets, basketIdOf, isLater, isSameBasket);
}

/** Returns true if two records with one id may be of one basket: it keeps its legs, though a record may not show them yet. */
function isSameBasket(one: BasketRecord, other: BasketRecord): boolean {
  const [refIds, others] = [legsOf(one).map(refIdOf), legsOf(other).map(refIdOf)];
  return refIds.length === 0 || others.length === 0 || refIds.some((refId) => others.includes(refId));
}

/** Returns true if two records with one id may be of one order: its instrument and side never change. */
function isSameOrder(one: OrderRecord, other: OrderRecord): boolean {
  const [refId, otherRefId] = [refIdOf(one), refIdOf(other)];
  const [side, otherSide] = [sideOf(one), sideOf(other)];
  const isSameSide = side === otherSide || side === undefined || otherSide === undefined;
  return isSameSide && (refId === otherRefId || refId === 0 || otherRefId === 0);
}

function eachOnce<Rec>(
  records: readonly Rec[],
  idOf: (record: Rec) => string,
  isLaterRecord: (one: Rec, other: Rec) => boolean,
  isSame: (one: Rec, other: Rec) => boolean,
): Rec[] {
  const positions = new Map<string, number>();
  const once: Rec[] = [];
  for (const record of records) {
    const id = idOf(record);
    const at = positions.get(id);
    if (at === undefined) {
      positions.set(id, once.length);
      once.push(record);
    } else if (!isSame(record, once[at]!)) {
      throw new UnreadableReplyError(
        `The service's list of the day has two different records under the number ${id}. The list was not used.`,
        { hint: "Try again. If it stays, look in your broker's app for what is open." },
      );
    } else if (isLaterRecord(record, once[at]!)) {
      once[at] = record;
    }
  }
  return once;
}

/** An order only fills further, then ends, and then its exits end: the record that shows more of it is the later one. */
function isLaterOrder(one: OrderRecord, other: OrderRecord): boolean {
  const [filled, before] = [filledQuantityOf(one), filledQuantityOf(other)];
  if (filled !== before) return filled > before;
  const [hasEnded, hadEnded] = [entryHasEnded(one), entryHasEnded(other)];
  if (hasEnded !== hadEnded) return hasEnded;
  const [lives, lived] = [hasLiveExits(one), hasLiveExits(other)];
  return lives === lived ? isLater(timesOf(one).modified, timesOf(other).modified) : lived;
}

function unitsOf(basket: BasketRecord): number {
  return legsOf(basket).reduce((sum, leg) => sum + filledQuantityOf(leg), 0);
}
