/** Accounts and instruments on margin; found again when a position has changed. */
import { contractValue } from '../market/reference/contract-value';
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
    const found = this.open(account).map((position) => ({
      refId: position.instrument.refId,
      product: position.product,
      quantity: position.quantity,
      margin: this.marginAlone(position),
    }));
    return found.filter(({ margin }) => margin > 0).sort((a, b) => b.margin - a.margin);
  }

  /** True if an account has a position that needs margin. */
  isOnMargin(account: AccountState): boolean {
    return this.open(account).length > 0;
  }

  private open(account: AccountState): OpenPosition[] {
    return this.watchedPositions(account).filter(
      ({ instrument, product, quantity }) =>
        !isBoughtOption(instrument, product, quantity) || isNearDelivery(this.store, instrument),
    );
  }

  /**
   * Positions that need margin, or are going to: bought options that will be settled in shares or futures are watched from the first day on,
   * so that what is looked at does not depend on the day on which somebody asks.
   */
  private watchedPositions({ positions }: AccountState): OpenPosition[] {
    if (this.store.deps.onCredit === true) return [];
    const found = [];
    for (const { refId, product, lots } of positions.values()) {
      const quantity = quantityOf(lots);
      if (quantity === 0) continue;
      const instrument = this.store.instrument(refId);
      const sold = isDerivative(instrument) && quantity < 0;
      if (sold || !paidInFull(instrument, product) || isOtherwiseSettled(instrument))
        found.push({ instrument, product, quantity });
    }
    return found;
  }

  private marginAlone({ instrument, product, quantity }: OpenPosition): number {
    const { store } = this;
    const delivery = deliveryMargin(store, instrument, quantity, store.underlying(instrument));
    if (isBoughtOption(instrument, product, quantity)) return delivery;
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

function isBoughtOption(instrument: Instrument, product: Product, quantity: number): boolean {
  return quantity > 0 && isDerivative(instrument) && paidInFull(instrument, product);
}

/** True if it is settled in shares, or becomes a future. */
function isOtherwiseSettled(instrument: Instrument): boolean {
  return instrument.settlesInto !== undefined || isDelivered(instrument, dateText(instrument.expiry));
}

/** YYYYMMDD as YYYY-MM-DD. */
function dateText(date: number): string {
  return String(date).replace(/(....)(..)(..)/, '$1-$2-$3');
}
