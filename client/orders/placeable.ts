/** What the placing flow must know of orders and of baskets, whichever interface they go by. */
import type { BasketRecord } from '../endpoints/baskets';
import type { OrderRecord } from '../endpoints/orders';
import type { RejectedError } from '../base/errors';
import type { BasketTerms } from './basket';
import type { OrderInterface, Placing } from './order-interface';
import type { OrderTerms } from './order';
import { rejected, rejectedOrder, type Noun } from './outcome';
import { basketIdOf, basketSideOf, basketStatusOf, legsOf, orderIdOf, refIdOf, sideOf, statusOf } from './record';

/** Something that is placed under a tag. */
export interface Placeable<Terms, Rec extends OrderRecord | BasketRecord> {
  noun: Noun;
  /** How long a list of the day serves for the look before sending, milliseconds; 0: it is read anew. */
  listServesMs: number;
  /** How the account's interface places it. */
  placing(by: OrderInterface): Placing<Terms, Rec>;
  /** Decimal text; '' when the record has none. */
  idOf(record: Rec): string;
  /** The error of one that was rejected after the service had taken it; undefined for any other. */
  rejectionOf(record: Rec, tag: string): RejectedError | undefined;
  /** In which way a record is certainly not what these terms placed, in words; undefined when it may be. */
  differenceOf(terms: Terms, record: Rec): string | undefined;
  /** Whether the record in the reply of placing shows all of it. */
  isWhole(terms: Terms, record: Rec): boolean;
  /** The orders that the guards check: a basket counts as one for each leg. */
  ordersOf(terms: Terms): readonly OrderTerms[];
}

/** Orders, as the placing flow sees them. */
export const ORDER: Placeable<OrderTerms, OrderRecord> = {
  noun: 'order',
  listServesMs: 1_000,
  placing: ({ orders }) => orders,
  idOf: orderIdOf,
  rejectionOf: (order, tag) => (statusOf(order) === 'REJECTED' ? rejectedOrder(order, tag) : undefined),
  differenceOf: ({ instrument, side }, order) =>
    refIdOf(order) === instrument.refId && sideOf(order) === side ? undefined : 'another instrument or side',
  isWhole: () => true,
  ordersOf: (terms) => [terms],
};

/** Baskets, as the placing flow sees them. */
export const BASKET: Placeable<BasketTerms, BasketRecord> = {
  noun: 'basket',
  listServesMs: 0,
  placing: ({ baskets }) => baskets,
  idOf: basketIdOf,
  rejectionOf: (basket, tag) =>
    basketStatusOf(basket) === 'REJECTED' ? rejected(basket, { basket_id: basketIdOf(basket) }, tag) : undefined,
  // A record may lack legs that are not sent yet; those that it has must be wanted.
  differenceOf: ({ legs, side }, basket) => {
    const isWanted = (placed: OrderRecord): boolean =>
      legs.some(
        (leg) =>
          (refIdOf(placed) || leg.instrument.refId) === leg.instrument.refId &&
          (sideOf(placed) ?? leg.side) === leg.side,
      );
    return legsOf(basket).every(isWanted) && (basketSideOf(basket) ?? side) === side
      ? undefined
      : 'other legs or another side';
  },
  isWhole: ({ legs }, basket) => legsOf(basket).length === legs.length,
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
