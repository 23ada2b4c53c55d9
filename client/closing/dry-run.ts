/** Closing positions as a dry run. */
import { BrokerageError, InputError } from '../base/errors';
import type { ChangeResult } from '../orders/changing/change-order';
import { isDryRun } from '../orders/model/guard-settings';
import { brokerageErrorOnly } from '../orders/placing/outcome';
import { placeOrder } from '../orders/placing/place';
import type { PlacementContext } from '../orders/account/placement-context';
import { basketIdOf, hasEnded, orderIdOf } from '../orders/model/order-record';
import { basketsToExit } from './exit-baskets';
import type { ClosingContext } from './reconcile-position';
import { hasLabel, isLegOf, isOrderOf, tradedOf } from './traded-quantity';
import { nextOrder } from './closing-order';
import { smaller, type Closed, type ClosingWish } from './closing-request';

/**
 * What closing would do, where a guard says Dry Run: nothing is cancelled and nothing is placed.
 * @returns of each position the orders that would be cancelled, as they are, and the order that would be sent.
 * @throws what the reads throw.
 */
export async function rehearseClosing(wishes: readonly ClosingWish[], context: ClosingContext): Promise<Closed[]> {
  const listed = await context.orders.list(context.signal);
  const toExit = await basketsToExit(wishes, context);
  const all: Closed[] = [];
  for (const wish of wishes) {
    const { position, label } = wish;
    const live = listed.filter((one) => isOrderOf(one, position) && hasLabel(one, label) && !hasEnded(one));
    const ofLabel = label === undefined ? position.net : (tradedOf(listed, position, label) ?? 0);
    const net = smaller(ofLabel, position.net);
    const cancelled = live.map((order): ChangeResult => ({ orderId: orderIdOf(order), result: 'requested', order }));
    const own = toExit.filter((basket) => isLegOf(basket, position));
    const baskets = own.map((basket) => ({ basketId: basketIdOf(basket), result: 'open' as const }));
    const made: Closed = { wish, cancelled, baskets, orders: [], closed: 0, left: net };
    // What a basket holds is closed by the service when the basket exits.
    if (net !== 0 && own.length === 0) {
      Object.assign(made, await rehearseOrder(wish, net, context));
    }
    all.push(made);
  }
  return all;
}

/**
 * The order that would close so many units: what would be sent, and how many there would be where one may not hold all of it; or
 * the error that keeps it from being sent.
 */
export async function rehearseOrder(
  wish: ClosingWish,
  net: number,
  context: PlacementContext,
): Promise<Pick<Closed, 'wouldSend' | 'wouldSendOrders' | 'error'>> {
  const next = await nextOrder(wish, net, 0, context).catch((error: unknown) =>
    brokerageErrorOnly(error, context.signal),
  );
  if (next instanceof BrokerageError) return { error: next };
  if (!isDryRun(next.request.guards)) return { error: new InputError('Only a dry run is rehearsed.') };
  const outcome = await placeOrder(next.request, context);
  if (outcome.outcome !== 'rehearsed') return 'error' in outcome ? { error: outcome.error } : {};
  const orders = Math.ceil(Math.abs(net) / next.request.terms.quantity);
  return { wouldSend: outcome.request, wouldSendOrders: orders };
}
