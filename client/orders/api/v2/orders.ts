/** Orders as the specification's paths speak of them (docs/service/orders-v2.md#order-requests, docs/service/orders-v2.md#single-order-body). */
import { endpoints } from '../../../endpoints';
import type {
  MarginBody,
  MarginReply,
  ModifyOrderBody,
  NamedOrders,
  OrderRecord,
  OrderReply,
  SingleOrderBody,
} from '../../../endpoints/orders';
import { ServiceError, UnreadableReplyError } from '../../../base/errors';
import type { Transport } from '../../../transport';
import type { Json } from '../../../values/json';
import { asRecord, recordIn, textFrom, unitsAt, type Unchecked, type WireRecord } from '../../../values/record';
import { redact } from '../../../values/redact';
import { ordersOnce } from '../each-once';
import { matchRecords } from '../match-reply';
import { requireWholeList } from '../whole-list';
import type { OrderChange, OrderKind, OrderTerms } from '../../model/order-terms';
import { toV2Terms, unsupportedByV2, requireV2Change } from './limits';
import {
  kindOf,
  legSizeOf,
  orderIdOf,
  orderInReply,
  ordersInReply,
  quantityOf,
  triggerPriceOf,
} from '../../model/order-record';
import { checked, requireOrderUnits } from '../../model/record-units';
import { requestTo, type Cancellations, type OrderPlacing, type ServiceRequest, type TaggedTerms } from '../order-api';

/** The orders of an account by the specification's paths. */
export function ordersV2(transport: Transport): OrderPlacing {
  const get = async (orderId: string, signal?: AbortSignal): Promise<OrderRecord> => {
    const record = orderInReply(await transport.call(endpoints.order, { path: { order_id: orderId }, signal }));
    if (record === undefined) throw new UnreadableReplyError(`The service gave no record for order ${orderId}.`);
    requireOrderUnits(record);
    transport.account.require([record.client_code], 'record of an order');
    return record;
  };
  return {
    requirePossible: async (terms) => void toV2Terms(terms),
    splits: async () => false,
    place: async ({ terms, tag }) => requestTo(endpoints.placeOrder, { body: orderBody(terms, tag), orders: 1 }),
    placeSeveral: async (requested) =>
      requestTo(endpoints.placeOrders, {
        body: { orders: requested.map(({ terms, tag }) => orderBody(terms, tag)) },
        orders: requested.length,
      }),
    matchReply,
    list: async (signal, odd = 'refused') => {
      const reply = await transport.call(endpoints.orders, { signal });
      const records = ordersInReply(reply);
      if (records === undefined)
        throw new UnreadableReplyError("The service's list of the day's orders cannot be read.");
      requireWholeList(reply, records.length);
      transport.account.require(
        records.map(({ client_code: code }) => code),
        "list of the day's orders",
      );
      return ordersOnce(records.map((record) => checked(record, odd, () => requireOrderUnits(record))));
    },
    get,
    reread: async (record, signal) => await get(orderIdOf(record), signal),
    modify: (order, change, exchange) => {
      requireV2Change(change);
      return requestTo(endpoints.modifyOrder, {
        path: { order_id: orderIdOf(order) },
        body: modifyBody(order, change, exchange),
        orders: 1,
      });
    },
    cancel: async (orderId) =>
      cancellation([orderId], requestTo(endpoints.cancelOrder, { path: { order_id: orderId } })),
    cancelSeveral: async (orderIds) => ({ requests: [oneCancellation(orderIds)], ended: [], baskets: [], unseen: [] }),
    endAll: (orders) => (orders.length === 0 ? [] : [oneCancellation(orders.map(orderIdOf))]),
    cancelExit: () => {
      throw unsupportedByV2('an exit on an order', 'orderId');
    },
    reportsAuthorisation: async () => await Promise.resolve(false),
    preview: async (orders, { withPortfolio, signal }) =>
      readMargin(await transport.call(endpoints.marginRequired, { body: marginBody(orders, withPortfolio), signal })),
  };
}

/** All with one request. */
function cancellation(orderIds: readonly string[], request: ServiceRequest): Cancellations {
  return { requests: [{ orderIds, request }], ended: [], baskets: [], unseen: [] };
}

/** Several with one request, which the service takes as a whole or not at all. */
function oneCancellation(orderIds: readonly string[]): Cancellations['requests'][number] {
  const body = { orders: orderIds.map((order_id) => ({ order_id })) };
  return { orderIds, request: requestTo(endpoints.cancelOrders, { body }) };
}

/** See docs/service/orders-v2.md#single-order-body. */
export function orderBody(requested: OrderTerms, tag: string): SingleOrderBody {
  const terms = toV2Terms(requested);
  const algo: SingleOrderBody['algo_params'] = {
    ...(terms.kind === 'STOPLOSS' ? { trigger_price: terms.triggerPrice } : {}),
    ...(terms.kind === 'ICEBERG' ? { leg_size: terms.legSize } : {}),
  };
  return {
    ref_id: terms.instrument.refId,
    order_type: `ORDER_TYPE_${terms.kind}`,
    order_qty: terms.quantity,
    order_side: `ORDER_SIDE_${terms.side}`,
    order_delivery_type: `ORDER_DELIVERY_TYPE_${terms.product}`,
    validity_type: terms.validity,
    price_type: terms.priceType,
    ...(terms.priceType === 'LIMIT' ? { order_price: terms.price } : {}),
    tag,
    ...(Object.keys(algo).length === 0 ? {} : { algo_params: algo }),
  };
}

/**
 * Returns the body of a change (docs/service/orders-v2.md#modify-order). The service wants the whole order again, changed and unchanged
 * fields, but only those that the new type of order has: it refuses an obsolete trigger price or leg size, and a figure of 0.
 * @throws UnreadableReplyError if the price of the order cannot be read: left out, it would be another one.
 */
export function modifyBody(order: OrderRecord, change: OrderChange, exchange: string): ModifyOrderBody {
  const kind = change.kind ?? kindOf(order);
  const may = (of: OrderKind): boolean => kind === undefined || kind === of;
  const price = change.price ?? unitsAt(order, 'order_price');
  const trigger = may('STOPLOSS') ? (change.triggerPrice ?? figureOf(order, kind, 'trigger_price')) : 0;
  const leg = may('ICEBERG') ? (change.legSize ?? figureOf(order, kind, 'leg_size')) : 0;
  const algo: NonNullable<ModifyOrderBody['algo_params']> = {
    ...(trigger === 0 ? {} : { trigger_price: trigger }),
    ...(leg === 0 ? {} : { leg_size: leg }),
  };
  return {
    order_qty: change.quantity ?? quantityOf(order),
    ...(price === 0 ? {} : { order_price: price }),
    exchange,
    order_type: kind === undefined ? textFrom(order.order_type ?? 'ORDER_TYPE_REGULAR') : `ORDER_TYPE_${kind}`,
    ...(Object.keys(algo).length === 0 ? {} : { algo_params: algo }),
  };
}

/**
 * Returns the trigger price (paise) or the leg size (units) of an order; 0 for none.
 * @throws UnreadableReplyError if an order of this kind has one that cannot be read: it would be changed to one without
 */
function figureOf(order: OrderRecord, kind: OrderKind | undefined, name: 'trigger_price' | 'leg_size'): number {
  if (kind !== undefined && kind === kindOf(order)) {
    unitsAt(order, name);
    unitsAt(recordIn(order, 'algo_params') ?? {}, name);
  }
  return name === 'trigger_price' ? triggerPriceOf(order) : legSizeOf(order);
}

function matchReply(requested: readonly TaggedTerms<OrderTerms>[], reply: Json): Map<string, OrderRecord> {
  const single = asRecord<OrderReply & NamedOrders>(reply);
  const only = requested.length === 1 && single?.orders === undefined ? orderInReply(reply) : undefined;
  return matchRecords(requested, only === undefined ? (ordersInReply(reply) ?? []) : [only]);
}

/** See docs/service/orders-v2.md#margin. */
function marginBody(orders: readonly OrderTerms[], withPortfolio: boolean): MarginBody {
  return {
    with_portfolio: withPortfolio,
    with_legs: orders.length > 1,
    is_basket: false,
    order_req: {
      exchange: orders[0]?.instrument.exchange ?? '',
      orders: orders.map((terms) => ({ ...orderBody(terms, ''), request_type: 'ORDER_REQUEST_NEW' as const })),
    },
  };
}

/** The service's refusal comes inside a 200, as `message` and `code`: it is an error here. */
function readMargin(reply: Unchecked<MarginReply>): WireRecord<MarginReply> {
  const margin = asRecord(reply);
  if (margin === undefined) throw new UnreadableReplyError("The service's answer about the margin cannot be read.");
  if (typeof margin.total_margin === 'number') return margin;
  const text = typeof margin.message === 'string' ? redact(margin.message) : '';
  throw new ServiceError(`The service could not work out the margin.${text === '' ? '' : ` It said: ${text}`}`, {
    status: 200,
    serviceText: text,
  });
}
