/** Fields that choose among orders and positions, and of operations that do something to all that fit; and how they are read. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { BasketRecord } from '../../client/endpoints/baskets';
import type { OrderRecord } from '../../client/endpoints/orders';
import { InputError } from '../../client/base/errors';
import { tagOf } from '../../client/orders/model/order-record';
import { userTagOf } from '../../client/orders/model/tags';
import type { ParameterReader } from './parameters';

export const sideFilter: INodeProperties = {
  displayName: 'Side',
  name: 'side',
  type: 'options',
  options: [
    { name: 'Buy', value: 'BUY' },
    { name: 'Sell', value: 'SELL' },
  ],
  default: 'BUY',
  description: 'Only buy orders or only sell orders',
};

/** The products, where a choice among them needs no explanation. */
export const productOptions: INodePropertyOptions[] = [
  { name: 'Delivery (CNC)', value: 'CNC' },
  { name: 'Intraday (IDAY)', value: 'IDAY' },
];

export const productsFilter: INodeProperties = {
  displayName: 'Products',
  name: 'products',
  type: 'multiOptions',
  options: productOptions,
  default: [],
  description: 'Only positions of these products. Choose none for all.',
};

export const tagFilter: INodeProperties = {
  displayName: 'Tag',
  name: 'tag',
  type: 'string',
  default: '',
  placeholder: 'e.g. breakout',
  description: 'Only orders with exactly this tag: the whole tag, or your own label at its start',
};

export const symbolsFilter: INodeProperties = {
  displayName: 'Symbols',
  name: 'symbols',
  type: 'string',
  default: '',
  placeholder: 'e.g. INFY, NIFTY',
  description:
    'Only these trading symbols or underlyings, separated by commas. An underlying includes its futures and options.',
};

/** Action for an incomplete result. */
export const whenLeftField: INodeProperties = {
  displayName: 'When Something Is Left',
  name: 'whenLeft',
  type: 'options',
  options: [
    { name: 'Return the Items', value: 'items', description: 'With an error in each that is not done' },
    { name: 'Stop With an Error', value: 'error' },
  ],
  default: 'error',
  description: 'What to do when not everything could be done',
};

/** Returns true if an item wants an error for an incomplete result. */
export function failsIfIncomplete(item: ParameterReader): boolean {
  return item.group('options').optionalChoice('whenLeft', ['error', 'items'] as const) !== 'items';
}

export const tagsFilter: INodeProperties = {
  ...tagFilter,
  description:
    'Only those with exactly this tag: the whole tag, or your own label at its start. Separate several by commas.',
};

/** The error of a filter that holds commas alone: it would be all, or none. */
export const emptyFilterError = (label: string, parameter: string): InputError =>
  new InputError(`${label} names nothing. Nothing was sent.`, {
    parameter,
    hint: 'Enter a name, or remove the field.',
  });

/**
 * Returns a filter for orders and baskets with one of the tags of `tagsFilter`: the whole tag, or the user's own label.
 * @throws InputError for a field of commas alone
 */
export function tagFilterOf(filters: ParameterReader): (record: OrderRecord | BasketRecord) => boolean {
  const tags = filters
    .optionalText('tag')
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (tags?.length === 0) throw emptyFilterError(filters.label('tag'), 'tag');
  return (record) => tags === undefined || [tagOf(record), userTagOf(tagOf(record))].some((tag) => tags.includes(tag));
}
