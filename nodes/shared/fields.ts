/** Fields that several operations have, with n8n's standard texts. */
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { EXCHANGES, type Exchange } from '../../client/instruments/instrument';
import type { MoneyUnit } from '../../client/values/money';
import { priceUnitFieldWith } from './priceUnitField';
import type { ParameterReader } from './parameters';

export const returnAllFields: INodeProperties[] = [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    displayOptions: { show: { returnAll: [false] } },
    description: 'Max number of results to return',
  },
];

/** The most results that are wanted. @throws InputError if Limit is no whole number from 1. */
export function limitOf(item: ParameterReader): number {
  return item.flag('returnAll') ? Number.POSITIVE_INFINITY : item.whole('limit', { min: 1 });
}

/** Returns a field for a number that is not below 0. */
export const positiveNumber = (displayName: string, name: string, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 0,
  description,
});

export const simplifyField: INodeProperties = {
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
};

const exchangeOptions: INodePropertyOptions[] = [
  { name: 'BSE', value: 'BSE', description: 'Bombay Stock Exchange: shares, SENSEX and BANKEX derivatives' },
  { name: 'MCX', value: 'MCX', description: 'Multi Commodity Exchange: commodity futures and options' },
  { name: 'NSE', value: 'NSE', description: 'National Stock Exchange: shares, NIFTY and stock derivatives' },
];

export { EXCHANGES };

export const exchangeField: INodeProperties = {
  displayName: 'Exchange',
  name: 'exchange',
  type: 'options',
  options: exchangeOptions,
  default: 'NSE',
  description: 'The exchange to look at',
};

export const exchangesField: INodeProperties = {
  displayName: 'Exchanges',
  name: 'exchanges',
  type: 'multiOptions',
  options: exchangeOptions,
  default: ['NSE'],
  description: 'The exchanges to search. Choose none for all.',
};

/** The chosen exchanges; all where none is chosen. */
export function exchangesOf(item: ParameterReader, all: readonly Exchange[]): readonly Exchange[] {
  const chosen = item.choices('exchanges', EXCHANGES);
  return chosen.length === 0 ? all : all.filter((exchange) => chosen.includes(exchange));
}

export const instrumentKindsField: INodeProperties = {
  displayName: 'Types',
  name: 'kinds',
  type: 'multiOptions',
  options: [
    { name: 'Future', value: 'FUT' },
    { name: 'Index', value: 'INDEX' },
    { name: 'Option', value: 'OPT' },
    { name: 'Share or Fund', value: 'STOCK' },
  ],
  default: [],
  description: 'Only instruments of these types. Choose none for all.',
};

/** Options in the order of their names, as n8n wants them. */
export const sortByName = <T extends { name: string }>(options: readonly T[]): T[] =>
  [...options].sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** A collection of optional fields, sorted by name. */
export function collection(
  displayName: string,
  name: string,
  options: INodeProperties[],
  more: Partial<INodeProperties> = {},
): INodeProperties {
  return {
    displayName,
    name,
    type: 'collection',
    placeholder: displayName === 'Filters' ? 'Add filter' : displayName === 'Options' ? 'Add option' : 'Add field',
    default: {},
    options: [...options].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')) as (
      INodeProperties | INodePropertyCollection | INodePropertyOptions
    )[],
    ...more,
  };
}

/** The collection of what can be changed: each field counts only where it is given. */
export function updateFields(fields: readonly INodeProperties[]): INodeProperties {
  const given = fields.map((field) => ({ ...field, required: undefined, displayOptions: undefined }));
  return collection('Update Fields', 'updateFields', given);
}

/** The unit of prices, both ways. */
export const priceUnitField = priceUnitFieldWith(
  "The unit of prices and amounts, both in this node's fields and in its output",
);

const MONEY_UNITS: readonly MoneyUnit[] = ['rupees', 'paise'];

/** The unit of prices, from the node's options. */
export function priceUnitOf(item: ParameterReader): MoneyUnit {
  return item.group('options').optionalChoice('priceUnit', MONEY_UNITS) ?? 'rupees';
}

export const binaryField: INodeProperties = {
  displayName: 'Put Output File in Field',
  name: 'binaryProperty',
  type: 'string',
  default: 'data',
  placeholder: 'e.g. data',
  hint: 'The name of the output binary field to put the file in',
  description: 'The name of the output binary field to put the file in',
};

/** The output field that a file goes to. @throws InputError if its name cannot be one. */
export function binaryPropertyOf(item: ParameterReader): string {
  return item.group('options').optionalText('binaryProperty') ?? 'data';
}

/** Formats of files that are made of rows, with their media types. */
export const FILE_FORMATS = { csv: 'text/csv', json: 'application/json' } as const;

export const fileFormatField: INodeProperties = {
  displayName: 'Format',
  name: 'format',
  type: 'options',
  options: [
    { name: 'CSV', value: 'csv' },
    { name: 'JSON', value: 'json' },
  ],
  default: 'csv',
  description: 'The file format',
};

/** The chosen format of a file. */
export function fileFormatOf(item: ParameterReader): keyof typeof FILE_FORMATS {
  return item.choice('format', ['csv', 'json']);
}

/** Returns a line in the panel for the user to read before running the node. */
export function notice(name: string, text: string): INodeProperties {
  return { displayName: text, name, type: 'notice', default: '' };
}
