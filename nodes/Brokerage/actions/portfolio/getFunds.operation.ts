import { fundsIn } from '../../../../client/portfolio/portfolio';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { portfolioSource } from '../../common/portfolioSource';

export const getFunds: ItemOperation = {
  name: 'Get Funds',
  action: 'Get funds',
  description: 'Get the funds and margin of your account',
  properties: [collection('Options', 'options', [priceUnitField])],
  async execute(item) {
    const unit = priceUnitOf(item);
    const { connection } = await item.service();
    return [
      item.output({
        ...fundsIn(unit, await (await portfolioSource(item)).funds()),
        environment: connection.environment,
      }),
    ];
  },
};
