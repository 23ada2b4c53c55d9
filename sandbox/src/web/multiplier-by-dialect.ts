import type { Instrument } from '../market/reference/types';
import type { ServiceDialect } from '../simulation/dialect';

/**
 * Returns the fields of records on the worth of a commodity's contract, which its lot does not tell; undefined for what is counted in its
 * units, and in the dialect of the live service, which tells it nowhere.
 */
export function multiplierByDialect(
  { qty_multiplier: variant }: Pick<ServiceDialect, 'qty_multiplier'>,
  { exchange, lotMultiplier }: Instrument,
): number | undefined {
  return variant === 'told' && exchange === 'MCX' ? lotMultiplier : undefined;
}
