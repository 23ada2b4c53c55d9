/** Fields of the operations that close positions. */
import type { INodeProperties } from 'n8n-workflow';
import { collection, priceUnitField } from '../../shared/fields';
import { productsFilter, symbolsFilter, whenLeftField } from '../../shared/selection';
import { idempotencyKeyField, tagField, waitSecondsField } from './orderFields';

const labelFilter: INodeProperties = {
  displayName: 'Tag',
  name: 'tag',
  type: 'string',
  default: '',
  placeholder: 'e.g. breakout',
  description:
    'Only what orders with this tag (your own label) have bought or sold today. Other orders on the same instrument stay.',
};

const segmentsFilter: INodeProperties = {
  displayName: 'Segments',
  name: 'segments',
  type: 'multiOptions',
  options: [
    { name: 'Futures', value: 'future' },
    { name: 'Options', value: 'option' },
    { name: 'Shares', value: 'stock' },
  ],
  default: [],
  description: 'Only positions of these segments. Choose none for all.',
};

export const exitPositionFilters: INodeProperties = collection('Filters', 'filters', [productsFilter, labelFilter]);
export const exitAllFilters: INodeProperties = collection('Filters', 'filters', [
  productsFilter,
  labelFilter,
  symbolsFilter,
  segmentsFilter,
]);

export const exitOptions: INodeProperties = collection('Options', 'options', [
  idempotencyKeyField,
  priceUnitField,
  tagField,
  waitSecondsField,
  whenLeftField,
]);
