import { cancelOrder } from '../../../../client/orders/changing/change-order';
import { collection, priceUnitField, simplifyField } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { dryRunCancel, changeOutput, waitMsOf } from '../../trading/changeContext';
import { orderIdField, waitSecondsField } from '../../trading/orderFields';
import { outputOptions } from '../../trading/orderOutput';
import { orderContext } from '../../trading/placement';

export const cancel: ItemOperation = {
  name: 'Cancel',
  action: 'Cancel an order',
  description:
    'Cancel an order that is not filled yet, and follow it until it is cancelled. If it was filled first, the error says so.',
  properties: [orderIdField, simplifyField, collection('Options', 'options', [priceUnitField, waitSecondsField])],
  async execute(item) {
    const orderId = item.identifier('orderId');
    const waitMs = waitMsOf(item);
    const output = await outputOptions(item);
    const context = await orderContext(item.run);
    const requested = async () => (await context.orders.cancel(orderId, context.signal)).requests[0]?.request;
    const dryRun = await dryRunCancel(await item.service(), requested);
    if (dryRun !== undefined) return [item.output({ order_id: orderId, ...dryRun })];
    return [item.output(changeOutput(await cancelOrder(orderId, waitMs, context), output))];
  },
};
