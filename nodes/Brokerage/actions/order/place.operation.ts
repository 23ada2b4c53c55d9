import { clock } from '../../../host/clock';
import type { ItemOperation } from '../../common/operation';
import { isSince11 } from '../../common/version';
import { splitAboveField, waitForField } from '../../trading/orderFields';
import { outputOptions, placedOutput, skippedOutput } from '../../trading/orderOutput';
import { placePartsForItem, placementContext } from '../../trading/placement';
import { guardsOf } from '../../trading/safetyLimits';
import { placingFields } from '../../trading/placingFields';
import { skippedFor } from '../../trading/sizeForm';
import { sizedOrder } from '../../trading/orderForm';
import { waitedOutput, waitFor, waitOf, type Waited } from '../../trading/waitForFill';

export const place: ItemOperation = {
  name: 'Place',
  action: 'Place an order',
  description:
    'Place an order to buy or sell. It is checked first (tick, lot, trigger, limits) and never sent twice. On Live this trades real money. The reply only acknowledges the order: wait for the result, or use the trigger.',
  properties: placingFields([splitAboveField, waitForField]),
  async execute(item) {
    const wait = waitOf(item, isSince11(item));
    const service = await item.service();
    const output = await outputOptions(item);
    const guards = guardsOf(item, service);
    const max = item.group('options').optionalWhole('splitAbove', { min: 1 });
    const { terms, refusal } = await sizedOrder(item, service);
    const context = await placementContext(item.run);
    const [outcome] = await Promise.allSettled([placePartsForItem(item, { terms, guards, refusal }, max, context)]);
    if (outcome.status === 'rejected') {
      const skipped = skippedFor(item, outcome.reason);
      if (skipped === undefined) throw outcome.reason;
      return [item.output(skippedOutput(terms, skipped, output))];
    }
    const since = clock.moment();
    const made: Waited[] = [];
    for (const placed of outcome.value) made.push(await waitFor(placed, terms, wait, since, { context, service }));
    return made.map((waited, index) =>
      item.output({
        ...placedOutput(waited, terms, output),
        ...(made.length === 1 ? {} : { part: index + 1, parts: made.length }),
        ...waitedOutput(waited),
      }),
    );
  },
};
