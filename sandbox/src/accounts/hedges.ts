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
 * paise. Orders at market are taken as traded; of the others those that close bought options, and futures of one side or of the other.
 */
export function hedgeNeed(store: AccountStore, account: AccountState, ordersOf: OrdersOf): number {
  const closings = closingsOf(store, account, ordersOf);
  if (closings.length === 0) return 0;
  // What is on other underlyings needs the same before and after.
  const touched = new Set(closings.map(({ instrument }) => underlyingOf(instrument)));
  const open = new Map<string, SpanExposure>();
  for (const [key, { refId, lots }] of account.positions) {
    const instrument = store.instrument(refId);
    if (lots.length > 0 && isDerivative(instrument) && touched.has(underlyingOf(instrument)))
      open.set(key, { instrument, quantity: quantityOf(lots), price: store.lastPrice(instrument) });
  }
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
  const isFuture = ({ instrument }: Closing): boolean => instrument.derivativeType === 'FUT';
  const certain = closings.filter((closing) => closing.atMarket || (!isFuture(closing) && closing.change < 0));
  const futures = closings.filter((closing) => !closing.atMarket && isFuture(closing));
  const bySide = [-1, 1].map((side) => futures.filter(({ change }) => Math.sign(change) === side));
  const traded = futures.length === 0 ? [certain] : [certain, ...bySide.map((some) => [...certain, ...some])];
  const now = needed([]);
  return Math.max(0, ...traded.map((some) => needed(some) - now));
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
