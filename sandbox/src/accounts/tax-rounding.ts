/** Transaction taxes to the rupee, as the law has them. */
import type { Instrument } from '../market/reference/types';
import { mulDiv } from '../shared/money';
import { isDerivative } from './span';
import type { AccountState } from './state';

const RUPEE = 100;

/**
 * Returns the further transaction tax that is charged, paise: whole rupees. The law rounds the tax of a client, a day and a market segment
 * to the rupee, so each trade is charged by how much it moves that sum.
 * @param exact of the trade or the exercise, paise; below 0 where a later trade makes earlier ones cheaper
 */
export function roundedTax(account: AccountState, instrument: Instrument, exact: number): number {
  const segment = `${instrument.exchange} ${isDerivative(instrument) ? 'derivatives' : 'cash'}`;
  const before = account.taxes.get(segment) ?? 0;
  account.taxes.set(segment, before + exact);
  return toRupee(before + exact) - toRupee(before);
}

function toRupee(paise: number): number {
  return mulDiv(paise, 1, RUPEE) * RUPEE;
}
