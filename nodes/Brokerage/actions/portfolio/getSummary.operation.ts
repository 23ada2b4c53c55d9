import { fundsIn, convertMoney, knownTotals } from '../../../../client/portfolio/portfolio';
import { signedRupees } from '../../../../client/values/amounts';
import type { Json } from '../../../../client/values/json';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { isSince12 } from '../../common/version';
import { portfolioSource } from '../../common/portfolioSource';

/** An amount that was gained or lost, from paise. */
const resultText = (paise: Json | undefined): string => (typeof paise === 'number' ? signedRupees(paise) : 'not known');

export const getSummary: ItemOperation = {
  name: 'Get Summary',
  action: 'Get a summary of the portfolio',
  description: 'Get your funds and the totals of holdings and positions, in one item',
  properties: [collection('Options', 'options', [priceUnitField])],
  async execute(item) {
    const unit = priceUnitOf(item);
    const { connection } = await item.service();
    const source = await portfolioSource(item);
    const holdings = await source.holdings();
    const positions = await source.positions();
    const funds = await source.funds();
    const open = positions.positions.filter(({ segment }) => segment !== 'closed');
    const ofHoldings = knownTotals(holdings.stats, holdings.holdings);
    const ofPositions = knownTotals(positions.stats, open);
    return [
      item.output({
        client_code: holdings.client_code || positions.client_code,
        ...(isSince12(item)
          ? {
              summary: `Positions today: ${resultText(ofPositions.total_pnl)}. Holdings today: ${resultText(ofHoldings.day_pnl)}.`,
            }
          : {}),
        holdings: { count: holdings.holdings.length, ...convertMoney(unit, ofHoldings) },
        positions: { count: open.length, ...convertMoney(unit, ofPositions) },
        funds: fundsIn(unit, funds),
        environment: connection.environment,
      }),
    ];
  },
};
