import type { INodeProperties } from 'n8n-workflow';
import { shown } from '../../../../client/orders/order-interface';
import { collection, priceUnitField, simplifyField } from '../../common/fields';
import type { ItemOperation } from '../../common/operation';
import { exitsInField, goodTillDateField, trailingJumpField } from '../order/exitFields';
import { idempotencyKeyField, moneyNotice, priceTypeField, productField, tagField } from '../order/fields';
import { outputOptions } from '../order/output';
import { roundToTickField } from '../order/priceFields';
import { placeBasketForItem, placementContext } from '../order/placement';
import { guardsOf, safetyField } from '../order/safety';
import { basketSideField, strategyFields } from './legs';
import { basketOutput } from './output';
import { basketTerms } from './terms';

const price = (
  displayName: string,
  name: string,
  description: string,
  more: Partial<INodeProperties> = {},
): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  default: 0,
  description,
  ...more,
});

export const place: ItemOperation = {
  name: 'Place',
  action: 'Place a basket',
  description:
    'Place a strategy or several legs of one underlying together, with one stop loss, target and exit time. On Live this trades real money.',
  properties: [
    moneyNotice,
    {
      displayName: 'Name',
      name: 'name',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. Straddle',
      description: 'A name for the basket',
    },
    ...strategyFields,
    basketSideField,
    { ...productField, default: 'IDAY' },
    priceTypeField,
    price(
      'Limit Price',
      'price',
      'Net price of one unit at which to enter at the latest: what you pay is above 0, what you receive is below 0. -300 receives 300 or more, 300 pays 300 or less.',
      {
        required: true,
        displayOptions: { show: { priceType: ['LIMIT'] } },
      },
    ),
    simplifyField,
    collection('Options', 'options', [
      {
        displayName: 'Entry Time',
        name: 'entryTime',
        type: 'string',
        default: '',
        placeholder: 'e.g. 09:20',
        description: 'Enter at this time today (IST), or at a full date and time',
      },
      {
        displayName: 'Exit Time',
        name: 'exitTime',
        type: 'string',
        default: '',
        placeholder: 'e.g. 15:05',
        description:
          'Square off the basket at this time if it is still open. For intraday only. If empty, the service uses 15:05.',
      },
      {
        ...goodTillDateField,
        description: 'The last day (IST) on which the basket stays open; only with intent orders and Delivery (CNC)',
      },
      {
        ...exitsInField,
        options: [
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
      },
      idempotencyKeyField,
      price(
        'Momentum Trigger Price',
        'momentumTriggerPrice',
        'Enter only when the net price reaches this. It must be lower than the target.',
      ),
      {
        displayName: 'Multiplier',
        name: 'multiplier',
        type: 'number',
        typeOptions: { minValue: 1 },
        default: 1,
        description: 'How many times the legs are traded',
      },
      priceUnitField,
      roundToTickField,
      price(
        'Stop Loss',
        'stopLossPrice',
        'Exit the basket when the net price falls to this, or this far away, as set in Exits Given As. As a price it must be lower than the limit price.',
      ),
      tagField,
      {
        ...trailingJumpField,
        description:
          'Each time the net price moves this far in your favour, the stop loss follows it, never back. In percent or points, as set in Exits Given As (points if it is Price). Only with intent orders.',
      },
      price(
        'Target',
        'targetPrice',
        'Exit the basket when the net price rises to this, or this far away, as set in Exits Given As. As a price it must be higher than the limit price.',
      ),
    ]),
    safetyField,
  ],
  async execute(item) {
    const service = await item.service();
    const output = await outputOptions(item);
    const guards = guardsOf(item, service);
    const { terms, asked } = await basketTerms(item, service);
    const placed = await placeBasketForItem(item, { terms, guards, asked }, await placementContext(item.run));
    const { tag } = placed;
    if (placed.outcome === 'rehearsed')
      return [item.output({ dry_run: true, tag, would_send: shown(placed.request), environment: output.environment })];
    return [item.output({ ...basketOutput(placed.record, output), tag, already_placed: placed.alreadyPlaced })];
  },
};
