import { InputError, NetworkError } from '../../../../client/errors';
import { WAIT_FOR, waitForStatus as follow } from '../../../../client/orders/wait';
import { statusOf } from '../../../../client/orders/order';
import { collection, priceUnitField, priceUnitOf, simplifyField } from '../fields';
import type { ItemOperation } from '../operation';
import { followOrder } from './desk';
import { orderIdField, waitForField } from './fields';
import { orderOutput } from './output';

export const waitForStatus: ItemOperation = {
  name: 'Wait for Status',
  action: 'Wait for the status of an order',
  description: 'Follow an order until it is accepted, filled or ended, or until a deadline',
  properties: [
    orderIdField,
    waitForField,
    {
      displayName: 'Deadline (Seconds)',
      name: 'deadlineSeconds',
      type: 'number',
      typeOptions: { minValue: 0, maxValue: 86400 },
      default: 60,
      description: 'How long to wait at most',
    },
    simplifyField,
    collection('Options', 'options', [
      priceUnitField,
      {
        displayName: 'When It Does Not Come',
        name: 'whenMissed',
        type: 'options',
        options: [
          { name: 'Give the Order as It Is', value: 'item', description: 'With reached: false' },
          { name: 'Stop With an Error', value: 'error' },
        ],
        default: 'item',
        description: 'What to do after the deadline, and when the order ended another way',
      },
    ]),
  ],
  async execute(item) {
    const unit = priceUnitOf(item);
    const orderId = item.identifier('orderId');
    const until = item.choice('waitFor', WAIT_FOR);
    const deadline = item.whole('deadlineSeconds', { min: 0, max: 86_400 }) * 1_000;
    const service = await item.service();
    const { transport, connection } = service;
    const { order, reached, timedOut, error } = await follow(
      transport,
      orderId,
      until,
      deadline,
      item.run.signal,
      followOrder(service),
    );
    if (order === undefined) throw error ?? new NetworkError(`Order ${orderId} could not be read.`, { maySent: true });
    if (!reached && item.group('options').optionalChoice('whenMissed', ['error', 'item'] as const) === 'error') {
      throw new InputError(
        `Order ${orderId} is ${statusOf(order)}, not ${until}${timedOut ? ', after the deadline' : ''}.`,
        { parameter: 'waitFor' },
      );
    }
    const record = orderOutput(order, { unit, simplify: item.flag('simplify'), environment: connection.environment });
    return [item.output({ ...record, reached, timed_out: timedOut })];
  },
};
