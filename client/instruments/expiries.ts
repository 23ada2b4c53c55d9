/** Expiries of an underlying, and contracts by their written expiry. */
import { InputError, NotListedError, type InstrumentChoice } from '../base/errors';
import { showValue } from '../values/input';
import { firstTradedExpiry } from '../market/calendar/trading-hours';
import { addDays, dateToNumber, istDate, numberToDate, showDate } from '../values/time';
import type { InstrumentKind } from './instrument';
import type { Contract, ExpiryReading } from './names/contract';
import { rootOfName } from './find-rows';
import { underlyingSymbol } from './underlying';
import type { ExpiryRows, InstrumentStore } from './store';

/**
 * The rows of the derivatives of an underlying that have not expired on a date (YYYY-MM-DD), by expiry, strike, CE before PE.
 * @param underlying by any name that `rootOfName` knows.
 */
export function derivativeRows(
  store: InstrumentStore,
  underlying: string,
  kind: InstrumentKind,
  today: string,
): number[] {
  return byExpiry(store, underlying, kind, today).flatMap(({ rows }) => Array.from(rows));
}

/** The same by their day of expiry, the first day first. */
export function byExpiry(
  store: InstrumentStore,
  underlying: string,
  kind: InstrumentKind,
  today: string,
): readonly ExpiryRows[] {
  const root = rootOfName(store, underlying.trim().toUpperCase());
  if (root === undefined) return [];
  const from = dateToNumber(today);
  return store.expiriesOfRoot(store.findRoot(root), kind).filter(({ expiry }) => expiry >= from);
}

/** YYYYMMDD, ascending. */
export const expiriesOf = (days: readonly ExpiryRows[]): number[] => days.map(({ expiry }) => expiry);

const monthOf = (expiry: number): number => Math.trunc(expiry / 100);

/**
 * The monthly expiries among those of an underlying's options: the day on which its future of that month expires. Where there
 * is no such future, the last day of the month on which options expire, if a week later is in the next month: before the
 * exchange lists the monthly contracts, the last weekly ones are not taken for them.
 * @param expiries YYYYMMDD, ascending
 * @param futures those of the underlying's futures
 */
export function monthlyExpiries(expiries: readonly number[], futures: readonly number[]): number[] {
  const ofFutures = new Map(futures.map((expiry) => [monthOf(expiry), expiry]));
  return expiries.filter((expiry, at) => {
    const ofFuture = ofFutures.get(monthOf(expiry));
    if (ofFuture !== undefined) return expiry === ofFuture;
    if (monthOf(expiries[at + 1] ?? 0) === monthOf(expiry)) return false;
    const date = numberToDate(expiry);
    return date !== null && monthOf(dateToNumber(addDays(date, 7))) !== monthOf(expiry);
  });
}

/** The end of an exchange's symbol of a monthly contract, as in NIFTY26DEC25850CE; that of a weekly one has the day: NIFTY26D0825850CE. */
const MONTHLY_SYMBOL = /(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[\d.]{1,12}(?:CE|PE)$/;
const WEEKLY_SYMBOL = /\d\d[1-9OND][0-3]\d[\d.]{1,12}(?:CE|PE)$/;

/** The expiries whose options the exchange calls by a month, and those that it calls by a day. */
function namedExpiries(
  store: InstrumentStore,
  options: readonly ExpiryRows[],
): { byMonth: number[]; byDay: Set<number> } {
  const symbols = new Map(options.map(({ expiry, rows }) => [expiry, store.symbol(rows.at(-1)!)]));
  const expiries = [...symbols.keys()];
  const isNamed = (expiry: number, form: RegExp): boolean => form.test(symbols.get(expiry)!);
  const byMonth = expiries.filter((expiry) => isNamed(expiry, MONTHLY_SYMBOL));
  const byDay = expiries.filter((expiry) => !byMonth.includes(expiry) && isNamed(expiry, WEEKLY_SYMBOL));
  return { byMonth, byDay: new Set(byDay) };
}

/**
 * The monthly expiries of an underlying from a date on: the exchange's own symbols say which they are. Where several of a month are called by
 * it, as in another spelling, or none is, the month's future says it, or else the calendar.
 */
function monthliesOf(
  store: InstrumentStore,
  underlying: string,
  expiries: readonly number[],
  today: string,
): Set<number> {
  const { byMonth, byDay } = namedExpiries(store, byExpiry(store, underlying, 'OPT', today));
  const isOnly = (expiry: number): boolean =>
    byMonth.filter((other) => monthOf(other) === monthOf(expiry)).length === 1;
  const named = byMonth.filter(isOnly);
  const months = new Set(named.map(monthOf));
  const futures = expiriesOf(byExpiry(store, underlying, 'FUT', today));
  const others = monthlyExpiries(expiries, futures).filter(
    // A future of a commodity expires on another day than the options on it.
    (expiry) => !byDay.has(expiry) && (!months.has(monthOf(expiry)) || futures.includes(expiry)),
  );
  return new Set([...expiries.filter((expiry) => named.includes(expiry)), ...others]);
}

/** A day on which derivatives of an underlying expire. */
export interface Expiry {
  /** YYYY-MM-DD. */
  date: string;
  /** True if it is the last one of its month. */
  monthly: boolean;
  options: boolean;
  futures: boolean;
}

/**
 * The expiries of an underlying from a date (YYYY-MM-DD) on.
 * @throws InputError if it has none: it has no derivatives on this exchange.
 */
export function listExpiries(
  store: InstrumentStore,
  underlying: string,
  today: string,
  parameter = 'underlying',
): Expiry[] {
  const options = new Set(expiriesOf(byExpiry(store, underlying, 'OPT', today)));
  const futures = new Set(expiriesOf(byExpiry(store, underlying, 'FUT', today)));
  const all = [...new Set([...options, ...futures])].sort((a, b) => a - b);
  if (all.length === 0) throw noDerivatives(store, underlying, parameter);
  const monthlies = monthliesOf(store, underlying, all, today);
  return all.map((expiry) => ({
    date: numberToDate(expiry) ?? String(expiry),
    monthly: monthlies.has(expiry),
    options: options.has(expiry),
    futures: futures.has(expiry),
  }));
}

/** Returns the error of an underlying that has no contracts which can be chosen. */
export function noDerivatives(store: InstrumentStore, underlying: string, parameter: string): NotListedError {
  const type = store.unknownTypeOn(underlying.trim().toUpperCase());
  if (type !== undefined)
    return new NotListedError(
      `${store.exchange} lists contracts on ${JSON.stringify(underlying)} ${type === '' ? 'without a type' : `with the type ${showValue(type)}, which is not known here`}: none of them can be chosen.`,
      {
        parameter,
        hint: "Try again later: the instrument list is read again. If it stays, look for a newer version of this node, and trade them in your broker's app.",
      },
    );
  return new NotListedError(
    `${store.exchange} has no derivatives of ${JSON.stringify(underlying)} that have not expired.`,
    {
      parameter,
      hint: 'Enter the symbol of the underlying, such as NIFTY or RELIANCE, and choose the exchange on which its derivatives trade.',
    },
  );
}

/**
 * The expiry that is meant: the first, the second, the first or the second of the monthly ones, or a date (YYYY-MM-DD). A contract that
 * expires today is none of the first after the close.
 */
export type ExpiryChoice = 'nearest' | 'next' | 'monthly' | 'nextMonthly' | { date: string };

/** The words of a choice, as the panel shows them. */
const EXPIRY_WORDS = { nearest: 'Nearest', next: 'Next', monthly: 'Monthly', nextMonthly: 'Next Monthly' };

/** @throws InputError if there is no such expiry; it names those that there are. */
export function chooseExpiry(
  store: InstrumentStore,
  expiries: readonly number[],
  choice: ExpiryChoice,
  underlying: string,
  now: number,
): number {
  const from = dateToNumber(firstTradedExpiry(store.exchange, now));
  const traded = expiries.filter((expiry) => expiry >= from);
  const monthlies = (): number[] => {
    const all = monthliesOf(store, underlying, expiries, istDate(now));
    return traded.filter((expiry) => all.has(expiry));
  };
  const chosenOf = (): number | undefined => {
    if (typeof choice === 'object') return expiries.find((expiry) => expiry === dateToNumber(choice.date));
    if (choice === 'monthly' || choice === 'nextMonthly') return monthlies()[choice === 'monthly' ? 0 : 1];
    return traded[choice === 'nearest' ? 0 : 1];
  };
  const chosen = chosenOf();
  if (chosen !== undefined) return chosen;
  throw new NotListedError(
    typeof choice === 'object'
      ? `${underlying} has no options that expire on ${showDate(choice.date)}.`
      : `${underlying} has no options for the expiry "${EXPIRY_WORDS[choice]}".`,
    {
      parameter: typeof choice === 'object' ? 'expiryDate' : 'expiry',
      hint: `Its expiries are ${showExpiries(expiries)}.`,
      choices: expiryChoices(expiries),
    },
  );
}

/** Maximum number of expiries named in an error. */
const MAX_EXPIRIES_SHOWN = 8;

/** Expiries (YYYYMMDD) as an error names them: the first few. */
export function showExpiries(expiries: readonly number[]): string {
  const shown = expiries.slice(0, MAX_EXPIRIES_SHOWN).map((expiry) => showDate(numberToDate(expiry) ?? ''));
  return `${shown.join(', ')}${expiries.length > shown.length ? ' and later ones' : ''}`;
}

function expiryChoices(expiries: readonly number[]): InstrumentChoice[] {
  return expiries.slice(0, MAX_EXPIRIES_SHOWN).map((expiry) => ({ expiry: numberToDate(expiry) ?? '' }));
}

/** Returns true if an expiry (YYYYMMDD) matches what was written; a month alone means its monthly expiry. */
function fits(expiry: number, reading: ExpiryReading, isMonthly: boolean, today: string): boolean {
  const { month, year = yearOfMonth(month, today) } = reading;
  if (monthOf(expiry) !== year * 100 + month) return false;
  return reading.day === undefined ? isMonthly : expiry % 100 === reading.day;
}

/** Returns true if a reading is a month of a year, as in 26DEC, that is not over on a date (YYYY-MM-DD). */
function isMonthToCome({ year, month, day }: ExpiryReading, today: string): boolean {
  return day === undefined && year !== undefined && year * 100 + month >= monthOf(dateToNumber(today));
}

/** The year of a month that is written without one: this year's, or next year's where the month of this year is over. */
function yearOfMonth(month: number, today: string): number {
  const [year, current] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  return month >= current ? year : year + 1;
}

/** Returns the readings that a date (YYYY-MM-DD) allows: 29 DEC is December of 2029 only when that is the next December. */
function nextReadings(readings: readonly ExpiryReading[], today: string): ExpiryReading[] {
  return readings.filter(
    ({ counts, year, month }) => counts !== 'if it is next' || year === undefined || year === yearOfMonth(month, today),
  );
}

/** Returns a parsed expiry in words, such as "on 17 Nov 2026 (already over)" or "in Dec 2026 (the monthly expiry)". */
function readingText({ year, month, day }: ExpiryReading, today: string): string {
  const date = `${year ?? today.slice(0, 4)}-${String(month).padStart(2, '0')}-${String(day ?? 1).padStart(2, '0')}`;
  const [, name = '', of = ''] = /^\d+ (\w+) (\d+)$/.exec(showDate(date)) ?? [];
  const said = year === undefined ? name : `${name} ${of}`;
  const isOver =
    year !== undefined && (day === undefined ? year * 100 + month < monthOf(dateToNumber(today)) : date < today);
  const over = isOver ? ' (already over)' : '';
  return day === undefined ? `in ${said}${over} (the monthly expiry)` : `on ${day} ${said}${over}`;
}

/** The part of a written contract that does not exist. */
export type MissingContractPart = 'underlying' | 'no expiry written' | 'expiry' | 'strike';

/** The rows that a written contract can mean, one when it is clear; or what of it does not exist, as an error that names what does. */
export type ContractMatch = { rows: number[] } | { missing: MissingContractPart; error: InputError };

/** Looks for a written contract among those of an exchange that have not expired on a date (YYYY-MM-DD). */
export function matchContract(
  store: InstrumentStore,
  contract: Contract,
  today: string,
  parameter: string,
): ContractMatch {
  const { underlying, kind } = contract;
  const readings = nextReadings(contract.expiries, today);
  const all = byExpiry(store, underlying, kind, today);
  if (all.length === 0) return { missing: 'underlying', error: noDerivatives(store, underlying, parameter) };
  const expiries = expiriesOf(all);
  const missing = (
    what: MissingContractPart,
    message: string,
    hint: string,
    choices: readonly InstrumentChoice[],
  ): ContractMatch => ({
    missing: what,
    // What is not even written, no newer list has.
    error: new (what === 'no expiry written' ? InputError : NotListedError)(message, { parameter, hint, choices }),
  });
  if (contract.expiries.length === 0)
    return missing(
      'no expiry written',
      `The expiry of the ${underlying} ${kind === 'OPT' ? 'option' : 'future'} is missing.`,
      `Add one of ${showExpiries(expiries)}.`,
      expiryChoices(expiries),
    );
  const monthlies = monthliesOf(store, underlying, expiries, today);
  const listed = (some: readonly ExpiryReading[]): number[] =>
    some.flatMap((reading) => expiries.find((expiry) => fits(expiry, reading, monthlies.has(expiry), today)) ?? []);
  const usual = listed(readings.filter(({ counts }) => counts !== 'if no other does'));
  const selection = new Set(usual.length > 0 ? usual : listed(readings));
  // A month that is yet to come, and whose monthly contract is not listed, is none of its weekly ones.
  const unlisted = readings.some(
    (reading) =>
      isMonthToCome(reading, today) && !expiries.some((expiry) => fits(expiry, reading, monthlies.has(expiry), today)),
  );
  if (selection.size === 0 || unlisted)
    return missing(
      'expiry',
      `${underlying} has no ${kind === 'OPT' ? 'options' : 'futures'} that expire ${readings
        .filter(({ counts }) => counts !== 'if no other does')
        .map((reading) => readingText(reading, today))
        .join(', or ')}.`,
      `Its expiries are ${showExpiries(expiries)}.`,
      expiryChoices(expiries),
    );
  const ofExpiry = all.filter(({ expiry }) => selection.has(expiry)).flatMap(({ rows }) => Array.from(rows));
  if (kind === 'FUT') return { rows: ofExpiry };
  const rows = ofExpiry.filter(
    (row) => store.strike(row) === contract.strike && store.optionType(row) === contract.optionType,
  );
  // 26 DEC is the 26th of December, or December of 2026: where only one of the two has the strike, the other may be meant.
  const isOfAll = [...selection].every((expiry) => rows.some((row) => store.expiry(row) === expiry));
  if (rows.length > 0 && isOfAll) return { rows };
  const distance = (strike: number) => Math.abs(strike - contract.strike!);
  const nearest = [...new Set(ofExpiry.map((row) => store.strike(row)))]
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, 4)
    .sort((a, b) => a - b);
  return missing(
    'strike',
    `${underlying} has no ${contract.optionType} with strike ${contract.strike! / 100} for ${showExpiries([...selection])}.`,
    `The nearest strikes are ${nearest.map((strike) => strike / 100).join(', ')}.`,
    nearest.map((strike) => ({ strike_price: strike / 100 })),
  );
}

/** The rows of an underlying's futures that still trade at an instant (milliseconds since the epoch), the nearest first. */
export function futuresRows(store: InstrumentStore, underlying: string, now: number): number[] {
  const from = firstTradedExpiry(store.exchange, now);
  return derivativeRows(store, underlying, 'FUT', from);
}

/**
 * The expiry (YYYY-MM-DD) of an underlying's options that is meant.
 * @param now milliseconds since the epoch
 * @throws InputError if the underlying has no options, or none of that expiry.
 */
export function chosenExpiry(store: InstrumentStore, underlying: string, choice: ExpiryChoice, now: number): string {
  const symbol = underlyingSymbol(store, underlying);
  const days = byExpiry(store, symbol, 'OPT', istDate(now));
  if (days.length === 0) throw noDerivatives(store, underlying, 'underlying');
  const expiry = chooseExpiry(store, expiriesOf(days), choice, symbol, now);
  return numberToDate(expiry) ?? String(expiry);
}
