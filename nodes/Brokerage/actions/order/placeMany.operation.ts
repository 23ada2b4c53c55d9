import { InputError } from '../../../../client/base/errors';
import type { Outcome } from '../../../../client/orders/placing/outcome';
import { placeOrders } from '../../../../client/orders/placing/place';
import type { OrderRequest } from '../../../../client/orders/account/placement-context';
import { identityOf } from '../../../../client/orders/model/tags';
import { waitForOwnTurn } from '../../../host/waitForOwnTurn';
import { ItemContext } from '../../common/itemContext';
import type { BatchOperation } from '../../common/operation';
import { isSince12 } from '../../common/version';
import type { CausedContext } from '../../trading/idempotency';
import { waitForField } from '../../trading/orderFields';
import { outputOptions, skippedOutput, type OutputOptions } from '../../trading/orderOutput';
import { ItemOutputs, type PlacedItem } from '../../trading/placedItems';
import { recordOutcomes, orderRequest, placementContext } from '../../trading/placement';
import { placingGuardsOf } from '../../trading/safetyLimits';
import { placingFields } from '../../trading/placingFields';
import { skippedFor } from '../../trading/sizeForm';
import { reachedStopOf } from '../../trading/exitForm';
import { identityTerms, readOrderInput, sizedOrder } from '../../trading/orderForm';
import { waitOf, type FillWait } from '../../trading/waitForFill';

/** Outcomes by importance to the user, the most important first. */
const WEIGHT: readonly Outcome['outcome'][] = ['unknown', 'rejected', 'refused', 'dryRun', 'confirmed'];

interface Prepared {
  item: ItemContext;
  request: OrderRequest;
  output: OutputOptions;
  wait: FillWait;
}

async function prepare(item: ItemContext, context: CausedContext): Promise<Prepared> {
  const wait = waitOf(item, isSince12(item) ? 'all' : 'nothing');
  const service = await item.service();
  const output = await outputOptions(item);
  const guards = placingGuardsOf(item, service);
  const input = readOrderInput(item);
  const sized = await sizedOrder(item, input, service);
  const { terms } = sized;
  const refusal = sized.refusal ?? (await reachedStopOf(item, terms, service));
  const identity = identityTerms(input, terms);
  return { item, request: orderRequest(item, { terms, guards, refusal, asked: identity }, context), output, wait };
}

/** @throws InputError for two items that would be one and the same order: a key that is used twice is a mistake. */
function requireDifferentKeys(prepared: readonly Prepared[]): void {
  const seen = new Map<string, number>();
  for (const { request, item } of prepared) {
    const identity = identityOf(request.tag);
    const other = seen.get(identity);
    if (other !== undefined) {
      throw new InputError(`Items ${other} and ${item.index} have the same Idempotency Key.`, {
        parameter: 'idempotencyKey',
        hint: 'Each order needs its own key. Nothing was sent.',
      });
    }
    seen.set(identity, item.index);
  }
}

const WAIT_FOR_ALL =
  'What each order must reach before the workflow continues. All are waited for at the same time. If left out, market orders wait until they are filled and limit orders until they are accepted, so that a rejection is an error; a node of an earlier version waits for nothing. To wait for nothing, set Wait for the Result (Seconds) to 0.';

export const placeMany: BatchOperation = {
  name: 'Place Many',
  action: 'Place many orders',
  description:
    'Place one order for each input item in a single request. All are checked before any is sent, and each has its own result. On Live this trades real money.',
  properties: placingFields([{ ...waitForField, description: WAIT_FOR_ALL }]),
  async executeAll(run, failed) {
    const outputs = new ItemOutputs(failed);
    const prepared: Prepared[] = [];
    const context = await placementContext(run);
    await waitForOwnTurn();
    for (const index of run.functions.getInputData().keys()) {
      await prepare(new ItemContext(run, index), context).then(
        (item) => prepared.push(item),
        (error: unknown) => outputs.fail(error, index),
      );
    }
    requireDifferentKeys(prepared);
    const outcomes = await placeOrders(
      prepared.map(({ request }) => request),
      context,
    );
    const ends = prepared.map((prepared, at) => ({ ...prepared, outcome: outcomes[at]! }));
    // An error that ends the run names all that was placed or may have been, and the first one ends it: what is unknown.
    recordOutcomes(run, ends);
    const placed: PlacedItem[] = [];
    for (const { item, request, output, wait, outcome } of ends.sort(
      (a, b) => WEIGHT.indexOf(a.outcome.outcome) - WEIGHT.indexOf(b.outcome.outcome),
    )) {
      const { terms } = request;
      if (!('error' in outcome)) placed.push({ item, terms, orders: [outcome], wait, output });
      else {
        const skipped = skippedFor(item, outcome.error);
        if (skipped === undefined) outputs.fail(outcome.error, item.index);
        else outputs.add(item, [item.output(skippedOutput(terms, skipped, output))]);
      }
    }
    await outputs.addPlaced(placed, context);
    return outputs.all();
  },
};
