import type { INodeProperties } from 'n8n-workflow';
import { BHAVCOPY_TYPES, type BhavcopyRequest } from '../../../../client/market/bhavcopy';
import type { ItemContext } from '../../common/itemContext';

export const bhavcopyFields: INodeProperties[] = [
  {
    displayName: 'File Type',
    name: 'type',
    type: 'options',
    options: [
      { name: 'Cash Market', value: 'BhavcopyCM', description: 'BhavcopyCM: end of day of all shares' },
      { name: 'Daily F&O Report', value: 'FO', description: 'FO: the daily report on futures and options' },
      { name: 'Futures and Options', value: 'BhavcopyFO', description: 'BhavcopyFO: end of day of all derivatives' },
      { name: 'Options Report', value: 'OP', description: 'OP: the daily report on options' },
      { name: 'Price Data Report', value: 'PD', description: 'PD: prices of the day' },
      { name: 'Price Range Report', value: 'PR', description: 'PR: price ranges of the day' },
      {
        name: 'Security-Wise With Delivery',
        value: 'BhavcopySec',
        description: 'BhavcopySec: with delivered quantities',
      },
    ],
    default: 'BhavcopyCM',
    description: 'Which NSE file to get. Not every type exists for every day.',
  },
  {
    displayName: 'Day',
    name: 'day',
    type: 'options',
    options: [
      { name: 'Given Date', value: 'date' },
      { name: 'Latest', value: 'latest', description: 'The last one that exists' },
    ],
    default: 'latest',
    description: 'Which day to get. Files appear in the evening of a trading day.',
  },
  {
    displayName: 'Date',
    name: 'date',
    type: 'dateTime',
    default: '',
    required: true,
    displayOptions: { show: { day: ['date'] } },
    description: 'A completed trading day, in India (IST)',
  },
];

/** Returns the requested file. @throws InputError for an invalid date. */
export function bhavcopyRequest(item: ItemContext, format: BhavcopyRequest['format']): BhavcopyRequest {
  const type = item.choice('type', BHAVCOPY_TYPES);
  const day = item.choice('day', ['date', 'latest'] as const);
  return {
    type,
    format,
    date: day === 'latest' ? day : item.date('date'),
    signal: item.run.signal,
  };
}
