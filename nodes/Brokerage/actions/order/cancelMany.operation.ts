import type { INodeExecutionData } from 'n8n-workflow';
import { endpoints } from '../../../../client/endpoints';
import { cancelBody, cancelOrders } from '../../../../client/orders/change';
import { collection, priceUnitField, priceUnitOf, simplifyField } from '../fields';
import { ItemContext } from '../itemContext';
import type { BatchOperation } from '../operation';
import { cancelRehearsal, changeOutput, waitOptionsOf } from './change';
import { orderIdField, waitSecondsField } from './fields';

const inOrder = (output: Map<number, INodeExecutionData>): INodeExecutionData[] =>
  [...output].sort(([a], [b]) => a - b).map(([, made]) => made);

export const cancelMany: BatchOperation = {
  name: 'Cancel Many',
  action: 'Cancel many orders',
  description: 'Cancel one order for each input item, all with one request, and follow each until it is cancelled',
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
      const service = await run.service();
      const rehearsal = cancelRehearsal(service, endpoints.cancelOrders, cancelBody([...items.keys()]));
      if (rehearsal !== undefined) {
        for (const [orderId, same] of items)
          for (const item of same) output.set(item.index, item.output({ order_id: orderId, ...rehearsal }));
        return inOrder(output);
      }
      for (const change of await cancelOrders(service.transport, [...items.keys()], waitOptionsOf(first))) {
        for (const item of items.get(change.orderId) ?? []) {
          try {
            const options = {
              unit: priceUnitOf(item),
              simplify: item.flag('simplify'),
              environment: service.connection.environment,
            };
            output.set(item.index, item.output(changeOutput(change, options)));
          } catch (error) {
            output.set(item.index, failed(error, item.index));
          }
        }
      }
    }
    return inOrder(output);
  },
};
