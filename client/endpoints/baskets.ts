/**
 * Baskets: several legs of one underlying as one unit (docs/service/baskets.md). Prices are integers in paise for one unit of the basket:
 * what is bought counts
 * positive, what is sold negative, so that a credit is below 0.
 *
 * Errors as for orders (see orders.ts).
 */
import { MAX_REPLY_BYTES } from '../values/bytes';
import type { WireRecord } from '../values/record';
import { readEndpoint, tradingEndpoint, type Acknowledgement, type OpenEnumWord } from './endpoint';
import type { ShownIntent } from './intent-orders';
import type { DeliveryTypeWord, OrderFields, OrderSideWord, PriceTypeWord, ReasonFields } from './orders';

/** Entry and exit of a basket (docs/service/baskets.md#basket-record, docs/service/baskets.md#basket-body). */
export interface BasketParams {
  order_side?: OrderSideWord;
  order_delivery_type?: DeliveryTypeWord;
  price_type?: PriceTypeWord;
  /** Limit price, paise. */
  entry_price?: number | null;
  /** The target, paise. */
  exit_price?: number | null;
  /** Paise. */
  stoploss_price?: number | null;
  /** The basket enters only when its price is here, paise. */
  momentum_trigger_price?: number | null;
  /** ISO 8601 in UTC with milliseconds. */
  entry_time?: string | null;
  /** ISO 8601 in UTC with milliseconds. */
  exit_time?: string | null;
  /** Number of times that the legs are traded. */
  multiplier?: number | null;
}

/** An order of a basket, with what it has traded (docs/service/baskets.md#basket-record). Quantities are units, averages paise. */
export interface BasketLegFields extends OrderFields {
  buy_qty?: number | null;
  sell_qty?: number | null;
  buy_avg?: number | null;
  sell_avg?: number | null;
  /** Paise. */
  pnl?: number | null;
  /** Percent. */
  pnl_change?: number | null;
  /** Only of a strategy of intent orders: 1 buys, −1 sells, per base quantity. */
  unit_qty?: number | null;
}

/** Fields that only a strategy of intent orders has, named as in an order. */
type StrategyFields = ShownIntent &
  Partial<
    Pick<
      OrderFields,
      | 'exchange'
      | 'order_delivery_type'
      | 'price_type'
      | 'validity_type'
      | 'order_qty'
      | 'filled_qty'
      | 'order_price'
      | 'avg_filled_price'
      | 'order_time'
      | 'ack_time'
      | 'filled_time'
      | 'last_modified'
    >
  >;

/** The fields of a basket record (docs/service/baskets.md#basket-record). */
export interface BasketFields extends ReasonFields, StrategyFields {
  /** Decimal text of up to 19 digits. */
  basket_id: string;
  user_id?: number;
  basket_name?: string;
  /** The client's own label: by it a basket is found again. */
  tag?: string | null;
  /** See docs/service/baskets.md#basket-requests. */
  basket_status?: OpenEnumWord<
    | 'BASKET_STATUS_OPEN'
    | 'BASKET_STATUS_FILLED'
    | 'BASKET_STATUS_REJECTED'
    | 'BASKET_STATUS_CANCELLED'
    | 'BASKET_STATUS_PENDING'
    | 'BASKET_STATUS_CLOSED'
  >;
  /** A list (specification), or an object keyed by ref_id (docs/service/baskets.md#basket-requests). */
  orders?: BasketLegFields[] | Record<string, BasketLegFields> | null;
  basket_params?: BasketParams | null;
  /** Only of a strategy of intent orders that an exit has closed: nanoseconds since the epoch, decimal text. */
  closed_time?: string;
  /** Last price of one unit, paise. */
  LTP?: number | null;
  /** Paise. */
  pnl?: number | null;
  /** Percent. */
  pnl_change?: number | null;
}

/** A basket as the service sends it. */
export type BasketRecord = WireRecord<BasketFields>;

/** The record of one basket, bare or below `basket`. */
export interface BasketReply extends BasketFields {
  basket?: BasketFields;
}

/** One basket alone, or a list of them under its name. */
export interface NamedBaskets extends BasketFields {
  baskets?: BasketFields[] | null;
}

/** A list of baskets: bare, under its name, one basket alone, or null if there is none. */
export type BasketList = BasketFields[] | NamedBaskets | null;

/** See docs/service/baskets.md#basket-body. */
export type BasketBody = {
  /** The exchange of all legs. */
  exchange?: string;
  basket_name: string;
  /** Letters, digits and hyphens. */
  tag: string;
  orders: readonly {
    ref_id: number;
    /** Units. */
    order_qty: number;
    order_side: `ORDER_SIDE_${'BUY' | 'SELL'}`;
  }[];
  basket_params: {
    order_side: `ORDER_SIDE_${'BUY' | 'SELL'}`;
    order_delivery_type: `ORDER_DELIVERY_TYPE_${'CNC' | 'IDAY'}`;
    price_type: 'LIMIT' | 'MARKET';
    /** Paise; only with `LIMIT`. */
    entry_price?: number;
    /** The target, paise; above the entry price (rule 7). */
    exit_price?: number;
    /** Paise; below the entry price (rule 7). */
    stoploss_price?: number;
    /** Paise; below the target (rule 7). */
    momentum_trigger_price?: number;
    /** ISO 8601 in UTC with milliseconds. */
    entry_time?: string;
    /** ISO 8601 in UTC with milliseconds; only for intraday baskets (rule 3). */
    exit_time?: string;
    multiplier: number;
  };
};

/** See docs/service/baskets.md#basket-requests. */
export const basketEndpoints = {
  /** Answers the record, also below `basket`; bytes may follow it (docs/service/baskets.md#basket-requests). */
  placeBasket: tradingEndpoint<{ body: BasketBody }, BasketReply>('POST', '/orders/v2/basket', {
    places: true,
    proves: 'found by its tag or id',
  }),
  /** The baskets of the trading day; with `tag` those that carry it. */
  baskets: readEndpoint<{ query?: { tag?: string } }, BasketList>('GET', '/orders/v2/basket', {
    bucket: 'trading',
    maxBytes: MAX_REPLY_BYTES.list,
    proves: 'found by its tag or id',
  }),
  /** Cancels a basket that has not entered, exits one that has. */
  cancelBasket: tradingEndpoint<{ path: { basket_id: string }; body: { exchange: string } }, Acknowledgement>(
    'POST',
    '/orders/v2/basket/{basket_id}',
    { proves: 'names nothing' },
  ),
};
