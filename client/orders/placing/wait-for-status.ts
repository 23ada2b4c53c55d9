/** Waits for what becomes of orders: an acknowledgement of the service is not the result (docs/service/order-life.md#acknowledgement-and-result). */
import type { Moment } from '../../base/ports';
import type { OrderRecord } from '../../endpoints/orders';
import type { PlacementContext } from '../account/placement-context';
import {
  entryHasEnded,
  filledQuantityOf,
  hasEnded,
  hasExited,
  isIntent,
  isUnpricedFill,
  hasReachedExchange,
  orderIdOf,
  statusOf,
} from '../model/order-record';
import { readUntil, type FollowedRecord, type WaitResult } from './read-until';

/**
 * Until when to wait: the exchange has taken the order, its entry is over with something filled, all of it is filled, an exit
 * of it is filled, or nothing more can happen to it and its exits.
 */
export const WAIT_FOR = ['accepted', 'ended', 'entered', 'exited', 'filled'] as const;
export type WaitFor = (typeof WAIT_FOR)[number];

/** Tells when something happened to an order, where a stream brings it. @returns how to stop. */
export type FollowOrder = (orderId: string, onChange: () => void) => () => void;

/** Of several orders the list is read no more often, milliseconds. */
const BETWEEN_LISTS_MS = 500;

function isReached(order: OrderRecord, until: WaitFor): boolean {
  if (until === 'accepted') return hasReachedExchange(order) && statusOf(order) !== 'REJECTED';
  // What has filled is told some seconds before its price, which the next step needs.
  if (isUnpricedFill(order)) return false;
  if (until === 'entered') return entryHasEnded(order) && filledQuantityOf(order) > 0;
  if (until === 'filled') return statusOf(order) === 'FILLED';
  if (until === 'exited') return hasExited(order);
  return hasEnded(order);
}

/**
 * Reads an order at a pace that slows down from half a second to five, and at once when a stream tells of it, until a
 * condition holds, the order ends, or the deadline passes. What counts is what is read.
 * @param timeoutMs from now.
 * @throws the signal's reason, at once.
 */
export async function waitUntil(
  orderId: string,
  holds: (order: OrderRecord) => boolean,
  timeoutMs: number,
  context: PlacementContext,
  follow?: FollowOrder,
): Promise<WaitResult<OrderRecord>> {
  const deadline = context.transport.clock.moment(timeoutMs);
  const [end] = await followUntil([{ id: orderId, holds, hasEnded, deadline }], context, follow);
  return end!;
}

async function followUntil(
  followed: readonly FollowedRecord<OrderRecord>[],
  context: PlacementContext,
  follow?: FollowOrder,
): Promise<WaitResult<OrderRecord>[]> {
  const { orders, transport, signal } = context;
  let changed = new AbortController();
  const unfollow = followed.map(({ id }) => follow?.(id, () => changed.abort()));
  const read = async (ids: readonly string[]): Promise<ReadonlyMap<string, OrderRecord>> => {
    const [only, ...others] = ids;
    if (others.length === 0) return new Map([[only!, await orders.get(only!, signal)]]);
    return new Map((await orders.list(signal)).map((order) => [orderIdOf(order), order]));
  };
  try {
    return await readUntil(followed, read, context, async (ms) => {
      // Many orders change at any moment: the list of all of them is read twice a second at most.
      const uncut = followed.length > 1 ? Math.min(ms, BETWEEN_LISTS_MS) : 0;
      if (uncut > 0) await transport.clock.sleep(uncut, signal);
      const either = AbortSignal.any([changed.signal, ...(signal ? [signal] : [])]);
      await transport.clock.sleep(ms - uncut, either).catch((error: unknown) => {
        if (!changed.signal.aborted) throw error;
      });
      const reported = changed.signal.aborted;
      changed = new AbortController();
      return reported;
    });
  } finally {
    for (const stop of unfollow) stop?.();
  }
}

/** An order that is waited for. */
export interface WaitedOrder {
  orderId: string;
  until: WaitFor;
  deadline: Moment;
  /** True if intent orders placed it: their list shows it later than the older one, which lacks its exits. */
  wasPlacedAsIntent?: boolean;
}

/**
 * Waits for a status (see `WAIT_FOR`) of each of several orders, at the pace of `waitUntil`: of several, the day's list is read, once for all
 * of them. What has filled is reached when its price is told, too; `accepted` is not about it. What intent orders placed is waited for in their
 * list; a record of the older one counts at the deadline only.
 * @returns how each wait ended, in order. @throws the signal's reason, at once.
 */
export async function waitForOrders(
  waited: readonly WaitedOrder[],
  context: PlacementContext,
  follow?: FollowOrder,
): Promise<WaitResult<OrderRecord>[]> {
  const followed = waited.map(({ orderId, until, deadline, wasPlacedAsIntent = false }) => {
    const isWhole = (order: OrderRecord): boolean => !wasPlacedAsIntent || isIntent(order);
    return {
      id: orderId,
      holds: (order: OrderRecord): boolean => isWhole(order) && isReached(order, until),
      hasEnded: (order: OrderRecord): boolean => isWhole(order) && hasEnded(order) && !isUnpricedFill(order),
      deadline,
    };
  });
  const ends = await followUntil(followed, context, follow);
  return ends.map((end, at) => ({
    ...end,
    reached: end.reached || (end.order !== undefined && isReached(end.order, waited[at]!.until)),
  }));
}

/**
 * Waits for a status of one order, as `waitForOrders`.
 * @param timeoutMs from now.
 * @throws the signal's reason, at once.
 */
export async function waitForStatus(
  orderId: string,
  until: WaitFor,
  timeoutMs: number,
  context: PlacementContext,
  follow?: FollowOrder,
): Promise<WaitResult<OrderRecord>> {
  const deadline = context.transport.clock.moment(timeoutMs);
  const [end] = await waitForOrders([{ orderId, until, deadline }], context, follow);
  return end!;
}
