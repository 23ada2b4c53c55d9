import { getBasket } from '../../../../client/orders/wait';
import { collection, priceUnitField, simplifyField } from '../../common/fields';
import type { ItemOperation } from '../../common/operation';
import { outputOptions } from '../order/output';
import { orderContext } from '../order/placement';
import { basketIdField } from './fields';
import { basketOutput } from './output';

export const get: ItemOperation = {
  name: 'Get',
  action: 'Get a basket',
  description: "Get one of today's baskets by its basket_id, with its legs and what they have filled",
  properties: [basketIdField, simplifyField, collection('Options', 'options', [priceUnitField])],
  concurrent: true,
  async execute(item) {
    const basketId = item.identifier('basketId');
    const output = await outputOptions(item);
    return [item.output(basketOutput(await getBasket(basketId, await orderContext(item.run)), output))];
  },
};
