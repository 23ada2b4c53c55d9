/** An order or a basket that was placed a moment ago: intent orders show it one or two seconds later (docs/service/order-life.md#acknowledgement-and-result). */
import { attempt } from '../../attempt';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { ServiceError } from '../../base/errors';
import type { PlacementContext } from '../account/placement-context';
import { getBasket } from './wait-for-basket';

/**
 * Milliseconds before it is asked for again. One that this process placed is waited for as long as a list may lag; any other may have
 * been placed a moment ago by another process, or told by the trigger.
 */
const PLACED_HERE_MS: readonly number[] = [500, 1_000, 1_500, 2_000, 3_000, 4_000];
const PLACED_ELSEWHERE_MS: readonly number[] = [500, 1_500];
const NOT_FOUND = 404;

type Reading = Pick<PlacementContext, 'orders' | 'baskets' | 'placements' | 'transport' | 'signal'>;

/** Returns one order; waits if it may be too new to be shown. @throws as `OrderPlacing.get`; the signal's reason */
export async function getNewOrder(orderId: string, context: Reading): Promise<OrderRecord> {
  return await soon(orderId, async () => await context.orders.get(orderId, context.signal), context);
}

/** Returns one basket; waits if it may be too new to be shown. @throws as `getBasket`; the signal's reason */
export async function getNewBasket(basketId: string, context: Reading): Promise<BasketRecord> {
  return await soon(basketId, async () => await getBasket(basketId, context), context);
}

async function soon<Rec>(
  id: string,
  get: () => Promise<Rec>,
  { placements, transport, signal }: Reading,
): Promise<Rec> {
  const pauses = placements.hasPlaced(id) ? PLACED_HERE_MS : PLACED_ELSEWHERE_MS;
  for (const pause of pauses) {
    const reply = await attempt(get());
    if (reply.ok) return reply.value;
    if (!(reply.error instanceof ServiceError) || reply.error.status !== NOT_FOUND) throw reply.error;
    await transport.clock.sleep(pause, signal);
  }
  return await get();
}
