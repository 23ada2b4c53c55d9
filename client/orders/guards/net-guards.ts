/** Guards of a basket as a whole: its net prices, beside the guards of each leg. */
import { contractValue, isKnownContract } from '../../values/contract-value';
import { showMoney, type MoneyUnit } from '../../values/money';
import type { Guards } from '../model/guard-settings';
import type { TradedInstrument } from '../model/order-terms';
import { adverseDistance, type NetTerms } from '../model/reachable-prices';
import { CHANGE_GUARD, guardError } from './guard-refusal';

/**
 * Checks the net prices of a basket: their value against the limits of value, and their distance from the net of the last prices, in
 * percent of the legs' prices together (a net price near 0 has no useful percentage).
 * @returns the value of the basket at these prices, paise
 * @throws InputError that names the guard
 */
export async function checkNet(
  { units, prices, legs }: NetTerms,
  guards: Guards,
  unit: MoneyUnit,
  lastOf: (instrument: TradedInstrument) => Promise<number>,
): Promise<number> {
  const contract = legs.map(({ instrument }) => instrument).find(isKnownContract);
  // Where a limit counts and the contract has no value, the legs have been refused before.
  const worst =
    contract === undefined
      ? 0
      : Math.max(0, ...prices.map(({ price }) => contractValue(contract, Math.abs(price), units)));
  const { maxOrderValue, maxPriceDistance } = guards;
  if (maxOrderValue !== undefined && worst > maxOrderValue)
    throw guardError(
      'maxOrderValue',
      `the basket is worth ${showMoney(unit, worst)} by its net prices, above ${showMoney(unit, maxOrderValue)}.`,
      CHANGE_GUARD,
    );
  if (maxPriceDistance === undefined || prices.length === 0) return worst;
  const lasts = await Promise.all(legs.map(async ({ instrument }) => await lastOf(instrument)));
  const net = legs.reduce((sum, leg, index) => sum + leg.units * lasts[index]!, 0);
  const gross = legs.reduce((sum, leg, index) => sum + Math.abs(leg.units) * lasts[index]!, 0);
  for (const reachable of prices) {
    if (adverseDistance(reachable, net) * 10_000 <= maxPriceDistance * gross) continue;
    throw guardError(
      'maxPriceDistance',
      `${reachable.name} ${showMoney(unit, reachable.price)} is further from the legs' net price ${showMoney(unit, net)} than ${maxPriceDistance / 100} % of their prices together (${showMoney(unit, gross)}).`,
      CHANGE_GUARD,
    );
  }
  return worst;
}
