/**
 * Reads of order and basket records, in one place (specification: Order record, Basket record). A field may be missing
 * or null, and may hold a word that no list shows: each function says what it gives then.
 */
import type { BasketParams, BasketRecord } from '../../endpoints/baskets';
import type { ShownExit, ShownIntent } from '../../endpoints/intent-orders';
import type { OrderRecord, ReasonFields } from '../../endpoints/orders';
import { fillPriceIn, knownMarketPrice, type FillPrice } from '../../values/market-price';
import { tradingSymbol } from '../../instruments/symbol';
import { asObject, type Json } from '../../values/json';
import { numberFrom, recordIn, recordsIn, textFrom, type WireRecord } from '../../values/record';
import { withoutPrefix } from '../../values/enums';
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

const ENDED: ReadonlySet<string> = new Set(['FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED']);
const ACCEPTED: ReadonlySet<string> = new Set(['OPEN', 'PARTIAL_FILLED', 'TRIGGERED']);

/** Identifiers have up to 19 digits; anything else would let a reply write lines of its own into a log. */
const IDENTIFIER = /^[1-9]\d{0,18}$/;

/** An identifier as decimal text; '' when it is missing, no digits, or 0, which is none. */
function identifierIn(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : '';
  return IDENTIFIER.test(text) ? text : '';
}

/** A word of the service without its prefix; '' when it is missing or no text. */
function wordAfter(prefix: string, value: Json | undefined): string {
  return typeof value === 'string' ? withoutPrefix(prefix, value) : '';
}

/** The word that ends a word of the service: `ORDER_SIDE_BUY` is BUY. Undefined for any other. */
function wordIn<Word extends string>(value: Json | undefined, words: readonly Word[]): Word | undefined {
  return words.find((word) => value === word || (typeof value === 'string' && value.endsWith(`_${word}`)));
}

/** The tag of an order or a basket; '' when it has none. */
export function tagOf(record: OrderRecord | BasketRecord): string {
  return typeof record.tag === 'string' ? record.tag : '';
}

/** Why an order or a basket was rejected, in the service's words; '' where its record has none (the reason comes on the stream). */
export function reasonOf(record: WireRecord<ReasonFields>): string {
  for (const name of ['rejection_msg', 'rejection_reason', 'reason', 'error', 'message'] as const) {
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
export function orderedIn(order: OrderRecord): string {
  return identifierIn(order.basket_id);
}

/** The status without its prefix, in capitals: OPEN, FILLED, …; any word may come. '' when it is missing. */
export function statusOf(order: OrderRecord): string {
  return wordAfter('ORDER_STATUS_', order.order_status);
}

/** Whether nothing more can be filled of the order itself; exits of it may live. A status that is not known has not ended. */
export function entryHasEnded(order: OrderRecord): boolean {
  return ENDED.has(statusOf(order));
}

/** The exits of an order or a strategy, as the service keeps them; none where the record has none. */
export function exitsOf(record: WireRecord<ShownIntent>): WireRecord<ShownExit>[] {
  return recordsIn(record, 'exits');
}

/** Whether the service still keeps an exit for what the order has filled. */
export function hasLiveExits(order: OrderRecord): boolean {
  const isLive = exitsOf(order).some(({ status }) => status === 'OPEN' || status === 'TRIGGERED');
  return isLive && !(entryHasEnded(order) && filledQuantityOf(order) === 0);
}

/** Whether an exit of the order has been filled: what it had bought or sold is closed, at least in part. */
export function hasExited(order: OrderRecord): boolean {
  return !hasLiveExits(order) && exitsOf(order).some(({ status }) => status === 'FILLED');
}

/** Whether nothing more can happen to the order, nor to its exits. */
export function hasEnded(order: OrderRecord): boolean {
  return entryHasEnded(order) && !hasLiveExits(order);
}

/** Whether the exchange has taken the order, or it has ended. */
export function hasReachedExchange(order: OrderRecord): boolean {
  return ACCEPTED.has(statusOf(order)) || entryHasEnded(order);
}

/** Whether a record came by intent orders: such a record says what the service called its status. */
export function isIntent(record: WireRecord<ShownIntent>): boolean {
  return typeof record.intent_status === 'string';
}

/** The ref_id of the order's instrument; 0 when it is missing. */
export function refIdOf(order: OrderRecord): number {
  return numberFrom(order.ref_id);
}

/** The trading symbol of the order's instrument; '' when the record does not tell. */
export function symbolOf(order: OrderRecord): string {
  const name = recordIn(order, 'ref_data')?.stock_name;
  return tradingSymbol(typeof name === 'string' ? name : '', platNameOf(order));
}

/** The platform name of the order's instrument; '' when the record does not tell. */
export function platNameOf(order: OrderRecord): string {
  const name = recordIn(order, 'ref_data')?.plat_name;
  return typeof name === 'string' ? name : '';
}

/** The exchange of the order's instrument; '' when the record does not tell. */
export function exchangeOf(order: OrderRecord): string {
  return textFrom(recordIn(order, 'ref_data')?.exchange ?? order.exchange);
}

/** Units ordered; 0 when it is missing. */
export function quantityOf(order: OrderRecord): number {
  return numberFrom(order.order_qty);
}

/** Units filled; 0 when it is missing. */
export function filledQuantityOf(order: OrderRecord): number {
  return numberFrom(order.filled_qty);
}

/** The mean price of what is filled, paise; 0 when it is missing. */
export function averagePriceOf(order: OrderRecord): number {
  return numberFrom(order.avg_filled_price);
}

/** The mean price at which a single order has filled; undefined before the record tells it. */
export function filledPriceOf(order: OrderRecord): FillPrice | undefined {
  return filledQuantityOf(order) > 0 ? fillPriceIn(averagePriceOf(order)) : undefined;
}

/** Whether a single order has filled, all or in part, and its record does not tell the price yet. */
export function isUnpricedFill(order: OrderRecord): boolean {
  return filledQuantityOf(order) > 0 && filledPriceOf(order) === undefined;
}

/** The limit price, paise; 0 of a market order and when it is missing. */
export function priceOf(order: OrderRecord): number {
  return numberFrom(order.order_price);
}

/** The last traded price of the order's instrument, paise; 0 when it has none. */
export function lastPriceOf(order: OrderRecord): number {
  return knownMarketPrice(numberFrom(order.LTP)) ?? 0;
}

/** The trigger price, paise; 0 when it has none. It stands in `algo_params`, or beside it in listed records. */
export function triggerPriceOf(order: OrderRecord): number {
  return numberFrom(recordIn(order, 'algo_params')?.trigger_price) || numberFrom(order.trigger_price);
}

/** The quantity of an iceberg that is shown at a time, units; 0 when it has none. */
export function legSizeOf(order: OrderRecord): number {
  return numberFrom(recordIn(order, 'algo_params')?.leg_size) || numberFrom(order.leg_size);
}

/** Whether the record shows this trigger price, in one of the places where it stands. */
export function showsTriggerPrice(order: OrderRecord, paise: number): boolean {
  const shown = [recordIn(order, 'algo_params')?.trigger_price, order.trigger_price];
  return shown.some((item) => numberFrom(item) === paise);
}

/** Whether the record shows this visible quantity, in one of the places where it stands. */
export function showsLegSize(order: OrderRecord, units: number): boolean {
  return [recordIn(order, 'algo_params')?.leg_size, order.leg_size].some((item) => numberFrom(item) === units);
}

/** The order's kind; undefined for a word that cannot be placed, such as ORDER_TYPE_MARKET of fetched records. */
export function kindOf(order: OrderRecord): OrderKind | undefined {
  return wordIn(order.order_type, ORDER_KINDS);
}

/** The order's side; undefined when the record does not tell. */
export function sideOf(order: OrderRecord): Side | undefined {
  return wordIn(order.order_side, SIDES);
}

/** The order's product; undefined when the record does not tell. */
export function productOf(order: OrderRecord): Product | undefined {
  return wordIn(order.order_delivery_type, PRODUCTS);
}

/** The order's price type; undefined when the record does not tell. */
export function priceTypeOf(order: OrderRecord): PriceType | undefined {
  return wordIn(order.price_type, PRICE_TYPES);
}

/** The validity of an order or a strategy; undefined when the record does not tell. */
export function validityOf(order: OrderRecord | BasketRecord): Validity | undefined {
  return wordIn(order.validity_type, VALIDITIES);
}

/** The id of a basket as decimal text; '' when it has none. */
export function basketIdOf(basket: BasketRecord): string {
  return identifierIn(basket.basket_id);
}

/** The status of a basket without its prefix: OPEN, FILLED, CLOSED, …; '' when it is missing. */
export function basketStatusOf(basket: BasketRecord): string {
  return wordAfter('BASKET_STATUS_', basket.basket_status);
}

const BASKET_OVER: ReadonlySet<string> = new Set(['CANCELLED', 'CLOSED', 'REJECTED']);

/** Whether a basket may still trade by itself: it has not entered wholly, or something will close it. */
export function isBasketLive(basket: BasketRecord): boolean {
  const status = basketStatusOf(basket);
  if (BASKET_OVER.has(status)) return false;
  if (status !== 'FILLED' || !isIntent(basket)) return true;
  return exitsOf(basket).some((exit) => exit.status === 'OPEN' || exit.status === 'TRIGGERED');
}

/** The side of a basket as a whole; undefined when the record does not tell. */
export function basketSideOf(basket: BasketRecord): Side | undefined {
  return wordIn(paramsOf(basket)?.order_side, SIDES);
}

/** How a basket was to enter and leave; undefined when the record does not tell. */
export function paramsOf(basket: BasketRecord): WireRecord<BasketParams> | undefined {
  return recordIn(basket, 'basket_params');
}

/** The legs of a basket: a list, or an object keyed by ref_id (wire-facts 2: Baskets). */
export function legsOf(basket: BasketRecord): OrderRecord[] {
  const { orders } = basket;
  const list = Array.isArray(orders) ? orders : Object.values(asObject(orders) ?? {});
  return list.map((value) => asObject(value)).filter((item): item is OrderRecord => item !== undefined);
}
