/** Today's placements as remembered, by this process and by n8n, against the records of a list. */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import type { DayPlacement } from './placed-today';
import type { PlacementContext } from './placement-context';
import type { ChangedTag } from './placement-registry';
import { tagOf } from '../model/order-record';
import { identityOf, isMadeTag } from '../model/tags';

/** Returns what is known to have been placed today, of one kind; this process leaves out what a list need not show yet. */
export function knownToday(
  { placements, placedToday, scope }: Pick<PlacementContext, 'placements' | 'placedToday' | 'scope'>,
  noun: DayPlacement['noun'],
): DayPlacement[] {
  return [...placements.listable(scope), ...(placedToday?.all(scope) ?? [])].filter(
    (placement) => placement.noun === noun,
  );
}

/** Records by the compared part of the tag that was sent: found by their ids, whatever tag the list shows. */
export function recordsByIdentity<Rec>(
  placements: readonly DayPlacement[],
  byId: ReadonlyMap<string, Rec>,
): Map<string, Rec> {
  return new Map(
    placements.flatMap(({ id, identity }): [string, Rec][] => {
      const record = byId.get(id);
      return identity === '' || record === undefined ? [] : [[identity, record]];
    }),
  );
}

/** Returns the tags that the list shows in another way than they were sent. One that is not shown at all is left out. */
export function changedTags(
  placements: readonly DayPlacement[],
  byId: ReadonlyMap<string, OrderRecord | BasketRecord>,
): ChangedTag[] {
  return placements.flatMap(({ id, identity }): ChangedTag[] => {
    const record = byId.get(id);
    const shown = record === undefined ? '' : tagOf(record).trim();
    const isChanged = isMadeTag(identity) && shown !== '' && !isMadeTag(shown) && identityOf(shown) !== identity;
    return isChanged ? [{ sent: identity, shown, id }] : [];
  });
}
