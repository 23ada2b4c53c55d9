import { getOrder } from '../../../../client/orders/read';
import { collection, priceUnitField, priceUnitOf, simplifyField } from '../fields';
import type { ItemOperation } from '../operation';
import { orderIdField } from './fields';
import { orderOutput } from './output';

export const get: ItemOperation = {
  name: 'Get',
  action: 'Get an order',
  description: 'Get one order of today by its order_id, with its status and what is filled',
  properties: [orderIdField, simplifyField, collection('Options', 'options', [priceUnitField])],
  together: true,
  async execute(item) {
    const unit = priceUnitOf(item);
    const orderId = item.identifier('orderId');
    const { transport, connection } = await item.service();
    const order = await getOrder(transport, orderId, item.run.signal);
    return [
      item.output(orderOutput(order, { unit, simplify: item.flag('simplify'), environment: connection.environment })),
    ];
  },
};
