import { attempt } from '../../../../client/attempt';
import type { PlacementContext } from '../../../../client/orders/account/placement-context';
import { ItemContext } from '../../common/itemContext';
import type { BatchOperation } from '../../common/operation';
import { isSince11, isSince12 } from '../../common/version';
import { splitAboveField, waitForField } from '../../trading/orderFields';
import { outputOptions, skippedOutput } from '../../trading/orderOutput';
import { ItemOutputs, type PlacedItem } from '../../trading/placedItems';
import { placePartsForItem, placementContext } from '../../trading/placement';
import { placingGuardsOf } from '../../trading/safetyLimits';
import { placingFields } from '../../trading/placingFields';
import { skippedFor } from '../../trading/sizeForm';
import { reachedStopOf } from '../../trading/exitForm';
import { identityTerms, readOrderInput, sizedOrder } from '../../trading/orderForm';
import { waitOf } from '../../trading/waitForFill';

/**
 * Places the order of an item. @returns the order to wait for, or the output of an order that was too small. @throws as `placePartsForItem`
 */
async function placeItem(
  item: ItemContext,
): Promise<(PlacedItem & { context: PlacementContext }) | { skipped: object }> {
  item.run.signal?.throwIfAborted();
  const wait = waitOf(item, isSince12(item) ? 'all' : isSince11(item) ? 'market' : 'nothing');
  const service = await item.service();
  const output = await outputOptions(item);
  const guards = placingGuardsOf(item, service);
  const max = item.group('options').optionalWhole('splitAbove', { min: 1 });
  const input = readOrderInput(item);
  const sized = await sizedOrder(item, input, service);
  const { terms } = sized;
  const refusal = sized.refusal ?? (await reachedStopOf(item, terms, service));
  const identity = identityTerms(input, terms);
  const context = await placementContext(item.run);
  const outcome = await attempt(placePartsForItem(item, { terms, guards, refusal, asked: identity }, max, context));
  if (outcome.ok) return { item, terms, orders: outcome.value, wait, output, context };
  const skipped = skippedFor(item, outcome.error);
  if (skipped === undefined) throw outcome.error;
  return { skipped: skippedOutput(terms, skipped, output) };
}

export const place: BatchOperation = {
  name: 'Place',
  action: 'Place an order',
  description:
    'Place an order to buy or sell. It is checked first (tick, lot, trigger, limits) and never sent twice. On Live this trades real money. The reply only acknowledges the order: wait for the result, or use the trigger.',
  properties: placingFields([splitAboveField, waitForField]),
  async executeAll(run, failed) {
    const outputs = new ItemOutputs(failed);
    const placed: (PlacedItem & { context: PlacementContext })[] = [];
    for (const index of run.functions.getInputData().keys()) {
      const item = new ItemContext(run, index);
      const placing = await attempt(placeItem(item));
      if (!placing.ok) outputs.fail(placing.error, index);
      else if ('skipped' in placing.value) outputs.add(item, [item.output(placing.value.skipped)]);
      else placed.push(placing.value);
    }
    if (placed[0] !== undefined) await outputs.addPlaced(placed, placed[0].context);
    return outputs.all();
  },
};
