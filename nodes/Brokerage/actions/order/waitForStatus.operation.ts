import { NetworkError } from '../../../../client/base/errors';
import { WAIT_FOR, waitForStatus as follow } from '../../../../client/orders/placing/wait-for-status';
import { isUnpricedFill, statusOf } from '../../../../client/orders/model/order-record';
import { whyUnreadableFill } from '../../../../client/orders/model/unpriced-fill';
import { statusLabel } from '../../../../client/values/labels';
import { NoPriceError } from '../../../../client/values/market-price';
import { collection, priceUnitField, simplifyField } from '../../../shared/fields';
import { choiceName } from '../../../shared/itemLabels';
import type { ItemOperation } from '../../common/operation';
import { orderIdField, waitForField } from '../../trading/orderFields';
import { followOrder } from '../../trading/orderUpdates';
import { orderOutput, outputOptions } from '../../trading/orderOutput';
import { orderContext } from '../../trading/placement';
import {
  READ_AGAIN,
  deadlineField,
  deadlineOf,
  isErrorWhenMissed,
  waitNotReachedError,
  whenMissedField,
} from '../../trading/waitFields';

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
    const deadline = deadlineOf(item);
    const failsWhenMissed = isErrorWhenMissed(item);
    const output = await outputOptions(item);
    const context = await orderContext(item.run);
    const listening = followOrder(await item.service());
    const { order, reached, timedOut, error } = await follow(orderId, until, deadline, context, listening);
    if (order === undefined)
      throw error ?? new NetworkError(`Order ${orderId} could not be read.`, { maySent: true, hint: READ_AGAIN });
    if (!reached && failsWhenMissed) {
      if (isUnpricedFill(order)) {
        const unreadable = whyUnreadableFill(order);
        throw new NoPriceError(
          unreadable === undefined
            ? `Order ${orderId} has filled, but the service had not told at which price when the wait ended.`
            : `Order ${orderId} is ${statusLabel(statusOf(order)).toLowerCase()}. ${unreadable}`,
          { parameter: 'deadlineSeconds', hint: 'Order: Get shows the price as soon as the service tells it.' },
        );
      }
      throw waitNotReachedError(
        `Order ${orderId}`,
        statusOf(order),
        choiceName([waitForField])('waitFor', until),
        timedOut ? deadline : undefined,
      );
    }
    return [item.output({ ...orderOutput(order, output), reached, timed_out: timedOut })];
  },
};
