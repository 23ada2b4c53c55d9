import { isAlive, newExit } from './exit-triggers';
import { quantityAtExchange, type ChildTerms, type LegRefusal } from './child-orders';
import type { StrategyParts } from './strategy-engine';
import type { ConditionKind, EntryEnd, IntentLeg, IntentOrder, WorkingIntent } from './types';

const MEETS: Record<ConditionKind, (price: number, threshold: number) => boolean> = {
  ABOVE: (price, threshold) => price > threshold,
  BELOW: (price, threshold) => price < threshold,
  AT_OR_ABOVE: (price, threshold) => price >= threshold,
  AT_OR_BELOW: (price, threshold) => price <= threshold,
};

/** The entry of intent orders: waits for session, time and price, sends orders, ends. */
export class EntryRunner {
  constructor(private readonly parts: StrategyParts) {}

  /** Judges an entry that waits, in an open session. */
  judge(working: WorkingIntent, at: number): void {
    const { intent } = working;
    const { condition, time } = intent.entry;
    if (!intent.entryTriggered) {
      if (time !== null && at < time) return;
      if (condition !== null && !MEETS[condition.kind](this.parts.sessions.netPrice(intent, at), condition.price))
        return;
      intent.entryTriggered = true;
      if (time !== null || condition !== null) this.parts.store.emit(working, { type: 'entry_triggered' }, at);
    }
    if (intent.multi && intent.priceType === 'LIMIT' && this.parts.sessions.netPrice(intent, at) > intent.price) {
      if (intent.validity === 'IOC')
        this.endEntry(
          working,
          { type: 'cancelled', reason: 'IOC: the net premium was not there and the order was cancelled' },
          at,
        );
      return;
    }
    this.send(working, at);
  }

  /** Sends what of the entry is neither filled nor at the exchange. */
  send(working: WorkingIntent, at: number): void {
    working.intent.sent = true;
    const refused = this.placeMissing(working, at);
    // Not before: without latency a first slice may be filled by now, and the entry would have been judged without the others.
    working.stage = 'WORKING';
    if (refused === undefined) return;
    working.lastEnd = { type: 'rejected', reason: refused.reason };
    this.finish(working, at);
  }

  private placeMissing(working: WorkingIntent, at: number): LegRefusal | undefined {
    return this.parts.children.placeMissing(
      working,
      (leg, index) => leg.quantity - leg.filledQuantity - quantityAtExchange(working, index, 'entry'),
      (leg) => this.terms(working.intent, leg, at),
      at,
    );
  }

  /** Goes on when the entry is wholly filled, or nothing of it is left at the exchange. */
  finish(working: WorkingIntent, at: number): void {
    const { intent } = working;
    if (working.stage !== 'WORKING') return;
    if (intent.legs.every(({ quantity, filledQuantity }) => quantity === filledQuantity)) {
      working.stage = 'OVER';
      this.parts.store.emit(working, { type: 'executed' }, at, { status: 'EXECUTED', stamp: 'filledAt' });
      return;
    }
    if (working.children.some(({ of }) => of === 'entry')) return;
    if (intent.multi) return this.finishStrategy(working, at);
    const end = working.lastEnd ?? { type: 'cancelled', reason: '' };
    const survives =
      intent.validity === 'GTE' &&
      end.type === 'expired' &&
      working.cancelling === null &&
      at < this.parts.sessions.lastClose(intent);
    if (!survives) return this.endEntry(working, end, at);
    working.stage = 'WAITING';
    working.closesAt = null;
    working.lastEnd = null;
  }

  /** Ends an entry. What it filled stays, with its exits; without a fill the exits end with it. */
  endEntry(working: WorkingIntent, end: EntryEnd, at: number): void {
    const { intent } = working;
    const { store } = this.parts;
    working.stage = 'OVER';
    const nothing = intent.legs.every(({ filledQuantity }) => filledQuantity === 0);
    if (nothing) for (const exit of intent.exits.filter(isAlive)) exit.status = 'CANCELLED';
    const reason = working.cancelling ?? end.reason;
    if (working.cancelling !== null || end.type === 'cancelled') {
      store.emit(working, { type: 'cancelled' }, at, { status: 'CANCELLED', stamp: 'cancelledAt', reason });
    } else if (end.type === 'expired') {
      store.emit(working, { type: 'expired' }, at, { status: 'EXPIRED', stamp: 'cancelledAt', reason });
    } else if (end.type === 'rejected' && nothing) {
      store.emit(working, { type: 'rejected', reason }, at, { status: 'REJECTED', stamp: 'rejectedAt', reason });
    } else {
      const reported = { type: 'unsolicited_cancel', reason } as const;
      store.emit(working, reported, at, { status: 'CANCELLED', stamp: 'cancelledAt', reason });
    }
  }

  /** A strategy that cannot be completed is taken back at market; one whose market orders left something over goes on. */
  private finishStrategy(working: WorkingIntent, at: number): void {
    const { intent } = working;
    if (working.cancelling === null && working.lastEnd?.type !== 'rejected') {
      if (working.fruitless < MAX_FRUITLESS) {
        working.retryAt = at + ENTRY_RETRY_MS;
        return;
      }
      working.lastEnd = { type: 'rejected', reason: working.lastEnd?.reason ?? '' };
    }
    const begun = intent.legs.some(({ filledQuantity }) => filledQuantity > 0);
    if (begun) {
      for (const exit of intent.exits.filter(isAlive)) exit.status = 'CANCELLED';
      intent.exits.push({ ...newExit('request', 0, 0, 0, 0), status: 'TRIGGERED' });
    }
    const end = working.lastEnd ?? { type: 'cancelled' as const, reason: '' };
    this.endEntry(working, end, at);
  }

  private terms(intent: IntentOrder, { unit }: IntentLeg, at: number): ChildTerms {
    const market = intent.multi || intent.priceType === 'MARKET';
    return {
      of: 'entry',
      side: unit > 0 ? 'BUY' : 'SELL',
      validity: market || intent.validity === 'IOC' ? 'IOC' : 'DAY',
      priceType: market ? 'MARKET' : 'LIMIT',
      price: market ? 0 : intent.price,
      visible: this.visible(intent, at),
    };
  }

  private visible({ iceberg, quantity, legs }: IntentOrder, at: number): number {
    if (iceberg === null) return 0;
    if (iceberg.maxQuantity !== null) return iceberg.maxQuantity;
    const { lotSize } = this.parts.instrument(legs[0]!.refId, at);
    return Math.ceil(quantity / iceberg.legs! / lotSize) * lotSize;
  }
}

/** Market orders that left something over are followed by others after so long, milliseconds. */
export const ENTRY_RETRY_MS = 1_000;

/**
 * Number of market orders in a row that trade nothing, from which nothing is there within their price protection. Then a strategy's
 * entry is taken back, and a way out is tried less often.
 */
export const MAX_FRUITLESS = 3;
