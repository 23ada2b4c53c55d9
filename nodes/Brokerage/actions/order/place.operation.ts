import { statusOf } from '../../../../client/orders/record';
import { rejectedOrder } from '../../../../client/orders/outcome';
import { WAIT_FOR, waitForStatus, type WaitFor } from '../../../../client/orders/wait';
import { collection, priceUnitField, simplifyField } from '../../common/fields';
import type { ItemContext } from '../../common/itemContext';
import type { ItemOperation } from '../../common/operation';
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
import { outputOptions, placedOutput } from './output';
import { placeForItem, placementContext } from './placement';
import { guardsOf, safetyField } from './safety';
import { orderTerms } from './terms';

/** How long to follow the order, and until when; `until` is undefined where nobody waits. */
function waitOf(item: ItemContext): { until: WaitFor | undefined; waitMs: number } {
  const options = item.group('options');
  const seconds = options.optionalWhole('waitSeconds', { min: 0, max: 300 });
  const waitMs = (seconds ?? 10) * 1_000;
  // A wait time without a state means: wait until accepted; 0 means no wait.
  const unsaid = waitMs > 0 && seconds !== undefined ? 'accepted' : undefined;
  return { until: options.optionalChoice('waitFor', WAIT_FOR) ?? unsaid, waitMs };
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
    const terms = await orderTerms(item, service);
    const context = await placementContext(item.run);
    const placed = await placeForItem(item, { terms, guards }, context);
    if (placed.outcome === 'rehearsed' || until === undefined)
      return [item.output(placedOutput(placed, terms, output))];
    const waited = await waitForStatus(placed.id, until, waitMs, context, followOrder(service));
    const record = waited.order ?? placed.record;
    if (statusOf(record) === 'REJECTED') throw rejectedOrder(record, placed.tag);
    return [item.output({ ...placedOutput({ ...placed, record }, terms, output), wait_reached: waited.reached })];
  },
};
