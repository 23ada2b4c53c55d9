import type { INodeExecutionData } from 'n8n-workflow';
import { endpoints } from '../../../../client/endpoints';
import { InputError } from '../../../../client/errors';
import { placeOrders, type OrderRequest } from '../../../../client/orders/place';
import { identityOf } from '../../../../client/orders/tags';
import { collection, priceUnitField, priceUnitOf, simplifyField } from '../fields';
import { ItemContext } from '../itemContext';
import type { BatchOperation } from '../operation';
import { placementContext, requestOf, release } from './desk';
import { idempotencyKeyField, moneyNotice, orderFields, tagField, validityField } from './fields';
import { dryRunOutput, placedOutput } from './placed';
import { guardsOf, isDryRun, safetyField } from './safety';
import { wantedOrder, type WantedOrder } from './terms';

interface Prepared extends WantedOrder {
  item: ItemContext;
  request: OrderRequest & { guard: () => Promise<number> };
  dryRun: boolean;
}

async function prepare(item: ItemContext): Promise<Prepared> {
  const service = await item.service();
  const guards = guardsOf(item, service);
  const wanted = await wantedOrder(item, service);
  const request = requestOf(item, service, guards, wanted, placementContext(service, item.run.signal));
  return { ...wanted, item, request, dryRun: isDryRun(guards) };
}

/** Two items that would be one and the same order are a mistake: a key used twice. */
function requireDifferentTags(prepared: readonly Prepared[]): void {
  const seen = new Map<string, number>();
  for (const { request, item } of prepared) {
    const identity = identityOf(request.tag);
    const other = seen.get(identity);
    if (other !== undefined) {
      throw new InputError(`Items ${other} and ${item.index} have the same Idempotency Key.`, {
        parameter: 'idempotencyKey',
        hint: 'Each order needs a key of its own. Nothing was sent.',
      });
    }
    seen.set(identity, item.index);
  }
}

export const placeMany: BatchOperation = {
  name: 'Place Many',
  action: 'Place many orders',
  description:
    'Place one order for each input item, all with one request. All are checked before any is sent, and each has its own outcome. On Live this trades real money.',
  properties: [
    moneyNotice,
    ...orderFields,
    simplifyField,
    collection('Options', 'options', [idempotencyKeyField, priceUnitField, tagField, validityField]),
    safetyField,
  ],
  places: true,
  async executeAll(run, failed) {
    const output = new Map<number, INodeExecutionData>();
    const prepared: Prepared[] = [];
    for (const index of run.functions.getInputData().keys()) {
      const item = new ItemContext(run, index);
      await prepare(item).then(
        (one) => prepared.push(one),
        (error: unknown) => output.set(index, failed(error, index)),
      );
    }
    requireDifferentTags(prepared);
    const service = await run.service();
    const { environment } = service.connection;
    const context = placementContext(service, run.signal);
    for (const { item, request, terms, instrument } of prepared.filter(({ dryRun }) => dryRun)) {
      await request.guard().then(
        () =>
          output.set(
            item.index,
            item.output(dryRunOutput(endpoints.placeOrders, terms, request.tag, instrument, environment)),
          ),
        (error: unknown) => output.set(item.index, failed(error, item.index)),
      );
      release(context, request.tag);
    }
    const real = prepared.filter(({ dryRun }) => !dryRun);
    const outcomes =
      real.length === 0
        ? []
        : await placeOrders(
            real.map(({ request }) => request),
            context,
          );
    for (const [at, { item, instrument }] of real.entries()) {
      const outcome = outcomes[at];
      if (outcome?.outcome !== 'confirmed') continue;
      output.set(
        item.index,
        item.output(
          placedOutput(outcome, instrument, { unit: priceUnitOf(item), simplify: item.flag('simplify'), environment }),
        ),
      );
    }
    // After those that were placed, so that an error that ends the run can name them.
    for (const [at, { item }] of real.entries()) {
      const outcome = outcomes[at];
      if (outcome !== undefined && outcome.outcome !== 'confirmed')
        output.set(item.index, failed(outcome.error, item.index, [...output.values()]));
    }
    return [...output].sort(([a], [b]) => a - b).map(([, made]) => made);
  },
};
