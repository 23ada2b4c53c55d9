/** Terms of baskets, and their rules: several legs of one underlying as one unit (docs/service/baskets.md#basket-rules). */
import { InputError } from '../../base/errors';
import { requireOnTick, type MoneyUnit } from '../../values/money';
import type { OrderChange, PriceType, Product, Side, TradedInstrument } from './order-terms';

/** One leg; for one unit of the basket. */
export interface BasketLeg {
  instrument: TradedInstrument;
  side: Side;
  /** Units, not lots. */
  quantity: number;
}

/** Terms of one basket. Prices in paise for one unit: purchases count positive, sales negative. */
export interface BasketTerms {
  name: string;
  legs: readonly BasketLeg[];
  side: Side;
  product: Product;
  priceType: PriceType;
  /** Limit price; only for LIMIT. May be negative if the net of the legs is a credit. */
  price?: number;
  /** Number of units to trade. */
  multiplier: number;
  targetPrice?: number;
  stopLossPrice?: number;
  momentumTriggerPrice?: number;
  /** Milliseconds since the epoch. */
  entryTime?: number;
  exitTime?: number;
  /** The last day of a basket that stays open, YYYY-MM-DD in IST; only with intent orders. */
  goodTill?: string;
  /** Paise: the stop loss moves along with each move of the net price by so much in favour; only with intent orders. */
  trailJump?: number;
  /** True if its legs were found by strikes from the money: a retry may find others. */
  isByOffset?: boolean;
}

/** Changes of a placed basket; a missing field stays, null removes it. Prices as in `BasketTerms`. */
export interface BasketChange extends Pick<OrderChange, 'price' | 'goodTill' | 'stop' | 'target' | 'exitTime'> {
  /** Number of units of the basket; each leg trades its ratio for each. */
  quantity?: number;
}

/** The next step for legs that are no basket of the service's, such as five shares. */
const SEVERAL =
  'Nothing was sent. Shares of several companies are no basket: place them with Order: Place Many under one Tag. Portfolio: Exit All with that Tag closes them on the same day.';

/** The greatest number that divides all quantities: one unit of a basket. */
function greatestDivisor(quantities: readonly number[]): number {
  return quantities.reduce((a, b) => {
    while (b !== 0) [a, b] = [b, a % b];
    return a;
  }, 0);
}

/** Returns the units, not lots, that all legs have in common, to which the net price refers. */
export function unitOf(legs: readonly BasketLeg[]): number {
  return greatestDivisor(legs.map(({ quantity }) => quantity));
}

/** Returns the number of units of each instrument in one unit of the basket: purchases positive, sales negative. */
export function netUnits(legs: readonly BasketLeg[]): { instrument: TradedInstrument; units: number }[] {
  const unit = unitOf(legs);
  return legs.map(({ instrument, side, quantity }) => ({
    instrument,
    units: (side === 'BUY' ? 1 : -1) * (quantity / unit),
  }));
}

/**
 * The rules of baskets (docs/service/baskets.md#basket-rules). Parameters that errors name: legs, price, stopLossPrice,
 * targetPrice, momentumTriggerPrice, exitTime, product, multiplier.
 * @param setsQuantity false of a change without one: the lot may be another one than when the basket was taken.
 * @throws InputError
 */
export function checkBasket(terms: BasketTerms, unit: MoneyUnit, setsQuantity = true): void {
  const [first, ...others] = terms.legs;
  if (first === undefined) throw new InputError('A basket needs at least one leg.', { parameter: 'legs' });
  for (const [index, leg] of terms.legs.entries()) {
    const { instrument, quantity } = leg;
    const isOffLot = !Number.isSafeInteger(quantity) || quantity < 1 || quantity % instrument.lotSize !== 0;
    if (setsQuantity && isOffLot) {
      throw new InputError(
        `The quantity ${quantity} of leg ${index + 1} (${instrument.symbol}) must be whole lots of ${instrument.lotSize}.`,
        { parameter: 'legs' },
      );
    }
  }
  for (const [index, { instrument }] of terms.legs.entries()) {
    const same = terms.legs.findIndex((leg) => leg.instrument.refId === instrument.refId);
    if (same < index)
      throw new InputError(`Legs ${same + 1} and ${index + 1} are the same instrument, ${instrument.symbol}.`, {
        parameter: 'legs',
        hint: 'Make one leg of them.',
      });
  }
  for (const { instrument } of others) {
    if (instrument.exchange !== first.instrument.exchange) {
      throw new InputError(
        `All legs must be on one exchange, but ${first.instrument.symbol} is on ${first.instrument.exchange} and ${instrument.symbol} on ${instrument.exchange}.`,
        { parameter: 'legs', hint: SEVERAL },
      );
    }
    if (instrument.asset !== first.instrument.asset) {
      throw new InputError(
        `All legs must have one underlying, but ${first.instrument.symbol} has ${first.instrument.asset} and ${instrument.symbol} has ${instrument.asset}.`,
        { parameter: 'legs', hint: SEVERAL },
      );
    }
  }
  if (first.instrument.exchange === 'MCX')
    throw new InputError('The service takes no baskets and strategies on MCX.', {
      parameter: 'legs',
      hint: 'Place the legs as orders: Order: Place Many.',
    });
  if (!Number.isSafeInteger(terms.multiplier) || terms.multiplier < 1)
    throw new InputError('Multiplier must be a whole number from 1.', { parameter: 'multiplier' });
  checkPrices(terms, unit);
  if (terms.trailJump !== undefined && (terms.stopLossPrice === undefined || terms.trailJump <= 0))
    throw new InputError('A trailing stop of a basket needs a stop loss, and a Trailing Jump above 0.', {
      parameter: 'trailingJump',
      hint: 'Add the stop loss, or remove Trailing Jump.',
    });
  if (terms.goodTill !== undefined && terms.exitTime !== undefined)
    throw new InputError('A basket that is good till a date cannot have an exit time.', {
      parameter: 'exitTime',
      hint: 'Remove Exit Time or Good Till Date.',
    });
  if (terms.goodTill !== undefined && terms.priceType === 'MARKET')
    throw new InputError('A basket that is good till a date needs a limit price.', {
      parameter: 'priceType',
      hint: 'Choose Limit in Price Type, or remove Good Till Date.',
    });
  if (terms.exitTime !== undefined && terms.product !== 'IDAY') {
    throw new InputError('An exit time is for intraday baskets only.', {
      parameter: 'exitTime',
      hint: 'Choose the product Intraday, or leave the exit time out.',
    });
  }
}

function checkPrices(terms: BasketTerms, unit: MoneyUnit): void {
  const { price, targetPrice, stopLossPrice, momentumTriggerPrice } = terms;
  const tick = terms.legs.reduce((least, { instrument }) => Math.min(least, instrument.tickSize), Infinity);
  if (terms.priceType === 'LIMIT' && price === undefined)
    throw new InputError('A basket with the price type Limit needs a Limit Price.', { parameter: 'price' });
  const named = [
    ['price', price, 'Limit Price'],
    ['targetPrice', targetPrice, 'Target'],
    ['stopLossPrice', stopLossPrice, 'Stop Loss'],
    ['momentumTriggerPrice', momentumTriggerPrice, 'Momentum Trigger Price'],
  ] as const;
  for (const [parameter, value, label] of named)
    if (value !== undefined) requireOnTick(value, tick, unit, parameter, { label, allowNegative: true });
  if (price !== undefined && stopLossPrice !== undefined && stopLossPrice >= price) {
    throw new InputError('The stop-loss price must be lower than the limit price.', { parameter: 'stopLossPrice' });
  }
  if (price !== undefined && targetPrice !== undefined && targetPrice <= price) {
    throw new InputError('The target price must be higher than the limit price.', { parameter: 'targetPrice' });
  }
  if (stopLossPrice !== undefined && targetPrice !== undefined && stopLossPrice >= targetPrice) {
    throw new InputError(
      'The stop-loss price must be lower than the target price: the basket would be closed at once.',
      { parameter: 'stopLossPrice' },
    );
  }
  if (momentumTriggerPrice !== undefined && targetPrice !== undefined && momentumTriggerPrice >= targetPrice) {
    throw new InputError('The momentum trigger price must be lower than the target price.', {
      parameter: 'momentumTriggerPrice',
    });
  }
}
