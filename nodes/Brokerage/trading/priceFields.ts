/** Fields that say how prices are given, and what becomes of one off the tick. */
import type { INodeProperties } from 'n8n-workflow';

const ofLimit = { show: { priceType: ['LIMIT'] } };

const pricesAsField: INodeProperties = {
  displayName: 'Prices Given As',
  name: 'pricesAs',
  type: 'options',
  options: [
    {
      name: 'Percent From a Price',
      value: 'percent',
      description: 'For example, -1.5 is 1.5% below, 1.5 is 1.5% above',
    },
    {
      name: 'Points From a Price',
      value: 'points',
      description: 'For example, -4 is 4 rupees below, 4 is 4 rupees above',
    },
    { name: 'Price', value: 'price', description: 'The price itself, in the unit of Prices In' },
  ],
  default: 'price',
  displayOptions: ofLimit,
  description: 'How to read Limit Price, Trigger Price and Condition Price',
};

const measuredFromField: INodeProperties = {
  displayName: 'Measured From',
  name: 'measuredFrom',
  type: 'options',
  options: [
    { name: 'Fill of an Order', value: 'fill', description: 'The average price at which an order was filled' },
    { name: 'Last Price', value: 'last', description: 'The last traded price (LTP) now' },
    { name: 'Reference Price', value: 'given', description: 'A price that you give' },
  ],
  default: 'last',
  displayOptions: { show: { ...ofLimit.show, pricesAs: ['percent', 'points'] } },
  description: 'The price from which percent or points count',
};

const referencePriceField: INodeProperties = {
  displayName: 'Reference Price',
  name: 'referencePrice',
  type: 'number',
  default: 0,
  required: true,
  displayOptions: { show: { ...ofLimit.show, pricesAs: ['percent', 'points'], measuredFrom: ['given'] } },
  description: 'The price from which percent or points count, in the unit of Prices In',
};

const referenceOrderIdField: INodeProperties = {
  displayName: 'Reference Order ID',
  name: 'referenceOrderId',
  type: 'string',
  default: '',
  placeholder: 'e.g. {{ $json.order_id }}',
  displayOptions: { show: { ...ofLimit.show, pricesAs: ['percent', 'points'], measuredFrom: ['fill'] } },
  description: 'The order of the same instrument from whose fill percent or points count',
};

/** Form of prices: fields of Place, Place Many and Preview. */
export const priceSourceFields: INodeProperties[] = [
  pricesAsField,
  measuredFromField,
  referencePriceField,
  referenceOrderIdField,
];

export const roundQuantityDownField: INodeProperties = {
  displayName: 'Round Quantity Down',
  name: 'roundQuantityDown',
  type: 'boolean',
  default: true,
  description:
    'Whether a computed quantity such as 97.5 is rounded down to whole lots, or to whole shares. Less than one lot is an error.',
};

export const roundToTickField: INodeProperties = {
  displayName: 'Round to Tick',
  name: 'roundToTick',
  type: 'options',
  options: [
    { name: 'Nearest', value: 'nearest', description: 'To the nearer tick' },
    { name: 'Refuse', value: 'refuse', description: 'A price off the tick is an error' },
    {
      name: 'Safe Side',
      value: 'safe',
      description: 'Never worse for you: a purchase is rounded down, a sale up, a stop loss towards the entry',
    },
  ],
  default: 'safe',
  description:
    'What to do with a price that is not a multiple of the tick size, such as 295.23195. If left out: Safe Side, or Refuse in a workflow that was saved with an earlier version of this node.',
};
