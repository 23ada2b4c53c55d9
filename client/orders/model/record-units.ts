/**
 * Checks the units and the status of records in the day's lists: no order, and no leg of a basket, has filled more than its quantity, and a
 * status is a word. What acts refuses a record that contradicts itself; what only shows or cancels keeps it, marked.
 */
import { UnreadableReplyError } from '../../base/errors';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import type { Json } from '../../values/json';
import { textFrom, unitsAt } from '../../values/record';

/** Treatment of a record that contradicts itself. */
export type OddRecords = 'refused' | 'marked';

const LOOK = "Try again. If it stays, look in your broker's app for what has filled.";

/** Checks units and status of an order, or of a leg. @param name left out for its number. @throws UnreadableReplyError */
export function requireOrderUnits(order: OrderRecord, name = `Order ${textFrom(order.order_id)}`): void {
  requireStatusWord(name, order.order_status);
  requireUnits(name, unitsAt(order, 'order_qty'), unitsAt(order, 'filled_qty'));
}

/**
 * Checks that units can be. They have no sign: a side tells the direction. A quantity of 0 is not told.
 * @param name "Order 5". @throws UnreadableReplyError
 */
export function requireUnits(name: string, ordered: number, filled: number): void {
  if (ordered === 0 || Math.abs(filled) <= Math.abs(ordered)) return;
  throw new UnreadableReplyError(
    `${name} is shown with ${Math.abs(filled)} filled of ${Math.abs(ordered)}: the service's record contradicts itself, and was not used.`,
    { hint: LOOK },
  );
}

/**
 * Checks that a status is a word, or missing: one of another type would count as an order that is still open.
 * @param name "Order 5". @throws UnreadableReplyError
 */
export function requireStatusWord(name: string, status: Json | undefined): void {
  if (status === undefined || status === null || typeof status === 'string') return;
  throw new UnreadableReplyError(
    `The status of ${name.charAt(0).toLowerCase()}${name.slice(1)} cannot be read: it is ${JSON.stringify(status).slice(0, 40)}, and no word.`,
    { hint: "Nothing was sent for it. Try again. If it stays, look in your broker's app for what has filled." },
  );
}

/** @throws what is no contradiction of a record */
function unreadableOnly(error: unknown): UnreadableReplyError {
  if (error instanceof UnreadableReplyError) return error;
  throw error;
}

/** Returns the contradiction that a check throws; undefined if there is none. */
function contradictionOf(check: () => void): UnreadableReplyError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return unreadableOnly(error);
  }
}

/** Returns true if a record contradicts itself, and so has no units (see `checked`). */
export function isUnreadable({ unreadable_reason: reason }: OrderRecord | BasketRecord): boolean {
  return reason !== undefined;
}

/** @throws UnreadableReplyError if a record contradicts itself: what has become of it is not known */
export function requireReadable(record: OrderRecord | BasketRecord): void {
  if (isUnreadable(record)) throw new UnreadableReplyError(textFrom(record.unreadable_reason), { hint: LOOK });
}

/**
 * Returns an order, a leg or a basket; one that contradicts itself without its units, and with the reason.
 * @param check throws for such a one. @param withoutUnits the record without its units, where they have been used for other fields.
 * @throws UnreadableReplyError if it is to be refused
 */
export function checked<Rec extends OrderRecord | BasketRecord>(
  record: Rec,
  odd: OddRecords,
  check: () => void,
  withoutUnits: () => Rec = () => record,
): Rec {
  const contradiction = contradictionOf(check);
  if (contradiction === undefined) return record;
  if (odd === 'refused') throw contradiction;
  const { order_status: ofOrder, basket_status: ofBasket } = record as OrderRecord & BasketRecord;
  return {
    ...withoutUnits(),
    ...{ order_qty: null, filled_qty: null, unreadable_reason: contradiction.message },
    // A status that is no word is none.
    ...(ofOrder === undefined || typeof ofOrder === 'string' ? {} : { order_status: null }),
    ...(ofBasket === undefined || typeof ofBasket === 'string' ? {} : { basket_status: null }),
  };
}

/** Returns a basket with its checked legs: if one of them contradicts itself, so does the basket. */
export function withCheckedLegs(basket: BasketRecord, legs: readonly OrderRecord[]): BasketRecord {
  const reason = legs.map((leg) => leg.unreadable_reason).find((why) => why !== undefined);
  return reason === undefined
    ? basket
    : { ...basket, orders: [...legs], order_qty: null, filled_qty: null, unreadable_reason: reason };
}
