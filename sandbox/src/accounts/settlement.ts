/** The end of a trading day (exchange rules, Settlement). */
import type { AccountStore } from './account-store';
import { moveLots, payCharges } from './booking';
import { exerciseTax } from './charges';
import { quantityOf, valueOf } from './lots';
import { isDerivative } from './span';
import { rupees } from '../shared/money';
import type { AccountState, DayClose, Funds, Holding, Position, PositionState } from './types';

/** Closes a day of one account; `views` reads it as the contract shows it. */
export function closeDay(
  store: AccountStore,
  account: AccountState,
  date: string,
  at: number,
  views: { funds(): Funds; positions(): Position[]; holdings(): Holding[] },
): void {
  for (const position of account.positions.values()) {
    if (position.lots.length > 0) settlePosition(store, account, position, date, at);
  }
  const positions = views.positions();
  const funds = views.funds();
  settleShares(store, account, date);
  carry(account);
  account.opening = account.cash;
  account.added = 0;
  account.charges = 0;
  account.realised = 0;
  account.invested = 0;
  account.charged.clear();
  const close: DayClose = {
    date,
    at,
    funds,
    positions,
    carried: views.positions(),
    holdings: views.holdings(),
    closes: {},
  };
  for (const { refId } of [...close.positions, ...close.holdings]) {
    close.closes[refId] = store.deps.lastPrice(store.instrument(refId), at);
  }
  account.closes.push(close);
}

/** Expired derivatives are settled in cash, intraday leftovers closed at the closing price, futures marked to market. */
function settlePosition(
  store: AccountStore,
  account: AccountState,
  position: PositionState,
  date: string,
  at: number,
): void {
  const instrument = store.instrument(position.refId);
  const quantity = quantityOf(position.lots);
  const last = store.deps.lastPrice(instrument, at);
  if (isDerivative(instrument) && instrument.expiry <= Number(date.replaceAll('-', ''))) {
    const price = settlementPrice(store, position.refId, last, at);
    if (instrument.derivativeType === 'OPT' && quantity > 0) {
      payCharges(
        store,
        account,
        exerciseTax(instrument, price * quantity, date),
        position.refId,
        `Tax on the exercise of ${instrument.displayName}`,
        at,
      );
    }
    closeAt(store, account, position, price, at, `${instrument.displayName} expired, settled at ${rupees(price)}`);
  } else if (position.product === 'IDAY') {
    closeAt(
      store,
      account,
      position,
      last,
      at,
      `Intraday ${instrument.displayName} closed at the closing price ${rupees(last)}`,
    );
  } else if (instrument.derivativeType === 'FUT') {
    const profit = quantity * last - valueOf(position.lots);
    position.realised += profit;
    account.realised += profit;
    position.lots = [{ date: position.lots[0]!.date, quantity, price: last }];
    store.post(
      account,
      'MARK_TO_MARKET',
      profit,
      position.refId,
      `${instrument.displayName} marked to market at ${rupees(last)}`,
      at,
    );
  }
}

/** Closes all of a position in the store, without a trade. */
function closeAt(
  store: AccountStore,
  account: AccountState,
  position: PositionState,
  price: number,
  at: number,
  text: string,
): void {
  const quantity = quantityOf(position.lots);
  moveLots(store, account, position, store.instrument(position.refId), -quantity, price, at, text, true);
  if (quantity > 0) {
    position.sellQuantity += quantity;
    position.sellValue += quantity * price;
  } else {
    position.buyQuantity -= quantity;
    position.buyValue -= quantity * price;
  }
}

/** Final price of an expiring derivative: the underlying's close, for an option what it is in the money. */
function settlementPrice(store: AccountStore, refId: number, last: number, at: number): number {
  const instrument = store.instrument(refId);
  const underlying =
    instrument.underlyingRefId === null ? undefined : store.knownInstrument(instrument.underlyingRefId);
  if (!underlying) return last;
  const close = store.deps.settlement?.(underlying, at) ?? store.deps.lastPrice(underlying, at);
  if (instrument.derivativeType === 'FUT') return close;
  return Math.max(0, instrument.optionType === 'CE' ? close - instrument.strikePrice : instrument.strikePrice - close);
}

/** What was bought before is settled if this is a trading day; what was bought today settles on the next one. */
function settleShares(store: AccountStore, account: AccountState, date: string): void {
  for (const holding of account.holdings.values()) {
    if (!store.deps.calendar.isTradingDay(store.instrument(holding.refId).exchange, date)) continue;
    holding.settled = [...holding.settled, ...holding.t1];
    holding.t1 = [];
  }
  for (const position of account.positions.values()) {
    if (position.lots.length === 0 || isDerivative(store.instrument(position.refId))) continue;
    const holding = store.holding(account, position.refId);
    holding.t1 = [...holding.t1, ...position.lots];
    position.lots = [];
  }
}

/** The next day starts with the derivatives that are still open, at the price they are carried at. */
function carry(account: AccountState): void {
  for (const [key, position] of account.positions) {
    if (position.lots.length === 0) {
      account.positions.delete(key);
      continue;
    }
    const bought = position.lots.filter((lot) => lot.quantity > 0);
    const sold = position.lots.filter((lot) => lot.quantity < 0);
    position.buyQuantity = quantityOf(bought);
    position.buyValue = valueOf(bought);
    position.sellQuantity = Math.abs(quantityOf(sold));
    position.sellValue = Math.abs(valueOf(sold));
    position.realised = 0;
  }
}
