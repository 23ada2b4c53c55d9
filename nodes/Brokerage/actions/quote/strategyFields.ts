/** The strategy to be built: its fields, and the options that they mean with their prices. */
import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../../client/base/errors';
import type { OptionChain, OptionLeg } from '../../../../client/market/option-chain';
import { optionsByDelta, type OptionDeltas } from '../../../../client/options/by-delta';
import type { Side, TradedInstrument } from '../../../../client/orders/model/order-terms';
import {
  OPTION_STRATEGIES,
  type OptionStrategy,
  type OptionStrategyTerms,
} from '../../../../client/orders/model/option-strategies';
import { marketPriceIn, requirePrice, type MarketPrice, type NoPrice } from '../../../../client/values/market-price';
import { plainDecimal } from '../../../../client/values/input';
import { istDate, nanosToMs } from '../../../../client/values/time';
import type { ItemContext } from '../../common/itemContext';
import { tradedInstrument } from '../../../shared/lookup';
import {
  fieldOnly,
  optionsByOffset,
  optionStrategyContractFields,
  optionStrategyDistanceFields,
  readOptionStrategyDistances,
  optionStrategyChoices,
  optionStrategyQuantityFields,
  WITH_DISTANCE,
  WITH_WIDTH,
  type OptionStrategyContract,
  type OptionStrategyMarket,
} from '../../trading/optionStrategyFields';
import { sideField } from '../../trading/orderFields';
import { unitsOf } from '../../trading/orderForm';

const BY = ['delta', 'offset'] as const;
/** All but the straddle, which has one strike: that at the money. */
const WITH_STRIKES = OPTION_STRATEGIES.filter((shape) => shape !== 'straddle');

const strategyField: INodeProperties = {
  displayName: 'Strategy',
  name: 'strategy',
  type: 'options',
  options: optionStrategyChoices,
  default: 'straddle',
  description: 'Which options are bought and sold together',
};

const strikesByField: INodeProperties = fieldOnly(WITH_STRIKES, {
  displayName: 'Strikes By',
  name: 'strikesBy',
  type: 'options',
  options: [
    {
      name: 'Delta',
      value: 'delta',
      description: 'Such as 0.2: the option whose delta is nearest, without its sign',
    },
    { name: 'Distance From the Money', value: 'offset', description: 'Strikes from ATM, as in "Basket: Place"' },
  ],
  default: 'offset',
  description: 'How the strikes are found',
});

const when = (by: (typeof BY)[number], field: INodeProperties): INodeProperties => ({
  ...field,
  displayOptions: { show: { ...field.displayOptions?.show, strikesBy: [by] } },
});

const deltaField = (displayName: string, name: string, value: number, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 4 },
  default: value,
  description,
});

/** Strategy, side, contracts, strikes and quantity. */
export const strategyFields: INodeProperties[] = [
  strategyField,
  {
    ...sideField,
    description: 'Buy is the side that pays premium as a rule, Sell the side that receives it',
  },
  ...optionStrategyContractFields,
  strikesByField,
  ...optionStrategyDistanceFields.map((field) => when('offset', field)),
  when(
    'delta',
    fieldOnly(
      WITH_DISTANCE,
      deltaField('Delta', 'deltaNear', 0.3, 'Delta of the options nearest to the money, without its sign'),
    ),
  ),
  when(
    'delta',
    fieldOnly(
      WITH_WIDTH,
      deltaField('Delta Further Away', 'deltaFar', 0.15, 'Delta of the options further away, without its sign'),
    ),
  ),
  ...optionStrategyQuantityFields,
];

/** The ways to find the strikes. */
export type StrikeChoice = OptionDeltas | Pick<OptionStrategyTerms, 'distance' | 'width'>;

function deltaOf(item: ItemContext, name: string): number {
  const raw = item.raw(name);
  const delta = plainDecimal(raw) === undefined ? NaN : Number(raw);
  if (delta > 0 && delta < 1) return delta;
  throw new InputError(`${item.label(name)} must be a number between 0 and 1, such as 0.2, without a sign.`, {
    parameter: name,
  });
}

/** @throws InputError that names the field. */
export function strikesOf(item: ItemContext, shape: OptionStrategy): StrikeChoice {
  if (shape === 'straddle' || item.choice('strikesBy', BY) === 'offset')
    return readOptionStrategyDistances(item, shape);
  const inner = WITH_DISTANCE.includes(shape) ? deltaOf(item, 'deltaNear') : undefined;
  const outer = WITH_WIDTH.includes(shape) ? deltaOf(item, 'deltaFar') : undefined;
  if (inner !== undefined && outer !== undefined && outer >= inner)
    throw new InputError(`${item.label('deltaFar')} must be lower than ${item.label('deltaNear')}.`, {
      parameter: 'deltaFar',
      hint: 'The further an option is from the money, the lower is its delta.',
    });
  return { inner, outer };
}

/** An option of the strategy, with its price. */
export interface PricedLeg {
  instrument: TradedInstrument;
  side: Side;
  /** Units. */
  quantity: number;
  /** As the chain has it, in paise. */
  option: OptionLeg;
  /** Last price. */
  price: MarketPrice;
}

/** The day on which anything of a chain was traded last, YYYY-MM-DD; undefined if it tells no times. */
function dayOf(options: readonly OptionLeg[]): string | undefined {
  const days = options.map(({ ts }) => nanosToMs(ts)).flatMap((at) => (at === null ? [] : [istDate(at)]));
  return days.length === 0 ? undefined : days.reduce((last, day) => (day > last ? day : last));
}

/** The last price of an option in paise. @param day of the chain: one of an earlier day is none. */
function lastPriceOf({ last_price: paise, no_price_reason: none, ts }: OptionLeg, day?: string): MarketPrice | NoPrice {
  if (none !== undefined) return { none };
  const at = nanosToMs(ts);
  return marketPriceIn(paise, at === null || day === undefined ? undefined : { at, day });
}

/**
 * The options of a strategy, each with its last price of the day on which the chain traded last. @param chain in paise.
 * @throws InputError if a strike does not exist; NoPriceError where an option has no price, or one of an earlier day.
 */
export async function pricedLegs(
  item: ItemContext,
  kind: Omit<OptionStrategyTerms, 'distance' | 'width'>,
  strikes: StrikeChoice,
  { contract, market, chain }: { contract: OptionStrategyContract; market: OptionStrategyMarket; chain: OptionChain },
): Promise<PricedLeg[]> {
  const chosen =
    'distance' in strikes
      ? (await optionsByOffset(item, { ...kind, ...strikes }, contract, market)).map(({ leg, option }) => ({
          leg,
          refId: option.refId,
        }))
      : optionsByDelta(chain, kind, strikes).map(({ leg, option }) => ({ leg, refId: option.ref_id }));
  const listed = new Map(
    chain.strikes.flatMap(({ ce, pe }) => [ce, pe]).flatMap((option) => (option ? [[option.ref_id, option]] : [])),
  );
  const day = dayOf([...listed.values()]);
  return chosen.map(({ leg: { side, ratio }, refId }) => {
    const row = market.store.rowOfRefId(refId);
    const option = listed.get(refId);
    const instrument = row < 0 ? undefined : market.store.instrument(row);
    const isSame = instrument?.strikePrice === option?.strike_price && instrument?.optionType === option?.option_type;
    if (instrument === undefined || option === undefined || !isSame)
      throw new InputError(`The option chain and the instrument list do not agree about the option ${refId}.`, {
        parameter: 'underlying',
        hint: 'Try again in a minute, or choose another expiry.',
      });
    const price = requirePrice(lastPriceOf(option, day), {
      symbol: instrument.symbol,
      purpose: 'for the premium of the strategy',
      parameter: 'underlying',
      hint: 'Choose strikes nearer to the money or another expiry, or try again when it has traded.',
    });
    return {
      instrument: tradedInstrument(instrument, 'underlying'),
      side,
      quantity: ratio * unitsOf(item, 'quantity', instrument.lotSize),
      option,
      price,
    };
  });
}
