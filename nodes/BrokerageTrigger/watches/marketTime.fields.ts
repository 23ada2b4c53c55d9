/** The fields of a daily time of the exchange. */
import type { INodeProperties } from 'n8n-workflow';
import { shownFor } from './fields';

export const marketTimeFields: INodeProperties[] = [
  {
    displayName: 'Times',
    name: 'marketTimes',
    type: 'string',
    required: true,
    default: '09:20',
    placeholder: 'e.g. 09:20, 15:10',
    ...shownFor('marketTime'),
    description:
      'Times in IST, separated by commas, such as 09:20 or 15:10:30. The workflow starts on trading days of NSE and BSE only.',
  },
];
