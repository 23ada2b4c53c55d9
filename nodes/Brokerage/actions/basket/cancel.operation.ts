import { cancelBasket } from '../../../../client/orders/changing/change-order';
import { EXCHANGES } from '../../../../client/instruments/instrument';
import type { ItemOperation } from '../../common/operation';
import { dryRunCancel } from '../../trading/changeContext';
import { orderContext } from '../../trading/placement';
import { basketIdField, legsExchangeField } from '../../trading/basketFields';

export const cancel: ItemOperation = {
  name: 'Cancel',
  action: 'Cancel a basket',
  description:
    'Cancel a basket that has not entered yet, or exit one that has. The service only acknowledges the request; "Get Many" shows the result.',
  properties: [basketIdField, legsExchangeField],
  async execute(item) {
    const basketId = item.identifier('basketId');
    const exchange = item.choice('exchange', EXCHANGES);
    const context = await orderContext(item.run);
    const requested = async () => await context.baskets.cancel(basketId, exchange, context.signal);
    const dryRun = await dryRunCancel(await item.service(), requested);
    if (dryRun !== undefined) return [item.output({ basket_id: basketId, ...dryRun })];
    const message = await cancelBasket(basketId, exchange, context);
    return [item.output({ basket_id: basketId, result: 'requested', message, environment: context.environment })];
  },
};
