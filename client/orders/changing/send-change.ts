/** Sends all changes of placed orders: modifications, cancellations, exits. */
import { requireNoFault } from '../../reply-fault';
import type { Json } from '../../values/json';
import { sendOrderRequest, type ServiceRequest } from '../api/order-api';
import type { PlacementContext } from '../account/placement-context';

/**
 * Sends a change. After a 429 it is sent again (see `send`), unless the execution was stopped meanwhile, or, if it counts as an order,
 * trading was.
 * @throws the signal's reason if the execution was stopped before it was sent; InputError if trading was stopped between two tries; see
 * `Transport.call`; UnreadableReplyError if a reply with the status of a success says that it failed: the change must be looked for.
 */
export async function sendChange(
  request: ServiceRequest,
  { transport, signal, requireTrading }: Pick<PlacementContext, 'transport' | 'signal' | 'requireTrading'>,
): Promise<Json> {
  const { orders = 0 } = request;
  await transport.orderTurn(orders, signal);
  signal?.throwIfAborted();
  const reply = await sendOrderRequest(transport, request, async () => {
    await transport.orderTurn(orders);
    if (signal?.aborted) return false;
    if (orders > 0) await requireTrading?.();
    return true;
  });
  requireNoFault(reply, `${request.endpoint.method} ${request.endpoint.path}`);
  return reply;
}
