/**
 * The contract of baskets: legs that are one unit, entered and exited on the net price (docs/service/baskets.md#basket-body,
 * docs/service/baskets.md#basket-rules). The net price is the sum of leg price × signed ratio: a leg that is bought counts positive, one that is
 * sold negative, so that for the owner a higher net price is always better. Net prices are paise and may be negative.
 */
import type { ExchangeCode } from '../../market/reference/types';
import type { BasketFacts, ExitCause, IntentOrder, PositionName, Repricing, StrategiesState } from './types';
import type { PlacedBy, PriceType, Product, Refusal, Side, Trade } from '../../shared/orders';

export interface NewBasket {
  account: string;
  exchange: ExchangeCode;
  name: string;
  tag: string;
  legs: { refId: number; quantity: number; side: Side }[];
  /** The exposure the owner declares; each leg trades on its own side. */
  side: Side;
  product: Product;
  priceType: PriceType;
  /** Net price (paise) at or below which a LIMIT basket is entered; 0 with MARKET. */
  entryPrice: number;
  /** Of the leg quantities. */
  multiplier: number;
  /** Net price (paise) at or above which the basket is closed; null without a target. */
  targetPrice: number | null;
  /** Net price (paise) at or below which the basket is closed; null without a stop loss. */
  stoplossPrice: number | null;
  /** Net price (paise) at or above which the entry starts; null when it starts at once. */
  momentumTriggerPrice: number | null;
  /** The stop loss follows the best net price since the entry in steps of so many paise; null when it stays. */
  trailJump: number | null;
  /** Milliseconds; null for at once. */
  entryTime: number | null;
  /** Milliseconds; null for the usual one of an intraday basket, and for none with delivery. */
  exitTime: number | null;
  /** Undefined for one that no workflow placed. */
  placedBy?: PlacedBy;
}

/** Fields of a basket that can be changed; a missing one stays. */
export type BasketChange = Partial<
  Pick<
    NewBasket,
    'entryPrice' | 'targetPrice' | 'stoplossPrice' | 'momentumTriggerPrice' | 'trailJump' | 'entryTime' | 'exitTime'
  >
>;

/** PENDING until acknowledged, OPEN until all legs are filled, FILLED while held, CLOSED after the exit. */
export type BasketStatus = 'PENDING' | 'OPEN' | 'FILLED' | 'CLOSED' | 'CANCELLED' | 'REJECTED';

export interface LegState {
  refId: number;
  side: Side;
  /** Signed share of the leg in one unit of the basket. */
  ratio: number;
  /** Leg quantity × multiplier. */
  quantity: number;
  filledQuantity: number;
  /** Sum of price × quantity of the entry, paise. */
  filledValue: number;
  exitQuantity: number;
  exitValue: number;
  /** Every order of the leg, entry and exit, oldest first. */
  orderIds: bigint[];
  /** The order that is on its way or works now; 0n for none. */
  workingId: bigint;
}

/** The state of one basket; times are nanoseconds since the epoch, 0n until they happen. */
export interface Basket extends Omit<NewBasket, 'legs'> {
  /** Nineteen digits, beyond 2^53. */
  id: bigint;
  legs: LegState[];
  status: BasketStatus;
  /** Reason why it was rejected, cancelled, or closed for another cause than its prices. */
  reason: string;
  /** Present stop loss, after trailing. */
  stoplossNow: number | null;
  exitCause: BasketFacts['exitCause'];
  createdAt: bigint;
  acknowledgedAt: bigint;
  entryTriggeredAt: bigint;
  filledAt: bigint;
  exitTriggeredAt: bigint;
  /** Instant at which it was closed, cancelled or rejected. */
  endedAt: bigint;
}

/**
 * Everything that happens to a basket, in order; `basket` is a snapshot taken right after it. On the stream they are
 * ACCEPT, REJECT, ENTRY_TRIGGERED, FILLED (leg_filled with its trade), EXIT_SL_TRIGGERED and EXIT_TP_TRIGGERED by the
 * cause, TRAIL_UPDATED, EXECUTED (entered in full, and closed).
 */
export type BasketEvent = { seq: number; at: bigint; basket: Basket } & (
  | { type: 'received' }
  | { type: 'accepted' }
  | { type: 'rejected'; reason: string }
  | { type: 'entry_triggered' }
  | { type: 'leg_filled'; trade: Trade }
  | { type: 'entered' }
  | { type: 'trail_updated'; stoplossPrice: number }
  | { type: 'exit_triggered'; cause: ExitCause }
  | { type: 'closed' }
  | { type: 'cancelled'; reason: string }
  | { type: 'cancel_rejected'; reason: string }
);

export interface Baskets {
  /** Takes a basket: it is PENDING at once; what follows comes as events. */
  place(basket: NewBasket, at: number): { ok: true; basket: Basket } | Refusal;
  /** Refusal with which `place` would answer a basket now; undefined when it would take it. */
  check(basket: NewBasket, at: number): Refusal | undefined;
  /** Cancels a basket that is not entered, exits one that is; acknowledged first, done after a delay. */
  cancel(basketId: bigint, at: number): { ok: true } | Refusal;
  /** Changes the prices and times of a basket that is not being exited; the rules of a new one hold. */
  modify(basketId: bigint, change: BasketChange, at: number): { ok: true } | Refusal;
  basket(basketId: bigint): Basket | undefined;
  /** Baskets of an account that its list shows by now, oldest first: those of the day and those still alive. */
  baskets(account: string, at: number): Basket[];
  /** A basket as the intent interface shows it. */
  strategy(basketId: bigint): IntentOrder | undefined;
  /** The same of those that the list of an account shows. */
  strategies(account: string, at: number): IntentOrder[];
  /** Net price now, paise for one unit. */
  netPrice(basket: Pick<Basket, 'legs'>, at: number): number;
  /** Profit so far, realised and unrealised, paise. */
  profit(basket: Basket, at: number): number;
  /** Prices of shares and their contracts are others from now on: ends every basket on them without a trade, and takes over their terms. */
  repriced(shares: readonly number[], terms: Repricing, reason: string, at: number): void;
  /** The broker closes a position: each basket that holds it or enters it ends without a trade, and says the reason. */
  closedByBroker(position: PositionName, reason: string, at: number): void;
  /** Takes over the terms that contracts of shares have now. */
  relist(shares: readonly number[], at: number): void;
  onEvent(listener: (event: BasketEvent) => void): void;
  /** Everything, as plain data (see `Exchange.state`); `createBaskets(deps, state)` goes on from it. */
  state(): StrategiesState;
}
