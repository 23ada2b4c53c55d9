/** The average price at which the orders of a closing have filled, and what the closing has earned. */
import type { TradedInstrument } from '../orders/model/order-terms';
import { filledPriceOf } from '../orders/model/order-record';
import { rupeesText, signedRupees } from '../values/amounts';
import { contractValue, isKnownContract } from '../values/contract-value';
import type { ClosingOrder } from './closing-request';

type Filled = Pick<ClosingOrder, 'filled' | 'record'>;

/** Returns what has filled, units, and its average price, paise; undefined if nothing has, or the price of one of the orders is not known. */
function averageFill(orders: readonly Filled[]): { units: number; price: number } | undefined {
  const filled = orders.filter((order) => order.filled > 0);
  const units = filled.reduce((sum, order) => sum + order.filled, 0);
  const worth = filled.reduce((sum, { record, filled: one }) => sum + (filledPriceOf(record) ?? NaN) * one, 0);
  return units > 0 && Number.isFinite(worth) ? { units, price: worth / units } : undefined;
}

/** Returns ` at ₹1,213.60`; empty if nothing has filled, or the price of one of the orders is not known. */
export function averageFillText(orders: readonly Filled[]): string {
  const fill = averageFill(orders);
  return fill === undefined ? '' : ` at ${rupeesText(fill.price)}`;
}

/**
 * Returns what a closing has earned against the average price of what was held, paise, before charges.
 * @param average paise; undefined if it is not known
 * @param direction 1 for what was bought, -1 for what was sold short
 * @returns undefined if a price or the value of the contract is not known, or the orders are not all of the closing
 */
export function closingEarnings(
  { orders, closed, instrument }: { orders: readonly Filled[]; closed: number; instrument: TradedInstrument },
  average: number | undefined,
  direction: 1 | -1,
): number | undefined {
  const fill = averageFill(orders);
  if (fill === undefined || average === undefined || fill.units !== closed || !isKnownContract(instrument))
    return undefined;
  return Math.round(contractValue(instrument, (fill.price - average) * direction, closed));
}

/** Returns `result +₹1,200.00 before charges`; undefined if it is not known. */
export function earningsText(earned: number | undefined): string | undefined {
  return earned === undefined ? undefined : `result ${signedRupees(earned)} before charges`;
}
