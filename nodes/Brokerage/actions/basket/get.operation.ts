import { getNewBasket } from '../../../../client/orders/placing/read-new-order';
import { collection, priceUnitField, simplifyField } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { outputOptions } from '../../trading/orderOutput';
import { orderContext } from '../../trading/placement';
import { basketIdField } from '../../trading/basketFields';
import { basketOutput } from '../../trading/basketOutput';

export const get: ItemOperation = {
  name: 'Get',
  action: 'Get a basket',
  description: "Get one of today's baskets by its basket_id, with its legs and what they have filled",
  properties: [basketIdField, simplifyField, collection('Options', 'options', [priceUnitField])],
  concurrent: true,
  async execute(item) {
    const basketId = item.identifier('basketId');
    const output = await outputOptions(item);
    return [item.output(basketOutput(await getNewBasket(basketId, await orderContext(item.run)), output))];
  },
};
