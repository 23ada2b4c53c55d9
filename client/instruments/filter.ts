import { InputError } from '../base/errors';
import type { InstrumentKind, Instrument } from './instrument';
import { showValue } from '../values/input';
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
  /** Capitals. */
  series?: string;
  /** Capitals, without blanks. */
  isin?: string;
}

const MAX_SERIES_SHOWN = 40;

/**
 * Makes sure that an exchange has what the filters name: one that it does not know would choose nothing, and look as if there were nothing.
 * @throws InputError (parameters `underlying`, `series`)
 */
export function requireKnown(store: InstrumentStore, { underlying, series }: InstrumentFilters): void {
  if (underlying !== undefined && store.findRoot(underlyingSymbol(store, underlying)) < 0)
    throw new InputError(`${store.exchange} has no instrument with the symbol ${showValue(underlying)}.`, {
      parameter: 'underlying',
      hint: 'Enter a symbol such as NIFTY or RELIANCE, and choose the exchange on which it is traded.',
    });
  const seriesNames = store.seriesNames();
  if (series !== undefined && !seriesNames.includes(series))
    throw new InputError(`${store.exchange} has no series ${showValue(series)}.`, {
      parameter: 'series',
      hint: `It has: ${seriesNames.slice(0, MAX_SERIES_SHOWN).join(', ')}.`,
    });
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
  const { series, isin } = filters;
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
