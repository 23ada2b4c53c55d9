import { endpoints } from '../../../../client/endpoints';
import { cancelBasket } from '../../../../client/orders/basket';
import { EXCHANGES } from '../../../../client/instruments/instrument';
import { exchangeField } from '../fields';
import type { ItemOperation } from '../operation';
import { cancelRehearsal } from '../order/change';

export const cancel: ItemOperation = {
  name: 'Cancel',
  action: 'Cancel a basket',
  description:
    'Cancel a basket that has not entered yet, or exit one that has. The answer is an acknowledgement: "Get Many" shows the result.',
  properties: [
    {
      displayName: 'Basket ID',
      name: 'basketId',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. 1763712345678901234',
      description: 'The basket_id that placing or listing gave out, as text: as a number its last digits would be lost',
    },
    { ...exchangeField, description: 'The exchange of its legs' },
  ],
  async execute(item) {
    const basketId = item.identifier('basketId');
    const exchange = item.choice('exchange', EXCHANGES);
    const service = await item.service();
    const { method, path } = endpoints.cancelBasket;
    const rehearsal = cancelRehearsal(service, { method, path: path.replace('{basket_id}', basketId) }, { exchange });
    if (rehearsal !== undefined) return [item.output({ basket_id: basketId, ...rehearsal })];
    const message = await cancelBasket(service.transport, basketId, exchange);
    return [
      item.output({ basket_id: basketId, result: 'requested', message, environment: service.connection.environment }),
    ];
  },
};
