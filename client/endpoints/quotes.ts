/** Prices of now (specification: Market quote, Current price). Prices are integers in paise. */
import type { Json } from '../values/json';
import { asRecord, recordIn } from '../values/record';
import { read } from './endpoint';

/** Specification: Current-price record. */
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

/** Specification: Order-book quote. The wire sends the short names (wire-facts 3.1); the long ones are read too. */
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
  /** Paise (wire-facts 3.17). */
  prev_close?: number | null;
}

/** Specification: Market quote, Current price. */
export const quoteEndpoints = {
  /** The exchange follows from the `ref_id`. `levels`: depth of each side. */
  orderBook: read<{ path: { ref_id: number }; query?: { levels?: number } }, { orderBook: OrderBookFields }>(
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
  currentPrice: read<{ path: { instrument: string }; query?: { exchange?: string } }, CurrentPriceReply>(
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
