/** Prices of now (docs/service/market-data.md#market-depth, docs/service/market-data.md#current-price). Prices are integers in paise. */
import type { Json } from '../values/json';
import { asRecord, recordIn } from '../values/record';
import { readEndpoint } from './endpoint';

/** See docs/service/market-data.md#current-price. */
export interface CurrentPriceReply {
  message?: string;
  exchange?: string;
  /** Last traded price, paise. */
  price: number;
  /** Paise. */
  prev_close?: number | null;
  /** Percent from the previous close. */
  change?: number | null;
  /** Paise; only while the exchange gives one: cash market, indicative or special session. */
  indicative_close_price?: number | null;
}

/** One price of an order book, in either spelling. */
export interface BookLevelFields {
  /** Paise. */
  p?: number;
  price?: number;
  /** Units. */
  q?: number;
  quantity?: number;
  /** Number of orders. */
  o?: number;
  num_orders?: number;
  orders?: number;
}

/** See docs/service/market-data.md#market-depth. The wire sends the short names (docs/service/market-data.md#market-depth); the long ones are read too. */
export interface OrderBookFields {
  inst_id?: number;
  ref_id?: number;
  /** Nanoseconds since the epoch, decimal text. */
  ts?: string;
  timestamp?: string;
  /** By price, descending. */
  bid?: BookLevelFields[] | null;
  bids?: BookLevelFields[] | null;
  /** By price, ascending. */
  ask?: BookLevelFields[] | null;
  asks?: BookLevelFields[] | null;
  /** Last traded price, paise. */
  ltp?: number | null;
  last_traded_price?: number | null;
  /** Last traded quantity, units. */
  ltq?: number | null;
  last_traded_quantity?: number | null;
  /** Traded on the day, units. */
  volume?: number | null;
  /** Paise (docs/service/market-data.md#market-depth). */
  prev_close?: number | null;
}

/** See docs/service/market-data.md#market-depth, docs/service/market-data.md#current-price. */
export const quoteEndpoints = {
  /** The exchange follows from the `ref_id`. `levels`: depth of each side. */
  orderBook: readEndpoint<{ path: { ref_id: number }; query?: { levels?: number } }, { orderBook: OrderBookFields }>(
    'GET',
    '/orderbooks/{ref_id}',
    {
      proves: [
        {
          reply: 'order book',
          what: 'ref_id',
          asked: ({ path }) => path.ref_id,
          answered: (reply) => [bookIn(reply)?.ref_id],
        },
      ],
    },
  ),
  /** `instrument` is a trading symbol, which the reply does not name. Without `exchange` the service looks on NSE only. */
  currentPrice: readEndpoint<{ path: { instrument: string }; query?: { exchange?: string } }, CurrentPriceReply>(
    'GET',
    '/optionchains/{instrument}/price',
    {
      proves: [
        {
          reply: 'price',
          what: 'exchange',
          asked: ({ query }) => query?.exchange,
          answered: (reply) => [asRecord<CurrentPriceReply>(reply)?.exchange],
        },
      ],
    },
  ),
};

const bookIn = (reply: Json) => recordIn(asRecord<{ orderBook: OrderBookFields }>(reply), 'orderBook');
