/**
 * The terms of the order stream and of the day's lists. Prices are integers in paise. Times are nanoseconds since the Unix
 * epoch as decimal text, '0' where they are not told; a name that ends in `Ms` holds milliseconds.
 */
import type { SvcToClientIntentUpdate } from '../../../proto/generated/messages';

/** What can happen to an order (specification: Events, IntentOrderResponseType with IntentOrderRequestType). */
export const ORDER_EVENTS = [
  'accepted',
  'cancelled',
  'cancelRejected',
  'entryTriggered',
  'executed',
  'exitArmed',
  'exitCancelled',
  'exitFilled',
  'exitTimeReached',
  'expired',
  'fill',
  'modified',
  'modifyRejected',
  'other',
  'rejected',
  'stopLossTriggered',
  'targetTriggered',
  'trailUpdated',
  'unsolicitedCancel',
] as const;
export type OrderEventType = (typeof ORDER_EVENTS)[number];

/** The events that end the life of an order. */
export const END_EVENTS: readonly OrderEventType[] = [
  'executed',
  'cancelled',
  'unsolicitedCancel',
  'expired',
  'rejected',
];

/** What becomes of an order's exits. */
export const EXIT_EVENTS: readonly OrderEventType[] = [
  'exitArmed',
  'exitCancelled',
  'exitFilled',
  'exitTimeReached',
  'stopLossTriggered',
  'targetTriggered',
  'trailUpdated',
];

/** How the life of an order ended; '' while it lasts. */
export type OrderEnd = '' | 'executed' | 'cancelled' | 'expired' | 'rejected';

export type ExitKind = 'stop' | 'target' | 'time';
/**
 * What a trade of a strategy was: of its entry, of one of its exits, or `close`: it was closed on request, or taken back because a
 * leg found nothing to trade with. Null where no list tells which exit it was.
 */
export type StrategyPart = 'entry' | ExitKind | 'close' | null;
export type ExitStatus = 'OPEN' | 'TRIGGERED' | 'FILLED' | 'CANCELLED';

/** One exit of an order, as a view shows it. */
export interface ExitView {
  kind: ExitKind;
  status: ExitStatus;
  /** Paise; 0 of an exit time. */
  trigger: number;
  /** Whether it is a stop loss that moves along. */
  trails: boolean;
  /** Cumulative quantity that it has closed; the stream does not tell. */
  filled?: number;
}

/** How much of one instrument of an order is filled. An order has one leg, a basket may have several. */
export interface LegFill {
  refId: number;
  /** Cumulative quantity. */
  filled: number;
  /** Paise per unit, the average over `filled`; 0 when not known. */
  averagePrice: number;
  /** Only of a basket: the instrument of this leg. */
  instrument?: OrderInstrument;
  /** Of a basket in the list of orders, always and only. */
  entry?: ListedEntry;
  /** Only of a basket: BUY or SELL, of its entry. */
  side?: string;
}

/** How much the entry of a leg filled, and when last (nanoseconds). What the leg has filled beyond it is its exit. */
export interface ListedEntry {
  side: string;
  filled: number;
  averagePrice: number;
  at: string;
}

export interface OrderInstrument {
  refId: number;
  exchange: string;
  /** Trading symbol. */
  symbol: string;
  /** The underlying of a derivative. */
  asset: string;
  platName: string;
  displayName: string;
}

/** An order as one message of the stream, or one record of the day's lists, shows it. */
export interface OrderSnapshot {
  /**
   * `strategy`: a basket, which the stream tells of as one order with legs. `leg`: an order that a basket placed, which the
   * list shows and the stream does not tell of on its own (specification: Routing rules, rule 4).
   */
  kind: 'order' | 'strategy' | 'leg';
  orderId: string;
  /** '0' when not part of a basket. */
  basketId: string;
  instrument: OrderInstrument;
  /** BUY or SELL; anything else as the service sent it. */
  side: string;
  /** CNC or IDAY. */
  product: string;
  orderType: string;
  priceType: string;
  validity: string;
  /** The service's own word for the status, without its prefix. */
  status: string;
  quantity: number;
  filled: number;
  price: number;
  averagePrice: number;
  /** Undefined where the source does not tell. */
  triggerPrice: number | undefined;
  legs: LegFill[];
  tags: string[];
  reason: string;
  /** Only of an order, or a strategy of intent orders, that has exits. */
  exits?: readonly ExitView[];
  /** Whether the exchange has taken it. */
  accepted: boolean;
  /** Whether its entry was triggered, as far as the source tells. */
  triggered: boolean;
  end: OrderEnd;
  /** Only of a basket's record: whether it was entered in full. */
  entered?: boolean;
  /** Only of a strategy of intent orders: its record tells all fills of its entry, and no list shows orders of its legs. */
  isWhole?: boolean;
  /** Only of a basket's record: what may have led to its end. The record does not tell. */
  causes?: readonly OrderEventType[];
  times: { created: string; accepted: string; filled: string; cancelled: string; modified: string; updated: string };
  source: 'stream' | 'orders';
}

export interface Fill {
  refId: number;
  quantity: number;
  /** Paise; an average where several trades were recovered as one, 0 when not known. */
  price: number;
  /** Cumulative quantity of the leg before and after. */
  from: number;
  to: number;
  /** False when quantity and price were worked out from the order, because no trade was told. */
  exact: boolean;
  /** The exit that it is of, on the other side of the order; left out for the entry. `from` and `to` are then the exit's. */
  of?: ExitKind;
  /** Only of a strategy, of which `from` and `to` count entry and exits together. */
  part?: StrategyPart;
}

/** One thing that happened to an order. Several triggers may be handed the same object: nobody changes it. */
export interface OrderEvent {
  type: OrderEventType;
  /** Types that it may have been as well: the day's orders do not tell who cancelled. */
  maybe: readonly OrderEventType[];
  /** Unique for the event within the account; the same whether it came by the stream or was recovered. */
  key: string;
  /** Whether a comparison found it, because the stream had not brought it. */
  recovered: boolean;
  order: OrderSnapshot;
  fill: Fill | undefined;
  /** The exit that it is about. */
  exit?: ExitView;
  /** When it happened, as far as is known. */
  at: string;
  /** The delivered state of the order after this event, as text for a checkpoint (see state-codec.ts). */
  after: string;
  /** The message as it came; undefined when recovered. */
  raw: SvcToClientIntentUpdate | undefined;
}

/** The orders of the trading day as the service lists them now. */
export interface DayOrders {
  orders: OrderSnapshot[];
  /** Milliseconds that the service's clock is ahead of ours, at least and at most; undefined when its reply did not tell. */
  ahead: { least: number; most: number } | undefined;
}

/** The orders of the day and, where they were asked for and could be had, its baskets. */
export interface Day {
  orders: readonly OrderSnapshot[];
  baskets: readonly OrderSnapshot[] | undefined;
}
