/**
 * Types of a session report. Money and prices are paise, times milliseconds since the epoch unless they are said to be otherwise.
 */
import { type ContractUnit } from '../../market/reference/contract-value';
import type { Accounts } from '../../accounts/types';
import type { Instrument } from '../../market/reference/types';
import type { IndexDay } from '../../shared/index-day';
import type { PlacedBy, Product } from '../../shared/orders';
import type { Position, Holding } from '../../accounts/records';

/** Sources of the report; pure. */
export interface PerformanceSource {
  account: string;
  accounts: Pick<
    Accounts,
    'trades' | 'closures' | 'closes' | 'ledger' | 'adjustments' | 'positions' | 'holdings' | 'funds'
  >;
  instrument(refId: number): Instrument | undefined;
  /** Last price at an instant that is not after `now`. */
  price(refId: number, at: number): number;
  /** The index that is shown beside it; undefined where there is none. */
  market: { symbol: string; price(at: number): number; day(date: string): IndexDay | undefined } | undefined;
  /** Instants between two others at which prices are looked at: within sessions. */
  instants(from: number, to: number): number[];
  now: number;
}

/** Days that are reported, YYYY-MM-DD in IST, both ends included. */
export interface ReportedDays {
  from: string;
  to: string;
}

/**
 * One change of a position: a trade, what was held before the period, what was settled without a trade, or what a corporate
 * action brought.
 */
export interface PositionChange {
  /** Key by which movements are matched: an instrument and product; a share's purchases for delivery on all exchanges. */
  key: string;
  refId: number;
  product: Product;
  at: number;
  /** Signed units. */
  quantity: number;
  price: number;
  /** Unit of its prices. */
  unit: ContractUnit;
  charges: number;
  /** The order's id; '' without one. */
  orderId: string;
  /** See `OrderFacts`; undefined where there was no order, or no middle. */
  decisionPrices?: number;
  tag: string;
  placedBy?: PlacedBy;
  /** `adjusted`: carried on at another price; `given`: new shares of a split or a bonus, for nothing. */
  kind: 'trade' | 'held' | 'settled' | 'adjusted' | 'given';
}

/** A part of an entry, with the exit that closed it; without one it is still open. */
export interface EntryPart {
  entry: PositionChange;
  exit: PositionChange | undefined;
  /** Signed as the entry. */
  quantity: number;
  entryCharges: number;
  exitCharges: number;
}

/** A round trip, entered by one order and closed by another; or is open, and is valued at the last price. */
export interface RoundTrip {
  key: string;
  refId: number;
  product: Product;
  side: 'LONG' | 'SHORT';
  quantity: number;
  entryAt: number;
  /** Value of the entry, positive. */
  entryValue: number;
  /** Undefined while it is open. */
  exitAt: number | undefined;
  exitValue: number;
  gross: number;
  costs: number;
  net: number;
  /** Cost of its trades' prices against the middle of the book when their orders were placed; undefined where no middle was known. */
  slippage: number | undefined;
  entry: PositionChange;
  exit: PositionChange | undefined;
}

/** Cash and what is owned at an instant. */
export interface AccountAssets {
  cash: number;
  positions: readonly Position[];
  holdings: readonly Holding[];
}

/** One point of the equity curve. */
export interface CurvePoint {
  at: number;
  /** Of the trades of the period, after costs, since its beginning. */
  result: number;
  /** Distance of the result below its highest so far: 0 or positive. */
  drawdown: number;
  /** Worth of what is open of what the period's trades opened: signed, and without signs. */
  netExposure: number;
  grossExposure: number;
  /** Price of the index; undefined where there is none. */
  market: number | undefined;
}
