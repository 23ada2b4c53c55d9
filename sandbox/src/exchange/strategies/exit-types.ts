/**
 * The contract of exits: what closes that of an intent order which is filled (docs/service/intent-orders.md#exits,
 * docs/service/order-life.md#after-the-entry). Prices are
 * paise; of a strategy they are signed net premiums per one of its base quantity. Times are milliseconds.
 */

/** The three ways out; an order has each at most once. `request` is none of the owner's terms: all is closed at market. */
export type ExitSlot = 'stop' | 'target' | 'time' | 'request';
/** OPEN waits (also for fills to protect), TRIGGERED has orders at the exchange or is about to. */
export type ExitStatus = 'OPEN' | 'TRIGGERED' | 'FILLED' | 'CANCELLED';

export interface StopTerms {
  trigger: number;
  limit: number;
  /** The stop trails in whole steps of so many paise; null when it stays. */
  jump: number | null;
}

export interface TargetTerms {
  trigger: number;
  limit: number;
}

export interface ExitTerms {
  stop: StopTerms | null;
  target: TargetTerms | null;
  time: number | null;
}

/** Present state of one exit. */
export interface StrategyExit {
  slot: ExitSlot;
  status: ExitStatus;
  /** After trailing; 0 where it has none. */
  trigger: number;
  limit: number;
  /** 0 when it does not trail. */
  jump: number;
  /** Prices that were asked for, before trailing. */
  asked: { trigger: number; limit: number };
  /** Whole jumps that were behind the price when it was asked for: they do not count again. */
  jumpsBefore: number;
  /** Instant at which an exit time is due, milliseconds; 0 for the others. */
  at: number;
  /** Quantity that its orders have filled; of a strategy in base units. */
  filledQuantity: number;
  /** The owner takes it off, or the exit time takes over: it ends when its orders are back. */
  ending: 'OWNER' | 'TIME' | null;
  /** Reason why it ended without its fill. */
  reason: string;
}
