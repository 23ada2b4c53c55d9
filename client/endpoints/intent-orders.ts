/**
 * Intent orders, the second generation of the order interface (intent orders, sections 1 to 5). Prices are integers in
 * paise, quantities are units, times ISO 8601 in UTC.
 *
 * Errors of all: 400 for a broken rule or a wrong input, 403 for an account that does not have this interface ("not
 * enabled") or an IP address that is not registered, 404 where the service does not have it, 429, 440, 500. Answers to
 * create, modify and cancel are acknowledgements: the truth is the list, one or two seconds later, or the stream.
 */
import type { WireRecord } from '../values/record';
import { type Acknowledgement, type OpenWord, read, TIMEOUT_MS, trade } from './endpoint';

/** A price that can be switched off. */
export type PriceBody = { value: number } | { disabled: true };

/** What an entry waits for. A condition that is `disabled` is taken off. */
export type EntryConfigBody = {
  triggers?: { ltp: Partial<Record<'above' | 'below' | 'atOrAbove' | 'atOrBelow', PriceBody>> };
  /** ISO 8601 in UTC. */
  entryTime?: string | { disabled: true };
};

/** What closes what the entry has filled. */
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

/** An item to place (section 2). */
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

/** What changes in an order (section 5): what is missing stays. */
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
export const EXIT_KINDS = ['STOPLOSS', 'TARGET_PROFIT', 'TRAILING_STOP'] as const;
/** One of `EXIT_KINDS`. */
export type ExitKind = (typeof EXIT_KINDS)[number];

/** A leg of a record; of a single order too, where the service shows it as one of several legs. */
export interface IntentLegFields {
  refId: number;
  unitQty?: number | null;
  orderQty?: number | null;
  filledQty?: number | null;
  filledPrice?: number | null;
  refData?: object | null;
}

/** A record (section 3). Fields come changed, as lists, or not at all. */
export interface IntentFields {
  /** Decimal text. */
  intentOrderId: string;
  exchange?: string;
  /** The bucket of the list decides where both differ. */
  status?: OpenWord<'OPEN' | 'EXECUTED' | 'CANCELLED' | 'REJECTED' | 'EXPIRED' | 'GTE'>;
  intentOrderType?: OpenWord<'REGULAR' | 'TRIGGER' | 'ICEBERG' | 'FLEXI'>;
  isMulti?: boolean;
  legs?: IntentLegFields[] | null;
  refId?: number;
  refData?: object | null;
  side?: string;
  deliveryType?: string;
  priceType?: string;
  validityType?: string;
  executionMode?: string;
  orderQty?: number;
  filledQty?: number;
  filledPrice?: number;
  orderPrice?: number;
  ltp?: number;
  stratTags?: string[] | null;
  goodTillDate?: string | null;
  icebergInfo?: object | null;
  entryConfig?: object | object[] | null;
  exitConfig?: object | object[] | null;
  exchangeOrderIds?: object | null;
  rejectionMsg?: string | null;
  timestamps?: object | null;
}

/** A record as it came. */
export type IntentRecord = WireRecord<IntentFields>;

/** The buckets of the list. */
export const BUCKETS = ['open', 'executed', 'cancelled', 'rejected', 'expired', 'gtt'] as const;
/** One of `BUCKETS`. */
export type Bucket = (typeof BUCKETS)[number];

/** A bucket may be missing or null. */
export interface IntentList {
  orders: Partial<Record<Bucket, IntentFields[] | null>> | null;
}

/** Amounts are paise. A refusal comes inside a 200: without `marginInfo`, its `code` not 1. */
export interface FundsRequiredReply {
  code?: number | string;
  marginInfo?: { totalMargin?: number; message?: string } | null;
  brokerageInfo?: { totalChargesFloat?: number } | null;
  totalFundsRequired?: number;
  willDefaultBePlacedAsAmo?: boolean;
  willBeAutoSliced?: boolean;
  message?: string | null;
}

/** At most so many orders in one cancel (section 1). */
export const MOST_CANCELS = 20;

export const intentOrderEndpoints = {
  /** 200 or 201; the records stand in the order of the request. */
  createIntents: trade<{ body: { orders: readonly IntentItemBody[] } }, { message?: string; orders?: IntentFields[] }>(
    'POST',
    '/sentinel/orders/create',
  ),
  modifyIntents: trade<{ body: { orders: readonly IntentChangeBody[] } }, Acknowledgement>(
    'POST',
    '/sentinel/orders/modify',
    { emptyReply: true },
  ),
  /** 200, 201, or 204 without a body. */
  cancelIntents: trade<
    { body: { orders: readonly { orderId: string; exitTriggerKind?: ExitKind }[] } },
    Acknowledgement | null
  >('POST', '/sentinel/orders/cancel', { emptyReply: true }),
  /** The day's orders and those that live on. Filters keep the buckets: only without one does absence mean anything. */
  intents: read<{ query?: { intentOrderId?: string; stratTags?: string } }, IntentList>('GET', '/sentinel/orders', {
    bucket: 'trading',
  }),
  /** Places nothing. */
  fundsRequired: read<{ body: { requestType: 'NEW'; orders: readonly IntentItemBody[] } }, FundsRequiredReply>(
    'POST',
    '/sentinel/orders/funds_required',
    { bucket: 'trading', timeoutMs: TIMEOUT_MS.short },
  ),
};
