/** Fields that tell a derivative contract: underlying and expiry. */
import type { INodeProperties } from 'n8n-workflow';
import type { ExpiryChoice } from '../../client/instruments/expiries';
import { readUnderlying } from '../../client/instruments/underlying';
import type { ParameterReader } from './parameters';

export const underlyingField: INodeProperties = {
  displayName: 'Underlying',
  name: 'underlying',
  type: 'string',
  default: '',
  required: true,
  placeholder: 'e.g. NIFTY',
  description:
    'The symbol of the share, index or commodity behind the contracts, or the full name of an index, such as NIFTY 50',
};

/** Returns the underlying as written, capitals; that of an index by its symbol. @throws InputError if the field is empty. */
export function underlyingOf(item: ParameterReader): string {
  return readUnderlying(item.text('underlying'));
}

export const optionTypeField: INodeProperties = {
  displayName: 'Option Type',
  name: 'optionType',
  type: 'options',
  options: [
    { name: 'Call (CE)', value: 'CE' },
    { name: 'Put (PE)', value: 'PE' },
  ],
  default: 'CE',
  description: 'Call or put',
};

export const expiryFields: INodeProperties[] = [
  {
    displayName: 'Expiry',
    name: 'expiry',
    type: 'options',
    options: [
      { name: 'Given Date', value: 'date' },
      { name: 'Monthly', value: 'monthly', description: 'The last expiry of the nearest month' },
      { name: 'Nearest', value: 'nearest', description: 'The first expiry from today on' },
      { name: 'Next', value: 'next', description: 'The one after the nearest' },
      {
        name: 'Next Monthly',
        value: 'nextMonthly',
        description: 'The monthly one after "Monthly"',
        displayOptions: { show: { '@version': [{ _cnd: { gte: 1.2 } }] } },
      },
    ],
    default: 'nearest',
    description: 'Which expiry to take',
  },
  {
    displayName: 'Expiry Date',
    name: 'expiryDate',
    type: 'dateTime',
    default: '',
    required: true,
    displayOptions: { show: { expiry: ['date'] } },
    description: 'A day on which contracts expire (IST). The operation "Get Expiries" lists them.',
  },
];

export const EXPIRY_CHOICES = ['date', 'monthly', 'nearest', 'next', 'nextMonthly'] as const;

/** The chosen expiry. @throws InputError if the date is none. */
export function expiryOf(item: ParameterReader): ExpiryChoice {
  const choice = item.choice('expiry', EXPIRY_CHOICES);
  return choice === 'date' ? { date: item.date('expiryDate') } : choice;
}
