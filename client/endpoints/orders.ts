/**
 * Orders (docs/service/orders-v2.md, docs/service/orders-v2.md#lists-of-orders). Prices are integers in paise, quantities are units, not
 * lots.
 *
 * Errors of all: 400 for a broken rule or a wrong input, 401 and 440 for an expired session, 403 for an account that may not use this order
 * system or an IP address that is not registered, 404 for an unknown id, 429 over ten requests a second. A 408, a 5xx and a missing reply
 * leave the outcome unknown: the service may have accepted the order.
 */
import { MAX_REPLY_BYTES } from '../values/bytes';
import { asRecord, recordIn, type WireRecord } from '../values/record';
import {
  type Acknowledgement,
  type NoParts,
  type OpenEnumWord,
  readEndpoint,
  TIMEOUT_MS,
  tradingEndpoint,
} from './endpoint';
import type { InstrumentData } from './instruments';
import type { ShownIntent } from './intent-orders';

/** Side of an order. */
export type OrderSideWord = OpenEnumWord<'ORDER_SIDE_BUY' | 'ORDER_SIDE_SELL'>;
/** Delivery (CNC: the position may stay over night) or intraday (IDAY). */
export type DeliveryTypeWord = OpenEnumWord<'ORDER_DELIVERY_TYPE_CNC' | 'ORDER_DELIVERY_TYPE_IDAY'>;
/** Price type: limit or market. */
export type PriceTypeWord = OpenEnumWord<'LIMIT' | 'MARKET'>;

/** Terms of execution beyond price and quantity (docs/service/orders-v2.md#order-record). */
export interface AlgoFields {
  /** Iceberg: the visible quantity of each part. */
  leg_size?: number | null;
  duration?: number | null;
  /** Stop loss: the price that brings the order into the market, paise. */
  trigger_price?: number | null;
  max_prate?: number | null;
  min_prate?: number | null;
  /** `MANUAL`, `VWAP` or `ARRIVAL` (docs/service/orders-v2.md#order-record). */
  benchmark_type?: string | null;
  /** Paise. */
  benchmark_price?: number | null;
  /** Paise. */
  cleanup_price?: number | null;
}

/** The reason for a rejection of an order or a basket, under one of these names; often it comes on the stream only. */
export interface ReasonFields {
  rejection_msg?: string | null;
  rejection_reason?: string | null;
  reason?: string | null;
  error?: string | null;
  message?: string | null;
  /** Ours: the reason for which the units of a record are not told, a sentence; only of one that contradicts itself. */
  unreadable_reason?: string;
}

/** The fields of an order record (docs/service/orders-v2.md#order-record). Numbers may be missing or null, lists and objects too. */
export interface OrderFields extends ReasonFields, ShownIntent {
  /** Decimal text of up to 19 digits. */
  order_id: string;
  client_code?: string;
  /** Decimal text; '0' when the order is no part of a basket. */
  basket_id?: string;
  ref_id: number;
  /** Origin of the order: the user, or a forced square-off (docs/service/orders-v2.md#order-source). */
  order_source?: OpenEnumWord<'ORDER_SOURCE_NORMAL'>;
  order_type: OpenEnumWord<'ORDER_TYPE_REGULAR' | 'ORDER_TYPE_STOPLOSS' | 'ORDER_TYPE_ICEBERG' | 'ORDER_TYPE_MARKET'>;
  order_side: OrderSideWord;
  /** Paise; 0 for a market order. */
  order_price: number;
  /** Units. */
  order_qty: number;
  /** Iceberg: the visible quantity of each part, units. */
  leg_size?: number | null;
  /** Units, over all trades. */
  filled_qty: number;
  /** The mean fill price, paise; may hold a fraction. */
  avg_filled_price: number;
  /** See docs/service/order-life.md#order-statuses. */
  order_status: OpenEnumWord<
    | 'ORDER_STATUS_PENDING'
    | 'ORDER_STATUS_SENT'
    | 'ORDER_STATUS_OPEN'
    | 'ORDER_STATUS_PARTIAL_FILLED'
    | 'ORDER_STATUS_FILLED'
    | 'ORDER_STATUS_TRIGGERED'
    | 'ORDER_STATUS_CANCELLED'
    | 'ORDER_STATUS_REJECTED'
    | 'ORDER_STATUS_EXPIRED'
  >;
  /** Nanoseconds since the epoch, decimal text; garbage while the order is pending (docs/service/orders-v2.md#order-record). */
  order_time?: string | null;
  /** Time of acknowledgement by the exchange: nanoseconds, decimal text; '0' for an intent order that was not sent to it yet. */
  ack_time?: string | null;
  /** Time of the last fill: nanoseconds, decimal text. */
  filled_time?: string | null;
  /** Nanoseconds, decimal text. */
  last_modified?: string | null;
  updated_by?: number | null;
  ref_data?: InstrumentData | null;
  order_delivery_type: DeliveryTypeWord;
  display_name?: string;
  brokerage?: number | null;
  price_type: PriceTypeWord;
  /** `GTE` only of intent orders. */
  validity_type: OpenEnumWord<'DAY' | 'IOC' | 'GTE'>;
  /** Decimal text; '0' until the exchange gives one. */
  exchange_order_id?: string;
  execution_type?: OpenEnumWord<'STRATEGY_TYPE_IOC' | 'STRATEGY_TYPE_MARKET' | ''>;
  /** `NSE`, `BSE` or `MCX`; may be '' in fetched records. */
  exchange?: string;
  /** Last traded price of the instrument, paise. */
  LTP?: number | null;
  duration?: number | null;
  /** Stop loss, paise; in listed records. */
  trigger_price?: number | null;
  max_prate?: number | null;
  /** The client's own label: by it an order is found again. */
  tag?: string | null;
  algo_params?: AlgoFields | null;
  /** Number of slices; only of an iceberg of intent orders. */
  slices?: number;
}

/** An order as the service sends it. */
export type OrderRecord = WireRecord<OrderFields>;

/** The record of one order, bare or below `order`. */
export interface OrderReply extends OrderFields {
  order?: OrderFields;
}

/** A list of orders under its name: also as an object keyed by ref_id, or null if it is empty (docs/service/baskets.md#basket-requests). */
export interface NamedOrders {
  orders?: OrderFields[] | Record<string, OrderFields> | null;
}

/** A list of orders: bare (specification), under its name, or null if it is empty (docs/service/orders-v2.md#lists-of-orders). */
export type OrderList = OrderFields[] | NamedOrders | null;

/** See docs/service/orders-v2.md#single-order-body. */
export type SingleOrderBody = {
  ref_id: number;
  order_type: `ORDER_TYPE_${'REGULAR' | 'STOPLOSS' | 'ICEBERG'}`;
  /** Units. */
  order_qty: number;
  order_side: `ORDER_SIDE_${'BUY' | 'SELL'}`;
  order_delivery_type: `ORDER_DELIVERY_TYPE_${'CNC' | 'IDAY'}`;
  validity_type: 'DAY' | 'IOC';
  price_type: 'LIMIT' | 'MARKET';
  /** Limit price, paise; only with `LIMIT`. */
  order_price?: number;
  /** Letters, digits and hyphens. */
  tag?: string;
  algo_params?: {
    /** Paise; only for a stop loss. */
    trigger_price?: number;
    /** Units; only for an iceberg: less than `order_qty`. */
    leg_size?: number;
  };
};

/** See docs/service/orders-v2.md#modify-order. All of it is sent again: what stays as well as what changes, and nothing that the type does not have. */
export type ModifyOrderBody = {
  order_qty: number;
  /** Paise; not of an order at the market. */
  order_price?: number;
  exchange: string;
  /** Order type of the record, or one of the three that can be placed. */
  order_type: string;
  /** Terms of this type: the trigger price of a stop loss, paise, or the leg size of an iceberg, units. */
  algo_params?: { trigger_price?: number; leg_size?: number };
};

/** See docs/service/orders-v2.md#cancel-orders. Ids are decimal text, written as exact integers. */
export type CancelOrdersBody = { orders: readonly { order_id: string }[] };

/** See docs/service/orders-v2.md#margin. */
export type MarginBody = {
  /** True if current positions and holdings are included. */
  with_portfolio: boolean;
  /** True if the reply includes the margin of each order. */
  with_legs: boolean;
  is_basket: boolean;
  order_req: {
    exchange: string;
    orders: readonly (SingleOrderBody & { request_type: 'ORDER_REQUEST_NEW' })[];
  };
};

/** See docs/service/orders-v2.md#margin. Amounts are paise. A refusal comes inside a 200: `message` and `code`, without `total_margin`. */
export interface MarginReply {
  span?: number | null;
  exposure?: number | null;
  delivery_margin?: number | null;
  total_margin?: number | null;
  opt_prem?: number | null;
  var?: number | null;
  net_span?: number | null;
  margin_benefit?: number | null;
  leg_margin?: object[] | null;
  /** The largest quantity that the account has margin for, units. */
  max_quantity?: number | null;
  message?: string | null;
  code?: string | number | null;
  /** Brokerage and taxes; only by intent orders. */
  total_charges?: number | null;
  /** Margin and charges; only by intent orders. */
  total_funds_required?: number | null;
  /** True if it would wait for the next session; only by intent orders. */
  waits_for_next_session?: boolean;
  /** Charges by name; only by intent orders. */
  charges?: Record<string, number>;
  /**
   * Units of a delivery share that may be sold now, that are held, that the holder has authorised, and that wait for it; only by intent
   * orders.
   */
  sellable_quantity?: number | null;
  available_quantity?: number | null;
  authorised_quantity?: number | null;
  unauthorised_quantity?: number | null;
  /** Number of the account's open orders of the instrument; only by intent orders. */
  open_orders?: number | null;
  /** Trading time in the service's form; only by intent orders. */
  trading_slot?: { start_time: string; end_time: string } | null;
  /** Slicing of the order; only by intent orders. */
  slicing?: { number_of_legs: number | null; max_qty_per_leg: number | null } | null;
  /** True if it would be placed in parts; calculated by the client if the service does not say. */
  is_sliced?: boolean;
  /** Number of orders that the client would place. */
  parts?: number;
}

/** See docs/service/orders-v2.md#order-requests. */
export const orderEndpoints = {
  /** Answers the record of the order, pending; seen below `order` too. */
  placeOrder: tradingEndpoint<{ body: SingleOrderBody }, OrderReply>('POST', '/orders/v2/single', {
    places: true,
    proves: 'found by its tag or id',
  }),
  /** Answers the records in the order of the request (docs/service/orders-v2.md#lists-of-orders). 400, 409, 422: some may have been taken. */
  placeOrders: tradingEndpoint<{ body: { orders: readonly SingleOrderBody[] } }, OrderList>(
    'POST',
    '/orders/v2/multi',
    {
      places: true,
      proves: 'found by its tag or id',
    },
  ),
  order: readEndpoint<{ path: { order_id: string } }, OrderReply>('GET', '/orders/{order_id}', {
    alternative: '/orders/v2/{order_id}',
    bucket: 'trading',
    timeoutMs: TIMEOUT_MS.short,
    proves: [
      {
        reply: 'record',
        what: 'order',
        asked: ({ path }) => path.order_id,
        answered: (reply) => {
          const record = asRecord<OrderReply>(reply);
          return [(recordIn(record, 'order') ?? record)?.order_id];
        },
        isRequired: true,
        parameter: 'orderId',
      },
    ],
  }),
  /** All orders of the trading day. A new one shows one or two seconds late (docs/service/order-life.md#acknowledgement-and-result). */
  orders: readEndpoint<NoParts, OrderList>('GET', '/orders', {
    alternative: '/orders/v2',
    bucket: 'trading',
    maxBytes: MAX_REPLY_BYTES.list,
  }),
  modifyOrder: tradingEndpoint<{ path: { order_id: string }; body: ModifyOrderBody }, Acknowledgement>(
    'POST',
    '/orders/v2/modify/{order_id}',
    { proves: 'names nothing' },
  ),
  cancelOrder: tradingEndpoint<{ path: { order_id: string } }, Acknowledgement>('DELETE', '/orders/{order_id}', {
    proves: 'names nothing',
  }),
  /** Taken as a whole or not at all: every id must be that of a pending order. */
  cancelOrders: tradingEndpoint<{ body: CancelOrdersBody }, Acknowledgement>('POST', '/orders/cancel', {
    proves: 'names nothing',
  }),
  /** Places nothing. */
  marginRequired: readEndpoint<{ body: MarginBody }, MarginReply>('POST', '/orders/v2/margin_required', {
    proves: 'names nothing',
    bucket: 'trading',
    timeoutMs: TIMEOUT_MS.short,
  }),
};
