/** Charges for a day as a whole: deliveries out of the demat account, and interest on a debit balance. */
import { parseDayNumber } from '../shared/dates';
import { mulDiv, rupees } from '../shared/money';
import type { AccountStore } from './account-store';
import { payCharges } from './booking';
import { serviceTax } from './charges';
import { isDerivative } from './span';
import type { AccountState } from './state';

const BASIS_POINTS = 10_000;
const DAYS_A_YEAR = 365;

/** Charges for each share that leaves the demat account: more of it was sold for delivery than bought on the day. */
export function chargeDeliveries(store: AccountStore, account: AccountState, date: string, at: number): void {
  const { depository } = store.tariff;
  const amount = depository + serviceTax(depository, date);
  const charged = new Set<number>();
  for (const { refId, product, buyQuantity, sellQuantity } of account.positions.values()) {
    const instrument = store.instrument(refId);
    if (product !== 'CNC' || isDerivative(instrument) || sellQuantity <= buyQuantity) continue;
    const share = Math.min(...store.listings(refId));
    if (charged.has(share)) continue;
    charged.add(share);
    const text = `Depository charge for the delivery of ${instrument.displayName}`;
    payCharges(store, account, amount, refId, text, at, 'DEPOSITORY');
  }
}

/** Charges the balance that the account owed over the nights since its last day. */
export function chargeInterest(store: AccountStore, account: AccountState, date: string, at: number): void {
  const { interest } = store.tariff;
  const last = account.closes.at(-1)?.date;
  if (last === undefined || account.opening >= 0) return;
  const days = parseDayNumber(date) - parseDayNumber(last);
  const amount = mulDiv(-account.opening, interest * days, BASIS_POINTS * DAYS_A_YEAR);
  const text = `Interest on a debit balance of Rs ${rupees(-account.opening)}, ${days === 1 ? '1 day' : `${days} days`}`;
  payCharges(store, account, amount, 0, text, at, 'INTEREST');
}
