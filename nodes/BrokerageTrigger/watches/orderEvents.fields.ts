/** The fields of a trigger on order events. */
import type { INodeProperties } from 'n8n-workflow';
import { productOptions } from '../../shared/selection';
import { collection, instrumentsFilter, priceUnitOption, shownFor } from './fields';

const eventsField: INodeProperties = {
  displayName: 'Events',
  name: 'events',
  type: 'multiOptions',
  required: true,
  default: ['fill'],
  ...shownFor('orders'),
  description:
    'The events that start the workflow, including those that happened while the connection was down (marked as recovered)',
  options: [
    {
      name: 'Cancel Rejected',
      value: 'cancelRejected',
      description: 'A cancellation was refused; the order stays open',
    },
    {
      name: 'Connection Lost',
      value: 'connectionLost',
      description: 'The connection dropped. It reconnects by itself, and missed events are recovered.',
    },
    {
      name: 'Connection Restored',
      value: 'connectionRestored',
      description: 'The connection is back. Says how long it was down and how many events were recovered.',
    },
    {
      name: 'Exit Armed',
      value: 'exitArmed',
      description: 'A stop loss, target or exit time on a filled order is now live',
    },
    {
      name: 'Exit Cancelled',
      value: 'exitCancelled',
      description: 'An exit was taken off, or ended because another one filled',
    },
    { name: 'Exit Filled', value: 'exitFilled', description: 'An exit has closed what the order had filled' },
    {
      name: 'Exit Time Reached',
      value: 'exitTimeReached',
      description: 'The exit time of an order or a basket closes it now',
    },
    { name: 'Fill', value: 'fill', description: 'A trade of an order or of its exit; fill_of says which' },
    {
      name: 'Modify Rejected',
      value: 'modifyRejected',
      description: 'A modification was refused; the order is unchanged',
    },
    { name: 'Order Accepted', value: 'accepted', description: 'The exchange took the order' },
    { name: 'Order Cancelled', value: 'cancelled', description: 'The order was cancelled on request' },
    {
      name: 'Order Cancelled by the Exchange',
      value: 'unsolicitedCancel',
      description: 'The exchange cancelled the order; nobody asked for it',
    },
    {
      name: 'Order Completed',
      value: 'executed',
      description: 'The whole quantity is filled. Comes once, after the last fill.',
    },
    { name: 'Order Expired', value: 'expired', description: 'The order was not filled by the end of its validity' },
    { name: 'Order Modified', value: 'modified', description: 'Price, quantity or trigger price of the order changed' },
    {
      name: 'Order Rejected',
      value: 'rejected',
      description: 'The broker or the exchange refused the order. The reason is included.',
    },
    { name: 'Other', value: 'other', description: 'An update that this version does not know' },
    {
      name: 'Stop Loss Triggered',
      value: 'stopLossTriggered',
      description: 'The stop loss of an order or a strategy was reached',
    },
    {
      name: 'Target Triggered',
      value: 'targetTriggered',
      description: 'The target of an order or a strategy was reached',
    },
    { name: 'Trailing Stop Moved', value: 'trailUpdated', description: 'The trailing stop loss followed the price' },
    {
      name: 'Trigger Price Reached',
      value: 'entryTriggered',
      description: 'A stop-loss order was triggered and is now in the market',
    },
  ],
};

const filters: INodeProperties[] = [
  instrumentsFilter,
  {
    displayName: 'Only the End of an Order',
    name: 'onlyEnds',
    type: 'boolean',
    default: true,
    description: 'Whether to keep, of the events chosen above, only completed, cancelled, expired and rejected orders',
  },
  {
    displayName: 'Products',
    name: 'products',
    type: 'multiOptions',
    options: productOptions,
    default: [],
    description: 'Only orders with these products',
  },
  {
    displayName: 'Sides',
    name: 'sides',
    type: 'multiOptions',
    options: [
      { name: 'Buy', value: 'BUY' },
      { name: 'Sell', value: 'SELL' },
    ],
    default: [],
    description: 'Only buys or only sells',
  },
  {
    displayName: 'Smallest Quantity',
    name: 'minQuantity',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 0,
    description: "Only events of at least this quantity: the fill's for a fill, the order's for any other event",
  },
  {
    displayName: 'Smallest Value (Rupees)',
    name: 'minValue',
    type: 'number',
    typeOptions: { minValue: 0, numberPrecision: 2 },
    default: 0,
    description:
      "Only events of at least this quantity × price: the fill's for a fill, the order's for any other event",
  },
  {
    displayName: 'Tags',
    name: 'tags',
    type: 'string',
    default: '',
    placeholder: 'e.g. breakout, hedge',
    description:
      'Only orders with one of these tags, separated by commas: the whole tag, or your own label at its start',
  },
  {
    displayName: 'Tags to Leave Out',
    name: 'tagsLeftOut',
    type: 'string',
    default: '',
    placeholder: 'e.g. again',
    description:
      'No orders with one of these tags. Enter the Tag of the orders that this workflow places itself, so that they do not start it again.',
  },
];

const options: INodeProperties[] = [
  {
    displayName: 'Batch Size',
    name: 'batchSize',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 1000 },
    default: 1,
    description: 'Maximum number of events in one run of the workflow. 1 starts a run for each event.',
  },
  {
    displayName: 'Batch Wait (Seconds)',
    name: 'batchWait',
    type: 'number',
    typeOptions: { minValue: 0.1, maxValue: 3600, numberPrecision: 1 },
    default: 5,
    description: 'How long to wait for more events before a batch starts. Used only with a batch size above 1.',
  },
  {
    displayName: 'Compare Every (Seconds)',
    name: 'compareEvery',
    type: 'number',
    typeOptions: { minValue: 5, maxValue: 3600 },
    default: 30,
    description: "How often the day's orders are read, to catch anything that the stream missed",
  },
  {
    displayName: 'Include Raw Message',
    name: 'raw',
    type: 'boolean',
    default: false,
    description: 'Whether to add the unchanged message of the stream, with prices in paise',
  },
  priceUnitOption,
  {
    displayName: 'Recover Missed Events',
    name: 'recover',
    type: 'boolean',
    default: true,
    description:
      'Whether events that happened while the connection was down, or n8n was restarted, start the workflow afterwards, marked as recovered. Events from before you published the workflow never do.',
  },
];

export const orderEventsFields: INodeProperties[] = [eventsField];

export const orderEventsCollections: INodeProperties[] = [
  collection('Filters', 'filters', 'Add filter', filters, 'orders'),
  collection('Options', 'options', 'Add option', options, 'orders'),
];
