/** The one reader of baskets as the day's list shows them, of both interfaces (docs/service/baskets.md#basket-record, docs/service/baskets.md#basket-requests). */
import { priceSum } from '../../values/contract-value';
import type { BasketParams, BasketRecord, BasketReply, NamedBaskets } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { asList, asObject, type Json, type JsonObject } from '../../values/json';
import { netPriceIn } from '../../values/market-price';
import { asRecord, paiseFrom, recordIn, textFrom, type Unchecked, type WireRecord } from '../../values/record';
import { enumWord, withoutPrefix } from '../../values/enums';
import {
  exitsOf,
  exitViewsOf,
  identifierIn,
  isIntent,
  isUnpricedFill,
  priceTypeOf,
  productOf,
  readOrder,
  reasonOf,
  sideOf,
  tagOf,
  timesOf,
  unitsIn,
  validityOf,
} from './order-record';
import { withoutId } from './missing-id';
import { requireSize } from './record-size';
import {
  isLater,
  tagsFrom,
  timeFrom,
  type LegFill,
  type OrderEnd,
  type OrderEventType,
  type OrderSnapshot,
} from './order-snapshot';
import { statusFrom } from './order-status';
import type { PriceType, Product, Side } from './order-terms';
import { basketWithNames } from './record-names';

const ENDS: Record<string, OrderEnd> = { CLOSED: 'executed', CANCELLED: 'cancelled', REJECTED: 'rejected' };
const ACCEPTED = ['OPEN', 'FILLED', 'CLOSED', 'CANCELLED'];

/** The baskets in a list: bare, under its name, one basket alone, or null for none; undefined for anything else. */
export function basketsInReply(reply: Json): BasketRecord[] | undefined {
  const object = asRecord<NamedBaskets>(reply);
  const isOne = object !== undefined && basketIdOf(basketWithNames(object as JsonObject)) !== '';
  const inner = object === undefined || isOne ? reply : object.baskets;
  const list = isOne ? [reply] : inner === undefined ? undefined : asList(inner);
  const records = list?.map((value) => asObject(value));
  return records?.every((record) => record !== undefined) ? records.map(basketWithNames) : undefined;
}

/** Returns the record in a reply about one basket: bare, or below `basket`; undefined if it is no object. */
export function basketInReply(reply: Unchecked<BasketReply>): BasketRecord | undefined {
  const object = asRecord(reply);
  const record: BasketRecord | undefined = recordIn(object, 'basket') ?? object;
  return record === undefined ? undefined : basketWithNames(record as JsonObject);
}

/** The id of a basket as decimal text; '' when it has none. */
export function basketIdOf(basket: BasketRecord): string {
  return identifierIn(basket.basket_id);
}

/** The words of orders that baskets do not have. */
const OF_BASKETS: Readonly<Record<string, string>> = {
  PARTIAL_FILLED: 'OPEN',
  TRIGGERED: 'OPEN',
  EXPIRED: 'CANCELLED',
};

/** The status of a basket in its words, by that of an order. @param status as `statusFrom` gives it. */
export function basketStatusFrom(status: string): string {
  return enumWord(OF_BASKETS, status) ?? status;
}

/** The status of a basket without its prefix: OPEN, FILLED, CLOSED, …; '' when it is missing. */
export function basketStatusOf(basket: BasketRecord): string {
  return basketStatusFrom(statusFrom(textFrom(basket.basket_status)));
}

const BASKET_OVER: ReadonlySet<string> = new Set(['CANCELLED', 'CLOSED', 'REJECTED']);

/** Returns true if a basket may still trade by itself: it has not entered completely, or an exit will close it. */
export function isBasketLive(basket: BasketRecord): boolean {
  const status = basketStatusOf(basket);
  if (BASKET_OVER.has(status)) return false;
  if (status !== 'FILLED' || !isIntent(basket)) return true;
  return exitsOf(basket).some((exit) => exit.status === 'OPEN' || exit.status === 'TRIGGERED');
}

/** The side of a basket as a whole; undefined if the record does not tell. */
export function basketSideOf(basket: BasketRecord): Side | undefined {
  return sideOf({ order_side: paramsOf(basket)?.order_side ?? null });
}

/** The product of a basket as a whole; undefined if the record does not tell. */
export function basketProductOf(basket: BasketRecord): Product | undefined {
  return productOf({ order_delivery_type: paramsOf(basket)?.order_delivery_type ?? null });
}

/** The price type of a basket as a whole; undefined if the record does not tell. */
export function basketPriceTypeOf(basket: BasketRecord): PriceType | undefined {
  return priceTypeOf({ price_type: paramsOf(basket)?.price_type ?? null });
}

/** Returns the terms of entry and exit of a basket; undefined if the record has none. */
export function paramsOf(basket: BasketRecord): WireRecord<BasketParams> | undefined {
  return recordIn(basket, 'basket_params');
}

/** The legs of a basket: a list, or an object keyed by ref_id (docs/service/baskets.md#basket-requests). */
export function legsOf(basket: BasketRecord): OrderRecord[] {
  const { orders } = basket;
  const list = Array.isArray(orders) ? orders : Object.values(asObject(orders) ?? {});
  return list.map((value) => asObject(value)).filter((item): item is OrderRecord => item !== undefined);
}

/** Returns true if a leg has filled, all or in part, and the record does not show the price yet. */
export function hasUnpricedLeg(basket: BasketRecord): boolean {
  return legsOf(basket).some(isUnpricedFill);
}

/** The baskets of the day. @param records as `basketsInReply` gives them. @throws UnreadableReplyError if one has no id. */
export function readDayBaskets(records: readonly BasketRecord[]): OrderSnapshot[] {
  return records.map(readBasket);
}

/** Checks that a basket of a list has its id, and is not larger than one can be. @throws UnreadableReplyError */
export function requireBasketId(basket: BasketRecord): void {
  if (basketIdOf(basket) === '') throw withoutId('A basket', tagOf(basket), 'basket_id', basket.basket_id);
  requireSize(`Basket ${basketIdOf(basket)}`, legsOf(basket).length, exitsOf(basket).length);
}

/** All that a record of a basket says. `legs` are what the entry filled of each; the record tells nothing of the exit. @throws UnreadableReplyError without an id. */
export function readBasket(basket: BasketRecord): OrderSnapshot {
  requireBasketId(basket);
  const id = basketIdOf(basket);
  const params = paramsOf(basket) ?? {};
  const orders = legsOf(basket).map(readOrder);
  const status = basketStatusOf(basket);
  const first = orders[0] ?? readOrder({});
  return {
    ...first,
    kind: 'strategy',
    orderId: id,
    basketId: id,
    product: basketProductOf(basket) ?? withoutPrefix('ORDER_DELIVERY_TYPE_', textFrom(params.order_delivery_type)),
    orderType: 'FLEXI',
    priceType: basketPriceTypeOf(basket) ?? textFrom(params.price_type),
    status,
    price: netPriceIn(paiseFrom(params.entry_price)) ?? 0,
    averagePrice: netPrice(orders),
    triggerPrice: netPriceIn(paiseFrom(params.momentum_trigger_price)),
    legs: orders.map(({ legs, side }) => ({ ...(legs[0] as LegFill), side })),
    tags: tagsFrom([tagOf(basket)]),
    reason: reasonOf(basket),
    // One that was refused may have been accepted before: then it has placed orders.
    accepted: ACCEPTED.includes(status) || orders.some(({ orderId, accepted }) => accepted && orderId !== ''),
    entered:
      status === 'FILLED' ||
      (status === 'CLOSED' && orders.length > 0 && orders.every(({ filled, quantity }) => filled >= quantity)),
    triggered: false,
    end: enumWord(ENDS, status) ?? '',
    causes: causesOf(status, params),
    ...(isIntent(basket) ? ownOfStrategy(basket) : ownOfBasket(basket, orders, first)),
  };
}

type Own = Pick<OrderSnapshot, 'side' | 'quantity' | 'filled' | 'times'> & Partial<OrderSnapshot>;

/**
 * Returns the fields that only the record of a strategy has. It is always bought, in multiples of its base quantity: its legs carry the
 * direction.
 */
function ownOfStrategy(basket: BasketRecord): Own {
  return {
    isWhole: true,
    side: 'BUY',
    quantity: unitsIn(basket.order_qty),
    filled: unitsIn(basket.filled_qty),
    validity: validityOf(basket) ?? textFrom(basket.validity_type),
    exits: exitViewsOf(basket),
    times: { ...timesOf(basket), accepted: '0', modified: '0', updated: timeFrom(textFrom(basket.closed_time)) },
  };
}

/** A basket has no times but those of its legs, which are created with it or after it. */
function ownOfBasket(basket: BasketRecord, orders: readonly OrderSnapshot[], { times }: OrderSnapshot): Own {
  const params = paramsOf(basket);
  const units = Math.max(1, unitsIn(params?.multiplier));
  return {
    side: basketSideOf(basket) ?? withoutPrefix('ORDER_SIDE_', textFrom(params?.order_side)),
    quantity: units,
    filled: orders.length === 0 ? 0 : Math.min(...orders.map((leg) => unitsFilled(leg, units))),
    times: { ...times, created: earliest(orders), accepted: '0', filled: latestFill(orders), modified: '0' },
  };
}

/** Returns the whole units of a basket that a leg has filled. @param units all that the basket trades. */
function unitsFilled({ filled, quantity }: OrderSnapshot, units: number): number {
  return quantity === 0 ? 0 : Math.floor((filled * units) / quantity);
}

/** Returns the possible reasons for closing a basket, since the record gives none: any of its exits, or a request of its owner. */
function causesOf(status: string, params: WireRecord<BasketParams>): OrderEventType[] {
  if (status !== 'CLOSED') return [];
  const causes: [Json | undefined, OrderEventType][] = [
    [params.stoploss_price, 'stopLossTriggered'],
    [params.exit_price, 'targetTriggered'],
    [params.exit_time, 'unsolicitedCancel'],
    [params.exit_time, 'exitTimeReached'],
  ];
  return causes.flatMap(([given, type]) => (textFrom(given) === '' ? [] : [type]));
}

/** Returns the entry price of one unit, paise: purchases count positive, sales negative. */
function netPrice(orders: readonly OrderSnapshot[]): number {
  const unit = orders.map(({ quantity }) => quantity).reduce(greatestCommonDivisor, 0);
  const share = ({ side, quantity, averagePrice }: OrderSnapshot): number =>
    unit === 0 ? 0 : priceSum(averagePrice, side === 'SELL' ? -quantity : quantity) / unit;
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
