/**
 * The terms of the order stream and of the day's lists. Prices are integers in paise. Times are nanoseconds since the Unix
 * epoch as decimal text, '0' where they are not told; a name that ends in `Ms` holds milliseconds.
 */
import type { SvcToClientIntentUpdate } from '../../../proto/generated/messages';
import type { BasketStep } from '../../orders/model/order-summary';
import type {
  ExitKind,
  ExitView,
  OrderEventType,
  OrderSnapshot,
  StrategyPart,
} from '../../orders/model/order-snapshot';

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
  /** Only for a strategy, whose `from` and `to` count entry and exits together. */
  part?: StrategyPart;
}

/** One thing that happened to an order. Several triggers may be handed the same object: nobody changes it. */
export interface OrderEvent {
  type: OrderEventType;
  /** Types that it may have been as well: the day's orders do not tell who cancelled. */
  maybe: readonly OrderEventType[];
  /** Unique for the event within the account; the same whether it came by the stream or was recovered. */
  key: string;
  /** True if a comparison found it, because the stream had not brought it. */
  recovered: boolean;
  order: OrderSnapshot;
  fill: Fill | undefined;
  /** The exit that it is about. */
  exit?: ExitView;
  /** Only of an executed basket: whether it entered, or was closed. */
  step?: BasketStep;
  /** Only where an exit has filled: all that it has traded. Price: paise, an average, 0 when not known. */
  closed?: Pick<Fill, 'quantity' | 'price' | 'of'>;
  /** Time of the event, as far as known. */
  at: string;
  /**
   * Latest possible time of the event, nanoseconds: its own time, or, for an unknown order, the order's creation. '0' if neither is known:
   * then it is new.
   */
  happenedAt: string;
  /** The delivered state of the order after this event, as text for a checkpoint (see state-codec.ts). */
  after: string;
  /** The unchanged message; undefined if recovered. */
  raw: SvcToClientIntentUpdate | undefined;
}

/** The orders of the trading day as the service lists them now. */
export interface DayOrders {
  orders: OrderSnapshot[];
  /** A sentence for each order of the list that is left out: it contradicts itself. */
  odd: readonly string[];
  /** Milliseconds that the service's clock is ahead of ours, at least and at most; undefined when its reply did not tell. */
  ahead: { min: number; max: number } | undefined;
}

/** The orders of the day and, where they were asked for and could be had, its baskets. */
export interface ListedDay {
  orders: readonly OrderSnapshot[];
  baskets: readonly OrderSnapshot[] | undefined;
}
