/**
 * Physical settlement: what expires on a share is settled in shares. A future brings or takes them at the settlement price,
 * an option in the money at its strike. In the days before, bought options in the money need a growing margin.
 */
import { contractValue } from '../market/reference/contract-value';
import { PHYSICAL_SETTLEMENT_RULES } from './data/physical-settlement';
import type { AccountStore } from './account-store';
import { bookSettlement } from './booking';
import { devolvementMargin, isNearDevolvement } from './devolvement';
import { quantityOf } from './lots';
import { derivativeMargin, intradayMargin, isDerivative, kindOf } from './span';
import type { Instrument } from '../market/reference/types';
import { effectiveOn } from '../shared/effective-date';
import { mulDiv } from '../shared/money';
import type { AccountState } from './state';

/** Shares that come (positive) or go when something expires; `price` is paise a share. */
export interface PhysicalDelivery {
  refId: number;
  quantity: number;
  price: number;
}

/** True if a derivative that expires on a day is settled in shares. */
export function isDelivered(instrument: Instrument, date: string): boolean {
  return (
    instrument.underlyingRefId !== null &&
    kindOf(instrument) === 'STOCK' &&
    effectiveOn(PHYSICAL_SETTLEMENT_RULES, date).physical
  );
}

/**
 * Returns the shares and money that a position in an expiring derivative brings or takes; undefined for an option that ends worthless.
 * @param settlement price of the share by which it is settled, paise
 */
export function deliveryOf(
  { derivativeType, optionType, strikePrice, underlyingRefId }: Instrument,
  quantity: number,
  settlement: number,
): PhysicalDelivery | undefined {
  if (underlyingRefId === null) return undefined;
  if (derivativeType === 'FUT') return { refId: underlyingRefId, quantity, price: settlement };
  const call = optionType === 'CE';
  if (call ? settlement <= strikePrice : settlement >= strikePrice) return undefined;
  return { refId: underlyingRefId, quantity: call ? quantity : -quantity, price: strikePrice };
}

/**
 * Books the deliveries of a day: what comes, then what goes, so that they net. What goes is taken of what was bought today,
 * then of what is held and not pledged; what is not there is short, and goes to auction.
 */
export function settlePhysically(
  store: AccountStore,
  account: AccountState,
  deliveries: readonly PhysicalDelivery[],
  at: number,
): void {
  const sorted = [...deliveries].sort((a, b) => b.quantity - a.quantity);
  for (const { refId, quantity, price } of sorted) {
    const size = Math.abs(quantity);
    const sold = quantity < 0 ? Math.min(size, deliverable(store, account, refId)) : size;
    const side = quantity > 0 ? 'BUY' : 'SELL';
    if (sold > 0) bookSettlement(store, account, { refId, side, product: 'CNC', price, quantity: sold }, at);
    if (sold < size)
      account.shortDeliveries.push({ refId, quantity: size - sold, price, date: store.date, isCharged: false });
  }
}

/** Shares of an account that can be delivered on a day. */
function deliverable(store: AccountStore, account: AccountState, refId: number): number {
  const holding = store.knownHolding(account, refId);
  const held = holding ? quantityOf(holding.settled) + quantityOf(holding.t1) - holding.pledged : 0;
  return store.boughtToday(account, refId) + held;
}

/** True if a bought derivative is about to be settled in shares or to become a future, so that it may need a margin. */
export function isNearDelivery(store: AccountStore, instrument: Instrument): boolean {
  if (isNearDevolvement(store, instrument)) return true;
  if (!isDerivative(instrument) || !isDelivered(instrument, store.date)) return false;
  return instrument.derivativeType === 'FUT' ? isLastDay(store, instrument) : deliveryPercent(store, instrument) > 0;
}

function isLastDay(store: AccountStore, { exchange, expiry }: Instrument): boolean {
  return store.tradingDaysUntil(exchange, expiry, 1) === 0;
}

/**
 * Margin of a bought derivative that is about to be settled in shares or to become a future, paise; 0 where it is none, or an option not in
 * the money. A future brings its shares for certain: what they cost is needed in all, with the margin that it has anyway.
 * @param underlyingPrice paise
 */
export function deliveryMargin(
  store: AccountStore,
  instrument: Instrument,
  quantity: number,
  underlyingPrice: number,
): number {
  if (quantity <= 0 || !isNearDelivery(store, instrument)) return 0;
  if (instrument.settlesInto !== undefined) return devolvementMargin(store, instrument, quantity, underlyingPrice);
  if (instrument.derivativeType === 'FUT') {
    const price = store.lastPrice(instrument);
    const { span, exposure } = derivativeMargin([{ instrument, quantity, price }], () => underlyingPrice, store.date);
    return Math.max(0, contractValue(instrument, price, quantity) - span - exposure);
  }
  if (deliveryOf(instrument, quantity, underlyingPrice) === undefined) return 0;
  return mulDiv(
    intradayMargin(contractValue(instrument, underlyingPrice, quantity), store.date),
    deliveryPercent(store, instrument),
    100,
  );
}

/** The same of all open positions of an account. */
export function deliveryMargins(store: AccountStore, account: AccountState): number {
  const underlyings = store.underlyings();
  let margin = 0;
  for (const { refId, lots } of account.positions.values()) {
    const quantity = quantityOf(lots);
    if (quantity <= 0) continue;
    const instrument = store.instrument(refId);
    if (isNearDelivery(store, instrument))
      margin += deliveryMargin(store, instrument, quantity, underlyings(instrument));
  }
  return margin;
}

/** Percent of the shares' margin that is asked on the day of the store. */
function deliveryPercent(store: AccountStore, { exchange, expiry }: Instrument): number {
  const { margins } = effectiveOn(PHYSICAL_SETTLEMENT_RULES, store.date);
  const days = store.tradingDaysUntil(exchange, expiry, margins.length);
  return margins[days] ?? 0;
}
