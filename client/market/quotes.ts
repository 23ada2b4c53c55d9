/** Current prices and order books (docs/service/market-data.md#current-price, docs/service/market-data.md#market-depth). Prices are paise. */
import { endpoints } from '../endpoints';
import type { BookLevelFields } from '../endpoints/quotes';
import { priceName, type NamedInstrument } from '../instruments/symbol';
import { UnreadableReplyError } from '../base/errors';
import type { Transport } from '../transport';
import { percentText, rupeesText } from '../values/amounts';
import { countIn } from '../values/counts';
import {
  isKnownPrice,
  knownMarketPrice,
  marketPriceIn,
  requirePrice,
  type MarketPrice,
  type NoPrice,
  type PriceNeed,
} from '../values/market-price';
import {
  asRecord,
  numberIn,
  recordIn,
  recordOf,
  recordsAt,
  spellingIn,
  textIn,
  type WireRecord,
} from '../values/record';

/** See docs/service/market-data.md#current-price. */
export interface CurrentPrice {
  exchange: string;
  /** Last traded price, or the reason for a missing one. */
  price: MarketPrice | NoPrice;
  /** Null when the service gives none. */
  prevClose: MarketPrice | null;
  /** Percent from the previous close; null if the service gives none, or one that the prices contradict. */
  change: number | null;
  /** Indicative close price while the exchange gives one. */
  indicativeClosePrice?: MarketPrice;
}

/**
 * The current price of an instrument or index, which may be none.
 * @throws UnreadableReplyError if the reply is no object; see `Transport.call`.
 */
export async function getCurrentPrice(
  transport: Transport,
  instrument: NamedInstrument,
  signal?: AbortSignal,
): Promise<CurrentPrice> {
  const { exchange } = instrument;
  const path = { instrument: priceName(instrument) };
  const answer = await transport.call(endpoints.currentPrice, { path, query: { exchange }, signal });
  const reply = recordOf(answer, 'the reply');
  const indicative = knownMarketPrice(reply.indicative_close_price);
  const prevClose = knownMarketPrice(reply.prev_close) ?? null;
  const change = numberIn(reply, 'change');
  const price = unlessContradicted(marketPriceIn(reply.price), prevClose, change);
  return {
    exchange: textIn(reply, 'exchange') || exchange,
    price,
    prevClose,
    change: isOfPrices(change, price, prevClose) ? change : null,
    ...(indicative === undefined ? {} : { indicativeClosePrice: indicative }),
  };
}

/** From so many times the previous close on, or such a part of it, one of the two may be in rupees and the other in paise. */
const OTHER_UNIT = 20;
/** Percent that the change may differ from the one by the two prices. */
const CHANGE_SLACK = 50;

/** Returns true if a change, percent, may be that from the previous close to the price. Of an invalid price it is not. */
function isOfPrices(change: number | null, price: MarketPrice | NoPrice, prevClose: MarketPrice | null): boolean {
  if (change === null || !isKnownPrice(price)) return false;
  return prevClose === null || Math.abs((price / prevClose - 1) * 100 - change) <= CHANGE_SLACK;
}

/** Returns a price; none if it is many times its previous close, or a small part of it, and the change from it says that it is not. */
function unlessContradicted(
  price: MarketPrice | NoPrice,
  prevClose: MarketPrice | null,
  change: number | null,
): MarketPrice | NoPrice {
  if (!isKnownPrice(price) || prevClose === null || change === null) return price;
  const times = price / prevClose;
  const isFar = times >= OTHER_UNIT || times * OTHER_UNIT <= 1;
  if (!isFar || isOfPrices(change, price, prevClose)) return price;
  return {
    none: `the service gives ${rupeesText(price)} with a previous close of ${rupeesText(prevClose)} and a change of ${percentText(change)}, of which one is wrong`,
  };
}

/** Requires one price. @throws NoPriceError if none of several instruments has a price: an item each would look as if there were some. */
export function requireOnePrice(prices: readonly { symbol: string; price: MarketPrice | NoPrice }[]): void {
  const [first] = prices;
  if (first !== undefined && !prices.some(({ price }) => isKnownPrice(price)))
    requirePrice(first.price, { symbol: first.symbol, parameter: 'instrument' });
}

/**
 * Returns the last price of an instrument for a calculation.
 * @throws NoPriceError if it has none; as `getCurrentPrice`.
 */
export async function getLastPrice(
  transport: Transport,
  instrument: NamedInstrument,
  need: Omit<PriceNeed, 'symbol'>,
  signal?: AbortSignal,
): Promise<MarketPrice> {
  const { price } = await getCurrentPrice(transport, instrument, signal);
  return requirePrice(price, { symbol: instrument.symbol, ...need });
}

/** One price of an order book. */
export interface BookLevel {
  /** Paise. */
  price: number;
  quantity: number;
  /** Number of orders at this price. */
  orders: number;
}

/** See docs/service/market-data.md#market-depth, whichever of its two spellings came. */
export interface OrderBook {
  refId: number;
  /** Nanoseconds since the epoch, decimal text; null if there is none. */
  time: string | null;
  /** Bids by price, descending. */
  bids: BookLevel[];
  /** Asks by price, ascending. */
  asks: BookLevel[];
  /** Last price; null if there is none. */
  lastPrice: MarketPrice | null;
  lastQuantity: number | null;
  /** Traded on the day so far. */
  volume: number | null;
}

/**
 * Returns both sides of a book, of a reply or of the stream, the best price first. Lines without a price, or without a quantity, fill up a
 * short book: nobody offers there.
 */
export function bookSides(bids: readonly BookLevel[], asks: readonly BookLevel[]): Pick<OrderBook, 'bids' | 'asks'> {
  const offered = (levels: readonly BookLevel[]): BookLevel[] =>
    levels.filter(({ price, quantity }) => price > 0 && quantity > 0);
  return {
    bids: offered(bids).sort((a, b) => b.price - a.price),
    asks: offered(asks).sort((a, b) => a.price - b.price),
  };
}

function levelOf(level: WireRecord<BookLevelFields>): BookLevel {
  const price = numberIn(level, spellingIn(level, 'p', 'price'));
  const quantity = numberIn(level, spellingIn(level, 'q', 'quantity'));
  if (price === null || quantity === null)
    throw new UnreadableReplyError("The service's order book has a level without a price or quantity.");
  if (price < 0 || quantity < 0)
    throw new UnreadableReplyError(
      `The service's order book has an impossible level: ${quantity} at ${price / 100} rupees.`,
    );
  return { price, quantity, orders: numberIn(level, spellingIn(level, 'o', 'num_orders', 'orders')) ?? 0 };
}

/**
 * The order book of an instrument; its exchange follows from the ref_id.
 * @param levels depth of each side.
 * @throws UnreadableReplyError if the reply holds no order book.
 */
export async function getOrderBook(
  transport: Transport,
  refId: number,
  levels: number,
  signal?: AbortSignal,
): Promise<OrderBook> {
  const reply = asRecord(
    await transport.call(endpoints.orderBook, { path: { ref_id: refId }, query: { levels }, signal }),
  );
  const book = recordIn(reply, 'orderBook');
  if (book === undefined) throw new UnreadableReplyError(`The service gave no order book for ref_id ${refId}.`);
  const time = textIn(book, spellingIn(book, 'ts', 'timestamp'));
  const bids = recordsAt(book, spellingIn(book, 'bid', 'bids')).map(levelOf);
  const asks = recordsAt(book, spellingIn(book, 'ask', 'asks')).map(levelOf);
  return {
    refId: numberIn(book, 'ref_id') ?? refId,
    time: time === '' || time === '0' ? null : time,
    ...bookSides(bids, asks),
    lastPrice: knownMarketPrice(book[spellingIn(book, 'ltp', 'last_traded_price')]) ?? null,
    lastQuantity: countIn(numberIn(book, spellingIn(book, 'ltq', 'last_traded_quantity'))),
    volume: countIn(numberIn(book, 'volume')),
  };
}

/** Figures calculated from an order book. */
export interface BookFigures {
  /** Best ask less best bid, paise; null while a side is empty. */
  spread: number | null;
  /** Half way between them, paise; may end in half a paisa. */
  mid: number | null;
  bidQuantity: number;
  askQuantity: number;
  /** (bid − ask) / (bid + ask) of the shown quantities: from −1, only sellers, to 1, only buyers; null for an empty book. */
  imbalance: number | null;
}

/** Returns the figures of an order book. */
export function bookFigures({ bids, asks }: OrderBook): BookFigures {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  const sum = (levels: BookLevel[]) => levels.reduce((total, { quantity }) => total + quantity, 0);
  const [bidQuantity, askQuantity] = [sum(bids), sum(asks)];
  const both = bidQuantity + askQuantity;
  return {
    spread: bid === undefined || ask === undefined ? null : ask - bid,
    mid: bid === undefined || ask === undefined ? null : (ask + bid) / 2,
    bidQuantity,
    askQuantity,
    imbalance: both === 0 ? null : (bidQuantity - askQuantity) / both,
  };
}
