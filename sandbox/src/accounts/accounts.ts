/** Funds, margin, positions, holdings and the ledger of every account. Pure: time is what the calls say it is. */
import { PER_SHARE } from '../market/reference/contract-value';
import type { Product } from '../shared/orders';
import { bookTrade } from './booking';
import { AccountStore } from './account-store';
import { chargesOf } from './charges';
import { istDate } from '../shared/time';
import { BuyingPower, pledgeableQuantity, sellableQuantity, unauthorisedQuantity } from './buying-power';
import { bookCorporateAction } from './corporate-actions';
import { payDividend } from './dividends';
import { quantityOf, valueOf } from './lots';
import { rupees } from '../shared/money';
import { marginRequired } from './margin-calculator';
import { MarginWatch } from './margin-watch';
import { OrderChecks } from './order-checks';
import { closeDay } from './settlement';
import type { Accounts, AccountsDeps } from './types';
import type { AccountsState, AccountState } from './state';
import type { Funds, Position, Holding, SquareOff, MarginReview } from './records';

/** Starts empty, or continues from what `state()` of another instance returned. */
export function createAccounts(deps: AccountsDeps, from?: AccountsState): Accounts {
  const state: AccountsState = from ?? { now: 0, accounts: new Map(), instruments: new Map() };
  const buyingPower: BuyingPower = new BuyingPower(() => store);
  const store: AccountStore = new AccountStore(deps, state, () => buyingPower.clear());
  const watch = new MarginWatch(store);
  const checks = new OrderChecks(store, buyingPower);

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
      openValue: valueOf(store.instrument(position.refId), lots),
    }));

  const holdings = (account: AccountState): Holding[] =>
    [...account.holdings.values()].map(({ refId, settled, t1, pledged }) => ({
      refId,
      quantity: quantityOf(settled),
      t1Quantity: quantityOf(t1),
      pledgedQuantity: pledged,
      cost: valueOf(PER_SHARE, [...settled, ...t1]),
      haircut: store.haircut(refId),
    }));

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
        taxes: new Map(),
        positions: new Map(),
        holdings: new Map(),
        ledger: [],
        trades: [],
        closures: [],
        closes: [],
        shortDeliveries: [],
        adjustments: [],
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
      return checks.hold(orderId, order, referencePrice, at);
    },
    amend(orderId, order, referencePrice, at) {
      store.moveTo(at);
      return checks.amend(orderId, order, referencePrice, at);
    },
    showAt: (at) => store.showAt(at),
    orderChanged(order, at) {
      store.moveTo(at);
      checks.changed(order);
    },
    trade(trade, at) {
      store.moveTo(at);
      const account = store.account(trade.account);
      checks.filled(account, trade);
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
    shortDeliveries: (id) => store.account(id).shortDeliveries,
    adjustments: (id) => store.account(id).adjustments,
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
        const { heldForPositions } = funds(account);
        reviews.push({
          account: account.id,
          available: buyingPower.availableForPositions(account),
          required: heldForPositions + watch.owedFor(account),
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
    saleQuantities(id, refId) {
      const account = store.account(id);
      const waiting = unauthorisedQuantity(store, account, refId);
      const all = sellableQuantity(buyingPower, account, refId);
      const held = quantityOf(store.knownHolding(account, refId)?.settled ?? []);
      return { sellable: Math.max(0, all - waiting), authorised: waiting === 0 ? held : 0, waiting };
    },
    salesAuthorisedOn: (id) => store.account(id).salesAuthorisedOn,
    authoriseSales(id, how, at) {
      store.moveTo(at);
      store.account(id).salesAuthorisedOn = { ddpi: undefined, today: store.date, none: '' }[how];
    },
    pledge(id, refId, quantity, at) {
      store.moveTo(at);
      const account = store.account(id);
      const free = pledgeableQuantity(buyingPower, account, refId);
      if (!Number.isSafeInteger(quantity) || quantity <= 0 || quantity > free) {
        return {
          ok: false,
          code: 'PLEDGE_REFUSED',
          text: `${quantity} cannot be pledged: ${free} settled shares are free`,
        };
      }
      store.holding(account, refId).pledged += quantity;
      buyingPower.collateralTouched(account);
      watch.touched();
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
      watch.touched();
      if (buyingPower.available(account) >= 0) return { ok: true };
      holding.pledged += quantity;
      buyingPower.collateralTouched(account);
      return {
        ok: false,
        code: 'INSUFFICIENT_MARGIN',
        text: `INSUFFICIENT_MARGIN: the pledge of ${quantity} carries margin that is in use`,
      };
    },
    freeQuantity: (id, refId) => pledgeableQuantity(buyingPower, store.account(id), refId),
    chargesOf: (instrument, { product, side }, value, at) =>
      chargesOf(instrument, product, side, value, istDate(at), store.tariff),
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
      watch.touched();
      return { ok: true };
    },
    setHolding(id, { refId, quantity, averagePrice, date }, at) {
      store.moveTo(at);
      const account = store.account(id);
      const holding = store.holding(account, refId);
      const change = quantity - quantityOf(holding.settled);
      const free = pledgeableQuantity(buyingPower, account, refId);
      if (change < 0 && -change > free) {
        return {
          ok: false,
          code: 'HOLDING_IN_USE',
          text: `only ${free} of ref_id ${refId} are free; the rest is pledged or in sell orders`,
        };
      }
      holding.settled = quantity === 0 ? [] : [{ date: date ?? istDate(at), quantity, price: averagePrice }];
      if (quantity + quantityOf(holding.t1) === 0) account.holdings.delete(holding.refId);
      watch.touched();
      return { ok: true };
    },
    dividend(id, refId, paisePerShare, at) {
      store.moveTo(at);
      payDividend(store, store.account(id), refId, paisePerShare, at);
      watch.touched();
    },
    corporateAction(action, at) {
      store.moveTo(at);
      for (const account of state.accounts.values()) bookCorporateAction(store, account, action, at);
      store.relist(action.refIds);
      buyingPower.clear();
      watch.touched();
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
