/** The contract of the accounts: who may trade with what, and what they own. Money is integers in paise, exact. */
import type { EffectiveAction } from '../shared/corporate-actions';
import type { Calendar, Instrument } from '../market/reference/types';
import type { NewOrder, Order, Side, Trade } from '../shared/orders';
import type { Tariff } from './tariff';
import type { AccountsState } from './state';
import type {
  Funds,
  BlockedFunds,
  Position,
  Holding,
  BookedTrade,
  ChargeParts,
  MatchedTrade,
  LedgerEntry,
  DayClose,
  SquareOff,
  ShortDelivery,
  CorporateAdjustment,
  BuyIn,
  MarginCall,
  MarginReview,
  MarginPosition,
} from './records';

export type CheckResult = { ok: true } | { ok: false; code: string; text: string };

/** The answer of the margin calculator (docs/service/orders-v2.md#margin), paise. */
export interface MarginRequired {
  span: number;
  exposure: number;
  deliveryMargin: number;
  totalMargin: number;
  optionPremium: number;
  /** Margin of intraday cash orders, and of bought options that are about to be settled in shares. */
  var: number;
  /** SPAN after hedges. */
  netSpan: number;
  marginBenefit: number;
  /** Each order on its own, in the order asked. */
  legMargin: number[];
  /** Largest quantity of the first order that the account could place now. */
  maxQuantity: number;
  /** Empty when the account has what is needed. */
  code: string;
  message: string;
}

export interface AccountsDeps {
  calendar: Pick<Calendar, 'nextTradingDay' | 'isTradingDay'>;
  instrument(refId: number, at: number): Instrument | undefined;
  /** Every ref_id under which the same share is traded, its own among them: one holding, whatever exchange it came from. */
  listings(instrument: Instrument, at: number): readonly number[];
  lastPrice(instrument: Instrument, at: number): number;
  previousClose(instrument: Instrument, at: number): number;
  /**
   * Closes what is left of an intraday position at the end of a day; returns the price, paise. The last price when left out.
   * @param side of the trade that closes it
   */
  closeOut?(instrument: Instrument, side: Side, quantity: number, at: number): number;
  /** Returns the price of shares that were not delivered for a sale of a day, bought in on the day of `at`. */
  buyIn(instrument: Instrument, soldOn: string, at: number): BuyIn;
  /** Price (paise) by which derivatives that expire on the day of `at` are settled; the last one when left out. */
  settlement?(underlying: Instrument, at: number): number;
  /** Charges of the broker; the sandbox's own when left out. */
  tariff?: Tariff;
  /** True if orders need no money; there are no margin calls then. */
  onCredit?: boolean;
  /** The instant of the day of `at` from which no intraday position may be opened; undefined when there is none. */
  intradayStop?(instrument: Instrument, at: number): number | undefined;
}

/** Funds, margin, positions, holdings and the ledger of every account; pure and in virtual time, like the exchange. */
export interface Accounts {
  open(
    account: string,
    opening: { funds: number; holdings: { refId: number; quantity: number; averagePrice: number; date?: string }[] },
    at: number,
  ): void;
  has(account: string): boolean;
  ids(): string[];
  /**
   * Checks an order against cash, margin and holdings, and buyingPower what it needs until it ends.
   * `referencePrice` is the price a market order is counted at (its protection price); for a sell on margin the higher
   * of it and the limit counts.
   */
  hold(orderId: bigint, order: NewOrder, referencePrice: number, at: number): CheckResult;
  /** Checks the order as it would be after a modification and buyingPower what it then needs; unchanged when refused. */
  amend(orderId: bigint, order: NewOrder, referencePrice: number, at: number): CheckResult;
  /** From now on money and margin are shown at the prices of an instant; what the accounts hold does not change. */
  showAt(at: number): void;
  /** Follows every change of an order so that what is held is exactly what its open remainder needs. */
  orderChanged(order: Order, at: number): void;
  /** Books a trade. May come before or after `orderChanged` of the same fill, but exactly once. */
  trade(trade: Trade, at: number): void;
  funds(account: string): Funds;
  /** Returns the held amounts of `funds`, in parts. */
  blocked(account: string): BlockedFunds;
  positions(account: string): Position[];
  holdings(account: string): Holding[];
  /** Returns the sales that were not delivered, until they are bought in. */
  shortDeliveries(account: string): readonly ShortDelivery[];
  /** Returns the changes by corporate actions, oldest first. */
  adjustments(account: string): readonly CorporateAdjustment[];
  ledger(account: string): LedgerEntry[];
  trades(account: string): BookedTrade[];
  closures(account: string): MatchedTrade[];
  /** The close of each trading day, oldest first. */
  closes(account: string): DayClose[];
  /** The facts of an instrument that an account has had to do with, also after it expired. */
  instrument(refId: number): Instrument | undefined;
  marginRequired(account: string, orders: NewOrder[], options: { withPortfolio: boolean }, at: number): MarginRequired;
  /** Intraday positions open now, with the order that closes each. */
  squareOffs(): SquareOff[];
  /** The latest instant (milliseconds) at which something happened to an account. */
  lastEvent(): number;
  /** Returns the instruments on margin in all accounts, and `true` if a called account has no position on margin any more. */
  marginWatch(): { instruments: readonly Instrument[]; calledFlat: boolean };
  /** Every account that is on margin or called, at the prices of an instant. */
  marginReview(at: number): MarginReview[];
  /** Those that need the most first. */
  marginPositions(account: string): MarginPosition[];
  setMarginCall(account: string, call: MarginCall | undefined): void;
  pledge(account: string, refId: number, quantity: number, at: number): CheckResult;
  unpledge(account: string, refId: number, quantity: number, at: number): CheckResult;
  /** Quantity of a holding that can be pledged or sold now. */
  freeQuantity(account: string, refId: number): number;
  /** Units of a share that may be sold now, and units that are held and wait for the holder's authorisation. */
  saleQuantities(account: string, refId: number): { sellable: number; authorised: number; waiting: number };
  /** The date for which sales out of the demat account are authorised: '' for none; undefined with DDPI. */
  salesAuthorisedOn(account: string): string | undefined;
  /** Gives an account DDPI, or takes it; without it, authorises the sales of this day, or not. */
  authoriseSales(account: string, how: 'ddpi' | 'today' | 'none', at: number): void;
  /** Returns the charges of an order of a value (paise) by itself, its tax not yet rounded to the rupee. */
  chargesOf(instrument: Instrument, order: Pick<NewOrder, 'product' | 'side'>, value: number, at: number): ChargeParts;
  /** Pays in (positive) or out (negative). */
  addFunds(account: string, amount: number, at: number): CheckResult;
  /** Sets the settled quantity of a holding (control plane). */
  setHolding(
    account: string,
    holding: { refId: number; quantity: number; averagePrice: number; date?: string },
    at: number,
  ): CheckResult;
  /** Credits a dividend of so many paise a share on what is held, less tax deducted at source. */
  dividend(account: string, refId: number, paisePerShare: number, at: number): void;
  /** Books a corporate action in all accounts, at midnight before the first trade of its ex-date. */
  corporateAction(action: EffectiveAction, at: number): void;
  /**
   * Closes the trading day: what was short is bought in, what expires settled in shares or cash, intraday leftovers closed,
   * CNC purchases become T+1, yesterday’s T+1 settled.
   */
  endOfDay(date: string, at: number): void;
  /** Everything, as plain data that can be stored; `createAccounts(deps, state)` continues from it. */
  state(): AccountsState;
}
