/** Expiries of an underlying, and options by their distance from the money. */
import { InputError } from '../base/errors';
import type { KnownPrice } from '../values/market-price';
import { dateToNumber, numberToDate, showDate } from '../values/time';
import type { Contract, ExpiryReading } from './contract';
import type { Instrument, Kind } from './instrument';
import type { InstrumentStore } from './store';

/** The rows of the derivatives of an underlying that have not expired on a date (YYYY-MM-DD), by expiry, strike, CE before PE. */
export function derivativeRows(store: InstrumentStore, underlying: string, kind: Kind, today: string): number[] {
  const root = store.findRoot(underlying.trim().toUpperCase());
  if (root < 0) return [];
  const from = dateToNumber(today);
  return Array.from(store.rowsOfRoot(root)).filter((row) => store.kind(row) === kind && store.expiry(row) >= from);
}

function expiriesOf(store: InstrumentStore, rows: readonly number[]): number[] {
  return [...new Set(rows.map((row) => store.expiry(row)))].sort((a, b) => a - b);
}

/** The last of the expiries (ascending) in each month. */
function monthly(expiries: readonly number[]): number[] {
  return expiries.filter((expiry, at) => Math.trunc((expiries[at + 1] ?? 0) / 100) !== Math.trunc(expiry / 100));
}

/** A day on which derivatives of an underlying expire. */
export interface Expiry {
  /** YYYY-MM-DD. */
  date: string;
  /** Whether it is the last one of its month. */
  monthly: boolean;
  options: boolean;
  futures: boolean;
}

/**
 * The expiries of an underlying from a date (YYYY-MM-DD) on.
 * @throws InputError when it has none: it has no derivatives on this exchange.
 */
export function listExpiries(
  store: InstrumentStore,
  underlying: string,
  today: string,
  parameter = 'underlying',
): Expiry[] {
  const options = new Set(expiriesOf(store, derivativeRows(store, underlying, 'OPT', today)));
  const futures = new Set(expiriesOf(store, derivativeRows(store, underlying, 'FUT', today)));
  const all = [...new Set([...options, ...futures])].sort((a, b) => a - b);
  if (all.length === 0) throw noDerivatives(store, underlying, parameter);
  const monthlies = new Set(monthly(all));
  return all.map((expiry) => ({
    date: numberToDate(expiry) ?? String(expiry),
    monthly: monthlies.has(expiry),
    options: options.has(expiry),
    futures: futures.has(expiry),
  }));
}

function noDerivatives(store: InstrumentStore, underlying: string, parameter: string): InputError {
  return new InputError(
    `${store.exchange} has no derivatives of ${JSON.stringify(underlying)} that have not expired.`,
    {
      parameter,
      hint: 'Enter the symbol of the underlying, such as NIFTY or RELIANCE, and choose the exchange on which its derivatives trade.',
    },
  );
}

/** The expiry that is meant: the first, the second, the last of the first one's month, or a date (YYYY-MM-DD). */
export type ExpiryChoice = 'nearest' | 'next' | 'monthly' | { date: string };

/** @throws InputError when there is no such expiry; it names those that there are. */
function chooseExpiry(expiries: readonly number[], choice: ExpiryChoice, underlying: string): number {
  const chosen =
    choice === 'nearest'
      ? expiries[0]
      : choice === 'next'
        ? expiries[1]
        : choice === 'monthly'
          ? monthly(expiries)[0]
          : expiries.find((expiry) => expiry === dateToNumber(choice.date));
  if (chosen !== undefined) return chosen;
  throw new InputError(
    `${underlying} has no options that expire ${typeof choice === 'object' ? `on ${showDate(choice.date)}` : `as ${choice}`}.`,
    {
      parameter: typeof choice === 'object' ? 'expiryDate' : 'expiry',
      hint: `Its expiries are ${showExpiries(expiries)}.`,
    },
  );
}

/** Expiries (YYYYMMDD) as an error names them: the first few. */
function showExpiries(expiries: readonly number[]): string {
  const shown = expiries.slice(0, 8).map((expiry) => showDate(numberToDate(expiry) ?? ''));
  return `${shown.join(', ')}${expiries.length > shown.length ? ' and later ones' : ''}`;
}

/** An option that is told by its distance from the money. */
export interface OptionByOffset {
  /** Symbol of the underlying. */
  underlying: string;
  expiry: ExpiryChoice;
  optionType: 'CE' | 'PE';
  /** Strikes away from the money: 0 at it, positive out of it, negative in it. */
  offset: number;
  /** Price of the underlying. */
  spot: KnownPrice;
}

/**
 * The option that stands so many strikes from the money. At the money is the strike nearest to the price of the
 * underlying; between two, the lower one. Out of the money is above it for a call, below it for a put.
 * @throws InputError when the underlying, the expiry or the strike does not exist.
 */
export function optionByOffset(store: InstrumentStore, requested: OptionByOffset, today: string): Instrument {
  const underlying = requested.underlying.trim().toUpperCase();
  const rows = derivativeRows(store, underlying, 'OPT', today);
  if (rows.length === 0) throw noDerivatives(store, requested.underlying, 'underlying');
  const expiry = chooseExpiry(expiriesOf(store, rows), requested.expiry, underlying);
  const chain = rows.filter((row) => store.expiry(row) === expiry && store.optionType(row) === requested.optionType);
  const distance = (row: number) => Math.abs(store.strike(row) - requested.spot);
  const atTheMoney = chain.reduce(
    (best, row, at) => (at === 0 || distance(row) < distance(chain[best]!) ? at : best),
    0,
  );
  const row = chain[atTheMoney + (requested.optionType === 'CE' ? requested.offset : -requested.offset)];
  if (row !== undefined) return store.instrument(row);
  const outermost =
    requested.offset > 0 === (requested.optionType === 'CE') ? chain.length - 1 - atTheMoney : atTheMoney;
  throw new InputError(
    `${underlying} has no ${requested.optionType} strike ${Math.abs(requested.offset)} ${requested.offset > 0 ? 'out of' : 'in'} the money for ${showExpiries([expiry])}.`,
    {
      parameter: 'offset',
      hint: `There are ${outermost} strikes on that side.`,
    },
  );
}

/** Whether an expiry (YYYYMMDD) fits what was written. @param isLastOfMonth whether none of its month comes after it. */
function fits(expiry: number, reading: ExpiryReading, isLastOfMonth: boolean): boolean {
  const year = Math.trunc(expiry / 10_000);
  const month = Math.trunc(expiry / 100) % 100;
  if (month !== reading.month || (reading.year !== undefined && year !== reading.year)) return false;
  return reading.day === undefined ? isLastOfMonth : expiry % 100 === reading.day;
}

/** The first expiry that fits a reading without a year is meant: contracts of the year after next are not. */
function expiryOfReading(expiries: readonly number[], reading: ExpiryReading): number | undefined {
  const lasts = new Set(monthly(expiries));
  return expiries.find((expiry) => fits(expiry, reading, lasts.has(expiry)));
}

/**
 * The rows that a written contract can mean; one when it is clear.
 * @throws InputError when the underlying has no such contracts, or no such expiry or strike: it names those that exist.
 */
export function rowsOfContract(store: InstrumentStore, contract: Contract, today: string, parameter: string): number[] {
  const all = derivativeRows(store, contract.underlying, contract.kind, today);
  if (all.length === 0) throw noDerivatives(store, contract.underlying, parameter);
  const expiries = expiriesOf(store, all);
  const kind = contract.kind === 'OPT' ? 'options' : 'futures';
  if (contract.expiries.length === 0) {
    throw new InputError(
      `The expiry of the ${contract.underlying} ${contract.kind === 'OPT' ? 'option' : 'future'} is missing.`,
      {
        parameter,
        hint: `Add one of ${showExpiries(expiries)}.`,
      },
    );
  }
  const selection = new Set(
    contract.expiries.map((reading) => expiryOfReading(expiries, reading)).filter((expiry) => expiry !== undefined),
  );
  if (selection.size === 0) {
    throw new InputError(`${contract.underlying} has no ${kind} of that expiry.`, {
      parameter,
      hint: `Its expiries are ${showExpiries(expiries)}.`,
    });
  }
  const ofExpiry = all.filter((row) => selection.has(store.expiry(row)));
  if (contract.kind === 'FUT') return ofExpiry;
  const rows = ofExpiry.filter(
    (row) => store.strike(row) === contract.strike && store.optionType(row) === contract.optionType,
  );
  if (rows.length > 0) return rows;
  const strikes = [...new Set(ofExpiry.map((row) => store.strike(row)))].sort(
    (a, b) => Math.abs(a - contract.strike!) - Math.abs(b - contract.strike!),
  );
  throw new InputError(
    `${contract.underlying} has no ${contract.optionType} with strike ${contract.strike! / 100} for ${showExpiries([...selection])}.`,
    {
      parameter,
      hint: `The nearest strikes are ${strikes
        .slice(0, 4)
        .sort((a, b) => a - b)
        .map((strike) => strike / 100)
        .join(', ')}.`,
    },
  );
}

/**
 * The expiry (YYYY-MM-DD) of an underlying's options that is meant.
 * @throws InputError when the underlying has no options, or none of that expiry.
 */
export function chosenExpiry(store: InstrumentStore, underlying: string, choice: ExpiryChoice, today: string): string {
  const rows = derivativeRows(store, underlying, 'OPT', today);
  if (rows.length === 0) throw noDerivatives(store, underlying, 'underlying');
  const expiry = chooseExpiry(expiriesOf(store, rows), choice, underlying.trim().toUpperCase());
  return numberToDate(expiry) ?? String(expiry);
}
