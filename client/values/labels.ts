/** Plain words for the words of the service, for users. An unknown word stays unchanged, without its prefix. */
import { enumWord, withoutPrefix } from './enums';
import type { Json } from './json';
import { textFrom } from './record';

const PRODUCT_PREFIX = 'ORDER_DELIVERY_TYPE_';
const SIDE_PREFIX = 'ORDER_SIDE_';

const DERIVATIVES: readonly unknown[] = ['FUT', 'OPT'];
const STATUSES: Readonly<Record<string, string>> = {
  CANCELLED: 'Cancelled',
  CLOSED: 'Closed',
  EXPIRED: 'Expired',
  FILLED: 'Filled',
  GTE: 'Waiting until its date',
  OPEN: 'Open',
  PARTIAL_FILLED: 'Partly filled',
  PENDING: 'On its way',
  REJECTED: 'Rejected',
  SENT: 'Sent',
  SETTLED: 'Settled',
  TRIGGERED: 'Triggered',
};

/** Returns a product as the panel names it. */
export function productChoice(product: 'CNC' | 'IDAY'): string {
  return product === 'CNC' ? 'Delivery (CNC)' : 'Intraday (IDAY)';
}

/** `ORDER_DELIVERY_TYPE_IDAY` is Intraday, `CNC` is Delivery: of a future or an option, Carried over. */
export function productLabel(record: { readonly product?: Json; readonly derivative_type?: Json }): string {
  const word = withoutPrefix(PRODUCT_PREFIX, textFrom(record.product));
  if (word === 'IDAY') return 'Intraday';
  if (word === 'CNC') return DERIVATIVES.includes(record.derivative_type) ? 'Carried over' : 'Delivery';
  return word;
}

/** Returns the direction of a position: bought, sold short, or closed. */
export function sideLabel(record: { readonly order_side?: Json; readonly segment?: Json }): string {
  if (record.segment === 'closed') return 'Closed';
  const word = withoutPrefix(SIDE_PREFIX, textFrom(record.order_side));
  return word === 'BUY' ? 'Bought' : word === 'SELL' ? 'Sold' : word === 'C' ? 'Closed' : word;
}

/** Returns the status of an order or a basket in words. @param status without its prefix */
export function statusLabel(status: string): string {
  return enumWord(STATUSES, status) ?? status;
}
