/** The contract of the accounts: who may trade with what, and what they own. Money is integers in paise, exact. */
import type { NewOrder, Order, Trade } from '../exchange/types';

export interface Funds {
  /** Cash at the start of the day, paise. */
  opening: number;
  /** Cash now: opening + realised − charges − paid for purchases + received from sales. */
  cash: number;
  /** Held for open orders. */
  heldForOrders: number;
  /** Held for open positions. */
  heldForPositions: number;
  charges: number;
  realised: number;
  available: number;
}

export interface Position {
  refId: number;
  product: 'CNC' | 'IDAY';
  /** Signed: positive long, negative short, 0 closed. */
  quantity: number;
  buyQuantity: number;
  buyValue: number;
  sellQuantity: number;
  sellValue: number;
  /** Paise, realised so far today. */
  realised: number;
}

export interface Holding {
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

/** Funds, margin, positions, holdings and the ledger of every account; pure and in virtual time, like the exchange. */
export interface Accounts {
  open(account: string, opening: { funds: number; holdings: { refId: number; quantity: number; averagePrice: number }[] }, at: number): void;
  /** Checks an order against cash, margin and holdings, and holds what it needs until it ends. */
  hold(orderId: bigint, order: NewOrder, referencePrice: number, at: number): { ok: true } | { ok: false; code: string; text: string };
  /** Follows every change of an order so that what is held is exactly what its open remainder needs. */
  orderChanged(order: Order, at: number): void;
  trade(trade: Trade, at: number): void;
  funds(account: string): Funds;
  positions(account: string): Position[];
  holdings(account: string): Holding[];
  /** Closes the trading day: intraday carried to cash, CNC purchases to T+1, yesterday's T+1 to settled, charges booked. */
  endOfDay(date: string, at: number): void;
}
