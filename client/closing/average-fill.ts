/** The average price at which the orders of a closing have filled. */
import { filledPriceOf } from '../orders/model/order-record';
import { rupeesText } from '../values/amounts';
import type { ClosingOrder } from './closing-request';

/** Returns ` at ₹1,213.60`; empty if nothing has filled, or the price of one of the orders is not known. */
export function averageFillText(orders: readonly Pick<ClosingOrder, 'filled' | 'record'>[]): string {
  const filled = orders.filter((order) => order.filled > 0);
  const units = filled.reduce((sum, order) => sum + order.filled, 0);
  const worth = filled.reduce((sum, { record, filled: one }) => sum + (filledPriceOf(record) ?? NaN) * one, 0);
  return units > 0 && Number.isFinite(worth) ? ` at ${rupeesText(worth / units)}` : '';
}
