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
 * By the exact tag, where what the record shows of instrument, side and quantity is what was asked for. What does not match, and
 * what carries no tag, is left out: it is looked up in the list.
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

/** As `matchRecords`, for the one basket that a request holds: the legs that the record shows are those that were asked for. */
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
