import { cancelExit as takeOff, exitCancellation } from '../../../../client/orders/changing/change-order';
import { INTENT_EXIT_KINDS } from '../../../../client/endpoints/intent-orders';
import { collection, priceUnitField, simplifyField } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { dryRunCancel, changeOutput, waitMsOf } from '../../trading/changeContext';
import { orderIdField, waitSecondsField } from '../../trading/orderFields';
import { outputOptions } from '../../trading/orderOutput';
import { orderContext } from '../../trading/placement';

export const cancelExit: ItemOperation = {
  name: 'Cancel Exit',
  action: 'Cancel an exit of an order',
  description:
    'Take a stop loss, a trailing stop or a target off an order. The order and its other exits stay. Only with intent orders.',
  properties: [
    orderIdField,
    {
      displayName: 'Exit',
      name: 'exitKind',
      type: 'options',
      options: [
        { name: 'Stop Loss', value: 'STOPLOSS' },
        { name: 'Target', value: 'TARGET_PROFIT' },
        { name: 'Trailing Stop', value: 'TRAILING_STOP' },
      ],
      default: 'STOPLOSS',
      description: 'Which exit to take off. An exit time is changed with Modify.',
    },
    simplifyField,
    collection('Options', 'options', [priceUnitField, waitSecondsField]),
  ],
  async execute(item) {
    const orderId = item.identifier('orderId');
    const kind = item.choice('exitKind', INTENT_EXIT_KINDS);
    const waitMs = waitMsOf(item);
    const output = await outputOptions(item);
    const context = await orderContext(item.run);
    const service = await item.service();
    const exit = await exitCancellation(orderId, kind, context);
    const dryRun = await dryRunCancel(service, () => Promise.resolve(exit.request));
    if (dryRun !== undefined) return [item.output({ order_id: orderId, ...dryRun })];
    return [item.output(changeOutput(await takeOff(exit, waitMs, context), output))];
  },
};
