/** An order as the list of the day's orders shows it (specification: Order record). */
import { UnreadableReplyError } from '../../base/errors';
import { tradingSymbol } from '../../instruments/symbol';
import type { Json, JsonObject } from '../../values/json';
import { saidOf, withoutPrefix } from '../../values/words';
import { listedExits } from './exit-steps';
import type { OrderEnd, OrderSnapshot } from './types';

const ENDS: Record<string, OrderEnd> = {
  FILLED: 'executed',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
  REJECTED: 'rejected',
};
const BEFORE_EXCHANGE = ['PENDING', 'SENT', 'REJECTED'];

export const text = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
export const number = (value: Json | undefined): number => {
  const read = Number(value ?? 0);
  return Number.isFinite(read) ? read : 0;
};
/** A nanosecond time; null and the garbage of pending orders (wire-facts §3.9) are '0'. */
export const time = (value: Json | undefined): string => (/^\d{1,19}$/.test(text(value)) ? text(value) : '0');
export const object = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

/**
 * Reads the reply of `GET /orders`; `null` and an object around the list are taken as well (wire-facts §3).
 * @throws UnreadableReplyError when it is no list of orders: an error must never look like an empty day.
 */
export function readDayOrders(reply: Json): OrderSnapshot[] {
  const list = reply === null ? [] : Array.isArray(reply) ? reply : object(reply).orders;
  if (list === null) return [];
  if (!Array.isArray(list))
    throw new UnreadableReplyError("The list of the day's orders could not be read.", {
      hint: 'It is asked for again on its own.',
    });
  return list.map((record) => {
    const order = readOrder(record);
    if (!/^\d+$/.test(order.orderId)) throw new UnreadableReplyError("A record of the day's orders has no order_id.");
    return order;
  });
}

/** An order record; `orderId` is '' where it has none. */
export function readOrder(record: Json): OrderSnapshot {
  const order = object(record);
  const refData = object(order.ref_data);
  const params = object(order.algo_params);
  const orderId = text(order.order_id);
  const refId = number(order.ref_id);
  const status = withoutPrefix('ORDER_STATUS_', text(order.order_status));
  const filled = number(order.filled_qty);
  const averagePrice = number(order.avg_filled_price);
  const orderType = withoutPrefix('ORDER_TYPE_', text(order.order_type));
  const basketId = text(order.basket_id) || '0';
  return {
    kind: basketId === '0' ? 'order' : 'leg',
    orderId,
    basketId,
    instrument: {
      refId,
      exchange: text(order.exchange) || text(refData.exchange),
      symbol: tradingSymbol(text(refData.stock_name), text(refData.plat_name)),
      asset: text(refData.asset),
      platName: text(refData.plat_name),
      displayName: text(order.display_name),
    },
    side: withoutPrefix('ORDER_SIDE_', text(order.order_side)),
    product: withoutPrefix('ORDER_DELIVERY_TYPE_', text(order.order_delivery_type)),
    orderType,
    priceType: text(order.price_type),
    validity: text(order.validity_type),
    status,
    quantity: number(order.order_qty),
    filled,
    price: number(order.order_price),
    averagePrice,
    triggerPrice: orderType === 'STOPLOSS' ? number(params.trigger_price ?? order.trigger_price) : undefined,
    legs: [{ refId, filled, averagePrice }],
    tags: text(order.tag) === '' ? [] : [text(order.tag)],
    ...(basketId === '0' && Array.isArray(order.exits) ? { exits: listedExits(order.exits) } : {}),
    reason: text(order.reason) || text(order.rejection_msg) || text(order.message),
    accepted: !BEFORE_EXCHANGE.includes(status) || filled > 0,
    triggered: status === 'TRIGGERED' || (orderType === 'STOPLOSS' && filled > 0),
    end: saidOf(ENDS, status) ?? '',
    times: {
      created: time(order.order_time),
      accepted: time(order.ack_time),
      filled: time(order.filled_time),
      cancelled: '0',
      modified: time(order.last_modified),
      updated: '0',
    },
    source: 'orders',
  };
}
