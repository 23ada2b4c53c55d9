/** Units that the orders of the day have traded in one instrument and product, their exits included. */
import type { BasketRecord } from '../endpoints/baskets';
import type { OrderRecord } from '../endpoints/orders';
import {
  exitsOf,
  filledQuantityOf,
  basketIdOfLeg,
  productOf,
  refIdOf,
  sideOf,
  tagOf,
} from '../orders/model/order-record';
import { textFrom } from '../values/record';
import { withoutFullStop } from '../values/trim-end';
import { isUnreadable } from '../orders/model/record-units';
import { basketProductOf, legsOf } from '../orders/model/basket-record';
import { userTagOf } from '../orders/model/tags';
import type { HeldPosition } from './positions';

type Key = Pick<HeldPosition, 'refId' | 'product'>;

/** Returns true if an order is a single order in this instrument and product. An order without a product may be one. */
export function isOrderOf(order: OrderRecord, { refId, product }: Key): boolean {
  return refIdOf(order) === refId && basketIdOfLeg(order) === '' && (productOf(order) ?? product) === product;
}

/** Returns true if an order has the user's own label, exactly as entered. */
export function hasLabel(order: OrderRecord, label: string | undefined): boolean {
  return label === undefined || userTagOf(tagOf(order)) === label || tagOf(order) === label;
}

/** Units that the exits of an order have closed. */
function closedByExits(order: OrderRecord): number {
  let closed = 0;
  for (const { status, filled_qty: filled } of exitsOf(order)) {
    const reported = typeof filled === 'number' ? filled : 0;
    closed += reported === 0 && status === 'FILLED' ? filledQuantityOf(order) : reported;
  }
  return closed;
}

/** Returns the reason, in words that follow "because", for which a record contradicts itself; undefined if it does not. */
export function whyUnreadable(record: OrderRecord | BasketRecord | undefined): string | undefined {
  if (record === undefined || !isUnreadable(record)) return undefined;
  const reason = withoutFullStop(textFrom(record.unreadable_reason));
  return `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
}

/**
 * Returns the reason, in words that follow "because", for which it is not known what the orders and baskets of the day have traded in an
 * instrument and product: a record contradicts itself. undefined if it is known. A record that does not tell its instrument may be in any.
 */
export function whyPositionUnclear(
  orders: readonly OrderRecord[],
  key: Key,
  baskets: readonly BasketRecord[] = [],
): string | undefined {
  const isIn = (order: OrderRecord): boolean => refIdOf(order) === 0 || refIdOf(order) === key.refId;
  const odd =
    orders.find((order) => isUnreadable(order) && (refIdOf(order) === 0 || isOrderOf(order, key))) ??
    baskets.find((basket) => isUnreadable(basket) && (legsOf(basket).length === 0 || legsOf(basket).some(isIn)));
  return whyUnreadable(odd);
}

/**
 * Returns the units that single orders have bought, less those that they have sold.
 * @param label only orders with the user's own label.
 * @returns undefined if a filled order has no side.
 */
export function tradedUnits(orders: readonly OrderRecord[], key: Key, label?: string): number | undefined {
  let net = 0;
  for (const order of orders) {
    if (!isOrderOf(order, key) || !hasLabel(order, label)) continue;
    const held = filledQuantityOf(order) - closedByExits(order);
    if (filledQuantityOf(order) === 0) continue;
    const side = sideOf(order);
    if (side === undefined) return undefined;
    net += side === 'BUY' ? held : -held;
  }
  return net;
}

/**
 * Returns the units, without a sign, that single orders and their exits have traded in one direction.
 * @param direction above 0 for purchases.
 */
export function unitsTowards(orders: readonly OrderRecord[], key: Key, direction: number): number {
  const side = direction > 0 ? 'BUY' : 'SELL';
  let units = 0;
  for (const order of orders)
    if (isOrderOf(order, key)) units += sideOf(order) === side ? filledQuantityOf(order) : closedByExits(order);
  return units;
}

/** Returns true if any single order of the day was filled in this instrument and product, or may have been. */
export function wasTraded(orders: readonly OrderRecord[], key: Key): boolean {
  return orders.some((order) => isOrderOf(order, key) && filledQuantityOf(order) > 0);
}

/**
 * Returns true if anything of the day may have reduced a position: an order of the other side, an exit, or an order without a side.
 * @param direction above 0 for a long position.
 */
export function wasReduced(orders: readonly OrderRecord[], key: Key, direction: number): boolean {
  const adds = direction > 0 ? 'BUY' : 'SELL';
  return orders.some(
    (order) =>
      isOrderOf(order, key) && filledQuantityOf(order) > 0 && (sideOf(order) !== adds || closedByExits(order) > 0),
  );
}

/** Returns true if a leg of a basket is in this instrument and product. */
export function isLegOf(basket: BasketRecord, { refId, product }: Key): boolean {
  const legs = legsOf(basket).filter((leg) => refIdOf(leg) === refId);
  return legs.some((leg) => (productOf(leg) ?? basketProductOf(basket) ?? product) === product);
}
