/** The end of a trading day (exchange rules, Settlement). */
import type { Books } from './books';
import { moveLots, payCharges } from './booking';
import { exerciseTax } from './charges';
import { quantityOf, valueOf } from './lots';
import { isDerivative } from './span';
import { rupees } from '../shared/money';
import type { AccountState, DayClose, Funds, Holding, Position, PositionState } from './types';

/** Closes a day of one account; `views` reads it as the contract shows it. */
export function closeDay(
  books: Books,
  account: AccountState,
  date: string,
  at: number,
  views: { funds(): Funds; positions(): Position[]; holdings(): Holding[] },
): void {
  for (const position of account.positions.values()) {
    if (position.lots.length > 0) settlePosition(books, account, position, date, at);
  }
  const positions = views.positions();
  const funds = views.funds();
  settleShares(books, account, date);
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
    close.closes[refId] = books.deps.lastPrice(books.instrument(refId), at);
  }
  account.closes.push(close);
}

/** Expired derivatives are settled in cash, intraday leftovers closed at the closing price, futures marked to market. */
function settlePosition(books: Books, account: AccountState, position: PositionState, date: string, at: number): void {
  const instrument = books.instrument(position.refId);
  const quantity = quantityOf(position.lots);
  const last = books.deps.lastPrice(instrument, at);
  if (isDerivative(instrument) && instrument.expiry <= Number(date.replaceAll('-', ''))) {
    const price = settlementPrice(books, position.refId, last, at);
    if (instrument.derivativeType === 'OPT' && quantity > 0) {
      payCharges(
        books,
        account,
        exerciseTax(instrument, price * quantity, date),
        position.refId,
        `Tax on the exercise of ${instrument.displayName}`,
        at,
      );
    }
    closeAt(books, account, position, price, at, `${instrument.displayName} expired, settled at ${rupees(price)}`);
  } else if (position.product === 'IDAY') {
    closeAt(
      books,
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
    books.post(
      account,
      'MARK_TO_MARKET',
      profit,
      position.refId,
      `${instrument.displayName} marked to market at ${rupees(last)}`,
      at,
    );
  }
}

/** Closes all of a position in the books, without a trade. */
function closeAt(
  books: Books,
  account: AccountState,
  position: PositionState,
  price: number,
  at: number,
  text: string,
): void {
  const quantity = quantityOf(position.lots);
  moveLots(books, account, position, books.instrument(position.refId), -quantity, price, at, text);
  if (quantity > 0) {
    position.sellQuantity += quantity;
    position.sellValue += quantity * price;
  } else {
    position.buyQuantity -= quantity;
    position.buyValue -= quantity * price;
  }
}

/** Final price of an expiring derivative: the underlying's close, for an option what it is in the money. */
function settlementPrice(books: Books, refId: number, last: number, at: number): number {
  const instrument = books.instrument(refId);
  const underlying =
    instrument.underlyingRefId === null ? undefined : books.knownInstrument(instrument.underlyingRefId);
  if (!underlying) return last;
  const close = books.deps.lastPrice(underlying, at);
  if (instrument.derivativeType === 'FUT') return close;
  return Math.max(0, instrument.optionType === 'CE' ? close - instrument.strikePrice : instrument.strikePrice - close);
}

/** What was bought before is settled if this is a trading day; what was bought today settles on the next one. */
function settleShares(books: Books, account: AccountState, date: string): void {
  for (const holding of account.holdings.values()) {
    if (!books.deps.calendar.isTradingDay(books.instrument(holding.refId).exchange, date)) continue;
    holding.settled = [...holding.settled, ...holding.t1];
    holding.t1 = [];
  }
  for (const position of account.positions.values()) {
    if (position.lots.length === 0 || isDerivative(books.instrument(position.refId))) continue;
    const holding = books.holding(account, position.refId);
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
