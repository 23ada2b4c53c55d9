/** Entries matched with the exits that closed them, first in first out. Amounts are paise. */
import { contractValue } from '../values/contract-value';
import { isDerivative } from '../instruments/symbol';
import type { MarketPrice } from '../values/market-price';
import type { Fill } from './fills';
import type { Settlement } from './settlements';

/** An entry by one order and its exit by another; an open one is valued at the last price. */
export interface RoundTrip {
  symbol: string;
  product: string;
  side: 'LONG' | 'SHORT';
  quantity: number;
  entryAt: number;
  /** Worth of the entry. */
  entryValue: number;
  /** Undefined while it is open. */
  exitAt: number | undefined;
  exitValue: number;
  costs: number;
  tag: string;
  entryOrderId: string;
  exitOrderId: string;
}

/** Round trips, and what could not be told. */
export interface MatchedTrips {
  trips: RoundTrip[];
  /**
   * Trades outside the result: a sale of shares that were held before, an open trade without a price, a contract of unknown value, or shares
   * whose number a split or a bonus issue has changed.
   */
  notCounted: { symbol: string; quantity: number; why: 'held before' | 'no price' | 'no unit' | 'split or bonus' }[];
}

interface Rest {
  fill: Fill;
  left: number;
  chargesLeft: number;
}

/** The closing order of a trip, or the settlement of an expired contract, which has no order. */
type Exit = Pick<Fill, 'at' | 'orderId' | 'contract'>;

/** Returns true if it can be sold without being held: everything except shares for delivery. */
function canBeShort({ symbol, product }: Fill): boolean {
  return product === 'IDAY' || isDerivative(symbol);
}

/** Takes units off a fill, with their part of its charges: what is left at last gets the remainder. */
function take(rest: Pick<Rest, 'left' | 'chargesLeft'>, quantity: number): number {
  const charges =
    quantity === rest.left ? rest.chargesLeft : Math.floor((rest.chargesLeft * quantity) / Math.max(1, rest.left));
  rest.left -= quantity;
  rest.chargesLeft -= charges;
  return charges;
}

/**
 * @param fills oldest first.
 * @param lastPrice of a symbol; undefined if unknown.
 * @param settlements by symbol, of contracts that expired while they were held.
 */
export function roundTrips(
  fills: readonly Fill[],
  lastPrice: (symbol: string) => MarketPrice | undefined,
  settlements: ReadonlyMap<string, Settlement> = new Map(),
): MatchedTrips {
  const open = new Map<string, Rest[]>();
  const trips = new Map<string, RoundTrip>();
  const notCounted: MatchedTrips['notCounted'] = [];
  const notCountedToo = (symbol: string, quantity: number): void =>
    void notCounted.push({ symbol, quantity, why: 'held before' });
  const add = (entry: Fill, exit: Exit | undefined, quantity: number, price: number, costs: number): void => {
    if (entry.held) return notCountedToo(entry.symbol, quantity);
    const contract = entry.contract ?? exit?.contract;
    if (contract === undefined) return void notCounted.push({ symbol: entry.symbol, quantity, why: 'no unit' });
    const side = entry.quantity > 0 ? 'LONG' : 'SHORT';
    const id = [entry.symbol, entry.product, side, entry.orderId || entry.at, exit?.orderId ?? 'open'].join('|');
    const roundTrip = trips.get(id);
    trips.set(id, {
      symbol: entry.symbol,
      product: entry.product,
      side,
      quantity: (roundTrip?.quantity ?? 0) + quantity,
      entryAt: roundTrip?.entryAt ?? entry.at,
      entryValue: (roundTrip?.entryValue ?? 0) + contractValue(contract, entry.price, quantity),
      exitAt: exit?.at,
      exitValue: (roundTrip?.exitValue ?? 0) + contractValue(contract, price, quantity),
      costs: (roundTrip?.costs ?? 0) + costs,
      tag: entry.tag,
      entryOrderId: entry.orderId,
      exitOrderId: exit?.orderId ?? '',
    });
  };
  for (const fill of fills) {
    const key = `${fill.symbol} ${fill.product}`;
    const lots = open.get(key) ?? [];
    open.set(key, lots);
    const rest: Rest = { fill, left: Math.abs(fill.quantity), chargesLeft: fill.charges ?? 0 };
    for (let lot = lots[0]; rest.left > 0 && lot && lot.fill.quantity * fill.quantity < 0; lot = lots[0]) {
      const quantity = Math.min(rest.left, lot.left);
      add(lot.fill, fill, quantity, fill.price, take(lot, quantity) + take(rest, quantity));
      if (lot.left === 0) lots.shift();
    }
    if (rest.left === 0) continue;
    if (fill.quantity < 0 && !canBeShort(fill)) notCountedToo(fill.symbol, rest.left);
    else lots.push(rest);
  }
  const lots = [...open.values()].flat();
  const settling = new Map<string, Pick<Rest, 'left' | 'chargesLeft'>>();
  for (const { fill, left } of lots) {
    const charges = settlements.get(fill.symbol)?.charges ?? 0;
    settling.set(fill.symbol, { left: (settling.get(fill.symbol)?.left ?? 0) + left, chargesLeft: charges });
  }
  for (const lot of lots) {
    const { left } = lot;
    const settlement = settlements.get(lot.fill.symbol);
    if (settlement !== undefined) {
      const exit = { at: settlement.at, orderId: '', contract: undefined };
      const charges = take(settling.get(lot.fill.symbol)!, left);
      add(lot.fill, exit, left, settlement.price, take(lot, left) + charges);
      continue;
    }
    const price = lastPrice(lot.fill.symbol);
    if (price === undefined && lot.fill.held !== true)
      notCounted.push({ symbol: lot.fill.symbol, quantity: left, why: 'no price' });
    else if (price !== undefined && lot.fill.held !== true) add(lot.fill, undefined, left, price, take(lot, left));
  }
  return { trips: [...trips.values()].sort((a, b) => a.entryAt - b.entryAt), notCounted };
}

/** Profit before costs, paise. */
export function grossOf({ side, entryValue, exitValue }: RoundTrip): number {
  return side === 'LONG' ? exitValue - entryValue : entryValue - exitValue;
}
