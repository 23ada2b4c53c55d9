/** Finds the instrument of a written name on one exchange. */
import type { Instrument } from './instrument';
import type { InstrumentStore } from './store';
import { commodityCalled, isinOfCommonName } from './names/common-names';
import { isCompanyName, isinOfCompanyOrFormerSymbol, isinsOfNames, nameOfCompany } from './names/companies';
import { indexAlias, squashName, withUnderscores } from './names/index-aliases';

/** Names of one exchange's shares and indices that differ from their symbols; made when they are first asked for. */
interface NameIndex {
  /** Roots with a character that is no letter or digit, by the root with `_` in its place (M_M: M&M); '' where several are. */
  special: Map<string, string>;
  /** Indices by symbol and by name, without blanks and punctuation. */
  indices: Map<string, string>;
}

const nameIndexes = new WeakMap<InstrumentStore, NameIndex>();

function nameIndex(store: InstrumentStore): NameIndex {
  const cachedIndex = nameIndexes.get(store);
  if (cachedIndex !== undefined) return cachedIndex;
  const special = new Map<string, string>();
  for (const root of store.roots) {
    const key = withUnderscores(root);
    if (key !== root) special.set(key, special.has(key) ? '' : root);
  }
  const indices = new Map<string, string>();
  for (let row = 0; row < store.size; row++) {
    if (store.kind(row) !== 'INDEX') continue;
    const symbol = store.symbol(row);
    for (const name of [symbol, store.name(row)]) indices.set(squashName(name), symbol);
  }
  const made = { special, indices };
  nameIndexes.set(store, made);
  return made;
}

/**
 * Returns the root (symbol of a share or index, underlying of derivatives) that a name means on an exchange: by its symbol, another name of
 * an index, a way to write its special characters, its company's name or its former symbol.
 * @param name capitals
 * @returns undefined if nothing has this name
 */
export function rootOfName(store: InstrumentStore, name: string): string | undefined {
  if (store.findRoot(name) >= 0) return name;
  // CRUDE OIL: a commodity has no company's name. A number behind a blank is no part of a symbol: GOLD 1.
  const compact = name.replaceAll(' ', '');
  if (store.exchange === 'MCX') {
    const commodity = commodityCalled(name) ?? compact;
    if (/^[A-Z]+$/.test(commodity) && store.findRoot(commodity) >= 0) return commodity;
  }
  const { special, indices } = nameIndex(store);
  const squashed = squashName(name);
  const alias = indexAlias(squashed);
  const index = indices.get(squashed) ?? (alias === undefined ? undefined : (indices.get(alias) ?? alias));
  if (index !== undefined && store.findRoot(index) >= 0) return index;
  // M & M: the blanks around the sign are none of the symbol's.
  const written = special.get(withUnderscores(name.replace(/ ?& ?/g, '&')));
  if (written !== undefined && written !== '') return written;
  return (
    rootOfIsin(store, isinOfCompanyOrFormerSymbol(name) ?? isinOfCommonName(name)) ?? rootInWords(store, name, compact)
  );
}

/**
 * The symbol of a share that is written with blanks between its words: TATA POWER. A single letter or a number is no such word, and what is
 * a company's name means that company.
 */
function rootInWords(store: InstrumentStore, name: string, compact: string): string | undefined {
  const isInWords = /^[A-Z]{2,}( [A-Z]{2,})+$/.test(name);
  return isInWords && !isCompanyName(name) && store.findRoot(compact) >= 0 && cashRows(store, compact).length > 0
    ? compact
    : undefined;
}

function rootOfIsin(store: InstrumentStore, isin: string | undefined): string | undefined {
  if (isin === undefined) return undefined;
  const symbols = new Set(shareRowsOfIsin(store, isin).map((row) => store.symbol(row)));
  const [symbol] = symbols;
  return symbols.size === 1 && symbol !== undefined && store.findRoot(symbol) >= 0 ? symbol : undefined;
}

/** Rows with an ISIN that do not expire: a contract may carry that of its underlying. */
function shareRowsOfIsin(store: InstrumentStore, isin: string): number[] {
  return store.rowsOfIsin(isin).filter((row) => store.expiry(row) === 0);
}

/** Rows of a share, index or contract by a name that is its own: symbol, ISIN, platform name. @param name capitals */
export function rowsOfOwnName(store: InstrumentStore, name: string): number[] {
  const bySymbol = store.rowsOfSymbol(name);
  if (bySymbol.length > 0) return bySymbol;
  if (/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(name)) return shareRowsOfIsin(store, name);
  const inPlatName = /^(?:STOCK|INDEX|ETF)_(.+)$/.exec(name)?.[1];
  return inPlatName === undefined ? [] : rowsOfPlatformName(store, inPlatName);
}

/** STOCK_INFY.NSECM, STOCK_HDFCBANK_EQ_A.BSECM: a segment after the dot, series and group after the symbol. */
function rowsOfPlatformName(store: InstrumentStore, name: string): number[] {
  const dot = name.lastIndexOf('.');
  const symbol = dot > 0 ? name.slice(0, dot) : name;
  const rows = store.rowsOfSymbol(symbol);
  if (rows.length > 0) return rows;
  const parts = symbol.split('_');
  return parts.length === 3 ? store.rowsOfSymbol(parts[0]!) : [];
}

/** Rows of the shares and indices of a root: those that do not expire. */
export function cashRows(store: InstrumentStore, root: string): number[] {
  const at = store.findRoot(root);
  return at < 0 ? [] : Array.from(store.rowsOfRoot(at)).filter((row) => store.expiry(row) === 0);
}

/** Minimum length of a symbol that may be spelt with two mistakes; a shorter one may have one, and one of three letters none. */
const TWO_MISTAKES_FROM = 6;
const MISTAKE_FROM = 4;

/** Shares whose symbol, or whose company's name, differs from a name by a mistake of spelling, or whose code on BSE it is. @param name capitals */
export function sharesSpeltLike(store: InstrumentStore, name: string): Instrument[] {
  const rows = /^\d{6}$/.test(name) && store.exchange === 'BSE' ? store.rowsOfToken(Number(name)) : [];
  const mistakes = name.length >= TWO_MISTAKES_FROM ? 2 : name.length >= MISTAKE_FROM && !/\d/.test(name) ? 1 : 0;
  const roots = store.roots.filter((root) => mistakes > 0 && isSpeltLike(root, name, mistakes));
  const called = roots.length > 0 ? [] : companiesSpeltLike(name).flatMap((isin) => shareRowsOfIsin(store, isin));
  return [...rows, ...roots.flatMap((root) => cashRows(store, root)), ...called]
    .filter((row) => store.kind(row) === 'STOCK')
    .map((row) => store.instrument(row));
}

/** Returns the ISINs of companies whose name differs by one mistake; a short name is like too many. */
function companiesSpeltLike(name: string): string[] {
  const called = nameOfCompany(name);
  return called.length < TWO_MISTAKES_FROM ? [] : isinsOfNames((own) => isSpeltLike(own, called, 1));
}

/** Returns true if one text becomes the other by at most `mistakes` letters that are added, left out, changed or swapped with the next. */
function isSpeltLike(one: string, other: string, mistakes: number): boolean {
  if (Math.abs(one.length - other.length) > mistakes) return false;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          last[j]! + 1,
          row[j - 1]! + 1,
          last[j - 1]! + (isSame ? 0 : 1),
          isSwapped ? beforeLast[j - 2]! + 1 : Infinity,
        ),
      );
    }
    if (Math.min(...row) > mistakes) return false;
    [beforeLast, last] = [last, row];
  }
  return last[other.length]! <= mistakes;
}
