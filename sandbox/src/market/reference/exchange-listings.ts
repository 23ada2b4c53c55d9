import type { Instrument, Universe } from './types';

const CASH_EXCHANGES = ['NSE', 'BSE'] as const;

/** The ref_id of an instrument on every exchange that trades it: a share that others list too, by its ISIN; all else alone. */
export function exchangeListings(universe: Pick<Universe, 'bySymbol'>, instrument: Instrument): Record<string, number> {
  const refIds: Record<string, number> = { [instrument.exchange]: instrument.refId };
  if (instrument.derivativeType !== 'STOCK') return refIds;
  for (const exchange of CASH_EXCHANGES) {
    const other = universe.bySymbol(exchange, instrument.symbol);
    if (other !== undefined && other.isin === instrument.isin) refIds[exchange] = other.refId;
  }
  return refIds;
}
