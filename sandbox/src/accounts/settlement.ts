/** The end of a trading day (docs/service/exchange-rules.md#settlement). */
import { type ContractUnit, contractValue } from '../market/reference/contract-value';
import type { AccountStore } from './account-store';
import { bookSettlement, moveLots, payCharges } from './booking';
import { exerciseTax } from './charges';
import { devolvementOf } from './devolvement';
import { chargeDeliveries, chargeInterest } from './day-charges';
import { roundedTax } from './tax-rounding';
import { quantityOf, valueOf } from './lots';
import { settlePhysically, deliveryOf, isDelivered, type PhysicalDelivery } from './physical-delivery';
import { buyIn } from './short-delivery';
import { isDerivative } from './span';
import { settledBy } from '../market/reference/instrument-class';
import type { Instrument } from '../market/reference/types';
import { rupees } from '../shared/money';
import type { AccountState, PositionState } from './state';
import type { Funds, Position, Holding, DayClose } from './records';

/** Closes a day of one account; `views` reads it as the contract shows it. */
export function closeDay(
  store: AccountStore,
  account: AccountState,
  date: string,
  at: number,
  views: { funds(): Funds; positions(): Position[]; holdings(): Holding[] },
): void {
  devolve(store, account, date, at);
  const deliveries: PhysicalDelivery[] = [];
  for (const position of account.positions.values()) {
    if (position.lots.length === 0) continue;
    const delivery = settlePosition(store, account, position, date, at);
    if (delivery !== undefined) deliveries.push(delivery);
  }
  settlePhysically(store, account, deliveries, at);
  buyIn(store, account, date, at);
  chargeDeliveries(store, account, date, at);
  chargeInterest(store, account, date, at);
  const positions = views.positions();
  const funds = views.funds();
  settleShares(store, account, date);
  carry(store, account);
  account.opening = account.cash;
  account.added = 0;
  account.charges = 0;
  account.realised = 0;
  account.invested = 0;
  account.charged.clear();
  account.taxes.clear();
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

/** Options on futures that expire become futures or lapse, before what is open in futures is marked to market. */
function devolve(store: AccountStore, account: AccountState, date: string, at: number): void {
  for (const position of [...account.positions.values()]) {
    const option = store.instrument(position.refId);
    const quantity = quantityOf(position.lots);
    const future = option.settlesInto === undefined ? undefined : store.knownInstrument(option.settlesInto);
    if (quantity === 0 || future === undefined || !isExpired(option, date)) continue;
    const becomes = devolvementOf(store, option, quantity, settlementOf(store, future, at));
    const what = becomes ? `became ${future.displayName} at ${rupees(becomes.price)}` : 'expired out of the money';
    closeAt(store, account, position, 0, at, `${option.displayName} ${what}`);
    if (becomes === undefined) continue;
    const side = becomes.quantity > 0 ? 'BUY' : 'SELL';
    const taken = {
      refId: future.refId,
      side,
      product: 'CNC',
      price: becomes.price,
      quantity: Math.abs(quantity),
    } as const;
    bookSettlement(store, account, taken, at, `devolved from ${option.displayName}`);
  }
}

const isExpired = ({ expiry }: Instrument, date: string): boolean => expiry <= Number(date.replaceAll('-', ''));

/**
 * Expired derivatives are settled in cash or by the shares that are returned, intraday leftovers closed at the closing price
 * (what was sold and not bought back is short), futures marked to market.
 */
function settlePosition(
  store: AccountStore,
  account: AccountState,
  position: PositionState,
  date: string,
  at: number,
): PhysicalDelivery | undefined {
  const instrument = store.instrument(position.refId);
  const quantity = quantityOf(position.lots);
  const last = store.deps.lastPrice(instrument, at);
  if (isDerivative(instrument) && isExpired(instrument, date)) {
    const underlying = underlyingClose(store, instrument, at);
    const price = underlying === undefined ? last : settlementPrice(instrument, underlying);
    const delivery =
      underlying !== undefined && isDelivered(instrument, date)
        ? deliveryOf(instrument, quantity, underlying)
        : undefined;
    if (delivery !== undefined) {
      const own = instrument.derivativeType === 'FUT' ? price : 0;
      const text = `${instrument.displayName} expired: ${Math.abs(delivery.quantity)} shares at ${rupees(delivery.price)}`;
      closeAt(store, account, position, own, at, text);
      return delivery;
    }
    if (instrument.derivativeType === 'OPT' && quantity > 0) {
      const intrinsic = contractValue(instrument, price, quantity);
      const settlementValue = contractValue(instrument, underlying ?? price, quantity);
      const asked = store.tariff.statutory ? exerciseTax(instrument, intrinsic, settlementValue, date) : 0;
      const tax = roundedTax(account, instrument, asked);
      const said = `Tax on the exercise of ${instrument.displayName}`;
      payCharges(store, account, tax, position.refId, said, at, 'EXERCISE_TAX');
    }
    closeAt(store, account, position, price, at, `${instrument.displayName} expired, settled at ${rupees(price)}`);
  } else if (position.product === 'IDAY') {
    const isShort = quantity < 0 && !isDerivative(instrument) && store.deps.intradayStop !== undefined;
    if (isShort) {
      const text = `Intraday ${instrument.displayName} closed at the closing price ${rupees(last)}`;
      // Nothing is bought: what is bought in later has its charges then, and the sale has had its own.
      closeAt(store, account, position, last, at, text);
      account.shortDeliveries.push({ refId: position.refId, quantity: -quantity, price: last, date, isCharged: true });
    } else {
      const side = quantity > 0 ? 'SELL' : 'BUY';
      const size = Math.abs(quantity);
      const price = store.deps.closeOut?.(instrument, side, size, at) ?? last;
      const closing = { refId: position.refId, side, product: 'IDAY', price, quantity: size } as const;
      const away = price === last ? '' : `, pushed by its size from ${rupees(last)}`;
      bookSettlement(store, account, closing, at, `intraday position closed at the closing price${away}`);
    }
  } else if (instrument.derivativeType === 'FUT') {
    const profit = contractValue(instrument, last, quantity) - valueOf(instrument, position.lots);
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
  return undefined;
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
  const instrument = store.instrument(position.refId);
  moveLots(store, account, position, instrument, -quantity, price, at, text, true);
  if (quantity > 0) {
    position.sellQuantity += quantity;
    position.sellValue += contractValue(instrument, price, quantity);
  } else {
    position.buyQuantity -= quantity;
    position.buyValue -= contractValue(instrument, price, quantity);
  }
}

/** Close of the instrument by which a derivative is settled. Undefined where that is no known instrument. */
function underlyingClose(store: AccountStore, derivative: Instrument, at: number): number | undefined {
  const underlying = settledBy(derivative, (refId) => store.knownInstrument(refId));
  return underlying && settlementOf(store, underlying, at);
}

/** The price by which derivatives of an instrument are settled, paise. */
function settlementOf(store: AccountStore, underlying: Instrument, at: number): number {
  return store.deps.settlement?.(underlying, at) ?? store.deps.lastPrice(underlying, at);
}

/** Final price of an expiring derivative: its underlying's close, for an option what it is in the money. */
function settlementPrice({ derivativeType, optionType, strikePrice }: Instrument, close: number): number {
  if (derivativeType === 'FUT') return close;
  return Math.max(0, optionType === 'CE' ? close - strikePrice : strikePrice - close);
}

/** Settles earlier purchases if this is a trading day; what was bought today settles on the next one. */
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
function carry(store: AccountStore, account: AccountState): void {
  for (const [key, position] of account.positions) {
    if (position.lots.length === 0) {
      account.positions.delete(key);
      continue;
    }
    carryForward(store.instrument(position.refId), position);
    position.realised = 0;
  }
}

/** Counts what is open as bought and sold at the prices at which it is carried. */
export function carryForward(unit: ContractUnit, position: PositionState): void {
  const bought = position.lots.filter((lot) => lot.quantity > 0);
  const sold = position.lots.filter((lot) => lot.quantity < 0);
  position.buyQuantity = quantityOf(bought);
  position.buyValue = valueOf(unit, bought);
  position.sellQuantity = Math.abs(quantityOf(sold));
  position.sellValue = Math.abs(valueOf(unit, sold));
}
