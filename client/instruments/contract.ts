/**
 * Reads the ways in which people write a derivative contract: NIFTY 26NOV 24500 CE, NIFTY 26-Nov-2026 24,500 call,
 * BANKNIFTY NOV FUT, OPT_NIFTY_20261126_CE_2450000. Where a text can be read in two ways, both readings are returned:
 * which of them exists is for the instrument master to say.
 */
import { monthNumber } from '../values/time';

/** An expiry as it was written; a month alone stands for its last expiry. */
export interface ExpiryReading {
  /** Full year; undefined when only day and month were written. */
  year?: number;
  month: number;
  /** Undefined for the last expiry of the month. */
  day?: number;
}

/** A contract as it was written. */
export interface Contract {
  underlying: string;
  kind: 'OPT' | 'FUT';
  optionType: 'CE' | 'PE' | null;
  /** Paise; null for a future. */
  strike: number | null;
  /** Every way in which the expiry can be read; empty when none was written. */
  expiries: ExpiryReading[];
}

const MONTH = '(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEPT?|OCT|NOV|DEC)[A-Z]*';
const OPTION_WORDS: Record<string, 'CE' | 'PE'> = {
  CE: 'CE',
  CALL: 'CE',
  CALLS: 'CE',
  PE: 'PE',
  PUT: 'PE',
  PUTS: 'PE',
};
const FUTURE_WORDS = new Set(['FUT', 'FUTURE', 'FUTURES']);

/** The platform's own spelling (wire-facts §1). */
const PLATFORM = /^(?:OPT_(.+)_(\d{4})(\d{2})(\d{2})_(CE|PE)_(\d+)|FUT_(.+)_(\d{4})(\d{2})(\d{2}))$/;

function fullYear(digits: string): number {
  return digits.length === 2 ? 2000 + Number(digits) : Number(digits);
}

/** Decimal rupees in paise; undefined when there is more than two decimals. */
function paise(number: string): number | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(number);
  return match === null ? undefined : Number(match[1]! + (match[2] ?? '').padEnd(2, '0'));
}

/** The expiry in a text, with the text that is left; undefined when there is none. */
function takeExpiry(text: string): { rest: string; expiries: ExpiryReading[] } | undefined {
  const take = (pattern: string, readings: (groups: string[]) => ExpiryReading[]) => {
    const match = new RegExp(`(?<=\\s|^)${pattern}(?=\\s|$)`).exec(text);
    if (match === null) return undefined;
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
      .trim()
      .replace(/\s+/g, ' ');
    return { rest, expiries: readings(match.slice(1) as string[]) };
  };
  return (
    take('(20\\d{2})[-/ ]?(0[1-9]|1[0-2])[-/ ]?([0-3]\\d)', ([year, month, day]) => [
      { year: Number(year), month: Number(month), day: Number(day) },
    ]) ??
    take(`(\\d{1,2})[- ]?${MONTH}[-' ]?(20\\d{2})`, ([day, month, year]) => [
      { day: Number(day), month: monthNumber(month!), year: Number(year) },
    ]) ??
    take(`(\\d{1,2})[- ]?${MONTH}[-' ]?(\\d{2})`, ([day, month, year]) => [
      { day: Number(day), month: monthNumber(month!), year: fullYear(year!) },
    ]) ??
    // 26NOV: the 26th of November, or (as symbols have it) November of 2026.
    take(`(\\d{1,2})[- ]?${MONTH}`, ([digits, month]) => [
      { day: Number(digits), month: monthNumber(month!) },
      ...(digits!.length === 2 ? [{ month: monthNumber(month!), year: fullYear(digits!) }] : []),
    ]) ??
    take(`${MONTH}[-' ]?(20\\d{2})`, ([month, year]) => [{ month: monthNumber(month!), year: Number(year) }]) ??
    // NOV 26: November of 2026, or the 26th of November.
    take(`${MONTH}[-' ]?(\\d{2})`, ([month, digits]) => [
      { month: monthNumber(month!), year: fullYear(digits!) },
      { day: Number(digits), month: monthNumber(month!) },
    ]) ??
    take(MONTH, ([month]) => [{ month: monthNumber(month!) }])
  );
}

/**
 * Reads a contract. @returns undefined when the text is none: then it may be a symbol or a name.
 */
export function parseContract(text: string): Contract | undefined {
  const upper = text.trim().toUpperCase();
  const platform = PLATFORM.exec(upper);
  if (platform !== null) {
    const [, option, year, month, day, type, strike, future, futureYear, futureMonth, futureDay] = platform;
    return option === undefined
      ? {
          underlying: future!,
          kind: 'FUT',
          optionType: null,
          strike: null,
          expiries: [{ year: Number(futureYear), month: Number(futureMonth), day: Number(futureDay) }],
        }
      : {
          underlying: option,
          kind: 'OPT',
          optionType: type as 'CE' | 'PE',
          strike: Number(strike),
          expiries: [{ year: Number(year), month: Number(month), day: Number(day) }],
        };
  }
  return parseWords(upper);
}

function parseWords(upper: string): Contract | undefined {
  const spaced = upper
    .replace(/(\d),(?=\d{2,3}\b)/g, '$1')
    .replace(/[_,/|]+/g, ' ')
    .replace(/(^|\s)(\d+(?:\.\d+)?)(CE|PE|CALL|PUT)(?=\s|$)/g, '$1$2 $3')
    .replace(/\s+/g, ' ')
    .trim();
  const words = spaced.split(' ');
  const typeAt = words.findIndex((word, at) => at > 0 && (OPTION_WORDS[word] !== undefined || FUTURE_WORDS.has(word)));
  if (typeAt < 0) return undefined;
  const type = words[typeAt]!;
  const [underlying, ...others] = words.filter((_, at) => at !== typeAt);
  if (underlying === undefined || others.some((word) => OPTION_WORDS[word] !== undefined || FUTURE_WORDS.has(word)))
    return undefined;

  const optionType = OPTION_WORDS[type] ?? null;
  const readings = readRest(others, optionType !== null);
  return readings === undefined
    ? undefined
    : { underlying, kind: optionType === null ? 'FUT' : 'OPT', optionType, ...readings };
}

/** Expiry and strike in what is left beside underlying and type; a strike next to the expiry must not be taken for its year. */
function readRest(
  others: string[],
  isOption: boolean,
): { strike: number | null; expiries: ExpiryReading[] } | undefined {
  if (!isOption) {
    const expiry = takeExpiry(others.join(' '));
    return (expiry?.rest ?? others.join(' ')) === '' ? { strike: null, expiries: expiry?.expiries ?? [] } : undefined;
  }
  const splits: { strike: number; expiries: ExpiryReading[] }[] = [];
  others.forEach((word, at) => {
    const strike = paise(word);
    const rest = others.filter((_, other) => other !== at).join(' ');
    const expiry = takeExpiry(rest);
    if (strike !== undefined && (expiry === undefined ? rest === '' : expiry.rest === ''))
      splits.push({ strike, expiries: expiry?.expiries ?? [] });
  });
  // "NOV 26 24500": of several numbers that could be the strike the largest is it; days and years are small.
  splits.sort((a, b) => b.strike - a.strike);
  return splits[0];
}
