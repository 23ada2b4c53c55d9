import { fundsIn, marginUsedPercent } from '../../../../client/portfolio/portfolio';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { portfolioSource } from '../../common/portfolioSource';
import { isSince12 } from '../../common/version';

export const getFunds: ItemOperation = {
  name: 'Get Funds',
  action: 'Get funds',
  description: 'Get the funds and margin of your account',
  properties: [collection('Options', 'options', [priceUnitField])],
  async execute(item) {
    const unit = priceUnitOf(item);
    const { connection } = await item.service();
    const funds = await (await portfolioSource(item)).funds();
    return [
      item.output({
        ...fundsIn(unit, funds),
        ...(isSince12(item) ? { margin_used_percent: marginUsedPercent(funds) } : {}),
        environment: connection.environment,
      }),
    ];
  },
};
