/**
 * Cancels the open parts of orders, their exits included, and reads until nothing is open. A cancellation may be repeated: a cancelled
 * order cannot be cancelled twice.
 */
import type { Moment } from '../../base/ports';
import type { OrderRecord } from '../../endpoints/orders';
import { BrokerageError, UnreadableReplyError } from '../../base/errors';
import { tooLateResult, type ChangeResult } from './change-order';
import type { Cancellations } from '../api/order-api';
import { brokerageErrorOnly, classifyFailure, unknownChange } from '../placing/outcome';
import type { PlacementContext } from '../account/placement-context';
import { hasEnded, hasExited, orderIdOf, statusOf } from '../model/order-record';
import { textFrom } from '../../values/record';
import { sendChange } from './send-change';

const FIRST_LOOK_MS = 500;
const MAX_PAUSE_MS = 2_000;
/** A refusal may be due to a change that is at the exchange just now: it is asked again. */
const ASK_AGAIN_MS = 3_000;

interface Tracked {
  /** The record when it was first seen open, and the current one. */
  first: OrderRecord;
  now: OrderRecord;
  /** Milliseconds; undefined before the first time. */
  requestedAt?: Moment;
  /** Error of the last request. */
  failure?: BrokerageError;
}

/**
 * Cancels all selected orders: open entries, and open exits, also of filled entries.
 * @param isMeant true for an order of the day's list to cancel. Orders placed meanwhile are cancelled as well.
 * @param waitMs milliseconds to look until nothing is open; 0: every order is cancelled once, and not followed.
 * @param options.isOver true for an order to leave alone: by default one with nothing open; `entryHasEnded` leaves the exits of filled
 * entries.
 * @param options.lookMs milliseconds, of `waitMs`, to look for orders that the list shows late
 * (docs/service/order-life.md#acknowledgement-and-result).
 * @returns the result for each that was open. `done`: nothing of it is open. `too_late`: it, or an exit of it, was filled before; nothing
 * of it is open either. Anything else: it may be open.
 * One that contradicts itself in the list is not cancelled, and `refused`.
 * @throws any error of the first read of the list: nothing was sent then; the signal's reason.
 */
export async function cancelOpenOrders(
  isSelected: (order: OrderRecord) => boolean | Promise<boolean>,
  waitMs: number,
  context: PlacementContext,
  { isOver = hasEnded, lookMs = 0 }: { isOver?: (order: OrderRecord) => boolean; lookMs?: number } = {},
): Promise<ChangeResult[]> {
  const { transport, orders, signal } = context;
  const { clock } = transport;
  const started = clock.moment();
  const tracked = new Map<string, Tracked>();
  const take = async (listed: readonly OrderRecord[]): Promise<void> => {
    for (const order of listed) {
      const trackedOrder = tracked.get(orderIdOf(order));
      if (trackedOrder !== undefined) trackedOrder.now = order;
      else if (!isOver(order) && (await isSelected(order))) tracked.set(orderIdOf(order), { first: order, now: order });
    }
  };
  await take(await orders.list(signal, 'marked'));
  for (let pause = FIRST_LOOK_MS, isFirst = true; ; pause = Math.min(pause * 1.5, MAX_PAUSE_MS), isFirst = false) {
    const live = [...tracked.values()].filter(({ now }) => !isOver(now));
    const isLastLook = !isFirst && clock.since(started) >= waitMs;
    // In the last look only what has never been requested: it was not listed before.
    const due = isLastLook ? live.filter(({ requestedAt }) => requestedAt === undefined) : live;
    // Of one that contradicts itself it is not known whether a cancellation would take the exits off a position.
    const readable = due.filter(({ now }) => now.unreadable_reason === undefined);
    await requestCancels(readable, isFirst, context);
    const hasLooked = live.length === 0 && clock.since(started) >= Math.min(lookMs, waitMs);
    if (hasLooked || isLastLook || waitMs === 0) break;
    // A reply that came after the time is looked at once, too.
    const left = waitMs - clock.since(started);
    await clock.sleep(Math.min(pause, Math.max(left, FIRST_LOOK_MS)), signal);
    const listed = await orders.list(signal, 'marked').catch((error: unknown) => brokerageErrorOnly(error, signal));
    if (!(listed instanceof BrokerageError)) await take(listed);
  }
  return [...tracked.values()].map((tracked) => resultOf(tracked, isOver(tracked.now), waitMs));
}

/** Cancels those without a recent request: together the first time, later one by one, because one refusal refuses all. */
async function requestCancels(live: readonly Tracked[], isTogether: boolean, context: PlacementContext): Promise<void> {
  const { transport, orders, signal } = context;
  const { clock } = transport;
  const due = live.filter(({ requestedAt }) => requestedAt === undefined || clock.since(requestedAt) >= ASK_AGAIN_MS);
  const records = due.map((tracked) => tracked.now);
  const requests: Cancellations['requests'] = isTogether
    ? orders.endAll(records)
    : records.flatMap((record) => orders.endAll([record]));
  for (const { orderIds, request } of requests) {
    signal?.throwIfAborted();
    const failure = await sendChange(request, context).then(
      () => undefined,
      (error: unknown) => brokerageErrorOnly(error, signal),
    );
    for (const tracked of due)
      if (orderIds.includes(orderIdOf(tracked.now))) Object.assign(tracked, { requestedAt: clock.moment(), failure });
  }
}

function resultOf({ first, now, failure }: Tracked, isOver: boolean, waitMs: number): ChangeResult {
  const orderId = orderIdOf(first);
  if (isOver) {
    const wasFilled = statusOf(now) === 'FILLED' && statusOf(first) !== 'FILLED';
    if (wasFilled || hasExited(now)) return tooLateResult(orderId, now, { what: 'cancelled' });
    return { orderId, result: 'done', order: now };
  }
  if (now.unreadable_reason !== undefined) {
    const error = new UnreadableReplyError(`${textFrom(now.unreadable_reason)} It was not cancelled.`, {
      hint: "Look at it in your broker's app, and cancel it there if it is open.",
    });
    return { orderId, result: 'refused', order: now, error };
  }
  if (failure === undefined && waitMs === 0) return { orderId, result: 'requested', order: now };
  if (failure !== undefined && classifyFailure(failure) !== 'unknown')
    return { orderId, result: 'refused', order: now, error: failure };
  return {
    orderId,
    result: 'unknown',
    order: now,
    error: unknownChange(`order ${orderId}`, 'cancelled', failure, now),
  };
}
