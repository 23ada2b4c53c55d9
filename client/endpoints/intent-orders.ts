/**
 * Intent orders, the second generation of the order interface (docs/service/intent-orders.md). Prices are integers in
 * paise, quantities are units, times ISO 8601 in UTC.
 *
 * Errors of all: 400 for a broken rule or a wrong input, 403 for an account that does not have this interface ("not
 * enabled") or an IP address that is not registered, 404 where the service does not have it, 429, 440, 500. Answers to
 * create, modify and cancel are acknowledgements: the truth is the list, one or two seconds later, or the stream.
 */
import { MAX_REPLY_BYTES } from '../values/bytes';
import type { WireRecord } from '../values/record';
import { type Acknowledgement, type OpenEnumWord, readEndpoint, TIMEOUT_MS, tradingEndpoint } from './endpoint';

/** A price that can be switched off. */
export type PriceBody = { value: number } | { disabled: true };

/** The entry conditions. A condition that is `disabled` is removed. */
export type EntryConfigBody = {
  triggers?: { ltp: Partial<Record<'above' | 'below' | 'atOrAbove' | 'atOrBelow', PriceBody>> };
  /** ISO 8601 in UTC. */
  entryTime?: string | { disabled: true };
};

/** The exits for the filled quantity of the entry. */
export type ExitConfigBody = {
  stoplossParams?: {
    stoplossTriggerPrice: PriceBody;
    stoplossLimitPrice: PriceBody;
    /** Paise: the stop loss moves along with each move of the price by so much in favour. */
    stoplossTrailJump?: PriceBody;
  };
  targetParams?: { targetProfitTriggerPrice: PriceBody; targetProfitLimitPrice: PriceBody };
  /** ISO 8601 in UTC. */
  exitTime?: string | { disabled: true };
};

/** An item to place (docs/service/intent-orders.md#item-to-place). */
export type IntentItemBody = {
  /** Absent for a strategy. */
  refId?: number;
  /** Units; of a strategy its base quantity. */
  qty: number;
  /** A strategy is always `BUY`: its legs carry the direction. */
  side: 'BUY' | 'SELL';
  deliveryType: 'CNC' | 'IDAY';
  priceType: 'LIMIT' | 'MARKET';
  /** `MARKET` goes with `IOC`; `GTE` with `goodTillDate`. */
  validityType: 'DAY' | 'IOC' | 'GTE';
  goodTillDate?: string;
  isMultiLeg: boolean;
  executionMode: 'ENTRY' | 'ENTRY_AND_EXIT';
  /** Limit, paise; of a strategy the signed net premium per 1 of `qty`. */
  entryPrice?: number;
  entryConfig?: EntryConfigBody;
  exitConfig?: ExitConfigBody;
  /** One of the two, never both. */
  icebergInfo?: { maxQtyPerLeg: number } | { numberOfLegs: number };
  legs?: readonly { refId: number; unitQty: number }[];
  /** Exactly one; letters, digits and hyphens. */
  stratTags: readonly string[];
};

/** Changes of an order (docs/service/intent-orders.md#modify-and-cancel): a missing field stays unchanged. */
export type IntentChangeBody = {
  /** Decimal text, written as an exact integer. */
  orderId: string;
  executionMode: 'ENTRY' | 'EXIT' | 'ENTRY_AND_EXIT';
  qty?: number;
  entryPrice?: number;
  validityType?: 'GTE';
  goodTillDate?: string;
  entryConfig?: EntryConfigBody;
  exitConfig?: ExitConfigBody;
};

/** The exits that can be taken off alone. */
export const INTENT_EXIT_KINDS = ['STOPLOSS', 'TARGET_PROFIT', 'TRAILING_STOP'] as const;
/** One of `INTENT_EXIT_KINDS`. */
export type IntentExitKind = (typeof INTENT_EXIT_KINDS)[number];

/** The instrument of a record or a leg (docs/service/intent-orders.md#record). The live service may leave it out. */
export interface IntentInstrument {
  refId?: number;
  exchange?: string;
  /** The underlying of a derivative. */
  asset?: string;
  /** The trading symbol. */
  stockName?: string;
  displayName?: string;
  /** For example `OPT` or `STOCK`. */
  derivativeType?: string;
  /** `CE` or `PE`. */
  optionType?: string;
  lotSize?: number;
  /** As `qty_multiplier` in the instrument master. */
  qtyMultiplier?: number;
  /** Paise. */
  tickSize?: number;
  /** Paise; docs/service/intent-orders.md#record does not name it. */
  strikePrice?: number;
}

/** A leg of a record; also of a single order, if the service shows it as one of several legs. */
export interface IntentLegFields {
  refId: number;
  /** 1 buys, −1 sells, per base quantity. */
  unitQty?: number | null;
  /** Units. */
  orderQty?: number | null;
  /** Units. */
  filledQty?: number | null;
  /** The mean fill price, paise. */
  filledPrice?: number | null;
  refData?: IntentInstrument | null;
}

/** RFC 3339 with up to nine decimals (docs/service/intent-orders.md#record); null for what has not happened. */
export interface IntentTimestamps {
  intentCreatedAt?: string | null;
  sentToColoAt?: string | null;
  filledAt?: string | null;
  cancelledAt?: string | null;
  rejectedAt?: string | null;
  lastModifiedAt?: string | null;
  lastUpdatedAt?: string | null;
}

/** A price of a record, paise: in the wrapper that it was sent in. */
export interface PriceFields {
  value?: number;
  /** True if it is switched off. */
  disabled?: boolean;
}
/** A price of a record: in its wrapper, or bare. */
type ShownPrice = PriceFields | number | null;

/**
 * Entry conditions as a record shows them (docs/service/intent-orders.md#item-to-place, docs/service/intent-orders.md#record). The service
 * returns them normalised, and as a list also if there is only one.
 */
export interface EntryConfigFields {
  triggers?: { ltp?: Partial<Record<'above' | 'below' | 'atOrAbove' | 'atOrBelow', ShownPrice>> | null } | null;
  /** ISO 8601 in UTC. */
  entryTime?: string | null;
  /** Undocumented status: the condition was met. */
  status?: OpenEnumWord<'TRIGGERED'>;
}

/**
 * State of an exit (docs/service/streams.md#order-update-enums). The place in a record is not documented, so every possible place is read.
 */
export interface ExitStateFields {
  status?: OpenEnumWord<'OPEN' | 'TRIGGERED' | 'FILLED' | 'CANCELLED'>;
  /** Units. */
  filledQty?: number;
}

/** The stop loss of a record (docs/service/intent-orders.md#item-to-place). */
export interface StoplossFields extends ExitStateFields {
  stoplossTriggerPrice?: ShownPrice;
  stoplossLimitPrice?: ShownPrice;
  /** Paise: it moves along with each move of the price by so much in favour. */
  stoplossTrailJump?: ShownPrice;
}

/** The target of a record (docs/service/intent-orders.md#item-to-place). */
export interface TargetFields extends ExitStateFields {
  targetProfitTriggerPrice?: ShownPrice;
  targetProfitLimitPrice?: ShownPrice;
}

/** Exits for the filled quantity of the entry, as a record shows them: in parts, as sent (docs/service/intent-orders.md#item-to-place). */
export interface ExitConfigFields {
  stoplossParams?: StoplossFields | null;
  targetParams?: TargetFields | null;
  /** ISO 8601 in UTC. */
  exitTime?: string | null;
  exitTimeStatus?: ExitStateFields['status'];
  exitTimeFilledQty?: ExitStateFields['filledQty'];
}

/** One exit, if a record shows them as a list (docs/service/intent-orders.md#record). */
export interface ListedExitFields extends ExitStateFields {
  /** See docs/service/streams.md#order-update-enums; may be missing. */
  kind?: OpenEnumWord<IntentExitKind | 'EXIT_TIME'>;
  triggerPrice?: ShownPrice;
  limitPrice?: ShownPrice;
  trailJump?: ShownPrice;
  /** ISO 8601 in UTC. */
  exitTime?: string | null;
}

/** A record (docs/service/intent-orders.md#record). Fields come changed, as lists, or not at all. */
export interface IntentFields {
  /** Decimal text. */
  intentOrderId: string;
  exchange?: string;
  /** The bucket of the list decides where both differ. */
  status?: OpenEnumWord<'OPEN' | 'EXECUTED' | 'CANCELLED' | 'REJECTED' | 'EXPIRED' | 'GTE'>;
  intentOrderType?: OpenEnumWord<'REGULAR' | 'TRIGGER' | 'ICEBERG' | 'FLEXI'>;
  /** True for a strategy. A single order has been seen with it, its instrument in the only leg. */
  isMulti?: boolean;
  legs?: IntentLegFields[] | null;
  refId?: number;
  refData?: IntentInstrument | null;
  side?: OpenEnumWord<'BUY' | 'SELL'>;
  deliveryType?: OpenEnumWord<'CNC' | 'IDAY'>;
  priceType?: OpenEnumWord<'LIMIT' | 'MARKET'>;
  validityType?: OpenEnumWord<'DAY' | 'IOC' | 'GTE'>;
  executionMode?: OpenEnumWord<'ENTRY' | 'EXIT' | 'ENTRY_AND_EXIT'>;
  /** Units. */
  orderQty?: number;
  /** Units. */
  filledQty?: number;
  /** The mean fill price, paise. */
  filledPrice?: number;
  /** Paise; of a limit order it has been seen missing on UAT. */
  orderPrice?: number;
  /** Last traded price, paise. */
  ltp?: number;
  stratTags?: string[] | null;
  goodTillDate?: string | null;
  icebergInfo?: { maxQtyPerLeg?: number | null; numberOfLegs?: number | null } | null;
  entryConfig?: EntryConfigFields | EntryConfigFields[] | null;
  exitConfig?: ExitConfigFields | ExitConfigFields[] | ListedExitFields[] | null;
  /** By ref_id; the last of each is the newest. */
  exchangeOrderIds?: Record<string, (number | string)[]> | null;
  rejectionMsg?: string | null;
  timestamps?: IntentTimestamps | null;
}

/** A record as the service sends it. */
export type IntentRecord = WireRecord<IntentFields>;

/** One exit of an order or a strategy, as the client shows it whatever the record calls it. Prices are paise. */
export type ShownExit = {
  /** Kind of the exit; `UNKNOWN` if the service does not say. */
  kind: OpenEnumWord<IntentExitKind | 'EXIT_TIME' | 'UNKNOWN'>;
  trigger_price: number | null;
  limit_price: number | null;
  /** Trailing jump; only of a trailing stop. */
  trail_jump?: number;
  /** Exit time; only of an exit at a time: ISO 8601. */
  exit_time?: string;
  status: OpenEnumWord<'OPEN' | 'TRIGGERED' | 'FILLED' | 'CANCELLED'>;
  /** Units. */
  filled_qty: number;
};

/** A condition of an entry. */
export type ShownCondition = { when: 'ABOVE' | 'BELOW' | 'AT_OR_ABOVE' | 'AT_OR_BELOW'; trigger_price: number | null };

/**
 * Fields that orders and baskets made from records of intent orders have beyond those of the specification. The client names them
 * (client/orders/api/intent/record.ts); the older interface has none of them.
 */
export interface ShownIntent {
  /** The service's own word for its status, or the bucket that contained it. */
  intent_status?: string;
  /** The record as the service sent it. */
  intent?: IntentFields;
  exits?: ShownExit[];
  entry_condition?: ShownCondition;
  /** ISO 8601: the entry waits until then. */
  entry_time?: string;
  /** The date as the service sent it; null if the order ends with its day. */
  good_till_date?: string | null;
}

/** The buckets of the list. */
export const ORDER_BUCKETS = ['open', 'executed', 'cancelled', 'rejected', 'expired', 'gtt'] as const;
/** One of `ORDER_BUCKETS`. */
export type OrderBucket = (typeof ORDER_BUCKETS)[number];

/** A bucket may be missing or null. */
export interface IntentList {
  orders: Partial<Record<OrderBucket, IntentFields[] | null>> | null;
}

/** Amounts are paise. A refusal comes inside a 200: without `marginInfo`, its `code` not 1. */
export interface FundsRequiredReply {
  code?: number | string;
  marginInfo?: {
    totalMargin?: number;
    message?: string;
    /** Units that the account has margin for. */
    maxAllowedQty?: number;
    /** Units of a delivery share that may be sold now. */
    cncSellAllowedQty?: number;
    availableQty?: number;
    /** Units whose sale is authorised at the depository, and units that wait for it (docs/service/intent-orders.md#authorised-sales). */
    edisDoneQty?: number;
    edisRemainingQty?: number;
  } | null;
  brokerageInfo?: { totalChargesFloat?: number; chargesFloat?: Record<string, number> | null } | null;
  /** Map by ref_id: true for an after-market order. */
  refIdAmoMap?: Record<string, boolean> | null;
  openOrders?: number;
  icebergInfo?: { numberOfLegs?: number; maxQtyPerLeg?: number } | null;
  tradingSlot?: { startTime?: string; endTime?: string } | null;
  totalFundsRequired?: number;
  willDefaultBePlacedAsAmo?: boolean;
  willBeAutoSliced?: boolean;
  message?: string | null;
}

/** Maximum number of orders in one cancel (docs/service/intent-orders.md#intent-order-requests). */
export const MAX_CANCELS = 20;

export const intentOrderEndpoints = {
  /** 200 or 201; the records have the order of the request. */
  createIntents: tradingEndpoint<
    { body: { orders: readonly IntentItemBody[] } },
    { message?: string; orders?: IntentFields[] }
  >('POST', '/sentinel/orders/create', { places: true, proves: 'found by its tag or id' }),
  modifyIntents: tradingEndpoint<{ body: { orders: readonly IntentChangeBody[] } }, Acknowledgement>(
    'POST',
    '/sentinel/orders/modify',
    { emptyReply: true, proves: 'names nothing' },
  ),
  /** 200, 201, or 204 without a body. */
  cancelIntents: tradingEndpoint<
    { body: { orders: readonly { orderId: string; exitTriggerKind?: IntentExitKind }[] } },
    Acknowledgement | null
  >('POST', '/sentinel/orders/cancel', { emptyReply: true, proves: 'names nothing' }),
  /** The day's orders and those that live on. Filters keep the buckets: only without one does absence mean anything. */
  intents: readEndpoint<{ query?: { intentOrderId?: string; stratTags?: string } }, IntentList>(
    'GET',
    '/sentinel/orders',
    {
      bucket: 'trading',
      maxBytes: MAX_REPLY_BYTES.list,
      proves: 'found by its tag or id',
    },
  ),
  /** Places nothing. */
  fundsRequired: readEndpoint<{ body: { requestType: 'NEW'; orders: readonly IntentItemBody[] } }, FundsRequiredReply>(
    'POST',
    '/sentinel/orders/funds_required',
    { bucket: 'trading', timeoutMs: TIMEOUT_MS.short, proves: 'names nothing' },
  ),
};
