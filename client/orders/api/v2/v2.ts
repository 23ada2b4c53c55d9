/** The interface that speaks the specification's paths, for accounts that are mapped to order system V3. */
import type { Transport } from '../../../transport';
import type { OrderInterface } from '../order-api';
import { basketsV2 } from './baskets';
import { ordersV2 } from './orders';

/** Speaks for one account. @param transport with the session of that account. */
export function interfaceV2(transport: Transport): OrderInterface {
  return { orders: ordersV2(transport), baskets: basketsV2(transport) };
}
