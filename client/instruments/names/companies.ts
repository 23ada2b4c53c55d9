/** Companies by the names that people know them under, and shares by their former symbols. The instrument master has neither. */
import { COMPANY_NAMES, FORMER_SYMBOLS } from './companies.data';
import { squashName, withUnderscores } from './index-aliases';

interface Companies {
  /** Name by ISIN. */
  names: ReadonlyMap<string, string>;
  /** ISIN by the name without blanks and punctuation; '' where several companies are called so. */
  isins: ReadonlyMap<string, string>;
  /** ISIN by former symbol, and by the symbol with `_` for each sign; '' where several shares had it so. */
  former: ReadonlyMap<string, string>;
}

let made: Companies | undefined;

/** The tables, made when they are first asked for. */
function companies(): Companies {
  if (made !== undefined) return made;
  const names = new Map<string, string>();
  const isins = new Map<string, string>();
  for (const line of COMPANY_NAMES.split('\n')) {
    const isin = line.slice(0, 12);
    const name = line.slice(13);
    names.set(isin, name);
    const key = companyKey(name);
    isins.set(key, isins.has(key) ? '' : isin);
  }
  const former = new Map<string, string>();
  for (const line of FORMER_SYMBOLS.split('\n')) {
    const [symbol, isin] = line.split(' ') as [string, string];
    former.set(symbol, isin);
    const written = withUnderscores(symbol);
    if (written !== symbol) former.set(written, (former.get(written) ?? isin) === isin ? isin : '');
  }
  return (made = { names, isins, former });
}

/** Returns the name of the company whose share has this ISIN; undefined if unknown. */
export function companyName(isin: string): string | undefined {
  return companies().names.get(isin);
}

/** A company's name without blanks, punctuation and the word for &: Mahindra and Mahindra is Mahindra & Mahindra. */
const companyKey = (name: string): string => squashName(name.replace(/\bAND\b/gi, ''));

/** A company's name without "Limited" behind it. */
export const withoutLegalForm = (name: string): string => name.replace(/\s(LIMITED|LTD\.?)$/i, '');

/** Returns the ISINs of the companies whose whole name, but for "Limited", passes a test: capitals, without blanks and punctuation. */
export function isinsOfNames(test: (name: string) => boolean): string[] {
  return [...companies().isins].flatMap(([name, isin]) => (isin !== '' && test(name) ? [isin] : []));
}

/** Returns a name as `isinsOfNames` has those of companies. */
export const nameOfCompany = (name: string): string => companyKey(withoutLegalForm(name));

/** Returns true if one or more companies have this name. @param name capitals */
export function isCompanyName(name: string): boolean {
  return companies().isins.has(nameOfCompany(name));
}

/**
 * Returns the ISIN of the share that was listed under this symbol before, or of the company with this name (whole name but for "Limited").
 * Undefined if there is none, or more than one: TATAMOTORS was the symbol of one company, TATA MOTORS is the name
 * of another; BOROSIL is both.
 * @param name capitals
 */
export function isinOfCompanyOrFormerSymbol(name: string): string | undefined {
  const { former, isins, names } = companies();
  const listed = former.get(name) ?? former.get(withUnderscores(name));
  if (listed !== undefined) {
    const namesake = isins.get(companyKey(name)) ?? '';
    const isOther = namesake !== listed && names.get(namesake)?.toUpperCase() === name;
    return listed === '' || isOther ? undefined : listed;
  }
  const proper = withoutLegalForm(name);
  const called = isins.get(companyKey(proper));
  const nearly = former.get(squashName(proper));
  const found = new Set([called, nearly].filter((isin) => isin !== undefined));
  const [isin] = found;
  return found.size === 1 && isin !== '' ? isin : undefined;
}
