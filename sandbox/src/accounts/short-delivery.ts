/**
 * Short delivery: shares that were sold and are not there to be delivered. The exchange buys them in an auction on the next
 * trading day, or closes the sale out at a price that hurts; the seller pays the difference, and gets none.
 */
import { contractValue, PER_SHARE } from '../market/reference/contract-value';
import type { AccountStore } from './account-store';
import { bookSettlement, payCharges } from './booking';
import { serviceTax } from './charges';
import { AUCTION_PENALTIES } from './data/auction-penalties';
import type { BuyIn, ShortDelivery } from './records';
import { intradayMargin } from './span';
import { effectiveOn } from '../shared/effective-date';
import { mulDiv } from '../shared/money';
import type { AccountState } from './state';

const BASIS_POINTS = 10_000;
const HOW = {
  AUCTION: 'bought at auction',
  VALUATION: 'bought at auction and charged at the close of the sale',
  CLOSE_OUT: 'closed out',
} as const satisfies Record<BuyIn['how'], string>;

/** Buys in what was short before a day, at its end. Of each a purchase and the sale that it makes good are booked. */
export function buyIn(store: AccountStore, account: AccountState, date: string, at: number): void {
  const due = account.shortDeliveries.filter(
    (shortDelivery) =>
      shortDelivery.date < date &&
      store.deps.calendar.isTradingDay(store.instrument(shortDelivery.refId).exchange, date),
  );
  if (due.length === 0) return;
  account.shortDeliveries = account.shortDeliveries.filter((shortDelivery) => !due.includes(shortDelivery));
  for (const { refId, quantity, price, date: soldOn, isCharged } of due) {
    const bought = store.deps.buyIn(store.instrument(refId), soldOn, at);
    const note = `${HOW[bought.how]} for a delivery of ${soldOn} that was short`;
    bookSettlement(store, account, { refId, side: 'BUY', product: 'IDAY', price: bought.price, quantity }, at, note);
    const sale = { refId, side: 'SELL', product: 'IDAY', price, quantity } as const;
    // Who gives shares for a contract pays the tax of a delivery (NSE Clearing, Securities Transaction Tax), whether he has them or not.
    bookSettlement(store, account, sale, at, note, isCharged ? 'NOTHING' : 'CNC');
    if (store.tariff.statutory) chargePenalty(store, account, { refId, quantity }, date, at);
  }
}

/** Charges what the exchange asks of who has not delivered, by the close of the day of the sale. */
function chargePenalty(
  store: AccountStore,
  account: AccountState,
  { refId, quantity }: Pick<ShortDelivery, 'refId' | 'quantity'>,
  date: string,
  at: number,
): void {
  const value = contractValue(PER_SHARE, store.close(refId), quantity);
  const penalty = mulDiv(value, effectiveOn(AUCTION_PENALTIES, date).basisPoints, BASIS_POINTS);
  const text = `Auction penalty for ${quantity} ${store.instrument(refId).displayName} that were not delivered`;
  payCharges(store, account, penalty + serviceTax(penalty, date), refId, text, at, 'AUCTION_PENALTY');
}

/** Margin of what an account is short of, at the last prices, paise. */
export function shortMargin(store: AccountStore, { shortDeliveries }: AccountState): number {
  return shortDeliveries.reduce(
    (sum, { refId, quantity }) => sum + intradayMargin(worth(store, refId, quantity), store.date),
    0,
  );
}

/** Returns the profit (loss, where negative) of an account that bought its short shares at the last prices, paise. */
export function shortProfit(store: AccountStore, { shortDeliveries }: AccountState): number {
  return shortDeliveries.reduce(
    (sum, { refId, quantity, price }) =>
      sum + contractValue(PER_SHARE, price, quantity) - worth(store, refId, quantity),
    0,
  );
}

/** Shares at their last price, paise. */
function worth(store: AccountStore, refId: number, quantity: number): number {
  return contractValue(PER_SHARE, store.lastPrice(store.instrument(refId)), quantity);
}
