/** Fields of the ready-made strategies, and the options that they mean: of baskets, and of what is worked out before one. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { chosenExpiry, type ExpiryChoice } from '../../../client/instruments/expiries';
import { optionByOffset } from '../../../client/instruments/option-by-offset';
import { EXCHANGES, type Exchange, type Instrument } from '../../../client/instruments/instrument';
import type { MarketPrice } from '../../../client/values/market-price';
import { SIDES } from '../../../client/orders/model/order-terms';
import type { InstrumentStore } from '../../../client/instruments/store';
import {
  legsOfStrategy,
  OPTION_STRATEGIES,
  type OptionStrategy,
  type OptionStrategyLeg,
  type OptionStrategyTerms,
} from '../../../client/orders/model/option-strategies';
import { expiryFields, expiryOf, optionTypeField, underlyingField, underlyingOf } from '../../shared/contractFields';
import { exchangeField } from '../../shared/fields';
import type { ItemContext } from '../common/itemContext';
import { findInList, listOf } from '../../shared/lists';

import { underlyingPrice } from '../common/underlyingPrice';
import { quantityField, quantityUnitField } from './orderFields';
import { wordOf } from './orderForm';

const MAX_STRIKES = 100;

/** Shapes whose nearest options are away from the money. */
export const WITH_DISTANCE: readonly OptionStrategy[] = ['condor', 'spread', 'strangle'];
/** Shapes that have options further away than the nearest. */
export const WITH_WIDTH: readonly OptionStrategy[] = ['butterfly', 'condor', 'spread'];

/** The same field, shown for some of the strategies only. */
export function fieldOnly(strategies: readonly string[], field: INodeProperties): INodeProperties {
  return { ...field, displayOptions: { show: { ...field.displayOptions?.show, strategy: [...strategies] } } };
}

export const optionStrategyChoices: INodePropertyOptions[] = [
  { name: 'Butterfly', value: 'butterfly', description: 'A body at the money, and a wing on each side' },
  { name: 'Condor', value: 'condor', description: 'Two options around the money, and a wing beyond each' },
  { name: 'Spread', value: 'spread', description: 'One option, and another one further out of the money' },
  { name: 'Straddle', value: 'straddle', description: 'A call and a put at the money' },
  { name: 'Strangle', value: 'strangle', description: 'A call above and a put below the money' },
];

const strikes = (displayName: string, name: string, minValue: number, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  typeOptions: { minValue, maxValue: MAX_STRIKES },
  default: 1,
  description,
});

/** Underlying, exchange, expiry, and what the strategy is made of. */
export const optionStrategyContractFields: INodeProperties[] = [
  ...[underlyingField, { ...exchangeField, description: 'The exchange of the options' }, ...expiryFields].map((field) =>
    fieldOnly(OPTION_STRATEGIES, field),
  ),
  fieldOnly(['spread'], optionTypeField),
  fieldOnly(['butterfly', 'condor'], {
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
];

/** Strikes, counted from the money. */
export const optionStrategyDistanceFields: INodeProperties[] = [
  fieldOnly(
    WITH_DISTANCE,
    strikes(
      'Strikes Away',
      'distance',
      0,
      'Strikes from the money to the nearest options; 0 = at the money (spread only)',
    ),
  ),
  fieldOnly(
    WITH_WIDTH,
    strikes('Width in Strikes', 'width', 1, 'Strikes from the nearest options to those further away'),
  ),
];

/** Number of each option. */
export const optionStrategyQuantityFields: INodeProperties[] = [
  fieldOnly(OPTION_STRATEGIES, {
    ...quantityField,
    description:
      'Number of units of each option, or of lots if Quantity In is set to Lots. The body of a butterfly of calls or puts has twice as many.',
  }),
  fieldOnly(OPTION_STRATEGIES, { ...quantityUnitField, default: 'lots' }),
];

/** Underlying of the options. */
export interface OptionStrategyContract {
  underlying: string;
  exchange: Exchange;
  expiry: ExpiryChoice;
}

/** @throws InputError that names the field. */
export function readOptionStrategyContract(item: ItemContext): OptionStrategyContract {
  return {
    underlying: underlyingOf(item),
    exchange: item.choice('exchange', EXCHANGES),
    expiry: expiryOf(item),
  };
}

/** Side and kind of options of a strategy. @throws InputError that names the field. */
export function readOptionStrategyName(
  item: ItemContext,
  shape: OptionStrategy,
): Omit<OptionStrategyTerms, 'distance' | 'width'> {
  const madeOf =
    shape === 'spread'
      ? item.choice('optionType', ['CE', 'PE'] as const)
      : WITH_WIDTH.includes(shape)
        ? item.choice('madeOf', ['CE', 'PE', 'both'] as const)
        : 'both';
  return { shape, madeOf, side: wordOf(item, 'side', SIDES) };
}

/** Its strikes, counted from the money. @throws InputError that names the field. */
export function readOptionStrategyDistances(
  item: ItemContext,
  shape: OptionStrategy,
): Pick<OptionStrategyTerms, 'distance' | 'width'> {
  const nearest = shape === 'spread' ? 0 : 1;
  return {
    distance: WITH_DISTANCE.includes(shape) ? item.whole('distance', { min: nearest, max: MAX_STRIKES }) : 0,
    width: WITH_WIDTH.includes(shape) ? item.whole('width', { min: 1, max: MAX_STRIKES }) : 0,
  };
}

/** Data for finding the options of a strategy. */
export interface OptionStrategyMarket {
  store: InstrumentStore;
  /** YYYY-MM-DD. */
  expiry: string;
  /** Price of the underlying: one for all legs, as they must agree on where the money is. */
  spot: MarketPrice;
}

/** @throws InputError if the underlying or the expiry does not exist, or has no price; otherwise as `Transport.call`. */
export async function readOptionStrategyMarket(
  item: ItemContext,
  { underlying, exchange, expiry }: OptionStrategyContract,
): Promise<OptionStrategyMarket> {
  const service = await item.service();
  const { signal } = item.run;
  const choose = (list: InstrumentStore): string =>
    chosenExpiry(list, underlying, expiry, service.transport.marketClock.now());
  const date = await findInList(service, exchange, choose, signal);
  const spot = await underlyingPrice(item, underlying, exchange);
  return { store: await listOf(service, exchange, signal), expiry: date, spot };
}

/** The options of a strategy by strikes from the money. @throws InputError if a strike does not exist. */
export async function optionsByOffset(
  item: ItemContext,
  terms: OptionStrategyTerms,
  { underlying, exchange }: OptionStrategyContract,
  { expiry, spot }: Omit<OptionStrategyMarket, 'store'>,
): Promise<{ leg: OptionStrategyLeg; option: Instrument }[]> {
  const service = await item.service();
  const now = service.transport.marketClock.now();
  const find = (list: InstrumentStore) =>
    legsOfStrategy(terms).map((leg) => {
      const { optionType } = leg;
      const offset = optionType === 'CE' ? leg.strike : -leg.strike;
      const requested = { underlying, expiry: { date: expiry }, optionType, offset, spot };
      return { leg, option: optionByOffset(list, requested, now) };
    });
  return await findInList(service, exchange, find, item.run.signal);
}
