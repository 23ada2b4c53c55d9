/** Which record of a reply belongs to which order of the request. */
import type { OrderRecord } from '../../endpoints/orders';
import { byTags } from './find-by-tag';
import type { OrderTerms } from '../model/order-terms';
import type { Tagged } from './order-api';
import { orderIdOf, quantityOf, refIdOf, sideOf } from '../model/order-record';

/**
 * By the exact tag, where what the record shows of instrument, side and quantity is what was asked for. What does not match, and
 * what carries no tag, is left out: it is looked up in the list.
 */
export function matchRecords(
  requested: readonly Tagged<OrderTerms>[],
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

/** Whether a record may be the order of these terms; what it does not show may be anything. */
function mayBe({ instrument, quantity, side }: OrderTerms, record: OrderRecord): boolean {
  return (
    [instrument.refId, 0].includes(refIdOf(record)) &&
    [quantity, 0].includes(quantityOf(record)) &&
    [side, undefined].includes(sideOf(record))
  );
}
