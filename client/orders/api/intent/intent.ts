/** The interface that speaks intent orders. */
import type { Transport } from '../../../transport';
import type { OrderApi } from '../order-api';
import { intentOrders } from './orders';
import { intentStrategies } from './strategies';

/** Speaks for one account. @param transport with the session of that account. */
export function intentApi(transport: Transport): OrderApi {
  return { orders: intentOrders(transport), baskets: intentStrategies(transport) };
}
