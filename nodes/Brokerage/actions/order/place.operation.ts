import { statusOf } from '../../../../client/orders/record';
import { rejectedOrder } from '../../../../client/orders/outcome';
import { PRICE_TYPES } from '../../../../client/orders/order';
import { WAIT_FOR, waitForStatus, type WaitFor } from '../../../../client/orders/wait';
import { collection, priceUnitField, simplifyField } from '../../common/fields';
import type { ItemContext } from '../../common/itemContext';
import type { ItemOperation } from '../../common/operation';
import { isSince11 } from '../../common/version';
import { entryField, exitsField, goodTillDateField, slicesField } from './exitFields';
import {
  idempotencyKeyField,
  moneyNotice,
  orderFields,
  tagField,
  validityField,
  waitForField,
  waitSecondsField,
} from './fields';
import { followOrder } from './follow';
import { outputOptions, placedOutput, skippedOutput } from './output';
import { placeForItem, placementContext } from './placement';
import { guardsOf, safetyField } from './safety';
import { roundToTickField } from './priceFields';
import { skippedFor } from './sizeTerms';
import { sizedOrder } from './terms';

/** How long to follow the order, and until when; `until` is undefined where nobody waits. */
function waitOf(item: ItemContext): { until: WaitFor | undefined; waitMs: number } {
  const options = item.group('options');
  const seconds = options.optionalWhole('waitSeconds', { min: 0, max: 300 });
  const waitMs = (seconds ?? 10) * 1_000;
  const said = options.optionalChoice('waitFor', WAIT_FOR);
  if (said !== undefined || waitMs === 0) return { until: said, waitMs };
  const entry = item.group('entry');
  const entersNow = !entry.has('conditionPrice') && !entry.has('entryTime');
  // The next step needs the price at which a market order was filled.
  if (isSince11(item) && entersNow && item.optionalChoice('priceType', PRICE_TYPES) === 'MARKET')
    return { until: 'filled', waitMs };
  // A wait time without a state means: wait until accepted.
  return { until: seconds === undefined ? undefined : 'accepted', waitMs };
}

export const place: ItemOperation = {
  name: 'Place',
  action: 'Place an order',
  description:
    'Place an order to buy or sell. It is checked first (tick, lot, trigger, limits) and never sent twice. On Live this trades real money. The reply only acknowledges the order: wait for the result, or use the trigger.',
  properties: [
    moneyNotice,
    ...orderFields,
    exitsField,
    entryField,
    simplifyField,
    collection('Options', 'options', [
      goodTillDateField,
      idempotencyKeyField,
      priceUnitField,
      roundToTickField,
      slicesField,
      tagField,
      validityField,
      waitForField,
      waitSecondsField,
    ]),
    safetyField,
  ],
  async execute(item) {
    const { until, waitMs } = waitOf(item);
    const service = await item.service();
    const output = await outputOptions(item);
    const guards = guardsOf(item, service);
    const { terms, refusal } = await sizedOrder(item, service);
    const context = await placementContext(item.run);
    const [outcome] = await Promise.allSettled([placeForItem(item, { terms, guards, refusal }, context)]);
    if (outcome.status === 'rejected') {
      const skipped = skippedFor(item, outcome.reason);
      if (skipped === undefined) throw outcome.reason;
      return [item.output(skippedOutput(terms, skipped, output))];
    }
    const placed = outcome.value;
    if (placed.outcome === 'rehearsed' || until === undefined)
      return [item.output(placedOutput(placed, terms, output))];
    const waited = await waitForStatus(placed.id, until, waitMs, context, followOrder(service));
    const record = waited.order ?? placed.record;
    if (statusOf(record) === 'REJECTED') throw rejectedOrder(record, placed.tag);
    return [item.output({ ...placedOutput({ ...placed, record }, terms, output), wait_reached: waited.reached })];
  },
};
