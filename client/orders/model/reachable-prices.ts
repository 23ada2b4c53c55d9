/**
 * The prices that an order can lead to: its own limit, the trigger or condition that it waits for, and the limits of the exits that
 * follow it. Guards measure value and distance by the worst of them. Prices are paise.
 */
import { contractValue, type KnownContract } from '../../values/contract-value';
import { netUnits, unitOf, type BasketTerms } from './basket-terms';
import { directionOf, limitBeyond } from './exits';
import type { OrderTerms, Side } from './order-terms';

/** A price at which an order, or an exit of it, may trade. */
export interface ReachablePrice {
  /** Name in an error: "the price", "the stop-loss limit". */
  name: string;
  /** The side of the order that trades there. */
  side: Side;
  price: number;
  isExit: boolean;
}

const otherSide = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY');

/** Every price that an order's terms name at which it, or an exit of it, may trade. The last price, at which a market order trades, is not among them. */
export function reachablePrices(terms: OrderTerms): ReachablePrice[] {
  return [...entryPrices(terms), ...exitPrices(terms)];
}

function entryPrices({ side, priceType, price, triggerPrice, condition, kind }: OrderTerms): ReachablePrice[] {
  const entry = (name: string, value: number | undefined): ReachablePrice[] =>
    value === undefined || value <= 0 ? [] : [{ name, side, price: value, isExit: false }];
  const limit = priceType === 'LIMIT' ? entry('the price', price) : [];
  // A purchase never trades above its limit, wherever it waits for.
  if (limit.length > 0 && side === 'BUY') return limit;
  return [
    ...limit,
    ...entry('the trigger price', kind === 'STOPLOSS' ? triggerPrice : undefined),
    ...entry('the price of the entry condition', condition?.price),
  ];
}

function exitPrices({ side, exits, kept, instrument }: OrderTerms): ReachablePrice[] {
  const direction = directionOf(side);
  const exit = (name: string, price: number | undefined): ReachablePrice[] =>
    price === undefined ? [] : [{ name, side: otherSide(side), price, isExit: true }];
  return [
    ...exit('the stop-loss limit', exits?.stop?.limit),
    ...exit('the target limit', exits?.target?.limit),
    ...exit(
      'the stop-loss limit',
      kept === undefined ? undefined : limitBeyond(kept.stop, direction, instrument.tickSize),
    ),
    ...exit('the target', kept?.target),
  ];
}

/** Returns true if the last price counts in the value of an order: always, except for a purchase with a limit. */
export function valueDependsOnLastPrice({ side, priceType }: Pick<OrderTerms, 'side' | 'priceType'>): boolean {
  return priceType !== 'LIMIT' || side === 'SELL';
}

/**
 * Returns the maximum amount that may change hands, paise. A purchase fills at its limit at the most. The limit of a sale is only its
 * minimum, so that the last price and its condition count if they are higher. The exits of a short position are purchases and count at
 * their limits. Later sales of a long position cost its owner nothing.
 * @param contract that of the terms
 * @param last the last price; 0 if it does not count (`valueDependsOnLastPrice`)
 */
export function worstValue(terms: OrderTerms, contract: KnownContract, last: number): number {
  const prices = reachablePrices(terms).filter(({ isExit, side }) => !isExit || side === 'BUY');
  return contractValue(contract, Math.max(last, ...prices.map(({ price }) => price)), terms.quantity);
}

/** Returns the distance of a price on the side that costs money: above for a purchase, below for a sale; negative on the other side. */
export function adverseDistance({ side, price }: Pick<ReachablePrice, 'side' | 'price'>, last: number): number {
  return side === 'BUY' ? price - last : last - price;
}

/** Trades of a basket as a whole: net prices, which may be negative, for a number of units. */
export interface NetTerms {
  /** Number of units for which the net price is paid. */
  units: number;
  prices: ReachablePrice[];
  legs: ReturnType<typeof netUnits>;
}

/** The net prices that the terms of a basket name, as its owner pays (BUY) or is paid (SELL) them. */
export function netTerms(basket: BasketTerms): NetTerms {
  const { legs, side, multiplier, price, priceType, stopLossPrice, targetPrice, momentumTriggerPrice } = basket;
  const at = (name: string, value: number | undefined, isExit: boolean): ReachablePrice[] =>
    value === undefined ? [] : [{ name, side: isExit ? otherSide(side) : side, price: value, isExit }];
  return {
    units: unitOf(legs) * multiplier,
    legs: netUnits(legs),
    prices: [
      ...at('the net price', priceType === 'LIMIT' ? price : undefined, false),
      ...at('the momentum trigger', momentumTriggerPrice, false),
      ...at('the stop loss', stopLossPrice, true),
      ...at('the target', targetPrice, true),
    ],
  };
}
