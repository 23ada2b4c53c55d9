/** An order as the list of the day's orders shows it (specification: Order record). */
import { UnreadableReplyError } from '../../base/errors';
import type { NamedOrders, OrderFields } from '../../endpoints/orders';
import { tradingSymbol } from '../../instruments/symbol';
import type { Json } from '../../values/json';
import { numberFrom, objectFrom, recordIn, textFrom, textIn } from '../../values/record';
import { enumWord, withoutPrefix } from '../../values/enums';
import { listedExits } from './exit-steps';
import type { OrderEnd, OrderSnapshot } from './types';

/** Identifiers have up to 19 digits; 0 is none. */
const IDENTIFIER = /^\d{1,19}$/;

const ENDS: Record<string, OrderEnd> = {
  FILLED: 'executed',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
  REJECTED: 'rejected',
};
const BEFORE_EXCHANGE = ['PENDING', 'SENT', 'REJECTED'];

/** A nanosecond time; null and the garbage of pending orders (wire-facts §3.9) are '0'. */
export const readTime = (value: Json | undefined): string => (IDENTIFIER.test(textFrom(value)) ? textFrom(value) : '0');

/**
 * Reads the reply of `GET /orders`; `null` and an object around the list are taken as well (wire-facts §3).
 * @throws UnreadableReplyError when it is no list of orders: an error must never look like an empty day.
 */
export function readDayOrders(reply: Json): OrderSnapshot[] {
  const list = reply === null ? [] : Array.isArray(reply) ? reply : objectFrom<NamedOrders>(reply).orders;
  if (list === null) return [];
  if (!Array.isArray(list))
    throw new UnreadableReplyError("The list of the day's orders could not be read.", {
      hint: 'It is asked for again on its own.',
    });
  return list.map((record) => {
    const order = readOrder(record);
    if (!IDENTIFIER.test(order.orderId))
      throw new UnreadableReplyError("A record of the day's orders has no order_id.");
    if (!IDENTIFIER.test(order.basketId))
      throw new UnreadableReplyError("A record of the day's orders has a basket_id that is not digits.");
    return order;
  });
}

/** An order record; `orderId` is '' where it has none. */
export function readOrder(record: Json): OrderSnapshot {
  const order = objectFrom<OrderFields>(record);
  const refData = recordIn(order, 'ref_data');
  const params = recordIn(order, 'algo_params');
  const orderId = textFrom(order.order_id);
  const refId = numberFrom(order.ref_id);
  const status = withoutPrefix('ORDER_STATUS_', textFrom(order.order_status));
  const filled = numberFrom(order.filled_qty);
  const averagePrice = numberFrom(order.avg_filled_price);
  const orderType = withoutPrefix('ORDER_TYPE_', textFrom(order.order_type));
  const basketId = textFrom(order.basket_id) || '0';
  return {
    kind: basketId === '0' ? 'order' : 'leg',
    orderId,
    basketId,
    instrument: {
      refId,
      exchange: textFrom(order.exchange) || textIn(refData, 'exchange'),
      symbol: tradingSymbol(textIn(refData, 'stock_name'), textIn(refData, 'plat_name')),
      asset: textIn(refData, 'asset'),
      platName: textIn(refData, 'plat_name'),
      displayName: textFrom(order.display_name),
    },
    side: withoutPrefix('ORDER_SIDE_', textFrom(order.order_side)),
    product: withoutPrefix('ORDER_DELIVERY_TYPE_', textFrom(order.order_delivery_type)),
    orderType,
    priceType: textFrom(order.price_type),
    validity: textFrom(order.validity_type),
    status,
    quantity: numberFrom(order.order_qty),
    filled,
    price: numberFrom(order.order_price),
    averagePrice,
    triggerPrice: orderType === 'STOPLOSS' ? numberFrom(params?.trigger_price ?? order.trigger_price) : undefined,
    legs: [{ refId, filled, averagePrice }],
    tags: textFrom(order.tag) === '' ? [] : [textFrom(order.tag)],
    ...(basketId === '0' && Array.isArray(order.exits) ? { exits: listedExits(order.exits) } : {}),
    reason: textFrom(order.reason) || textFrom(order.rejection_msg) || textFrom(order.message),
    accepted: !BEFORE_EXCHANGE.includes(status) || filled > 0,
    triggered: status === 'TRIGGERED' || (orderType === 'STOPLOSS' && filled > 0),
    end: enumWord(ENDS, status) ?? '',
    times: {
      created: readTime(order.order_time),
      accepted: readTime(order.ack_time),
      filled: readTime(order.filled_time),
      cancelled: '0',
      modified: readTime(order.last_modified),
      updated: '0',
    },
    source: 'orders',
  };
}
