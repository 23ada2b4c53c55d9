import type { InstrumentKind, Instrument } from './instrument';
import { dateToNumber } from '../values/time';
import type { InstrumentStore } from './store';
import { underlyingSymbol } from './underlying';

/** Filters for instruments; a filter that is left out accepts all. */
export interface InstrumentFilters {
  underlying?: string;
  kinds?: readonly InstrumentKind[];
  optionType?: 'CE' | 'PE';
  /** YYYY-MM-DD, both inclusive. */
  expiryFrom?: string;
  expiryTo?: string;
  /** Paise, both inclusive. */
  strikeFrom?: number;
  strikeTo?: number;
  series?: string;
  isin?: string;
}

/** Yields the instruments that match every filter, in the order of the master; never an expired one. */
export function* filterInstruments(
  store: InstrumentStore,
  filters: InstrumentFilters,
  today: string,
): Generator<Instrument> {
  const from = dateToNumber(
    filters.expiryFrom === undefined || filters.expiryFrom < today ? today : filters.expiryFrom,
  );
  const to = filters.expiryTo === undefined ? Infinity : dateToNumber(filters.expiryTo);
  const byExpiry = filters.expiryFrom !== undefined || filters.expiryTo !== undefined;
  const series = filters.series?.trim().toUpperCase();
  const isin = filters.isin?.trim().toUpperCase();
  const kinds = filters.kinds === undefined || filters.kinds.length === 0 ? undefined : new Set(filters.kinds);
  for (const row of candidateRows(store, filters.underlying)) {
    const expiry = store.expiry(row);
    if (expiry === 0 ? byExpiry : expiry < from || expiry > to) continue;
    if (kinds !== undefined && !kinds.has(store.kind(row))) continue;
    if (filters.optionType !== undefined && store.optionType(row) !== filters.optionType) continue;
    if (filters.strikeFrom !== undefined && (store.kind(row) !== 'OPT' || store.strike(row) < filters.strikeFrom))
      continue;
    if (filters.strikeTo !== undefined && (store.kind(row) !== 'OPT' || store.strike(row) > filters.strikeTo)) continue;
    if (series !== undefined && store.series(row).toUpperCase() !== series) continue;
    if (isin !== undefined && store.isin(row) !== isin) continue;
    yield store.instrument(row);
  }
}

export function candidateRows(store: InstrumentStore, underlying: string | undefined): Iterable<number> {
  if (underlying === undefined) return everyRow(store.size);
  const root = store.findRoot(underlyingSymbol(store, underlying));
  return root < 0 ? [] : store.rowsOfRoot(root);
}

export function* everyRow(size: number): Generator<number> {
  for (let row = 0; row < size; row++) yield row;
}
