/** Taxes that are rounded for a day, not for each trade: transaction taxes to the rupee, service tax to the paisa. */
import type { Instrument } from '../market/reference/types';
import { mulDiv } from '../shared/money';
import { serviceTax } from './charges';
import { isDerivative } from './span';
import type { AccountState } from './state';

const RUPEE = 100;
/** Key of what is liable to service tax among the sums of a day. */
const SERVICES = 'services';

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

/**
 * Returns the further service tax (GST) that is charged, paise, so that the tax of a day is its rate on all that the day's note charges for
 * services, rounded once.
 * @param services further brokerage, exchange charge and SEBI fee, paise
 */
export function roundedServiceTax(account: AccountState, services: number, date: string): number {
  const before = account.taxes.get(SERVICES) ?? 0;
  account.taxes.set(SERVICES, before + services);
  return serviceTax(before + services, date) - serviceTax(before, date);
}

function toRupee(paise: number): number {
  return mulDiv(paise, 1, RUPEE) * RUPEE;
}
