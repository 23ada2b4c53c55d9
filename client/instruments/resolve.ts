/** From what a person gave to the one instrument that is meant, or an error; never a guess. */
import { InputError } from '../base/errors';
import { plainText } from '../values/input';
import { dateToNumber } from '../values/time';
import { parseContract } from './contract';
import { rowsOfContract } from './expiries';
import { labelOf, type Instrument, type Kind } from './instrument';
import { search } from './search';
import type { InstrumentStore } from './store';

/** What a lookup needs beside the instruments. */
export interface ResolveOptions {
  /** Today in India, YYYY-MM-DD. */
  today: string;
  /** The node parameter that an error names. */
  parameter?: string;
}

/** Series of ordinary shares, in which a bare symbol is meant. */
const ORDINARY_SERIES = new Set(['EQ', 'A', 'B', 'X', 'XT', 'T', 'M', 'MT']);

/**
 * The instrument that a symbol, platform name, ISIN or written contract stands for, in one of the exchanges. A symbol
 * that is in several exchanges is that of the first; one that is in several series is the ordinary share.
 * @throws InputError when there is none (with the nearest ones), it has expired, or several are meant.
 */
export function resolveText(
  stores: readonly InstrumentStore[],
  text: string,
  { today, parameter = 'instrument' }: ResolveOptions,
): Instrument {
  const requested = plainText(text, parameter, { label: 'Instrument', longest: 100 }).toUpperCase();
  let expired: Instrument | undefined;
  let failure: InputError | undefined;
  for (const store of stores) {
    const rows = exactRows(store, requested);
    const alive = rows.filter((row) => isAlive(store, row, today));
    if (alive.length > 0) return only(store, alive, requested, parameter);
    if (rows[0] !== undefined) expired ??= store.instrument(rows[0]);
    const contract = parseContract(requested);
    if (contract === undefined) continue;
    try {
      return only(store, rowsOfContract(store, contract, today, parameter), requested, parameter);
    } catch (error) {
      // Another exchange may have the contract; the first one that knows the underlying explains best.
      failure = store.findRoot(contract.underlying) >= 0 ? (failure ?? inputErrorOnly(error)) : failure;
    }
  }
  if (failure !== undefined) throw failure;
  if (expired !== undefined) {
    throw new InputError(`${requested} expired on ${expired.expiry}.`, {
      parameter,
      hint: 'Choose a contract that has not expired.',
    });
  }
  throw unknown(stores, requested, today, parameter);
}

function inputErrorOnly(error: unknown): InputError {
  if (error instanceof InputError) return error;
  throw error;
}

function exactRows(store: InstrumentStore, requested: string): number[] {
  const bySymbol = store.rowsOfSymbol(requested);
  if (bySymbol.length > 0) return bySymbol;
  if (/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(requested)) return store.rowsOfIsin(requested);
  const inPlatName = /^(STOCK|INDEX|ETF)_(.+?)(?:\.[A-Z]+)?$/.exec(requested);
  if (inPlatName !== null) return store.rowsOfSymbol(inPlatName[2]!);
  // The symbol of a share that the master names otherwise: its underlying is its symbol.
  const root = store.findRoot(requested);
  return root < 0 ? [] : Array.from(store.rowsOfRoot(root)).filter((row) => store.expiry(row) === 0);
}

function isAlive(store: InstrumentStore, row: number, today: string): boolean {
  const expiry = store.expiry(row);
  return expiry === 0 || expiry >= dateToNumber(today);
}

function only(store: InstrumentStore, rows: readonly number[], requested: string, parameter: string): Instrument {
  if (rows.length === 1) return store.instrument(rows[0]!);
  const ordinary = rows.filter((row) => store.expiry(row) === 0 && ORDINARY_SERIES.has(store.series(row)));
  if (ordinary.length === 1) return store.instrument(ordinary[0]!);
  const choices = rows
    .slice(0, 6)
    .map((row) => `${labelOf(store.instrument(row))} (ref_id ${store.instrument(row).refId})`);
  throw new InputError(`${requested} can mean ${rows.length} instruments.`, {
    parameter,
    hint: `Give the ref_id or the full contract of one: ${choices.join('; ')}.`,
  });
}

function unknown(stores: readonly InstrumentStore[], requested: string, today: string, parameter: string): InputError {
  const near = search(stores, requested, { today, limit: 3 });
  const nearer =
    near.length > 0
      ? near
      : search(stores, requested.slice(0, Math.max(2, Math.ceil(requested.length / 2))), { today, limit: 3 });
  const names = nearer.map(({ store, row }) => labelOf(store.instrument(row)));
  return new InputError(
    `There is no instrument ${JSON.stringify(requested)} on ${stores.map((store) => store.exchange).join(', ')} today.`,
    {
      parameter,
      hint:
        names.length > 0
          ? `Did you mean: ${names.join('; ')}?`
          : 'Search for it with "Instrument: Search", or give a symbol such as INFY or a contract such as NIFTY 26NOV 24500 CE.',
    },
  );
}

/** The instrument with a ref_id, and the exchange's store that has it. @throws InputError when there is none, or it has expired. */
export function resolveRefId(
  stores: readonly InstrumentStore[],
  refId: number,
  { today, parameter = 'instrument' }: ResolveOptions,
): Instrument {
  for (const store of stores) {
    const row = store.rowOfRefId(refId);
    if (row < 0) continue;
    const instrument = store.instrument(row);
    if (isAlive(store, row, today)) return instrument;
    throw new InputError(
      `The instrument with ref_id ${refId} (${instrument.symbol}) expired on ${instrument.expiry}.`,
      {
        parameter,
        hint: 'Choose a contract that has not expired.',
      },
    );
  }
  throw new InputError(
    `There is no instrument with ref_id ${refId} on ${stores.map((store) => store.exchange).join(', ')} today.`,
    {
      parameter,
      hint: 'ref_ids differ between environments and can change from day to day: pick the instrument again in this environment.',
    },
  );
}

/** An instrument as it was picked earlier: its ref_id counts only in its environment. */
export interface Remembered {
  environment: string;
  exchange: string;
  refId: number;
  symbol: string;
}

/**
 * The instrument that was picked earlier, when it is still the same one.
 * @param environment the environment of the credential now.
 * @throws InputError when it was picked in another environment, or its ref_id belongs to another instrument by now.
 */
export function resolveRemembered(
  stores: readonly InstrumentStore[],
  remembered: Remembered,
  environment: string,
  options: ResolveOptions,
): Instrument {
  const { parameter = 'instrument' } = options;
  if (remembered.environment !== environment) {
    throw new InputError(
      `${remembered.symbol} was picked in the environment ${remembered.environment}, but the credential is for ${environment}.`,
      {
        parameter,
        hint: 'ref_ids differ between environments: pick the instrument again with this credential, or give its symbol instead.',
      },
    );
  }
  const instrument = resolveRefId(
    stores.filter((store) => store.exchange === remembered.exchange),
    remembered.refId,
    options,
  );
  if (instrument.symbol === remembered.symbol) return instrument;
  throw new InputError(
    `ref_id ${remembered.refId} was ${remembered.symbol} when it was picked, and is ${instrument.symbol} today.`,
    {
      parameter,
      hint: 'Pick the instrument again.',
    },
  );
}

/** What instruments must be; what is left out is not looked at. */
export interface Filters {
  underlying?: string;
  kinds?: readonly Kind[];
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

/** Instruments that fit all filters, in the order of the master; expired ones never. */
export function* filterInstruments(store: InstrumentStore, filters: Filters, today: string): Generator<Instrument> {
  const from = dateToNumber(
    filters.expiryFrom === undefined || filters.expiryFrom < today ? today : filters.expiryFrom,
  );
  const to = filters.expiryTo === undefined ? Infinity : dateToNumber(filters.expiryTo);
  const byExpiry = filters.expiryFrom !== undefined || filters.expiryTo !== undefined;
  const series = filters.series?.trim().toUpperCase();
  const isin = filters.isin?.trim().toUpperCase();
  const kinds = filters.kinds === undefined || filters.kinds.length === 0 ? undefined : new Set(filters.kinds);
  for (const row of rowsToLookAt(store, filters.underlying)) {
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

function rowsToLookAt(store: InstrumentStore, underlying: string | undefined): Iterable<number> {
  if (underlying === undefined) return everyRow(store.size);
  const root = store.findRoot(underlying.trim().toUpperCase());
  return root < 0 ? [] : store.rowsOfRoot(root);
}

function* everyRow(size: number): Generator<number> {
  for (let row = 0; row < size; row++) yield row;
}
