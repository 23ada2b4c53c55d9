import type { ClosingContext } from '../../../../client/closing/settle';
import { sentExits } from '../../../shared/placements';
import type { ItemContext } from '../../common/itemContext';
import { portfolioSource } from '../../common/portfolioSource';
import { placementContext } from './placement';

/** Where positions of the credential's account are read and changed. @throws see `placementContext` */
export async function closingContext(item: ItemContext): Promise<ClosingContext> {
  const context = await placementContext(item.run);
  const source = await portfolioSource(item);
  // An exit is sent wherever it comes from: the broker decides.
  return {
    ...context,
    requireAddress: undefined,
    sentExits,
    positions: async () => (await source.positions()).positions,
  };
}
