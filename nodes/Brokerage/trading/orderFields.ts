/** Fields that the operations of orders share. */
import type { INodeProperties } from 'n8n-workflow';
import { notice } from '../../shared/fields';
import { instrumentField } from '../../shared/instrumentField';
import { priceSourceFields } from './priceFields';
import { ofQuantity, ofSizedIceberg, sizeByField, sizeFields } from './sizeFields';
import { sideFilter } from '../../shared/selection';

export const orderIdField: INodeProperties = {
  displayName: 'Order ID',
  name: 'orderId',
  type: 'string',
  default: '',
  required: true,
  placeholder: 'e.g. 1763712345678901234',
  description: 'The order_id from "Place" or "Get Many", as text: a number would lose its last digits',
};

export const sideField: INodeProperties = { ...sideFilter, description: 'Whether to buy or to sell' };

export const quantityField: INodeProperties = {
  displayName: 'Quantity',
  name: 'quantity',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 1,
  required: true,
  description:
    'Number of shares or contracts, or of lots if Quantity In is set to Lots. Derivatives trade in multiples of their lot size.',
};

export const quantityUnitField: INodeProperties = {
  displayName: 'Quantity In',
  name: 'quantityUnit',
  type: 'options',
  options: [
    { name: 'Lots', value: 'lots', description: 'Multiplied by the lot size of the instrument' },
    { name: 'Units', value: 'units', description: 'Shares, or contracts as the exchange counts them' },
  ],
  default: 'units',
  description: 'What the quantity counts',
};

export const productField: INodeProperties = {
  displayName: 'Product',
  name: 'product',
  type: 'options',
  options: [
    {
      name: 'Delivery (CNC)',
      value: 'CNC',
      description: 'Carried overnight: shares go to your holdings, derivatives stay open (CNC or NRML)',
    },
    {
      name: 'Intraday (IDAY)',
      value: 'IDAY',
      description: 'Squared off the same day, by the broker if not by you (MIS)',
    },
  ],
  default: 'CNC',
  description: 'Delivery (overnight) or intraday',
};

/** The product of an order: what fits the instrument, unless one is chosen; a workflow that was saved before has Delivery. */
export const productFields: INodeProperties[] = [
  { ...productField, displayOptions: { show: { '@version': [1] } } },
  {
    ...productField,
    options: [
      {
        name: 'Automatic',
        value: 'AUTO',
        description: 'Delivery for shares and funds, Intraday for futures and options',
      },
      ...(productField.options ?? []),
    ],
    default: 'AUTO',
    description:
      'Delivery (overnight) or intraday. Automatic: shares are delivered, futures and options are squared off today.',
    displayOptions: { show: { '@version': [{ _cnd: { gte: 1.1 } }] } },
  },
];

export const orderTypeField: INodeProperties = {
  displayName: 'Order Type',
  name: 'orderType',
  type: 'options',
  options: [
    { name: 'Iceberg', value: 'ICEBERG', description: 'Shows only a part of the quantity at a time' },
    { name: 'Regular', value: 'REGULAR', description: 'Goes to the market at once' },
    { name: 'Stop Loss', value: 'STOPLOSS', description: 'Waits until the price reaches your trigger price' },
  ],
  default: 'REGULAR',
  description: 'How the order behaves at the exchange',
};

export const priceTypeField: INodeProperties = {
  displayName: 'Price Type',
  name: 'priceType',
  type: 'options',
  options: [
    { name: 'Limit', value: 'LIMIT', description: 'At the limit price or better' },
    { name: 'Market', value: 'MARKET', description: 'At the best price available now' },
  ],
  default: 'LIMIT',
  description: 'How the price is set',
};

export const priceField: INodeProperties = {
  displayName: 'Limit Price',
  name: 'price',
  type: 'number',
  default: 0,
  required: true,
  displayOptions: { show: { priceType: ['LIMIT'] } },
  description:
    'Highest price you will pay, or lowest you will sell for: in rupees, unless Prices In or Prices Given As says otherwise. Round to Tick says what becomes of a price off the tick.',
};

export const triggerPriceField: INodeProperties = {
  displayName: 'Trigger Price',
  name: 'triggerPrice',
  type: 'number',
  default: 0,
  required: true,
  displayOptions: { show: { orderType: ['STOPLOSS'] } },
  description:
    'The price at which the order goes to the market: in rupees, unless Prices In or Prices Given As says otherwise. For a buy, enter it at or below the limit price; for a sell, at or above it.',
};

export const legSizeField: INodeProperties = {
  displayName: 'Leg Size',
  name: 'legSize',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 1,
  required: true,
  displayOptions: { show: { orderType: ['ICEBERG'] } },
  description:
    'How much the market sees at a time, in shares or in lots, as set in Quantity In. It must be less than the quantity.',
};

export const validityField: INodeProperties = {
  displayName: 'Validity',
  name: 'validity',
  type: 'options',
  options: [
    { name: 'Day', value: 'DAY', description: 'Until the market closes' },
    {
      name: 'Good Till Date',
      value: 'GTE',
      description: 'Until the end of Good Till Date; only with intent orders and a limit price',
    },
    { name: 'Immediate or Cancel', value: 'IOC', description: 'Whatever is not filled immediately is cancelled' },
  ],
  default: 'DAY',
  description: 'How long the order stays open',
};

export const tagField: INodeProperties = {
  displayName: 'Tag',
  name: 'tag',
  type: 'string',
  default: '',
  placeholder: 'e.g. breakout',
  description: "Your own label: letters, digits and hyphens. It becomes the prefix of the order's tag.",
};

export const idempotencyKeyField: INodeProperties = {
  displayName: 'Idempotency Key',
  name: 'idempotencyKey',
  type: 'string',
  default: '',
  placeholder: 'e.g. {{ $json.alertId }}',
  description:
    'The ID of what caused this order, such as an alert. The same key never places a second order today: you get the first order back, marked already_placed.',
};

export const moneyNotice: INodeProperties = notice(
  'moneyNotice',
  'On Live this trades real money, and needs "Allow Live Orders" in the credential. Try it with Dry Run under Safety Limits first: it shows exactly what would be sent.',
);

/** Terms of an order: the fields of Place, Place Many and Preview. */
export const orderFields: INodeProperties[] = [
  instrumentField,
  sideField,
  sizeByField,
  { ...quantityField, displayOptions: ofQuantity },
  ...sizeFields,
  { ...quantityUnitField, displayOptions: ofQuantity },
  { ...quantityUnitField, displayOptions: ofSizedIceberg, description: 'What the leg size counts' },
  ...productFields,
  orderTypeField,
  priceTypeField,
  ...priceSourceFields,
  priceField,
  triggerPriceField,
  legSizeField,
];

export const splitAboveField: INodeProperties = {
  displayName: 'Split Above',
  name: 'splitAbove',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 1800,
  description:
    'The largest quantity of one order, in shares or units. A larger one is placed as several orders, each as a separate item. If left out: the freeze quantity of the exchange. With intent orders the service splits by itself, and this has no effect.',
};

export const waitForField: INodeProperties = {
  displayName: 'Wait For',
  name: 'waitFor',
  type: 'options',
  options: [
    { name: 'Accepted', value: 'accepted', description: 'The exchange has taken the order' },
    {
      name: 'Ended',
      value: 'ended',
      description: 'It is filled, cancelled, rejected or expired, and no exit of it is still open',
    },
    {
      name: 'Entered',
      value: 'entered',
      description: 'Part or all is filled and nothing more will be; exits now protect the whole filled quantity',
    },
    {
      name: 'Exited',
      value: 'exited',
      description: 'A stop loss, target or exit time on the order has closed the position',
    },
    { name: 'Filled', value: 'filled', description: 'The whole quantity is filled' },
  ],
  default: 'accepted',
  description:
    'What the order must reach before the workflow continues. If left out, a market order waits until it is filled and a limit order until it is accepted, so that a rejection is an error; a node of an earlier version waits for less. To wait for nothing, set Wait for the Result (Seconds) to 0.',
};

/** Time to wait for the end of a request that the service only acknowledges. */
export const waitSecondsField: INodeProperties = {
  displayName: 'Wait for the Result (Seconds)',
  name: 'waitSeconds',
  type: 'number',
  typeOptions: { minValue: 0, maxValue: 300 },
  default: 10,
  description: 'Seconds to wait for the result, which comes after the acknowledgement. 0 = continue immediately.',
};
