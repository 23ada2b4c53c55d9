import type { INodeProperties } from 'n8n-workflow';
import { endpoints } from '../../../../client/endpoints';
import { InputError } from '../../../../client/errors';
import { modifyBody, modifyOrder, type OrderChange } from '../../../../client/orders/change';
import {
  ORDER_KINDS,
  PRICE_TYPES,
  PRODUCTS,
  SIDES,
  VALIDITIES,
  numberOf,
  orderIdOf,
  type OrderKind,
  type OrderRecord,
  type OrderTerms,
} from '../../../../client/orders/order';
import { getOrder } from '../../../../client/orders/read';
import { checkRules } from '../../../../client/orders/rules';
import { asObject } from '../../../../client/values/json';
import { collection, priceUnitField, priceUnitOf, simplifyField } from '../fields';
import type { ItemContext } from '../itemContext';
import { instrumentOfRefId, tradedInstrument } from '../lookup';
import type { ItemOperation } from '../operation';
import { changeOutput, requireAllowed, waitOptionsOf } from './change';
import { placementContext, passGuards, release } from './desk';
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
import { guardsOf, isDryRun, safetyField } from './safety';
import { unitsOf } from './terms';

const optional = (field: INodeProperties): INodeProperties => ({
  ...field,
  required: undefined,
  displayOptions: undefined,
});

/** What the person wants to be different. @throws InputError when it is nothing, or no number. */
function changeOf(item: ItemContext, lotSize: number): OrderChange {
  const unit = priceUnitOf(item);
  const fields = item.group('updateFields');
  const change: OrderChange = {
    ...(fields.has('quantity') ? { quantity: unitsOf(fields, 'quantity', lotSize) } : {}),
    ...(fields.has('price') ? { price: fields.price('price', unit) } : {}),
    ...(fields.has('triggerPrice') ? { triggerPrice: fields.price('triggerPrice', unit) } : {}),
    ...(fields.has('legSize') ? { legSize: unitsOf(fields, 'legSize', lotSize) } : {}),
    ...(fields.has('orderType') ? { kind: fields.choice('orderType', ORDER_KINDS) } : {}),
  };
  if (Object.keys(change).length === 0)
    throw new InputError('Nothing is to be changed.', {
      parameter: 'updateFields',
      hint: 'Add the fields that should be different.',
    });
  return change;
}

/** The last of the words that ends a word of the service: ORDER_SIDE_BUY → BUY. */
function wordOf<T extends string>(value: unknown, words: readonly T[], otherwise: T): T {
  return words.find((word) => value === word || (typeof value === 'string' && value.endsWith(`_${word}`))) ?? otherwise;
}

/** The order as it will be after the change, so that the rules can be checked on the whole of it. */
function termsAfter(order: OrderRecord, change: OrderChange): OrderTerms {
  const algo = asObject(order.algo_params) ?? {};
  const kind: OrderKind = change.kind ?? wordOf(order.order_type, ORDER_KINDS, 'REGULAR');
  return {
    refId: numberOf(order.ref_id),
    kind,
    side: wordOf(order.order_side, SIDES, 'BUY'),
    product: wordOf(order.order_delivery_type, PRODUCTS, 'CNC'),
    validity: wordOf(order.validity_type, VALIDITIES, 'DAY'),
    priceType: change.price === undefined ? wordOf(order.price_type, PRICE_TYPES, 'LIMIT') : 'LIMIT',
    quantity: change.quantity ?? numberOf(order.order_qty),
    price: change.price ?? numberOf(order.order_price),
    triggerPrice: change.triggerPrice ?? (numberOf(algo.trigger_price) || numberOf(order.trigger_price)),
    legSize: change.legSize ?? (numberOf(algo.leg_size) || numberOf(order.leg_size)),
  };
}

/** A field that orders of this type do not have would be sent, and change nothing. @throws InputError */
function requireOfItsType(order: OrderRecord, change: OrderChange): void {
  const kind = change.kind ?? ORDER_KINDS.find((word) => order.order_type === `ORDER_TYPE_${word}`);
  const isOther = (wanted: OrderKind): boolean => kind !== undefined && kind !== wanted;
  if (change.triggerPrice !== undefined && isOther('STOPLOSS')) {
    throw new InputError('This order has no trigger price: it is no stop-loss order.', {
      parameter: 'triggerPrice',
      hint: 'Remove the field, or change the order type to Stop Loss too.',
    });
  }
  if (change.legSize !== undefined && isOther('ICEBERG')) {
    throw new InputError('This order has no leg size: it is no iceberg.', {
      parameter: 'legSize',
      hint: 'Remove the field, or change the order type to Iceberg too.',
    });
  }
}

export const modify: ItemOperation = {
  name: 'Modify',
  action: 'Modify an order',
  description:
    'Change quantity, prices or type of an order that is not filled yet, and follow it until the change is there',
  properties: [
    orderIdField,
    collection(
      'Update Fields',
      'updateFields',
      [quantityField, quantityUnitField, priceField, triggerPriceField, legSizeField, orderTypeField].map(optional),
    ),
    simplifyField,
    collection('Options', 'options', [priceUnitField, waitSecondsField]),
    safetyField,
  ],
  async execute(item) {
    const unit = priceUnitOf(item);
    const orderId = item.identifier('orderId');
    const wait = waitOptionsOf(item);
    const service = await item.service();
    const { environment } = service.connection;
    const guards = guardsOf(item, service);
    if (!isDryRun(guards)) requireAllowed(service);
    const { signal } = item.run;
    const order = await getOrder(service.transport, orderId, signal);
    const exchange = String(asObject(order.ref_data)?.exchange ?? order.exchange ?? '');
    const instrument = await instrumentOfRefId(service, numberOf(order.ref_id), exchange, signal);
    if (instrument === undefined) {
      throw new InputError(
        `The instrument of order ${orderId} (ref_id ${numberOf(order.ref_id)}) is not in today's instrument list.`,
        { parameter: 'orderId', hint: 'Its tick and lot size cannot be checked, so that nothing was sent.' },
      );
    }
    const change = changeOf(item, instrument.lotSize);
    requireOfItsType(order, change);
    const terms = termsAfter(order, change);
    const traded = tradedInstrument(instrument, 'orderId');
    checkRules(terms, traded, unit);
    const context = placementContext(service, signal);
    await passGuards(item, service, guards, { terms, traded, tag: orderIdOf(order), replaces: order }, context);
    release(context, orderIdOf(order));
    if (isDryRun(guards)) {
      const { method } = endpoints.modifyOrder;
      const path = endpoints.modifyOrder.path.replace('{order_id}', orderId);
      return [
        item.output({
          dry_run: true,
          order_id: orderId,
          would_send: { method, path, body: modifyBody(order, change, instrument.exchange) },
          environment,
        }),
      ];
    }
    const result = await modifyOrder(service.transport, order, orderId, change, instrument.exchange, wait);
    return [item.output(changeOutput(result, { unit, simplify: item.flag('simplify'), environment }))];
  },
};
