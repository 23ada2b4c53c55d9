/** What the stream asks of the REST service: where it is, and the day's orders (specification: User info; Orders). */
import { endpoints } from '../../endpoints';
import { ServiceError } from '../../errors';
import { hostList, streamAddress } from '../../session/address';
import { jsonOf, type Transport } from '../../transport';
import type { Json } from '../../values/json';
import { readDayBaskets } from '../reconciliation/basket-record';
import { readDayOrders } from '../reconciliation/order-record';
import type { DayOrders, OrderSnapshot } from '../reconciliation/types';

/** Where the stream is when `/userinfo` gives no address (wire-facts §2). */
const USUAL_PATH = '/oms-socket-latest/ws';
/** `Date` tells whole seconds, without what has passed of the last one. */
const DATE_STEP_MS = 999;

/**
 * The checked address of the stream. Asking for it also shows whether the session lives.
 * @param furtherHosts the comma-separated list of hosts that the person allows.
 * @throws SessionError when the address must not get a token.
 */
export async function askStreamAddress(
  transport: Transport,
  furtherHosts: string,
  signal: AbortSignal,
): Promise<string> {
  const given = orderServiceUrl(await transport.call(endpoints.userInfo, { signal }));
  const usual = `${transport.baseUrl.replace(/^http/, 'ws')}${USUAL_PATH}`;
  return streamAddress(given === '' ? usual : given, transport.baseUrl, hostList(furtherHosts));
}

function orderServiceUrl(reply: Json): string {
  const inner = (value: Json | undefined, key: string): Json | undefined =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value[key] : undefined;
  const url = inner(inner(reply, 'env_info'), 'order_service_ws_url');
  return typeof url === 'string' ? url.trim() : '';
}

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
