/** Number of the day's orders, for the guard "Most Orders a Day". */
import { attempt } from '../../attempt';
import { UnreadableReplyError, NetworkError } from '../../base/errors';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { istDate, nanosToMs } from '../../values/time';
import type { PlacementContext } from '../account/placement-context';
import type { SentOrders } from '../account/placement-registry';
import { WholeListReader } from '../account/whole-list-reader';
import { basketIdOf, legsOf } from '../model/basket-record';
import type { Guards } from '../model/guard-settings';
import { basketIdOfLeg, orderIdOf, refIdOf, tagOf, timesOf } from '../model/order-record';
import { identityOf } from '../model/tags';
import { guardError } from './guard-refusal';

/** The lists of the service's day. */
export interface DayLists {
  orders: readonly OrderRecord[];
  baskets: readonly BasketRecord[];
}

const NEXT_STEP = 'Exit Position, Exit All and cancelling still work. The limit is under "Safety Limits" in the node.';

/**
 * Reads the orders and baskets of the day, each list until it shows what is known to have been placed today.
 * @throws InputError (parameter `maxDayOrders`) if a list is not whole or cannot be read; any other error of the lists.
 */
export async function readDayLists(context: PlacementContext): Promise<DayLists> {
  const { orders, baskets, signal } = context;
  const readers = [
    new WholeListReader<OrderRecord>({ noun: 'order', idOf: orderIdOf }, context).read(() => orders.list(signal)),
    new WholeListReader<BasketRecord>({ noun: 'basket', idOf: basketIdOf }, context).read(() => baskets.list(signal)),
  ] as const;
  const read = await attempt(Promise.all(readers));
  if (read.ok) {
    const [listed, placed] = read.value;
    return { orders: listed, baskets: placed };
  }
  const { error } = read;
  if (!(error instanceof NetworkError) && !(error instanceof UnreadableReplyError)) throw error;
  throw guardError(
    'maxDayOrders',
    `the orders of today could not be counted. ${error.message}`,
    `Nothing was sent. Run it again in a minute. ${NEXT_STEP}`,
  );
}

/** Returns true if a record shows that it was placed before a day (YYYY-MM-DD, IST). Without a time it counts as of the day. */
function isOfEarlierDay(record: OrderRecord | BasketRecord, day: string): boolean {
  const placedAt = nanosToMs(timesOf(record).created);
  return placedAt !== null && placedAt > 0 && istDate(placedAt) < day;
}

/** Returns the name of a leg's order, the same in every list. */
const legName = (basketId: string, leg: OrderRecord): string => `${basketId} ${refIdOf(leg)}`;

/**
 * Counts the orders of a day: all that the lists show, whatever has become of them, and what this process has sent and they do not show
 * yet. A basket counts one for each leg.
 * @param day YYYY-MM-DD, IST.
 */
export function dayCountOf({ orders, baskets }: DayLists, sent: Iterable<SentOrders>, day: string): number {
  const shown = new Map<string, number>();
  const idsByIdentity = new Map<string, string>();
  const legs = new Set<string>();
  let count = 0;
  const add = (id: string, tag: string, record: OrderRecord | BasketRecord): void => {
    shown.set(id, (shown.get(id) ?? 0) + 1);
    if (tag !== '') idsByIdentity.set(identityOf(tag), id);
    if (!isOfEarlierDay(record, day)) count += 1;
  };
  for (const order of orders) {
    const basketId = basketIdOfLeg(order);
    if (basketId !== '') legs.add(legName(basketId, order));
    add(basketId || orderIdOf(order), tagOf(order), order);
  }
  for (const basket of baskets) {
    const basketId = basketIdOf(basket);
    if (tagOf(basket) !== '') idsByIdentity.set(identityOf(tagOf(basket)), basketId);
    for (const leg of legsOf(basket)) if (!legs.has(legName(basketId, leg))) add(basketId, tagOf(leg), basket);
  }
  for (const { identity, id, orders: number } of sent) {
    const known = id !== undefined && shown.has(id) ? id : idsByIdentity.get(identity);
    count += Math.max(0, number - (known === undefined ? 0 : (shown.get(known) ?? 0)));
  }
  return count;
}

/**
 * Requires that so many more orders fit in a limit on the day's orders.
 * @param before number of the day's orders so far.
 * @throws InputError that names the guard.
 */
export function requireDayCount(guards: readonly Guards[], before: number, more: number): void {
  for (const { maxDayOrders } of guards) {
    if (maxDayOrders === undefined || before + more <= maxDayOrders) continue;
    const placed = `${before} ${before === 1 ? 'order was' : 'orders were'} placed today`;
    throw guardError(
      'maxDayOrders',
      `${placed}, ${more === 1 ? 'this is one more' : `these are ${more} more`}, and ${maxDayOrders} ${maxDayOrders === 1 ? 'is' : 'are'} allowed.`,
      `Nothing was sent. All orders of the account count. ${NEXT_STEP}`,
    );
  }
}
