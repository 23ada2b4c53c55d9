import type { ClosingContext } from '../../../../client/closing/settle';
import { sentExits } from '../../../shared/placements';
import type { ItemContext } from '../../common/itemContext';
import { placementContext } from '../order/placement';
import { portfolioSource } from './source';

/** Where the positions of the credential's account are closed. @throws as `placementContext` */
export async function closingContext(item: ItemContext): Promise<ClosingContext> {
  const context = await placementContext(item.run);
  const source = await portfolioSource(item);
  return { ...context, sentExits, positions: async () => (await source.positions()).positions };
}
