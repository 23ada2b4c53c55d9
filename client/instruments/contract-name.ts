/** Names of futures and options as people and brokers' apps say them: `NIFTY 1 Dec 21,950 CE`, `NIFTY Dec future`. */
import { strikeText } from '../values/amounts';
import { isCommoditySymbol } from '../values/contract-value';
import { monthName, monthNumber, numberToDate } from '../values/time';
import { strikePaise } from './names/contract';
import { contractSymbol } from './symbol';

/** Known texts of an instrument, '' for others. */
export interface NamedInstrument {
  symbol: string;
  /** The underlying. */
  asset?: string;
  exchange?: string;
  platName?: string;
  displayName?: string;
  refId?: number | string;
}

/** Codes behind the underlying: a month alone (26DEC), a day with a month's sign (26D01), a day (01DEC26). */
const OF_MONTH = /^(\d\d)([A-Z]{3})(?:FUT|([\d.]+)(CE|PE))$/;
const OF_WEEK = /^(\d\d)([1-9OND])(\d\d)([\d.]+)(CE|PE)$/;
const OF_DAY = /^(\d\d)([A-Z]{3})(\d\d)(?:FUT|([\d.]+)(CE|PE))$/;

/** Years before and after that of the day in which a contract is looked for. */
const MAX_YEARS_AWAY = 6;

interface ContractParts {
  year: number;
  /** 1 to 12. */
  month: number;
  /** Left out for the monthly contract. */
  day?: number;
  /** Rupees, and CE or PE; undefined for a future. */
  strike: string | undefined;
  type: string | undefined;
}

const fullYear = (digits: string): number => 2000 + Number(digits);

function ofMonth(code: string): ContractParts | undefined {
  const [, year, word, strike, type] = OF_MONTH.exec(code) ?? [];
  return year === undefined ? undefined : { year: fullYear(year), month: monthNumber(word!), strike, type };
}

function ofWeek(code: string): ContractParts | undefined {
  const [, year, sign, day, strike, type] = OF_WEEK.exec(code) ?? [];
  if (year === undefined) return undefined;
  const month = 'OND'.includes(sign!) ? 10 + 'OND'.indexOf(sign!) : Number(sign);
  return { year: fullYear(year), month, day: Number(day), strike, type };
}

function ofDay(code: string): ContractParts | undefined {
  const [, day, word, year, strike, type] = OF_DAY.exec(code) ?? [];
  if (day === undefined) return undefined;
  return { year: fullYear(year!), month: monthNumber(word!), day: Number(day), strike, type };
}

function isPossible({ year, month, day, strike, type }: ContractParts, yearNow: number): boolean {
  const date = numberToDate((year * 100 + month) * 100 + (day ?? 1));
  const hasStrike = type === undefined || strikePaise(strike ?? '') !== undefined;
  return date !== null && hasStrike && Math.abs(year - yearNow) <= MAX_YEARS_AWAY;
}

/**
 * Returns a contract as people say it; undefined for a share, and for a symbol that cannot be read. The year is told where it is not that of
 * the day.
 * @param day YYYY-MM-DD, on which it is read; '' if unknown
 */
function contractName(instrument: NamedInstrument, day: string): string | undefined {
  const { symbol, platName = '', exchange = '' } = instrument;
  const asset = instrument.asset || (/^[A-Z&-]+/.exec(symbol)?.[0] ?? '');
  const isCommodity = exchange === 'MCX' || isCommoditySymbol(symbol);
  const yearNow = Number(day.slice(0, 4));
  // The symbols of commodities that this package makes have their day, and could be read as a month too.
  const readings = isCommodity ? [ofDay, ofMonth, ofWeek] : [ofMonth, ofWeek, ofDay];
  for (const written of [symbol, contractSymbol(platName)]) {
    if (written === undefined || asset === '' || !written.startsWith(asset)) continue;
    const parts = readings
      .map((read) => read(written.slice(asset.length)))
      .find((found) => found !== undefined && isPossible(found, yearNow || found.year));
    if (parts !== undefined) return nameOf(asset, parts, yearNow);
  }
  return undefined;
}

function nameOf(asset: string, { year, month, day, strike = '', type }: ContractParts, yearNow: number): string {
  const words = [asset, ...(day === undefined ? [] : [day]), monthName(month), ...(year === yearNow ? [] : [year])];
  return [...words, ...(type === undefined ? ['future'] : [strikeText(strikePaise(strike) ?? 0), type])].join(' ');
}

/**
 * Returns the name of an instrument for people: of a contract as they say it, else its symbol, else what the service calls it.
 * @param day YYYY-MM-DD, on which it is read; '' if unknown
 */
export function instrumentName(instrument: NamedInstrument, day: string): string {
  const { symbol, displayName = '', refId } = instrument;
  return contractName(instrument, day) ?? (symbol || displayName || `ref_id ${refId ?? ''}`);
}

/**
 * A symbol that may be that of a contract, as a word of a sentence, with its exchange or without, and the bracket that may follow; not within
 * quotation marks or an address.
 */
const IN_SENTENCE = /(?<=^|[\s(])((?:(?:NSE|BSE|MCX):)?([A-Z][A-Z0-9&.-]{5,38}(?:CE|PE|FUT)))(?=[\s),.;:?!]|$)( \()?/g;

/**
 * Returns a sentence for people with each contract as they say it. The symbol is beside it where it comes first, so that it can be found:
 * `NIFTY 1 Dec 21,950 CE (NIFTY26D0121950CE)`.
 * @param day YYYY-MM-DD, on which it is read; '' if unknown
 */
export function withContractNames(text: string, day: string): string {
  const named = new Set<string>();
  return text.replace(IN_SENTENCE, (all, written: string, symbol: string, bracket: string | undefined, at: number) => {
    const name = contractName({ symbol }, day);
    const before = text.slice(0, at);
    // Beside its name already, or at the end of a label.
    if (name === undefined || [`${name} (`, `${name}, `, '· '].some((end) => before.endsWith(end))) return all;
    if (named.has(symbol)) return `${name}${bracket ?? ''}`;
    named.add(symbol);
    if (before.endsWith('(')) return `${name}, ${written}${bracket ?? ''}`;
    return `${name} (${written}${bracket === undefined ? ')' : ', '}`;
  });
}
