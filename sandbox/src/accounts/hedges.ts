/**
 * Margin that open orders would bring by closing what hedges other positions. A bought option or a future lowers the margin of what
 * was sold against it, so an order that closes it needs the difference, though it opens nothing.
 */
import { contractValue } from '../market/reference/contract-value';
import type { Instrument } from '../market/reference/types';
import type { Side } from '../shared/orders';
import type { AccountStore } from './account-store';
import { quantityOf } from './lots';
import { derivativeMargin, type SpanExposure, isDerivative, paidInFull } from './span';
import type { AccountState, HeldOrder } from './state';

/** Number of positions with orders for which each combination is tried. */
const MAX_COMBINED = 5;

/** Returns the open orders of a position's key by side, oldest first; undefined where there are none. */
type OrdersOf = (key: string) => Record<Side, ReadonlyMap<bigint, { held: HeldOrder }>> | undefined;

/** A part of a position that an open order closes. */
interface Closing {
  key: string;
  instrument: Instrument;
  /** Signed change of the position. */
  change: number;
  /** Cash that it brings, paise; 0 for what is not paid in full. */
  proceeds: number;
  /** True if it trades at once or not at all. */
  atMarket: boolean;
}

/**
 * Returns the margin that an account would need beyond that of its positions if its closing orders traded, less what they would bring,
 * paise. Contracts of one underlying hedge each other, so that each underlying counts by itself: what an order of another one would free
 * may be used before this one trades.
 */
export function hedgeNeed(store: AccountStore, account: AccountState, ordersOf: OrdersOf): number {
  const closings = Map.groupBy(closingsOf(store, account, ordersOf), ({ instrument }) => underlyingOf(instrument));
  let need = 0;
  for (const [underlying, some] of closings) need += needOf(store, openOf(store, account, underlying), some);
  return need;
}

/** The open contracts of an underlying, by the keys of their positions. */
function openOf(store: AccountStore, account: AccountState, underlying: string): ReadonlyMap<string, SpanExposure> {
  const open = new Map<string, SpanExposure>();
  for (const [key, { refId, lots }] of account.positions) {
    const instrument = store.instrument(refId);
    if (lots.length > 0 && isDerivative(instrument) && underlyingOf(instrument) === underlying)
      open.set(key, { instrument, quantity: quantityOf(lots), price: store.lastPrice(instrument) });
  }
  return open;
}

/** Returns the need of one underlying. Orders at market are taken as traded; of the others those whose trades would need the most. */
function needOf(store: AccountStore, open: ReadonlyMap<string, SpanExposure>, closings: readonly Closing[]): number {
  const underlyings = store.underlyings();
  const needed = (traded: readonly Closing[]): number => {
    const left = new Map(open);
    let proceeds = 0;
    for (const { key, change, proceeds: brought } of traded) {
      const exposure = left.get(key)!;
      left.set(key, { ...exposure, quantity: exposure.quantity + change });
      proceeds += brought;
    }
    const { span, exposure } = derivativeMargin([...left.values()], underlyings, store.date);
    return span + exposure - proceeds;
  };
  const certain = closings.filter(({ atMarket }) => atMarket);
  const waiting = Map.groupBy(
    closings.filter(({ atMarket }) => !atMarket),
    ({ key }) => key,
  );
  const now = needed([]);
  const needs = combinationsOf([...waiting.values()]).map((some) => needed([...certain, ...some]) - now);
  return Math.max(0, ...needs);
}

/**
 * Returns what may trade of several positions: each of them whole or not at all, since a margin is the largest at an end of each quantity. Of many
 * positions: none, one, all, and all of one side.
 */
function combinationsOf(parts: readonly (readonly Closing[])[]): Closing[][] {
  if (parts.length <= MAX_COMBINED)
    return Array.from({ length: 2 ** parts.length }, (_, chosen) =>
      parts.filter((_part, at) => (chosen & (2 ** at)) !== 0).flat(),
    );
  const all = parts.flat();
  const sold = all.filter(({ change }) => change < 0);
  const bought = all.filter(({ change }) => change > 0);
  return [[], ...parts.map((part) => [...part]), sold, bought, all];
}

/** The parts of open orders that close derivatives, older orders first. */
function closingsOf(store: AccountStore, account: AccountState, ordersOf: OrdersOf): Closing[] {
  const closings: Closing[] = [];
  for (const [key, { refId, product, lots }] of account.positions) {
    const orders = ordersOf(key);
    if (orders === undefined || lots.length === 0) continue;
    const instrument = store.instrument(refId);
    if (!isDerivative(instrument)) continue;
    const open = quantityOf(lots);
    let closable = Math.abs(open);
    for (const { held } of orders[open > 0 ? 'SELL' : 'BUY'].values()) {
      if (closable === 0) break;
      const size = Math.min(closable, held.order.quantity - held.filled);
      closable -= size;
      closings.push({
        key,
        instrument,
        change: open > 0 ? -size : size,
        proceeds: open > 0 && paidInFull(instrument, product) ? contractValue(instrument, priceOf(held), size) : 0,
        atMarket: held.order.priceType === 'MARKET' && held.order.kind !== 'STOPLOSS',
      });
    }
  }
  return closings;
}

/** Returns what the contracts that may hedge each other have in common. */
function underlyingOf({ exchange, asset }: Instrument): string {
  return `${exchange} ${asset}`;
}

/** Price at which a sale is counted, paise. */
function priceOf({ order, referencePrice }: HeldOrder): number {
  return order.priceType === 'LIMIT' ? order.price : referencePrice;
}
