/**
 * What the list of orders tells of baskets. The stream tells of a basket as one order with legs; the list shows the
 * orders that it placed, entries and exits. What both agree upon is how much of an instrument a basket has traded.
 */
import { isLater } from './known';
import type { LegFill, OrderSnapshot } from './types';

/** The views as they are, with the orders of each basket put together as one strategy. */
export function basketViews(orders: Iterable<OrderSnapshot>): OrderSnapshot[] {
  const views: OrderSnapshot[] = [];
  const baskets = new Map<string, OrderSnapshot>();
  for (const order of orders) {
    if (order.kind !== 'leg') {
      views.push(order);
      continue;
    }
    const strategy = baskets.get(order.basketId) ?? strategyOf(order);
    if (!baskets.has(order.basketId)) views.push(strategy);
    baskets.set(order.basketId, strategy);
    for (const leg of order.legs) add(strategy.legs, leg);
    if (isLater(order.times.filled, strategy.times.filled)) strategy.times = { ...strategy.times, filled: order.times.filled };
  }
  return views;
}

function strategyOf(leg: OrderSnapshot): OrderSnapshot {
  return { ...leg, kind: 'strategy', orderId: leg.basketId, orderType: 'FLEXI', legs: [] };
}

function add(legs: LegFill[], { refId, filled, averagePrice }: LegFill): void {
  const leg = legs.find((one) => one.refId === refId);
  if (leg === undefined) {
    legs.push({ refId, filled, averagePrice });
    return;
  }
  const total = leg.filled + filled;
  leg.averagePrice = total === 0 ? 0 : (leg.filled * leg.averagePrice + filled * averagePrice) / total;
  leg.filled = total;
}

/** The orders of baskets, and what was recovered of their trades while the stream may still bring it. */
export class Baskets {
  readonly legs = new Map<string, OrderSnapshot>();
  private readonly owed = new Map<string, number>();

  /** Takes note of the orders of baskets; gives out what is to be compared. */
  seen(orders: Iterable<OrderSnapshot>): OrderSnapshot[] {
    const all = [...orders];
    for (const order of all) if (order.kind === 'leg') this.legs.set(order.orderId, order);
    return basketViews(all);
  }

  /** A fill was recovered: the stream may bring its trades late. */
  owe(basketId: string, { refId, quantity }: { refId: number; quantity: number }): void {
    const key = `${basketId}:${refId}`;
    this.owed.set(key, (this.owed.get(key) ?? 0) + quantity);
  }

  /** How much of a trade was recovered before. Should it be a new trade after all, the next comparison shows it. */
  pay(basketId: string, refId: number, quantity: number): number {
    const key = `${basketId}:${refId}`;
    const owed = this.owed.get(key) ?? 0;
    const paid = Math.min(owed, quantity);
    this.owed.set(key, owed - paid);
    return paid;
  }

  forgive(): void {
    this.owed.clear();
  }
}
