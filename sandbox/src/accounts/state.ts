/** State of the accounts, as plain data that a snapshot keeps. Money is paise. */
import type { Instrument } from '../market/reference/types';
import type { NewOrder, Product } from '../shared/orders';
import type {
  ChargeParts,
  TradeTaxes,
  BookedTrade,
  MatchedTrade,
  LedgerEntry,
  DayClose,
  ShortDelivery,
  CorporateAdjustment,
  MarginCall,
} from './records';

/** A purchase (positive quantity) or short sale (negative) that is still open; see `valueOf`. */
export interface HoldingLot {
  date: string;
  quantity: number;
  price: number;
}

export interface PositionState {
  refId: number;
  product: Product;
  buyQuantity: number;
  buyValue: number;
  sellQuantity: number;
  sellValue: number;
  realised: number;
  lots: HoldingLot[];
  /** Taxes of the orders of the day, and by what they are less as the day's deliveries are netted; paise. */
  taxes: TradeTaxes;
  relief: TradeTaxes;
}

export interface HoldingState {
  refId: number;
  settled: HoldingLot[];
  t1: HoldingLot[];
  pledged: number;
}

export interface HeldOrder {
  id: bigint;
  order: NewOrder;
  referencePrice: number;
  /** Of an option: its underlying's price (paise) when the order was checked; its SPAN is counted from there. 0 otherwise. */
  underlyingPrice: number;
  filled: number;
}

export interface AccountState {
  id: string;
  opening: number;
  added: number;
  cash: number;
  charges: number;
  realised: number;
  invested: number;
  orders: Map<bigint, HeldOrder>;
  /** Traded value and charges of each order of the day, so that an order's charges do not depend on how it was filled. */
  charged: Map<bigint, { value: number; parts: ChargeParts }>;
  /** Transaction tax of the day before it is rounded to the rupee, by market segment, and what is liable to service tax; paise. */
  taxes: Map<string, number>;
  positions: Map<string, PositionState>;
  holdings: Map<number, HoldingState>;
  ledger: LedgerEntry[];
  trades: BookedTrade[];
  closures: MatchedTrade[];
  closes: DayClose[];
  shortDeliveries: ShortDelivery[];
  adjustments: CorporateAdjustment[];
  marginCall?: MarginCall;
  /** Of an account without DDPI: the IST date for which the holder has authorised sales at the depository, '' for none. */
  salesAuthorisedOn?: string;
}

export interface AccountsState {
  /** Latest instant seen. */
  now: number;
  accounts: Map<string, AccountState>;
  instruments: Map<number, Instrument>;
}
