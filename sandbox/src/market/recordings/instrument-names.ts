import type { AssetCatalog } from '../reference/catalog';
import { equities, formerSymbols, indexNames, indices } from '../reference/dated-tables';

/**
 * One grammar of the names by which files call shares and indices: symbols, names of indices as exchanges and vendors write
 * them, prefixes and suffixes of exchanges, series, former symbols, ISINs. A name counts only where all of it is understood.
 */

export interface NamedInstrument {
  exchange: 'NSE' | 'BSE';
  symbol: string;
}

/** Meaning of a name: an instrument, or in words why it is none, such as `an option`; undefined where nothing is known of it. */
export type NameResolution = NamedInstrument | { isNot: string } | undefined;

/** Prefixes that name an exchange: NSE:INFY, NSE_INDEX|Nifty 50, INDEXBOM:SENSEX. */
const PREFIX = /^(NSE|BSE|NSE_EQ|BSE_EQ|NSE_INDEX|BSE_INDEX|NSEIDX|BSEIDX|INDEXNSE|INDEXBOM|BOM|XNSE|XBOM)[:|]/;
const OTHER_MARKET = /^(NFO|BFO|MCX|CDS|BCD|NSE_FO|BSE_FO|MCX_FO|NCDEX)[:|]|\.(NFO|BFO|MCX|CDS)$/;
const SUFFIX = /(?:\.(NS|BO|NSE|BSE)|-(?:EQ|BE|BZ|SM|ST|SZ)|[- ]?INDEX)$/;
/** Contracts as exchanges, brokers and charts write them: NIFTY26NOVFUT, NIFTY 26200 CE, NIFTY-I, NIFTY1!. */
const CONTRACT =
  /\d[ _-]*(CE|PE|CALL|PUT)$|\d[A-Z _-]{0,6}FUT$|[ _-]FUT(URES?)?$|[-_ ]I{1,3}$|\d!$|^.+\d{6}[CP]\d+(\.\d+)?$/;
const ISIN = /^IN[A-Z0-9]{9}\d$/;
/** The first characters of an ISIN are those of the company and the kind of security: shares are 01. */
const COMPANY_LENGTH = 9;
const SHARE = /^INE.{4}01/;

/** A shorter text is no name of a company. */
const MIN_COMPANY_LENGTH = 6;

export const NO_CONTRACTS =
  'a future or option, which can be replayed only under its whole name, such as NIFTY25N2526200CE or NIFTY25NOVFUT';
const OTHER_COMPANY = 'the symbol of another company today, by its ISIN';

/** The exchanges of segments, of futures and options among them. */
export const EXCHANGES_OF_SEGMENTS: Record<string, 'NSE' | 'BSE'> = {
  NFO: 'NSE',
  NSE_FO: 'NSE',
  NSE_EQ: 'NSE',
  NSE_INDEX: 'NSE',
  BFO: 'BSE',
  BSE_FO: 'BSE',
  BSE_EQ: 'BSE',
  BSE_INDEX: 'BSE',
};

/** A name in capitals, of letters and digits alone: how names of indices are compared. */
const keyOf = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** A company's name without its legal form and the word for &, as `keyOf`. */
const companyKeyOf = (name: string): string =>
  keyOf(name.replace(/[ ,]{1,3}(LIMITED|LTD\.?)$/i, '').replace(/\bAND\b/gi, ''));

/** Entries of the tables, by name. */
interface Lookups {
  /** By key: indices, NSE before BSE. */
  indices: ReadonlyMap<string, NamedInstrument>;
  /** Rows of equities. */
  byIsin: ReadonlyMap<string, number>;
  /** By the beginning of the ISIN; companies with several shares are left out. */
  byCompany: ReadonlyMap<string, number>;
  byBseCode: ReadonlyMap<string, number>;
  former: ReadonlyMap<string, { until: number; symbol: string }>;
  /** By the company's name; those that several have, and those that were the symbol of another share, are left out. */
  byName: ReadonlyMap<string, number>;
}

let lookups: Lookups | undefined;

function tables(): Lookups {
  if (lookups) return lookups;
  const names = new Map<string, NamedInstrument>();
  for (const { exchange, symbol, name } of indices())
    for (const text of [symbol, name]) names.set(keyOf(text), { exchange, symbol });
  for (const { exchange, symbol, names: others } of indexNames())
    for (const text of others) names.set(keyOf(text), { exchange, symbol });
  const byCompany = new Map<string, number>();
  const several = new Set<string>();
  equities().forEach(({ isin }, row) => {
    const company = isin.slice(0, COMPANY_LENGTH);
    if (!SHARE.test(isin)) return;
    if (byCompany.has(company)) several.add(company);
    byCompany.set(company, row);
  });
  for (const company of several) byCompany.delete(company);
  const former = new Map(formerSymbols().map(({ former: old, until, symbol }) => [old, { until, symbol }]));
  return (lookups = {
    indices: names,
    byIsin: new Map(equities().map(({ isin }, row) => [isin, row])),
    byCompany,
    byBseCode: new Map(equities().flatMap(({ bseCode }, row) => (bseCode > 0 ? [[String(bseCode), row]] : []))),
    former,
    byName: sharesByName(former),
  });
}

function sharesByName(former: Lookups['former']): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  const unclear = new Set<string>();
  equities().forEach(({ name, symbol }, row) => {
    const key = companyKeyOf(name);
    if (rows.has(key) || (former.get(key)?.symbol ?? symbol) !== symbol) unclear.add(key);
    rows.set(key, row);
  });
  for (const key of unclear) rows.delete(key);
  return rows;
}

/** The share in a row of the table of equities, by its name on an exchange. */
function ofRow(row: number | undefined, exchange: 'NSE' | 'BSE' | undefined): NamedInstrument | undefined {
  if (row === undefined) return undefined;
  const { symbol, bseSymbol } = equities()[row]!;
  if (symbol !== '' && exchange !== 'BSE') return { exchange: 'NSE', symbol };
  if (bseSymbol !== '' && exchange !== 'NSE') return { exchange: 'BSE', symbol: bseSymbol };
  return undefined;
}

/** The share of a code of BSE, such as 500325. */
export const shareOfBseCode = (code: string): NamedInstrument | undefined => ofRow(tables().byBseCode.get(code), 'BSE');

/** Spellings of a symbol in which vendors and file systems replace signs: M_M, BAJAJ_AUTO, M%26M, HDFC BANK. */
function spellings(text: string): string[] {
  const decoded = text.replace(/%26/g, '&').replace(/%20/g, ' ');
  // Numbers behind a blank are parts of files and intervals, and NIFTY 1 is not the fund NIFTY1.
  const joined = /\d/.test(decoded) ? [] : [decoded.replace(/[_ ]/g, '')];
  return [...new Set([decoded, decoded.replace(/_/g, '&'), decoded.replace(/[_ ]/g, '-'), ...joined])];
}

function shareCalled(
  catalog: AssetCatalog,
  text: string,
  exchange: 'NSE' | 'BSE' | undefined,
): NamedInstrument | undefined {
  for (const where of exchange === undefined ? (['NSE', 'BSE'] as const) : [exchange])
    for (const symbol of spellings(text))
      if ((where === 'NSE' ? catalog.equityRowOf : catalog.bseRowOf).has(symbol)) return { exchange: where, symbol };
  return undefined;
}

/** The share or index whose name a text is as a whole, without prefix and suffix. */
function called(
  catalog: AssetCatalog,
  text: string,
  exchange: 'NSE' | 'BSE' | undefined,
  day: number | undefined,
): NameResolution {
  const { indices: names, byIsin, byBseCode, former, byName } = tables();
  if (ISIN.test(text)) return ofRow(byIsin.get(text), exchange);
  if (exchange === 'BSE' && byBseCode.has(text)) return shareOfBseCode(text);
  const before = former.get(text);
  if (before !== undefined && exchange !== 'BSE') {
    const isOld = !catalog.equityRowOf.has(text) || (day !== undefined && day < before.until);
    if (isOld) return { exchange: 'NSE', symbol: before.symbol };
    if (day === undefined) return { isNot: `two shares: ${text} of today, and until then ${before.symbol}` };
  }
  const share = shareCalled(catalog, text, exchange);
  const index = names.get(keyOf(text));
  const isIndex = index !== undefined && (exchange === undefined || exchange === index.exchange);
  if (share !== undefined && isIndex) return { isNot: `either the share ${share.symbol} or the index ${index.symbol}` };
  if (share !== undefined || isIndex) return share ?? index;
  // A short word alone is a symbol, a zone or a word of files: INFY_IST.csv is not of IST LIMITED.
  const isLong = text.length >= MIN_COMPANY_LENGTH;
  return isLong ? ofRow(byName.get(companyKeyOf(text)), exchange) : undefined;
}

/**
 * The share or index of a name such as NIFTY, "NIFTY 50", NSE:INFY-EQ, INFY.NS, ^NSEI, M_M or INE009A01021.
 * @param exchange where the file says it; else the name, or NSE, and BSE for what is there only
 * @param day of the row, where it is known: a symbol that has changed hands is that of the day
 */
export function resolveInstrument(
  catalog: AssetCatalog,
  name: string,
  exchange?: 'NSE' | 'BSE',
  day?: number,
): NameResolution {
  const whole = name.trim().toUpperCase();
  if (whole === '') return undefined;
  const direct = called(catalog, whole, exchange, day);
  if (direct !== undefined) return direct;
  if (OTHER_MARKET.test(whole) || CONTRACT.test(whole)) return { isNot: NO_CONTRACTS };
  let reported = exchange;
  let rest = whole.replace(/^\^/, '');
  const says = (word: string): boolean => {
    const where = /BSE|BOM|^BO$/.test(word) ? 'BSE' : 'NSE';
    const agrees = reported === undefined || reported === where;
    reported = where;
    return agrees;
  };
  const prefix = PREFIX.exec(rest);
  if (prefix !== null) {
    if (!says(prefix[1]!)) return { isNot: `one of another exchange than ${exchange}` };
    rest = rest.slice(prefix[0].length).trim();
  }
  for (let suffix = SUFFIX.exec(rest); ; suffix = SUFFIX.exec(rest)) {
    const resolution = called(catalog, rest, reported, day);
    if (resolution !== undefined || suffix === null) return resolution;
    if (suffix[1] !== undefined && !says(suffix[1])) return { isNot: `one of another exchange than ${exchange}` };
    rest = rest.slice(0, suffix.index).trim();
  }
}

/**
 * The share of a row that names it by symbol and ISIN, as end-of-day files do. The ISIN counts: of the share itself, or of the
 * company, as a split changes its end. A symbol that another company has today is not taken for it.
 */
export function shareByIsin(
  catalog: AssetCatalog,
  symbol: string,
  isin: string,
  exchange: 'NSE' | 'BSE',
  day?: number,
): NameResolution {
  const { byIsin, byCompany } = tables();
  const own = ISIN.test(isin) ? isin : '';
  const instrument = ofRow(byIsin.get(own), exchange) ?? ofRow(byCompany.get(own.slice(0, COMPANY_LENGTH)), exchange);
  if (instrument !== undefined) return instrument;
  const named = called(catalog, symbol, exchange, day);
  if (named === undefined || 'isNot' in named || !SHARE.test(own)) return named;
  const row = (exchange === 'NSE' ? catalog.equityRowOf : catalog.bseRowOf).get(named.symbol);
  const today = row === undefined ? '' : equities()[row]!.isin;
  return SHARE.test(today) && !today.startsWith(own.slice(0, COMPANY_LENGTH)) ? { isNot: OTHER_COMPANY } : named;
}

/** True if a name is a symbol that the share had before. */
export const isFormer = (name: string, { symbol }: NamedInstrument): boolean =>
  tables().former.get(name.trim().toUpperCase())?.symbol === symbol;

/** True if a share of BSE follows that of NSE. */
export function isFollower(catalog: AssetCatalog, { exchange, symbol }: NamedInstrument): boolean {
  const place = exchange === 'BSE' ? catalog.bseRowOf.get(symbol) : undefined;
  return place !== undefined && equities()[place]!.symbol !== '';
}

/** Returns the instrument whose price the rows of an instrument decide. */
export function instrumentOf(catalog: AssetCatalog, { exchange, symbol }: NamedInstrument): NamedInstrument {
  if (!isFollower(catalog, { exchange, symbol })) return { exchange, symbol };
  return { exchange: 'NSE', symbol: equities()[catalog.bseRowOf.get(symbol)!]!.symbol };
}
