/**
 * The one reader of orders in the day's lists, of both interfaces (docs/service/orders-v2.md#order-record). Each function reads one field,
 * and `readOrder` all of them, so that every caller reads the same. A field may be missing or null, and may hold an unknown word: each
 * function says what it returns then.
 */
import type { BasketRecord } from '../../endpoints/baskets';
import type { ShownExit, ShownIntent } from '../../endpoints/intent-orders';
import type { NamedOrders, OrderRecord, OrderReply, ReasonFields } from '../../endpoints/orders';
import { asList, asObject, type Json, type JsonObject } from '../../values/json';
import { fillPriceIn, knownMarketPrice, netPriceIn, type FillPrice } from '../../values/market-price';
import {
  asRecord,
  decimalFrom,
  numberFrom,
  paiseFrom,
  recordIn,
  recordsIn,
  textFrom,
  textIn,
  type Unchecked,
  type WireRecord,
} from '../../values/record';
import { withoutPrefix } from '../../values/enums';
import { withoutId } from './missing-id';
import { requireBasketSizes, requireSize } from './record-size';
import { whyUnreadableFill } from './unpriced-fill';
import {
  endFrom,
  exitFrom,
  instrumentFrom,
  isAccepted,
  isTriggered,
  provedFill,
  provedStatus,
  tagsFrom,
  timeFrom,
  wordAmong,
  type ExitView,
  type OrderInstrument,
  type OrderSnapshot,
} from './order-snapshot';
import { statusFrom } from './order-status';
import {
  ORDER_KINDS,
  PRICE_TYPES,
  PRODUCTS,
  SIDES,
  VALIDITIES,
  type OrderKind,
  type PriceType,
  type Product,
  type Side,
  type Validity,
} from './order-terms';
import { orderWithNames } from './record-names';

/** Identifiers have up to 19 digits; any other text could let a reply write lines into a log. */
const IDENTIFIER = /^[1-9]\d{0,18}$/;

/** Values of a missing identifier. */
const NO_IDENTIFIER: ReadonlySet<string> = new Set(['', '0']);

/** Returns an identifier as decimal text; '' if it is missing, not digits, or 0. */
export function identifierIn(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : '';
  return IDENTIFIER.test(text) ? text : '';
}

/** Units, which have no sign: a side tells the direction. 0 when they are missing, or no whole number. */
export function unitsIn(value: Json | undefined): number {
  const units = Math.abs(numberFrom(value));
  return Number.isSafeInteger(units) ? units : 0;
}

/** The word that ends a word of the service: `ORDER_SIDE_BUY` is BUY. Undefined for any other. */
function wordIn<Word extends string>(value: Json | undefined, words: readonly Word[]): Word | undefined {
  return wordAmong(textFrom(value), words);
}

/** The tag of an order or a basket; '' when it has none. */
export function tagOf(record: OrderRecord | BasketRecord): string {
  return textFrom(record.tag);
}

/** Names of what only a refusal has. */
const REFUSALS = ['rejection_msg', 'rejection_reason', 'reason'] as const;
/** Names of what any answer may have: the reason where nothing was taken. */
const MESSAGES = ['error', 'message'] as const;

/**
 * Returns the reason for the rejection of an order or a basket, in the service's words; '' if its record has none (the reason comes on the
 * stream).
 */
export function reasonOf(record: WireRecord<ReasonFields & { order_status?: string; basket_status?: string }>): string {
  const status = statusFrom(textFrom(record.order_status ?? record.basket_status));
  const isTaken = status !== '' && !['REJECTED', 'CANCELLED', 'EXPIRED'].includes(status);
  for (const name of isTaken ? REFUSALS : [...REFUSALS, ...MESSAGES]) {
    const text = record[name];
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  return '';
}

/** The id of an order as decimal text; '' when it has none. */
export function orderIdOf(order: OrderRecord): string {
  return identifierIn(order.order_id);
}

/** The id of the basket that an order is a leg of, as decimal text; '' when it is none. */
export function basketIdOfLeg(order: OrderRecord): string {
  return identifierIn(order.basket_id);
}

/** The status without its prefix, in capitals: OPEN, FILLED, …; any word may come. '' when it is missing. What has filled proves it. */
export function statusOf(order: OrderRecord): string {
  return provedStatus(reportedStatusOf(order), quantityOf(order), unitsIn(order.filled_qty));
}

function reportedStatusOf(order: OrderRecord): string {
  return statusFrom(textFrom(order.order_status));
}

/** Returns true if the order itself can fill no further; its exits may be open. An unknown status has not ended. */
export function entryHasEnded(order: OrderRecord): boolean {
  return endFrom(statusOf(order)) !== '';
}

/** Returns the exits of an order or a strategy in the service's form; an empty list if the record has none. */
export function exitsOf(record: WireRecord<ShownIntent>): WireRecord<ShownExit>[] {
  return recordsIn(record, 'exits');
}

/** Returns true if the service still keeps an exit for the filled quantity of the order. */
export function hasLiveExits(order: OrderRecord): boolean {
  const isLive = exitsOf(order).some(({ status }) => status === 'OPEN' || status === 'TRIGGERED');
  const isKnown = order.unreadable_reason === undefined;
  return isLive && !(isKnown && entryHasEnded(order) && filledQuantityOf(order) === 0);
}

/** Returns true if an exit of the order has been filled: its position is closed, at least in part. */
export function hasExited(order: OrderRecord): boolean {
  return !hasLiveExits(order) && exitsOf(order).some(({ status }) => status === 'FILLED');
}

/** Returns true if nothing more can happen to the order, nor to its exits. */
export function hasEnded(order: OrderRecord): boolean {
  return entryHasEnded(order) && !hasLiveExits(order);
}

/** Returns true if the exchange has accepted the order, or it has ended. */
export function hasReachedExchange(order: OrderRecord): boolean {
  return isAccepted(statusOf(order), filledQuantityOf(order)) || entryHasEnded(order);
}

/** Returns true if a record came by intent orders: such a record has the service's own status. */
export function isIntent(record: WireRecord<ShownIntent>): boolean {
  return typeof record.intent_status === 'string';
}

/** The ref_id of the order's instrument; 0 when it is missing. */
export function refIdOf(order: OrderRecord): number {
  return numberFrom(order.ref_id);
}

/** The order's instrument; texts that the record does not tell are ''. */
export function instrumentOf(order: OrderRecord): OrderInstrument {
  const data = recordIn(order, 'ref_data');
  const word = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  return instrumentFrom({
    refId: refIdOf(order),
    namedRefId: numberFrom(data?.ref_id),
    // Its own is '' in some records (docs/service/orders-v2.md#order-record).
    exchange: (textFrom(order.exchange) || textFrom(data?.exchange)).toUpperCase(),
    stockName: word(data?.stock_name),
    asset: word(data?.asset),
    derivativeType: word(data?.derivative_type),
    platName: word(data?.plat_name),
    displayName: word(order.display_name) || word(data?.display_name),
    lotSize: numberFrom(data?.lot_size),
    qtyMultiplier: data?.qty_multiplier,
  });
}

/** The trading symbol of the order's instrument; '' when the record does not tell. */
export function symbolOf(order: OrderRecord): string {
  return instrumentOf(order).symbol;
}

/** The platform name of the order's instrument; '' when the record does not tell. */
export function platNameOf(order: OrderRecord): string {
  return instrumentOf(order).platName;
}

/** The exchange of the order's instrument; '' when the record does not tell. */
export function exchangeOf(order: OrderRecord): string {
  return instrumentOf(order).exchange;
}

/** Units ordered; 0 when it is missing. */
export function quantityOf(order: OrderRecord): number {
  return unitsIn(order.order_qty);
}

/** Units filled; 0 when they are missing. Those of an order that is filled are its quantity, whatever is told of them. */
export function filledQuantityOf(order: OrderRecord): number {
  const hasTriggered = exitsOf(order).some(({ status }) => status !== 'OPEN');
  return provedFill(reportedStatusOf(order), quantityOf(order), unitsIn(order.filled_qty), hasTriggered);
}

/** Returns the mean fill price, paise, also one that came as text with a fraction; 0 if it is missing or cannot be read. */
export function averagePriceOf(order: OrderRecord): number {
  return decimalFrom(order.avg_filled_price) ?? 0;
}

/** Returns the mean fill price of a single order; undefined before the record shows it. */
export function filledPriceOf(order: OrderRecord): FillPrice | undefined {
  return filledQuantityOf(order) > 0 ? fillPriceIn(averagePriceOf(order)) : undefined;
}

/** Returns true if a single order has filled, all or in part, and its record does not show the price yet. */
export function isUnpricedFill(order: OrderRecord): boolean {
  return filledQuantityOf(order) > 0 && filledPriceOf(order) === undefined;
}

/** The limit price, paise, below 0 of a basket that brings a credit; 0 of a market order and when there is none. */
export function priceOf(order: OrderRecord): number {
  return netPriceIn(paiseFrom(order.order_price)) ?? 0;
}

/** The last traded price of the order's instrument, paise; 0 when it has none. */
export function lastPriceOf(order: OrderRecord): number {
  return knownMarketPrice(paiseFrom(order.LTP)) ?? 0;
}

/** Returns the trigger price, paise; 0 if it has none, and for another type of order: there it is a remnant of a change of type. */
export function triggerPriceOf(order: OrderRecord): number {
  const kind = kindOf(order);
  if (kind !== undefined && kind !== 'STOPLOSS') return 0;
  const shown = [recordIn(order, 'algo_params')?.trigger_price, order.trigger_price];
  return shown.map((value) => knownMarketPrice(paiseFrom(value))).find((price) => price !== undefined) ?? 0;
}

/** The price that an entry waits for without being a stop loss, paise; 0 when it waits for none. */
function conditionPriceOf(order: OrderRecord): number {
  return knownMarketPrice(paiseFrom(recordIn(order, 'entry_condition')?.trigger_price)) ?? 0;
}

/** The quantity of an iceberg that is shown at a time, units; 0 when it has none. */
export function legSizeOf(order: OrderRecord): number {
  return unitsIn(recordIn(order, 'algo_params')?.leg_size) || unitsIn(order.leg_size);
}

/** Returns true if the record shows this trigger price in one of its places. */
export function showsTriggerPrice(order: OrderRecord, paise: number): boolean {
  const shown = [recordIn(order, 'algo_params')?.trigger_price, order.trigger_price];
  return shown.some((item) => numberFrom(item) === paise);
}

/** Returns true if the record shows this visible quantity in one of its places. */
export function showsLegSize(order: OrderRecord, units: number): boolean {
  return [recordIn(order, 'algo_params')?.leg_size, order.leg_size].some((item) => numberFrom(item) === units);
}

/** The order's kind; undefined for a word that cannot be placed, such as ORDER_TYPE_MARKET of fetched records. */
export function kindOf(order: OrderRecord): OrderKind | undefined {
  return wordIn(order.order_type, ORDER_KINDS);
}

/** The order's side; undefined if the record does not tell. */
export function sideOf(order: OrderRecord): Side | undefined {
  return wordIn(order.order_side, SIDES);
}

/** The order's product; undefined if the record does not tell. */
export function productOf(order: OrderRecord): Product | undefined {
  return wordIn(order.order_delivery_type, PRODUCTS);
}

/** The order's price type; undefined if the record does not tell. */
export function priceTypeOf(order: OrderRecord): PriceType | undefined {
  return wordIn(order.price_type, PRICE_TYPES);
}

/** The validity of an order or a strategy; undefined if the record does not tell. */
export function validityOf(order: OrderRecord | BasketRecord): Validity | undefined {
  return wordIn(order.validity_type, VALIDITIES);
}

/** Returns the exits in a record (`client/orders/api` gives them one form); an empty list if it has none. */
export function exitViewsOf(record: WireRecord<ShownIntent>): ExitView[] {
  return exitsOf(record).flatMap((exit): ExitView[] => {
    const trigger = typeof exit.trigger_price === 'number' ? exit.trigger_price : 0;
    const view = exitFrom(textIn(exit, 'kind'), textIn(exit, 'status'), trigger, unitsIn(exit.filled_qty));
    return view === undefined ? [] : [view];
  });
}

/** The tags of a record, the one that it is found by first; a record of intent orders may have several. */
function allTagsOf(order: OrderRecord): string[] {
  const listed = recordIn(order, 'intent')?.stratTags;
  const others = Array.isArray(listed) ? listed.map(textFrom) : [];
  return tagsFrom([...new Set([tagOf(order), ...others])]);
}

/** Returns the times of an order's events: nanoseconds since the epoch, decimal text, '0' for a missing one. */
export function timesOf(order: OrderRecord | BasketRecord): OrderSnapshot['times'] {
  return {
    created: timeFrom(textFrom(order.order_time)),
    accepted: timeFrom(textFrom(order.ack_time)),
    filled: timeFrom(textFrom(order.filled_time)),
    cancelled: '0',
    modified: timeFrom(textFrom(order.last_modified)),
    updated: '0',
  };
}

/** Reads all fields of an order's record; `orderId` is '' if it has none. */
export function readOrder(order: OrderRecord): OrderSnapshot {
  const status = statusOf(order);
  const filled = filledQuantityOf(order);
  const averagePrice = averagePriceOf(order);
  const unreadablePrice = filled > 0 ? whyUnreadableFill(order) : undefined;
  const basketId = basketIdOfLeg(order) || '0';
  const instrument = instrumentOf(order);
  const kind = kindOf(order);
  const waits = kind === 'STOPLOSS' || recordIn(order, 'entry_condition') !== undefined;
  return {
    kind: basketId === '0' ? 'order' : 'leg',
    orderId: orderIdOf(order),
    basketId,
    instrument,
    side: sideOf(order) ?? withoutPrefix('ORDER_SIDE_', textFrom(order.order_side)),
    product: productOf(order) ?? withoutPrefix('ORDER_DELIVERY_TYPE_', textFrom(order.order_delivery_type)),
    orderType: kind ?? withoutPrefix('ORDER_TYPE_', textFrom(order.order_type)),
    priceType: priceTypeOf(order) ?? textFrom(order.price_type),
    validity: validityOf(order) ?? textFrom(order.validity_type),
    status,
    quantity: quantityOf(order),
    filled,
    price: knownMarketPrice(priceOf(order)) ?? 0,
    averagePrice,
    ...(unreadablePrice === undefined ? {} : { unreadablePrice }),
    triggerPrice: knownMarketPrice(triggerPriceOf(order) || conditionPriceOf(order)),
    legs: [{ refId: instrument.refId, filled, averagePrice }],
    tags: allTagsOf(order),
    ...(basketId === '0' && Array.isArray(order.exits) ? { exits: exitViewsOf(order) } : {}),
    reason: reasonOf(order),
    accepted: isAccepted(status, filled),
    triggered: isTriggered(status, waits, filled),
    end: endFrom(status),
    times: timesOf(order),
    source: 'orders',
  };
}

/**
 * The records in a list: a bare array, `{orders: [...]}`, `{orders: {ref_id: record}}`, or null for none (docs/service/orders-v2.md#lists-of-orders).
 * @returns undefined for anything else: an odd reply must not look like a day without orders.
 */
export function ordersInReply(reply: Json): OrderRecord[] | undefined {
  const inner = Array.isArray(reply) || reply === null ? reply : asRecord<NamedOrders>(reply)?.orders;
  const object = asObject(inner);
  const list = object === undefined ? (inner === undefined ? undefined : asList(inner)) : Object.values(object);
  const records = list?.map((value) => asObject(value));
  return records?.every((record) => record !== undefined) ? records.map(orderWithNames) : undefined;
}

/** Returns the record in a reply about one order: bare, or below `order`; undefined if it is no object. */
export function orderInReply(reply: Unchecked<OrderReply>): OrderRecord | undefined {
  const object = asRecord(reply);
  const record: OrderRecord | undefined = recordIn(object, 'order') ?? object;
  return record === undefined ? undefined : orderWithNames(record as JsonObject);
}

/**
 * The orders of the day.
 * @param records as `ordersInReply` gives them.
 * @throws UnreadableReplyError if one has no id: an error must never look like an empty day. So if a basket has more legs than any.
 */
export function readDayOrders(records: readonly OrderRecord[]): OrderSnapshot[] {
  records.forEach(requireOrderIds);
  const orders = records.map(readOrder);
  requireBasketSizes(orders);
  return orders;
}

/**
 * Checks that an order of a list has its id, and that of its basket if it is a leg: without them it could be counted twice, cancelled as
 * another one, or taken for absent. It is not larger than one can be.
 * @throws UnreadableReplyError
 */
export function requireOrderIds(order: OrderRecord): void {
  if (orderIdOf(order) === '') throw withoutId('An order', nameOf(order), 'order_id', order.order_id);
  if (basketIdOfLeg(order) === '' && !NO_IDENTIFIER.has(textFrom(order.basket_id)))
    throw withoutId('An order', nameOf(order), 'basket_id', order.basket_id);
  requireSize(`Order ${orderIdOf(order)}`, 0, exitsOf(order).length);
}

const nameOf = (order: OrderRecord): string => symbolOf(order) || tagOf(order);
