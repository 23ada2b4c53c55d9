/** Cancels and modifies: both are acknowledged first and happen later, or not (wire-facts 2 and 3.8). */
import { endpoints } from '../endpoints';
import type { CancelOrdersBody, ModifyOrderBody } from '../endpoints/orders';
import { BrokerageError, InputError, NetworkError } from '../errors';
import type { Transport } from '../transport';
import { hasEnded, numberOf, statusOf, type OrderKind, type OrderRecord } from './order';
import { meaningOfFailure, unknownChange } from './outcome';
import { getOrder } from './read';
import { waitUntil, type WaitResult } from './wait';

/** What became of a wish to cancel or change an order. */
export interface ChangeResult {
  orderId: string;
  /**
   * `requested`: acknowledged, its end was not waited for or did not come in time. `done`: seen in the order.
   * `too_late`: the order ended another way first. `refused`: the service said no. `unknown`: no clear answer came.
   */
  result: 'requested' | 'done' | 'too_late' | 'refused' | 'unknown';
  /** The order as it was last seen. */
  order?: OrderRecord;
  /** Set for `too_late`, `refused` and `unknown`. */
  error?: BrokerageError;
}

export interface WaitOptions {
  /** Milliseconds to wait for the end; 0 for the acknowledgement only. */
  waitMs: number;
  signal?: AbortSignal;
}

const isCancelled = (order: OrderRecord): boolean => statusOf(order) === 'CANCELLED';

function tooLate(orderId: string, order: OrderRecord, what: string): InputError {
  const status = statusOf(order).toLowerCase().replace(/_/g, ' ');
  return new InputError(`Order ${orderId} could not be ${what}: it was ${status} before that.`, {
    parameter: 'orderId',
    hint: 'Nothing of it is left to change.',
  });
}

/** What an order that was asked to change has come to. */
function resultOf(orderId: string, waited: WaitResult, what: string): ChangeResult {
  const { order } = waited;
  if (waited.reached) return { orderId, result: 'done', order };
  if (order !== undefined && hasEnded(order))
    return { orderId, result: 'too_late', order, error: tooLate(orderId, order, what) };
  return { orderId, result: 'requested', order };
}

/** What a failed request to change means, with the order as it is now. */
async function afterFailure(
  transport: Transport,
  orderId: string,
  failure: unknown,
  holds: (order: OrderRecord) => boolean,
  what: string,
  { waitMs, signal }: WaitOptions,
): Promise<ChangeResult> {
  const error =
    failure instanceof BrokerageError
      ? failure
      : new NetworkError(`The order could not be ${what}.`, { maySent: true, cause: failure });
  const meaning = meaningOfFailure(error);
  if (meaning === 'refused') return { orderId, result: 'refused', error };
  if (meaning === 'unknown') {
    const waited = await waitUntil(transport, orderId, holds, Math.max(waitMs, 5_000), signal);
    const seen = resultOf(orderId, waited, what);
    return seen.result === 'requested'
      ? { ...seen, result: 'unknown', error: unknownChange(`order ${orderId}`, what, error, seen.order) }
      : seen;
  }
  const order = await getOrder(transport, orderId, signal).catch(() => undefined);
  if (order !== undefined && holds(order)) return { orderId, result: 'done', order };
  if (order !== undefined && hasEnded(order))
    return { orderId, result: 'too_late', order, error: tooLate(orderId, order, what) };
  return { orderId, result: 'refused', order, error };
}

/**
 * Cancels one order.
 * @param orderId decimal text.
 */
export async function cancelOrder(transport: Transport, orderId: string, options: WaitOptions): Promise<ChangeResult> {
  const [failure] = await transport.call(endpoints.cancelOrder, { path: { order_id: orderId } }).then(
    () => [],
    (error: unknown) => [error],
  );
  if (failure !== undefined) return await afterFailure(transport, orderId, failure, isCancelled, 'cancelled', options);
  if (options.waitMs === 0) return { orderId, result: 'requested' };
  return resultOf(
    orderId,
    await waitUntil(transport, orderId, isCancelled, options.waitMs, options.signal),
    'cancelled',
  );
}

/** The body that cancels several orders. */
export function cancelBody(orderIds: readonly string[]): CancelOrdersBody {
  return { orders: orderIds.map((order_id) => ({ order_id })) };
}

/**
 * Cancels several orders with one request (`POST /orders/cancel`), each with its own result. The service takes the
 * request as a whole or not at all: when it says no, each order is looked at to tell why.
 * @param orderIds decimal texts, each once.
 */
export async function cancelOrders(
  transport: Transport,
  orderIds: readonly string[],
  options: WaitOptions,
): Promise<ChangeResult[]> {
  const [failure] = await transport.call(endpoints.cancelOrders, { body: cancelBody(orderIds) }).then(
    () => [],
    (error: unknown) => [error],
  );
  const results: ChangeResult[] = [];
  const deadline = transport.clock.now() + options.waitMs;
  for (const orderId of orderIds) {
    const left = { ...options, waitMs: Math.max(0, deadline - transport.clock.now()) };
    if (failure !== undefined)
      results.push(await afterFailure(transport, orderId, failure, isCancelled, 'cancelled', left));
    else if (options.waitMs === 0) results.push({ orderId, result: 'requested' });
    else
      results.push(
        resultOf(orderId, await waitUntil(transport, orderId, isCancelled, left.waitMs, options.signal), 'cancelled'),
      );
  }
  return results;
}

/** What is to change; prices in paise. What is left out stays as it is. */
export interface OrderChange {
  quantity?: number;
  price?: number;
  triggerPrice?: number;
  legSize?: number;
  kind?: OrderKind;
}

/** The body of a modification: the service wants the whole order again (wire-facts 2: Modify order). */
export function modifyBody(order: OrderRecord, change: OrderChange, exchange: string): ModifyOrderBody {
  const algo =
    typeof order.algo_params === 'object' && order.algo_params !== null && !Array.isArray(order.algo_params)
      ? order.algo_params
      : {};
  const kind =
    change.kind === undefined ? String(order.order_type ?? 'ORDER_TYPE_REGULAR') : `ORDER_TYPE_${change.kind}`;
  return {
    order_qty: change.quantity ?? numberOf(order.order_qty),
    order_price: change.price ?? numberOf(order.order_price),
    exchange,
    order_type: kind,
    algo_params: {
      trigger_price: change.triggerPrice ?? (numberOf(algo.trigger_price) || numberOf(order.trigger_price)),
      leg_size: change.legSize ?? (numberOf(algo.leg_size) || numberOf(order.leg_size)),
    },
  };
}

function carriesChange(order: OrderRecord, change: OrderChange): boolean {
  const algo =
    typeof order.algo_params === 'object' && order.algo_params !== null && !Array.isArray(order.algo_params)
      ? order.algo_params
      : {};
  const is = (wanted: number | undefined, ...seen: (number | undefined)[]): boolean =>
    wanted === undefined || seen.includes(wanted);
  return (
    is(change.quantity, numberOf(order.order_qty)) &&
    is(change.price, numberOf(order.order_price)) &&
    is(change.triggerPrice, numberOf(algo.trigger_price), numberOf(order.trigger_price)) &&
    is(change.legSize, numberOf(algo.leg_size), numberOf(order.leg_size)) &&
    (change.kind === undefined || order.order_type === `ORDER_TYPE_${change.kind}`)
  );
}

/**
 * Modifies one order. It is read first, since the service wants the whole of it.
 * @param exchange of the instrument; compulsory for the service.
 * @throws what the first read throws; InputError when the order has ended.
 */
export async function modifyOrder(
  transport: Transport,
  order: OrderRecord,
  orderId: string,
  change: OrderChange,
  exchange: string,
  options: WaitOptions,
): Promise<ChangeResult> {
  if (hasEnded(order)) return { orderId, result: 'too_late', order, error: tooLate(orderId, order, 'modified') };
  const holds = (seen: OrderRecord): boolean => carriesChange(seen, change);
  const [failure] = await transport
    .call(endpoints.modifyOrder, { path: { order_id: orderId }, body: modifyBody(order, change, exchange) })
    .then(
      () => [],
      (error: unknown) => [error],
    );
  if (failure !== undefined) return await afterFailure(transport, orderId, failure, holds, 'modified', options);
  if (options.waitMs === 0) return { orderId, result: 'requested' };
  return resultOf(orderId, await waitUntil(transport, orderId, holds, options.waitMs, options.signal), 'modified');
}
