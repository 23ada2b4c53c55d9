/** Asks the REST service for the day's orders and baskets, by the interfaces that the account has (docs/service/README.md#generations). */
import { attempt } from '../../attempt';
import { ServiceError } from '../../base/errors';
import type { OrderApi } from '../../orders/api/order-api';
import { jsonOf, type Transport } from '../../transport';
import { answeredAtIn } from '../../values/headers';
import { readDayBaskets } from '../../orders/model/basket-record';
import { readDayOrders } from '../../orders/model/order-record';
import type { DayOrders } from '../reconciliation/types';
import { textFrom } from '../../values/record';
import type { OrderSnapshot } from '../../orders/model/order-snapshot';

/** `Date` tells whole seconds: up to so many milliseconds of the last one may have passed. */
const DATE_STEP_MS = 999;

/** The interface of an account, or several joined, over a transport with its session. */
export type OrderApiFactory = (transport: Transport) => OrderApi;

/** The orders of the trading day, and the time of day as the reply's `Date` tells it. @throws BrokerageError */
export async function requestDayOrders(
  transport: Transport,
  interfaceOver: OrderApiFactory,
  signal: AbortSignal,
): Promise<DayOrders> {
  let ahead: DayOrders['ahead'];
  const dated: Transport = {
    ...transport,
    async call(endpoint, options) {
      const requestedAt = transport.clock.now();
      const reply = await transport.fetch(endpoint, options);
      const date = answeredAtIn(reply.headers);
      if (date !== undefined) ahead = { min: date - transport.clock.now(), max: date + DATE_STEP_MS - requestedAt };
      return jsonOf(endpoint, reply, options);
    },
  };
  const listed = await interfaceOver(dated).orders.list(signal, 'marked');
  const odd = listed.flatMap(({ unreadable_reason: reason }) => (reason === undefined ? [] : [textFrom(reason)]));
  return { orders: readDayOrders(listed.filter((order) => order.unreadable_reason === undefined)), odd, ahead };
}

/**
 * The baskets of the trading day; undefined if the service has no such list. One attempt: the next comparison asks again.
 * @throws BrokerageError
 */
export async function requestDayBaskets(
  transport: Transport,
  interfaceOver: OrderApiFactory,
  signal: AbortSignal,
): Promise<OrderSnapshot[] | undefined> {
  const once: Transport = {
    ...transport,
    call: async (endpoint, options) => await transport.call(endpoint, { ...options!, repeat: 'never' }),
  };
  const requested = await attempt(interfaceOver(once).baskets.list(signal));
  if (requested.ok) return readDayBaskets(requested.value);
  if (requested.error instanceof ServiceError && requested.error.status === 404) return undefined;
  throw requested.error;
}
