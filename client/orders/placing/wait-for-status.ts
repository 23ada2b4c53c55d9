/** Waits for what becomes of orders: an acknowledgement of the service is not the result (docs/service/order-life.md#acknowledgement-and-result). */
import { attempt } from '../../attempt';
import { ServiceError } from '../../base/errors';
import type { Moment } from '../../base/ports';
import type { OrderRecord } from '../../endpoints/orders';
import { byTags } from '../api/find-by-tag';
import type { PlacementContext } from '../account/placement-context';
import { LIST_DELAY_MS } from '../account/placement-registry';
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
  tagOf,
} from '../model/order-record';
import { requireReadable } from '../model/record-units';
import { identityOf, isMadeTag } from '../model/tags';
import { readUntil, type FollowedRecord, type WaitResult } from './read-until';

/**
 * Until when to wait: the exchange has taken the order, its entry is over with something filled, all of it is filled, an exit
 * of it is filled, or nothing more can happen to it and its exits.
 */
export const WAIT_FOR = ['accepted', 'ended', 'entered', 'exited', 'filled'] as const;
export type WaitFor = (typeof WAIT_FOR)[number];

/** Tells when something happened to an order, where a stream brings it. @returns how to stop. */
export type FollowOrder = (orderId: string, onChange: () => void) => () => void;

/** Status of a read for an order that the service does not have. */
const NOT_FOUND = 404;
const isNotFound = (error: unknown): boolean => error instanceof ServiceError && error.status === NOT_FOUND;

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

/** An order to follow. */
interface FollowedOrder extends FollowedRecord<OrderRecord> {
  /** The tag that it was placed with just now; undefined for one that is known by its id only. */
  tag?: string;
}

/** Returns true if a record has a tag that this node made for something else. */
function isOfAnotherTag(record: OrderRecord, tag: string | undefined): boolean {
  const shown = tagOf(record);
  return tag !== undefined && isMadeTag(shown) && identityOf(shown) !== identityOf(tag);
}

/**
 * Returns the listed records by the followed ids. The reply to placing may have given the ids of several orders in the wrong order, or one
 * that there is not: what is listed with the tag of an order is that order, whatever its id.
 */
function recordsByFollowedId(
  list: readonly OrderRecord[],
  followed: readonly FollowedOrder[],
): ReadonlyMap<string, OrderRecord> {
  const byId = new Map(list.map((order) => [orderIdOf(order), order]));
  const placed = byTags(
    list,
    followed.flatMap(({ tag }) => tag ?? []),
  );
  return new Map(
    followed.flatMap(({ id, tag }): [string, OrderRecord][] => {
      const own = byId.get(id);
      const isOwn = own !== undefined && (tag === undefined || identityOf(tagOf(own)) === identityOf(tag));
      const record = isOwn ? own : ((tag === undefined ? undefined : placed.get(tag)) ?? own);
      return record === undefined || isOfAnotherTag(record, tag) ? [] : [[id, record]];
    }),
  );
}

async function followUntil(
  followed: readonly FollowedOrder[],
  context: PlacementContext,
  follow?: FollowOrder,
): Promise<WaitResult<OrderRecord>[]> {
  const { orders, transport, signal } = context;
  let changed = new AbortController();
  const unfollow = followed.map(({ id }) => follow?.(id, () => changed.abort()));
  const begun = transport.clock.moment();
  const read = async (ids: readonly string[]): Promise<ReadonlyMap<string, OrderRecord>> => {
    const open = followed.filter(({ id }) => ids.includes(id));
    const [only, ...others] = open;
    if (ids.length === 1 && only !== undefined && others.length === 0) {
      const reply = await attempt(orders.get(only.id, signal));
      if (reply.ok && !isOfAnotherTag(reply.value, only.tag)) return new Map([[only.id, reply.value]]);
      // One that is not there after so long has another id than the reply to placing said.
      const isMissing = only.tag !== undefined && transport.clock.since(begun) >= LIST_DELAY_MS;
      if (!reply.ok && !(isMissing && isNotFound(reply.error))) throw reply.error;
    }
    const records = recordsByFollowedId(await orders.list(signal, 'marked'), open);
    for (const record of records.values()) requireReadable(record);
    return records;
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
  /** The tag that it was placed with just now: the record with it counts, if the reply gave the id of another. */
  tag?: string;
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
  const followed = waited.map(({ orderId, tag, until, deadline, wasPlacedAsIntent = false }) => {
    const isWhole = (order: OrderRecord): boolean => !wasPlacedAsIntent || isIntent(order);
    return {
      id: orderId,
      ...(tag === undefined ? {} : { tag }),
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
