/** Waiting for what becomes of orders, after the service has acknowledged them. */
import {
  mayBeAfterHours,
  sessionWaits,
  waitSentence,
  type SessionWait,
} from '../../../client/orders/account/market-closed-advice';
import type { PlacementContext } from '../../../client/orders/account/placement-context';
import { PRICE_TYPES, type OrderTerms } from '../../../client/orders/model/order-terms';
import { rejectedOrderError } from '../../../client/orders/placing/outcome';
import type { OrderRecord } from '../../../client/endpoints/orders';
import type { RejectedError } from '../../../client/base/errors';
import { isIntent, orderIdOf, statusOf } from '../../../client/orders/model/order-record';
import { identityOf } from '../../../client/orders/model/tags';
import {
  WAIT_FOR,
  waitForOrders,
  type WaitedOrder,
  type WaitFor,
} from '../../../client/orders/placing/wait-for-status';
import type { Json } from '../../../client/values/json';
import { clock } from '../../host/clock';
import type { ItemContext } from '../common/itemContext';
import { optionalWordOf } from './orderForm';
import { followOrder } from './orderUpdates';
import type { ConfirmedOutcome } from './placement';
import type { Service } from '../../shared/service';

/** Time to follow the orders of an item, and the status to wait for; `until` is undefined if nobody waits. */
export interface FillWait {
  until: WaitFor | undefined;
  waitMs: number;
}

/** Default wait: no order, a market order until it is filled, a limit order too until it is accepted. */
export type WaitByDefault = 'nothing' | 'market' | 'all';

/** Returns the wait that an item requests. */
export function waitOf(item: ItemContext, byDefault: WaitByDefault): FillWait {
  const options = item.group('options');
  const seconds = options.optionalWhole('waitSeconds', { min: 0, max: 300 });
  const waitMs = (seconds ?? 10) * 1_000;
  const said = options.optionalChoice('waitFor', WAIT_FOR);
  if (said !== undefined || waitMs === 0) return { until: said, waitMs };
  const entry = item.group('entry');
  const entersNow = !entry.has('conditionPrice') && !entry.has('entryTime');
  // The next step needs the price at which a market order was filled.
  if (byDefault !== 'nothing' && entersNow && optionalWordOf(item, 'priceType', PRICE_TYPES) === 'MARKET')
    return { until: 'filled', waitMs };
  // The exchange rejects after the service has acknowledged.
  if (byDefault === 'all' && entersNow) return { until: 'accepted', waitMs };
  // A wait time without a state means: wait until accepted.
  return { until: seconds === undefined ? undefined : 'accepted', waitMs };
}

/** An order that was placed, and how it is waited for. */
export interface AwaitedOrder {
  placed: ConfirmedOutcome;
  terms: OrderTerms;
  wait: FillWait;
}

/** A placed order after waiting. `reached` is left out if nobody waited; `session` if it does not wait for one. */
export type AwaitedOutcome = ConfirmedOutcome & { reached?: boolean; session?: SessionWait };

/** The context in which orders are waited for. */
interface Where {
  context: PlacementContext;
  service: Service;
}

/** Remembers an order by the id that the list shows for its tag: the reply to placing gave that of another. */
function keepListedId({ placements, placedToday, scope }: PlacementContext, tag: string, record: OrderRecord): void {
  const dayPlacement = { noun: 'order', id: orderIdOf(record) } as const;
  placements.placed(scope, tag, record, dayPlacement);
  placedToday?.add(scope, [{ ...dayPlacement, identity: identityOf(tag) }]);
}

/**
 * Waits for placed orders, for all of them at the same time. One that waits for the next session is not waited for: nothing happens to it
 * before. One that came outside the hours of its market by the older interface is read even if nobody waits: the exchange refuses it after
 * the service has accepted it.
 * @returns the current record of each, in order, or the error of one that was rejected meanwhile. @throws as `waitForOrders`.
 */
export async function waitForAll(
  orders: readonly AwaitedOrder[],
  { context, service }: Where,
): Promise<(AwaitedOutcome | RejectedError)[]> {
  const since = clock.moment();
  const real = orders.flatMap(({ placed, terms }) =>
    placed.outcome === 'dryRun' ? [] : [{ record: placed.record, terms }],
  );
  const sessions = await sessionWaits(real, context);
  const made: (AwaitedOutcome | RejectedError)[] = [];
  const followed: (WaitedOrder & { at: number })[] = [];
  for (const [at, { placed, terms, wait }] of orders.entries()) {
    made.push(placed);
    if (placed.outcome === 'dryRun') continue;
    const session = sessions.shift();
    if (session !== undefined) {
      made[at] = { ...placed, session, ...(wait.until === undefined ? {} : { reached: false }) };
      continue;
    }
    const isLooked = !isIntent(placed.record) && mayBeAfterHours(placed.record, terms.instrument, context);
    const until = wait.until ?? (isLooked && wait.waitMs > 0 ? 'accepted' : undefined);
    if (until !== undefined)
      followed.push({
        ...{ at, orderId: placed.id, tag: placed.tag, until },
        deadline: clock.moment(wait.waitMs - clock.since(since)),
        wasPlacedAsIntent: isIntent(placed.record),
      });
  }
  const ends = await waitForOrders(followed, context, followOrder(service));
  for (const [index, { order, reached }] of ends.entries()) {
    const { at } = followed[index]!;
    const { placed, wait } = orders[at]!;
    if (placed.outcome === 'dryRun') continue;
    const record = order ?? placed.record;
    const id = orderIdOf(record);
    if (id !== placed.id) keepListedId(context, placed.tag, record);
    made[at] =
      statusOf(record) === 'REJECTED'
        ? rejectedOrderError(record, placed.tag)
        : { ...placed, id, record, ...(wait.until === undefined ? {} : { reached }) };
  }
  return made;
}

/** An item, perhaps with a sentence for a message. */
type SummarizedItem = object & { summary?: Json };

/** Returns an item with the result of its wait. */
export function withWaitResult(item: SummarizedItem, { reached, session }: AwaitedOutcome): object {
  return withSession({ ...item, ...(reached === undefined ? {} : { wait_reached: reached }) }, session);
}

/**
 * Returns an item of what waits for the next session, or does not. Its sentence says so: without it, an order or a basket that nobody
 * looks at before the market opens would only be on its way.
 */
export function withSession(item: SummarizedItem, session: SessionWait | undefined): object {
  if (session === undefined) return item;
  const { summary } = item;
  return {
    ...item,
    ...(typeof summary === 'string' ? { summary: `${summary} ${waitSentence(session.next_session)}` } : {}),
    ...session,
  };
}
