import type { INodeProperties } from 'n8n-workflow';

/** Limits of orders. */
export const orderFields: INodeProperties[] = [
  {
    displayName: 'Trading Stopped',
    name: 'tradingStopped',
    type: 'boolean',
    noDataExpression: true,
    default: false,
    description:
      'Whether new and changed orders are refused, in every workflow with this credential. "Session: Stop Trading" switches it on; only you can switch it off. Cancelling orders and exiting positions still work.',
  },
  {
    displayName: 'Order Interface',
    name: 'orderInterface',
    type: 'options',
    noDataExpression: true,
    options: [
      {
        name: 'Automatic',
        value: 'automatic',
        description: "Finds out by reading the day's orders. If the account has both, intent orders are used.",
      },
      {
        name: 'Intent Orders',
        value: 'intent',
        description: 'The newer one: stop loss and target on the order, Good Till Date, strategies',
      },
      { name: 'Orders V2', value: 'v2', description: 'The older one, for accounts that have no other' },
    ],
    default: 'automatic',
    description: "Which of the broker's two interfaces is used to place orders and read the portfolio",
  },
  {
    displayName: 'Orders per Second',
    name: 'ordersPerSecond',
    type: 'number',
    noDataExpression: true,
    typeOptions: { minValue: 1, maxValue: 100 },
    default: 8,
    description:
      'How many orders each n8n process sends in a second; more of them wait. The rules allow ten a second for the account, over all programs: with several workers, divide by their number.',
  },
  {
    displayName: 'Dry Run',
    name: 'dryRun',
    type: 'boolean',
    noDataExpression: true,
    default: false,
    description:
      'Whether orders, changes and cancellations are only checked and shown, exactly as they would be sent, but never sent',
  },
  {
    displayName: 'Refuse Unauthorised Sales',
    name: 'refuseUnauthorisedSales',
    type: 'boolean',
    noDataExpression: true,
    default: true,
    description:
      "Whether a sale of shares for delivery is refused, before it is sent, if you have not authorised it at the depository in your broker's app and have no DDPI. Only intent orders tell.",
  },
  {
    displayName: 'Limit Orders',
    name: 'limitOrders',
    type: 'boolean',
    noDataExpression: true,
    default: false,
    description: 'Whether orders are checked against your own limits before anything is sent',
  },
  {
    displayName: 'Largest Quantity',
    name: 'maxQuantity',
    type: 'number',
    noDataExpression: true,
    typeOptions: { minValue: 0 },
    default: 0,
    description: 'The largest quantity of one order, in shares or contracts. 0 means no limit.',
    displayOptions: { show: { limitOrders: [true] } },
  },
  {
    displayName: 'Largest Order Value (Rupees)',
    name: 'maxOrderValue',
    type: 'number',
    noDataExpression: true,
    typeOptions: { minValue: 0, numberPrecision: 2 },
    default: 0,
    description:
      'The maximum order value (quantity × price; a market order counts at the last price). 0 means no limit.',
    displayOptions: { show: { limitOrders: [true] } },
  },
  {
    displayName: 'Largest Day Value (Rupees)',
    name: 'maxDayValue',
    type: 'number',
    noDataExpression: true,
    typeOptions: { minValue: 0, numberPrecision: 2 },
    default: 0,
    description:
      'The largest sum of quantity × price over all orders of the trading day, whoever placed them, the new one included. 0 means no limit.',
    displayOptions: { show: { limitOrders: [true] } },
  },
  {
    displayName: 'Largest Distance From Last Price (%)',
    name: 'maxPriceDistance',
    type: 'number',
    noDataExpression: true,
    typeOptions: { minValue: 0, numberPrecision: 2 },
    default: 0,
    description:
      'How far the price of a limit order may be from the last traded price on the side that costs money: a purchase above it, a sale below it. 0 means no limit.',
    displayOptions: { show: { limitOrders: [true] } },
  },
  {
    displayName: 'Allowed Exchanges',
    name: 'allowedExchanges',
    type: 'multiOptions',
    noDataExpression: true,
    options: [
      { name: 'BSE', value: 'BSE' },
      { name: 'MCX', value: 'MCX' },
      { name: 'NSE', value: 'NSE' },
    ],
    default: [],
    description: 'Orders are allowed on these exchanges only. Choose none to allow all.',
    displayOptions: { show: { limitOrders: [true] } },
  },
  {
    displayName: 'Allowed Products',
    name: 'allowedProducts',
    type: 'multiOptions',
    noDataExpression: true,
    options: [
      { name: 'Delivery (CNC)', value: 'CNC' },
      { name: 'Intraday (IDAY)', value: 'IDAY' },
    ],
    default: [],
    description: 'Only these products are allowed. Choose none to allow all.',
    displayOptions: { show: { limitOrders: [true] } },
  },
  {
    displayName: 'Allowed Instruments',
    name: 'allowedInstruments',
    type: 'string',
    noDataExpression: true,
    default: '',
    placeholder: 'e.g. INFY, TCS, NIFTY',
    description:
      'Trading symbols or underlyings, separated by commas. An underlying allows its futures and options too. Leave empty to allow all.',
    displayOptions: { show: { limitOrders: [true] } },
  },
  {
    displayName: 'Market Hours Only',
    name: 'marketHoursOnly',
    type: 'boolean',
    noDataExpression: true,
    default: false,
    description: 'Whether orders are sent only while the exchange trades continuously',
    displayOptions: { show: { limitOrders: [true] } },
  },
];
