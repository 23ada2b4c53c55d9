import {
  getFunds,
  getHoldings,
  getPositions,
  type Holdings,
  type Positions,
} from '../../../client/portfolio/portfolio';
import { accountOf } from '../../shared/accountApi';
import type { ItemContext } from './itemContext';

/** The portfolio of an item's account, by the paths of the order interface that it has. */
export interface PortfolioSource {
  holdings(): Promise<Holdings>;
  positions(): Promise<Positions>;
  funds(): ReturnType<typeof getFunds>;
}

/** Returns the source of an item's portfolio. @throws any error of finding the order interface */
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
