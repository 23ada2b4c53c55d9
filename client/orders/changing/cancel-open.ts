/**
 * Cancels whatever still lives of some orders, their exits included, and looks until none of it does. A cancellation may
 * be asked for again: what is cancelled cannot be cancelled twice.
 */
import type { Moment } from '../../base/ports';
import type { OrderRecord } from '../../endpoints/orders';
import { BrokerageError } from '../../base/errors';
import { tooLate, type ChangeResult } from './change-order';
import type { Cancellations } from '../api/order-api';
import { brokerageErrorOnly, classifyFailure, unknownChange } from '../placing/outcome';
import type { PlacementContext } from '../account/placement-context';
import { hasEnded, hasExited, orderIdOf, statusOf } from '../model/order-record';
import { sendChange } from './send-change';

const FIRST_LOOK_MS = 500;
const MAX_PAUSE_MS = 2_000;
/** A refusal may be due to a change that is at the exchange just now: it is asked again. */
const ASK_AGAIN_MS = 3_000;

interface Tracked {
  /** As it was when it was first seen alive, and as it is now. */
  first: OrderRecord;
  now: OrderRecord;
  /** Milliseconds; undefined before the first time. */
  requestedAt?: Moment;
  /** Of the last request. */
  failure?: BrokerageError;
}

/**
 * Cancels all orders that are meant: entries that are open, and exits that live, of filled entries too.
 * @param isMeant whether an order of the day's list is to be cancelled. What is placed meanwhile is cancelled as well.
 * @param waitMs milliseconds to look until nothing lives; 0: every order is asked for once, and not looked at.
 * @param options.isOver whether an order is left alone: by default one of which nothing lives; `entryHasEnded` leaves the
 *   exits of what is filled.
 * @param options.lookMs milliseconds, of `waitMs`, to look for orders that the list shows late
 * (docs/service/order-life.md#acknowledgement-and-result).
 * @returns what became of each that lived. `done`: nothing of it lives. `too_late`: it was filled before that, or an exit of
 *   it; nothing of it lives either. Anything else: it may live.
 * @throws what the first read of the list throws: nothing was sent then; the signal's reason.
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
      const known = tracked.get(orderIdOf(order));
      if (known !== undefined) known.now = order;
      else if (!isOver(order) && (await isSelected(order))) tracked.set(orderIdOf(order), { first: order, now: order });
    }
  };
  await take(await orders.list(signal));
  for (let pause = FIRST_LOOK_MS, isFirst = true; ; pause = Math.min(pause * 1.5, MAX_PAUSE_MS), isFirst = false) {
    const live = [...tracked.values()].filter(({ now }) => !isOver(now));
    await requestCancels(live, isFirst, context);
    const left = waitMs - clock.since(started);
    if ((live.length === 0 && clock.since(started) >= Math.min(lookMs, waitMs)) || left <= 0) break;
    await clock.sleep(Math.min(pause, left), signal);
    const listed = await orders.list(signal).catch((error: unknown) => brokerageErrorOnly(error, signal));
    if (!(listed instanceof BrokerageError)) await take(listed);
  }
  return [...tracked.values()].map((tracked) => resultOf(tracked, isOver(tracked.now), waitMs));
}

/** Asks for those that were not asked for a moment ago: together at first, later one by one, as one refusal is that of all. */
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
    if (wasFilled || hasExited(now)) return tooLate(orderId, now, 'cancelled');
    return { orderId, result: 'done', order: now };
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
