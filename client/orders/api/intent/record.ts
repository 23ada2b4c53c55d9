/** Records of intent orders under the names of the specification (docs/service/intent-orders.md#record). */
import {
  ORDER_BUCKETS,
  type OrderBucket,
  type IntentFields,
  type IntentInstrument,
  type IntentLegFields,
  type IntentList,
  type IntentRecord,
} from '../../../endpoints/intent-orders';
import type { BasketFields, BasketLegFields, BasketRecord } from '../../../endpoints/baskets';
import type { InstrumentRow } from '../../../endpoints/instruments';
import type { OrderFields, OrderRecord } from '../../../endpoints/orders';
import { requireWholeList } from '../whole-list';
import { UnreadableReplyError } from '../../../base/errors';
import { asList, asObject, type Json } from '../../../values/json';
import {
  asRecord,
  numberFrom,
  recordIn,
  recordsIn,
  textFrom,
  textIn,
  type Unchecked,
  type WireRecord,
} from '../../../values/record';
import { basketStatusFrom } from '../../model/basket-record';
import { identifierIn, requireOrderIds } from '../../model/order-record';
import { kindFrom, tagsFrom, timeFrom, wordAmong } from '../../model/order-snapshot';
import { statusFrom } from '../../model/order-status';
import { SIDES } from '../../model/order-terms';
import { entryOf, exitsIn, type EntryCondition } from './configs';
import { spelledWord } from '../../../values/enums';

/** A record of a list, and its bucket: the bucket decides if it differs from the status. */
export interface ListedRecord {
  record: IntentRecord;
  bucket: OrderBucket | undefined;
}

/**
 * The records of a list, with their buckets. A bucket that is missing or null is empty.
 * @throws UnreadableReplyError if the reply is no list: an odd reply must not look like a day without orders.
 */
export function listedIn(reply: Unchecked<IntentList>): ListedRecord[] {
  const buckets = recordIn(asRecord(reply), 'orders');
  if (buckets === undefined) throw new UnreadableReplyError("The service's list of the day's orders cannot be read.");
  const listed = Object.entries(buckets).flatMap(([name, list]) => {
    const bucket = bucketNamed(name);
    const records = bucket === undefined ? recordsOfUnknown(list) : recordsOf(list);
    return records.map((record) => ({ record, bucket }));
  });
  requireWholeList(reply as Json, listed.length);
  for (const entry of listed) if (identifierIn(entry.record.intentOrderId) === '') requireOrderIds(orderOf(entry));
  return listed;
}

/** Returns the bucket of a name in any spelling; undefined for an unknown one, whose records say their status themselves. */
function bucketNamed(name: string): OrderBucket | undefined {
  const spelled = name.toLowerCase();
  const isNamed = (bucket: OrderBucket): boolean => statusFrom(OF_BUCKET[bucket]) === statusFrom(name);
  return ORDER_BUCKETS.find((bucket) => bucket === spelled) ?? ORDER_BUCKETS.find(isNamed);
}

/** The records of the reply to a create, in the order of the request; none when it has none that can be read. */
export function createdIn(reply: Unchecked<{ orders?: IntentFields[] }>): ListedRecord[] {
  return recordsIn(asRecord(reply), 'orders').map((record) => ({ record, bucket: undefined }));
}

/** Returns the records under an unknown name: none, unless it holds objects. @throws UnreadableReplyError if only some can be read. */
function recordsOfUnknown(value: Json | undefined): IntentRecord[] {
  const keyed = asObject(value);
  if (keyed !== undefined)
    return Object.values(keyed).some((item) => asObject(item)?.intentOrderId !== undefined)
      ? recordsOf(Object.values(keyed))
      : [];
  return Array.isArray(value) && value.some((item) => asObject(item) !== undefined) ? recordsOf(value) : [];
}

function recordsOf(bucket: Json | undefined): IntentRecord[] {
  const list = asList(bucket)?.map((value) => asObject(value));
  if (list === undefined || !list.every((item) => item !== undefined))
    throw new UnreadableReplyError("A part of the service's list of the day's orders cannot be read.");
  return list;
}

/** Returns true for a strategy. A single order has been seen as one of several legs, with its instrument in the only leg. */
export function isStrategy({ record }: ListedRecord): boolean {
  const legs = recordsIn(record, 'legs');
  const isInLeg = recordIn(record, 'refData') === undefined && !record.refId;
  return legs.length > 1 || (record.isMulti === true && legs.length === 1 && isInLeg);
}

const OF_BUCKET: Readonly<Record<OrderBucket, string>> = {
  open: 'OPEN',
  executed: 'EXECUTED',
  cancelled: 'CANCELLED',
  rejected: 'REJECTED',
  expired: 'EXPIRED',
  gtt: 'GTE',
};

/**
 * Returns the status in the words of the specification. @param quantity an order filled by this quantity is not partly filled; for a
 * strategy its legs show it
 */
function statusIn(
  { record, bucket }: ListedRecord,
  entry: EntryCondition,
  filled: number,
  quantity = Infinity,
): string {
  const raw = rawStatus({ record, bucket });
  const said = statusFrom(raw);
  if (said !== 'OPEN') return said;
  if (filled > 0) return quantity > 0 && filled >= quantity ? 'FILLED' : 'PARTIAL_FILLED';
  const waits = entry.when !== null || entry.time !== null;
  if (waits) return entry.triggered && entry.when !== null ? 'TRIGGERED' : 'OPEN';
  const times = recordIn(record, 'timestamps');
  return /OPEN$/i.test(raw) && (bucket === undefined || times?.sentToColoAt === null) ? 'PENDING' : 'OPEN';
}

function rawStatus({ record, bucket }: ListedRecord): string {
  return bucket === undefined ? textIn(record, 'status') : OF_BUCKET[bucket];
}

/** A time of a record as nanoseconds since the epoch, decimal text; '0' for one that has not come, and for any other number. */
function nanosOf(value: Json | undefined): string {
  const text = textFrom(value);
  return /^\d{1,9}$/.test(text) ? '0' : timeFrom(text);
}

/** Returns the tag that it is found by; '' if it has none. */
function tagIn(record: IntentRecord): string {
  const tags = asList(record.stratTags) ?? [record.stratTags!];
  return tagsFrom(tags.filter((value) => typeof value === 'string'))[0] ?? '';
}

/** The names that the specification gives to orders and baskets alike. */
type Common = { readonly [Key in keyof OrderFields & keyof BasketFields]?: Json };

/** A word of the service in its specified spelling; null for a missing one. */
const wordOf = (value: Json | undefined): Json => (typeof value === 'string' ? spelledWord(value) : (value ?? null));

/** Returns the common fields of orders and strategies. */
function common(listed: ListedRecord, entry: EntryCondition): Common {
  const { record } = listed;
  const times = recordIn(record, 'timestamps');
  return {
    order_delivery_type: `ORDER_DELIVERY_TYPE_${spelledWord(textIn(record, 'deliveryType'))}`,
    price_type: wordOf(record.priceType),
    validity_type: wordOf(record.validityType),
    order_time: nanosOf(times?.intentCreatedAt),
    ack_time: nanosOf(times?.sentToColoAt),
    filled_time: nanosOf(times?.filledAt),
    last_modified: nanosOf(times?.lastModifiedAt),
    LTP: record.ltp ?? null,
    exchange: wordOf(record.exchange) ?? '',
    tag: tagIn(record),
    rejection_msg: record.rejectionMsg ?? '',
    good_till_date: record.goodTillDate ?? null,
    ...(entry.when === null ? {} : { entry_condition: { when: entry.when, trigger_price: entry.price } }),
    ...(entry.time === null ? {} : { entry_time: entry.time }),
    exits: exitsIn(record.exitConfig),
    intent_status: rawStatus(listed),
    intent: record,
  };
}

/** A single order as the specification's record, the service's own beside it under `intent`. */
export function orderOf(listed: ListedRecord): OrderRecord {
  const { record } = listed;
  const [leg] = recordsIn(record, 'legs');
  const data = recordIn(record, 'refData') ?? recordIn(leg, 'refData');
  const entry = entryOf(record.entryConfig);
  const filled = numberFrom(record.filledQty);
  const side = spelledWord(textIn(record, 'side'));
  const iceberg = recordIn(record, 'icebergInfo');
  const written = iceberg === undefined ? spelledWord(textIn(record, 'intentOrderType')) : 'ICEBERG';
  // What waits for a time alone is of the type TRIGGER too.
  const type = written === 'TRIGGER' && entry.when === null && entry.time !== null ? 'REGULAR' : written;
  const kind = kindFrom(
    type,
    entry.when ?? undefined,
    wordAmong(side, SIDES),
    spelledWord(textIn(record, 'priceType')),
  );
  return {
    ...common(listed, entry),
    order_id: record.intentOrderId ?? '',
    basket_id: '0',
    ref_id: record.refId ?? leg?.refId ?? 0,
    ref_data: data === undefined ? null : instrumentOf(data),
    display_name: data?.displayName ?? '',
    order_type: `ORDER_TYPE_${kind}`,
    order_side: `ORDER_SIDE_${side}`,
    order_status: `ORDER_STATUS_${statusIn(listed, entry, filled, numberFrom(record.orderQty))}`,
    order_qty: numberFrom(record.orderQty),
    filled_qty: filled,
    order_price: record.orderPrice ?? 0,
    avg_filled_price: record.filledPrice ?? 0,
    trigger_price: kind === 'STOPLOSS' ? entry.price : null,
    leg_size: iceberg?.maxQtyPerLeg ?? null,
    ...(iceberg?.numberOfLegs == null ? {} : { slices: iceberg.numberOfLegs }),
    exchange_order_id: firstExchangeId(record),
  };
}

/** The instrument data under the names of the specification. */
function instrumentOf(data: WireRecord<IntentInstrument>): WireRecord<InstrumentRow> {
  return {
    ref_id: data.refId ?? 0,
    exchange: wordOf(data.exchange) ?? '',
    asset: data.asset ?? '',
    stock_name: data.stockName ?? '',
    display_name: data.displayName ?? '',
    derivative_type: data.derivativeType ?? '',
    option_type: data.optionType ?? '',
    lot_size: data.lotSize ?? 0,
    ...(data.qtyMultiplier === undefined ? {} : { qty_multiplier: data.qtyMultiplier }),
    tick_size: data.tickSize ?? 0,
    ...(data.strikePrice === undefined ? {} : { strike_price: data.strikePrice }),
  };
}

function firstExchangeId({ exchangeOrderIds }: IntentRecord): string {
  const [ids] = Object.values(asObject(exchangeOrderIds) ?? {});
  const id = Array.isArray(ids) ? ids.at(-1) : undefined;
  return textFrom(id) || '0';
}

/**
 * A strategy as the specification's basket, without what the service does not keep of it: name, side and multiplier. Its
 * legs are in `orders`, the service's own record beside it under `intent`.
 */
export function basketOf(listed: ListedRecord): BasketRecord {
  const { record } = listed;
  const entry = entryOf(record.entryConfig);
  const filled = numberFrom(record.filledQty);
  const exits = exitsIn(record.exitConfig);
  const status = statusIn(listed, entry, filled);
  const isClosed = status === 'FILLED' && exits.some((exit) => exit.status === 'FILLED');
  const price = (kind: (name: string) => boolean): Json => exits.find((exit) => kind(exit.kind))?.trigger_price ?? null;
  return {
    ...common(listed, entry),
    basket_id: record.intentOrderId ?? '',
    basket_status: `BASKET_STATUS_${isClosed ? 'CLOSED' : basketStatusFrom(status)}`,
    message: record.rejectionMsg ?? '',
    ...(isClosed ? { closed_time: nanosOf(recordIn(record, 'timestamps')?.lastUpdatedAt) } : {}),
    orders: recordsIn(record, 'legs').map((leg) => legOf(leg, record, listed)),
    order_qty: numberFrom(record.orderQty),
    filled_qty: filled,
    order_price: record.orderPrice ?? 0,
    avg_filled_price: record.filledPrice ?? 0,
    basket_params: {
      order_delivery_type: `ORDER_DELIVERY_TYPE_${spelledWord(textIn(record, 'deliveryType'))}`,
      price_type: wordOf(record.priceType),
      entry_price: record.orderPrice ?? null,
      exit_price: price((kind) => kind === 'TARGET_PROFIT'),
      // One that trails has moved on from what it was placed with.
      stoploss_price: price((kind) => kind === 'STOPLOSS'),
      momentum_trigger_price: entry.price,
      entry_time: entry.time,
      exit_time: exits.find(({ kind }) => kind === 'EXIT_TIME')?.exit_time ?? null,
    },
  };
}

/** Returns the side that units with their sign tell; '' for 0, which tells none: a leg that is closed on the wrong side is doubled. */
const sideOfUnits = (units: number): string => (units === 0 ? '' : `ORDER_SIDE_${units < 0 ? 'SELL' : 'BUY'}`);

/** Returns a leg with its fills; it has no separate id. */
function legOf(
  leg: WireRecord<IntentLegFields>,
  record: IntentRecord,
  listed: ListedRecord,
): WireRecord<BasketLegFields> {
  const data = recordIn(leg, 'refData');
  const [ordered, filled] = [numberFrom(leg.orderQty), numberFrom(leg.filledQty)];
  const status = statusIn(listed, entryOf(record.entryConfig), filled);
  return {
    basket_id: record.intentOrderId ?? '',
    ref_id: leg.refId ?? 0,
    ref_data: data === undefined ? null : instrumentOf(data),
    display_name: data?.displayName ?? '',
    exchange: wordOf(data?.exchange ?? record.exchange) ?? '',
    order_side: sideOfUnits(numberFrom(leg.unitQty)),
    order_status: `ORDER_STATUS_${filled > 0 && filled === ordered ? 'FILLED' : status}`,
    order_qty: ordered,
    filled_qty: filled,
    avg_filled_price: leg.filledPrice ?? 0,
    unit_qty: leg.unitQty ?? null,
    tag: tagIn(record),
  };
}
