import { instrumentName } from '../../../../client/instruments/contract-name';
import { getNewOrder } from '../../../../client/orders/placing/read-new-order';
import { InputError } from '../../../../client/base/errors';
import { requestOutput } from '../../../../client/orders/api/order-api';
import { modifyOrder } from '../../../../client/orders/changing/modify-order';
import { entryHasEnded, exchangeOf, refIdOf } from '../../../../client/orders/model/order-record';
import { simplifyField, updateFields } from '../../../shared/fields';
import { instrumentOfRefId, tradedInstrument } from '../../../shared/lookup';
import type { ItemOperation } from '../../common/operation';
import { changeContext, changeFields, changeOutput } from '../../trading/changeContext';
import {
  conditionField,
  conditionPriceField,
  entryTimeField,
  exitTimeField,
  exitsInField,
  goodTillDateField,
  stopLossAtField,
  stopLossField,
  stopLossLimitField,
  targetField,
  targetLimitField,
  trailingJumpField,
} from '../../trading/exitFields';
import { exitRoundingOf } from '../../trading/exitForm';
import {
  legSizeField,
  orderIdField,
  orderTypeField,
  priceField,
  quantityField,
  quantityUnitField,
  triggerPriceField,
} from '../../trading/orderFields';
import { orderChangeOf, removeField, requireStopAhead } from '../../trading/modifyForm';
import { changeDryRunWords } from '../../trading/previewSummary';
import { priceSourceFields } from '../../trading/priceFields';
import { priceSourceOf, referencePrice } from '../../trading/priceForm';
import { withSessionLot } from '../../trading/sessionLot';

export const modify: ItemOperation = {
  name: 'Modify',
  action: 'Modify an order',
  description:
    'Change the quantity, prices or type of an open order, or its exits, and follow it until the change is confirmed',
  properties: [
    orderIdField,
    updateFields([
      quantityField,
      quantityUnitField,
      ...priceSourceFields,
      priceField,
      triggerPriceField,
      legSizeField,
      orderTypeField,
      conditionField,
      conditionPriceField,
      entryTimeField,
      goodTillDateField,
      exitsInField,
      stopLossField,
      stopLossAtField,
      stopLossLimitField,
      targetField,
      targetLimitField,
      trailingJumpField,
      exitTimeField,
      removeField,
    ]),
    simplifyField,
    ...changeFields,
  ],
  async execute(item) {
    const orderId = item.identifier('orderId');
    const { service, context, output, guards, waitMs } = await changeContext(item);
    const order = await getNewOrder(orderId, context);
    const listed = await instrumentOfRefId(service, refIdOf(order), exchangeOf(order), context.signal);
    if (listed === undefined) {
      throw new InputError(
        `The instrument of order ${orderId} (ref_id ${refIdOf(order)}) is not in today's instrument list.`,
        { parameter: 'orderId', hint: 'Its tick and lot size cannot be checked, so nothing was sent.' },
      );
    }
    const instrument = entryHasEnded(order) ? listed : await withSessionLot(listed, item, service);
    const traded = tradedInstrument(instrument, 'orderId');
    const { unit, environment } = output;
    const fields = item.group('updateFields');
    const source = priceSourceOf(item, fields);
    const reference = await referencePrice(source, traded, service, context.signal);
    const change = orderChangeOf(fields, order, traded, { source, reference, exitRounding: exitRoundingOf(item) });
    await requireStopAhead(fields, change, order, {
      instrument: traded,
      unit,
      transport: service.transport,
      signal: context.signal,
    });
    const result = await modifyOrder({ order, instrument: traded, change, guards, unit, waitMs }, context);
    if ('endpoint' in result)
      return [
        item.output({
          ...{ dry_run: true, order_id: orderId, would_send: requestOutput(result) },
          ...(output.hasLabels === true ? changeDryRunWords(instrumentName(traded, ''), change) : {}),
          environment,
        }),
      ];
    return [item.output(changeOutput(result, output))];
  },
};
