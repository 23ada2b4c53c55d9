/**
 * Checks the units and the status of records in the day's lists: no order, and no leg of a basket, has filled more than its quantity, and a
 * status is a word.
 */
import { UnreadableReplyError } from '../../base/errors';
import type { OrderRecord } from '../../endpoints/orders';
import type { Json } from '../../values/json';
import { textFrom, unitsAt } from '../../values/record';

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
    { hint: "Try again. If it stays, look in your broker's app for what has filled." },
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
