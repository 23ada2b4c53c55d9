/** Asks the REST service for the day's orders and baskets (specification: Orders; Baskets). */
import { endpoints } from '../../endpoints';
import { ServiceError } from '../../base/errors';
import { jsonOf, type Transport } from '../../transport';
import { readDayBaskets } from './basket-record';
import { readDayOrders } from './order-record';
import type { DayOrders, OrderSnapshot } from './types';

/** `Date` tells whole seconds: up to so many milliseconds of the last one may have passed. */
const DATE_STEP_MS = 999;

/** The orders of the trading day, and the time of day as the reply's `Date` tells it. @throws BrokerageError */
export async function askDayOrders(transport: Transport, signal: AbortSignal): Promise<DayOrders> {
  const askedAt = transport.clock.now();
  const reply = await transport.fetch(endpoints.orders, { signal });
  const date = Date.parse(reply.headers.date ?? '');
  const ahead = Number.isNaN(date)
    ? undefined
    : { least: date - transport.clock.now(), most: date + DATE_STEP_MS - askedAt };
  return { orders: readDayOrders(jsonOf(endpoints.orders, reply)), ahead };
}

/**
 * The baskets of the trading day; undefined when the service has no such list. One attempt: the next comparison asks again.
 * @throws BrokerageError
 */
export async function askDayBaskets(transport: Transport, signal: AbortSignal): Promise<OrderSnapshot[] | undefined> {
  const [asked] = await Promise.allSettled([transport.call(endpoints.baskets, { signal, repeat: 'never' })]);
  if (asked.status === 'fulfilled') return readDayBaskets(asked.value);
  if (asked.reason instanceof ServiceError && asked.reason.status === 404) return undefined;
  throw asked.reason;
}
