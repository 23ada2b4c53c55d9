/** The fields of a trigger on portfolio updates. */
import type { INodeProperties } from 'n8n-workflow';
import { collection, instrumentsFilter, priceUnitOption, shownFor } from './fields';

export const portfolioUpdatesFields: INodeProperties[] = [
  {
    displayName: 'Parts',
    name: 'parts',
    type: 'multiOptions',
    required: true,
    default: ['positions'],
    ...shownFor('portfolio'),
    description: 'Which part of the portfolio starts the workflow when it changes',
    options: [
      { name: 'Holdings', value: 'holdings' },
      { name: 'Positions', value: 'positions' },
    ],
  },
  {
    displayName: 'At Most Every (Seconds)',
    name: 'portfolioEvery',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 3600 },
    default: 10,
    ...shownFor('portfolio'),
    description:
      'Profit and loss change with every price. The workflow starts at most this often, with the newest state.',
  },
];

export const portfolioUpdatesCollections: INodeProperties[] = [
  collection('Filters', 'filters', 'Add filter', [instrumentsFilter], 'portfolio'),
  collection('Options', 'options', 'Add option', [priceUnitOption], 'portfolio'),
];
