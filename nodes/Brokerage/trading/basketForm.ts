/** From the fields of an item to a basket that keeps the rules. */
import { InputError } from '../../../client/base/errors';
import { netUnits, unitOf, type BasketLeg, type BasketTerms } from '../../../client/orders/model/basket-terms';
import { exitTerms } from '../../../client/orders/model/exits';
import { netPriceIn, netPriceOf, type MarketPrice, type NetPrice } from '../../../client/values/market-price';
import { showMoney } from '../../../client/values/money';
import { getLastPrice } from '../../../client/market/quotes';
import { PRICE_TYPES, SIDES } from '../../../client/orders/model/order-terms';
import { roundToTick, roundTo, type RoundingDirection } from '../../../client/orders/model/tick';
import { priceUnitOf } from '../../shared/fields';
import type { ItemContext } from '../common/itemContext';
import { timeOf } from '../common/times';
import type { ParameterReader } from '../../shared/parameters';
import { readExitInput, goodTillOf, type ExitNames, type PriceReading } from './exitForm';
import { enteredPrice, roundingOf } from './priceForm';
import { productOf, wordOf } from './orderForm';
import { hasSidesInLegs, legsOf, optionStrategyOf } from './basketLegs';
import type { Service } from '../../shared/service';

/** The user's request if the terms depend on prices that change before a retry. */
interface RequestedBasket {
  terms: BasketTerms;
  /** The part that counts for an Idempotency Key. */
  asked: object;
}

/** Names of the exit fields of baskets. */
export const EXIT_NAMES: ExitNames = { stop: 'stopLossPrice', target: 'targetPrice' };
/** Form in which the exits of baskets are read. */
export const BASKET_EXIT_FORM = { names: EXIT_NAMES, otherwise: 'price', allowNegative: true } as const;

type Exits = Pick<BasketTerms, 'stopLossPrice' | 'targetPrice' | 'trailJump'>;

const NEED = {
  purpose: 'to measure exits from',
  parameter: 'exitsIn',
  hint: 'Give the exits as prices, or wait until it trades.',
};

/**
 * The net price at which a basket is expected to enter: its limit, or what its legs cost now; undefined if that is 0.
 * @throws NoPriceError if a leg has no last price.
 */
async function entryOf(
  { price, legs }: { price?: number; legs: readonly BasketLeg[] },
  { transport }: Service,
  signal?: AbortSignal,
): Promise<NetPrice | undefined> {
  if (price !== undefined) return netPriceIn(price);
  const priced: { units: number; price: MarketPrice }[] = [];
  for (const { instrument, units } of netUnits(legs))
    priced.push({ units, price: await getLastPrice(transport, instrument, NEED, signal) });
  return netPriceOf(priced);
}

/** The tick of a net price: the smallest of its legs. */
export const tickOf = (legs: readonly Pick<BasketLeg, 'instrument'>[]): number =>
  Math.min(...legs.map(({ instrument }) => instrument.tickSize));

/** A net price on the tick. @param upwards the safe side. @throws InputError if one off the tick is refused */
export function netPrice(
  fields: ParameterReader,
  parameter: string,
  exact: number,
  upwards: RoundingDirection,
  prices: PriceReading & { tickSize: number },
): number {
  return roundToTick(exact, { ...prices, upwards, isGiven: true, parameter, label: fields.label(parameter) });
}

/**
 * Refuses an exit that is given as a net price to which closing the legs never comes: a profit in rupees that was taken for a price.
 * @param exact net price of the exit, paise
 * @param units of each leg, below 0 for what is sold
 */
export function requireReachableExit(
  fields: ParameterReader,
  parameter: string,
  exact: number,
  { units, unit }: { units: readonly number[]; unit: PriceReading['unit'] },
): void {
  const areSold = units.every((count) => count < 0);
  const areBought = units.every((count) => count > 0);
  if (!(areSold && exact > 0) && !(areBought && exact < 0)) return;
  const bound = `never ${areSold ? 'above' : 'below'} ${showMoney(unit, 0)}: all legs are ${areSold ? 'sold' : 'bought'}`;
  throw new InputError(
    `${fields.label(parameter)} is ${showMoney(unit, exact)}, and the net price is ${bound}. Nothing was sent.`,
    {
      parameter,
      hint: 'For rupees of profit or loss, set Exits Given As to Net Profit. As a price give what closing one unit brings; what it costs is below 0.',
    },
  );
}

/** The exits on the whole, as net prices on the tick. @throws InputError for what cannot be measured from the entry. */
async function exitsOf(
  item: ItemContext,
  basket: { price?: number; legs: readonly BasketLeg[]; multiplier: number },
  prices: PriceReading,
  service: Service,
): Promise<{ exits: Exits; requested: object }> {
  const options = item.group('options');
  const units = unitOf(basket.legs) * basket.multiplier;
  const request = readExitInput(options, prices, { ...BASKET_EXIT_FORM, units });
  const { stop, target, jump } = request ?? {};
  const tickSize = tickOf(basket.legs);
  const isPlaced = (item: object | undefined): item is { price: number } | undefined =>
    item === undefined || 'price' in item;
  if (isPlaced(stop) && isPlaced(target) && (jump === undefined || 'points' in jump)) {
    const requested = { stopLossPrice: stop?.price, targetPrice: target?.price, trailJump: jump?.points };
    const placed = (name: string, exact: number | undefined, upwards: RoundingDirection): number | undefined => {
      if (exact === undefined) return undefined;
      requireReachableExit(options, name, exact, {
        units: netUnits(basket.legs).map(({ units }) => units),
        unit: prices.unit,
      });
      return netPrice(options, name, exact, upwards, { ...prices, tickSize });
    };
    const [stopLossPrice, targetPrice] = [
      placed(EXIT_NAMES.stop, stop?.price, 1),
      placed(EXIT_NAMES.target, target?.price, -1),
    ];
    const trailJump = jump === undefined ? undefined : Math.max(1, roundTo(1, jump.points, -1));
    return { exits: { stopLossPrice, targetPrice, trailJump }, requested };
  }
  const entry = await entryOf(basket, service, item.run.signal);
  if (entry === undefined)
    throw new InputError('The net premium is 0, so exits cannot be a share of it. Nothing was sent.', {
      parameter: 'exitsIn',
      hint: 'Give the exits as prices.',
    });
  const made = exitTerms({ stop, target, jump }, { entry, direction: 1, tickSize });
  const exits = {
    stopLossPrice: made.stop?.trigger,
    targetPrice: made.target?.trigger,
    trailJump: made.stop?.jump,
  };
  return { exits, requested: { stop, target, jump } };
}

/** The legs as they were asked for: of a strategy its fields, as its strikes are others when the money has moved. */
function readLegInput(item: ItemContext): object | undefined {
  const shape = optionStrategyOf(item);
  if (shape === undefined) return undefined;
  const names = ['underlying', 'exchange', 'expiry', 'expiryDate', 'optionType', 'madeOf', 'distance', 'width'];
  const fields = [...names, 'quantity', 'quantityUnit', 'side'].map((name) => [name, item.raw(name) ?? null] as const);
  return { shape, ...Object.fromEntries(fields) };
}

/** @throws InputError that names the field, before anything is sent. */
export async function basketTerms(item: ItemContext, service: Service): Promise<RequestedBasket> {
  const prices: PriceReading = { unit: priceUnitOf(item), rounding: roundingOf(item) };
  const { unit, rounding } = prices;
  const options = item.group('options');
  const priceType = wordOf(item, 'priceType', PRICE_TYPES);
  const isByOffset = optionStrategyOf(item) !== undefined;
  const fixed = {
    name: item.text('name', { longest: 100 }),
    // The legs of a strategy, ready-made or built before, carry the direction.
    side: hasSidesInLegs(item) ? ('BUY' as const) : wordOf(item, 'side', SIDES),
    product: productOf(item),
    priceType,
    multiplier: options.optionalWhole('multiplier', { min: 1 }) ?? 1,
    entryTime: timeOf(options, 'entryTime'),
    exitTime: timeOf(options, 'exitTime'),
    goodTill: goodTillOf(options),
  };
  const net = (from: ParameterReader, name: string): number =>
    enteredPrice(from, name, unit, rounding, { allowNegative: true });
  const price = priceType === 'LIMIT' ? net(item, 'price') : undefined;
  const momentum = options.has('momentumTriggerPrice') ? net(options, 'momentumTriggerPrice') : undefined;
  if (price === 0)
    throw new InputError('Limit Price is 0.', {
      parameter: 'price',
      hint: 'Enter the net price of the basket, below 0 for a credit; or choose the price type Market.',
    });
  const legs = await legsOf(item, service);
  const tickSize = tickOf(legs);
  const placed = {
    price:
      price === undefined
        ? undefined
        : netPrice(item, 'price', price, fixed.side === 'SELL' ? 1 : -1, { ...prices, tickSize }),
    momentumTriggerPrice:
      momentum === undefined
        ? undefined
        : netPrice(options, 'momentumTriggerPrice', momentum, 1, { ...prices, tickSize }),
  };
  if (placed.price === 0)
    throw new InputError('Limit Price comes to 0 on the tick. Nothing was sent.', {
      parameter: 'price',
      hint: 'Enter a net price that is at least one tick away from 0.',
    });
  const { exits, requested: request } = await exitsOf(
    item,
    { price: placed.price, legs, multiplier: fixed.multiplier },
    prices,
    service,
  );
  const terms: BasketTerms = { ...fixed, ...placed, ...exits, legs, ...(isByOffset ? { isByOffset } : {}) };
  return { terms, asked: { ...fixed, ...placed, ...request, legs: readLegInput(item) ?? legs } };
}
