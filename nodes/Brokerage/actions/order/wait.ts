/** Waiting for what becomes of the orders of an item, after the service has acknowledged them. */
import type { PlacementContext } from '../../../../client/orders/placement';
import { PRICE_TYPES } from '../../../../client/orders/order';
import { rejectedOrder } from '../../../../client/orders/outcome';
import { statusOf } from '../../../../client/orders/record';
import { WAIT_FOR, waitForStatus, type WaitFor } from '../../../../client/orders/wait';
import { clock } from '../../../host/clock';
import type { ItemContext } from '../../common/itemContext';
import type { Service } from '../../common/runContext';
import { followOrder } from './follow';
import type { Settled } from './placement';

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

/** What was placed, as it is after waiting. `reached` is left out where nobody waited. */
export type Waited = Settled & { reached?: boolean };

/**
 * Waits for an order that was placed.
 * @param since milliseconds since the epoch: from then the wait counts, for several orders one after the other.
 * @returns it as it is now. @throws RejectedError where it was rejected meanwhile; as `waitForStatus`.
 */
export async function waitFor(
  placed: Settled,
  { until, waitMs }: Wait,
  since: number,
  context: PlacementContext,
  service: Service,
): Promise<Waited> {
  if (placed.outcome === 'rehearsed' || until === undefined) return placed;
  const left = Math.max(0, since + waitMs - clock.now());
  const waited = await waitForStatus(placed.id, until, left, context, followOrder(service));
  const record = waited.order ?? placed.record;
  if (statusOf(record) === 'REJECTED') throw rejectedOrder(record, placed.tag);
  return { ...placed, record, reached: waited.reached };
}
