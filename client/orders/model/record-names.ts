/**
 * The names of the fields of records of orders and baskets. The service has used several for one thing: in capitals or with
 * underscores, `quantity` or `qty` (docs/service/portfolio.md#newer-names), and with or without the word `order`. Here a record gets the
 * names of the specification, so that everybody behind it knows only those.
 */
import { asObject, type Json, type JsonObject } from '../../values/json';
import { spelledWord } from '../../values/enums';

/** The names that the client reads (client/endpoints/orders.ts and baskets.ts). */
const KNOWN: ReadonlySet<string> = new Set([
  ...[
    'order_id',
    'basket_id',
    'client_code',
    'ref_id',
    'order_type',
    'order_side',
    'order_price',
    'order_qty',
    'leg_size',
  ],
  ...['filled_qty', 'avg_filled_price', 'order_status', 'order_time', 'ack_time', 'filled_time', 'last_modified'],
  ...['ref_data', 'order_delivery_type', 'display_name', 'price_type', 'validity_type', 'exchange_order_id'],
  ...['exchange', 'LTP', 'trigger_price', 'tag', 'algo_params', 'rejection_msg', 'rejection_reason'],
  ...['basket_name', 'basket_status', 'basket_params', 'entry_price', 'exit_price', 'stoploss_price'],
  ...['momentum_trigger_price', 'entry_time', 'exit_time', 'multiplier', 'orders', 'stock_name', 'plat_name', 'asset'],
  ...['buy_qty', 'sell_qty', 'buy_avg', 'sell_avg'],
]);

/** Other words for those of an order, in small letters with underscores, `qty` for `quantity` and `avg` for `average`. */
const WORDS_OF_ORDERS: ReadonlyMap<string, string> = new Map([
  ['side', 'order_side'],
  ['status', 'order_status'],
  ['qty', 'order_qty'],
  ['price', 'order_price'],
  ['delivery_type', 'order_delivery_type'],
  ['avg_price', 'avg_filled_price'],
  ['filled_price', 'avg_filled_price'],
  ['ltp', 'LTP'],
  ['last_traded_price', 'LTP'],
  ['rejection_message', 'rejection_msg'],
  ['reject_msg', 'rejection_msg'],
  ['reject_message', 'rejection_msg'],
  ['reject_reason', 'rejection_reason'],
]);
/** Names in baskets. */
const WORDS_OF_BASKETS: ReadonlyMap<string, string> = new Map([
  ['status', 'basket_status'],
  ['name', 'basket_name'],
  ['ltp', 'LTP'],
]);

/** Fields that hold records themselves. */
const INNER: readonly string[] = ['ref_data', 'algo_params', 'basket_params'];

/** Fields that hold a word of a list of the service. */
const WORDS: readonly string[] = [
  ...['order_side', 'order_type', 'order_delivery_type', 'price_type', 'validity_type', 'exchange'],
];
/** Returns the name of the specification for a field; undefined if it has that already, or the client reads none like it. */
function specifiedName(name: string, otherWords: ReadonlyMap<string, string>): string | undefined {
  if (KNOWN.has(name) || name.length > MAX_NAME) return undefined;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
  const spelled = words.map((word) => (word === 'quantity' ? 'qty' : word === 'average' ? 'avg' : word)).join('_');
  const specified = otherWords.get(spelled) ?? spelled;
  return KNOWN.has(specified) ? specified : undefined;
}

/** No field that the client reads has a longer name. */
const MAX_NAME = 40;

/**
 * An order that has each of its fields under the name of the specification too. Where it has that name already, and
 * something under it, that stays; and so does every field under the name that it came with.
 */
export function orderWithNames<Rec extends JsonObject>(record: Rec): Rec {
  return withNames(record, WORDS_OF_ORDERS);
}

/**
 * Renames as `orderWithNames`, for a basket and its legs: a list, or an object keyed by ref_id (docs/service/baskets.md#basket-requests).
 */
export function basketWithNames<Rec extends JsonObject>(record: Rec): Rec {
  const named = withNames(record, WORDS_OF_BASKETS);
  const { orders } = named;
  const keyed = asObject(orders);
  if (keyed !== undefined) return { ...named, orders: Object.fromEntries(Object.entries(keyed).map(legWithNames)) };
  return Array.isArray(orders) ? { ...named, orders: orders.map((leg) => legWithNames(['', leg])[1]) } : named;
}

function legWithNames([refId, value]: [string, Json]): [string, Json] {
  const leg = asObject(value);
  return [refId, leg === undefined ? value : orderWithNames(leg)];
}

function withNames<Rec extends JsonObject>(record: Rec, otherWords: ReadonlyMap<string, string>): Rec {
  const named: JsonObject = { ...record };
  for (const [name, value] of Object.entries(record)) {
    const specified = specifiedName(name, otherWords);
    if (specified !== undefined) named[specified] ??= value;
  }
  for (const name of WORDS) {
    const word = named[name];
    if (typeof word === 'string') named[name] = spelledWord(word);
  }
  for (const name of INNER) {
    const inner = asObject(named[name]);
    if (inner !== undefined) named[name] = withNames(inner, NO_WORDS);
  }
  return named as Rec;
}
const NO_WORDS: ReadonlyMap<string, string> = new Map();
