/** Orders as they are wanted, as they go out, and as they come back (specification: Order record, Single-order body). */
import type { OrderRecord, SingleOrderBody } from '../endpoints/orders';
import { asObject, type Json } from '../values/json';

export type { OrderRecord };

export const SIDES = ['BUY', 'SELL'] as const;
export type Side = (typeof SIDES)[number];
export const ORDER_KINDS = ['ICEBERG', 'REGULAR', 'STOPLOSS'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];
export const PRICE_TYPES = ['LIMIT', 'MARKET'] as const;
export type PriceType = (typeof PRICE_TYPES)[number];
export const VALIDITIES = ['DAY', 'IOC'] as const;
export type Validity = (typeof VALIDITIES)[number];
export const PRODUCTS = ['CNC', 'IDAY'] as const;
export type Product = (typeof PRODUCTS)[number];

/** What is wanted; prices in paise, quantities in units (not lots). */
export interface OrderTerms {
  refId: number;
  kind: OrderKind;
  side: Side;
  quantity: number;
  product: Product;
  validity: Validity;
  priceType: PriceType;
  /** Only for LIMIT. */
  price?: number;
  /** Only for STOPLOSS. */
  triggerPrice?: number;
  /** Only for ICEBERG. */
  legSize?: number;
}

/** What the rules and guards must know of an instrument. */
export interface TradedInstrument {
  refId: number;
  exchange: string;
  /** Trading symbol. */
  symbol: string;
  /** Underlying of a derivative; the symbol itself otherwise. */
  asset: string;
  /** Paise. */
  tickSize: number;
  lotSize: number;
  derivative: boolean;
}

/** The body of a single order (specification: Single-order body). */
export function orderBody(terms: OrderTerms, tag: string): SingleOrderBody {
  const algo: SingleOrderBody['algo_params'] = {
    ...(terms.kind === 'STOPLOSS' ? { trigger_price: terms.triggerPrice } : {}),
    ...(terms.kind === 'ICEBERG' ? { leg_size: terms.legSize } : {}),
  };
  return {
    ref_id: terms.refId,
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

const STATUS_PREFIX = 'ORDER_STATUS_';

/** The status without its prefix, in capitals: OPEN, FILLED, …; any word may come (specification: enums are open). */
export function statusOf(order: OrderRecord): string {
  const status = typeof order.order_status === 'string' ? order.order_status : '';
  return status.startsWith(STATUS_PREFIX) ? status.slice(STATUS_PREFIX.length) : status;
}

const ENDED: ReadonlySet<string> = new Set(['FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED']);
const ACCEPTED: ReadonlySet<string> = new Set(['OPEN', 'PARTIAL_FILLED', 'TRIGGERED']);

/** Whether nothing more can happen to the order. A status that is not known has not ended. */
export function hasEnded(order: OrderRecord): boolean {
  return ENDED.has(statusOf(order));
}

/** Whether the exchange has taken the order, or it has ended. */
export function isSettledOrOpen(order: OrderRecord): boolean {
  return ACCEPTED.has(statusOf(order)) || hasEnded(order);
}

/** The id of an order record as text; '' when it has none (0 is none). */
export function orderIdOf(order: OrderRecord): string {
  const id = order.order_id;
  const text = typeof id === 'string' ? id : typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : '';
  return text === '0' ? '' : text;
}

export function tagOf(order: OrderRecord): string {
  return typeof order.tag === 'string' ? order.tag : '';
}

/** A whole number of a record; 0 when it is missing, null or no number. */
export function numberOf(value: Json | undefined): number {
  return typeof value === 'number'
    ? value
    : typeof value === 'string' && /^-?\d{1,15}$/.test(value)
      ? Number(value)
      : 0;
}

/** Why an order was rejected, in the words of the service; '' where its record has none (the reason comes on the stream). */
export function reasonOf(order: OrderRecord): string {
  for (const name of ['rejection_msg', 'rejection_reason', 'reason', 'error', 'message']) {
    const text = order[name];
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  return '';
}

/** The records in a list reply: a bare array, `{orders: [...]}`, `{orders: {ref_id: record}}`, or null for none. */
export function recordsIn(reply: Json | undefined): OrderRecord[] | undefined {
  if (reply === null || reply === undefined) return [];
  const inner = Array.isArray(reply) ? reply : asObject(reply)?.orders;
  if (inner === null) return [];
  const list = Array.isArray(inner)
    ? inner
    : asObject(inner) === undefined
      ? undefined
      : Object.values(asObject(inner) ?? {});
  if (list === undefined) return undefined;
  const records = list.map((one) => asObject(one));
  return records.every((one) => one !== undefined) ? records : undefined;
}
