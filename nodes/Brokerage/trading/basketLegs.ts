/** The legs of a basket: a strategy that is ready to choose, one that was built before, or the person's own. */
import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import type { BasketLeg } from '../../../client/orders/model/basket-terms';
import { SIDES } from '../../../client/orders/model/order-terms';
import { OPTION_STRATEGIES, type OptionStrategy } from '../../../client/orders/model/option-strategies';
import { sortByName } from '../../shared/fields';
import { instrumentField } from '../../shared/instrumentField';
import type { ItemContext } from '../common/itemContext';
import { segmentBeside } from '../common/itemInstrument';
import { findInstrument, tradedInstrument } from '../../shared/lookup';
import { quantityField, quantityUnitField, sideField } from './orderFields';
import { unitsOf, wordOf } from './orderForm';
import { withSessionLot } from './sessionLot';
import {
  fieldOnly,
  optionsByOffset,
  optionStrategyContractFields,
  readOptionStrategyContract,
  optionStrategyDistanceFields,
  readOptionStrategyDistances,
  readOptionStrategyName,
  readOptionStrategyMarket,
  optionStrategyChoices,
  optionStrategyQuantityFields,
} from './optionStrategyFields';
import type { Service } from '../../shared/service';

const BUILT = 'built';
const OWN_LEGS = 'legs';
const STRATEGIES = [BUILT, OWN_LEGS, ...OPTION_STRATEGIES] as const;

const strategyField: INodeProperties = {
  displayName: 'Strategy',
  name: 'strategy',
  type: 'options',
  options: sortByName([
    ...optionStrategyChoices,
    {
      name: 'Built Before',
      value: BUILT,
      description: 'The legs that "Quote: Build Option Strategy" found, as you saw them priced',
    },
    { name: 'Own Legs', value: OWN_LEGS, description: 'The options or futures that you choose' },
  ]),
  default: OWN_LEGS,
  description: 'Which legs the basket has. A ready-made strategy finds its options by strikes from the money.',
};

/** Legs that were built before carry their sides: turned round again by this field they would be the opposite. */
export const basketSideField: INodeProperties = fieldOnly([OWN_LEGS, ...OPTION_STRATEGIES], {
  ...sideField,
  displayName: 'Basket Side',
  description:
    'For a ready-made strategy: Buy is the side that pays premium, Sell the side that receives it. For your own legs leave it at Buy: each leg trades on its own side.',
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

const builtLegsField: INodeProperties = {
  displayName: 'Legs Built Before',
  name: 'builtLegs',
  type: 'string',
  default: '={{ $json.legs }}',
  required: true,
  description:
    'The field "legs" of an item from "Quote: Build Option Strategy", also as text of JSON. Each leg trades on its own side.',
};

/** Strategy, and its inputs; the side is a separate field. */
export const strategyFields: INodeProperties[] = [
  strategyField,
  fieldOnly([OWN_LEGS], legsField),
  fieldOnly([BUILT], builtLegsField),
  ...optionStrategyContractFields,
  ...optionStrategyDistanceFields,
  ...optionStrategyQuantityFields,
];

const strategyOf = (item: ItemContext) => item.optionalChoice('strategy', STRATEGIES) ?? OWN_LEGS;

/** The ready-made strategy that is chosen; undefined for the person's own legs, and for those built before. */
export function optionStrategyOf(item: ItemContext): OptionStrategy | undefined {
  const chosen = strategyOf(item);
  return chosen === OWN_LEGS || chosen === BUILT ? undefined : chosen;
}

/** True if the legs alone define the sides. */
export const hasSidesInLegs = (item: ItemContext): boolean => strategyOf(item) !== OWN_LEGS;

/** The legs of an item, for one unit of its basket. @throws InputError that says which leg or field. */
export async function legsOf(item: ItemContext, service: Service): Promise<BasketLeg[]> {
  const strategy = optionStrategyOf(item);
  return strategy === undefined ? await listedLegs(item, service) : await optionStrategyLegs(item, strategy, service);
}

async function listedLegs(item: ItemContext, service: Service): Promise<BasketLeg[]> {
  const parameter = strategyOf(item) === BUILT ? 'builtLegs' : 'legs';
  const legs: BasketLeg[] = [];
  for (const row of item.rows(parameter, parameter === 'legs' ? 'leg' : 'legs')) {
    const label = `Instrument of leg ${legs.length + 1}`;
    const legInstrument = await findInstrument(service, row.raw('instrument'), parameter, label, item.run.signal, {
      segmentOf: (symbol) => segmentBeside(symbol, item, parameter),
    });
    const instrument = await withSessionLot(legInstrument, item, service);
    legs.push({
      instrument: tradedInstrument(instrument, parameter),
      side: wordOf(row, 'side', SIDES),
      quantity: unitsOf(row, 'quantity', instrument.lotSize),
    });
  }
  if (legs.length === 0)
    throw new InputError('A basket needs at least one leg.', {
      parameter,
      hint:
        parameter === 'legs'
          ? 'Add a leg for each instrument, or choose a strategy.'
          : 'Put "Quote: Build Option Strategy" before this node, or choose another strategy.',
    });
  return legs;
}

async function optionStrategyLegs(item: ItemContext, strategy: OptionStrategy, service: Service): Promise<BasketLeg[]> {
  const contract = readOptionStrategyContract(item);
  const terms = { ...readOptionStrategyName(item, strategy), ...readOptionStrategyDistances(item, strategy) };
  item.whole('quantity', { min: 1 });
  const market = await readOptionStrategyMarket(item, contract);
  const options = await optionsByOffset(item, terms, contract, market);
  const legs: BasketLeg[] = [];
  for (const { leg, option } of options) {
    const instrument = await withSessionLot(option, item, service);
    legs.push({
      instrument: tradedInstrument(instrument, 'underlying'),
      side: leg.side,
      quantity: leg.ratio * unitsOf(item, 'quantity', instrument.lotSize),
    });
  }
  return legs;
}
