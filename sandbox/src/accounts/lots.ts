/** Lots: purchases (or short sales, negative) that are still open, oldest first. Profit is taken first in, first out. */
import { type ContractUnit, contractValue } from '../market/reference/contract-value';
import { priceSum } from '../shared/money';
import type { HoldingLot } from './state';

/** A part of a lot that a trade closed. */
export interface ClosedLot {
  lot: HoldingLot;
  /** Signed like the lot. */
  quantity: number;
}

/**
 * AccountStore a signed quantity at a price against the lots: what is opposite closes them, the rest opens a new one.
 */
export function bookLots(
  lots: HoldingLot[],
  quantity: number,
  price: number,
  date: string,
): { lots: HoldingLot[]; closed: ClosedLot[]; opened: number } {
  const { lots: keptLots, closed, left } = closeLots(lots, quantity);
  if (left === 0) return { lots: keptLots, closed, opened: 0 };
  const last = keptLots.at(-1);
  if (last && last.price === price && last.date === date) {
    return { lots: [...keptLots.slice(0, -1), { ...last, quantity: last.quantity + left }], closed, opened: left };
  }
  return { lots: [...keptLots, { date, quantity: left, price }], closed, opened: left };
}

/** Closes lots with an opposite signed quantity; `left` is what found nothing to close. */
export function closeLots(
  lots: readonly HoldingLot[],
  quantity: number,
): { lots: HoldingLot[]; closed: ClosedLot[]; left: number } {
  let left = quantity;
  const keptLots: HoldingLot[] = [];
  const closed: ClosedLot[] = [];
  for (const lot of lots) {
    if (left === 0 || Math.sign(lot.quantity) === Math.sign(left)) {
      keptLots.push(lot);
      continue;
    }
    const size = Math.min(Math.abs(lot.quantity), Math.abs(left)) * Math.sign(lot.quantity);
    closed.push({ lot, quantity: size });
    left += size;
    if (size !== lot.quantity) keptLots.push({ ...lot, quantity: lot.quantity - size });
  }
  return { lots: keptLots, closed, left };
}

/**
 * The same cost over another quantity (whole, above 0, of the same sign): one, or two that differ by a paisa a share, so that
 * quantity × price stays the same to the paisa.
 */
export function rescaleLot<T extends { quantity: number; price: number }>(lot: T, quantity: number): T[] {
  const value = priceSum(lot.price, lot.quantity);
  const price = Math.floor(value / quantity);
  const dearer = Math.sign(quantity) * Math.abs(value - priceSum(price, quantity));
  const parts = [
    { ...lot, quantity: quantity - dearer, price },
    { ...lot, quantity: dearer, price: price + 1 },
  ];
  return parts.filter((part) => part.quantity !== 0);
}

/** Signed sum of quantities. */
export function quantityOf(lots: readonly HoldingLot[]): number {
  return lots.reduce((sum, lot) => sum + lot.quantity, 0);
}

/** Returns the cost of lots of an instrument together, signed, paise. */
export function valueOf(unit: ContractUnit, lots: readonly HoldingLot[]): number {
  return lots.reduce((sum, lot) => sum + contractValue(unit, lot.price, lot.quantity), 0);
}
