/**
 * Worth of a contract. The one place where a price meets a quantity: a rupee of price is worth `lotMultiplier` rupees on one lot, which is
 * not the lot's quantity where the exchange quotes in another unit than it trades in (a lot of GOLD is 1 kg, and its price is that of 10
 * g). Lint keeps every other product of a price and a quantity out of the sandbox.
 */
import { mulDiv, priceSum } from '../../shared/money';
import type { Instrument } from './types';

/** Fields of an instrument that tell its worth. */
export type ContractUnit = Pick<Instrument, 'lotSize' | 'lotMultiplier'>;

/** The unit of what is counted in pieces: shares. */
export const PER_SHARE: ContractUnit = { lotSize: 1, lotMultiplier: 1 };

/** Money (paise) of a sum of price × quantity. Exact, as all quantities are whole lots. */
export function moneyOf({ lotSize, lotMultiplier }: ContractUnit, sum: number): number {
  return lotSize === lotMultiplier ? sum : (sum / lotSize) * lotMultiplier;
}

/** Value (paise) of a quantity at a price, or of a change of price; signed as the two are. */
export function contractValue(unit: ContractUnit, price: number, quantity: number): number {
  return moneyOf(unit, priceSum(price, quantity));
}

/** True if a quantity at a price is worth more than a limit (paise); told for any numbers, also where the worth itself is no exact integer. */
export function isWorthMore(
  { lotSize, lotMultiplier }: ContractUnit,
  price: number,
  quantity: number,
  limit: number,
): boolean {
  return price * quantity * Math.max(1, lotMultiplier / lotSize) > limit;
}

/** Average price of a value over a quantity, paise, rounded; 0 for no quantity. */
export function averagePrice({ lotSize, lotMultiplier }: ContractUnit, value: number, quantity: number): number {
  return quantity === 0 ? 0 : mulDiv(value, lotSize, quantity * lotMultiplier);
}
