/**
 * Orders that an earlier try of a step placed for other items. A try that starts from the beginning may have other items than the first: one
 * more in front, or another order of them. An order is then found under the tag of an item that is not its own any more.
 */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import type { OrderOrBasket } from './order-or-basket';
import type { PlacementContext, PlacementRequest } from '../account/placement-context';
import { tagOf } from '../model/order-record';
import { causeMarkOf, identityOf } from '../model/tags';

/** Index of each item by what of its tag is compared, and by what all executions of a called workflow have in common. */
interface ItemIndex {
  byIdentity: ReadonlyMap<string, number>;
  byMark: ReadonlyMap<string, number>;
}

const indexes = new WeakMap<readonly string[], ItemIndex>();

function indexOf(tags: readonly string[]): ItemIndex {
  const itemIndex = indexes.get(tags);
  if (itemIndex !== undefined) return itemIndex;
  const marks = tags.flatMap((tag, index): [string, number][] => {
    const mark = causeMarkOf(tag);
    return mark === undefined ? [] : [[mark, index]];
  });
  const made = { byIdentity: new Map(tags.map((tag, index) => [identityOf(tag), index])), byMark: new Map(marks) };
  indexes.set(tags, made);
  return made;
}

/** Notes whether the order under the tag of an item can be of the item, and whether it is exactly what the item asks for. */
export function noteOwn<Terms, Rec extends OrderRecord | BasketRecord>(
  what: OrderOrBasket<Terms, Rec>,
  { sameStep, terms }: PlacementRequest<Terms>,
  record: Rec,
): void {
  if (sameStep === undefined) return;
  const differences = what.differencesOf(terms, record);
  const { own, foreign } = sameStep.orders;
  if (differences.length === 0) own.add(identityOf(tagOf(record)));
  else if (differences.some(({ isOther }) => isOther)) foreign.add(identityOf(tagOf(record)));
}

/**
 * Returns the tag of an order under another item of the step that may be the order of this item: it has exactly these terms and is not
 * known to be the other item's own, or no item has it any more and instrument and side are these.
 */
export function orderOfMovedItem<Terms, Rec extends OrderRecord | BasketRecord>(
  what: OrderOrBasket<Terms, Rec>,
  { sameStep, sameCause, terms }: PlacementRequest<Terms>,
  listed: readonly Rec[],
  { placements, scope }: Pick<PlacementContext, 'placements' | 'scope'>,
): string | undefined {
  if (sameStep === undefined) return undefined;
  const { orders, itemIndex, itemCount } = sameStep;
  const tags = sameStep.tags();
  const { byIdentity, byMark } = indexOf(tags);
  const isCalledAnew = sameCause?.isCalledAnew === true;
  /** The item that a tag is of, if it is another one. */
  const otherItem = (tag: string): number | undefined => {
    const mark = isCalledAnew ? causeMarkOf(tag) : undefined;
    const index = byIdentity.get(identityOf(tag)) ?? (mark === undefined ? undefined : byMark.get(mark));
    return index === itemIndex ? undefined : index;
  };
  const isOfThis = ({ tag, record }: { tag: string; record: Rec }): boolean => {
    const index = otherItem(tag);
    if (index === undefined || orders.own.has(identityOf(tag))) return false;
    if (sameCause?.takenIds.has(what.idOf(record)) === true) return false;
    const differences = what.differencesOf(terms, record);
    const isLeftOver = orders.foreign.has(identityOf(tag)) || index >= itemCount;
    return isLeftOver ? !differences.some(({ isOther }) => isOther) : differences.length === 0;
  };
  const sent = placements
    .today(scope)
    .flatMap(({ tag, record, known }) =>
      record === undefined || known?.noun !== what.noun ? [] : [{ tag, record: record as Rec }],
    );
  return [...listed.map((record) => ({ tag: tagOf(record), record })), ...sent].find(isOfThis)?.tag;
}
