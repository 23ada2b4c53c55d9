/** Changes of orders and baskets that live: they are acknowledged first and happen later, or not (docs/service/order-life.md#acknowledgement-and-result). */
import { attempt } from '../../attempt';
import type { OrderRecord } from '../../endpoints/orders';
import { BrokerageError, InputError, NetworkError } from '../../base/errors';
import type { Acknowledgement } from '../../endpoints/endpoint';
import type { IntentExitKind, ShownExit } from '../../endpoints/intent-orders';
import { statusLabel } from '../../values/labels';
import { asRecord, type WireRecord } from '../../values/record';
import type { Cancellations, ServiceRequest } from '../api/order-api';
import {
  brokerageErrorOnly,
  classifyFailure,
  isRefusedUnlessSeen,
  mayHaveChanged,
  unknownChange,
} from '../placing/outcome';
import type { PlacementContext } from '../account/placement-context';
import { exitsOf, hasEnded, hasExited, hasLiveExits, orderIdOf, statusOf } from '../model/order-record';
import { getNewOrder } from '../placing/read-new-order';
import { sendChange } from './send-change';
import type { WaitResult } from '../placing/read-until';
import { isBasketLive } from '../model/basket-record';
import { waitUntilBasket } from '../placing/wait-for-basket';
import { waitUntil } from '../placing/wait-for-status';

/** Result of a request to cancel or change an order. */
export interface ChangeResult {
  orderId: string;
  /**
   * `requested`: acknowledged, its end was not waited for or did not come in time. `done`: seen in the order.
   * `too_late`: the order ended another way first. `refused`: the service said no. `unknown`: no clear answer came.
   */
  result: 'requested' | 'done' | 'too_late' | 'refused' | 'unknown';
  /** The order as last seen. */
  order?: OrderRecord;
  /** Set for `too_late`, `refused` and `unknown`. */
  error?: BrokerageError;
}

/** A requested change: its word in errors, and the check that it happened. */
export interface ChangeRequest {
  /** "cancelled", "modified". */
  what: string;
  /** The part of the order that is changed: "stop loss". If left out, the order itself. */
  part?: string;
  isDone: (order: OrderRecord) => boolean;
}

/** Minimum time to follow an order when its change got no clear answer. */
const UNCLEAR_MS = 5_000;

const CANCELLED: ChangeRequest = { what: 'cancelled', isDone: (order) => statusOf(order) === 'CANCELLED' };

/** Returns what a change is about, in words: "order 7", "the stop loss of order 7". */
const namedIn = (orderId: string, part?: string): string =>
  part === undefined ? `order ${orderId}` : `the ${part} of order ${orderId}`;

/** An order that had ended before it, or a part of it, could be changed. */
export function tooLateResult(
  orderId: string,
  order: OrderRecord,
  { what, part }: Pick<ChangeRequest, 'what' | 'part'>,
): ChangeResult {
  const status = statusLabel(statusOf(order)).toLowerCase();
  const whose = namedIn(orderId, part);
  const it = part === undefined ? 'it' : 'the order';
  const error = new InputError(
    `${whose[0]!.toUpperCase()}${whose.slice(1)} could not be ${what}: ${it} was ${status} before that.`,
    {
      parameter: 'orderId',
      hint: hasLiveExits(order)
        ? 'What it has filled stays, and so do its exits: Cancel Exit takes one off, Modify changes them.'
        : hasExited(order)
          ? 'An exit of it was filled: nothing of it is left to change.'
          : 'Nothing of it is left to change.',
    },
  );
  return { orderId, result: 'too_late', order, error };
}

/** Returns the result of a requested change, by the final state of the order. */
function resultOf(orderId: string, { order, reached }: WaitResult<OrderRecord>, input: ChangeRequest): ChangeResult {
  if (reached) return { orderId, result: 'done', order };
  if (order !== undefined && hasEnded(order)) return tooLateResult(orderId, order, input);
  return { orderId, result: 'requested', order };
}

/** Returns the result for an order that was looked at after a request failed: a change that was not seen is unknown, or refused. */
function afterLook(orderId: string, look: WaitResult<OrderRecord>, error: unknown, input: ChangeRequest): ChangeResult {
  const seen = resultOf(orderId, look, input);
  const { what, part } = input;
  if (seen.result !== 'requested') return seen;
  return isRefusedUnlessSeen(error, look)
    ? { ...seen, result: 'refused', error }
    : { ...seen, result: 'unknown', error: unknownChange(namedIn(orderId, part), what, error, seen.order) };
}

/** Returns the meaning of a failed request to change, with the current order. */
async function afterFailure(
  orderId: string,
  failure: unknown,
  input: ChangeRequest,
  waitMs: number,
  context: PlacementContext,
): Promise<ChangeResult> {
  const { what, part, isDone } = input;
  const error =
    failure instanceof BrokerageError
      ? failure
      : new NetworkError(`The ${part ?? 'order'} could not be ${what}.`, {
          maySent: true,
          hint: 'Look at it with Order: Get before you try again.',
          cause: failure,
        });
  if (mayHaveChanged(error)) {
    const waited = await waitUntil(orderId, isDone, Math.max(waitMs, UNCLEAR_MS), context);
    return afterLook(orderId, waited, error, input);
  }
  if (classifyFailure(error) === 'refused') return { orderId, result: 'refused', error };
  const order = await context.orders.get(orderId, context.signal).catch(() => undefined);
  if (order !== undefined && isDone(order)) return { orderId, result: 'done', order };
  if (order !== undefined && hasEnded(order)) return tooLateResult(orderId, order, input);
  return { orderId, result: 'refused', order, error };
}

const FIRST_LOOK_MS = 500;

/** Returns the results for several orders after a request without a clear answer: looks for all in one list, until one deadline for all. */
async function afterLostReply(
  orderIds: readonly string[],
  error: unknown,
  input: ChangeRequest,
  waitMs: number,
  context: PlacementContext,
): Promise<ChangeResult[]> {
  const { transport, orders, signal } = context;
  const deadline = transport.clock.moment(Math.max(waitMs, UNCLEAR_MS));
  const seen = new Map<string, OrderRecord>();
  const isOpen = (orderId: string): boolean => {
    const order = seen.get(orderId);
    return order === undefined || !(input.isDone(order) || hasEnded(order));
  };
  let unread: BrokerageError | undefined;
  for (let pause = FIRST_LOOK_MS; orderIds.some(isOpen); pause *= 2) {
    const left = -transport.clock.since(deadline);
    if (left <= 0) break;
    await transport.clock.sleep(Math.min(pause, left), signal);
    const listed = await attempt(orders.list(signal));
    signal?.throwIfAborted();
    unread = listed.ok ? undefined : brokerageErrorOnly(listed.error);
    for (const order of listed.ok ? listed.value : []) seen.set(orderIdOf(order), order);
  }
  return orderIds.map((orderId): ChangeResult => {
    const order = seen.get(orderId);
    const reached = order !== undefined && input.isDone(order);
    return afterLook(orderId, { order, reached, timedOut: !reached, error: unread }, error, input);
  });
}

/** @returns the error of a request that failed; undefined if it was acknowledged. @throws as `sendChange` */
async function failureOf(request: ServiceRequest, context: PlacementContext): Promise<{ error: unknown } | undefined> {
  const { signal } = context;
  return await sendChange(request, context).then(
    () => undefined,
    (error: unknown) => {
      if (signal?.aborted && error === signal.reason) throw error;
      return { error };
    },
  );
}

/**
 * Sends a change of one order, and follows the order until it is seen.
 * @param waitMs milliseconds to wait for the end; 0 for the acknowledgement only.
 * @returns the result for it. What the service or the network did is never thrown. @throws the signal's reason
 */
export async function changeOrder(
  orderId: string,
  request: ServiceRequest,
  input: ChangeRequest,
  waitMs: number,
  context: PlacementContext,
): Promise<ChangeResult> {
  const [result] = await changeAll([orderId], request, input, waitMs, context);
  return result!;
}

/** Sends a change of several orders with one request, and follows each. @returns the result for each, in order. */
async function changeAll(
  orderIds: readonly string[],
  request: ServiceRequest,
  input: ChangeRequest,
  waitMs: number,
  context: PlacementContext,
): Promise<ChangeResult[]> {
  const { clock } = context.transport;
  const failure = await failureOf(request, context);
  if (failure !== undefined && orderIds.length > 1 && mayHaveChanged(failure.error))
    return await afterLostReply(orderIds, failure.error, input, waitMs, context);
  const deadline = clock.moment(waitMs);
  const results: ChangeResult[] = [];
  for (const orderId of orderIds) {
    const left = Math.max(0, -clock.since(deadline));
    if (failure !== undefined) results.push(await afterFailure(orderId, failure.error, input, left, context));
    else if (waitMs === 0) results.push({ orderId, result: 'requested' });
    else results.push(resultOf(orderId, await waitUntil(orderId, input.isDone, left, context), input));
  }
  return results;
}

/**
 * Cancels one order.
 * @param orderId decimal text.
 * @param waitMs milliseconds to wait for the end; 0 for the acknowledgement only.
 * @returns the result for it. @throws the signal's reason
 */
export async function cancelOrder(orderId: string, waitMs: number, context: PlacementContext): Promise<ChangeResult> {
  const requested = await context.orders.cancel(orderId, context.signal);
  const [result] = await cancelAll([orderId], requested, waitMs, context);
  return result!;
}

/** An exit to take off: the request for it, undefined if nothing is to be sent, because it is gone or its order has ended. */
export interface ExitCancellation {
  order: OrderRecord;
  kind: IntentExitKind;
  request: ServiceRequest | undefined;
}

/**
 * Reads an order, and prepares to take one exit off it.
 * @param orderId decimal text.
 * @throws InputError if the order shows no such exit, or its interface has none; see `getNewOrder`.
 */
export async function exitCancellation(
  orderId: string,
  kind: IntentExitKind,
  context: PlacementContext,
): Promise<ExitCancellation> {
  const order = await getNewOrder(orderId, context);
  const request = context.orders.cancelExit(order, kind);
  const shown = exitsOf(order).filter((exit) => isOfKind(exit, kind) || exit.kind === 'UNKNOWN');
  if (shown.length === 0) {
    throw new InputError(`Order ${orderId} has no ${EXIT_NAMES[kind]}. Nothing was sent.`, {
      parameter: 'exitKind',
      hint: 'Order: Get shows its exits.',
    });
  }
  if (isRidOf(order, kind) || hasEnded(order)) return { order, kind, request: undefined };
  if (kind === 'TRAILING_STOP' && shown.every((exit) => exit.kind === 'STOPLOSS')) {
    throw new InputError(`The stop loss of order ${orderId} does not trail. Nothing was sent.`, {
      parameter: 'exitKind',
      hint: 'To take the stop loss off, choose Stop Loss.',
    });
  }
  return { order, kind, request };
}

/**
 * Removes one exit from an order, which stays.
 * @param waitMs as `cancelOrder`
 * @returns the result. @throws the signal's reason
 */
export async function cancelExit(
  { order, kind, request }: ExitCancellation,
  waitMs: number,
  context: PlacementContext,
): Promise<ChangeResult> {
  const orderId = orderIdOf(order);
  const taken = { what: 'taken off', part: EXIT_NAMES[kind] };
  if (request === undefined)
    return isRidOf(order, kind) ? { orderId, result: 'done', order } : tooLateResult(orderId, order, taken);
  const isDone = (record: OrderRecord): boolean => isRidOf(record, kind);
  return await changeOrder(orderId, request, { ...taken, isDone }, waitMs, context);
}

const EXIT_NAMES: Readonly<Record<IntentExitKind, string>> = {
  STOPLOSS: 'stop loss',
  TARGET_PROFIT: 'target',
  TRAILING_STOP: 'trailing stop',
};

/** Returns true if no exit of a kind is left, nor one whose kind the service does not say. */
function isRidOf(order: OrderRecord, kind: IntentExitKind): boolean {
  return !exitsOf(order).some(
    (exit) => (isOfKind(exit, kind) || exit.kind === 'UNKNOWN') && exit.status !== 'CANCELLED',
  );
}

/** A stop loss and a trailing stop are one exit. */
function isOfKind({ kind: shown }: WireRecord<ShownExit>, kind: IntentExitKind): boolean {
  return kind === 'TARGET_PROFIT' ? shown === kind : shown === 'STOPLOSS' || shown === 'TRAILING_STOP';
}

/**
 * Cancels several orders with as few requests as the interface allows, each with its own result. The service takes a request as a whole or
 * not at all: when it says no, each order is looked at to tell why.
 * @param orderIds decimal texts, each once.
 * @param waitMs milliseconds to wait for the end of all; 0 for the acknowledgement only.
 * @returns the result for each, in order. @throws the signal's reason
 */
export async function cancelOrders(
  orderIds: readonly string[],
  waitMs: number,
  context: PlacementContext,
): Promise<ChangeResult[]> {
  const requested = await context.orders.cancelSeveral(orderIds, context.signal);
  return await cancelAll(orderIds, requested, waitMs, context);
}

/** Returns the result for an order that ended before its cancellation: success if it was cancelled. */
function endedBefore(order: OrderRecord): ChangeResult {
  const orderId = orderIdOf(order);
  return CANCELLED.isDone(order) ? { orderId, result: 'done', order } : tooLateResult(orderId, order, CANCELLED);
}

/** Returns the result for an id that is of a basket: as an order it would only lose its exits. */
function basketResult(basketId: string): ChangeResult {
  const error = new InputError(`${basketId} is a basket, and no order. Nothing was sent for it.`, {
    parameter: 'orderId',
    hint: 'Use Basket: Cancel before it has entered, Basket: Close after that.',
  });
  return { orderId: basketId, result: 'refused', error };
}

async function cancelAll(
  orderIds: readonly string[],
  { requests, ended, baskets }: Cancellations,
  waitMs: number,
  context: PlacementContext,
): Promise<ChangeResult[]> {
  const results = new Map<string, ChangeResult>(ended.map((order) => [orderIdOf(order), endedBefore(order)]));
  for (const basketId of baskets) results.set(basketId, basketResult(basketId));
  for (const { orderIds: some, request } of requests)
    for (const result of await changeAll(some, request, CANCELLED, waitMs, context))
      results.set(result.orderId, result);
  return orderIds.map((orderId) => results.get(orderId)!);
}

/**
 * Cancels a basket that has not entered, or exits one that has. The answer is an acknowledgement, not the result.
 * @param basketId decimal text.
 * @param exchange of its legs.
 * @returns the service's message; '' when it has none.
 * @throws UnknownOutcomeError if no clear answer came; see `Transport.call`.
 */
export async function cancelBasket(basketId: string, exchange: string, context: PlacementContext): Promise<string> {
  const request = await context.baskets.cancel(basketId, exchange, context.signal);
  const sent = await attempt(sendChange(request, context));
  if (!sent.ok) return await afterBasketFailure(basketId, sent.error, context);
  const reply = asRecord<Acknowledgement>(sent.value);
  return typeof reply?.message === 'string' ? reply.message : '';
}

/** Looks for a cancellation whose request failed. @returns '' if the basket is over. @throws the error of the request, or an unknown outcome */
async function afterBasketFailure(basketId: string, error: unknown, context: PlacementContext): Promise<string> {
  if (!mayHaveChanged(error)) throw error;
  context.signal?.throwIfAborted();
  const basketWait = await waitUntilBasket(basketId, (basket) => !isBasketLive(basket), UNCLEAR_MS, context);
  if (basketWait.reached) return '';
  throw isRefusedUnlessSeen(error, basketWait) ? error : unknownChange(`basket ${basketId}`, 'cancelled', error);
}
