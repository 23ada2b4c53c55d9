/** Checks the requirement of an order against the account: asked before it is taken, and followed until it ends. */
import type { NewOrder, Order, Trade } from '../shared/orders';
import { isWorthMore } from '../market/reference/contract-value';
import { positionKey, type AccountStore } from './account-store';
import { type BuyingPower, sellableQuantity, unauthorisedQuantity } from './buying-power';
import { quantityOf } from './lots';
import { MARGIN_SQUARE_OFF_SOURCE } from './margin-calls';
import { isDerivative } from './span';
import { SQUARE_OFF_SOURCE } from './square-off';
import { rupees } from '../shared/money';
import { istClock } from '../shared/time';
import type { CheckResult } from './types';
import type { AccountState, HeldOrder } from './state';

/** The largest worth of one order, paise: a hundred thousand crore rupees. */
export const MAX_ORDER_VALUE_PAISE = 100_000_000_000_000;
export const TOO_LARGE = `INSUFFICIENT_MARGIN: the order is worth more than Rs ${rupees(MAX_ORDER_VALUE_PAISE)}, the most that one may be`;

const ENDED = new Set<Order['status']>(['FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED']);

/** The open orders of all accounts, as the books count them. */
export class OrderChecks {
  constructor(
    private readonly store: AccountStore,
    private readonly buyingPower: BuyingPower,
  ) {}

  /** Checks a new order and holds what it needs; see `Accounts.hold`. */
  hold(orderId: bigint, order: NewOrder, referencePrice: number, at: number): CheckResult {
    const account = this.store.account(order.account);
    const held = this.heldOrder(orderId, order, referencePrice, 0);
    return tooLarge(this.store, held) ?? this.tooLate(account, held, at) ?? this.tryHold(account, held);
  }

  /** Checks an order as it would be after a modification; see `Accounts.amend`. */
  amend(orderId: bigint, order: NewOrder, referencePrice: number, at: number): CheckResult {
    const account = this.store.account(order.account);
    const filled = account.orders.get(orderId)?.filled ?? 0;
    const held = this.heldOrder(orderId, order, referencePrice, filled);
    return tooLarge(this.store, held) ?? this.tooLate(account, held, at) ?? this.tryHold(account, held);
  }

  /** Follows a change of an order. */
  changed(order: Order): void {
    const account = this.store.account(order.account);
    const held = account.orders.get(order.id);
    if (!held) return;
    if (ENDED.has(order.status)) {
      account.orders.delete(order.id);
      this.buyingPower.orderTouched(account, held);
      return;
    }
    if (!hasOtherTerms(held.order, order)) return;
    const now = { ...held, order: termsOf(order) };
    account.orders.set(order.id, now);
    this.buyingPower.orderTouched(account, now);
  }

  /** Follows a fill. */
  filled(account: AccountState, trade: Trade): void {
    const held = account.orders.get(trade.orderId);
    if (!held) return;
    const filled = held.filled + trade.quantity;
    const now = { ...held, filled };
    if (filled < held.order.quantity) account.orders.set(held.id, now);
    else account.orders.delete(held.id);
    this.buyingPower.orderTouched(account, now);
  }

  private heldOrder(id: bigint, order: NewOrder, referencePrice: number, filled: number): HeldOrder {
    const instrument = this.store.instrument(order.refId);
    const underlyingPrice = instrument.derivativeType === 'OPT' ? this.store.underlying(instrument) : 0;
    return { id, order: { ...order }, referencePrice, underlyingPrice, filled };
  }

  /** Puts an order in (or in the place of its earlier form) and takes it out again when it is not covered. */
  private tryHold(account: AccountState, held: HeldOrder): CheckResult {
    this.buyingPower.revalue(account);
    const before = account.orders.get(held.id);
    const availableBefore = this.buyingPower.available(account);
    account.orders.set(held.id, held);
    this.buyingPower.orderTouched(account, held);
    const refusal = this.notCovered(account, held, availableBefore);
    if (!refusal) return { ok: true };
    if (before) account.orders.set(held.id, before);
    else account.orders.delete(held.id);
    this.buyingPower.orderTouched(account, before ?? held);
    return refusal;
  }

  private notCovered(
    account: AccountState,
    { order }: HeldOrder,
    availableBefore: number,
  ): (CheckResult & { ok: false }) | undefined {
    const instrument = this.store.instrument(order.refId);
    if (order.side === 'SELL' && order.product === 'CNC' && !isDerivative(instrument)) {
      const short = -sellableQuantity(this.buyingPower, account, order.refId);
      if (short <= 0) return isOfBroker(order) ? undefined : this.unauthorised(account, order, -short);
      const free = order.quantity - short;
      return {
        ok: false,
        code: 'INSUFFICIENT_HOLDINGS',
        text: `INSUFFICIENT_HOLDINGS: ${order.quantity} of ${instrument.symbol} to sell, ${Math.max(0, free)} free (held, not pledged, not in other sell orders)${this.elsewhere(account, order.refId)}`,
      };
    }
    if (this.store.deps.onCredit === true || isOfBroker(order)) return undefined;
    const availableAfter = this.buyingPower.available(account);
    if (availableAfter >= 0 || availableAfter >= availableBefore) return undefined;
    return {
      ok: false,
      code: 'INSUFFICIENT_MARGIN',
      text: `INSUFFICIENT_MARGIN: the order needs Rs ${rupees(availableBefore - availableAfter)}, available are Rs ${rupees(availableBefore)}`,
    };
  }

  /** The compliance check: shares leave the demat account only with the holder's authorisation. @param left units beyond this order */
  private unauthorised(
    account: AccountState,
    { refId, quantity }: NewOrder,
    left: number,
  ): (CheckResult & { ok: false }) | undefined {
    const waiting = unauthorisedQuantity(this.store, account, refId);
    if (waiting <= left) return undefined;
    return {
      ok: false,
      code: 'EDIS_AUTHORISATION_REQUIRED',
      text: `Rejected by the compliance check: ${quantity} of ${this.store.instrument(refId).symbol} to sell, ${Math.max(0, quantity + left - waiting)} authorised at the depository`,
    };
  }

  /** Returns the addition to a refusal where shares bought today on another exchange would have been enough. */
  private elsewhere(account: AccountState, refId: number): string {
    const otherListings = this.store.listings(refId).filter((listing) => listing !== refId);
    const bought = otherListings.reduce((sum, listing) => sum + this.store.boughtToday(account, listing), 0);
    return bought === 0 ? '' : `; ${bought} bought today on another exchange are sold here from the next trading day`;
  }

  /**
   * Refuses to open an intraday position once the broker squares them off; closing one is always possible. What other open orders close
   * already is closed once only.
   */
  private tooLate(
    account: AccountState,
    { id, order, filled }: HeldOrder,
    at: number,
  ): (CheckResult & { ok: false }) | undefined {
    const stop =
      order.product === 'IDAY' ? this.store.deps.intradayStop?.(this.store.instrument(order.refId), at) : undefined;
    if (stop === undefined || at < stop) return undefined;
    const open = quantityOf(account.positions.get(positionKey(order.refId, 'IDAY'))?.lots ?? []);
    const closable = (order.side === 'SELL' ? open : -open) - (isOfBroker(order) ? 0 : closedBy(account, order, id));
    if (closable >= order.quantity - filled) return undefined;
    return {
      ok: false,
      code: 'INTRADAY_CLOSED',
      text: `INTRADAY_CLOSED: no intraday position can be opened after ${istClock(stop)}; use delivery (CNC), or the next trading day`,
    };
  }
}

/** Refuses an order that is worth more than the books count exactly. */
function tooLarge(
  store: AccountStore,
  { order, referencePrice, underlyingPrice }: HeldOrder,
): (CheckResult & { ok: false }) | undefined {
  const price = Math.max(order.price, order.triggerPrice, referencePrice, underlyingPrice);
  if (!isWorthMore(store.instrument(order.refId), price, order.quantity, MAX_ORDER_VALUE_PAISE)) return undefined;
  return { ok: false, code: 'INSUFFICIENT_MARGIN', text: TOO_LARGE };
}

/** Returns the quantity that other open orders would trade on the side of an order, in its instrument and product. */
function closedBy(account: AccountState, { refId, product, side }: NewOrder, id: bigint): number {
  let quantity = 0;
  for (const other of account.orders.values())
    if (other.id !== id && other.order.refId === refId && other.order.product === product && other.order.side === side)
      quantity += other.order.quantity - other.filled;
  return quantity;
}

/** True if the broker closes a position by it. */
function isOfBroker({ source }: NewOrder): boolean {
  return source === MARGIN_SQUARE_OFF_SOURCE || source === SQUARE_OFF_SOURCE;
}

function hasOtherTerms(knownOrder: NewOrder, order: Order): boolean {
  return (
    knownOrder.quantity !== order.quantity ||
    knownOrder.price !== order.price ||
    knownOrder.triggerPrice !== order.triggerPrice
  );
}

/** Terms of an order that its owner asked for, without its later state. */
const TERMS = [
  'account',
  'refId',
  'kind',
  'side',
  'quantity',
  'product',
  'validity',
  'priceType',
  'price',
  'triggerPrice',
  'legSize',
  'tag',
  'basketId',
  'source',
] as const satisfies readonly (keyof NewOrder)[];

function termsOf(order: Order): NewOrder {
  return Object.fromEntries(TERMS.map((name) => [name, order[name]])) as Pick<NewOrder, (typeof TERMS)[number]>;
}
