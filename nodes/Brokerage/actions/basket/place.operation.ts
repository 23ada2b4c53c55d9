import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../../client/base/errors';
import { checkBasket, type BasketLeg, type BasketTerms } from '../../../../client/orders/basket';
import { shown } from '../../../../client/orders/order-interface';
import { PRICE_TYPES, SIDES } from '../../../../client/orders/order';
import { collection, priceUnitField, priceUnitOf, simplifyField } from '../../common/fields';
import { instrumentField } from '../../common/instrumentField';
import type { ItemContext } from '../../common/itemContext';
import { findInstrument, tradedInstrument } from '../../common/lookup';
import type { ItemOperation } from '../../common/operation';
import { goodTillDateField, trailingJumpField } from '../order/exitFields';
import { goodTillOf } from '../order/exitTerms';
import {
  idempotencyKeyField,
  moneyNotice,
  priceTypeField,
  productField,
  quantityField,
  quantityUnitField,
  sideField,
  tagField,
} from '../order/fields';
import { outputOptions } from '../order/output';
import { placeBasketForItem, placementContext } from '../order/placement';
import { guardsOf, safetyField } from '../order/safety';
import { productOf, unitsOf } from '../order/terms';
import type { Service } from '../../common/runContext';
import { timeOf } from '../../common/times';
import { basketOutput } from './output';

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

const legsField: INodeProperties = {
  displayName: 'Legs',
  name: 'legs',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add leg',
  default: {},
  description: 'The options or futures to buy and sell together. All legs must have the same underlying and exchange.',
  options: [
    {
      displayName: 'Leg',
      name: 'leg',
      values: [instrumentField, { ...quantityField }, { ...quantityUnitField }, { ...sideField }],
    },
  ],
};

/** The legs, each with its instrument. @throws InputError that says which leg. */
async function legsOf(item: ItemContext, service: Service): Promise<BasketLeg[]> {
  const legs: BasketLeg[] = [];
  for (const row of item.rows('legs', 'leg')) {
    const instrument = await findInstrument(
      service,
      row.raw('instrument'),
      'legs',
      `Instrument of leg ${legs.length + 1}`,
      item.run.signal,
    );
    legs.push({
      instrument: tradedInstrument(instrument, 'legs'),
      side: row.choice('side', SIDES),
      quantity: unitsOf(row, 'quantity', instrument.lotSize),
    });
  }
  return legs;
}

async function termsOf(item: ItemContext, service: Service): Promise<BasketTerms> {
  const unit = priceUnitOf(item);
  const options = item.group('options');
  const priceType = item.choice('priceType', PRICE_TYPES);
  const negative = { allowNegative: true };
  const terms: BasketTerms = {
    name: item.text('name', { longest: 100 }),
    side: item.choice('side', SIDES),
    product: productOf(item),
    priceType,
    price: priceType === 'LIMIT' ? item.price('price', unit, negative) : undefined,
    multiplier: options.optionalWhole('multiplier', { min: 1 }) ?? 1,
    targetPrice: options.optionalPrice('targetPrice', unit, negative),
    stopLossPrice: options.optionalPrice('stopLossPrice', unit, negative),
    momentumTriggerPrice: options.optionalPrice('momentumTriggerPrice', unit, negative),
    entryTime: timeOf(options, 'entryTime'),
    exitTime: timeOf(options, 'exitTime'),
    goodTill: goodTillOf(options),
    trailJump: options.optionalPrice('trailingJump', unit),
    legs: await legsOf(item, service),
  };
  if (terms.price === 0)
    throw new InputError('Limit Price is 0.', {
      parameter: 'price',
      hint: 'Enter the net price of the basket, below 0 for a credit; or choose the price type Market.',
    });
  checkBasket(terms, unit);
  return terms;
}

export const place: ItemOperation = {
  name: 'Place',
  action: 'Place a basket',
  description:
    'Place several legs of one underlying together, with one stop loss, target and exit time. A basket cannot be modified later. On Live this trades real money.',
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
    legsField,
    {
      ...sideField,
      displayName: 'Basket Side',
      description:
        'Side of the basket as a whole: Sell for one that brings in premium, for example. Each leg also has its own side.',
    },
    { ...productField, default: 'IDAY' },
    priceTypeField,
    price(
      'Limit Price',
      'price',
      'Highest net price at which to enter: bought legs count as positive, sold legs as negative',
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
      price(
        'Stop-Loss Price',
        'stopLossPrice',
        'Exit the basket when the net price falls to this. It must be lower than the limit price.',
      ),
      tagField,
      {
        ...trailingJumpField,
        description:
          'Move the stop loss along with each move of the net price by so much in your favour, never back; only with intent orders',
      },
      price(
        'Target Price',
        'targetPrice',
        'Exit the basket when the net price rises to this. It must be higher than the limit price.',
      ),
    ]),
    safetyField,
  ],
  async execute(item) {
    const service = await item.service();
    const output = await outputOptions(item);
    const guards = guardsOf(item, service);
    if (item.rows('legs', 'leg').length === 0)
      throw new InputError('A basket needs at least one leg.', {
        parameter: 'legs',
        hint: 'Add a leg for each instrument.',
      });
    const terms = await termsOf(item, service);
    const placed = await placeBasketForItem(item, { terms, guards }, await placementContext(item.run));
    const { tag } = placed;
    if (placed.outcome === 'rehearsed')
      return [item.output({ dry_run: true, tag, would_send: shown(placed.request), environment: output.environment })];
    return [item.output({ ...basketOutput(placed.record, output), tag, already_placed: placed.alreadyPlaced })];
  },
};
