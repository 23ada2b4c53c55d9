/** Booking of trades: cash, lots, profit, charges. */
import { type ContractUnit, contractValue } from '../market/reference/contract-value';
import type { Product, Trade } from '../shared/orders';
import type { Instrument } from '../market/reference/types';
import type { AccountStore } from './account-store';
import { chargesOf, chargesAdded, nettingRelief, NO_CHARGES, totalCharges } from './charges';
import { roundedServiceTax, roundedTax } from './tax-rounding';
import { istDate, millisOf } from '../shared/time';
import { bookLots, closeLots, type ClosedLot, quantityOf, valueOf } from './lots';
import { isDerivative, paidInFull } from './span';
import { rupees } from '../shared/money';
import type { AccountState, HoldingLot, PositionState } from './state';
import type { ChargeKind, MatchedTrade } from './records';

/** The product by whose rates a settlement is charged; `NOTHING` where its charges were taken before. */
type SettlementCharge = Product | 'NOTHING';

/** A trade that a settlement books, though nobody placed an order for it. */
export type TradeSettlement = Pick<Trade, 'refId' | 'side' | 'product' | 'price' | 'quantity'>;

/**
 * Books what a settlement bought or sold. Its identifier belongs to no order. It is delivered, so its taxes are not
 * netted.
 * @param note goes into the ledger
 * @param chargedAs its product when left out
 */
export function bookSettlement(
  store: AccountStore,
  account: AccountState,
  settlement: TradeSettlement,
  at: number,
  note = 'settled by delivery',
  chargedAs: SettlementCharge = settlement.product,
): void {
  const id = BigInt(at) * 1_000n + BigInt(account.trades.length % 1_000);
  const trade = { ...settlement, id, orderId: id, account: account.id, at: BigInt(at) * 1_000_000n };
  bookOne(store, account, trade, `, ${note}`, { chargedAs, isNetted: false });
}

/** Books one trade into an account. */
export function bookTrade(store: AccountStore, account: AccountState, trade: Trade): void {
  const isNetted = trade.product === 'CNC' && !isDerivative(store.instrument(trade.refId));
  bookOne(store, account, trade, '', { chargedAs: trade.product, isNetted });
}

/**
 * Books one trade.
 * @param note ends its text in the ledger
 * @param isNetted true if its taxes are less for what was traded the other way on the day
 */
function bookOne(
  store: AccountStore,
  account: AccountState,
  trade: Trade,
  note: string,
  { chargedAs, isNetted }: { chargedAs: SettlementCharge; isNetted: boolean },
): void {
  const at = millisOf(trade.at);
  const date = istDate(at);
  const instrument = store.instrument(trade.refId);
  const position = store.position(account, trade.refId, trade.product);
  const quantity = trade.side === 'BUY' ? trade.quantity : -trade.quantity;
  const value = contractValue(instrument, trade.price, trade.quantity);
  if (trade.side === 'BUY') {
    position.buyQuantity += trade.quantity;
    position.buyValue += value;
  } else {
    position.sellQuantity += trade.quantity;
    position.sellValue += value;
  }
  const text = `${trade.side === 'BUY' ? 'Bought' : 'Sold'} ${trade.quantity} ${instrument.displayName} at ${rupees(trade.price)}${note}`;
  if (trade.product === 'CNC' && !isDerivative(instrument) && trade.side === 'SELL') {
    sellDelivery(store, account, position, instrument, trade, date, text);
  } else {
    moveLots(store, account, position, instrument, quantity, trade.price, at, text);
  }
  if (chargedAs === 'NOTHING') account.trades.push({ trade, date, charges: NO_CHARGES });
  else charge(store, account, trade, chargedAs, instrument, date, at, isNetted ? position : undefined);
}

/** Changes the lots of a position by a signed quantity at a price, with all that follows for cash and profit. */
export function moveLots(
  store: AccountStore,
  account: AccountState,
  position: PositionState,
  instrument: Instrument,
  quantity: number,
  price: number,
  at: number,
  text: string,
  isSettlement = false,
): void {
  const date = istDate(at);
  const { lots, closed } = bookLots(position.lots, quantity, price, date);
  const profit = profitOf(instrument, closed, price);
  const invested = valueOf(instrument, lots) - valueOf(instrument, position.lots);
  position.lots = lots;
  addProfit(account, position, profit);
  keepClosures(account, position, instrument, closed, price, date, at, isSettlement);
  if (paidInFull(instrument, position.product)) {
    account.invested += invested;
    store.post(
      account,
      quantity > 0 ? 'PURCHASE' : 'SALE',
      -contractValue(instrument, price, quantity),
      position.refId,
      text,
      at,
    );
  } else {
    store.post(account, 'REALISED', profit, position.refId, text, at);
  }
}

/**
 * A delivery sale takes what was bought today on its exchange first, then what is held, wherever it was bought: settled
 * shares that are not pledged, then unsettled ones.
 */
function sellDelivery(
  store: AccountStore,
  account: AccountState,
  position: PositionState,
  instrument: Instrument,
  trade: Trade,
  date: string,
  text: string,
): void {
  const holding = store.holding(account, trade.refId);
  const worth = (): number => valueOf(instrument, [...position.lots, ...holding.settled, ...holding.t1]);
  const before = worth();
  const fromToday = closeLots(position.lots, -trade.quantity);
  const free = quantityOf(holding.settled) - holding.pledged;
  const requested = -fromToday.left;
  const fromSettled = closeLots(holding.settled, -Math.min(requested, free));
  const fromUnsettled = closeLots(holding.t1, -Math.max(0, requested - free));
  if (fromUnsettled.left !== 0) {
    throw new Error(
      `order ${trade.orderId} sold ${-fromUnsettled.left} shares of ref_id ${trade.refId} that account ${account.id} does not have`,
    );
  }
  position.lots = fromToday.lots;
  holding.settled = fromSettled.lots;
  holding.t1 = fromUnsettled.lots;
  if (quantityOf(holding.settled) + quantityOf(holding.t1) === 0) account.holdings.delete(holding.refId);
  const closed = [...fromToday.closed, ...fromSettled.closed, ...fromUnsettled.closed];
  addProfit(account, position, profitOf(instrument, closed, trade.price));
  keepClosures(account, position, instrument, closed, trade.price, date, millisOf(trade.at));
  account.invested += worth() - before;
  store.post(
    account,
    'SALE',
    contractValue(instrument, trade.price, trade.quantity),
    trade.refId,
    text,
    millisOf(trade.at),
  );
}

/**
 * Charges follow the order's whole traded value, so that many small fills cost what one large fill costs.
 * @param netted the position whose other trades of the day make its taxes less
 */
function charge(
  store: AccountStore,
  account: AccountState,
  trade: Trade,
  product: Product,
  instrument: Instrument,
  date: string,
  at: number,
  netted: PositionState | undefined,
): void {
  const before = account.charged.get(trade.orderId) ?? { value: 0, parts: NO_CHARGES };
  const value = before.value + contractValue(instrument, trade.price, trade.quantity);
  const parts = chargesOf(instrument, product, trade.side, value, date, store.tariff);
  account.charged.set(trade.orderId, { value, parts });
  const charges = chargesAdded(parts, before.parts);
  if (netted !== undefined && store.tariff.statutory) {
    netted.taxes = { stt: netted.taxes.stt + charges.stt, stamp: netted.taxes.stamp + charges.stamp };
    const relief = nettingRelief(instrument, netted, date);
    charges.stt -= relief.stt - netted.relief.stt;
    charges.stamp -= relief.stamp - netted.relief.stamp;
    netted.relief = relief;
  }
  charges.stt = roundedTax(account, instrument, charges.stt);
  if (store.tariff.statutory)
    charges.gst = roundedServiceTax(account, charges.brokerage + charges.exchange + charges.sebi, date);
  account.trades.push({ trade, date, charges });
  payCharges(store, account, totalCharges(charges), trade.refId, `Charges of order ${trade.orderId}`, at);
}

/** Takes charges (paise) out of the cash. */
export function payCharges(
  store: AccountStore,
  account: AccountState,
  amount: number,
  refId: number,
  text: string,
  at: number,
  kind: ChargeKind = 'CHARGES',
): void {
  account.charges += amount;
  store.post(account, kind, -amount, refId, text, at);
}

function addProfit(account: AccountState, position: PositionState, profit: number): void {
  position.realised += profit;
  account.realised += profit;
}

function profitOf(unit: ContractUnit, closed: readonly ClosedLot[], price: number): number {
  return closed.reduce((sum, { lot, quantity }) => sum + contractValue(unit, price - lot.price, quantity), 0);
}

function keepClosures(
  account: AccountState,
  position: PositionState,
  unit: ContractUnit,
  closed: readonly ClosedLot[],
  price: number,
  date: string,
  at: number,
  isSettlement = false,
): void {
  for (const { lot, quantity } of closed)
    account.closures.push({
      ...closure(position, unit, lot, quantity, price, date, at),
      ...(isSettlement && { settled: quantity > 0 ? 'SELL' : 'BUY' }),
    });
}

function closure(
  position: PositionState,
  unit: ContractUnit,
  lot: HoldingLot,
  quantity: number,
  price: number,
  date: string,
  at: number,
): MatchedTrade {
  const size = Math.abs(quantity);
  const long = quantity > 0;
  return {
    refId: position.refId,
    product: position.product,
    buyDate: long ? lot.date : date,
    sellDate: long ? date : lot.date,
    quantity: size,
    buyValue: contractValue(unit, long ? lot.price : price, size),
    sellValue: contractValue(unit, long ? price : lot.price, size),
    at,
  };
}
