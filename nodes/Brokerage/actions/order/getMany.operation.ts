import { statusLabel } from '../../../../client/values/labels';
import type { INodeProperties } from 'n8n-workflow';
import type { OrderRecord } from '../../../../client/endpoints/orders';
import { SIDES } from '../../../../client/orders/model/order-terms';
import { instrumentOf, orderIdOf, refIdOf, sideOf, statusOf } from '../../../../client/orders/model/order-record';
import { collection, limitOf, priceUnitField, returnAllFields, simplifyField } from '../../../shared/fields';
import { instrumentOfRefId } from '../../../shared/lookup';
import type { ItemOperation } from '../../common/operation';
import type { ParameterReader } from '../../../shared/parameters';
import { firstOf } from '../../common/pick';
import { sideFilter, tagFilterOf, tagsFilter } from '../../../shared/selection';
import { orderOutput, outputOptions } from '../../trading/orderOutput';
import { orderContext } from '../../trading/placement';
import type { Service } from '../../../shared/service';
import { symbolFilterOf, type NamedInstrument } from '../../../shared/symbolFilter';
import { optionalWordOf } from '../../trading/orderForm';

const STATUSES = [
  'CANCELLED',
  'EXPIRED',
  'FILLED',
  'OPEN',
  'PARTIAL_FILLED',
  'PENDING',
  'REJECTED',
  'SENT',
  'TRIGGERED',
] as const;
const INTENT_STATUSES = ['CANCELLED', 'EXECUTED', 'EXPIRED', 'GTE', 'OPEN', 'REJECTED'] as const;
/** A status as items label it, with capitals as in a list of choices. */
const title = (status: string) => statusLabel(status).replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

const filterFields: INodeProperties[] = [
  {
    displayName: 'Intent Statuses',
    name: 'buckets',
    type: 'multiOptions',
    options: [
      { name: 'Cancelled', value: 'CANCELLED' },
      { name: 'Executed', value: 'EXECUTED', description: 'Fully entered; its exits may still be open' },
      { name: 'Expired', value: 'EXPIRED' },
      { name: 'Good Till Date', value: 'GTE', description: 'Stays open for days or weeks' },
      { name: 'Open', value: 'OPEN' },
      { name: 'Rejected', value: 'REJECTED' },
    ],
    default: [],
    description: 'Only intent orders with one of these statuses (intent_status). Other orders have none.',
  },
  sideFilter,
  {
    displayName: 'Statuses',
    name: 'statuses',
    type: 'multiOptions',
    options: STATUSES.map((value) => ({ name: title(value), value: value as string })),
    default: [],
    description: 'Only orders with one of these statuses',
  },
  {
    displayName: 'Symbol',
    name: 'symbol',
    type: 'string',
    default: '',
    placeholder: 'e.g. INFY',
    description: 'Only orders for exactly this symbol, or for futures and options of this underlying',
  },
  tagsFilter,
];

/** Returns the possible names of an order's instrument, and its exchange; looked up if the service's order has none. */
export async function namesOf(order: OrderRecord, service: Service, signal?: AbortSignal): Promise<NamedInstrument> {
  const { refId, exchange, symbol, asset, displayName } = instrumentOf(order);
  const instrument = symbol === '' ? await instrumentOfRefId(service, refId, exchange, signal) : undefined;
  const names = [instrument?.symbol ?? symbol, instrument?.asset ?? asset, displayName].map((name) =>
    name.toUpperCase(),
  );
  return { names, exchange: instrument?.exchange ?? exchange };
}

/** Returns a filter for orders by all filters that are set. */
async function filterOf(
  filters: ParameterReader,
  service: Service,
  signal?: AbortSignal,
): Promise<(order: OrderRecord) => Promise<boolean>> {
  const side = optionalWordOf(filters, 'side', SIDES);
  const statuses = filters.choices('statuses', STATUSES);
  const buckets = filters.choices('buckets', INTENT_STATUSES);
  const isNamed = await symbolFilterOf(filters, 'symbol', service, { signal });
  const isTagged = tagFilterOf(filters);
  return async (order) =>
    (side === undefined || sideOf(order) === side) &&
    (statuses.length === 0 || statuses.some((status) => status === statusOf(order))) &&
    (buckets.length === 0 || buckets.some((bucket) => bucket === order.intent_status)) &&
    isTagged(order) &&
    (!filters.has('symbol') || isNamed(await namesOf(order, service, signal)));
}

/** Newest first: an order_id grows with time; ids are compared as whole numbers of any length. */
function newestFirst(a: OrderRecord, b: OrderRecord): number {
  const [left, right] = [orderIdOf(a), orderIdOf(b)];
  return right.length - left.length || (left < right ? 1 : left > right ? -1 : refIdOf(b) - refIdOf(a));
}

export const getMany: ItemOperation = {
  name: 'Get Many',
  action: 'Get many orders',
  description: "Get today's orders, newest first, one item each",
  nothing:
    'No order was placed today, or none matches your filters. The service lists the orders of the current day only.',
  properties: [
    ...returnAllFields,
    simplifyField,
    collection('Filters', 'filters', filterFields),
    collection('Options', 'options', [priceUnitField]),
  ],
  async execute(item) {
    const limit = limitOf(item);
    const output = await outputOptions(item);
    const { orders, signal } = await orderContext(item.run);
    const fits = await filterOf(item.group('filters'), await item.service(), signal);
    const matchingOrders: OrderRecord[] = [];
    for (const order of await orders.list(signal, 'marked')) if (await fits(order)) matchingOrders.push(order);
    return firstOf(matchingOrders.sort(newestFirst), limit).map((order) => item.output(orderOutput(order, output)));
  },
};
