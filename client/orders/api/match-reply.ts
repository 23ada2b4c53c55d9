/** Matches the records of a reply with the orders, or baskets, of the request. */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { byTags } from './find-by-tag';
import { basketIdOf, legsOf } from '../model/basket-record';
import type { BasketTerms } from '../model/basket-terms';
import type { OrderTerms } from '../model/order-terms';
import type { TaggedTerms } from './order-api';
import { orderIdOf, quantityOf, refIdOf, sideOf, tagOf } from '../model/order-record';
import { identityOf } from '../model/tags';

/**
 * Matches records by the exact tag, if their instrument, side and quantity match the request. Other records, and those without a tag, are
 * left out: they are looked up in the list.
 */
export function matchRecords(
  requested: readonly TaggedTerms<OrderTerms>[],
  records: readonly OrderRecord[],
): Map<string, OrderRecord> {
  const matched = byTags(
    clearRecords(records, orderIdOf),
    requested.map(({ tag }) => tag),
  );
  for (const { tag, terms } of requested) {
    const record = matched.get(tag);
    if (record !== undefined && !mayBe(terms, record)) matched.delete(tag);
  }
  return matched;
}

/** Returns records whose id no other tag has, and whose tag no other id has: of the rest nobody can tell which they are. */
function clearRecords<Rec extends OrderRecord | BasketRecord>(
  records: readonly Rec[],
  idOf: (record: Rec) => string,
): readonly Rec[] {
  const idsOfTag = groups(records, (record) => identityOf(tagOf(record)), idOf);
  const tagsOfId = groups(records, idOf, (record) => identityOf(tagOf(record)));
  return records.filter((record) => {
    const [id, tag] = [idOf(record), identityOf(tagOf(record))];
    return id !== '' && tagsOfId.get(id)?.size === 1 && (tag === '' || idsOfTag.get(tag)?.size === 1);
  });
}

/** Returns the different values of the records that share a key. */
function groups<Rec>(
  records: readonly Rec[],
  keyOf: (record: Rec) => string,
  valueOf: (record: Rec) => string,
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const record of records) {
    const key = keyOf(record);
    found.set(key, (found.get(key) ?? new Set<string>()).add(valueOf(record)));
  }
  return found;
}

/** Matches as `matchRecords`, for the one basket of a request: the record's legs must be the requested ones. */
export function matchBaskets(
  [requested]: readonly TaggedTerms<BasketTerms>[],
  records: readonly BasketRecord[],
): Map<string, BasketRecord> {
  if (requested === undefined) return new Map();
  const isAsked = (leg: OrderRecord): boolean =>
    requested.terms.legs.some(
      ({ instrument, side, quantity }) =>
        [instrument.refId, 0].includes(refIdOf(leg)) &&
        [side, undefined].includes(sideOf(leg)) &&
        [quantity, quantity * requested.terms.multiplier, 0].includes(quantityOf(leg)),
    );
  const own = clearRecords(records, basketIdOf).filter((record) => legsOf(record).every(isAsked));
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
