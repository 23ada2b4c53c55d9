import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../../client/base/errors';
import { isDryRun } from '../../../../client/orders/guard-settings';
import { shown } from '../../../../client/orders/order-interface';
import { modifyOrder } from '../../../../client/orders/modify';
import { ORDER_KINDS, type OrderChange, type TradedInstrument } from '../../../../client/orders/order';
import type { OrderRecord } from '../../../../client/endpoints/orders';
import { exchangeOf, refIdOf } from '../../../../client/orders/record';
import { collection, priceUnitField, priceUnitOf, simplifyField } from '../../common/fields';
import type { ItemContext } from '../../common/itemContext';
import { instrumentOfRefId, tradedInstrument } from '../../common/lookup';
import type { ItemOperation } from '../../common/operation';
import { changeOutput, requireAllowed, waitMsOf } from './change';
import {
  conditionField,
  conditionPriceField,
  entryTimeField,
  exitTimeField,
  exitsInField,
  goodTillDateField,
  stopLossField,
  stopLossLimitField,
  targetField,
  targetLimitField,
  trailingJumpField,
} from './exitFields';
import { entryChangeOf, exitChangeOf } from './exitTerms';
import {
  legSizeField,
  orderIdField,
  orderTypeField,
  priceField,
  quantityField,
  quantityUnitField,
  triggerPriceField,
  waitSecondsField,
} from './fields';
import { outputOptions } from './output';
import { placementContext } from './placement';
import { guardsOf, safetyField } from './safety';
import { unitsOf } from './terms';

const optional = (field: INodeProperties): INodeProperties => ({
  ...field,
  required: undefined,
  displayOptions: undefined,
});

/** What the person wants to be different. @throws InputError when it is nothing, or no number. */
function changeOf(item: ItemContext, order: OrderRecord, { lotSize, tickSize }: TradedInstrument): OrderChange {
  const unit = priceUnitOf(item);
  const fields = item.group('updateFields');
  const change: OrderChange = {
    ...(fields.has('quantity') ? { quantity: unitsOf(fields, 'quantity', lotSize) } : {}),
    ...(fields.has('price') ? { price: fields.price('price', unit) } : {}),
    ...(fields.has('triggerPrice') ? { triggerPrice: fields.price('triggerPrice', unit) } : {}),
    ...(fields.has('legSize') ? { legSize: unitsOf(fields, 'legSize', lotSize) } : {}),
    ...(fields.has('orderType') ? { kind: fields.choice('orderType', ORDER_KINDS) } : {}),
    ...entryChangeOf(fields, unit),
    ...exitChangeOf(fields, order, tickSize, unit),
  };
  if (Object.keys(change).length === 0)
    throw new InputError('Nothing is to be changed.', {
      parameter: 'updateFields',
      hint: 'Add the fields that should be different.',
    });
  return change;
}

export const modify: ItemOperation = {
  name: 'Modify',
  action: 'Modify an order',
  description:
    'Change the quantity, prices or type of an open order, or its exits, and follow it until the change is confirmed',
  properties: [
    orderIdField,
    collection(
      'Update Fields',
      'updateFields',
      [
        quantityField,
        quantityUnitField,
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
        stopLossLimitField,
        targetField,
        targetLimitField,
        trailingJumpField,
        exitTimeField,
      ].map(optional),
    ),
    simplifyField,
    collection('Options', 'options', [priceUnitField, waitSecondsField]),
    safetyField,
  ],
  async execute(item) {
    const orderId = item.identifier('orderId');
    const waitMs = waitMsOf(item);
    const output = await outputOptions(item);
    const service = await item.service();
    const guards = guardsOf(item, service);
    if (!isDryRun(guards)) requireAllowed(service);
    const context = await placementContext(item.run);
    const order = await context.orders.get(orderId, context.signal);
    const instrument = await instrumentOfRefId(service, refIdOf(order), exchangeOf(order), context.signal);
    if (instrument === undefined) {
      throw new InputError(
        `The instrument of order ${orderId} (ref_id ${refIdOf(order)}) is not in today's instrument list.`,
        { parameter: 'orderId', hint: 'Its tick and lot size cannot be checked, so that nothing was sent.' },
      );
    }
    const traded = tradedInstrument(instrument, 'orderId');
    const change = changeOf(item, order, traded);
    const { unit, environment } = output;
    const result = await modifyOrder({ order, instrument: traded, change, guards, unit, waitMs }, context);
    if ('endpoint' in result)
      return [item.output({ dry_run: true, order_id: orderId, would_send: shown(result), environment })];
    return [item.output(changeOutput(result, output))];
  },
};
