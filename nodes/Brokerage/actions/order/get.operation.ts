import { getNewOrder } from '../../../../client/orders/placing/read-new-order';
import { collection, priceUnitField, simplifyField } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { orderIdField } from '../../trading/orderFields';
import { orderOutput, outputOptions } from '../../trading/orderOutput';
import { orderContext } from '../../trading/placement';

export const get: ItemOperation = {
  name: 'Get',
  action: 'Get an order',
  description: "Get one of today's orders by its order_id, with its status and filled quantity",
  properties: [orderIdField, simplifyField, collection('Options', 'options', [priceUnitField])],
  concurrent: true,
  async execute(item) {
    const orderId = item.identifier('orderId');
    const output = await outputOptions(item);
    return [item.output(orderOutput(await getNewOrder(orderId, await orderContext(item.run)), output))];
  },
};
