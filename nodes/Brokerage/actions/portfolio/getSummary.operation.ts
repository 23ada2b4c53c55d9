import { fundsIn, convertMoney, knownTotals } from '../../../../client/portfolio/portfolio';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { portfolioSource } from '../../common/portfolioSource';

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
    return [
      item.output({
        client_code: holdings.client_code || positions.client_code,
        holdings: {
          count: holdings.holdings.length,
          ...convertMoney(unit, knownTotals(holdings.stats, holdings.holdings)),
        },
        positions: {
          count: positions.positions.filter(({ segment }) => segment !== 'closed').length,
          ...convertMoney(
            unit,
            knownTotals(
              positions.stats,
              positions.positions.filter(({ segment }) => segment !== 'closed'),
            ),
          ),
        },
        funds: fundsIn(unit, funds),
        environment: connection.environment,
      }),
    ];
  },
};
