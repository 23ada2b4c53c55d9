/** The margin calculator (docs/service/orders-v2.md#margin): what orders would need, before anything is sent. */
import { contractValue, isWorthMore } from '../market/reference/contract-value';
import type { NewOrder } from '../shared/orders';
import type { AccountStore } from './account-store';
import { type BuyingPower, openDerivatives, openingRequirement, sellableQuantity } from './buying-power';
import { deliveryMargin } from './physical-delivery';
import { MAX_ORDER_VALUE_PAISE, TOO_LARGE } from './order-checks';
import { derivativeMargin, type SpanExposure, intradayMargin, isDerivative, paidInFull } from './span';
import { rupees } from '../shared/money';
import type { MarginRequired } from './types';
import type { AccountState } from './state';

/**
 * Orders are counted at their limit price, market orders at the last price. With the portfolio, what the account
 * already has counts as a hedge and only the difference is asked for.
 */
export function marginRequired(
  store: AccountStore,
  buyingPower: BuyingPower,
  account: AccountState,
  orders: readonly NewOrder[],
  options: { withPortfolio: boolean },
): MarginRequired {
  const result: MarginRequired = {
    span: 0,
    exposure: 0,
    deliveryMargin: 0,
    totalMargin: 0,
    optionPremium: 0,
    var: 0,
    netSpan: 0,
    marginBenefit: 0,
    legMargin: [],
    maxQuantity: 0,
    code: '',
    message: '',
  };
  const priceOf = (order: NewOrder): number =>
    order.price > 0 ? order.price : store.lastPrice(store.instrument(order.refId));
  const isTooLarge = (order: NewOrder): boolean =>
    isWorthMore(store.instrument(order.refId), priceOf(order), order.quantity, MAX_ORDER_VALUE_PAISE);
  if (orders.some(isTooLarge)) return { ...result, code: 'INSUFFICIENT_MARGIN', message: TOO_LARGE };
  const exposures: SpanExposure[] = [];
  for (const order of orders) {
    const instrument = store.instrument(order.refId);
    const price = priceOf(order);
    const value = contractValue(instrument, price, order.quantity);
    const own = { span: 0, exposure: 0, delivery: 0, premium: 0, var: 0 };
    if (isDerivative(instrument)) {
      const exposure = { instrument, quantity: order.side === 'BUY' ? order.quantity : -order.quantity, price };
      exposures.push(exposure);
      if (paidInFull(instrument, order.product) && order.side === 'BUY') {
        own.premium = value;
        own.var = deliveryMargin(store, instrument, order.quantity, store.underlying(instrument));
      } else {
        Object.assign(own, derivativeMargin([exposure], store.underlying, store.date));
        own.var = deliveryMargin(store, instrument, exposure.quantity, store.underlying(instrument));
      }
    } else if (order.product === 'IDAY') {
      own.var = intradayMargin(value, store.date);
    } else if (order.side === 'BUY') {
      own.delivery = value;
    }
    result.span += own.span;
    result.exposure += own.exposure;
    result.deliveryMargin += own.delivery;
    result.optionPremium += own.premium;
    result.var += own.var;
    result.legMargin.push(own.span + own.exposure + own.delivery + own.premium + own.var);
  }
  const held = options.withPortfolio ? openDerivatives(store, account) : [];
  const before = derivativeMargin(merge(held), store.underlying, store.date);
  const after = derivativeMargin(merge([...held, ...exposures]), store.underlying, store.date);
  result.netSpan = Math.max(0, after.span - before.span);
  if (options.withPortfolio) result.exposure = Math.max(0, after.exposure - before.exposure);
  result.marginBenefit = Math.max(0, result.span - result.netSpan);
  result.totalMargin = result.netSpan + result.exposure + result.deliveryMargin + result.optionPremium + result.var;
  result.maxQuantity = orders[0] ? maxQuantity(store, buyingPower, account, orders[0]) : 0;
  const free = buyingPower.available(account);
  const pledged = spareCollateral(buyingPower, account);
  const inCash = result.deliveryMargin + result.optionPremium;
  if (store.deps.onCredit !== true && free - inCash - Math.max(0, result.totalMargin - inCash - pledged) < 0) {
    result.code = 'INSUFFICIENT_MARGIN';
    result.message = `INSUFFICIENT_MARGIN: needs Rs ${rupees(result.totalMargin)}, available are Rs ${rupees(free)} in cash and Rs ${rupees(pledged)} of pledged margin`;
  }
  return result;
}

/** Margin value of pledged holdings that no order or position uses yet, paise. */
function spareCollateral(buyingPower: BuyingPower, account: AccountState): number {
  return Math.max(
    0,
    buyingPower.collateral(account) - buyingPower.forOrders(account).margin - buyingPower.forPositions(account).margin,
  );
}

/** One exposure for each instrument: a purchase and a sale of the same one cancel out. */
function merge(exposures: readonly SpanExposure[]): SpanExposure[] {
  const merged = new Map<number, SpanExposure>();
  for (const item of exposures) {
    const spanExposure = merged.get(item.instrument.refId);
    merged.set(
      item.instrument.refId,
      spanExposure ? { ...spanExposure, quantity: spanExposure.quantity + item.quantity } : item,
    );
  }
  return [...merged.values()];
}

/** Largest quantity, in whole lots, that the account could place of an order now. */
function maxQuantity(store: AccountStore, buyingPower: BuyingPower, account: AccountState, order: NewOrder): number {
  const instrument = store.instrument(order.refId);
  const lot = Math.max(1, instrument.lotSize);
  if (order.side === 'SELL' && order.product === 'CNC' && !isDerivative(instrument))
    return sellableQuantity(buyingPower, account, order.refId);
  const price = order.price > 0 ? order.price : store.lastPrice(instrument);
  const requirement = openingRequirement(store, instrument, order, lot, price, store.underlying(instrument));
  const free = buyingPower.available(account);
  if (requirement.cash > 0) return Math.max(0, Math.floor(free / requirement.cash)) * lot;
  return requirement.margin > 0
    ? Math.max(0, Math.floor((free + spareCollateral(buyingPower, account)) / requirement.margin)) * lot
    : 0;
}
