/** A basket as the list of the day's baskets shows it (specification: Basket record; wire-facts §2: Baskets). */
import { UnreadableReplyError } from '../../base/errors';
import type { BasketFields, BasketParams, BasketRecord, NamedBaskets } from '../../endpoints/baskets';
import { isIntent, legsOf } from '../../orders/model/order-record';
import type { Json } from '../../values/json';
import { numberFrom, objectFrom, textFrom, type WireRecord } from '../../values/record';
import { enumWord, withoutPrefix } from '../../values/enums';
import { isLater } from './delivered-state';
import { listedExits } from './exit-steps';
import { readOrder, readTime } from './order-record';
import type { LegFill, OrderEnd, OrderEventType, OrderSnapshot } from './types';

const ENDS: Record<string, OrderEnd> = { CLOSED: 'executed', CANCELLED: 'cancelled', REJECTED: 'rejected' };
const ACCEPTED = ['OPEN', 'FILLED', 'CLOSED', 'CANCELLED'];

/**
 * Reads the reply of `GET /orders/v2/basket`; `null` is an empty list.
 * @throws UnreadableReplyError when it is no list of baskets: an error must never look like a day without baskets.
 */
export function readDayBaskets(reply: Json): OrderSnapshot[] {
  const list = reply === null ? [] : Array.isArray(reply) ? reply : objectFrom<NamedBaskets>(reply).baskets;
  if (!Array.isArray(list))
    throw new UnreadableReplyError("The list of the day's baskets could not be read.", {
      hint: 'It is asked for again on its own.',
    });
  return list.map(readBasket);
}

/** `legs` are what the entry filled of each; the record tells nothing of the exit. */
function readBasket(record: Json): OrderSnapshot {
  const basket = objectFrom<BasketFields>(record);
  const id = textFrom(basket.basket_id);
  if (!/^\d{1,19}$/.test(id) || id === '0')
    throw new UnreadableReplyError("A record of the day's baskets has no basket_id.");
  const params = objectFrom<BasketParams>(basket.basket_params);
  const orders = legsOf(basket).map(readOrder);
  const status = withoutPrefix('BASKET_STATUS_', textFrom(basket.basket_status));
  const first = orders[0] ?? readOrder({});
  return {
    ...first,
    kind: 'strategy',
    orderId: id,
    basketId: id,
    product: withoutPrefix('ORDER_DELIVERY_TYPE_', textFrom(params.order_delivery_type)),
    orderType: 'FLEXI',
    priceType: textFrom(params.price_type),
    status,
    price: numberFrom(params.entry_price),
    averagePrice: netPrice(orders),
    triggerPrice:
      textFrom(params.momentum_trigger_price) === '' ? undefined : numberFrom(params.momentum_trigger_price),
    legs: orders.map(({ legs, side }) => ({ ...(legs[0] as LegFill), side })),
    tags: textFrom(basket.tag) === '' ? [] : [textFrom(basket.tag)],
    reason: textFrom(basket.message),
    // One that was refused may have been accepted before: then it has placed orders.
    accepted:
      ACCEPTED.includes(status) || orders.some(({ orderId, accepted }) => accepted && !['', '0'].includes(orderId)),
    entered:
      status === 'FILLED' ||
      (status === 'CLOSED' && orders.length > 0 && orders.every(({ filled, quantity }) => filled >= quantity)),
    triggered: false,
    end: enumWord(ENDS, status) ?? '',
    causes: causesOf(status, params),
    ...(isIntent(basket) ? ownOfStrategy(basket) : ownOfBasket(params, orders, first)),
  };
}

type Own = Pick<OrderSnapshot, 'side' | 'quantity' | 'filled' | 'times'> & Partial<OrderSnapshot>;

/** What only the record of a strategy tells. It is always bought, so many of its base quantity: its legs carry the direction. */
function ownOfStrategy(basket: BasketRecord): Own {
  return {
    isWhole: true,
    side: 'BUY',
    quantity: numberFrom(basket.order_qty),
    filled: numberFrom(basket.filled_qty),
    validity: withoutPrefix('VALIDITY_TYPE_', textFrom(basket.validity_type)),
    exits: listedExits(basket.exits),
    times: { ...readOrder(basket).times, accepted: '0', modified: '0', updated: readTime(basket.closed_time) },
  };
}

/** A basket has no times but those of its legs, which are created with it or after it. */
function ownOfBasket(
  params: WireRecord<BasketParams>,
  orders: readonly OrderSnapshot[],
  { times }: OrderSnapshot,
): Own {
  const units = Math.max(1, numberFrom(params.multiplier));
  return {
    side: withoutPrefix('ORDER_SIDE_', textFrom(params.order_side)),
    quantity: units,
    filled: Math.min(
      ...orders.map(({ filled, quantity }) => (quantity === 0 ? 0 : Math.floor((filled * units) / quantity))),
    ),
    times: { ...times, created: earliest(orders), accepted: '0', filled: latestFill(orders), modified: '0' },
  };
}

/** Why a basket was closed is not told: it may be each of what it was given, or a request of its owner. */
function causesOf(status: string, params: WireRecord<BasketParams>): OrderEventType[] {
  if (status !== 'CLOSED') return [];
  const causes: [Json | undefined, OrderEventType][] = [
    [params.stoploss_price, 'stopLossTriggered'],
    [params.exit_price, 'targetTriggered'],
    [params.exit_time, 'unsolicitedCancel'],
  ];
  return causes.flatMap(([given, type]) => (textFrom(given) === '' ? [] : [type]));
}

/** What one unit was entered at, paise: what is bought counts positive, what is sold negative. */
function netPrice(orders: readonly OrderSnapshot[]): number {
  const unit = orders.map(({ quantity }) => quantity).reduce(greatestCommonDivisor, 0);
  const share = ({ side, quantity, averagePrice }: OrderSnapshot): number =>
    unit === 0 ? 0 : ((side === 'SELL' ? -1 : 1) * quantity * averagePrice) / unit;
  return Math.round(orders.reduce((sum, order) => sum + share(order), 0));
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function latestFill(orders: readonly OrderSnapshot[]): string {
  return orders.reduce((latest, { times }) => (isLater(times.filled, latest) ? times.filled : latest), '0');
}

/** '0' when one of them does not tell. */
function earliest([first, ...others]: readonly OrderSnapshot[]): string {
  return others.reduce(
    (least, { times }) => (isLater(least, times.created) ? times.created : least),
    first?.times.created ?? '0',
  );
}
