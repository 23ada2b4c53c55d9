/**
 * Margin calls and what follows them. While a market is open every account with positions on margin is looked at every
 * few seconds, at the prices of the moment. One that has less than its positions need is called; when it is not covered
 * by the end of its time, or the shortfall grows too large, its open orders are cancelled and positions closed at market,
 * those with the largest margin first, until the rest is covered.
 */
import { MARGIN_CALLS } from './data/margins';
import { effectiveOn } from '../shared/effective-date';
import { istDate } from '../shared/time';
import type { Instrument } from '../market/reference/types';
import type { NewOrder, Order } from '../shared/orders';
import { isDerivative } from './span';
import { mulDiv } from '../shared/money';
import { closingOrders, isWorking, type SquareOffExchange } from './square-off';
import type { Accounts } from './types';
import type { MarginCall, MarginReview } from './records';

/** Source of an order that the broker places to close a position whose margin is not covered. */
export const MARGIN_SQUARE_OFF_SOURCE = 'ORDER_SOURCE_MARGIN_SQUARE_OFF';

const MARGIN_SQUARE_OFF_REASON = 'Margin call: the broker closes the position';

/** Accounts are looked at so often, milliseconds. */
const STEP = 10_000;
/** After closing orders: time for them to trade, then what is left is tried again. Milliseconds. */
const RETRY = 30_000;

/** An event of a margin call; `shortfall` and `required` (the margin of the positions) are paise. */
export interface MarginCallEvent {
  type: 'called' | 'met' | 'square_off' | 'nothing_left';
  account: string;
  /** Milliseconds. */
  at: number;
  shortfall: number;
  required: number;
  /** From when on positions are closed, milliseconds. */
  due: number;
}

export interface MarginCallDeps {
  accounts: Pick<
    Accounts,
    'lastEvent' | 'marginWatch' | 'marginReview' | 'marginPositions' | 'setMarginCall' | 'instrument'
  >;
  exchange: SquareOffExchange & {
    /** Returns `true` if the session of an instant trades continuously, and the instant (milliseconds) until which that stays so. */
    session(instrument: Instrument, at: number): { open: boolean; until: number };
  };
  /** Ends what would trade in a position for its owner, before the broker closes it. */
  endOrdersOn(position: Pick<NewOrder, 'account' | 'refId' | 'product'>, reason: string, at: number): void;
  onMarginCall(event: MarginCallEvent): void;
}

/** Takes part in virtual time; all that it remembers is kept by the accounts. */
export class MarginCalls {
  constructor(private readonly deps: MarginCallDeps) {}

  nextDue(): number | undefined {
    const { accounts, exchange } = this.deps;
    const { instruments, calledFlat } = accounts.marginWatch();
    if (instruments.length === 0 && !calledFlat) return undefined;
    const next = (Math.floor(accounts.lastEvent() / STEP) + 1) * STEP;
    if (calledFlat) return next;
    return Math.min(
      ...instruments.map((instrument) => {
        const { open, until } = exchange.session(instrument, next);
        return open ? next : until;
      }),
    );
  }

  run(at: number): void {
    for (const review of this.deps.accounts.marginReview(at)) this.look(review, at);
  }

  private look(review: MarginReview, at: number): void {
    const { accounts } = this.deps;
    const { account, available } = review;
    if (available >= 0 || !review.onMargin) {
      if (review.call === undefined) return;
      accounts.setMarginCall(account, undefined);
      this.notify(available >= 0 ? 'met' : 'nothing_left', review, at, at);
      return;
    }
    const policy = effectiveOn(MARGIN_CALLS, istDate(at));
    const call: MarginCall = review.call ?? { since: at, due: at + policy.time, closing: false };
    if (review.call === undefined) {
      accounts.setMarginCall(account, call);
      this.notify('called', review, at, call.due);
    }
    const tooLarge = -available * 100 >= review.required * policy.atOnce;
    if (at >= call.due || (tooLarge && !call.closing)) this.squareOff(review, call, at);
  }

  private squareOff(review: MarginReview, call: MarginCall, at: number): void {
    const { accounts, exchange } = this.deps;
    const { account } = review;
    const busy = this.cancelOrders(account, at);
    let missing = -review.available;
    let placed = false;
    for (const { refId, product, quantity, margin } of accounts.marginPositions(account)) {
      if (missing <= 0) break;
      const instrument = accounts.instrument(refId);
      if (instrument === undefined || busy.has(refId) || !exchange.isOpen(instrument, at)) continue;
      const position = { account, refId, side: quantity > 0 ? ('SELL' as const) : ('BUY' as const), product };
      const held = Math.abs(quantity);
      // Of shares, which are not on margin, only so many are sold as are missing.
      const isOnMargin = isDerivative(instrument) || product === 'IDAY';
      const size = isOnMargin ? held : Math.min(held, mulDiv(missing, held, margin) + 1);
      if (size === held) this.deps.endOrdersOn(position, MARGIN_SQUARE_OFF_REASON, at);
      for (const order of closingOrders(instrument, position, size, MARGIN_SQUARE_OFF_SOURCE))
        exchange.place(order, at);
      placed = true;
      missing -= margin;
    }
    if (placed) this.notify('square_off', review, at, at);
    accounts.setMarginCall(account, { ...call, due: at + (placed ? RETRY : STEP), closing: true });
  }

  /** Cancels what an account has working; returns the instruments that must wait for that. */
  private cancelOrders(account: string, at: number): Set<number> {
    const busy = new Set<number>();
    // Those count, too, that are so new that the account's list does not show them yet.
    for (const order of this.deps.exchange.orders(account, Infinity).filter((order: Order) => isWorking(order))) {
      busy.add(order.refId);
      if (order.source !== MARGIN_SQUARE_OFF_SOURCE) this.deps.exchange.cancel(order.id, at);
    }
    return busy;
  }

  private notify(
    type: MarginCallEvent['type'],
    { account, available, required }: MarginReview,
    at: number,
    due: number,
  ): void {
    this.deps.onMarginCall({ type, account, at, shortfall: Math.max(0, -available), required, due });
  }
}
