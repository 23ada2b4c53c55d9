/** Matches the records of a reply with the orders, or baskets, of the request. */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { byTags } from './find-by-tag';
import { basketIdOf, legsOf } from '../model/basket-record';
import type { BasketTerms } from '../model/basket-terms';
import type { OrderTerms } from '../model/order-terms';
import type { TaggedTerms } from './order-api';
import { orderIdOf, quantityOf, refIdOf, sideOf } from '../model/order-record';

/**
 * Matches records by the exact tag, if their instrument, side and quantity match the request. Other records, and those without a tag, are
 * left out: they are looked up in the list.
 */
export function matchRecords(
  requested: readonly TaggedTerms<OrderTerms>[],
  records: readonly OrderRecord[],
): Map<string, OrderRecord> {
  const withId = records.filter((record) => orderIdOf(record) !== '');
  const matched = byTags(
    withId,
    requested.map(({ tag }) => tag),
  );
  for (const { tag, terms } of requested) {
    const record = matched.get(tag);
    if (record !== undefined && !mayBe(terms, record)) matched.delete(tag);
  }
  return matched;
}

/** Matches as `matchRecords`, for the one basket of a request: the record's legs must be the requested ones. */
export function matchBaskets(
  [requested]: readonly TaggedTerms<BasketTerms>[],
  records: readonly BasketRecord[],
): Map<string, BasketRecord> {
  if (requested === undefined) return new Map();
  const isAsked = (leg: OrderRecord): boolean =>
    requested.terms.legs.some(
      ({ instrument, side }) => [instrument.refId, 0].includes(refIdOf(leg)) && [side, undefined].includes(sideOf(leg)),
    );
  const own = records.filter((record) => basketIdOf(record) !== '' && legsOf(record).every(isAsked));
  return byTags(own, [requested.tag]);
}

/** Returns true if a record may be the order of these terms; a missing field matches anything. */
function mayBe({ instrument, quantity, side }: OrderTerms, record: OrderRecord): boolean {
  return (
    [instrument.refId, 0].includes(refIdOf(record)) &&
    [quantity, 0].includes(quantityOf(record)) &&
    [side, undefined].includes(sideOf(record))
  );
}
