/** Companies by the names that people know them under, and shares by their former symbols. The instrument master has neither. */
import { COMPANY_NAMES, FORMER_SYMBOLS } from './companies.data';
import { squashName } from './index-aliases';

interface Companies {
  /** Name by ISIN. */
  names: ReadonlyMap<string, string>;
  /** ISIN by the name without blanks and punctuation; '' where several companies are called so. */
  isins: ReadonlyMap<string, string>;
  /** ISIN by former symbol. */
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
    const key = squashName(name);
    isins.set(key, isins.has(key) ? '' : isin);
  }
  const former = new Map(FORMER_SYMBOLS.split('\n').map((line) => line.split(' ') as [string, string]));
  return (made = { names, isins, former });
}

/** The name of the company whose share has this ISIN; undefined where it is not known. */
export function companyName(isin: string): string | undefined {
  return companies().names.get(isin);
}

/** The ISIN of the company that is called so, whole name but for "Limited"; undefined where none, or more than one, is. */
export function isinOfCompany(name: string): string | undefined {
  return companies().isins.get(squashName(name.replace(/\s(LIMITED|LTD\.?)$/i, ''))) || undefined;
}

/** The ISIN of the share that was listed under a symbol before; undefined where none was. @param symbol capitals */
export function isinOfFormerSymbol(symbol: string): string | undefined {
  return companies().former.get(symbol);
}
