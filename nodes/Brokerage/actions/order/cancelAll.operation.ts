import type { INodeExecutionData } from 'n8n-workflow';
import type { OrderRecord } from '../../../../client/endpoints/orders';
import { InputError, UnknownOutcomeError } from '../../../../client/base/errors';
import { hasLabel } from '../../../../client/closing/traded-quantity';
import type { ChangeResult } from '../../../../client/orders/changing/change-order';
import type { PlacementContext } from '../../../../client/orders/account/placement-context';
import { cancelOpenOrders } from '../../../../client/orders/changing/cancel-open';
import { readGuards } from '../../../../client/orders/model/guard-settings';
import { PRODUCTS, SIDES } from '../../../../client/orders/model/order-terms';
import {
  entryHasEnded,
  hasEnded,
  basketIdOfLeg,
  instrumentOf,
  productOf,
  sideOf,
} from '../../../../client/orders/model/order-record';
import { collection, priceUnitField, simplifyField } from '../../../shared/fields';
import type { ItemContext } from '../../common/itemContext';
import type { ItemOperation } from '../../common/operation';
import {
  productsFilter,
  sideFilter,
  failsIfIncomplete,
  symbolsFilter,
  tagFilter,
  whenLeftField,
} from '../../../shared/selection';
import { requireAllowed, waitMsOf } from '../../trading/changeContext';
import { symbolFilterOf } from '../../../shared/symbolFilter';
import { waitSecondsField } from '../../trading/orderFields';
import { namesOf } from './getMany.operation';
import { orderOutput, outputOptions } from '../../trading/orderOutput';
import { orderContext } from '../../trading/placement';
import { optionalWordOf } from '../../trading/orderForm';

/** The list shows a new order so late at most: it is looked for, where the end is waited for. */
const LISTED_MS = 2_500;

/** Returns a filter for the orders of an item; it excludes legs of baskets. */
async function filterOf(
  item: ItemContext,
  orders: PlacementContext['orders'],
): Promise<(order: OrderRecord) => Promise<boolean>> {
  const filters = item.group('filters');
  const side = optionalWordOf(filters, 'side', SIDES);
  const products = filters.choices('products', PRODUCTS);
  const label = filters.optionalText('tag');
  const service = await item.service();
  const { signal } = item.run;
  // What the orders themselves name is cancelled without the lists of instruments, which may be slow to come.
  const listed = filters.has('symbols') ? await orders.list(signal, 'marked') : [];
  const shown = listed.map(instrumentOf).flatMap(({ symbol, asset }) => [symbol.toUpperCase(), asset.toUpperCase()]);
  const isNamed = await symbolFilterOf(filters, 'symbols', service, { signal, shown });
  return async (order) => {
    if (basketIdOfLeg(order) !== '' || !hasLabel(order, label)) return false;
    if (side !== undefined && sideOf(order) !== side) return false;
    if (products.length > 0 && !products.some((product) => product === productOf(order))) return false;
    return !filters.has('symbols') || isNamed(await namesOf(order, service, signal));
  };
}

/** @throws the error of all that may still live. */
function requireAllGone(results: readonly ChangeResult[]): void {
  const left = results.filter(({ result }) => result === 'refused' || result === 'unknown');
  if (left.length === 0) return;
  const message = `${left.length} of ${results.length} orders may still be open. ${left.map(({ error }) => error?.message).join(' ')}`;
  const hint = 'Look at them with Order: Get Many, and run it again: what is cancelled is not cancelled twice.';
  const unknown = left.map(({ error }) => error).find((error) => error instanceof UnknownOutcomeError);
  throw unknown === undefined
    ? new InputError(message, { hint })
    : new UnknownOutcomeError(message, { tag: unknown.tag, hint, cause: unknown });
}

export const cancelAll: ItemOperation = {
  name: 'Cancel All',
  action: 'Cancel all orders',
  description:
    'Cancel all open orders that match the filters, one item each, and follow them until they are cancelled. Baskets stay: "Basket: Cancel" ends them.',
  nothing: 'No order was open that matches your filters. Nothing was sent.',
  properties: [
    simplifyField,
    collection('Filters', 'filters', [
      { ...productsFilter, description: 'Only orders of these products. Choose none for all.' },
      sideFilter,
      symbolsFilter,
      tagFilter,
    ]),
    collection('Options', 'options', [
      {
        displayName: 'Exits Too',
        name: 'exitsToo',
        type: 'boolean',
        default: false,
        description:
          'Whether to take the stop losses, targets and exit times of filled orders off, too. Their positions then have none.',
      },
      priceUnitField,
      waitSecondsField,
      whenLeftField,
    ]),
  ],
  async execute(item) {
    const options = item.group('options');
    const waitMs = waitMsOf(item);
    const isOver = options.flag('exitsToo') ? hasEnded : entryHasEnded;
    const stops = failsIfIncomplete(item);
    const output = await outputOptions(item);
    const service = await item.service();
    const context = await orderContext(item.run);
    const dryRunOnly = readGuards(service.credential).dryRun;
    if (!dryRunOnly) requireAllowed(service);
    const fits = await filterOf(item, context.orders);
    if (dryRunOnly) {
      const made: INodeExecutionData[] = [];
      for (const order of await context.orders.list(context.signal, 'marked'))
        if (!isOver(order) && (await fits(order)))
          made.push(item.output({ ...orderOutput(order, output), dry_run: true, would_cancel: true }));
      return made;
    }
    const results = await cancelOpenOrders(fits, waitMs, context, { isOver, lookMs: LISTED_MS });
    if (stops) requireAllGone(results);
    return results.map(({ orderId, result, order, error }) =>
      item.output({
        ...(order === undefined ? {} : orderOutput(order, output)),
        order_id: orderId,
        result,
        ...(error === undefined ? {} : { error_message: error.message, advice: error.hint }),
        environment: output.environment,
      }),
    );
  },
};
