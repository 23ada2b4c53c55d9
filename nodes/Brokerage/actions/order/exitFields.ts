/** Fields of what only intent orders have: an entry that waits, exits on the order, a date until which it lives. */
import type { INodeProperties } from 'n8n-workflow';
import { collection } from '../../common/fields';

const number = (displayName: string, name: string, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 0,
  description,
});

export const exitsInField: INodeProperties = {
  displayName: 'Exits Given As',
  name: 'exitsIn',
  type: 'options',
  options: [
    { name: 'Percent From the Entry', value: 'percent', description: 'Such as 2 for two percent' },
    { name: 'Points From the Entry', value: 'points', description: 'The distance in the unit of Prices In' },
    { name: 'Price', value: 'price', description: 'The price itself, in the unit of Prices In' },
  ],
  default: 'percent',
  description:
    'What the numbers of stop loss, target and their limits are. The entry is the limit price, or the last price of a market order.',
};

export const stopLossField = number(
  'Stop Loss',
  'stopLoss',
  'Close the position when the price has moved so far against you. It is rounded to the tick, towards the entry.',
);
export const stopLossLimitField = number(
  'Stop Loss Limit',
  'stopLossLimit',
  'The worst price at which the stop loss still trades. Left out: 1% beyond the stop loss.',
);
export const targetField = number(
  'Target',
  'target',
  'Close the position when the price has moved so far in your favour. It is rounded to the tick, towards the entry.',
);
export const targetLimitField = number(
  'Target Limit',
  'targetLimit',
  'The worst price at which the target still trades. Left out: the target itself.',
);
export const trailingJumpField = number(
  'Trailing Jump',
  'trailingJump',
  'Move the stop loss along with each move of the price by so much in your favour, never back. In percent if exits are given so, else in points.',
);
export const exitTimeField: INodeProperties = {
  displayName: 'Exit Time',
  name: 'exitTime',
  type: 'string',
  default: '',
  placeholder: 'e.g. 15:05',
  description: 'Close the position at this time of today in India, or at a full date and time, if nothing else has',
};

/** Exits on the order: the service keeps them, also while n8n is off. */
export const exitsField: INodeProperties = collection(
  'Exits',
  'exits',
  [exitsInField, stopLossField, stopLossLimitField, targetField, targetLimitField, trailingJumpField, exitTimeField],
  {
    placeholder: 'Add exit',
    description:
      'Close by themselves what the order has filled; the first that fills ends the others. Only with intent orders. Exits of Day orders end at the close, so that a position kept overnight has none tomorrow.',
  },
);

export const conditionField: INodeProperties = {
  displayName: 'Condition',
  name: 'condition',
  type: 'options',
  options: [
    { name: 'Last Price at or Above', value: 'AT_OR_ABOVE' },
    { name: 'Last Price at or Below', value: 'AT_OR_BELOW' },
  ],
  default: 'AT_OR_ABOVE',
  description: 'On which side the condition price must be reached',
};
export const conditionPriceField = number(
  'Condition Price',
  'conditionPrice',
  'The order enters the market when the last price is there',
);
export const entryTimeField: INodeProperties = {
  displayName: 'Entry Time',
  name: 'entryTime',
  type: 'string',
  default: '',
  placeholder: 'e.g. 09:20',
  description: 'Enter at this time of today in India, or at a full date and time',
};

/** What the entry waits for. */
export const entryField: INodeProperties = collection(
  'Entry Condition',
  'entry',
  [conditionField, conditionPriceField, entryTimeField],
  {
    placeholder: 'Add condition',
    description: 'What the order waits for before it goes to the market. With price and time, both must hold.',
  },
);

export const goodTillDateField: INodeProperties = {
  displayName: 'Good Till Date',
  name: 'goodTillDate',
  type: 'dateTime',
  default: '',
  description: 'The last day in India of an order whose Validity is Good Till Date',
};

export const slicesField: INodeProperties = {
  displayName: 'Number of Slices',
  name: 'slices',
  type: 'number',
  typeOptions: { minValue: 2 },
  default: 2,
  description: 'Of an iceberg: in how many parts it is shown, instead of Leg Size',
};
