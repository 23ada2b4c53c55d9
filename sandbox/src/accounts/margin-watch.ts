/** Which accounts and instruments are on margin; found again when a position has changed. */
import type { Instrument } from '../market/reference/types';
import type { AccountStore } from './account-store';
import { quantityOf } from './lots';
import { derivativeMargin, intradayMargin, isDerivative, paidInFull } from './span';
import type { AccountState, MarginPosition } from './types';

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
    const found: MarginPosition[] = [];
    for (const { refId, product, lots } of account.positions.values()) {
      const quantity = quantityOf(lots);
      const instrument = this.store.instrument(refId);
      if (!this.needsMargin(instrument, product, quantity)) continue;
      found.push({ refId, product, quantity, margin: this.marginAlone(instrument, quantity) });
    }
    return found.sort((a, b) => b.margin - a.margin);
  }

  private needsMargin(instrument: Instrument, product: MarginPosition['product'], quantity: number): boolean {
    if (quantity === 0) return false;
    return !paidInFull(instrument, product) || (isDerivative(instrument) && quantity < 0);
  }

  private marginAlone(instrument: Instrument, quantity: number): number {
    const price = this.store.lastPrice(instrument);
    if (!isDerivative(instrument)) return intradayMargin(Math.abs(quantity) * price, this.store.date);
    const { span, exposure } = derivativeMargin(
      [{ instrument, quantity, price }],
      this.store.underlying,
      this.store.date,
    );
    return span + exposure;
  }

  private find(): { instruments: readonly Instrument[]; calledFlat: boolean } {
    const instruments = new Map<number, Instrument>();
    let calledFlat = false;
    for (const account of this.store.state.accounts.values()) {
      let onMargin = false;
      for (const { refId, product, lots } of account.positions.values()) {
        if (lots.length === 0) continue;
        const instrument = this.store.instrument(refId);
        if (!this.needsMargin(instrument, product, quantityOf(lots))) continue;
        onMargin = true;
        instruments.set(refId, instrument);
      }
      calledFlat ||= !onMargin && account.marginCall !== undefined;
    }
    return { instruments: [...instruments.values()], calledFlat };
  }
}
