/**
 * The contract of intent orders (docs/service/intent-orders.md): an entry, the conditions it waits for, and the exits of
 * what it fills, for one instrument or for a strategy of several legs. The orders that they send to the exchange are
 * theirs alone. Prices are paise, quantities units, times milliseconds unless they are bigint (nanoseconds).
 */
import type { ExitSlot, StrategyExit, ExitTerms, StopTerms, TargetTerms } from './exit-types';
import type { ExchangeCode, Instrument } from '../../market/reference/types';
import type { IdGeneratorState } from '../id-generator';
import type { ScheduledTask } from '../schedule';
import type { PlacedBy, PriceType, Product, Refusal, Side, Trade } from '../../shared/orders';

export type ConditionKind = 'ABOVE' | 'BELOW' | 'AT_OR_ABOVE' | 'AT_OR_BELOW';
export type IntentValidity = 'DAY' | 'IOC' | 'GTE';

/** Conditions for which the entry waits; both must hold at once. */
export interface EntryTerms {
  /** The last price (of a strategy the net price) that starts the entry. */
  condition: { kind: ConditionKind; price: number } | null;
  time: number | null;
}

/** Cut of an iceberg: by the largest visible quantity, or into a number of legs. */
export interface IcebergTerms {
  maxQuantity: number | null;
  legs: number | null;
}

/** Cause that closes a basket of the older interface. */
export type ExitCause = 'STOPLOSS' | 'TARGET' | 'TRAILING_STOP' | 'EXIT_TIME' | 'REQUEST' | 'FAILED_ENTRY';

/** Facts that only a basket of the older interface has. */
export interface BasketFacts {
  exchange: ExchangeCode;
  name: string;
  /** Of the leg quantities. */
  multiplier: number;
  /** Cause of its close, in progress or done; null until then. */
  exitCause: ExitCause | null;
}

/** Request of the user: plain data, which the event log holds unchanged. */
export interface NewIntent {
  account: string;
  /** A strategy has legs; a single order has one, of one unit, signed by its side. */
  multi: boolean;
  /** Signed units of each instrument in one of the base quantity: 1 buys, -1 sells. */
  legs: { refId: number; unit: number }[];
  quantity: number;
  side: Side;
  product: Product;
  priceType: PriceType;
  validity: IntentValidity;
  /** The limit; of a strategy its signed net premium; 0 with MARKET. */
  price: number;
  /** An instant of the last day of a GTE order; null for the others. */
  goodTill: number | null;
  entry: EntryTerms;
  exits: ExitTerms;
  iceberg: IcebergTerms | null;
  tag: string;
  echo: string;
  /** Undefined for an order that no workflow placed. */
  placedBy?: PlacedBy;
  /** Undefined for what the intent interface placed. */
  basket?: BasketFacts;
}

/** Changes of a modification: a missing field stays; null takes an exit or a condition off. */
export interface IntentChange {
  quantity?: number;
  price?: number;
  goodTill?: number;
  condition?: EntryTerms['condition'];
  entryTime?: number | null;
  stop?: StopTerms | null;
  target?: TargetTerms | null;
  exitTime?: number | null;
}

/** A corporate action on what legs are about: `before` shares become `after`, or each pays an extraordinary dividend (paise). */
export interface Repricing {
  before: number;
  after: number;
  dividend: number;
}

/** A position of an account. */
export type PositionName = Pick<NewIntent, 'account' | 'product'> & { refId: number };

/** OPEN is alive, whatever the validity. EXECUTED: the entry is wholly filled; exits may live on. */
export type IntentStatus = 'OPEN' | 'EXECUTED' | 'CANCELLED' | 'REJECTED' | 'EXPIRED';

export interface IntentLeg {
  refId: number;
  unit: number;
  quantity: number;
  filledQuantity: number;
  /** Sum of price × quantity of the entry, paise. */
  filledValue: number;
  exitQuantity: number;
  exitValue: number;
  /** Numbers that the exchange gave the orders of the entry, oldest first. */
  exchangeOrderIds: bigint[];
  /** Of a basket: every order of the leg, entry and exit, oldest first. */
  orderIds?: bigint[];
}

/** The state of one intent order; bigint times are nanoseconds, 0n until they happen. */
export interface IntentOrder extends Omit<NewIntent, 'legs' | 'exits'> {
  id: bigint;
  status: IntentStatus;
  legs: IntentLeg[];
  exits: StrategyExit[];
  /** True if the entry's conditions have been met. */
  entryTriggered: boolean;
  /** True if it has been sent to the exchange, today or before. */
  sent: boolean;
  filledQuantity: number;
  /** Average price of the entry, rounded; of a strategy net; 0 when nothing is filled. */
  filledPrice: number;
  reason: string;
  createdAt: bigint;
  acceptedAt: bigint;
  sentAt: bigint;
  filledAt: bigint;
  /** Instant at which it was cancelled or expired. */
  cancelledAt: bigint;
  rejectedAt: bigint;
  /** Instants at which the exit of a basket was triggered, and all of it was closed. Of other orders their exits tell. */
  exitTriggeredAt: bigint;
  closedAt: bigint;
  modifiedAt: bigint;
  updatedAt: bigint;
}

/** Everything that happens to an intent order, in order; `intent` is a snapshot taken right after it. */
export type IntentEvent = { seq: number; at: bigint; intent: IntentOrder } & (
  | { type: 'received' }
  | { type: 'accepted' }
  | { type: 'rejected'; reason: string }
  | { type: 'entry_triggered' }
  /** `of` is `entry`, or the exit whose order traded. */
  | { type: 'trade'; trade: Trade; of: 'entry' | ExitSlot }
  | { type: 'executed' }
  | { type: 'trail_updated' }
  | { type: 'exit_triggered'; slot: ExitSlot }
  | { type: 'exit_filled'; slot: ExitSlot }
  | { type: 'exit_cancelled'; slot: ExitSlot; reason: string }
  | { type: 'modified' }
  | { type: 'modify_rejected'; reason: string }
  | { type: 'cancelled' }
  | { type: 'cancel_rejected'; reason: string }
  | { type: 'unsolicited_cancel'; reason: string }
  | { type: 'expired' }
);

export interface IntentOrders {
  /** Refusal with which `place` would answer an order now; undefined when it would take it. */
  check(order: NewIntent, at: number): Refusal | undefined;
  /** Takes an order; what follows comes as events. `smallId` numbers it as some were seen, with few digits. */
  place(order: NewIntent, smallId: boolean, at: number): { ok: true; intent: IntentOrder } | Refusal;
  /** Refusal with which `modify` would answer a change now. */
  checkModify(id: bigint, change: IntentChange, at: number): Refusal | undefined;
  modify(id: bigint, change: IntentChange, at: number): { ok: true } | Refusal;
  /** Refusal with which `cancel` would answer now. */
  checkCancel(id: bigint, slot: ExitSlot | null, at: number): Refusal | undefined;
  /** Cancels the rest of the entry, or the exits of what is wholly entered; with a slot that exit alone. */
  cancel(id: bigint, slot: ExitSlot | null, at: number): { ok: true } | Refusal;
  /** Cancels what is not entered; closes at market what is (the older interface's way with a basket). */
  close(id: bigint, at: number): { ok: true } | Refusal;
  intent(id: bigint): IntentOrder | undefined;
  /** Orders of an account that its list shows by then, oldest first: of the day, and those whose entry or exits live. */
  intents(account: string, at: number): IntentOrder[];
  /** Number of those that a test is true of. */
  countIntents(account: string, at: number, test: (intent: Readonly<IntentOrder>) => boolean): number;
  /** Last price of a single order's instrument, net price of a strategy, paise. */
  netPrice(intent: Pick<NewIntent, 'legs'>, at: number): number;
  /** True if an order of these instruments would wait for the next session. */
  waitsForSession(order: Pick<NewIntent, 'legs'>, at: number): boolean;
  /** Units of the slices in which the freeze quantity cuts an order, of each leg. */
  slicesOf(order: Pick<NewIntent, 'legs' | 'quantity'>, at: number): number[][];
  /** The session in which an order would work: the running one, or the next. Milliseconds. */
  sessionOf(order: Pick<NewIntent, 'legs' | 'product'>, at: number): { from: number; to: number };
  /** Prices of shares and their contracts are others from now on: ends every order on them, and takes over their terms. */
  repriced(shares: readonly number[], terms: Repricing, reason: string, at: number): void;
  /** The broker closes a position: what guards or builds it ends without a trade, and says the reason. */
  closedByBroker(position: PositionName, reason: string, at: number): void;
  /** Takes over the terms that contracts of shares have now. */
  relist(shares: readonly number[], at: number): void;
  onEvent(listener: (event: IntentEvent) => void): void;
  /** Everything, as plain data (see `Exchange.state`). */
  state(): StrategiesState;
}

/** The engine with all of its orders as plain data. */
export interface StrategiesState {
  random: readonly number[];
  ids: IdGeneratorState;
  schedule: { seq: number; tasks: ScheduledTask<IntentTask>[] };
  /** Instruments of legs, kept beyond their expiry. */
  known: Instrument[];
  /** Instant of the next look at prices, milliseconds. */
  nextLook: number | undefined;
  seq: number;
  smallIds: number;
  orders: WorkingIntent[];
  /** Orders that have to be looked at. */
  awake: bigint[];
}

/** Something that has to be done about an order at an instant. */
export type IntentTask = { id: bigint } & (
  | { kind: 'accept' }
  | { kind: 'change'; change: IntentChange }
  | { kind: 'cancel'; slot: ExitSlot | null; close: boolean }
);

/** An intent order with what only the core knows of it. */
export interface WorkingIntent {
  intent: IntentOrder;
  stage: StrategyStage;
  children: ChildOrder[];
  /** End of the session in which it works, milliseconds; null until its first one begins. */
  closesAt: number | null;
  /** Instant from which its list shows it, milliseconds. */
  visibleAt: number;
  /** Reason to take the rest of the entry back; null where there is none. */
  cancelling: string | null;
  lastEnd: EntryEnd | null;
  /** Best price since the first fill; null before. */
  best: number | null;
  /** A cancel is refused before, milliseconds: a modification is at the exchange. */
  busyUntil: number;
  changing: boolean;
  /** No order is placed before, milliseconds. */
  retryAt: number;
  /** Number of market orders in a row that traded nothing. */
  fruitless: number;
}

/** An order that an intent order has at the exchange. */
export interface ChildOrder {
  orderId: bigint;
  /** Index of its leg. */
  leg: number;
  of: 'entry' | ExitSlot;
  placed: number;
  /** Quantity that it may still fill. */
  left: number;
  cancelling: boolean;
}

/** End of the last order of an entry that was not filled. */
export interface EntryEnd {
  type: 'rejected' | 'cancelled' | 'expired' | 'unsolicited_cancel';
  reason: string;
}

/** Progress of an entry. WAITING: for its conditions or a session; WORKING: its orders are on their way. */
export type StrategyStage = 'RECEIVED' | 'WAITING' | 'WORKING' | 'OVER';
