import { InputError, NetworkError } from '../../../../client/base/errors';
import { WAIT_FOR, waitForStatus as follow } from '../../../../client/orders/placing/wait-for-status';
import { isUnpricedFill, statusOf } from '../../../../client/orders/model/order-record';
import { whyUnreadableFill } from '../../../../client/orders/model/unpriced-fill';
import { NoPriceError } from '../../../../client/values/market-price';
import { collection, priceUnitField, simplifyField } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { orderIdField, waitForField } from '../../trading/orderFields';
import { followOrder } from '../../trading/orderUpdates';
import { orderOutput, outputOptions } from '../../trading/orderOutput';
import { orderContext } from '../../trading/placement';
import { deadlineField, whenMissedField } from '../../trading/waitFields';

export const waitForStatus: ItemOperation = {
  name: 'Wait for Status',
  action: 'Wait for the status of an order',
  description: 'Wait until an order is accepted, entered, filled, exited or ended, or until the deadline',
  properties: [
    orderIdField,
    waitForField,
    deadlineField,
    simplifyField,
    collection('Options', 'options', [priceUnitField, whenMissedField]),
  ],
  async execute(item) {
    const orderId = item.identifier('orderId');
    const until = item.choice('waitFor', WAIT_FOR);
    const deadline = item.whole('deadlineSeconds', { min: 0, max: 86_400 }) * 1_000;
    const output = await outputOptions(item);
    const context = await orderContext(item.run);
    const listening = followOrder(await item.service());
    const { order, reached, timedOut, error } = await follow(orderId, until, deadline, context, listening);
    if (order === undefined) throw error ?? new NetworkError(`Order ${orderId} could not be read.`, { maySent: true });
    if (!reached && item.group('options').optionalChoice('whenMissed', ['error', 'item'] as const) === 'error') {
      if (isUnpricedFill(order)) {
        const unreadable = whyUnreadableFill(order);
        throw new NoPriceError(
          unreadable === undefined
            ? `Order ${orderId} is ${statusOf(order)} and has filled, but the service had not told at which price by the deadline.`
            : `Order ${orderId} is ${statusOf(order)}. ${unreadable}`,
          { parameter: 'deadlineSeconds', hint: 'Order: Get shows the price as soon as the service tells it.' },
        );
      }
      throw new InputError(
        `Order ${orderId} is ${statusOf(order)}, not ${until}${timedOut ? ', after the deadline' : ''}.`,
        { parameter: 'waitFor' },
      );
    }
    return [item.output({ ...orderOutput(order, output), reached, timed_out: timedOut })];
  },
};
