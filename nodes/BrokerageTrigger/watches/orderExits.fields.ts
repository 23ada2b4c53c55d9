/** The fields of the trigger that keeps exits. */
import type { INodeProperties } from 'n8n-workflow';
import { withHiddenField } from '../../shared/collectionFields';
import { instrumentField, moreInstrumentsField } from '../../shared/instrumentField';
import { notice, positiveNumber } from '../../shared/fields';
import { collection, priceUnitOption, shownFor } from './fields';

const shownOf = (...exitsOf: string[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { watch: ['orderExits'], exitsOf } },
});

const distance = (displayName: string, name: string, description: string, unit: string): INodeProperties => ({
  ...positiveNumber(displayName, name, description),
  hint: `${unit}, unless Exits Given As says otherwise`,
});

const exitTimeField: INodeProperties = {
  displayName: 'Exit Time',
  name: 'exitTime',
  type: 'string',
  default: '',
  placeholder: 'e.g. 15:10 or 2026-12-24 15:10',
  description: 'Close it at this time (IST): on each day, or on one day',
};

const heldExitFields: INodeProperties[] = [
  exitTimeField,
  {
    displayName: 'Exits Given As',
    name: 'exitsIn',
    type: 'options',
    options: [
      { name: 'Percent From the Average Price', value: 'percent', description: 'Such as 2 for two percent' },
      { name: 'Points From the Average Price', value: 'points', description: 'The distance in rupees' },
      { name: 'Price', value: 'price', description: 'The price itself in rupees. Trailing Stop is in rupees, too.' },
    ],
    default: 'percent',
    description: 'How to read the numbers in Stop Loss, Target, Trailing Stop and Start Trailing After',
  },
  distance(
    'Start Trailing After',
    'trailAfter',
    'Trailing Stop closes nothing until the best price is this far from your average price in your favour. If left out, it works from the beginning.',
    'In percent from your average price',
  ),
  distance(
    'Stop Loss',
    'stopLoss',
    'Close it when the price moves this far against you. If it is there already when you publish, it is closed at once.',
    'In percent from your average price',
  ),
  distance(
    'Target',
    'target',
    'Close it when the price moves this far in your favour. If it is there already when you publish, it is closed at once.',
    'In percent from your average price',
  ),
  distance(
    'Trailing Stop',
    'trailingStop',
    'Close it when the price has come back this far from its best since the trigger began to keep the exits',
    'In percent of that best price',
  ),
];

const strategyExitFields: INodeProperties[] = [
  {
    ...exitTimeField,
    description: 'Close all legs at this time (IST): on each day, or on one day',
  },
  {
    displayName: 'Exits Given As',
    name: 'exitsIn',
    type: 'options',
    options: [
      {
        name: 'Net Profit',
        value: 'profit',
        description: 'What all legs have earned or lost together in rupees, before charges: such as 3000',
      },
      {
        name: 'Percent of the Net Premium',
        value: 'percent',
        description: 'Such as 30, whether you have paid or received the premium of the options',
      },
    ],
    default: 'profit',
    description: 'How to read the numbers in Stop Loss, Target, Trailing Stop and Start Trailing After',
  },
  distance(
    'Start Trailing After',
    'trailAfter',
    'Trailing Stop closes nothing until all legs have earned so much together. If left out, it works from the beginning.',
    'In rupees',
  ),
  distance(
    'Stop Loss',
    'stopLoss',
    'Close all legs when they have lost so much together: a number above 0, such as 2000',
    'In rupees',
  ),
  distance('Target', 'target', 'Close all legs when they have earned so much together', 'In rupees'),
  distance(
    'Trailing Stop',
    'trailingStop',
    'Close all legs when their net profit has come back by so much from its best since the trigger began to keep the exits',
    'In rupees',
  ),
];

export const orderExitsFields: INodeProperties[] = [
  {
    displayName: 'Exits Of',
    name: 'exitsOf',
    type: 'options',
    default: 'orders',
    ...shownFor('orderExits'),
    description: 'What the trigger closes',
    options: [
      {
        name: 'Orders With Exits Managed by Trigger',
        value: 'orders',
        description: 'Each order placed with Exits Managed By set to Trigger, by the exits given with it',
      },
      {
        name: 'What I Hold',
        value: 'held',
        description: 'Positions and holdings in an instrument, wherever and whenever you bought them',
      },
      {
        name: 'All Positions and Holdings',
        value: 'all',
        description: 'Everything that you hold, in whichever instrument, and what you buy or sell later',
      },
      {
        name: 'A Strategy, by Its Net Profit',
        value: 'strategy',
        description: 'Several positions together, by what all of them have earned or lost',
      },
    ],
  },
  {
    ...notice(
      'orderExitsNotice',
      'Once published, this trigger places a stop loss for each order that was placed with Exits Managed By set to Trigger, and closes it when its target is reached. It works only while n8n runs: while n8n is off, a stop loss that was placed rests at the exchange, an order that fills gets none, and no target is watched. Between cancelling the stop loss and selling, nothing guards the position for a moment. One such trigger serves the whole account. On Live it trades real money.',
    ),
    ...shownOf('orders'),
  },
  {
    ...notice(
      'heldExitsNotice',
      'Once published, this trigger closes all that you hold in the instrument at the market when an exit is reached, and cancels your open orders in it first. It watches the price itself: nothing rests at the exchange, and while n8n is off nothing is closed. For a stop loss that works even then, add one with Portfolio: Protect Position. On Live it trades real money.',
    ),
    ...shownOf('held'),
  },
  {
    ...notice(
      'allHeldExitsNotice',
      'Once published, this trigger closes every position and holding at the market, each for itself when its own exit is reached, and cancels your open orders in it first. This includes shares that you have held for a long time: choose Intraday under Products to leave them alone. It watches the prices itself: nothing rests at the exchange, and while n8n is off nothing is closed. On Live it trades real money.',
    ),
    ...shownOf('all'),
  },
  {
    ...notice(
      'strategyExitsNotice',
      'Once published, this trigger closes all legs at the market when their net profit reaches an exit: sold legs first, each some seconds after the other. It first cancels your open orders in them. It watches the prices itself: nothing rests at the exchange, and while n8n is off nothing is closed. For exits that work even then, place a basket with exits on an account with intent orders. On Live it trades real money.',
    ),
    ...shownOf('strategy'),
  },
  { ...instrumentField, ...shownOf('held') },
  {
    displayName: 'Legs',
    name: 'strategyLegs',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'e.g. NIFTY, or NIFTY26NOV26100CE, NIFTY26NOV26100PE',
    ...shownOf('strategy'),
    description:
      'The positions that belong together: symbols, underlyings or ref_ids, separated by commas. An underlying means all positions in its options and futures, and in the share itself. Holdings are left alone.',
  },
  {
    displayName: 'Products',
    name: 'heldProducts',
    type: 'multiOptions',
    options: [
      {
        name: 'Delivery (CNC)',
        value: 'CNC',
        description: 'Shares for delivery, holdings, futures and options that are carried over',
      },
      { name: 'Intraday (IDAY)', value: 'IDAY' },
    ],
    default: [],
    ...shownOf('held', 'all', 'strategy'),
    description: 'Only what you hold under these products. Choose none for all.',
  },
  ...withHiddenField({
    displayName: 'Exits',
    name: 'heldExits',
    type: 'collection',
    placeholder: 'Add exit',
    default: {},
    ...shownOf('held', 'all'),
    options: heldExitFields,
  }),
  ...withHiddenField({
    displayName: 'Exits',
    name: 'strategyExits',
    type: 'collection',
    placeholder: 'Add exit',
    default: {},
    ...shownOf('strategy'),
    options: strategyExitFields,
  }),
];

export const orderExitsCollections: INodeProperties[] = [
  collection(
    'Options',
    'options',
    'Add option',
    [
      {
        ...moreInstrumentsField,
        displayOptions: { show: { '/exitsOf': ['held'] } },
        description: 'Further instruments with the same exits, separated by commas, or a list',
      },
      priceUnitOption,
    ],
    'orderExits',
  ),
];
