import type { INodeProperties } from 'n8n-workflow';
import { SIDES, numberOf, orderIdOf, statusOf, tagOf, type OrderRecord } from '../../../../client/orders/order';
import { getOrders } from '../../../../client/orders/read';
import { userTagOf } from '../../../../client/orders/tags';
import { asObject } from '../../../../client/values/json';
import { collection, limitOf, priceUnitField, priceUnitOf, returnAllFields, simplifyField } from '../fields';
import type { ItemOperation } from '../operation';
import type { Reader } from '../reader';
import { firstOf } from '../shape';
import { orderOutput, symbolIn } from './output';

const STATUSES = ['CANCELLED', 'EXPIRED', 'FILLED', 'OPEN', 'PARTIAL_FILLED', 'PENDING', 'REJECTED', 'SENT', 'TRIGGERED'] as const;
const title = (status: string) => status.toLowerCase().replace(/(^|_)(\w)/g, (_, gap: string, letter: string) => `${gap === '' ? '' : ' '}${letter.toUpperCase()}`);

const filterFields: INodeProperties[] = [
  {
    displayName: 'Side',
    name: 'side',
    type: 'options',
    options: [
      { name: 'Buy', value: 'BUY' },
      { name: 'Sell', value: 'SELL' },
    ],
    default: 'BUY',
    description: 'Only orders of this side',
  },
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
    description: 'Only orders of the instrument with exactly this symbol, or of derivatives with this underlying',
  },
  {
    displayName: 'Tag',
    name: 'tag',
    type: 'string',
    default: '',
    placeholder: 'e.g. breakout',
    description: 'Only orders with exactly this tag: the whole one, or your own part of it',
  },
];

/** Whether an order fits all filters that are set. */
function filterOf(filters: Reader): (order: OrderRecord) => boolean {
  const side = filters.optionalChoice('side', SIDES);
  const statuses = filters.choices('statuses', STATUSES);
  const symbol = filters.optionalText('symbol')?.toUpperCase();
  const tag = filters.optionalText('tag');
  return (order) => {
    const instrument = asObject(order.ref_data) ?? {};
    const names = [symbolIn(instrument), instrument.asset, order.display_name].map((name) => String(name ?? '').toUpperCase());
    return (
      (side === undefined || order.order_side === `ORDER_SIDE_${side}`) &&
      (statuses.length === 0 || statuses.some((status) => status === statusOf(order))) &&
      (symbol === undefined || names.includes(symbol)) &&
      (tag === undefined || tagOf(order) === tag || userTagOf(tagOf(order)) === tag)
    );
  };
}

/** Newest first: an order_id grows with time; ids are compared as whole numbers of any length. */
function newestFirst(a: OrderRecord, b: OrderRecord): number {
  const [left, right] = [orderIdOf(a), orderIdOf(b)];
  return right.length - left.length || (left < right ? 1 : left > right ? -1 : numberOf(b.ref_id) - numberOf(a.ref_id));
}

export const getMany: ItemOperation = {
  name: 'Get Many',
  action: 'Get many orders',
  description: 'Get the orders of today, the newest first, one item each',
  nothing: 'No order was placed today, or none fits your filters. The service lists the orders of the current day only.',
  properties: [...returnAllFields, simplifyField, collection('Filters', 'filters', filterFields), collection('Options', 'options', [priceUnitField])],
  async execute(item) {
    const unit = priceUnitOf(item);
    const limit = limitOf(item);
    const simplify = item.flag('simplify');
    const fits = filterOf(item.group('filters'));
    const { transport, connection } = await item.service();
    const orders = (await getOrders(transport, item.run.signal)).filter(fits).sort(newestFirst);
    return firstOf(orders, limit).map((order) => item.output(orderOutput(order, { unit, simplify, environment: connection.environment })));
  },
};
