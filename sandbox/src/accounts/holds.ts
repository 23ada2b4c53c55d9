/**
 * What is held for open orders and positions. Everything is a function of the open orders and the positions, so that
 * nothing can be left behind: an order that reduces a position needs nothing for the part that reduces, older orders first.
 */
import type { NewOrder, Product } from '../exchange/types';
import type { Instrument } from '../market/types';
import { type Books, deliverable, positionKey } from './books';
import { quantityOf, valueOf } from './lots';
import { derivativeMargin, intradayMargin, isDerivative, paidInFull } from './margin';
import { mulDiv } from './money';
import type { AccountState, HeldOrder } from './types';

/** Cash that purchases will cost, and margin; paise. */
export interface Need {
  cash: number;
  margin: number;
}

const NOTHING: Need = { cash: 0, margin: 0 };

/** Sums of one account that are kept up to date instead of being added up again for every order. */
interface Sums {
  orders: Need;
  byKey: Map<string, { need: Need; orders: Map<bigint, HeldOrder> }>;
  positionMargin: number | undefined;
  collateral: number | undefined;
}

/** Price (paise) at which the remainder of an order is counted. */
function countedPrice(order: NewOrder, referencePrice: number): number {
  if (order.side === 'SELL') return Math.max(order.price, referencePrice);
  return order.priceType === 'LIMIT' ? order.price : Math.max(referencePrice, order.triggerPrice);
}

/** What a quantity that opens (not reduces) a position needs. */
export function openingNeed(books: Books, instrument: Instrument, order: Pick<NewOrder, 'side' | 'product'>, quantity: number, price: number): Need {
  if (quantity === 0) return NOTHING;
  if (paidInFull(instrument, order.product) && order.side === 'BUY') return { cash: quantity * price, margin: 0 };
  if (isDerivative(instrument)) {
    const signed = order.side === 'BUY' ? quantity : -quantity;
    const { span, exposure } = derivativeMargin([{ instrument, quantity: signed, price }], books.underlying, books.date);
    return { cash: 0, margin: span + exposure };
  }
  return order.product === 'IDAY' ? { cash: 0, margin: intradayMargin(quantity * price, books.date) } : NOTHING;
}

export class Holds {
  private readonly sums = new Map<string, Sums>();

  constructor(private readonly books: () => Books) {}

  /** Forgets all sums (a new day: other closes, other tables). */
  clear(): void {
    this.sums.clear();
  }

  /** An order was added, changed or taken away. */
  orderTouched(account: AccountState, held: HeldOrder): void {
    const sums = this.sumsOf(account);
    const key = positionKey(held.order.refId, held.order.product);
    const entry = this.entry(sums, key);
    if (account.orders.get(held.id) === held) entry.orders.set(held.id, held);
    else entry.orders.delete(held.id);
    this.recount(account, sums, key);
  }

  positionTouched(account: AccountState, refId: number, product: Product): void {
    const sums = this.sumsOf(account);
    sums.positionMargin = undefined;
    sums.collateral = undefined;
    this.recount(account, sums, positionKey(refId, product));
  }

  collateralTouched(account: AccountState): void {
    this.sumsOf(account).collateral = undefined;
  }

  forOrders(account: AccountState): Need {
    return this.sumsOf(account).orders;
  }

  forPositions(account: AccountState): number {
    const sums = this.sumsOf(account);
    sums.positionMargin ??= positionMargin(this.books(), account);
    return sums.positionMargin;
  }

  collateral(account: AccountState): number {
    const sums = this.sumsOf(account);
    sums.collateral ??= [...account.holdings.values()].reduce((sum, holding) => sum + this.pledgeValue(holding.refId, holding.pledged), 0);
    return sums.collateral;
  }

  /** Margin value of so many pledged shares, paise. */
  pledgeValue(refId: number, quantity: number): number {
    if (quantity === 0) return 0;
    const books = this.books();
    return mulDiv(quantity * books.close(refId), 10_000 - Math.round(books.haircut(refId) * 100), 10_000);
  }

  /** Cash that is free, negative when more is held than there is. */
  available(account: AccountState): number {
    const orders = this.forOrders(account);
    const margin = orders.margin + this.forPositions(account);
    return account.cash - orders.cash - Math.max(0, margin - this.collateral(account));
  }

  /** Shares of a delivery holding that open sell orders have reserved. */
  reserved(account: AccountState, refId: number): number {
    let sum = 0;
    for (const held of this.entry(this.sumsOf(account), positionKey(refId, 'CNC')).orders.values()) {
      if (held.order.side === 'SELL') sum += held.order.quantity - held.filled;
    }
    return sum;
  }

  private sumsOf(account: AccountState): Sums {
    const known = this.sums.get(account.id);
    if (known) return known;
    const sums: Sums = { orders: NOTHING, byKey: new Map(), positionMargin: undefined, collateral: undefined };
    this.sums.set(account.id, sums);
    for (const held of account.orders.values()) {
      this.entry(sums, positionKey(held.order.refId, held.order.product)).orders.set(held.id, held);
    }
    for (const key of sums.byKey.keys()) this.recount(account, sums, key);
    return sums;
  }

  private entry(sums: Sums, key: string): { need: Need; orders: Map<bigint, HeldOrder> } {
    const known = sums.byKey.get(key);
    if (known) return known;
    const entry = { need: NOTHING, orders: new Map<bigint, HeldOrder>() };
    sums.byKey.set(key, entry);
    return entry;
  }

  private recount(account: AccountState, sums: Sums, key: string): void {
    const entry = this.entry(sums, key);
    const need = this.needOf(account, key, entry.orders.values());
    sums.orders = {
      cash: sums.orders.cash - entry.need.cash + need.cash,
      margin: sums.orders.margin - entry.need.margin + need.margin,
    };
    entry.need = need;
    if (entry.orders.size === 0) sums.byKey.delete(key);
  }

  private needOf(account: AccountState, key: string, orders: Iterable<HeldOrder>): Need {
    const books = this.books();
    const open = quantityOf(account.positions.get(key)?.lots ?? []);
    const closable = { BUY: Math.max(0, -open), SELL: Math.max(0, open) };
    let cash = 0;
    let margin = 0;
    for (const held of orders) {
      const { order } = held;
      const instrument = books.instrument(order.refId);
      const remaining = order.quantity - held.filled;
      const closing = Math.min(remaining, closable[order.side]);
      closable[order.side] -= closing;
      const need = openingNeed(books, instrument, order, remaining - closing, countedPrice(order, held.referencePrice));
      cash += need.cash;
      margin += need.margin;
    }
    return { cash, margin };
  }
}

/** Margin of all open positions of an account, paise. */
export function positionMargin(books: Books, account: AccountState): number {
  const derivatives = [];
  let intraday = 0;
  for (const { refId, product, lots } of account.positions.values()) {
    if (lots.length === 0) continue;
    const instrument = books.instrument(refId);
    if (isDerivative(instrument)) {
      const quantity = quantityOf(lots);
      derivatives.push({ instrument, quantity, price: mulDiv(valueOf(lots), 1, quantity) });
    } else if (product === 'IDAY') {
      intraday += intradayMargin(Math.abs(valueOf(lots)), books.date);
    }
  }
  const { span, exposure } = derivativeMargin(derivatives, books.underlying, books.date);
  return intraday + span + exposure;
}

/** Delivery shares free to be sold by a new order. */
export function sellable(holds: Holds, account: AccountState, refId: number): number {
  const { settled, unsettled } = deliverable(account, refId);
  return settled + unsettled - holds.reserved(account, refId);
}
