/** Closing positions as a dry run. */
import { BrokerageError, InputError } from '../base/errors';
import type { ChangeResult } from '../orders/changing/change-order';
import { isDryRun } from '../orders/model/guard-settings';
import { brokerageErrorOnly } from '../orders/placing/outcome';
import { placeOrder } from '../orders/placing/place';
import type { PlacementContext } from '../orders/account/placement-context';
import { basketIdOf } from '../orders/model/basket-record';
import { hasEnded, orderIdOf } from '../orders/model/order-record';
import { basketsToExit } from './exit-baskets';
import { notReconciled, type ClosingContext } from './reconcile-position';
import { hasLabel, isLegOf, isOrderOf, tradedUnits, whyPositionUnclear } from './traded-quantity';
import { nextClosingOrder } from './closing-order';
import { smallerOfSameSign, type ClosingResult, type CloseRequest } from './closing-request';

/**
 * Returns what closing would do while a guard says Dry Run: nothing is cancelled and nothing is placed.
 * @returns for each position the orders that would be cancelled, unchanged, and the order that would be sent.
 * @throws any error of the reads.
 */
export async function dryRunClosing(
  requests: readonly CloseRequest[],
  context: ClosingContext,
): Promise<ClosingResult[]> {
  const listed = await context.orders.list(context.signal, 'marked');
  const toExit = await basketsToExit(requests, context);
  const all: ClosingResult[] = [];
  for (const request of requests) {
    const { position, label } = request;
    const whyUnclear = whyPositionUnclear(listed, position);
    if (whyUnclear !== undefined) {
      const error = notReconciled(position, whyUnclear);
      all.push({ request, cancelled: [], baskets: [], orders: [], closed: 0, left: undefined, error });
      continue;
    }
    const live = listed.filter(
      (orderRecord) => isOrderOf(orderRecord, position) && hasLabel(orderRecord, label) && !hasEnded(orderRecord),
    );
    const ofLabel = label === undefined ? position.net : (tradedUnits(listed, position, label) ?? 0);
    const net = smallerOfSameSign(ofLabel, position.net);
    const cancelled = live.map((order): ChangeResult => ({ orderId: orderIdOf(order), result: 'requested', order }));
    const own = toExit.filter((basket) => isLegOf(basket, position));
    const baskets = own.map((basket) => ({ basketId: basketIdOf(basket), result: 'open' as const }));
    const made: ClosingResult = { request, cancelled, baskets, orders: [], closed: 0, left: net };
    // What a basket holds is closed by the service when the basket exits.
    if (net !== 0 && own.length === 0) {
      Object.assign(made, await dryRunOrder(request, net, context));
    }
    all.push(made);
  }
  return all;
}

/**
 * Returns the order that would close `net` units, with the number of orders if one may not hold them all; or the error that prevents it.
 */
export async function dryRunOrder(
  request: CloseRequest,
  net: number,
  context: PlacementContext,
): Promise<Pick<ClosingResult, 'wouldSend' | 'wouldSendOrders' | 'error'>> {
  const next = await nextClosingOrder(request, net, 0, context).catch((error: unknown) =>
    brokerageErrorOnly(error, context.signal),
  );
  if (next instanceof BrokerageError) return { error: next };
  if (!isDryRun(next.request.guards)) return { error: new InputError('Only a dry run can be previewed.') };
  const outcome = await placeOrder(next.request, context);
  if (outcome.outcome !== 'dryRun') return 'error' in outcome ? { error: outcome.error } : {};
  const units = net - (net % Math.max(1, request.instrument.lotSize));
  const orders = Math.ceil(Math.abs(units) / next.request.terms.quantity);
  return { wouldSend: outcome.request, wouldSendOrders: orders };
}
