import { endpoints } from '../../../../client/endpoints';
import { cancelOrder } from '../../../../client/orders/change';
import { collection, priceUnitField, priceUnitOf, simplifyField } from '../fields';
import type { ItemOperation } from '../operation';
import { cancelRehearsal, changeOutput, waitOptionsOf } from './change';
import { orderIdField, waitSecondsField } from './fields';

export const cancel: ItemOperation = {
  name: 'Cancel',
  action: 'Cancel an order',
  description:
    'Cancel an order that is not filled yet, and follow it until it is cancelled. Says so when it was filled first.',
  properties: [orderIdField, simplifyField, collection('Options', 'options', [priceUnitField, waitSecondsField])],
  async execute(item) {
    const unit = priceUnitOf(item);
    const orderId = item.identifier('orderId');
    const wait = waitOptionsOf(item);
    const service = await item.service();
    const { method, path } = endpoints.cancelOrder;
    const rehearsal = cancelRehearsal(service, { method, path: path.replace('{order_id}', orderId) });
    if (rehearsal !== undefined) return [item.output({ order_id: orderId, ...rehearsal })];
    const result = await cancelOrder(service.transport, orderId, wait);
    return [
      item.output(
        changeOutput(result, { unit, simplify: item.flag('simplify'), environment: service.connection.environment }),
      ),
    ];
  },
};
