/** Trades from the tradebook report; for a day that it does not hold yet, from the orders of the day. */
import { isCommoditySymbol, isKnownContract, type KnownContract, priceSum, ONE_SHARE } from '../values/contract-value';
import { UnreadableReplyError } from '../base/errors';
import type { OrderRecord } from '../endpoints/orders';
import {
  exitsOf,
  filledPriceOf,
  filledQuantityOf,
  instrumentOf,
  orderIdOf,
  productOf,
  sideOf,
  symbolOf,
  tagOf,
  timesOf,
} from '../orders/model/order-record';
import { isLater } from '../orders/model/order-snapshot';
import { statusFrom } from '../orders/model/order-status';
import { userTagOf } from '../orders/model/tags';
import { rowsIn } from '../reports/reports';
import { contractSymbol, isDerivative } from '../instruments/symbol';
import { asObject, type Json, type JsonObject } from '../values/json';
import { fillPriceIn, type FillPrice } from '../values/market-price';
import { numberFrom } from '../values/record';
import { redact } from '../values/redact';
import { istDate, nanosToMs } from '../values/time';
import { instantOf, numberOf, productIn, showsRupees, sideIn, textOf } from './tradebook-cells';

/** One trade, or what one order has traded. */
export interface Fill {
  /** Milliseconds since the epoch. */
  at: number;
  /** Trading symbol. */
  symbol: string;
  /** CNC or IDAY; '' where it is not told. */
  product: string;
  /** Signed units. */
  quantity: number;
  /** Of an order its mean price. */
  price: FillPrice;
  /** Paise; null if unknown. */
  charges: number | null;
  /** Undefined where nothing tells what it is worth. */
  contract: KnownContract | undefined;
  orderId: string;
  /** The person's own label; '' where it is not known. */
  tag: string;
  /** A quantity that was held before the first trade. */
  held?: true;
}

/** Columns by the names that brokers give them, letters and digits only; what was traded comes before what was ordered. */
const COLUMNS = {
  date: ['date', 'tradedate', 'tradedon', 'orderdate', 'datetime', 'dateandtime', 'tradedatetime'],
  time: ['time', 'tradetime', 'executiontime', 'orderexecutiontime', 'filltime', 'exchangetime', 'ordertime'],
  symbol: ['symbol', 'tradingsymbol', 'scrip', 'scripname', 'instrument', 'security'],
  side: ['side', 'buysell', 'tradetype', 'transactiontype', 'orderside'],
  quantity: [
    ...['filledqty', 'filledquantity', 'tradeqty', 'tradequantity', 'tradedqty', 'tradedquantity'],
    ...['quantity', 'qty'],
  ],
  price: ['tradeprice', 'tradedprice', 'fillprice', 'avgprice', 'averageprice', 'price', 'rate'],
  product: ['product', 'producttype', 'deliverytype'],
  charges: ['charges', 'totalcharges'],
  exchange: ['exchange', 'exch', 'exchangesegment'],
  value: ['value', 'tradevalue', 'turnover'],
  order: ['orderid', 'orderno', 'ordernumber'],
  strike: ['strike', 'strikeprice'],
  option: ['optiontype', 'opttype', 'cepe'],
  trade: ['tradeid', 'tradeno', 'tradenumber'],
  status: ['status', 'orderstatus', 'tradestatus'],
} as const;
type Column = keyof typeof COLUMNS;
const NO_TRADES: Tradebook = { fills: [], taxes: new Map() };
const NEEDED = ['date', 'symbol', 'side', 'quantity', 'price'] as const satisfies readonly Column[];

/** Content of a tradebook. */
export interface Tradebook {
  /** Trades, oldest first. */
  fills: Fill[];
  /** Taxes and charges of no trade, such as the tax on an exercised option, by trading symbol; paise. */
  taxes: ReadonlyMap<string, number>;
}

/**
 * Reads a tradebook.
 * @throws UnreadableReplyError where its rows cannot be found, a column that is needed is missing, or a row does not hold
 *   what it should: a part of the trades must not look like all of them.
 */
export function readTradebook(report: JsonObject): Tradebook {
  const rows = rowsIn(report);
  if (rows === undefined) {
    if (holdsNothing(report)) return NO_TRADES;
    throw new UnreadableReplyError(
      'The trades in the tradebook cannot be found: it has no table of trades that this version knows.',
    );
  }
  const columns = columnsOf(rows);
  const taxRows = rows.filter((row) => isTax(row, columns));
  const tradeRows = eachTradeOnce(
    rows.filter((row, index) => !taxRows.includes(row) && !isEmptySection(row) && hasTraded(row, columns, index)),
    columns,
  );
  const inRupees = unitOf(report, rows, columns) === 'rupees';
  const taxes = new Map<string, number>();
  for (const row of taxRows) {
    const [symbol, amount] = [textOf(row[columns.symbol ?? '']), numberOf(row[columns.charges ?? ''])];
    if (amount === undefined)
      throw new UnreadableReplyError(`The tradebook does not tell the amount of "${textOf(row.title)}" for certain.`);
    taxes.set(symbol, (taxes.get(symbol) ?? 0) + (inRupees ? Math.round(amount * 100) : amount));
  }
  if (tradeRows.length === 0) return { fills: [], taxes };
  const missing = NEEDED.filter((name) => columns[name] === undefined);
  if (missing.length > 0) {
    const seen = Object.keys(rows[0] ?? {}).join(', ');
    throw new UnreadableReplyError(`The tradebook has no column for ${missing.join(', ')}; it has: ${seen}.`);
  }
  return { fills: tradeRows.map((row, index) => fillOf(row, columns, inRupees, index)).sort(oldestFirst), taxes };
}

/** Returns rows without those that come again with the same number of a trade: pages of a report may overlap. */
function eachTradeOnce(rows: readonly JsonObject[], columns: Columns): JsonObject[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const text = JSON.stringify(row);
    const isRepeat = textOf(row[columns.trade ?? '']) !== '' && seen.has(text);
    seen.add(text);
    return !isRepeat;
  });
}

/** Statuses of orders that may have been traded in full, in part or not at all. */
const UNSURE: ReadonlySet<string> = new Set([
  ...['CANCELLED', 'EXPIRED', 'OPEN', 'PENDING', 'SENT', 'TRIGGERED', 'PARTIAL_FILLED'],
]);
/** Columns of what was traded, and not only ordered. */
const TRADED = /^(?:filled|traded?)q/;

/**
 * Returns false for a row of a list of orders that tells that nothing was traded.
 * @throws UnreadableReplyError for an order that was cancelled, or is open, where nothing tells what was traded of it
 */
function hasTraded(row: JsonObject, columns: Columns, index: number): boolean {
  const written = textOf(row[columns.status ?? '']);
  const status = statusFrom(written);
  if (status === 'REJECTED') return false;
  if (!UNSURE.has(status)) return true;
  if (TRADED.test(plainName(columns.quantity ?? ''))) return numberOf(row[columns.quantity ?? '']) !== 0;
  throw new UnreadableReplyError(
    `Row ${index + 1} of the tradebook has the status "${written.slice(0, MAX_SHOWN)}", and no column tells how much of it was traded.`,
  );
}

/** Returns true if a row is a section without rows. */
function isEmptySection(row: JsonObject): boolean {
  return Object.values(row).some((value) => Array.isArray(value) && value.length === 0);
}

/** Returns true if a row is about a tax or a charge alone, as its section's title says. */
function isTax(row: JsonObject, columns: Columns): boolean {
  const hasTrade = (['side', 'quantity', 'price'] as const).some((column) => row[columns[column] ?? ''] !== undefined);
  return !hasTrade && row[columns.charges ?? ''] !== undefined && /\b(tax|charges?|fees?)\b/i.test(textOf(row.title));
}

/** Orders fills by time; within one second the order with the lower id comes first, in whichever direction the service lists them. */
function oldestFirst(a: Fill, b: Fill): number {
  if (a.at !== b.at || a.orderId === b.orderId) return a.at - b.at;
  return isLater(a.orderId, b.orderId) ? 1 : -1;
}

/** Returns true if no list in a report holds anything. */
function holdsNothing(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  const object = asObject(value);
  return (
    object === undefined ||
    Object.entries(object).every(
      // Rows may stand under their numbers: {"0": {...}, "1": {...}}.
      ([name, value]) => typeof value !== 'object' || (holdsNothing(value) && (value === null || !/^\d+$/.test(name))),
    )
  );
}

type Columns = Partial<Record<Column, string>>;

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function columnsOf(rows: readonly JsonObject[]): Columns {
  const names = new Map<string, string>();
  for (const row of rows)
    for (const name of Object.keys(row)) {
      const plain = plainName(name);
      if (!names.has(plain)) names.set(plain, name);
    }
  return Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([column, headings]) => {
      const name = headings.map((name) => names.get(name)).find((item) => item !== undefined);
      return name === undefined ? [] : [[column, name]];
    }),
  );
}

/** As the report says; where it does not, a fraction shows rupees, as paise have none. */
function unitOf(report: JsonObject, rows: readonly JsonObject[], columns: Columns): 'paise' | 'rupees' {
  const reported = asObject(report.res)?.unit ?? report.unit;
  if (reported === 'paise' || reported === 'rupees') return reported;
  return rows.some((row) => showsRupees(row[columns.price ?? '']) || showsRupees(row[columns.charges ?? '']))
    ? 'rupees'
    : 'paise';
}

function fillOf(row: JsonObject, columns: Columns, inRupees: boolean, index: number): Fill {
  const cell = (column: Column): Json | undefined => row[columns[column] ?? ''];
  const text = (column: Column): string => textOf(cell(column));
  const amount = (column: Column): number | undefined => {
    const value = numberOf(cell(column));
    return value === undefined ? undefined : inRupees ? Math.round(value * 100) : value;
  };
  const at = instantOf(text('date'), text('time'));
  const side = sideIn(text('side'));
  const written = numberOf(cell('quantity')) ?? 0;
  // Some brokers write a sale as fewer units; a purchase of fewer than none is a trade taken back.
  const quantity = side === -1 ? Math.abs(written) : written;
  const price = fillPriceIn(amount('price'));
  const { symbol, exchange } = namedIn(text('symbol'), text('exchange'));
  if (at === undefined || side === undefined || !isCount(quantity) || price === undefined || symbol === '') {
    const wrong = Object.entries({ date: at, side, quantity: isCount(quantity) || undefined, price, symbol })
      .filter(([, read]) => read === undefined || read === '')
      .map(([name]) => `${name} ${shown(cell(name as Column))}`);
    throw new UnreadableReplyError(
      `Row ${index + 1} of the tradebook does not tell date, side, quantity, price and symbol: it has ${wrong.join(', ')}.`,
    );
  }
  const product = productIn(text('product'));
  if (product === undefined)
    throw new UnreadableReplyError(
      `Row ${index + 1} of the tradebook has the product "${text('product')}", which this version does not know.`,
    );
  const isOption = (numberOf(cell('strike')) ?? 0) > 0 || /^(?:CE|PE|CALL|PUT)$/i.test(text('option'));
  if (isOption && !isDerivative(symbol))
    throw new UnreadableReplyError(
      `Row ${index + 1} of the tradebook is about an option on ${symbol}, but does not tell its trading symbol.`,
    );
  return {
    at,
    symbol,
    product,
    quantity: side * quantity,
    price,
    charges: amount('charges') ?? null,
    contract: isCommodity(exchange, symbol) ? contractOfValue(amount('value'), priceSum(price, quantity)) : ONE_SHARE,
    orderId: text('order'),
    tag: '',
  };
}

/** Returns a cell as an error shows it. */
const shown = (value: Json | undefined): string =>
  value === undefined ? 'none' : redact(JSON.stringify(value).slice(0, MAX_SHOWN));
const MAX_SHOWN = 40;

/** Exchanges and segments whose contracts are worth price × quantity. */
const SHARES = /^(?:NSE|BSE|NFO|BFO)(?:[-_ ]?(?:EQ|CM|CASH|FO|FNO|F&O|INDEX))?$/i;
/** Segments of commodities and currencies. */
const COMMODITIES = /^(?:MCX|NCDEX|NCO|BCO|CDS|BCD|COM)|(?:COM|CURRENCY|CUR|CD)$/i;

/** Returns true if a row is about a commodity or a currency; where its exchange does not tell, its symbol does. */
function isCommodity(exchange: string, symbol: string): boolean {
  return !SHARES.test(exchange) && (COMMODITIES.test(exchange) || isCommoditySymbol(symbol));
}

/**
 * The contract that a trade's value (paise) tells: so many times, or so many parts of, its price × quantity; undefined if it is neither,
 * such as a value less charges.
 */
function contractOfValue(value: number | undefined, sum: number): KnownContract | undefined {
  const [dividend, divisor] = [Math.abs(value ?? 0), sum];
  if (dividend === 0) return undefined;
  if (dividend % divisor === 0) return { lotSize: 1, lotMultiplier: dividend / divisor };
  return divisor % dividend === 0 ? { lotSize: divisor / dividend, lotMultiplier: 1 } : undefined;
}

/** Returns the trading symbol of a name such as CRUDEOIL26NOVFUT, MCX:CRUDEOIL26NOVFUT or FUT_CRUDEOIL_20261118, and its exchange. */
function namedIn(name: string, exchange: string): { symbol: string; exchange: string } {
  const [, prefix = '', rest = name] = /^([A-Z]{2,6}):(.+)$/.exec(name) ?? [];
  return { symbol: contractSymbol(rest) ?? rest.replace(SERIES, ''), exchange: exchange === '' ? prefix : exchange };
}

/** Series of a share behind its symbol: what was bought as INFY-EQ may be sold as INFY-BE, and has its price as INFY. */
const SERIES = /-(?:EQ|BE|BZ|SM|ST)$/;

/** Returns true if a number can be that of the units of a trade. */
function isCount(quantity: number): boolean {
  return Number.isSafeInteger(quantity) && quantity > 0;
}

/** Fills of the orders of a day, and the orders whose fills are unknown. */
export interface OrderFills {
  fills: Fill[];
  /** Orders that the list does not tell in full: an order's own exits, and orders without a mean price, side, symbol or whole units. */
  unpriced: string[];
}

/** @param now milliseconds: of an order that does not tell when it was filled. */
export function fillsOfOrders(orders: readonly OrderRecord[], now: number): OrderFills {
  const fills: Fill[] = [];
  const unpriced: string[] = [];
  for (const order of orders) {
    const quantity = filledQuantityOf(order);
    const side = sideOf(order);
    if (quantity === 0) {
      const written = textOf(order.filled_qty);
      if (written !== '' && Number(written) !== 0) unpriced.push(orderIdOf(order));
      continue;
    }
    const symbol = symbolOf(order);
    const price = filledPriceOf(order);
    const exited = exitsOf(order).some(
      ({ filled_qty: filled, status }) => status === 'FILLED' || numberFrom(filled) > 0,
    );
    if (side === undefined || price === undefined || symbol === '' || exited) unpriced.push(orderIdOf(order));
    if (side === undefined || price === undefined || symbol === '') continue;
    fills.push({
      at: nanosToMs(timesOf(order).filled) ?? nanosToMs(timesOf(order).created) ?? now,
      symbol,
      product: productOf(order) ?? '',
      quantity: side === 'BUY' ? quantity : -quantity,
      price,
      charges: null,
      contract: contractOfOrder(order),
      orderId: orderIdOf(order),
      tag: userTagOf(tagOf(order)),
    });
  }
  return { fills: fills.sort(oldestFirst), unpriced };
}

function contractOfOrder(order: OrderRecord): KnownContract | undefined {
  const { contract } = instrumentOf(order);
  return isKnownContract(contract) ? contract : undefined;
}

/**
 * Trades of the tradebook, and of the orders of today where it does not hold today yet. Labels are those of the orders of
 * today: by the order's id; where the tradebook has another id for it (intent orders), the one label that all orders of
 * the instrument and side have.
 */
export function joinFills(booked: readonly Fill[], orders: readonly Fill[], today: string): Fill[] {
  const tags = new Map(orders.map(({ orderId, tag }) => [orderId, tag]));
  const sideKey = ({ symbol, quantity }: Fill): string => `${symbol} ${Math.sign(quantity)}`;
  const labels = new Map<string, Set<string>>();
  for (const order of orders) labels.set(sideKey(order), (labels.get(sideKey(order)) ?? new Set()).add(order.tag));
  const tagOfTrade = (fill: Fill): string => {
    const byId = tags.get(fill.orderId);
    const [only, ...others] = istDate(fill.at) === today ? (labels.get(sideKey(fill)) ?? []) : [];
    return byId ?? (others.length === 0 ? (only ?? '') : '');
  };
  const hasToday = booked.some(({ at }) => istDate(at) === today);
  const tagged = booked.map((fill) => ({ ...fill, tag: tagOfTrade(fill) }));
  return hasToday ? tagged : [...tagged, ...orders.filter(({ at }) => istDate(at) === today)];
}
