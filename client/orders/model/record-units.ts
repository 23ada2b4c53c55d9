/** Checks the units of records in the day's lists: no order, and no leg of a basket, has filled more than its quantity. */
import { UnreadableReplyError } from '../../base/errors';
import type { OrderRecord } from '../../endpoints/orders';
import { textFrom, unitsAt } from '../../values/record';

/** Checks that units are readable, and can be. @param name of its order; left out for its number. @throws UnreadableReplyError */
export function requireOrderUnits(order: OrderRecord, name = `Order ${textFrom(order.order_id)}`): void {
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
