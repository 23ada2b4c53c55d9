/**
 * Money and margin that are held for open orders and positions. Everything is a function of the open orders and the positions, so that
 * nothing can be left behind: an order that reduces a position needs nothing for the part that reduces, older orders first.
 */
import { contractValue } from '../market/reference/contract-value';
import type { NewOrder, Product, Side } from '../shared/orders';
import type { Instrument } from '../market/reference/types';
import { type AccountStore, positionKey } from './account-store';
import { hedgeNeed } from './hedges';
import { quantityOf, valueOf } from './lots';
import { deliveryMargin, deliveryMargins } from './physical-delivery';
import { shortMargin, shortProfit } from './short-delivery';
import { derivativeMargin, type SpanExposure, intradayMargin, isDerivative, paidInFull } from './span';
import { mulDiv } from '../shared/money';
import type { AccountState, HeldOrder } from './state';
import type { BlockedFunds } from './records';

/** Cash that purchases will cost, and margin; paise. */
export interface FundsRequirement {
  cash: number;
  margin: number;
}

const NOTHING: FundsRequirement = { cash: 0, margin: 0 };

/** Cash that open positions take at the market's prices, paise. */
interface PositionNeed {
  margin: number;
  /** 0 while they have gained together. */
  loss: number;
}

/** The open orders of one instrument and product; `full` is what they would need if none of them reduced a position. */
interface Group {
  /** Oldest first; a changed order keeps its place. */
  orders: Record<Side, Map<bigint, { held: HeldOrder; full: FundsRequirement }>>;
  full: FundsRequirement;
  need: FundsRequirement;
  /** Quantity that sell orders may still deliver. */
  selling: number;
}

/** Sums of one account that are kept up to date instead of being added up again for every order. */
interface Sums {
  orders: FundsRequirement;
  byKey: Map<string, Group>;
  /** At the prices of the last `revalue`. */
  positions: PositionNeed | undefined;
  /** Margin that orders need because they close a hedge, paise, at the same prices. */
  hedges: number | undefined;
  collateral: number | undefined;
}

/** Price (paise) at which the remainder of an order is counted. */
function countedPrice(order: NewOrder, referencePrice: number): number {
  if (order.side === 'SELL') return Math.max(order.price, referencePrice);
  return order.priceType === 'LIMIT' ? order.price : Math.max(referencePrice, order.triggerPrice);
}

/**
 * Returns the money and margin that a quantity needs to open (not reduce) a position; an option's SPAN starts from `underlyingPrice`
 * (paise).
 */
export function openingRequirement(
  store: AccountStore,
  instrument: Instrument,
  order: Pick<NewOrder, 'side' | 'product'>,
  quantity: number,
  price: number,
  underlyingPrice: number,
): FundsRequirement {
  if (quantity === 0) return NOTHING;
  if (paidInFull(instrument, order.product) && order.side === 'BUY')
    return {
      cash: contractValue(instrument, price, quantity),
      margin: deliveryMargin(store, instrument, quantity, underlyingPrice),
    };
  if (isDerivative(instrument)) {
    const signed = order.side === 'BUY' ? quantity : -quantity;
    const { span, exposure } = derivativeMargin(
      [{ instrument, quantity: signed, price }],
      () => underlyingPrice,
      store.date,
    );
    const delivery = deliveryMargin(store, instrument, signed, underlyingPrice);
    return { cash: 0, margin: span + exposure + delivery };
  }
  return order.product === 'IDAY'
    ? { cash: 0, margin: intradayMargin(contractValue(instrument, price, quantity), store.date) }
    : NOTHING;
}

export class BuyingPower {
  private readonly sums = new Map<string, Sums>();

  constructor(private readonly storeOf: () => AccountStore) {}

  get store(): AccountStore {
    return this.storeOf();
  }

  /** Forgets all sums (a new day: other closes, other tables). */
  clear(): void {
    this.sums.clear();
  }

  /** An order was added, changed or taken away. */
  orderTouched(account: AccountState, held: HeldOrder): void {
    const sums = this.sumsOf(account);
    const key = positionKey(held.order.refId, held.order.product);
    if (account.positions.has(key)) sums.hedges = undefined;
    const group = this.group(sums, key);
    this.takeOut(group, held);
    if (account.orders.get(held.id) === held) this.putIn(group, held);
    else group.orders[held.order.side].delete(held.id);
    this.recount(account, sums, key);
  }

  positionTouched(account: AccountState, refId: number, product: Product): void {
    const sums = this.sumsOf(account);
    sums.positions = undefined;
    sums.hedges = undefined;
    sums.collateral = undefined;
    this.recount(account, sums, positionKey(refId, product));
  }

  collateralTouched(account: AccountState): void {
    this.sumsOf(account).collateral = undefined;
  }

  forOrders(account: AccountState): FundsRequirement {
    const { cash, margin } = this.sumsOf(account).orders;
    return { cash, margin: margin + this.forHedges(account) };
  }

  /** Returns the margin that open orders need because they close what hedges other positions, paise. */
  forHedges(account: AccountState): number {
    const sums = this.sumsOf(account);
    sums.hedges ??= hedgeNeed(this.store, account, (key) => sums.byKey.get(key)?.orders);
    return sums.hedges;
  }

  /** Values the positions of an account at present prices. Every question that depends on prices begins with it. */
  revalue(account: AccountState): void {
    const sums = this.sumsOf(account);
    sums.positions = undefined;
    sums.hedges = undefined;
  }

  forPositions(account: AccountState): PositionNeed {
    const sums = this.sumsOf(account);
    sums.positions ??= { margin: positionMargin(this.store, account), loss: unrealisedLoss(this.store, account) };
    return sums.positions;
  }

  /** Returns the amounts that are held, in parts. */
  blocked(account: AccountState): BlockedFunds {
    const need = { shares: NOTHING, derivatives: NOTHING };
    for (const [key, group] of this.sumsOf(account).byKey) {
      const of = isDerivative(this.store.instrument(Number(key.split(' ', 1)[0]))) ? 'derivatives' : 'shares';
      need[of] = plus(need[of], group.need);
    }
    const intraday = intradayPositionMargin(this.store, account);
    return {
      sharesCash: need.shares.cash,
      sharesMargin: need.shares.margin,
      derivativesCash: need.derivatives.cash,
      derivativesMargin: need.derivatives.margin + this.forHedges(account),
      derivativePositions: this.forPositions(account).margin - intraday,
      intradayPositions: intraday,
    };
  }

  collateral(account: AccountState): number {
    const sums = this.sumsOf(account);
    sums.collateral ??= [...account.holdings.values()].reduce(
      (sum, holding) => sum + this.pledgeValue(holding.refId, holding.pledged),
      0,
    );
    return sums.collateral;
  }

  /** Margin value of so many pledged shares, paise. */
  pledgeValue(refId: number, quantity: number): number {
    if (quantity === 0) return 0;
    const store = this.store;
    return mulDiv(
      contractValue(store.instrument(refId), store.close(refId), quantity),
      10_000 - Math.round(store.haircut(refId) * 100),
      10_000,
    );
  }

  /** Cash that is free, negative when more is held than there is. */
  available(account: AccountState): number {
    return this.free(account, this.forOrders(account));
  }

  /** The same without what orders need because they close a hedge: it is not needed before they trade. */
  availableForPositions(account: AccountState): number {
    return this.free(account, this.sumsOf(account).orders);
  }

  private free(account: AccountState, orders: FundsRequirement): number {
    const { margin, loss } = this.forPositions(account);
    return account.cash - orders.cash - Math.max(0, orders.margin + margin - this.collateral(account)) - loss;
  }

  /** Shares that open sell orders for delivery may still take, on one exchange. */
  reserved(account: AccountState, refId: number): number {
    return this.sumsOf(account).byKey.get(positionKey(refId, 'CNC'))?.selling ?? 0;
  }

  private sumsOf(account: AccountState): Sums {
    const cachedSums = this.sums.get(account.id);
    if (cachedSums) return cachedSums;
    const sums: Sums = {
      orders: NOTHING,
      byKey: new Map(),
      positions: undefined,
      hedges: undefined,
      collateral: undefined,
    };
    this.sums.set(account.id, sums);
    for (const held of account.orders.values())
      this.putIn(this.group(sums, positionKey(held.order.refId, held.order.product)), held);
    for (const key of sums.byKey.keys()) this.recount(account, sums, key);
    return sums;
  }

  private group(sums: Sums, key: string): Group {
    const cachedGroup = sums.byKey.get(key);
    if (cachedGroup) return cachedGroup;
    const group: Group = { orders: { BUY: new Map(), SELL: new Map() }, full: NOTHING, need: NOTHING, selling: 0 };
    sums.byKey.set(key, group);
    return group;
  }

  private putIn(group: Group, held: HeldOrder): void {
    const full = this.needFor(held, remainingOf(held));
    group.orders[held.order.side].set(held.id, { held, full });
    group.full = plus(group.full, full);
    if (held.order.side === 'SELL') group.selling += remainingOf(held);
  }

  /** Takes the earlier form of an order out of the sums. */
  private takeOut(group: Group, { id, order }: HeldOrder): void {
    const cachedHold = group.orders[order.side].get(id);
    if (!cachedHold) return;
    group.full = minus(group.full, cachedHold.full);
    if (order.side === 'SELL') group.selling -= remainingOf(cachedHold.held);
  }

  private recount(account: AccountState, sums: Sums, key: string): void {
    const group = this.group(sums, key);
    const need = this.needOf(account, key, group);
    sums.orders = plus(minus(sums.orders, group.need), need);
    group.need = need;
    if (group.orders.BUY.size + group.orders.SELL.size === 0) sums.byKey.delete(key);
  }

  /** Returns the requirement of the orders of a group: in full, less what the oldest on the reducing side do not need. */
  private needOf(account: AccountState, key: string, group: Group): FundsRequirement {
    const open = quantityOf(account.positions.get(key)?.lots ?? []);
    let closable = Math.abs(open);
    let need = group.full;
    for (const { held, full } of group.orders[open > 0 ? 'SELL' : 'BUY'].values()) {
      if (closable === 0) break;
      const remaining = remainingOf(held);
      const closing = Math.min(remaining, closable);
      closable -= closing;
      need = plus(minus(need, full), this.needFor(held, remaining - closing));
    }
    return need;
  }

  private needFor({ order, referencePrice, underlyingPrice }: HeldOrder, quantity: number): FundsRequirement {
    const store = this.store;
    return openingRequirement(
      store,
      store.instrument(order.refId),
      order,
      quantity,
      countedPrice(order, referencePrice),
      underlyingPrice,
    );
  }
}

function remainingOf({ order, filled }: HeldOrder): number {
  return order.quantity - filled;
}

function plus(a: FundsRequirement, b: FundsRequirement): FundsRequirement {
  return { cash: a.cash + b.cash, margin: a.margin + b.margin };
}

function minus(a: FundsRequirement, b: FundsRequirement): FundsRequirement {
  return { cash: a.cash - b.cash, margin: a.margin - b.margin };
}

/** Margin of the intraday positions in shares and of the short deliveries of an account, paise. */
function intradayPositionMargin(store: AccountStore, account: AccountState): number {
  let margin = shortMargin(store, account);
  for (const { refId, product, lots } of account.positions.values()) {
    if (product !== 'IDAY' || lots.length === 0) continue;
    const instrument = store.instrument(refId);
    if (isDerivative(instrument)) continue;
    const value = contractValue(instrument, store.lastPrice(instrument), Math.abs(quantityOf(lots)));
    margin += intradayMargin(value, store.date);
  }
  return margin;
}

/** The open derivatives of an account, futures at their last price. */
export function openDerivatives(store: AccountStore, account: AccountState): SpanExposure[] {
  const derivatives: SpanExposure[] = [];
  for (const { refId, lots } of account.positions.values()) {
    if (lots.length === 0) continue;
    const instrument = store.instrument(refId);
    if (!isDerivative(instrument)) continue;
    const price = instrument.derivativeType === 'FUT' ? store.lastPrice(instrument) : 0;
    derivatives.push({ instrument, quantity: quantityOf(lots), price });
  }
  return derivatives;
}

/** Margin of all open positions of an account at the market's prices, paise. */
function positionMargin(store: AccountStore, account: AccountState): number {
  const { span, exposure } = derivativeMargin(openDerivatives(store, account), store.underlyings(), store.date);
  return intradayPositionMargin(store, account) + span + exposure + deliveryMargins(store, account);
}

/**
 * Returns the loss on positions that are not paid in full and are worth less than they cost: futures, intraday shares and short deliveries
 * together, paise. A sold option's loss is in its SPAN, which is what the account would owe for it.
 */
function unrealisedLoss(store: AccountStore, account: AccountState): number {
  let profit = shortProfit(store, account);
  for (const { refId, product, lots } of account.positions.values()) {
    if (lots.length === 0) continue;
    const instrument = store.instrument(refId);
    if (!paidInFull(instrument, product))
      profit += contractValue(instrument, store.lastPrice(instrument), quantityOf(lots)) - valueOf(instrument, lots);
  }
  return Math.max(0, -profit);
}

/** Shares that are held and settled, and not pledged. */
function settledShares(store: AccountStore, account: AccountState, refId: number): number {
  const holding = store.knownHolding(account, refId);
  return holding ? quantityOf(holding.settled) - holding.pledged : 0;
}

/** Shares that are held, not pledged, and not wanted by sell orders at one of these exchanges beyond what was bought there today. */
function unclaimed(
  buyingPower: BuyingPower,
  account: AccountState,
  refId: number,
  exchanges: readonly number[],
): number {
  const { store } = buyingPower;
  const t1 = quantityOf(store.knownHolding(account, refId)?.t1 ?? []);
  const claimed = exchanges.reduce(
    (sum, listing) =>
      sum + Math.max(0, buyingPower.reserved(account, listing) - buyingPower.store.boughtToday(account, listing)),
    0,
  );
  return settledShares(store, account, refId) + t1 - claimed;
}

/**
 * Delivery shares free to be sold by a new order: what is held is sold on any exchange that lists it, what was bought
 * today on the exchange of its purchase.
 */
export function sellableQuantity(buyingPower: BuyingPower, account: AccountState, refId: number): number {
  const otherListings = buyingPower.store.listings(refId).filter((listing) => listing !== refId);
  const own = buyingPower.store.boughtToday(account, refId) - buyingPower.reserved(account, refId);
  return unclaimed(buyingPower, account, refId, otherListings) + own;
}

/** Settled shares whose sale the holder has not authorised at the depository for this day; 0 with DDPI. */
export function unauthorisedQuantity(store: AccountStore, account: AccountState, refId: number): number {
  const { salesAuthorisedOn } = account;
  return salesAuthorisedOn === undefined || salesAuthorisedOn === store.date ? 0 : settledShares(store, account, refId);
}

/** Settled shares that are neither pledged nor needed by open sell orders. */
export function pledgeableQuantity(buyingPower: BuyingPower, account: AccountState, refId: number): number {
  const { store } = buyingPower;
  const free = unclaimed(buyingPower, account, refId, store.listings(refId));
  return Math.max(0, Math.min(settledShares(store, account, refId), free));
}
