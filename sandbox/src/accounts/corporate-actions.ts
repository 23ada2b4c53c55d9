/**
 * Effects of corporate actions on the books on the morning of their ex-date. What a position cost stays the same to the paisa: prices of
 * lots are whole paise, so that a lot may become two whose prices are a paisa apart.
 */
import { type ContractUnit, contractValue } from '../market/reference/contract-value';
import type { AccountStore } from './account-store';
import { bookCredit, payDividend } from './dividends';
import { quantityOf, rescaleLot } from './lots';
import { carryForward } from './settlement';
import { istDate } from '../shared/time';
import { mulDiv, rupees } from '../shared/money';
import type { EffectiveAction } from '../shared/corporate-actions';
import type { AccountState, HoldingState, PositionState } from './state';
import type { ShortDelivery } from './records';

/** Books a corporate action. It takes effect at an instant at which no shares are bought or sold: those of the day before are held. */
export function bookCorporateAction(
  store: AccountStore,
  account: AccountState,
  action: EffectiveAction,
  at: number,
): void {
  const refId = action.refIds[0]!;
  if (action.dividend > 0) payDividend(store, account, refId, action.dividend, at);
  const holding = store.knownHolding(account, refId);
  if (holding !== undefined && action.kind === 'split') split(account, holding, action, at);
  if (holding !== undefined && action.kind === 'bonus') addBonus(store, account, holding, action, at);
  account.shortDeliveries = account.shortDeliveries.flatMap((shortDelivery) =>
    action.refIds.includes(shortDelivery.refId) ? owed(store, account, shortDelivery, action, at) : [shortDelivery],
  );
  for (const position of account.positions.values()) {
    const instrument = store.instrument(position.refId);
    const { underlyingRefId, derivativeType } = instrument;
    if (position.lots.length === 0 || !action.refIds.includes(underlyingRefId ?? 0)) continue;
    adjustContract(
      account,
      position,
      instrument,
      derivativeType === 'FUT' && action.extraordinary ? action.dividend : 0,
      action,
      at,
    );
  }
}

/** Each lot keeps its date and what it cost. */
function split(account: AccountState, holding: HoldingState, { before, after }: EffectiveAction, at: number): void {
  const held = quantityOf(holding.settled) + quantityOf(holding.t1);
  holding.settled = holding.settled.flatMap((lot) => rescaleLot(lot, (lot.quantity * after) / before));
  holding.t1 = holding.t1.flatMap((lot) => rescaleLot(lot, (lot.quantity * after) / before));
  holding.pledged = (holding.pledged * after) / before;
  note(account, holding, 'split', (held * after) / before - held, 0, at);
}

/** New shares cost nothing and are held from the ex-date on; a fraction is paid in cash. They are not pledged. */
function addBonus(
  store: AccountStore,
  account: AccountState,
  holding: HoldingState,
  action: EffectiveAction,
  at: number,
): void {
  const held = quantityOf(holding.settled) + quantityOf(holding.t1);
  const { bonus, cash } = entitlement(held, action);
  if (bonus > 0) holding.settled = [...holding.settled, { date: istDate(at), quantity: bonus, price: 0 }];
  note(account, holding, 'bonus', bonus, 0, at);
  const text = `Fraction of a share from the bonus on ${held} ${store.instrument(holding.refId).displayName} at ${rupees(cash)}`;
  bookCredit(store, account, 'CORPORATE_ACTION', cash, holding.refId, text, at);
}

/** Adds to a sold quantity that is still to be delivered, as the shares grow; a fraction is paid. */
function owed(
  store: AccountStore,
  account: AccountState,
  short: ShortDelivery,
  action: EffectiveAction,
  at: number,
): ShortDelivery[] {
  const { bonus, cash } = entitlement(short.quantity, action);
  const text = `Fraction of a share on ${short.quantity} ${store.instrument(short.refId).displayName} that were not delivered`;
  bookCredit(store, account, 'CORPORATE_ACTION', -cash, short.refId, text, at);
  return rescaleLot(short, short.quantity + bonus);
}

/** Whole new shares for so many of before, and what the fraction is worth at the ex-date's opening base, paise. */
function entitlement(held: number, { before, after, close }: EffectiveAction): { bonus: number; cash: number } {
  const parts = held * (after - before);
  const base = mulDiv(close, before, after);
  return { bonus: Math.floor(parts / before), cash: mulDiv(base, parts % before, before) };
}

/** A contract's quantity grows as its lot does; a future is carried on at its settlement price less an extraordinary dividend. */
function adjustContract(
  account: AccountState,
  position: PositionState,
  unit: ContractUnit,
  dividend: number,
  { kind, before, after }: EffectiveAction,
  at: number,
): void {
  const quantity = quantityOf(position.lots);
  const more = (quantity * after) / before - quantity;
  position.lots = position.lots
    .flatMap((lot) => rescaleLot(lot, (lot.quantity * after) / before))
    .map((lot) => ({ ...lot, price: lot.price - dividend }));
  carryForward(unit, position);
  note(account, position, kind, more, -contractValue(unit, dividend, quantity), at);
}

/** Keeps what changed without a trade, for reports. */
function note(
  account: AccountState,
  { refId, product = 'CNC' }: { refId: number; product?: PositionState['product'] },
  kind: EffectiveAction['kind'],
  quantity: number,
  cost: number,
  at: number,
): void {
  if (quantity === 0 && cost === 0) return;
  account.adjustments.push({ kind, at, date: istDate(at), refId, product, quantity, cost });
}
