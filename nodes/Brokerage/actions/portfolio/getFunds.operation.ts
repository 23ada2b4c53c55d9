import { fundsIn, getFunds as readFunds } from '../../../../client/portfolio/portfolio';
import { collection, priceUnitField, priceUnitOf } from '../../common/fields';
import type { ItemOperation } from '../../common/operation';

export const getFunds: ItemOperation = {
  name: 'Get Funds',
  action: 'Get funds',
  description: 'Get the funds and margin of your account',
  properties: [collection('Options', 'options', [priceUnitField])],
  async execute(item) {
    const unit = priceUnitOf(item);
    const { transport, connection } = await item.service();
    return [
      item.output({
        ...fundsIn(unit, await readFunds(transport, item.run.signal)),
        environment: connection.environment,
      }),
    ];
  },
};
