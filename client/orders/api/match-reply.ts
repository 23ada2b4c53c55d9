/** Which record of a reply belongs to which order of the request. */
import type { OrderRecord } from '../../endpoints/orders';
import { byTags } from './find-by-tag';
import type { OrderTerms } from '../model/order-terms';
import type { Tagged } from './order-api';
import { orderIdOf, quantityOf, refIdOf, sideOf, tagOf } from '../model/order-record';

/**
 * By the exact tag; where the service gives no tags back, by position when number, instrument, side and quantity agree.
 * What does not match is left out: it is looked up in the list.
 */
export function matchRecords(
  requested: readonly Tagged<OrderTerms>[],
  records: readonly OrderRecord[],
): Map<string, OrderRecord> {
  const withId = records.filter((record) => orderIdOf(record) !== '');
  const tags = requested.map(({ tag }) => tag);
  const matched = byTags(withId, tags);
  const isTagged = withId.some((record) => tagOf(record) !== '');
  if (matched.size === requested.length || withId.length !== requested.length || isTagged) return matched;
  for (const [index, { tag, terms }] of requested.entries()) {
    const record = withId[index]!;
    const agrees =
      refIdOf(record) === terms.instrument.refId &&
      quantityOf(record) === terms.quantity &&
      sideOf(record) === terms.side;
    if (agrees) matched.set(tag, { ...record, tag });
  }
  return matched;
}
