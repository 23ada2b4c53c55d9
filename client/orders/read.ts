/** Reads of orders: one, all of the day, and by their exact tag. */
import { endpoints } from '../endpoints';
import { UnreadableReplyError } from '../errors';
import type { Transport } from '../transport';
import { asObject } from '../values/json';
import { orderIdOf, recordsIn, tagOf, type OrderRecord } from './order';
import { identityOf } from './tags';

/**
 * One order.
 * @param orderId decimal text.
 * @throws ServiceError 404 when there is none; UnreadableReplyError when the reply is not that order; see `Transport.call`.
 */
export async function getOrder(transport: Transport, orderId: string, signal?: AbortSignal): Promise<OrderRecord> {
  const reply = asObject(await transport.call(endpoints.order, { path: { order_id: orderId }, signal }));
  const record = asObject(reply?.order) ?? reply;
  if (record === undefined || orderIdOf(record) !== orderId)
    throw new UnreadableReplyError(`What the service gave for order ${orderId} is not that order.`);
  return record;
}

/** All orders of the trading day, as the service lists them. @throws UnreadableReplyError when the reply is no list. */
export async function getOrders(transport: Transport, signal?: AbortSignal): Promise<OrderRecord[]> {
  const records = recordsIn(await transport.call(endpoints.orders, { signal }));
  if (records === undefined)
    throw new UnreadableReplyError('The service answered a read of the orders with something that is no list.');
  return records;
}

/** Reads of a list until all tags are found: new orders appear in it one or two seconds late (wire-facts 3.8). */
export const LOOKUP_PAUSES_MS: readonly number[] = [700, 1_300, 2_000, 3_000, 5_000];

/**
 * Looks for tags in a list that is read again and again, with pauses. A read that fails counts as one that showed
 * nothing.
 * @param read gives out what is listed now.
 * @param pauses milliseconds before each read.
 * @returns what was found, by tag. A tag that is missing may still appear.
 */
export async function findByTags(
  transport: Transport,
  tags: readonly string[],
  read: (signal?: AbortSignal) => Promise<OrderRecord[]>,
  pauses: readonly number[] = LOOKUP_PAUSES_MS,
  signal?: AbortSignal,
): Promise<Map<string, OrderRecord>> {
  const found = new Map<string, OrderRecord>();
  for (const pause of pauses) {
    const listed = await transport.clock
      .sleep(pause, signal)
      .then(() => read(signal))
      .catch(() => undefined);
    if (signal?.aborted) break;
    for (const [tag, record] of byTags(listed ?? [], tags)) found.set(tag, record);
    if (found.size === tags.length) break;
  }
  return found;
}

/** The records whose tag stands for the same request as one of the tags, by that tag; the first one listed for each. */
export function byTags(records: readonly OrderRecord[], tags: readonly string[]): Map<string, OrderRecord> {
  const wanted = new Map(tags.map((tag) => [identityOf(tag), tag]));
  const found = new Map<string, OrderRecord>();
  for (const record of records) {
    const tag = wanted.get(identityOf(tagOf(record)));
    if (tag !== undefined && !found.has(tag)) found.set(tag, record);
  }
  return found;
}
