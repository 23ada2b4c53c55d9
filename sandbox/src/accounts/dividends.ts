/** Dividends, and the tax that the company deducts of them. */
import type { AccountStore } from './account-store';
import { DIVIDEND_TAX } from './data/dividend-tax';
import { quantityOf } from './lots';
import { effectiveOn } from '../shared/effective-date';
import { mulDiv, rupees } from '../shared/money';
import type { AccountState } from './state';
import type { LedgerEntry } from './records';

/** Credits a dividend of so many paise a share on what is held, less tax; who is short of shares pays it. */
export function payDividend(
  store: AccountStore,
  account: AccountState,
  refId: number,
  paisePerShare: number,
  at: number,
): void {
  const { displayName } = store.instrument(refId);
  const holding = store.knownHolding(account, refId);
  const shares = holding ? quantityOf(holding.settled) + quantityOf(holding.t1) : 0;
  const text = `Dividend of ${rupees(paisePerShare)} a share on ${shares} ${displayName}`;
  bookCredit(store, account, 'DIVIDEND', shares * paisePerShare, refId, text, at, { shares, perShare: paisePerShare });
  if (shares > 0) deductTax(store, account, refId, at);
  const short = account.shortDeliveries
    .filter((shortDelivery) => store.listings(refId).includes(shortDelivery.refId))
    .reduce((sum, { quantity }) => sum + quantity, 0);
  const owed = `Dividend of ${rupees(paisePerShare)} a share on ${short} ${displayName} that were not delivered`;
  bookCredit(store, account, 'CORPORATE_ACTION', -short * paisePerShare, refId, owed, at);
}

/** Changes the cash by what is neither a trade nor the owner's. */
export function bookCredit(
  store: AccountStore,
  account: AccountState,
  kind: 'DIVIDEND' | 'TDS' | 'CORPORATE_ACTION',
  amount: number,
  refId: number,
  text: string,
  at: number,
  more: Pick<LedgerEntry, 'shares' | 'perShare'> = {},
): void {
  account.added += amount;
  store.post(account, kind, amount, refId, text, at, more);
}

/** Deducts what is due of all dividends of a company in the financial year, less what was deducted before. */
function deductTax(store: AccountStore, account: AccountState, refId: number, at: number): void {
  const { percent, threshold } = effectiveOn(DIVIDEND_TAX, store.date);
  const listings = store.listings(refId);
  const since = financialYear(store.date);
  const total = (kind: 'DIVIDEND' | 'TDS'): number =>
    account.ledger
      .filter((entry) => entry.kind === kind && entry.date >= since && listings.includes(entry.refId))
      .reduce((sum, { amount }) => sum + amount, 0);
  const paid = total('DIVIDEND');
  if (paid <= threshold) return;
  const due = mulDiv(paid, percent, 100) + total('TDS');
  const text = `Tax deducted at source, ${percent} % of dividends of ${store.instrument(refId).displayName}`;
  bookCredit(store, account, 'TDS', -due, refId, text, at);
}

/** The first day of the financial year that holds a date. */
function financialYear(date: string): string {
  const year = Number(date.slice(0, 4)) - (date.slice(5) < '04-01' ? 1 : 0);
  return `${year}-04-01`;
}
