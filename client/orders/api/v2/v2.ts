/** The interface that speaks the specification's paths, for accounts that are mapped to order system V3. */
import type { Transport } from '../../../transport';
import type { OrderApi } from '../order-api';
import { basketsV2 } from './baskets';
import { ordersV2 } from './orders';

/** Speaks for one account. @param transport with the session of that account. */
export function v2Api(transport: Transport): OrderApi {
  return { orders: ordersV2(transport), baskets: basketsV2(transport) };
}
