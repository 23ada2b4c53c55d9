/** The fields of an alert on the portfolio. */
import type { INodeProperties } from 'n8n-workflow';
import { instrumentField } from '../../shared/instrumentField';
import { alertNumber, collection, priceUnitOption, rearmField, repeatField, shownFor } from './fields';

/** The figure that is no amount. */
const PERCENT_FIGURE = ['marginUsedPercent'];

/** A level of an amount, and the same field for the figure in percent. */
const levels = (
  name: string,
  conditions: string[],
  rupees: { displayName: string; description: string },
  percent: { displayName: string; description: string },
): INodeProperties[] => {
  const show = { watch: ['portfolioAlert'], amountCondition: conditions };
  const field = (
    shown: typeof rupees,
    displayOptions: NonNullable<INodeProperties['displayOptions']>,
  ): INodeProperties =>
    alertNumber(shown.displayName, name, shown.description, { numberPrecision: 2 }, { displayOptions });
  return [
    field(rupees, { show, hide: { figure: PERCENT_FIGURE } }),
    field(percent, { show: { ...show, figure: PERCENT_FIGURE } }),
  ];
};

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
      {
        name: 'Margin Used',
        value: 'marginUsed',
        description: 'The margin that is blocked in your account, in rupees',
      },
      {
        name: 'Margin Used, in Percent',
        value: 'marginUsedPercent',
        description: 'The same in percent of what is blocked and still available together, such as 80',
      },
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
  ...levels(
    'amount',
    ['crossesAbove', 'crossesBelow'],
    { displayName: 'Amount (Rupees)', description: 'The amount that starts the workflow. A loss is negative.' },
    { displayName: 'Amount (Percent)', description: 'The percentage that starts the workflow, such as 80' },
  ),
  ...levels(
    'lowAmount',
    ['entersBand', 'leavesBand'],
    { displayName: 'Lower Amount (Rupees)', description: 'The lower end of the band. A loss is negative.' },
    { displayName: 'Lower Amount (Percent)', description: 'The lower end of the band' },
  ),
  ...levels(
    'highAmount',
    ['entersBand', 'leavesBand'],
    { displayName: 'Higher Amount (Rupees)', description: 'The upper end of the band' },
    { displayName: 'Higher Amount (Percent)', description: 'The upper end of the band' },
  ),
  repeatField('repeatAmount', 'amount', shownFor('portfolioAlert')),
];

export const portfolioAlertCollections: INodeProperties[] = [
  collection(
    'Options',
    'options',
    'Add option',
    [
      priceUnitOption,
      {
        ...rearmField('Re-Arm Distance (Percent)', 'rearm', 'percentage'),
        displayOptions: { show: { '/figure': PERCENT_FIGURE } },
      },
      {
        ...rearmField('Re-Arm Distance (Rupees)', 'rearm', 'amount'),
        displayOptions: { hide: { '/figure': PERCENT_FIGURE } },
      },
    ],
    'portfolioAlert',
  ),
];
