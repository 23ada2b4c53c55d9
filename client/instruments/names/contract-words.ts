/**
 * Reads the ways in which people write a contract in words: NIFTY 26NOV 24500 CE, NIFTY 26-Nov-2026 24,500 call, BANKNIFTY NOV
 * FUT, NIFTY-Nov2026-25850-CE, OPTIDX NIFTY 23-NOV-2026 CE 25850. Every way is returned in which all of the text is
 * understood; the instrument master says which of them exists.
 */
import { expiryOf, MONTH_NAMES, strikePaise, type Contract, type ExpiryReading } from './contract';

const OPTION_WORDS: Record<string, 'CE' | 'PE'> = {
  CE: 'CE',
  CALL: 'CE',
  CALLS: 'CE',
  C: 'CE',
  PE: 'PE',
  PUT: 'PE',
  PUTS: 'PE',
  P: 'PE',
};
const FUTURE_WORDS = new Set(['FUT', 'FUTURE', 'FUTURES']);
/** Instrument types in the exchanges' files, written before the underlying. */
const INSTRUMENT_TYPES = new Set(['OPTIDX', 'OPTSTK', 'FUTIDX', 'FUTSTK', 'OPTFUT', 'FUTCOM']);
/** Maximum number of words of a contract. */
const MAX_WORDS = 12;

const isType = (word: string): boolean => OPTION_WORDS[word] !== undefined || FUTURE_WORDS.has(word);

/** 01/12/2026, which is one word: other strokes part words. */
const SLASHED_DATE = /(?<!\d)(\d{1,2})\/(\d{1,2})\/(20\d\d)(?!\d)/g;

/** Every contract that a text can stand for; empty when it is none. @param text capitals */
export function readContractWords(text: string): Contract[] {
  const separated = splitWords(text.replace(SLASHED_DATE, '$1-$2-$3'));
  const contracts = readWords(separated);
  // NIFTY-Nov2026-25850-CE: dashes part the words, where they are not those of a date. One behind a blank is a sign.
  return contracts.length > 0 || !text.includes('-')
    ? contracts
    : readWords(splitWords(text.replace(/(?<=\S)-(?=\S)/g, ' ')));
}

/** The words of a contract: 24,500 is one, 24500CE two. @param text capitals */
export function splitWords(text: string): string[] {
  return text
    .replace(/(\d),(?=\d\d)/g, '$1')
    .split(/[\s_,/|]+/)
    .filter((word) => word !== '')
    .flatMap((word) => splitType(word));
}

/** 24500CE as 24500 and CE. */
function splitType(word: string): string[] {
  const match = /^(\d{1,9}(?:\.\d{1,2})?)(CE|PE|CALL|PUT|C|P)$/.exec(word);
  return match === null ? [word] : [match[1]!, match[2]!];
}

/** The words behind an instrument type, none if they contradict it: FUTIDX NIFTY 29DEC2026 XX 0 is NIFTY 29DEC2026 FUT. */
function withoutInstrumentType(all: string[]): string[] {
  const [type = '', ...words] = all;
  if (!INSTRUMENT_TYPES.has(type)) return all;
  const isFuture = type.startsWith('FUT');
  if (words.some((word) => (isFuture ? OPTION_WORDS[word] !== undefined : FUTURE_WORDS.has(word)))) return [];
  if (!isFuture || words.some(isType)) return words;
  return [...(/ XX 0(?:\.0{1,2})?$/.test(words.join(' ')) ? words.slice(0, -2) : words), 'FUT'];
}

function readWords(all: string[]): Contract[] {
  const words = withoutInstrumentType(all);
  if (words.length < 2 || words.length > MAX_WORDS) return [];
  const types = words.flatMap((word, at) => (at > 0 && isType(word) ? [at] : []));
  // An option is called so once; an underlying is never called like a type.
  if (types.length !== 1) return [];
  const [typeAt] = types as [number];
  const optionType = OPTION_WORDS[words[typeAt]!] ?? null;
  const otherWords = words.filter((_, at) => at !== typeAt);
  const contracts: Contract[] = [];
  // The underlying may have several words: NIFTY BANK NOV FUT.
  for (let length = 1; length <= Math.min(otherWords.length, typeAt); length++) {
    // SENSEX 30 DEC is the 30th, and no December of SENSEX 30.
    if (isDay(otherWords[length - 1]!) && monthIn(/^[A-Z]*/.exec(otherWords[length] ?? '')![0]) !== undefined) continue;
    const underlying = otherWords.slice(0, length).join(' ');
    for (const { strike, expiries } of readTerms(otherWords.slice(length), optionType !== null))
      contracts.push({ underlying, kind: optionType === null ? 'FUT' : 'OPT', optionType, strike, expiries });
  }
  return contracts;
}

/** Returns all readings of the words beside underlying and type: an expiry, and for an option a strike. */
function readTerms(words: string[], isOption: boolean): { strike: number | null; expiries: ExpiryReading[] }[] {
  if (!isOption) {
    const expiries = readExpiry(words);
    return expiries === undefined ? [] : [{ strike: null, expiries }];
  }
  const readings = words.flatMap((word, at) => {
    const strike = strikePaise(word);
    const otherWords = words.filter((_, other) => other !== at);
    const expiries = readExpiry(otherWords);
    const hasYear = otherWords.some((other) => /(^|[^0-9])20[1-4]\d$/.test(other));
    return strike === undefined || expiries === undefined ? [] : [{ strike, expiries, hasYear }];
  });
  // 29 DEC 2026 26 is the strike 26: a year of four digits beside a month is never the strike.
  const isDated = readings.some(({ hasYear }) => hasYear);
  return readings.filter(({ hasYear }) => hasYear === isDated).map(({ strike, expiries }) => ({ strike, expiries }));
}

const isDay = (word: string): boolean => /^(0?[1-9]|[12]\d|3[01])$/.test(word);

const ORDINAL = /^(\d{1,2})(ST|ND|RD|TH)$/;

/**
 * Returns every reading of an expiry that uses all of the words; an empty list for no words, and undefined for words that are no expiry.
 */
function readExpiry(words: string[]): ExpiryReading[] | undefined {
  if (words.length === 0) return [];
  const parts = words
    // A terminal marks a weekly expiry: 24TH W NOV.
    .filter((word, at) => word !== 'W' || !ORDINAL.test(words[at - 1] ?? ''))
    .join('-')
    .replaceAll("'", '-')
    .split('-')
    // 24TH NOV is 24 NOV.
    .flatMap((part) => part.replace(ORDINAL, '$1').match(/\d+|[A-Z]+/g) ?? [part])
    .filter((part) => part !== '');
  if (parts.some((part) => !/^(\d+|[A-Z]+)$/.test(part))) return undefined;
  const readings = readParts(parts.map((part) => monthIn(part) ?? part));
  return readings.length === 0 ? undefined : readings;
}

/** The three letters of a month that is written as JAN, SEPT or JANUARY. */
function monthIn(part: string): string | undefined {
  return MONTH_NAMES.find((name) => part.startsWith(name) && MONTH_WORDS.has(part));
}

export const FULL_NAMES = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
];
const MONTH_WORDS = new Set([...MONTH_NAMES, ...FULL_NAMES, 'SEPT']);

function readParts(parts: string[]): ExpiryReading[] {
  const shape = parts.map((part) => (/^\d+$/.test(part) ? String(part.length) : 'M')).join('');
  const [a, b, c] = parts as [string, string, string];
  const readings: (ExpiryReading | undefined)[] = [];
  const monthOfYear = (month: string, year: string): ExpiryReading | undefined => {
    const reading = expiryOf({ year, month });
    return reading && { ...reading, counts: 'if it is next' };
  };
  switch (shape) {
    // 20261123, 2026-11-23
    case '8':
      readings.push(expiryOf({ year: a.slice(0, 4), month: a.slice(4, 6), day: a.slice(6) }));
      break;
    case '422':
      readings.push(expiryOf({ year: a, month: b, day: c }));
      break;
    // 23-11-2026: in India the day is first.
    case '224':
    case '214':
    case '124':
    case '114':
      readings.push(expiryOf({ day: a, month: b, year: c }));
      break;
    // 23 NOV 2026, 23NOV26
    case '2M4':
    case '1M4':
    case '1M2':
      readings.push(expiryOf({ day: a, month: b, year: c }));
      break;
    // 23 NOV 26, and as a broker has it 26 NOV 23
    case '2M2': {
      const dated = expiryOf({ year: a, month: b, day: c });
      readings.push(expiryOf({ day: a, month: b, year: c }), dated && { ...dated, counts: 'if no other does' });
      break;
    }
    // 26 NOV: the 26th of November, or (as symbols have it) November of 2026
    case '2M':
      readings.push(expiryOf({ day: a, month: b }), monthOfYear(b, a));
      break;
    case '1M':
      readings.push(expiryOf({ day: a, month: b }));
      break;
    case 'M4':
      readings.push(expiryOf({ month: a, year: b }));
      break;
    // NOV 26: November of 2026, or the 26th of November
    case 'M2':
      readings.push(monthOfYear(a, b), expiryOf({ day: b, month: a }));
      break;
    case 'M1':
      readings.push(expiryOf({ day: b, month: a }));
      break;
    case 'M14':
    case 'M24':
      readings.push(expiryOf({ month: a, day: b, year: c }));
      break;
    case 'M':
      readings.push(expiryOf({ month: a }));
      break;
  }
  return readings.filter((reading) => reading !== undefined);
}
