/** The fields of an alert on the portfolio. */
import type { INodeProperties } from 'n8n-workflow';
import { instrumentField } from '../../shared/instrumentField';
import { alertNumber, collection, priceUnitOption, rearmField, repeatField, shownFor } from './fields';

const shownForCondition = (...conditions: string[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { watch: ['portfolioAlert'], amountCondition: conditions } },
});

const amount = (displayName: string, name: string, description: string, conditions: string[]): INodeProperties =>
  alertNumber(displayName, name, description, { numberPrecision: 2 }, shownForCondition(...conditions));

export const portfolioAlertFields: INodeProperties[] = [
  {
    displayName: 'Figure',
    name: 'figure',
    type: 'options',
    default: 'dayPnl',
    ...shownFor('portfolioAlert'),
    description: 'What is watched',
    options: [
      {
        name: "Day's Profit or Loss",
        value: 'dayPnl',
        description: 'Profit or loss of all positions, those closed today included. Holdings are not in it.',
      },
      { name: 'Margin Used', value: 'marginUsed', description: 'The margin that is blocked in your account' },
      { name: 'Profit or Loss of a Position', value: 'positionPnl', description: 'Of the positions in one instrument' },
    ],
  },
  {
    ...instrumentField,
    displayOptions: { show: { watch: ['portfolioAlert'], figure: ['positionPnl'] } },
  },
  {
    displayName: 'Condition',
    name: 'amountCondition',
    type: 'options',
    default: 'crossesBelow',
    ...shownFor('portfolioAlert'),
    description:
      'When to alert. If the amount is already there when you publish the workflow, no alert is sent until it gets there again.',
    options: [
      { name: 'Enters Band', value: 'entersBand', description: 'The amount moves into the band between two amounts' },
      { name: 'Falls to Amount', value: 'crossesBelow', description: 'A loss is negative: -5000 for a loss of ₹5,000' },
      { name: 'Leaves Band', value: 'leavesBand', description: 'The amount moves out of the band between two amounts' },
      { name: 'Rises to Amount', value: 'crossesAbove', description: 'The amount is reached from below' },
    ],
  },
  amount('Amount (Rupees)', 'amount', 'The amount that starts the workflow. A loss is negative.', [
    'crossesAbove',
    'crossesBelow',
  ]),
  amount('Lower Amount (Rupees)', 'lowAmount', 'The lower end of the band. A loss is negative.', [
    'entersBand',
    'leavesBand',
  ]),
  amount('Higher Amount (Rupees)', 'highAmount', 'The upper end of the band', ['entersBand', 'leavesBand']),
  repeatField('repeatAmount', 'amount', shownFor('portfolioAlert')),
];

export const portfolioAlertCollections: INodeProperties[] = [
  collection(
    'Options',
    'options',
    'Add option',
    [priceUnitOption, rearmField('Re-Arm Distance (Rupees)', 'rearm', 'amount')],
    'portfolioAlert',
  ),
];
