/** Waiting for what becomes of the orders of an item, after the service has acknowledged them. */
import type { Moment } from '../../../client/base/ports';
import { mayBeAfterHours, sessionWait, type SessionWait } from '../../../client/orders/account/market-closed-advice';
import type { PlacementContext } from '../../../client/orders/account/placement-context';
import { PRICE_TYPES, type OrderTerms } from '../../../client/orders/model/order-terms';
import { rejectedOrder } from '../../../client/orders/placing/outcome';
import { isIntent, statusOf } from '../../../client/orders/model/order-record';
import { WAIT_FOR, waitForStatus, type WaitFor } from '../../../client/orders/placing/wait-for-status';
import { clock } from '../../host/clock';
import type { ItemContext } from '../common/itemContext';
import { followOrder } from './orderUpdates';
import type { ConfirmedOutcome } from './placement';
import type { Service } from '../../shared/service';

/** How long to follow the orders of an item, and until when; `until` is undefined where nobody waits. */
export interface Wait {
  until: WaitFor | undefined;
  waitMs: number;
}

/** What an item says about waiting. @param byDefault whether a market order is waited for where it says nothing. */
export function waitOf(item: ItemContext, byDefault: boolean): Wait {
  const options = item.group('options');
  const seconds = options.optionalWhole('waitSeconds', { min: 0, max: 300 });
  const waitMs = (seconds ?? 10) * 1_000;
  const said = options.optionalChoice('waitFor', WAIT_FOR);
  if (said !== undefined || waitMs === 0) return { until: said, waitMs };
  const entry = item.group('entry');
  const entersNow = !entry.has('conditionPrice') && !entry.has('entryTime');
  // The next step needs the price at which a market order was filled.
  if (byDefault && entersNow && item.optionalChoice('priceType', PRICE_TYPES) === 'MARKET')
    return { until: 'filled', waitMs };
  // A wait time without a state means: wait until accepted.
  return { until: seconds === undefined ? undefined : 'accepted', waitMs };
}

/** What was placed, as it is after waiting. `reached` is left out where nobody waited; `session` where it does not wait for one. */
export type Waited = ConfirmedOutcome & { reached?: boolean; session?: SessionWait };

/** Where an order is waited for. */
interface Where {
  context: PlacementContext;
  service: Service;
}

/**
 * Waits for an order that was placed. One that waits for the next session is not waited for: nothing happens to it before. One
 * that came outside the hours of its market by the older interface is looked at even where nobody waits: the exchange refuses it
 * after the service has taken it.
 * @param since from then the wait counts, for several orders one after the other.
 * @returns it as it is now. @throws RejectedError where it was rejected meanwhile; as `waitForStatus`.
 */
export async function waitFor(
  placed: ConfirmedOutcome,
  terms: OrderTerms,
  { until: requested, waitMs }: Wait,
  since: Moment,
  { context, service }: Where,
): Promise<Waited> {
  if (placed.outcome === 'dryRun') return placed;
  const session = await sessionWait(placed.record, terms, context);
  if (session !== undefined) return { ...placed, session, ...(requested === undefined ? {} : { reached: false }) };
  const isLooked = !isIntent(placed.record) && mayBeAfterHours(placed.record, terms.instrument, context);
  const until = requested ?? (isLooked && waitMs > 0 ? 'accepted' : undefined);
  if (until === undefined) return placed;
  const left = Math.max(0, waitMs - clock.since(since));
  const waited = await waitForStatus(placed.id, until, left, context, followOrder(service));
  const record = waited.order ?? placed.record;
  if (statusOf(record) === 'REJECTED') throw rejectedOrder(record, placed.tag);
  return { ...placed, record, ...(requested === undefined ? {} : { reached: waited.reached }) };
}

/** What a wait has shown, as an item tells it. */
export function waitedOutput({ reached, session }: Waited): object {
  return { ...(reached === undefined ? {} : { wait_reached: reached }), ...session };
}
