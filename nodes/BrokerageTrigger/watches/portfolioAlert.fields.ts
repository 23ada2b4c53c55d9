/** The fields of an alert on the portfolio. */
import type { INodeProperties } from 'n8n-workflow';
import { instrumentField } from '../../shared/instrumentField';
import { collection, priceUnitOption, shownFor } from './fields';

const shownForCondition = (...conditions: string[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { watch: ['portfolioAlert'], amountCondition: conditions } },
});

const amount = (displayName: string, name: string, description: string, conditions: string[]): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  typeOptions: { numberPrecision: 2 },
  required: true,
  default: 0,
  ...shownForCondition(...conditions),
  description,
});

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
  {
    displayName: 'Alert',
    name: 'repeatAmount',
    type: 'options',
    default: 'onceADay',
    ...shownFor('portfolioAlert'),
    description: 'How often to alert',
    options: [
      { name: 'Every Time', value: 'always', description: 'Each time that the amount gets there' },
      {
        name: 'Once',
        value: 'once',
        description: 'Until you unpublish and publish the workflow again or change the condition',
      },
      { name: 'Once a Day', value: 'onceADay', description: 'The first time on each day' },
    ],
  },
];

export const portfolioAlertCollections: INodeProperties[] = [
  collection(
    'Options',
    'options',
    'Add option',
    [
      priceUnitOption,
      {
        displayName: 'Re-Arm Distance (Rupees)',
        name: 'rearm',
        type: 'number',
        typeOptions: { minValue: 0, numberPrecision: 2 },
        default: 0,
        description:
          'How far the amount must first go back before the next alert, so that one hovering at the level alerts only once',
      },
    ],
    'portfolioAlert',
  ),
];
