/** Funds, margin, positions, holdings and the ledger of every account. Pure: time is what the calls say it is. */
import type { NewOrder, Order, Product } from '../shared/orders';
import { bookTrade } from './booking';
import { AccountStore, boughtToday, positionKey } from './account-store';
import { istClock, istDate } from '../shared/time';
import { BuyingPower, freeToPledge, sellable } from './buying-power';
import { quantityOf, valueOf } from './lots';
import { isDerivative } from './span';
import { rupees } from '../shared/money';
import { marginRequired } from './margin-calculator';
import { MarginWatch } from './margin-watch';
import { closeDay } from './settlement';
import type {
  Accounts,
  AccountsDeps,
  AccountsState,
  AccountState,
  Answer,
  Funds,
  HeldOrder,
  Holding,
  MarginReview,
  Position,
  SquareOff,
} from './types';

const ENDED = new Set<Order['status']>(['FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED']);

/** Starts empty, or continues from what `state()` of another instance returned. */
export function createAccounts(deps: AccountsDeps, from?: AccountsState): Accounts {
  const state: AccountsState = from ?? { now: 0, accounts: new Map(), instruments: new Map() };
  const buyingPower: BuyingPower = new BuyingPower(() => store);
  const store: AccountStore = new AccountStore(deps, state, () => buyingPower.clear());
  const watch = new MarginWatch(store);

  const funds = (account: AccountState): Funds => {
    buyingPower.revalue(account);
    const orders = buyingPower.forOrders(account);
    const { margin, loss } = buyingPower.forPositions(account);
    const collateral = buyingPower.collateral(account);
    return {
      opening: account.opening,
      added: account.added,
      cash: account.cash,
      heldForOrders: orders.cash + orders.margin,
      heldForPositions: margin,
      unrealisedLoss: loss,
      collateral,
      collateralUsed: Math.min(collateral, orders.margin + margin),
      charges: account.charges,
      realised: account.realised,
      invested: account.invested,
      available: buyingPower.available(account),
    };
  };

  const positions = (account: AccountState): Position[] =>
    [...account.positions.values()].map(({ lots, ...position }) => ({
      ...position,
      quantity: position.buyQuantity - position.sellQuantity,
      openQuantity: quantityOf(lots),
      openValue: valueOf(lots),
    }));

  const holdings = (account: AccountState): Holding[] =>
    [...account.holdings.values()].map(({ refId, settled, t1, pledged }) => ({
      refId,
      quantity: quantityOf(settled),
      t1Quantity: quantityOf(t1),
      pledgedQuantity: pledged,
      cost: valueOf(settled) + valueOf(t1),
      haircut: store.haircut(refId),
    }));

  const heldOrder = (id: bigint, order: NewOrder, referencePrice: number, filled: number): HeldOrder => {
    const instrument = store.instrument(order.refId);
    const underlyingPrice = instrument.derivativeType === 'OPT' ? store.underlying(instrument) : 0;
    return { id, order: { ...order }, referencePrice, underlyingPrice, filled };
  };

  /** Puts an order in (or in the place of its earlier form) and takes it out again when it is not covered. */
  const tryHold = (account: AccountState, held: HeldOrder): Answer => {
    buyingPower.revalue(account);
    const before = account.orders.get(held.id);
    const availableBefore = buyingPower.available(account);
    account.orders.set(held.id, held);
    buyingPower.orderTouched(account, held);
    const refusal = notCovered(account, held, availableBefore);
    if (!refusal) return { ok: true };
    if (before) account.orders.set(held.id, before);
    else account.orders.delete(held.id);
    buyingPower.orderTouched(account, before ?? held);
    return refusal;
  };

  const notCovered = (
    account: AccountState,
    { order }: HeldOrder,
    availableBefore: number,
  ): (Answer & { ok: false }) | undefined => {
    const instrument = store.instrument(order.refId);
    if (order.side === 'SELL' && order.product === 'CNC' && !isDerivative(instrument)) {
      const short = -sellable(buyingPower, account, order.refId);
      if (short <= 0) return undefined;
      const free = order.quantity - short;
      return {
        ok: false,
        code: 'INSUFFICIENT_HOLDINGS',
        text: `INSUFFICIENT_HOLDINGS: ${order.quantity} of ${instrument.symbol} to sell, ${Math.max(0, free)} free (held, not pledged, not in other sell orders)${elsewhere(account, order.refId)}`,
      };
    }
    const availableAfter = buyingPower.available(account);
    if (availableAfter >= 0 || availableAfter >= availableBefore) return undefined;
    return {
      ok: false,
      code: 'INSUFFICIENT_MARGIN',
      text: `INSUFFICIENT_MARGIN: the order needs Rs ${rupees(availableBefore - availableAfter)}, available are Rs ${rupees(availableBefore)}`,
    };
  };

  /** What a refusal adds where shares bought today on another exchange would have been enough. */
  const elsewhere = (account: AccountState, refId: number): string => {
    const others = store.listings(refId).filter((listing) => listing !== refId);
    const bought = others.reduce((sum, listing) => sum + boughtToday(account, listing), 0);
    return bought === 0 ? '' : `; ${bought} bought today on another exchange are sold here from the next trading day`;
  };

  /** Refuses to open an intraday position once the broker squares them off; closing one is always possible. */
  const tooLate = (account: AccountState, order: NewOrder, at: number): (Answer & { ok: false }) | undefined => {
    const stop = order.product === 'IDAY' ? deps.intradayStop?.(store.instrument(order.refId), at) : undefined;
    if (stop === undefined || at < stop) return undefined;
    const open = quantityOf(account.positions.get(positionKey(order.refId, 'IDAY'))?.lots ?? []);
    if (order.side === 'SELL' ? open >= order.quantity : -open >= order.quantity) return undefined;
    return {
      ok: false,
      code: 'INTRADAY_CLOSED',
      text: `INTRADAY_CLOSED: no intraday position can be opened after ${istClock(stop)}; use delivery (CNC), or the next trading day`,
    };
  };

  const filledOf = (account: AccountState, orderId: bigint) => account.orders.get(orderId)?.filled ?? 0;

  const touched = (account: AccountState, refId: number, product: Product) => {
    buyingPower.positionTouched(account, refId, product);
    watch.touched();
  };

  return {
    open(id, opening, at) {
      if (state.accounts.has(id)) throw new Error(`account ${id} exists already`);
      store.moveTo(at);
      const account: AccountState = {
        id,
        opening: 0,
        added: 0,
        cash: 0,
        charges: 0,
        realised: 0,
        invested: 0,
        orders: new Map(),
        charged: new Map(),
        positions: new Map(),
        holdings: new Map(),
        ledger: [],
        trades: [],
        closures: [],
        closes: [],
      };
      state.accounts.set(id, account);
      store.post(account, 'OPENING', opening.funds, 0, 'Opening balance', at);
      account.opening = opening.funds;
      for (const { refId, quantity, averagePrice, date } of opening.holdings) {
        store.holding(account, refId).settled.push({ date: date ?? istDate(at), quantity, price: averagePrice });
      }
    },
    has: (id) => state.accounts.has(id),
    ids: () => [...state.accounts.keys()],
    hold(orderId, order, referencePrice, at) {
      store.moveTo(at);
      const account = store.account(order.account);
      return tooLate(account, order, at) ?? tryHold(account, heldOrder(orderId, order, referencePrice, 0));
    },
    amend(orderId, order, referencePrice, at) {
      store.moveTo(at);
      const account = store.account(order.account);
      return tryHold(account, heldOrder(orderId, order, referencePrice, filledOf(account, orderId)));
    },
    showAt: (at) => store.showAt(at),
    orderChanged(order, at) {
      store.moveTo(at);
      const account = store.account(order.account);
      const held = account.orders.get(order.id);
      if (!held) return;
      if (ENDED.has(order.status)) {
        account.orders.delete(order.id);
        buyingPower.orderTouched(account, held);
        return;
      }
      if (!changed(held.order, order)) return;
      const now = { ...held, order: termsOf(order) };
      account.orders.set(order.id, now);
      buyingPower.orderTouched(account, now);
    },
    trade(trade, at) {
      store.moveTo(at);
      const account = store.account(trade.account);
      const held = account.orders.get(trade.orderId);
      if (held) {
        const filled = held.filled + trade.quantity;
        const now = { ...held, filled };
        if (filled < held.order.quantity) account.orders.set(held.id, now);
        else account.orders.delete(held.id);
        buyingPower.orderTouched(account, now);
      }
      bookTrade(store, account, trade);
      touched(account, trade.refId, trade.product);
    },
    funds: (id) => funds(store.account(id)),
    blocked(id) {
      buyingPower.revalue(store.account(id));
      return buyingPower.blocked(store.account(id));
    },
    positions: (id) => positions(store.account(id)),
    holdings: (id) => holdings(store.account(id)),
    ledger: (id) => store.account(id).ledger,
    trades: (id) => store.account(id).trades,
    closures: (id) => store.account(id).closures,
    closes: (id) => store.account(id).closes,
    instrument: (refId) => store.knownInstrument(refId),
    marginRequired(id, orders, options, at) {
      store.moveTo(at);
      buyingPower.revalue(store.account(id));
      return marginRequired(store, buyingPower, store.account(id), orders, options);
    },
    squareOffs() {
      const list: SquareOff[] = [];
      for (const account of state.accounts.values()) {
        for (const { refId, product, lots } of account.positions.values()) {
          const quantity = quantityOf(lots);
          if (product !== 'IDAY' || quantity === 0) continue;
          list.push({ account: account.id, refId, side: quantity > 0 ? 'SELL' : 'BUY', quantity: Math.abs(quantity) });
        }
      }
      return list;
    },
    lastEvent: () => state.now,
    marginWatch: () => watch.watched(),
    marginReview(at) {
      store.moveTo(at);
      const reviews: MarginReview[] = [];
      for (const account of state.accounts.values()) {
        const onMargin = watch.isOnMargin(account);
        if (!onMargin && !account.marginCall) continue;
        const { available, heldForPositions } = funds(account);
        reviews.push({
          account: account.id,
          available,
          required: heldForPositions,
          onMargin,
          call: account.marginCall,
        });
      }
      return reviews;
    },
    marginPositions: (id) => watch.positions(store.account(id)),
    setMarginCall(id, call) {
      const account = store.account(id);
      if (call === undefined) delete account.marginCall;
      else account.marginCall = call;
      watch.touched();
    },
    pledge(id, refId, quantity, at) {
      store.moveTo(at);
      const account = store.account(id);
      const free = freeToPledge(buyingPower, account, refId);
      if (!Number.isSafeInteger(quantity) || quantity <= 0 || quantity > free) {
        return {
          ok: false,
          code: 'PLEDGE_REFUSED',
          text: `${quantity} cannot be pledged: ${free} settled shares are free`,
        };
      }
      store.holding(account, refId).pledged += quantity;
      buyingPower.collateralTouched(account);
      return { ok: true };
    },
    unpledge(id, refId, quantity, at) {
      store.moveTo(at);
      const account = store.account(id);
      const holding = store.knownHolding(account, refId);
      const pledged = holding?.pledged ?? 0;
      if (!holding || !Number.isSafeInteger(quantity) || quantity <= 0 || quantity > pledged) {
        return { ok: false, code: 'PLEDGE_REFUSED', text: `${quantity} cannot be released: ${pledged} are pledged` };
      }
      holding.pledged -= quantity;
      buyingPower.revalue(account);
      buyingPower.collateralTouched(account);
      if (buyingPower.available(account) >= 0) return { ok: true };
      holding.pledged += quantity;
      buyingPower.collateralTouched(account);
      return {
        ok: false,
        code: 'INSUFFICIENT_MARGIN',
        text: `INSUFFICIENT_MARGIN: the pledge of ${quantity} carries margin that is in use`,
      };
    },
    freeQuantity: (id, refId) => freeToPledge(buyingPower, store.account(id), refId),
    addFunds(id, amount, at) {
      store.moveTo(at);
      const account = store.account(id);
      buyingPower.revalue(account);
      if (amount < 0 && buyingPower.available(account) + amount < 0) {
        return {
          ok: false,
          code: 'INSUFFICIENT_FUNDS',
          text: `Rs ${rupees(-amount)} cannot be paid out: Rs ${rupees(buyingPower.available(account))} are free`,
        };
      }
      account.added += amount;
      store.post(
        account,
        amount > 0 ? 'FUNDS_ADDED' : 'FUNDS_WITHDRAWN',
        amount,
        0,
        amount > 0 ? 'Funds added' : 'Funds withdrawn',
        at,
      );
      return { ok: true };
    },
    setHolding(id, { refId, quantity, averagePrice, date }, at) {
      store.moveTo(at);
      const account = store.account(id);
      store.instrument(refId);
      const holding = store.holding(account, refId);
      const change = quantity - quantityOf(holding.settled);
      const free = freeToPledge(buyingPower, account, refId);
      if (change < 0 && -change > free) {
        return {
          ok: false,
          code: 'HOLDING_IN_USE',
          text: `only ${free} of ref_id ${refId} are free; the rest is pledged or in sell orders`,
        };
      }
      holding.settled = quantity === 0 ? [] : [{ date: date ?? istDate(at), quantity, price: averagePrice }];
      if (quantity + quantityOf(holding.t1) === 0) account.holdings.delete(holding.refId);
      return { ok: true };
    },
    dividend(id, refId, paisePerShare, at) {
      store.moveTo(at);
      const account = store.account(id);
      const holding = store.knownHolding(account, refId);
      const quantity = holding ? quantityOf(holding.settled) + quantityOf(holding.t1) : 0;
      account.added += quantity * paisePerShare;
      const text = `Dividend of ${rupees(paisePerShare)} a share on ${quantity} ${store.instrument(refId).displayName}`;
      store.post(account, 'DIVIDEND', quantity * paisePerShare, refId, text, at, {
        shares: quantity,
        perShare: paisePerShare,
      });
    },
    endOfDay(date, at) {
      store.moveTo(at);
      for (const account of state.accounts.values()) {
        if ((account.closes.at(-1)?.date ?? '') >= date) continue;
        closeDay(store, account, date, at, {
          funds: () => {
            buyingPower.clear();
            return funds(account);
          },
          positions: () => positions(account),
          holdings: () => holdings(account),
        });
      }
      buyingPower.clear();
      watch.touched();
    },
    state: () => ({ ...structuredClone({ ...state, accounts: new Map() }), accounts: mapped(state.accounts, copied) }),
  };
}

/** An account apart from what changes it. What its lists hold never changes and is shared. */
function copied(account: AccountState): AccountState {
  const { ledger, trades, closures, closes, charged, orders, ...rest } = account;
  return {
    ...structuredClone(rest),
    ledger: [...ledger],
    trades: [...trades],
    closures: [...closures],
    closes: [...closes],
    charged: new Map(charged),
    orders: new Map(orders),
  };
}

const mapped = <K, V>(map: ReadonlyMap<K, V>, change: (value: V) => V): Map<K, V> =>
  new Map([...map].map(([key, value]) => [key, change(value)]));

function changed(known: NewOrder, order: Order): boolean {
  return known.quantity !== order.quantity || known.price !== order.price || known.triggerPrice !== order.triggerPrice;
}

function termsOf(order: Order): NewOrder {
  const {
    account,
    refId,
    kind,
    side,
    quantity,
    product,
    validity,
    priceType,
    price,
    triggerPrice,
    legSize,
    tag,
    basketId,
    source,
  } = order;
  return {
    account,
    refId,
    kind,
    side,
    quantity,
    product,
    validity,
    priceType,
    price,
    triggerPrice,
    legSize,
    tag,
    basketId,
    source,
  };
}
