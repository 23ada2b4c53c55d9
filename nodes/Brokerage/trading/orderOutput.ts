/** Output of orders: money in the chosen unit, ids as text, readable times beside the exact ones. */
import type { BasketRecord } from '../../../client/endpoints/baskets';
import type { OrderFields, OrderRecord } from '../../../client/endpoints/orders';
import { marketProtection } from '../../../client/orders/model/market-protection';
import { requestOutput } from '../../../client/orders/api/order-api';
import { labelledOf, orderLabels } from '../../../client/orders/model/order-labels';
import { orderSummary } from '../../../client/orders/model/order-summary';
import type { EmulatedExits, OrderTerms, Product } from '../../../client/orders/model/order-terms';
import {
  exitsOf,
  filledPriceOf,
  hasLiveExits,
  isIntent,
  isUnpricedFill,
  lastPriceOf,
  readOrder,
} from '../../../client/orders/model/order-record';
import { whyUnpricedFill } from '../../../client/orders/model/unpriced-fill';
import type { Environment } from '../../../client/session/settings';
import { asObject, type Json, type JsonObject } from '../../../client/values/json';
import { paiseTo, type MoneyUnit } from '../../../client/values/money';
import { decimalFrom, recordIn } from '../../../client/values/record';
import type { OrderSnapshot } from '../../../client/orders/model/order-snapshot';
import { istDate, nanosToIst, toIst } from '../../../client/values/time';
import { priceUnitOf } from '../../shared/fields';
import { marketDate } from '../../shared/lookup';
import type { ItemContext } from '../common/itemContext';
import { pickKeys } from '../common/pick';
import { isSince11, isSince12 } from '../common/version';
import { dryRunWords } from './previewSummary';
import type { ConfirmedOutcome } from './placement';

const MONEY_KEYS: ReadonlySet<string> = new Set([
  ...[
    'order_price',
    'avg_filled_price',
    'LTP',
    'trigger_price',
    'limit_price',
    'trail_jump',
    'max_prate',
    'min_prate',
    'benchmark_price',
    'cleanup_price',
    'strike_price',
  ],
  ...['entry_price', 'exit_price', 'stoploss_price', 'momentum_trigger_price', 'pnl', 'brokerage'],
]);
const TIME_KEYS: ReadonlySet<string> = new Set([
  'order_time',
  'ack_time',
  'filled_time',
  'last_modified',
  'closed_time',
]);

/** A record of the service with its money in the chosen unit, and each time also readable, in India's time. */
export function readableRecord(record: JsonObject, unit: MoneyUnit): JsonObject {
  const made: JsonObject = {};
  for (const [key, value] of Object.entries(record)) {
    if (MONEY_KEYS.has(key) && isAmount(value)) made[key] = paiseTo(unit, decimalFrom(value));
    else if (Array.isArray(value)) made[key] = value.map((value) => inner(value, unit));
    else made[key] = inner(value, unit);
    if (TIME_KEYS.has(key)) made[`${key}_ist`] = nanosToIst(value);
  }
  return made;
}

/** Returns true for a number, also one in text: an item never shows paise as rupees because they came as text. */
const isAmount = (value: Json): boolean => typeof value === 'number' || (typeof value === 'string' && /\d/.test(value));

function inner(value: Json, unit: MoneyUnit): Json {
  const object = asObject(value);
  return object === undefined ? value : readableRecord(object, unit);
}

/** Fields that only intent orders have. */
const INTENT_KEYS = [
  'intent_status',
  'exits',
  'entry_condition',
  'entry_time',
  'good_till_date',
  'slices',
] as const satisfies readonly (keyof OrderFields)[];

/**
 * Returns the most used fields of an order, under the service's own names; words in the spelling of this node's fields. Unknown values are
 * null.
 */
function simpleOrder(record: OrderRecord, order: OrderSnapshot, unit: MoneyUnit): JsonObject {
  const { instrument, times } = order;
  const algo = recordIn(record, 'algo_params');
  const ifGiven = <Value extends Json>(field: Json | undefined, value: Value): Value | null =>
    field == null ? null : value;
  const word = (text: string): string | null => (text === '' ? null : text);
  return {
    order_id: record.order_id ?? null,
    order_status: ifGiven(record.order_status, order.status),
    symbol: word(instrument.symbol),
    display_name: ifGiven(record.display_name ?? recordIn(record, 'ref_data')?.display_name, instrument.displayName),
    exchange: word(instrument.exchange),
    order_side: ifGiven(record.order_side, order.side),
    order_qty: ifGiven(record.order_qty, order.quantity),
    filled_qty: order.filled === 0 ? ifGiven(record.filled_qty, 0) : order.filled,
    order_price: ifGiven(record.order_price, paiseTo(unit, order.price)),
    avg_filled_price: ifGiven(record.avg_filled_price, paiseTo(unit, order.averagePrice)),
    trigger_price:
      order.triggerPrice === undefined
        ? ifGiven(algo?.trigger_price ?? record.trigger_price, 0)
        : paiseTo(unit, order.triggerPrice),
    order_type: ifGiven(record.order_type, order.orderType),
    order_delivery_type: ifGiven(record.order_delivery_type, order.product),
    price_type: ifGiven(record.price_type, order.priceType),
    validity_type: ifGiven(record.validity_type, order.validity),
    tag: ifGiven(record.tag, order.tags[0] ?? ''),
    order_time: record.order_time ?? null,
    order_time_ist: record.order_time === undefined ? null : nanosToIst(times.created),
    ref_id: record.ref_id ?? null,
    ...(order.basketId === '0' ? {} : { basket_id: order.basketId }),
    ...(order.reason === '' ? {} : { rejection_reason: order.reason }),
    ...(isIntent(record) ? readableRecord(pickKeys(record, INTENT_KEYS), unit) : {}),
  };
}

/** Form of the output of a record. */
export interface OutputOptions {
  unit: MoneyUnit;
  simplify: boolean;
  environment: Environment;
  /** The day of the market, YYYY-MM-DD. */
  today: string;
  /** True if an unknown price is null; a workflow saved by an earlier version gets 0. */
  unknownIsNull?: boolean;
  /** True if words of the service have plain ones beside them. */
  hasLabels?: boolean;
}

/** Returns the requested form of an item's records. @throws InputError for an unreadable option. */
export async function outputOptions(item: ItemContext): Promise<OutputOptions> {
  const { connection, transport } = await item.service();
  const { environment } = connection;
  return {
    unit: priceUnitOf(item),
    simplify: item.flag('simplify'),
    environment,
    today: marketDate(transport),
    unknownIsNull: isSince11(item),
    hasLabels: isSince12(item),
  };
}

const PRICES_OF_ORDER = [
  'order_price',
  'avg_filled_price',
  'trigger_price',
] as const satisfies readonly (keyof OrderFields)[];

/** 0 is no price: a market order has no limit, and what has not filled no fill. */
function withNulls(order: JsonObject): JsonObject {
  const unknown = PRICES_OF_ORDER.filter((name) => order[name] === 0);
  return { ...order, ...Object.fromEntries(unknown.map((name) => [name, null])) };
}

/** Returns the fields that replace the price of a fill that the service has not reported. */
function unpricedFill(
  { avg_filled_price: shown }: JsonObject,
  { simplify, unknownIsNull }: OutputOptions,
  reason: string,
): JsonObject {
  const isKept = !simplify || unknownIsNull !== true;
  return { avg_filled_price: isKept ? (shown ?? null) : null, no_price_reason: reason };
}

/** The price at which an order has filled, in the chosen unit; null if it has not filled, or the service has not told it. */
export function filledPriceOutput(record: OrderRecord, unit: MoneyUnit): JsonObject {
  return {
    avg_filled_price: paiseTo(unit, filledPriceOf(record) ?? null),
    ...(isUnpricedFill(record) ? { no_price_reason: whyUnpricedFill(record) } : {}),
  };
}

/** The reason for which the units of a record are not told: it contradicts itself. */
export const unreadableOutput = ({ unreadable_reason: reason }: OrderRecord | BasketRecord): JsonObject =>
  reason === undefined ? {} : { unreadable_reason: reason };

/** An order record as an output item. @param basketProduct of the basket that it is a leg of: a leg need not tell it. */
export function orderOutput(record: JsonObject, options: OutputOptions, basketProduct?: Product): JsonObject {
  const { unit, simplify, unknownIsNull = false, hasLabels = false, environment } = options;
  const order = readOrder(record);
  const simple = simplify ? simpleOrder(record, order, unit) : readableRecord(record, unit);
  const shown = simplify && unknownIsNull ? withNulls(simple) : simple;
  return {
    ...shown,
    ...(hasLabels
      ? { ...timesInIst(shown), ...stopOf(record, order, unit), ...labelsOf(record, order, basketProduct) }
      : {}),
    ...unreadableOutput(record),
    ...(isUnpricedFill(record) ? unpricedFill(shown, options, whyUnpricedFill(record)) : {}),
    environment,
  };
}

const UTC_TIMES = ['entry_time', 'exit_time', 'good_till_date'] as const;

/** Returns the times of entry and exits and the last day, which the service tells in UTC, in IST beside them; also those within. */
export function timesInIst(record: JsonObject): JsonObject {
  const own = UTC_TIMES.flatMap((name) => {
    const at = instantOf(record[name]);
    return at === undefined ? [] : [[`${name}_ist`, toIst(at)] as const];
  });
  const shown = Array.isArray(record.exits) ? record.exits : undefined;
  const exits = shown?.map((value) => {
    const exit = asObject(value);
    return exit === undefined ? value : { ...exit, ...timesInIst(exit) };
  });
  const params = asObject(record.basket_params);
  return {
    ...Object.fromEntries(own),
    ...(exits === undefined ? {} : { exits }),
    ...(params === undefined ? {} : { basket_params: { ...params, ...timesInIst(params) } }),
  };
}

/** Returns a time of the service, milliseconds; undefined if the text is none. */
export function instantOf(value: Json | undefined): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Returns the price of the stop loss on an order that is open; null if it has none. Only intent orders have exits. */
function stopOf(record: OrderRecord, order: OrderSnapshot, unit: MoneyUnit): JsonObject {
  if (!isIntent(record)) return {};
  const stop = order.exits?.find(
    ({ kind, status }) => kind === 'stop' && (status === 'OPEN' || status === 'TRIGGERED'),
  );
  return { stop_price: stop === undefined ? null : paiseTo(unit, stop.trigger) };
}

/** Returns plain words beside those of the service, and a sentence for a message. */
function labelsOf(record: OrderRecord, order: OrderSnapshot, basketProduct?: Product): JsonObject {
  const product = order.product || (basketProduct ?? '');
  const until = instantOf(record.good_till_date);
  return {
    ...orderLabels({ ...labelledOf(record), product }),
    summary:
      record.unreadable_reason ??
      orderSummary({ ...order, product }, until === undefined ? undefined : istDate(until), exitTimeOf(record)),
  };
}

/** Returns the exit time of an order that is still to come, milliseconds. */
function exitTimeOf(record: OrderRecord): number | undefined {
  if (!hasLiveExits(record)) return undefined;
  const open = exitsOf(record).find(({ kind, status }) => kind === 'EXIT_TIME' && status === 'OPEN');
  return instantOf(open?.exit_time);
}

/** Returns the output of an order that is not placed, because it is too small. */
export function skippedOutput({ instrument }: OrderTerms, skipped: object, { environment }: OutputOptions): object {
  const { symbol, exchange, refId } = instrument;
  return { ...skipped, symbol, exchange, ref_id: refId, environment };
}

/** Returns the maximum distance of a market order from the last price, percent; null without a known price. */
function protectionOf(record: OrderRecord, instrument: OrderTerms['instrument']): JsonObject {
  const price = filledPriceOf(record) ?? lastPriceOf(record);
  return { market_protection_percent: marketProtection(instrument, price) };
}

/** The exits that a trigger keeps: nothing of them is at the exchange yet. */
function emulatedExitsOutput({ stop, target }: EmulatedExits, { unit, today }: OutputOptions): JsonObject {
  return {
    exits_kept_by: 'trigger',
    stop_loss: paiseTo(unit, stop),
    target: target === undefined ? null : paiseTo(unit, target),
    exits_until: today,
  };
}

/** Returns an item whose sentence says that this run has placed nothing: an alert that comes twice would be told as two orders. */
export function withRepeatNote(item: JsonObject, isRepeat: boolean): JsonObject {
  return isRepeat && typeof item.summary === 'string'
    ? { ...item, summary: `${item.summary} It was placed before: nothing was sent again.` }
    : item;
}

/** An order that the service has, or in a dry run what would be sent for it. */
export function placedOutput(outcome: ConfirmedOutcome, terms: OrderTerms, options: OutputOptions): object {
  const { instrument, exits, kept, goodTill, priceType } = terms;
  const { symbol, exchange } = instrument;
  if (outcome.outcome === 'dryRun') {
    const { tag, request } = outcome;
    return {
      dry_run: true,
      symbol,
      exchange,
      tag,
      would_send: requestOutput(request),
      ...(options.hasLabels === true ? dryRunWords(terms) : {}),
      environment: options.environment,
    };
  }
  return {
    ...withRepeatNote(orderOutput(outcome.record, options), outcome.alreadyPlaced),
    ...(options.simplify ? { symbol, exchange } : {}),
    tag: outcome.tag,
    already_placed: outcome.alreadyPlaced,
    ...(options.unknownIsNull && priceType === 'MARKET' ? protectionOf(outcome.record, instrument) : {}),
    // After this day the service keeps no exit for what is still held.
    ...(exits === undefined ? {} : { exits_until: goodTill ?? options.today }),
    ...(kept === undefined ? {} : emulatedExitsOutput(kept, options)),
  };
}
