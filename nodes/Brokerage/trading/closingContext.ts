import type { ClosingContext } from '../../../client/closing/reconcile-position';
import { sentExits, shownPositions } from '../../shared/placements';
import { positionLockOf } from '../../shared/positionLocks';
import type { ItemContext } from '../common/itemContext';
import { portfolioSource } from '../common/portfolioSource';
import type { CausedContext } from './idempotency';
import { placementContext } from './placement';

/**
 * Returns the context in which positions of the credential's account are read and changed.
 * @param onlyCloses true if nothing is opened: an exit is sent wherever it comes from, and the broker decides.
 * @throws see `placementContext`
 */
export async function closingContext(item: ItemContext, onlyCloses: boolean): Promise<ClosingContext & CausedContext> {
  const context = await placementContext(item.run);
  const source = await portfolioSource(item);
  return {
    ...context,
    onlyCloses,
    requireAddress: onlyCloses ? undefined : context.requireAddress,
    sentExits,
    shown: shownPositions,
    positionLock: positionLockOf(item.run.functions),
    positions: async () => (await source.positions()).positions,
  };
}
