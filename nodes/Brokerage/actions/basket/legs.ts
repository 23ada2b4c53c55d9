/** The legs of a basket: a strategy that is ready to choose, or the person's own. */
import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../../client/base/errors';
import { instrumentsOf } from '../../../../client/instruments/catalogue';
import { chosenExpiry, optionByOffset } from '../../../../client/instruments/expiries';
import { EXCHANGES } from '../../../../client/instruments/instrument';
import type { BasketLeg } from '../../../../client/orders/basket';
import { SIDES } from '../../../../client/orders/order';
import { legsOfShape, SHAPES, type Shape } from '../../../../client/orders/shapes';
import { expiryFields, expiryOf, optionTypeField, underlyingField, underlyingOf } from '../../common/contractFields';
import { exchangeField } from '../../common/fields';
import { instrumentField } from '../../common/instrumentField';
import type { ItemContext } from '../../common/itemContext';
import { findInstrument, today, tradedInstrument } from '../../common/lookup';
import type { Service } from '../../common/runContext';
import { underlyingPrice } from '../../common/underlyingPrice';
import { quantityField, quantityUnitField, sideField } from '../order/fields';
import { unitsOf, wordOf } from '../order/terms';

const MOST_STRIKES = 100;
const OWN_LEGS = 'legs';
const STRATEGIES = [OWN_LEGS, ...SHAPES] as const;

/** The same field, shown for some of the strategies only. */
function only(strategies: readonly (typeof STRATEGIES)[number][], field: INodeProperties): INodeProperties {
  return { ...field, displayOptions: { show: { ...field.displayOptions?.show, strategy: [...strategies] } } };
}

const strikes = (displayName: string, name: string, minValue: number, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  typeOptions: { minValue, maxValue: MOST_STRIKES },
  default: 1,
  description,
});

const strategyField: INodeProperties = {
  displayName: 'Strategy',
  name: 'strategy',
  type: 'options',
  options: [
    { name: 'Butterfly', value: 'butterfly', description: 'A body at the money, and a wing on each side' },
    { name: 'Condor', value: 'condor', description: 'Two options around the money, and a wing beyond each' },
    { name: 'Own Legs', value: OWN_LEGS, description: 'The options or futures that you choose' },
    { name: 'Spread', value: 'spread', description: 'One option, and another one further out of the money' },
    { name: 'Straddle', value: 'straddle', description: 'A call and a put at the money' },
    { name: 'Strangle', value: 'strangle', description: 'A call above and a put below the money' },
  ],
  default: OWN_LEGS,
  description: 'Which legs the basket has. A ready-made strategy finds its options by strikes from the money.',
};

export const basketSideField: INodeProperties = {
  ...sideField,
  displayName: 'Basket Side',
  description:
    'For a ready-made strategy: Buy is the side that pays premium, Sell the side that receives it. For your own legs leave it at Buy: each leg trades on its own side.',
};

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

/** Strategy, and what it needs; the side is a field of its own. */
export const strategyFields: INodeProperties[] = [
  strategyField,
  only([OWN_LEGS], legsField),
  ...[underlyingField, { ...exchangeField, description: 'The exchange of the options' }, ...expiryFields].map((field) =>
    only(SHAPES, field),
  ),
  only(['spread'], optionTypeField),
  only(['butterfly', 'condor'], {
    displayName: 'Made Of',
    name: 'madeOf',
    type: 'options',
    options: [
      { name: 'Calls', value: 'CE', description: 'Buy: buys the wings, sells the body' },
      { name: 'Calls and Puts (Iron)', value: 'both', description: 'Sell: sells the body, buys the wings' },
      { name: 'Puts', value: 'PE', description: 'Buy: buys the wings, sells the body' },
    ],
    default: 'both',
    description: 'Which options it is made of',
  }),
  only(
    ['condor', 'spread', 'strangle'],
    strikes(
      'Strikes Away',
      'distance',
      0,
      'Strikes from the money to the nearest options; 0 = at the money (spread only)',
    ),
  ),
  only(
    ['butterfly', 'condor', 'spread'],
    strikes('Width in Strikes', 'width', 1, 'Strikes from the nearest options to those further away'),
  ),
  only(SHAPES, {
    ...quantityField,
    description:
      'Number of units of each option, or of lots if Quantity In is set to Lots. The body of a butterfly of calls or puts has twice as many.',
  }),
  only(SHAPES, { ...quantityUnitField, default: 'lots' }),
];

/** The strategy that is chosen; undefined for the person's own legs. */
export function shapeOf(item: ItemContext): Shape | undefined {
  const chosen = item.optionalChoice('strategy', STRATEGIES) ?? OWN_LEGS;
  return chosen === OWN_LEGS ? undefined : chosen;
}

/** The legs of an item, for one unit of its basket. @throws InputError that says which leg or field. */
export async function legsOf(item: ItemContext, service: Service): Promise<BasketLeg[]> {
  const shape = shapeOf(item);
  return shape === undefined ? await ownLegs(item, service) : await shapeLegs(item, shape, service);
}

async function ownLegs(item: ItemContext, service: Service): Promise<BasketLeg[]> {
  const legs: BasketLeg[] = [];
  for (const row of item.rows('legs', 'leg')) {
    const label = `Instrument of leg ${legs.length + 1}`;
    const instrument = await findInstrument(service, row.raw('instrument'), 'legs', label, item.run.signal);
    legs.push({
      instrument: tradedInstrument(instrument, 'legs'),
      side: wordOf(row, 'side', SIDES),
      quantity: unitsOf(row, 'quantity', instrument.lotSize),
    });
  }
  if (legs.length === 0)
    throw new InputError('A basket needs at least one leg.', {
      parameter: 'legs',
      hint: 'Add a leg for each instrument, or choose a strategy.',
    });
  return legs;
}

async function shapeLegs(item: ItemContext, shape: Shape, { transport }: Service): Promise<BasketLeg[]> {
  const underlying = underlyingOf(item);
  const exchange = item.choice('exchange', EXCHANGES);
  const expiry = expiryOf(item);
  const hasDistance = shape === 'condor' || shape === 'spread' || shape === 'strangle';
  const hasWidth = shape !== 'straddle' && shape !== 'strangle';
  const madeOf =
    shape === 'spread'
      ? item.choice('optionType', ['CE', 'PE'] as const)
      : hasWidth
        ? item.choice('madeOf', ['CE', 'PE', 'both'] as const)
        : 'both';
  const nearest = shape === 'spread' ? 0 : 1;
  const wanted = legsOfShape({
    shape,
    madeOf,
    side: wordOf(item, 'side', SIDES),
    distance: hasDistance ? item.whole('distance', { min: nearest, max: MOST_STRIKES }) : 0,
    width: hasWidth ? item.whole('width', { min: 1, max: MOST_STRIKES }) : 0,
  });
  item.whole('quantity', { min: 1 });
  const store = await instrumentsOf(transport, exchange, item.run.signal);
  chosenExpiry(store, underlying, expiry, today());
  // One price for all legs: they must agree on where the money is.
  const spot = await underlyingPrice(item, underlying, exchange);
  return wanted.map(({ optionType, strike, side, ratio }) => {
    const offset = optionType === 'CE' ? strike : -strike;
    const option = optionByOffset(store, { underlying, expiry, optionType, offset, spot }, today());
    return {
      instrument: tradedInstrument(option, 'underlying'),
      side,
      quantity: ratio * unitsOf(item, 'quantity', option.lotSize),
    };
  });
}
