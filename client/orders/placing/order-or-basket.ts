/** Operations of the placing flow on orders and on baskets, for both interfaces. */
import type { MarketTime } from '../../market-clock';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import type { RejectedError } from '../../base/errors';
import { netTerms, type NetTerms } from '../model/reachable-prices';
import { checkBasket, type BasketTerms } from '../model/basket-terms';
import { checkOrder } from '../model/order-rules';
import { checkBasketTimes, checkOrderTimes } from '../model/order-time-rules';
import type { MoneyUnit } from '../../values/money';
import type { OrderApi, PlacingApi } from '../api/order-api';
import type { OrderTerms } from '../model/order-terms';
import { rejectedError, rejectedOrderError, type RecordNoun } from './outcome';
import { basketIdOf, basketPriceTypeOf, basketSideOf, basketStatusOf, legsOf, paramsOf } from '../model/basket-record';
import {
  kindOf,
  legSizeOf,
  orderIdOf,
  priceOf,
  priceTypeOf,
  productOf,
  quantityOf,
  refIdOf,
  sideOf,
  statusOf,
  triggerPriceOf,
  validityOf,
} from '../model/order-record';

/** An object that is placed under a tag: an order or a basket. */
export interface OrderOrBasket<Terms, Rec extends OrderRecord | BasketRecord> {
  noun: RecordNoun;
  /** Maximum age of the day's list for the look before sending, milliseconds; 0: it is read again. */
  listServesMs: number;
  /** Returns the placing operations of the account's interface. */
  placing(by: OrderApi): PlacingApi<Terms, Rec>;
  /** Decimal text; '' when the record has none. */
  idOf(record: Rec): string;
  /** The error of one that was rejected after the service had taken it; undefined for any other. */
  rejectionOf(record: Rec, tag: string): RejectedError | undefined;
  /** Returns the differences, in words, that prove that a record was not placed by these terms; an empty list if it may have been. */
  differencesOf(terms: Terms, record: Rec): TermsDifference[];
  /** Returns true if the record in the reply of placing is complete. */
  isWhole(terms: Terms, record: Rec): boolean;
  /**
   * The rules that it must keep, whatever the guards say.
   * @param unit in which an error shows prices. @param market whose time rules on times go by.
   * @throws InputError that names the field
   */
  requireRules(terms: Terms, unit: MoneyUnit, market: MarketTime): void;
  /** The orders that the guards check: a basket counts as one for each leg. */
  ordersOf(terms: Terms): readonly OrderTerms[];
  /** The net prices that the guards check beside the legs of a basket; undefined for an order. */
  netOf(terms: Terms): NetTerms | undefined;
}

/** A difference in the words of an error. `isOther`: it makes a different order of it, whatever the cause. */
export interface TermsDifference {
  what: string;
  isOther: boolean;
}

/**
 * Returns the differences between terms and a record.
 * @param rows the name, the term, the shown value (undefined if the record does not show it), and `isOther`.
 */
function differencesIn(rows: readonly (readonly [string, unknown, unknown, boolean?])[]): TermsDifference[] {
  return rows
    .filter(([, requested, shown]) => shown !== undefined && requested !== undefined && requested !== shown)
    .map(([what, , , isOther = false]) => ({ what, isOther }));
}

/** Returns a value, or undefined for 0, which a record shows for an unknown value. */
const knownValue = (value: number): number | undefined => (value === 0 ? undefined : value);

/** Orders, as the placing flow sees them. */
export const ORDER: OrderOrBasket<OrderTerms, OrderRecord> = {
  noun: 'order',
  listServesMs: 1_000,
  placing: ({ orders }) => orders,
  idOf: orderIdOf,
  rejectionOf: (order, tag) => (statusOf(order) === 'REJECTED' ? rejectedOrderError(order, tag) : undefined),
  differencesOf: (terms, order) =>
    differencesIn([
      ['instrument', terms.instrument.refId, refIdOf(order), true],
      ['side', terms.side, sideOf(order) ?? 'none', true],
      ['quantity', terms.quantity, knownValue(quantityOf(order))],
      ['product', terms.product, productOf(order)],
      // An entry condition may be a stop-loss order: the same thing in the words of either interface.
      ['order type', terms.condition === undefined ? terms.kind : undefined, kindOf(order)],
      ['price type', terms.priceType, priceTypeOf(order)],
      ['limit price', terms.price, knownValue(priceOf(order))],
      ['trigger price', terms.triggerPrice, knownValue(triggerPriceOf(order))],
      ['leg size', terms.legSize, knownValue(legSizeOf(order))],
      // Intent orders send what goes to the market at once as Immediate or Cancel.
      ['validity', terms.priceType === 'MARKET' ? undefined : terms.validity, validityOf(order)],
    ]),
  isWhole: () => true,
  requireRules: (terms, unit, market) => {
    checkOrder(terms, unit);
    checkOrderTimes(terms, terms.instrument.derivative, market);
  },
  ordersOf: (terms) => [terms],
  netOf: () => undefined,
};

/** Baskets, as the placing flow sees them. */
export const BASKET: OrderOrBasket<BasketTerms, BasketRecord> = {
  noun: 'basket',
  listServesMs: 0,
  placing: ({ baskets }) => baskets,
  idOf: basketIdOf,
  rejectionOf: (basket, tag) =>
    basketStatusOf(basket) === 'REJECTED' ? rejectedError(basket, { basket_id: basketIdOf(basket) }, tag) : undefined,
  differencesOf: (terms, basket) => {
    const placed = legsOf(basket);
    // A record may lack legs that are not sent yet; those that it has must be wanted.
    const isRequested = (leg: OrderRecord): boolean =>
      terms.legs.some(
        ({ instrument, side, quantity }) =>
          (refIdOf(leg) || instrument.refId) === instrument.refId &&
          (sideOf(leg) ?? side) === side &&
          [quantity, quantity * terms.multiplier, 0].includes(quantityOf(leg)),
      );
    const params = paramsOf(basket);
    return [
      ...(placed.every(isRequested) ? [] : [{ what: 'set of legs', isOther: terms.isByOffset !== true }]),
      ...differencesIn([
        ['side', terms.side, basketSideOf(basket), true],
        ['name', terms.name, basket.basket_name],
        ['price type', terms.priceType, basketPriceTypeOf(basket)],
        ['limit price', terms.price, params?.entry_price ?? undefined],
        ['target price', terms.targetPrice, params?.exit_price ?? undefined],
        ['stop-loss price', terms.stopLossPrice, params?.stoploss_price ?? undefined],
        ['multiplier', terms.multiplier, params?.multiplier ?? undefined],
      ]),
    ];
  },
  isWhole: ({ legs }, basket) => legsOf(basket).length === legs.length,
  requireRules: (terms, unit, market) => {
    checkBasket(terms, unit);
    checkBasketTimes(terms, market);
  },
  netOf: netTerms,
  ordersOf: ({ legs, multiplier, product }) =>
    legs.map(({ instrument, side, quantity }) => ({
      instrument,
      side,
      quantity: quantity * multiplier,
      product,
      kind: 'REGULAR',
      validity: 'DAY',
      priceType: 'MARKET',
    })),
};
