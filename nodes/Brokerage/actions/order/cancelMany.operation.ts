import type { INodeExecutionData } from 'n8n-workflow';
import { cancelOrders } from '../../../../client/orders/changing/change-order';
import { readGuards } from '../../../../client/orders/model/guard-settings';
import { collection, priceUnitField, simplifyField } from '../../../shared/fields';
import { ItemContext } from '../../common/itemContext';
import type { BatchOperation } from '../../common/operation';
import { dryRunCancel, changeOutput, requireAllowed, waitMsOf } from '../../trading/changeContext';
import { orderIdField, waitSecondsField } from '../../trading/orderFields';
import { outputOptions } from '../../trading/orderOutput';
import { orderContext } from '../../trading/placement';

const inOrder = (output: Map<number, INodeExecutionData>): INodeExecutionData[] =>
  [...output].sort(([a], [b]) => a - b).map(([, made]) => made);

export const cancelMany: BatchOperation = {
  name: 'Cancel Many',
  action: 'Cancel many orders',
  description: 'Cancel one order for each input item in a single request, and follow each until it is cancelled',
  properties: [orderIdField, simplifyField, collection('Options', 'options', [priceUnitField, waitSecondsField])],
  async executeAll(run, failed) {
    const output = new Map<number, INodeExecutionData>();
    const items = new Map<string, ItemContext[]>();
    for (const index of run.functions.getInputData().keys()) {
      const item = new ItemContext(run, index);
      try {
        const orderId = item.identifier('orderId');
        items.set(orderId, [...(items.get(orderId) ?? []), item]);
      } catch (error) {
        output.set(index, failed(error, index));
      }
    }
    const first = [...items.values()][0]?.[0];
    if (first !== undefined) {
      const orderIds = [...items.keys()];
      const context = await orderContext(run);
      const service = await run.service();
      if (readGuards(service.credential).dryRun) {
        const { requests } = await context.orders.cancelSeveral(orderIds, context.signal);
        for (const [orderId, same] of items) {
          const mine = requests.find((request) => request.orderIds.includes(orderId))?.request;
          const dryRun = await dryRunCancel(service, () => Promise.resolve(mine));
          for (const item of same) output.set(item.index, item.output({ order_id: orderId, ...dryRun }));
        }
        return inOrder(output);
      }
      requireAllowed(service);
      for (const change of await cancelOrders(orderIds, waitMsOf(first), context)) {
        for (const item of items.get(change.orderId) ?? []) {
          try {
            output.set(item.index, item.output(changeOutput(change, await outputOptions(item))));
          } catch (error) {
            output.set(item.index, failed(error, item.index));
          }
        }
      }
    }
    return inOrder(output);
  },
};
