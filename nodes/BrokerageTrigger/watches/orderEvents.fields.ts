/** The fields of a trigger on order events. */
import type { INodeProperties } from 'n8n-workflow';
import { collection, instrumentsFilter, priceUnitOption, shownFor } from './fields';

const eventsField: INodeProperties = {
  displayName: 'Events',
  name: 'events',
  type: 'multiOptions',
  required: true,
  default: ['fill'],
  ...shownFor('orders'),
  description:
    'What starts the workflow. Events that happened while the connection was down come too, marked as recovered.',
  options: [
    { name: 'Cancel Rejected', value: 'cancelRejected', description: 'A cancellation was refused; the order lives on' },
    {
      name: 'Connection Lost',
      value: 'connectionLost',
      description: 'The stream was lost; it is reconnected on its own and nothing is missed',
    },
    {
      name: 'Connection Restored',
      value: 'connectionRestored',
      description: 'The stream is back, with how long it was away and how many events were recovered',
    },
    { name: 'Fill', value: 'fill', description: 'A trade: all or part of an order was bought or sold' },
    {
      name: 'Modify Rejected',
      value: 'modifyRejected',
      description: 'A modification was refused; the order stands as it was',
    },
    { name: 'Order Accepted', value: 'accepted', description: 'The exchange took the order' },
    { name: 'Order Cancelled', value: 'cancelled', description: 'The order was cancelled as asked' },
    {
      name: 'Order Cancelled by the Exchange',
      value: 'unsolicitedCancel',
      description: 'The order was cancelled though nobody asked for it',
    },
    {
      name: 'Order Completed',
      value: 'executed',
      description: 'The whole quantity is filled; comes once, after its last fill',
    },
    { name: 'Order Expired', value: 'expired', description: 'The order was not filled by the end of its validity' },
    { name: 'Order Modified', value: 'modified', description: 'Price, quantity or trigger price of the order changed' },
    {
      name: 'Order Rejected',
      value: 'rejected',
      description: 'The broker or the exchange refused the order; the reason comes with it',
    },
    { name: 'Other', value: 'other', description: 'A kind of update that this version does not know' },
    { name: 'Stop Loss Triggered', value: 'stopLossTriggered', description: 'The stop loss of a strategy was reached' },
    { name: 'Target Triggered', value: 'targetTriggered', description: 'The target of a strategy was reached' },
    { name: 'Trailing Stop Moved', value: 'trailUpdated', description: 'The trailing stop loss followed the price' },
    {
      name: 'Trigger Price Reached',
      value: 'entryTriggered',
      description: 'A stop-loss order was triggered and now works in the market',
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
    description: 'Whether only completed, cancelled, expired and rejected orders count, of the events chosen above',
  },
  {
    displayName: 'Products',
    name: 'products',
    type: 'multiOptions',
    options: [
      { name: 'Delivery (CNC)', value: 'CNC' },
      { name: 'Intraday', value: 'IDAY' },
    ],
    default: [],
    description: 'Only orders of these products',
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
    description: 'Only from this quantity: of the fill where it is one, of the order otherwise',
  },
  {
    displayName: 'Smallest Value (Rupees)',
    name: 'minValue',
    type: 'number',
    typeOptions: { minValue: 0, numberPrecision: 2 },
    default: 0,
    description: 'Only from this quantity × price: of the fill where it is one, of the order otherwise',
  },
  {
    displayName: 'Tags',
    name: 'tags',
    type: 'string',
    default: '',
    placeholder: 'e.g. breakout, hedge',
    description: 'Only orders with one of these tags, separated by commas: the whole tag, or your own part of it',
  },
];

const options: INodeProperties[] = [
  {
    displayName: 'Batch Size',
    name: 'batchSize',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 1000 },
    default: 1,
    description: 'The most events in one run of the workflow. 1 starts a run for each event.',
  },
  {
    displayName: 'Batch Wait (Seconds)',
    name: 'batchWait',
    type: 'number',
    typeOptions: { minValue: 0.1, maxValue: 3600, numberPrecision: 1 },
    default: 5,
    description: 'How long the first event of a batch waits for others. Has an effect with a batch size above 1.',
  },
  {
    displayName: 'Compare Every (Seconds)',
    name: 'compareEvery',
    type: 'number',
    typeOptions: { minValue: 5, maxValue: 3600 },
    default: 30,
    description: "How often the day's orders are read to make sure that the stream brings everything",
  },
  {
    displayName: 'Include Raw Message',
    name: 'raw',
    type: 'boolean',
    default: false,
    description: 'Whether to add the message of the stream as it came, with prices in paise',
  },
  priceUnitOption,
  {
    displayName: 'Recover Missed Events',
    name: 'recover',
    type: 'boolean',
    default: true,
    description:
      'Whether events that happened while the connection was down, or n8n was restarted, are given out when it is back, marked as recovered. Those from before you published the workflow never are.',
  },
];

export const orderEventsFields: INodeProperties[] = [eventsField];

export const orderEventsCollections: INodeProperties[] = [
  collection('Filters', 'filters', 'Add filter', filters, 'orders'),
  collection('Options', 'options', 'Add option', options, 'orders'),
];
