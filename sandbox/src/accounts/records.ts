import type { Product, Trade, Side } from '../shared/orders';
import type { EffectiveAction } from '../shared/corporate-actions';

/**
 * The money of an account. At every moment, to the paisa:
 *
 *   cash      = opening + added + realised − charges − invested
 *   available = cash − heldForOrders − heldForPositions + collateralUsed − unrealisedLoss
 *
 * `invested` is what the day's purchases cost less the cost of what was sold (delivery shares and option premium; a
 * short option counts negative). Every field but `collateral` is a sum of integers: nothing is rounded on the way.
 */
export interface Funds {
  /** Cash at the start of the day, paise. */
  opening: number;
  /** Paid in or out since then. */
  added: number;
  /** Cash now. */
  cash: number;
  /** Held for open orders. */
  heldForOrders: number;
  /** Margin of open positions at the market's prices of the moment. */
  heldForPositions: number;
  /** Loss of open futures, intraday shares and short deliveries together at these prices; 0 while they have gained. */
  unrealisedLoss: number;
  /** Margin value of pledged holdings, after the haircut. */
  collateral: number;
  /** The part of `collateral` that carries margin which would otherwise be held in cash. */
  collateralUsed: number;
  /** Charges of the day: of its trades, of what was exercised and delivered, and interest. */
  charges: number;
  /** Profit realised today, before charges. */
  realised: number;
  /** Change today of what the account's purchases cost. */
  invested: number;
  /** Amount that a delivery purchase or an option premium may still cost. */
  available: number;
}

/** Amounts that are held for open orders and positions, in parts, paise: their sums are those of `Funds`. */
export interface BlockedFunds {
  sharesCash: number;
  /** For intraday orders of shares. */
  sharesMargin: number;
  derivativesCash: number;
  derivativesMargin: number;
  derivativePositions: number;
  intradayPositions: number;
}

export interface Position {
  refId: number;
  product: Product;
  /** Signed: positive long, negative short, 0 closed. */
  quantity: number;
  /** Carried from the day before plus bought today; a carried position counts at its carried price. */
  buyQuantity: number;
  buyValue: number;
  sellQuantity: number;
  sellValue: number;
  /** Paise, realised so far today, first in first out. */
  realised: number;
  /** Signed quantity that is still open at market risk: `quantity` without what was delivered out of holdings. */
  openQuantity: number;
  /** Signed cost of openQuantity, paise. Unrealised profit = value of openQuantity at the last price − openValue. */
  openValue: number;
}

/** A share that is held, once for all exchanges that list it. */
export interface Holding {
  /** Under which it came first. */
  refId: number;
  /** Settled. */
  quantity: number;
  /** Bought, settles on the next trading day. */
  t1Quantity: number;
  pledgedQuantity: number;
  /** Total cost of quantity + t1Quantity, paise. */
  cost: number;
  /** Percent. */
  haircut: number;
}

/** The parts of what a trade costs, paise, in the order of a contract note. */
export interface ChargeParts {
  brokerage: number;
  exchange: number;
  sebi: number;
  gst: number;
  /** Securities (or commodities) transaction tax. */
  stt: number;
  stamp: number;
}

/** Taxes on trades, paise. */
export type TradeTaxes = Pick<ChargeParts, 'stt' | 'stamp'>;

/** A trade as the books keep it. */
export interface BookedTrade {
  trade: Trade;
  /** YYYY-MM-DD in IST. */
  date: string;
  charges: ChargeParts;
}

/** A purchase matched with a sale, first in first out. */
export interface MatchedTrade {
  refId: number;
  product: Product;
  buyDate: string;
  sellDate: string;
  quantity: number;
  buyValue: number;
  sellValue: number;
  at: number;
  /** Settled at the end of a day, without a trade: bought back or sold by it. */
  settled?: Side;
}

/**
 * Movements that count as charges of the day: of trades; the tax of an option that was exercised at its expiry, which no trade has among
 * its charges; for shares that left the demat account; for shares that were not delivered; on a debit balance.
 */
const CHARGE_KINDS = ['CHARGES', 'EXERCISE_TAX', 'DEPOSITORY', 'AUCTION_PENALTY', 'INTEREST'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

export function isCharge(kind: LedgerKind): kind is ChargeKind {
  return CHARGE_KINDS.some((charge) => charge === kind);
}

export type LedgerKind =
  | ChargeKind
  | 'OPENING'
  | 'FUNDS_ADDED'
  | 'FUNDS_WITHDRAWN'
  | 'PURCHASE'
  | 'SALE'
  | 'REALISED'
  | 'MARK_TO_MARKET'
  | 'EXPIRY'
  | 'DIVIDEND'
  /** Tax deducted of dividends. */
  | 'TDS'
  /** Fractions of shares, and what is owed on shares that were not delivered. */
  | 'CORPORATE_ACTION';

/** One movement of cash. The sum of all amounts is the cash. */
export interface LedgerEntry {
  seq: number;
  /** Milliseconds since the epoch. */
  at: number;
  date: string;
  kind: LedgerKind;
  text: string;
  /** 0 when not about an instrument. */
  refId: number;
  /** Signed, paise. */
  amount: number;
  /** Cash after it. */
  balance: number;
  /** Of a dividend: shares it was paid on, and paise a share. */
  shares?: number;
  perShare?: number;
}

/** Assets and positions of an account at the close of a trading day. */
export interface DayClose {
  date: string;
  at: number;
  funds: Funds;
  positions: Position[];
  /** Derivatives carried into the next day. */
  carried: Position[];
  holdings: Holding[];
  /** Closing prices of everything above, paise by ref_id. */
  closes: Record<number, number>;
}

/** An intraday position that the broker has to square off, with the order that does it. */
export interface SquareOff {
  account: string;
  refId: number;
  side: Side;
  quantity: number;
}

/** Shares that were sold at a price (paise) and not delivered; `date` (YYYY-MM-DD) is that of the sale. */
export interface ShortDelivery {
  refId: number;
  quantity: number;
  price: number;
  date: string;
  /** True if the sale was an order's, which has had its charges. */
  isCharged: boolean;
}

/** A change of a position or a holding by a corporate action, without a trade. */
export interface CorporateAdjustment {
  kind: EffectiveAction['kind'];
  at: number;
  /** YYYY-MM-DD. */
  date: string;
  refId: number;
  product: Product;
  /** Signed quantity that came. */
  quantity: number;
  /** Change of what the position is carried at, paise. */
  cost: number;
}

/** Purchase of shares that were not delivered. */
export interface BuyIn {
  /** Price that the seller is charged, paise. */
  price: number;
  /**
   * `AUCTION`: what it cost. `VALUATION`: the close of the day of the sale, where the auction was cheaper; the difference goes to the investor
   * protection fund. `CLOSE_OUT`: nobody offered.
   */
  how: 'AUCTION' | 'VALUATION' | 'CLOSE_OUT';
}

/** A margin call that an account has not met; milliseconds. */
export interface MarginCall {
  since: number;
  /** From when on positions are closed, or closed again. */
  due: number;
  /** True if positions have been closed since. */
  closing: boolean;
}

/** Assets and requirements of an account on margin at a moment, paise. */
export interface MarginReview {
  account: string;
  available: number;
  /** Margin of its open positions, and the value of the bought options and shares that it owes for. */
  required: number;
  /** True if a position is open that needs margin, or a bought option or shares that are owed for. */
  onMargin: boolean;
  call: MarginCall | undefined;
}

/** An open position that needs margin, or something bought that is owed for. */
export interface MarginPosition {
  refId: number;
  product: Product;
  /** Signed. */
  quantity: number;
  /** Margin that it needs by itself; the value of what is owed for. Paise. */
  margin: number;
}
