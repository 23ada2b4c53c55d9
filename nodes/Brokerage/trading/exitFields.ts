/** Fields of what only intent orders have: an entry that waits, exits on the order, a date until which it lives. */
import type { INodeProperties } from 'n8n-workflow';
import { collection, positiveNumber } from '../../shared/fields';

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
    'How to read the numbers in Stop Loss, Target and their limits. The entry is the limit price or, for a market order, the last price before it is sent. If the order fills elsewhere, the exits stay where they are.',
};

/** Without it a bare 2 could be taken for rupees. */
const EXIT_HINT = 'In percent from the entry, unless Exits Given As says otherwise';

export const stopLossField: INodeProperties = {
  ...positiveNumber(
    'Stop Loss',
    'stopLoss',
    'Close the position when the price moves this far against you. Rounded to the tick, towards the entry.',
  ),
  hint: EXIT_HINT,
};
/** The place to which the stop loss of a filled order is moved. */
export const stopLossAtField: INodeProperties = {
  displayName: 'Stop Loss At',
  name: 'stopLossAt',
  type: 'options',
  options: [
    {
      name: 'A Profit From the Entry',
      value: 'profit',
      description: 'Stop Loss says how far from the entry in your favour, in percent or points',
    },
    { name: 'As Stop Loss Says', value: 'field', description: 'Against you from the entry, or the price itself' },
    {
      name: "The Entry's Price",
      value: 'entry',
      description: 'To cost: the average price at which the order was filled. Charges are not counted.',
    },
  ],
  default: 'entry',
  description:
    "Where to move the stop loss of an order that has filled. The Entry's Price needs no number: leave Stop Loss out.",
};
export const stopLossLimitField = positiveNumber(
  'Stop Loss Limit',
  'stopLossLimit',
  'Lowest price at which the stop loss may sell, or highest at which it may buy: given as the Stop Loss is. If left out, 1% beyond the stop loss.',
);
export const targetField: INodeProperties = {
  ...positiveNumber(
    'Target',
    'target',
    'Close the position when the price moves this far in your favour. Rounded to the tick, towards the entry.',
  ),
  hint: EXIT_HINT,
};
export const targetLimitField = positiveNumber(
  'Target Limit',
  'targetLimit',
  'Lowest price at which the target may sell, or highest at which it may buy: given as the Target is. If left out, the target.',
);
export const trailingJumpField: INodeProperties = {
  ...positiveNumber(
    'Trailing Jump',
    'trailingJump',
    'Each time the price moves this far in your favour, the stop loss follows it, never back. In percent or points, as set in Exits Given As (points if it is Price).',
  ),
  hint: EXIT_HINT,
};
export const exitTimeField: INodeProperties = {
  displayName: 'Exit Time',
  name: 'exitTime',
  type: 'string',
  default: '',
  placeholder: 'e.g. 15:05',
  description:
    'Square off the position at this time today (IST), or at a full date and time, if no other exit has closed it. Of Intraday it must be before the broker squares off, such as 15:05; of Delivery before the closing auction of the share at 15:15.',
};

const exitsManagedByField: INodeProperties = {
  displayName: 'Exits Managed By',
  name: 'keptBy',
  type: 'options',
  options: [
    { name: 'Service', value: 'service', description: 'Also while n8n is off; only with intent orders' },
    {
      name: 'Trigger',
      value: 'trigger',
      description:
        'On the older interface: a published workflow with the trigger "Order Exits" places the stop loss and watches the target, only while n8n runs',
    },
  ],
  default: 'service',
  description: 'Who closes the position. The trigger takes Stop Loss and Target only.',
};

/** Exits on the order: the service keeps them, also while n8n is off. */
export const exitsField: INodeProperties = collection(
  'Exits',
  'exits',
  [
    exitsInField,
    stopLossField,
    stopLossLimitField,
    targetField,
    targetLimitField,
    trailingJumpField,
    exitTimeField,
    exitsManagedByField,
  ],
  {
    placeholder: 'Add exit',
    description:
      'Exits close the filled quantity by themselves. The first that fills ends the others. Only with intent orders, or with Exits Managed By set to Trigger. Exits of Day orders end at the close, so a position kept overnight has none tomorrow.',
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
export const conditionPriceField = positiveNumber(
  'Condition Price',
  'conditionPrice',
  'The order goes to the market when the last price (LTP) reaches this: in rupees, unless Prices In or Prices Given As says otherwise',
);
export const entryTimeField: INodeProperties = {
  displayName: 'Entry Time',
  name: 'entryTime',
  type: 'string',
  default: '',
  placeholder: 'e.g. 09:20',
  description: 'Enter at this time today (IST), or at a full date and time',
};

/** Condition of the entry. */
export const entryField: INodeProperties = collection(
  'Entry Condition',
  'entry',
  [conditionField, conditionPriceField, entryTimeField],
  {
    placeholder: 'Add condition',
    description:
      'What the order waits for before it goes to the market. If you set a price and a time, both must be met.',
  },
);

export const goodTillDateField: INodeProperties = {
  displayName: 'Good Till Date',
  name: 'goodTillDate',
  type: 'dateTime',
  default: '',
  description: 'The last day (IST) of an order whose Validity is Good Till Date',
};

export const slicesField: INodeProperties = {
  displayName: 'Number of Slices',
  name: 'slices',
  type: 'number',
  typeOptions: { minValue: 2 },
  default: 2,
  description: 'Number of parts in which an iceberg is shown, instead of Leg Size',
};
