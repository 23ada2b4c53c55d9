/** The fields of the trigger: what it watches, and then those of each kind of watching. */
import type { INodeProperties } from 'n8n-workflow';
import { withHiddenField } from '../shared/collectionFields';
import { marketDataCollections, marketDataFields } from './watches/marketData.fields';
import { marketTimeFields } from './watches/marketTime.fields';
import { optionChainCollections, optionChainFields } from './watches/optionChain.fields';
import { orderEventsCollections, orderEventsFields } from './watches/orderEvents.fields';
import { orderExitsCollections, orderExitsFields } from './watches/orderExits.fields';
import { portfolioAlertCollections, portfolioAlertFields } from './watches/portfolioAlert.fields';
import { portfolioUpdatesCollections, portfolioUpdatesFields } from './watches/portfolioUpdates.fields';
import { priceAlertCollections, priceAlertFields } from './watches/priceAlert.fields';

const watchField: INodeProperties = {
  displayName: 'Trigger On',
  name: 'watch',
  type: 'options',
  noDataExpression: true,
  default: 'orders',
  description: 'What starts the workflow',
  options: [
    {
      name: 'At Market Time',
      value: 'marketTime',
      // Without it n8n's panel of nodes says "On at market time".
      action: 'At a market time',
      description: 'On trading days, or some of them, at a time of the exchange; in a sandbox, that of its clock',
    },
    {
      name: 'Market Data',
      value: 'market',
      description: 'Prices, closed candles, market depth, Greeks or a whole option chain, as often as you want',
    },
    {
      name: 'Option Chain',
      value: 'optionChain',
      description: 'Put-call ratio, max pain, straddle price, IV, skew or another figure of a whole option chain',
    },
    {
      name: 'Order Events',
      value: 'orders',
      description: 'An order is filled, rejected, cancelled, modified and so on',
    },
    {
      name: 'Order Exits',
      value: 'orderExits',
      description:
        'Keeps stop loss, target, trailing stop and exit time of what you hold, or of orders, and starts the workflow with each step. It places and cancels orders.',
    },
    {
      name: 'Portfolio Alert',
      value: 'portfolioAlert',
      description: "The day's profit or loss, that of a position, or the margin used reaches an amount",
    },
    { name: 'Portfolio Updates', value: 'portfolio', description: 'Positions or holdings change' },
    {
      name: 'Price Alert',
      value: 'price',
      description:
        'The price of an instrument crosses a level, enters or leaves a band, moves by a percentage, or falls or rises from its highest or lowest',
    },
  ],
};

export const properties: INodeProperties[] = [
  watchField,
  ...orderEventsFields,
  ...portfolioUpdatesFields,
  ...priceAlertFields,
  ...marketDataFields,
  ...marketTimeFields,
  ...optionChainFields,
  ...orderExitsFields,
  ...portfolioAlertFields,
  ...[
    ...orderEventsCollections,
    ...portfolioUpdatesCollections,
    ...priceAlertCollections,
    ...marketDataCollections,
    ...optionChainCollections,
    ...orderExitsCollections,
    ...portfolioAlertCollections,
  ].flatMap(withHiddenField),
];
