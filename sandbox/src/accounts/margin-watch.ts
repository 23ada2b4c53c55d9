/** Accounts and instruments on margin; found again when a position has changed. */
import { contractValue } from '../market/reference/contract-value';
import { MARGIN_CALLS } from './data/margins';
import { effectiveOn } from '../shared/effective-date';
import type { Instrument } from '../market/reference/types';
import type { AccountStore } from './account-store';
import { quantityOf } from './lots';
import { deliveryMargin, isDelivered, isNearDelivery } from './physical-delivery';
import { derivativeMargin, intradayMargin, isDerivative, paidInFull } from './span';
import type { Product } from '../shared/orders';
import type { AccountState } from './state';
import type { MarginPosition } from './records';

interface OpenPosition {
  instrument: Instrument;
  product: Product;
  /** Signed, not 0. */
  quantity: number;
}

export class MarginWatch {
  private known: { instruments: readonly Instrument[]; calledFlat: boolean } | undefined;

  constructor(private readonly store: AccountStore) {}

  /** A position or a margin call has changed. */
  touched(): void {
    this.known = undefined;
  }

  watched(): { instruments: readonly Instrument[]; calledFlat: boolean } {
    this.known ??= this.find();
    return this.known;
  }

  /** The positions of an account that need margin, those that need the most first. */
  positions(account: AccountState): MarginPosition[] {
    const owed = this.owedForOptions(account) > 0;
    const positions = this.open(account, owed).map((position) => ({
      refId: position.instrument.refId,
      product: position.product,
      quantity: position.quantity,
      margin: isShares(position) || (owed && isBought(position)) ? this.valueOf(position) : this.marginAlone(position),
    }));
    return positions.filter(({ margin }) => margin > 0).sort((a, b) => b.margin - a.margin);
  }

  /** True if an account has a position that needs margin. */
  isOnMargin(account: AccountState): boolean {
    return this.open(account, this.owedForOptions(account) > 0).length > 0;
  }

  /** Returns the value of what an account owes for: bought options, and shares that were not paid in time; paise. */
  owedFor(account: AccountState): number {
    const shares = this.unpaidShares(account).reduce((sum, position) => sum + this.valueOf(position), 0);
    return this.owedForOptions(account) + shares;
  }

  /**
   * Returns the value of an account's bought options if its balance is so far below zero that they are owed for, paise; else 0. Who buys
   * back an option that a bought one hedges pays more than the margin that it frees.
   */
  private owedForOptions(account: AccountState): number {
    if (account.cash >= 0) return 0;
    const value = this.watchedPositions(account)
      .filter(isBought)
      .reduce((sum, position) => sum + this.valueOf(position), 0);
    return -account.cash * 100 > value * effectiveOn(MARGIN_CALLS, this.store.date).debit ? value : 0;
  }

  /** @param owed true if bought options count, too */
  private open(account: AccountState, owed: boolean): OpenPosition[] {
    return this.watchedPositions(account).filter(
      (position) => !isBought(position) || owed || isNearDelivery(this.store, position.instrument),
    );
  }

  private valueOf({ instrument, quantity }: OpenPosition): number {
    return contractValue(instrument, this.store.lastPrice(instrument), quantity);
  }

  /**
   * Positions that need margin, or are going to: bought options that will be settled in shares or futures are watched from the first day on,
   * so that what is looked at does not depend on the day on which somebody asks; others while the balance is below zero, and shares once it
   * has been so for days.
   */
  private watchedPositions(account: AccountState): OpenPosition[] {
    if (this.store.deps.onCredit === true) return [];
    const { cash, positions } = account;
    const shares = this.unpaidShares(account);
    for (const { refId, product, lots } of positions.values()) {
      const quantity = quantityOf(lots);
      if (quantity === 0) continue;
      const instrument = this.store.instrument(refId);
      const sold = isDerivative(instrument) && quantity < 0;
      const isOwed = cash < 0 && isDerivative(instrument);
      if (sold || isOwed || !paidInFull(instrument, product) || isPhysicallySettled(instrument))
        shares.push({ instrument, product, quantity });
    }
    return shares;
  }

  /** Shares that the broker may sell for a balance that has been below zero for days: settled, and not pledged. */
  private unpaidShares({ cash, closes, holdings }: AccountState): OpenPosition[] {
    if (cash >= 0 || !this.isOverdue(closes)) return [];
    return [...holdings.values()]
      .map(({ refId, settled, pledged }) => ({
        instrument: this.store.instrument(refId),
        product: 'CNC' as const,
        quantity: quantityOf(settled) - pledged,
      }))
      .filter(({ quantity }) => quantity > 0);
  }

  /** True if the balance has been below zero on the evenings of so many trading days that shares are sold for it. */
  private isOverdue(closes: AccountState['closes']): boolean {
    const { deps, date } = this.store;
    const { unpaidDays } = effectiveOn(MARGIN_CALLS, date);
    let days = 0;
    for (let last = closes.length - 1; days < unpaidDays && (closes[last]?.funds.cash ?? 0) < 0; last--)
      if (deps.calendar.isTradingDay('NSE', closes[last]!.date)) days += 1;
    return days >= unpaidDays;
  }

  private marginAlone(position: OpenPosition): number {
    const { store } = this;
    const { instrument, quantity } = position;
    const delivery = deliveryMargin(store, instrument, quantity, store.underlying(instrument));
    if (isBought(position)) return delivery;
    const price = store.lastPrice(instrument);
    if (!isDerivative(instrument))
      return intradayMargin(contractValue(instrument, price, Math.abs(quantity)), this.store.date);
    const { span, exposure } = derivativeMargin(
      [{ instrument, quantity, price }],
      this.store.underlying,
      this.store.date,
    );
    return span + exposure + delivery;
  }

  private find(): { instruments: readonly Instrument[]; calledFlat: boolean } {
    const instruments = new Map<number, Instrument>();
    let calledFlat = false;
    for (const account of this.store.state.accounts.values()) {
      const open = this.watchedPositions(account);
      for (const { instrument } of open) instruments.set(instrument.refId, instrument);
      calledFlat ||= open.length === 0 && account.marginCall !== undefined;
    }
    return { instruments: [...instruments.values()], calledFlat };
  }
}

/** True for a bought option. */
function isBought({ instrument, product, quantity }: OpenPosition): boolean {
  return quantity > 0 && isDerivative(instrument) && paidInFull(instrument, product);
}

/** True for shares that were bought for delivery. */
function isShares({ instrument, product }: OpenPosition): boolean {
  return product === 'CNC' && !isDerivative(instrument);
}

/** True if it is settled in shares, or becomes a future. */
function isPhysicallySettled(instrument: Instrument): boolean {
  return instrument.settlesInto !== undefined || isDelivered(instrument, dateText(instrument.expiry));
}

/** YYYYMMDD as YYYY-MM-DD. */
function dateText(date: number): string {
  return String(date).replace(/(....)(..)(..)/, '$1-$2-$3');
}
