/** At the market, or within a percentage of the last price: fields of what buys or sells a position. */
import type { INodeProperties } from 'n8n-workflow';
import { percentToHundredths } from '../../../client/values/money';
import type { ParameterReader } from '../../shared/parameters';

/**
 * Price fields of an order that is sent for a position.
 * @param label of the field. @param description of its percentage.
 */
export const closeAtFields = (label: string, description: string): INodeProperties[] => [
  {
    displayName: label,
    name: 'closeAt',
    type: 'options',
    options: [
      { name: 'Limit', value: 'limit', description: 'At the last price, or worse by at most the percentage below' },
      { name: 'Market', value: 'market', description: 'At the best price available now' },
    ],
    default: 'market',
    description: 'How the price is set. What is not filled at once is cancelled, and named as left.',
  },
  {
    displayName: 'Percent From Last Price',
    name: 'slackPercent',
    type: 'number',
    typeOptions: { minValue: 0, maxValue: 50, numberPrecision: 2 },
    default: 1,
    displayOptions: { show: { closeAt: ['limit'] } },
    description,
  },
];

/** Returns the maximum distance from the last price, hundredths of a percent; undefined at the market. */
export function closeDistanceOf(item: ParameterReader): number | undefined {
  if (item.choice('closeAt', ['limit', 'market'] as const) === 'market') return undefined;
  return percentToHundredths(item.raw('slackPercent'), 'slackPercent', item.label('slackPercent'));
}
