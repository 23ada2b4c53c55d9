import {
  getFunds,
  getHoldings,
  getPositions,
  type Holdings,
  type Positions,
} from '../../../client/portfolio/portfolio';
import { accountOf } from '../../shared/account';
import type { ItemContext } from './itemContext';

/** The portfolio of an item's account, by the paths of the order interface that it has. */
export interface PortfolioSource {
  holdings(): Promise<Holdings>;
  positions(): Promise<Positions>;
  funds(): ReturnType<typeof getFunds>;
}

/** Where an item's portfolio is read. @throws what finding out the order interface throws */
export async function portfolioSource(item: ItemContext): Promise<PortfolioSource> {
  const { signal } = item.run;
  const { transport, apiKind } = accountOf(await item.service());
  const paths = await apiKind(signal);
  return {
    holdings: async () => await getHoldings(transport, signal, paths),
    positions: async () => await getPositions(transport, signal, paths),
    funds: async () => await getFunds(transport, signal, paths),
  };
}
