/** The prices with which an account's day begins (docs/sandbox.md#the-result-of-a-day). */
import { isDerivative } from '../accounts/span';
import type { Accounts } from '../accounts/types';
import type { Position } from '../accounts/records';
import { contractValue } from '../market/reference/contract-value';
import type { Instrument } from '../market/reference/types';
import { istDate, istMidnight } from '../shared/time';

export interface DayStartDeps {
  accounts: Pick<Accounts, 'instrument' | 'closes' | 'closures' | 'adjustments'>;
  previousClose(instrument: Instrument, at: number): number;
  /** True if the market never closes: a day then begins with the last price before midnight. */
  isAlwaysOpen: boolean;
}

/** The price (paise) from which a holding's result of the day counts. */
export function dayStart(deps: DayStartDeps, account: string, instrument: Instrument, at: number): number {
  const official = deps.previousClose(instrument, at);
  if (!deps.isAlwaysOpen) return official;
  const { refId } = instrument;
  const midnight = istMidnight(istDate(at));
  // What a corporate action changes has a new close, not that of the books.
  const isChanged = deps.accounts
    .adjustments(account)
    .some((adjustment) => adjustment.refId === refId && adjustment.at >= midnight);
  const close = deps.accounts.closes(account).at(-1);
  if (isChanged || close?.date !== istDate(midnight - 1)) return official;
  return close.closes[refId] ?? official;
}

/** Profit (paise) that a position realised today: shares that were held before count from the price at which the day began. */
export function realisedToday(deps: DayStartDeps, account: string, position: Position, at: number): number {
  const instrument = deps.accounts.instrument(position.refId);
  if (position.product !== 'CNC' || instrument === undefined || isDerivative(instrument)) return position.realised;
  const today = istDate(at);
  const closures = deps.accounts.closures(account);
  let realisedBefore = 0;
  for (let index = closures.length - 1; index >= 0 && closures[index]!.sellDate >= today; index--) {
    const { refId, product, buyDate, quantity, buyValue } = closures[index]!;
    if (refId !== position.refId || product !== 'CNC' || buyDate >= today) continue;
    realisedBefore += contractValue(instrument, dayStart(deps, account, instrument, at), quantity) - buyValue;
  }
  return position.realised - realisedBefore;
}
