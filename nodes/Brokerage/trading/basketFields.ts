/** Fields that several operations on baskets have. */
import type { INodeProperties } from 'n8n-workflow';
import { exchangeField } from '../../shared/fields';
import { exitsInField, goodTillDateField, exitTimeField as orderExitTimeField, trailingJumpField } from './exitFields';

export const basketIdField: INodeProperties = {
  displayName: 'Basket ID',
  name: 'basketId',
  type: 'string',
  default: '',
  required: true,
  placeholder: 'e.g. 1763712345678901234',
  description: 'The basket_id from "Place" or "Get Many", as text: a number would lose its last digits',
};

export const legsExchangeField: INodeProperties = { ...exchangeField, description: 'The exchange of its legs' };

const price = (displayName: string, name: string, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  default: 0,
  description,
});

export const limitPriceField: INodeProperties = {
  ...price(
    'Limit Price',
    'price',
    'Net price of one unit at which to enter at the latest, in the unit of Prices In: what you pay is above 0, what you receive is below 0. -300 receives 300 or more, 300 pays 300 or less.',
  ),
  required: true,
  displayOptions: { show: { priceType: ['LIMIT'] } },
};

export const momentumField = price(
  'Momentum Trigger Price',
  'momentumTriggerPrice',
  'Enter only when the net price reaches this, in the unit of Prices In. It must be lower than the target.',
);

/** Without it a bare 2000 is taken for rupees of loss, and a bare 30 for percent, as in an order. */
const EXIT_HINT =
  'A net price of one unit, unless Exits Given As says otherwise: for rupees of the whole basket or percent, add it';

export const stopLossField: INodeProperties = {
  ...price(
    'Stop Loss',
    'stopLossPrice',
    'Exit the basket when the net price falls to this, or this far away, as set in Exits Given As. As a price it must be lower than the limit price. With intent orders it becomes a limit order then, 1% beyond: in a jump of the market it may not fill.',
  ),
  hint: EXIT_HINT,
};

export const targetField: INodeProperties = {
  ...price(
    'Target',
    'targetPrice',
    'Exit the basket when the net price rises to this, or this far away, as set in Exits Given As. As a price it must be higher than the limit price.',
  ),
  hint: EXIT_HINT,
};

export const exitTimeField: INodeProperties = {
  ...orderExitTimeField,
  description:
    'Square off the basket at this time if it is still open. For intraday only. If empty, the service uses 15:05 on the older interface; with intent orders the exits alone close it, or the broker at the end of the day.',
};

export const basketGoodTillField: INodeProperties = {
  ...goodTillDateField,
  description: 'The last day (IST) on which the basket stays open; only with intent orders and Delivery (CNC)',
};

export const basketExitsInField: INodeProperties = {
  ...exitsInField,
  options: [
    {
      name: 'Net Profit',
      value: 'profit',
      description: 'What the whole basket has lost or earned, before charges, in the unit of Prices In: such as 3000',
    },
    {
      name: 'Percent of the Net Premium',
      value: 'percent',
      description: 'Such as 30, whether you pay or receive it',
    },
    { name: 'Points From the Entry', value: 'points', description: 'The distance in the unit of Prices In' },
    { name: 'Price', value: 'price', description: 'The net price itself, in the unit of Prices In' },
  ],
  default: 'price',
  description:
    'How to read the numbers in Stop Loss, Target and Trailing Jump. The entry is the limit price or, at the market, the last prices of the legs.',
};

export const basketTrailingField: INodeProperties = {
  ...trailingJumpField,
  hint: 'In points, unless Exits Given As says otherwise',
  description:
    'Each time the net price moves this far in your favour, the stop loss follows it, never back. In percent, points or profit, as set in Exits Given As (points if it is Price). Only with intent orders.',
};
