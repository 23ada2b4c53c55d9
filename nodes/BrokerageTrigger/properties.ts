/** The fields of the trigger. */
import type { INodeProperties } from 'n8n-workflow';
import { instrumentField } from '../Brokerage/actions/instrumentField';

export const CONNECTION_EVENTS = ['connectionLost', 'connectionRestored'] as const;

export const WATCHES = ['orders', 'portfolio', 'price'] as const;
export type Watch = (typeof WATCHES)[number];

const shownFor = (...watches: Watch[]): Pick<INodeProperties, 'displayOptions'> => ({ displayOptions: { show: { watch: watches } } });

const watchField: INodeProperties = {
  displayName: 'Trigger On',
  name: 'watch',
  type: 'options',
  noDataExpression: true,
  default: 'orders',
  description: 'What starts the workflow',
  options: [
    { name: 'Order Events', value: 'orders', description: 'Something happens to an order: it is filled, rejected, cancelled and so on' },
    { name: 'Portfolio Updates', value: 'portfolio', description: 'Positions or holdings change' },
    { name: 'Price Alert', value: 'price', description: 'The price of an instrument crosses a level, enters or leaves a band, or moves by a percentage' },
  ],
};

const eventsField: INodeProperties = {
  displayName: 'Events',
  name: 'events',
  type: 'multiOptions',
  required: true,
  default: ['fill'],
  ...shownFor('orders'),
  description: 'What starts the workflow. Events that happened while the connection was down come too, marked as recovered.',
  options: [
    { name: 'Cancel Rejected', value: 'cancelRejected', description: 'A cancellation was refused; the order lives on' },
    { name: 'Connection Lost', value: 'connectionLost', description: 'The stream was lost; it is reconnected on its own and nothing is missed' },
    { name: 'Connection Restored', value: 'connectionRestored', description: 'The stream is back, with how long it was away and how many events were recovered' },
    { name: 'Fill', value: 'fill', description: 'A trade: all or part of an order was bought or sold' },
    { name: 'Modify Rejected', value: 'modifyRejected', description: 'A modification was refused; the order stands as it was' },
    { name: 'Order Accepted', value: 'accepted', description: 'The exchange took the order' },
    { name: 'Order Cancelled', value: 'cancelled', description: 'The order was cancelled as asked' },
    { name: 'Order Cancelled by the Exchange', value: 'unsolicitedCancel', description: 'The order was cancelled though nobody asked for it' },
    { name: 'Order Completed', value: 'executed', description: 'The whole quantity is filled; comes once, after its last fill' },
    { name: 'Order Expired', value: 'expired', description: 'The order was not filled by the end of its validity' },
    { name: 'Order Modified', value: 'modified', description: 'Price, quantity or trigger price of the order changed' },
    { name: 'Order Rejected', value: 'rejected', description: 'The broker or the exchange refused the order; the reason comes with it' },
    { name: 'Other', value: 'other', description: 'A kind of update that this version does not know' },
    { name: 'Stop Loss Triggered', value: 'stopLossTriggered', description: 'The stop loss of a strategy was reached' },
    { name: 'Target Triggered', value: 'targetTriggered', description: 'The target of a strategy was reached' },
    { name: 'Trailing Stop Moved', value: 'trailUpdated', description: 'The trailing stop loss followed the price' },
    { name: 'Trigger Price Reached', value: 'entryTriggered', description: 'A stop-loss order was triggered and now works in the market' },
  ],
};

const priceUnitOption: INodeProperties = {
  displayName: 'Prices In',
  name: 'priceUnit',
  type: 'options',
  options: [
    { name: 'Exchange Units (Paise)', value: 'paise', description: 'Whole numbers as the exchange counts them: 150005 is ₹1,500.05' },
    { name: 'Rupees', value: 'rupees', description: 'Decimals: 1500.05' },
  ],
  default: 'rupees',
  description: 'How prices and amounts are given in the output',
};

const instrumentsFilter: INodeProperties = {
  displayName: 'Instruments',
  name: 'instruments',
  type: 'string',
  default: '',
  placeholder: 'e.g. INFY, TCS, 70115',
  description: 'Only these symbols or ref_ids, separated by commas',
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
    description: 'Only orders with one of these tags, separated by commas',
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

const portfolioFields: INodeProperties[] = [
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
    description: 'Profit and loss change with every price. The newest state is given out this often at most.',
  },
];

const shownForCondition = (...conditions: string[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { watch: ['price'], condition: conditions } },
});

const priceFields: INodeProperties[] = [
  { ...instrumentField, ...shownFor('price') },
  {
    displayName: 'Condition',
    name: 'condition',
    type: 'options',
    default: 'crossesAbove',
    ...shownFor('price'),
    description: 'When the alert comes. A condition that already holds at the start is no alert: the price must get there.',
    options: [
      { name: 'Enters Band', value: 'entersBand', description: 'The price comes into the band between two levels' },
      { name: 'Falls to Level', value: 'crossesBelow', description: 'The price reaches the level from above' },
      { name: 'Leaves Band', value: 'leavesBand', description: 'The price goes out of the band between two levels' },
      { name: 'Moves by Percent', value: 'moves', description: 'The price is so far away from where it was at the start or at the last alert' },
      { name: 'Rises to Level', value: 'crossesAbove', description: 'The price reaches the level from below' },
    ],
  },
  {
    displayName: 'Level (Rupees)',
    name: 'level',
    type: 'number',
    typeOptions: { minValue: 0, numberPrecision: 2 },
    required: true,
    default: 0,
    ...shownForCondition('crossesAbove', 'crossesBelow'),
    description: 'The price that is to be reached',
  },
  {
    displayName: 'Low (Rupees)',
    name: 'low',
    type: 'number',
    typeOptions: { minValue: 0, numberPrecision: 2 },
    required: true,
    default: 0,
    ...shownForCondition('entersBand', 'leavesBand'),
    description: 'The lower end of the band',
  },
  {
    displayName: 'High (Rupees)',
    name: 'high',
    type: 'number',
    typeOptions: { minValue: 0, numberPrecision: 2 },
    required: true,
    default: 0,
    ...shownForCondition('entersBand', 'leavesBand'),
    description: 'The upper end of the band',
  },
  {
    displayName: 'Percent',
    name: 'percent',
    type: 'number',
    typeOptions: { minValue: 0.01, numberPrecision: 2 },
    required: true,
    default: 1,
    ...shownForCondition('moves'),
    description: 'How far the price is to move, up to two decimals',
  },
  {
    displayName: 'Direction',
    name: 'direction',
    type: 'options',
    default: 'both',
    ...shownForCondition('moves'),
    description: 'Which moves count',
    options: [
      { name: 'Both', value: 'both' },
      { name: 'Down', value: 'down' },
      { name: 'Up', value: 'up' },
    ],
  },
  {
    displayName: 'Only Once',
    name: 'once',
    type: 'boolean',
    default: false,
    ...shownFor('price'),
    description: 'Whether the first alert is the last one until the workflow is published again',
  },
];

const priceOptions: INodeProperties[] = [
  {
    displayName: 'Ask Every (Seconds)',
    name: 'askEvery',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 3600 },
    default: 5,
    description: 'How often the price is asked for. What happens between two prices is not seen.',
  },
  priceUnitOption,
  {
    displayName: 'Re-Arm Distance (Rupees)',
    name: 'rearm',
    type: 'number',
    typeOptions: { minValue: 0, numberPrecision: 2 },
    default: 0,
    description: 'How far the price must first go back before the next alert, so that a price that trembles around the level alerts once',
  },
];

const collection = (displayName: string, name: string, placeholder: string, inner: INodeProperties[], watch: Watch): INodeProperties => ({
  displayName,
  name,
  type: 'collection',
  placeholder,
  default: {},
  ...shownFor(watch),
  options: inner,
});

export const properties: INodeProperties[] = [
  watchField,
  eventsField,
  ...portfolioFields,
  ...priceFields,
  collection('Filters', 'filters', 'Add filter', filters, 'orders'),
  collection('Options', 'options', 'Add option', options, 'orders'),
  collection('Filters', 'filters', 'Add filter', [instrumentsFilter], 'portfolio'),
  collection('Options', 'options', 'Add option', [priceUnitOption], 'portfolio'),
  collection('Options', 'options', 'Add option', priceOptions, 'price'),
];
