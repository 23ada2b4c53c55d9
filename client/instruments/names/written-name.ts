/** Takes a written name apart: exchange, series and kind that are written around it, and the name itself. Nothing is looked up. */
import { withoutInvisible } from '../../values/trim-end';
import { EXCHANGES, type Exchange, type InstrumentKind } from './exchanges';

/** One way to read a written name. All of the text is understood: nothing is left out. */
export interface WrittenName extends Segment {
  /** The name itself, capitals. */
  text: string;
  /** The series that is written with it (INFY-EQ). */
  series?: string;
  /** Place of the future among those of the underlying: 1 is the nearest (NIFTY1!, NIFTY-I, NIFTY_I). */
  nthFuture?: number;
  /** Token of the exchange (BSE:500325). */
  token?: number;
}

/** Market of a name, and the kinds of its instruments. */
export interface Segment {
  exchange?: Exchange;
  /** The only kinds that it has (NFO has contracts, NSE_INDEX indices); all if left out. */
  kinds?: readonly InstrumentKind[];
}

const CASH: readonly InstrumentKind[] = ['STOCK', 'INDEX'];
const CONTRACTS: readonly InstrumentKind[] = ['FUT', 'OPT'];
const INDICES: readonly InstrumentKind[] = ['INDEX'];

/** Exchanges and segments as programs and charting sites write them before a colon or a bar. */
const PREFIXES: Readonly<Record<string, Segment>> = {
  ...Object.fromEntries(EXCHANGES.map((exchange) => [exchange, { exchange }])),
  NFO: { exchange: 'NSE', kinds: CONTRACTS },
  NSEFO: { exchange: 'NSE', kinds: CONTRACTS },
  NSE_FO: { exchange: 'NSE', kinds: CONTRACTS },
  NSE_FNO: { exchange: 'NSE', kinds: CONTRACTS },
  NSE_EQ: { exchange: 'NSE', kinds: CASH },
  NSE_CM: { exchange: 'NSE', kinds: CASH },
  NSECM: { exchange: 'NSE', kinds: CASH },
  NSE_INDEX: { exchange: 'NSE', kinds: INDICES },
  INDEXNSE: { exchange: 'NSE', kinds: INDICES },
  BFO: { exchange: 'BSE', kinds: CONTRACTS },
  BSEFO: { exchange: 'BSE', kinds: CONTRACTS },
  BSE_FO: { exchange: 'BSE', kinds: CONTRACTS },
  BSE_FNO: { exchange: 'BSE', kinds: CONTRACTS },
  BSE_EQ: { exchange: 'BSE', kinds: CASH },
  BSE_CM: { exchange: 'BSE', kinds: CASH },
  BSECM: { exchange: 'BSE', kinds: CASH },
  BSE_INDEX: { exchange: 'BSE', kinds: INDICES },
  INDEXBOM: { exchange: 'BSE', kinds: INDICES },
  BOM: { exchange: 'BSE' },
  XBOM: { exchange: 'BSE' },
  XNSE: { exchange: 'NSE' },
  MCX_FO: { exchange: 'MCX', kinds: CONTRACTS },
  MCX_COMM: { exchange: 'MCX', kinds: CONTRACTS },
  MCXFO: { exchange: 'MCX', kinds: CONTRACTS },
  IDX_I: { kinds: INDICES },
};

/** Endings after a dot, as data vendors write the exchange. */
const DOT_SUFFIXES: Readonly<Record<string, Segment>> = {
  NS: { exchange: 'NSE' },
  NSE: { exchange: 'NSE' },
  NFO: { exchange: 'NSE', kinds: CONTRACTS },
  NSE_IDX: { exchange: 'NSE', kinds: INDICES },
  BO: { exchange: 'BSE' },
  BSE: { exchange: 'BSE' },
  BFO: { exchange: 'BSE', kinds: CONTRACTS },
  BSE_IDX: { exchange: 'BSE', kinds: INDICES },
  MCX: { exchange: 'MCX' },
};

/** Adds what a segment says to a name; undefined if the name says another thing: NFO:NIFTY-INDEX, NSE:INFY.BO. */
export function inSegment(name: WrittenName, { exchange, kinds }: Segment): WrittenName | undefined {
  if (exchange !== undefined && (name.exchange ?? exchange) !== exchange) return undefined;
  const both = kinds === undefined ? name.kinds : kinds.filter((kind) => name.kinds?.includes(kind) !== false);
  if (both?.length === 0) return undefined;
  return { ...name, ...(exchange === undefined ? {} : { exchange }), ...(both === undefined ? {} : { kinds: both }) };
}

/** Series of shares that brokers write after a dash. */
const SERIES_SUFFIX = /^(EQ|BE|BZ|BL|SM|ST|SZ|IL|GB|GS|IV|RR|MF|E1|A|B|T|X|XT|M|MT|Z)$/;
/** A word of signs alone, but for those that stand between words: L & T, INFY - EQ. */
const SIGNS_ALONE = /(^|\s)[^\p{L}\p{N}\s&,/:|·-]+(?=\s|$)/u;
const ROMAN: Readonly<Record<string, number>> = { I: 1, II: 2, III: 3 };

/**
 * Returns all readings of a name, the plainest first: the whole text as the name, and its beginning or end taken as exchange, series or
 * city. The result is empty if a word of it has no meaning.
 * @param text a plain text of bounded length
 */
export function readWrittenName(text: string): WrittenName[] {
  const whole = plainSigns(text);
  // Not all of it is understood: "() INFY".
  if (SIGNS_ALONE.test(whole)) return [];
  const colon = whole.indexOf(':');
  if (colon > 0) return readWithPrefix(whole.slice(0, colon).trim(), whole.slice(colon + 1).trim());
  // NSE_EQ|INE009A01021: the part before the bar is a segment, or else the bar separates the words of a contract.
  const bar = whole.indexOf('|');
  const behindBar = bar > 0 ? readWithPrefix(whole.slice(0, bar).trim(), whole.slice(bar + 1).trim()) : [];
  if (behindBar.length > 0) return behindBar;
  // BSE DEC FUT is a future on the share BSE; only where nothing is called so is the first or the last word the exchange.
  return [...readSuffixes({ text: whole }), ...readExchangeWord(whole)];
}

/** Returns a text with the signs of a keyboard: full-width letters and other dashes become plain ones, what nobody sees goes.
 * Capitals, blanks single. */
function plainSigns(text: string): string {
  return (
    withoutEnclosing(withoutInvisible(decodeSigns(text)))
      .normalize('NFKC')
      .replace(/[\u2010-\u2015\u2212]/g, '-')
      .trim()
      // A cashtag: $INFY, #INFY.
      .replace(/^[$#](?=[A-Za-z])/, '')
      .replace(/\s+/g, ' ')
      .toUpperCase()
  );
}

/** Pairs of signs in which files, messages and lists of one put a text. */
const ENCLOSING = ['""', "''", '\u201c\u201d', '\u2018\u2019', '``', '[]'];
/** Ends a sentence or a cell. */
const CLOSING = /[\s,;.]/;

/** A text without commas and stops behind it. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && CLOSING.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** A text without the quotes and brackets around the whole of it, and without commas and stops behind it. */
function withoutEnclosing(text: string): string {
  const bare = withoutClosing(text.trim());
  const pair = ENCLOSING.find((signs) => bare.length > 2 && bare[0] === signs[0] && bare.at(-1) === signs[1]);
  if (pair === undefined) return bare;
  const inner = bare.slice(1, -1);
  return [...inner].some((sign) => pair.includes(sign)) ? bare : withoutEnclosing(inner);
}

/** Returns what a word before a colon says; undefined if it is not known. A charting site marks prices that come late: NSE_DLY, MCX_DL. */
function prefixCalled(word: string): Segment | undefined {
  const name = word.replace(/_DLY?$/, '');
  return Object.hasOwn(PREFIXES, name) ? PREFIXES[name] : undefined;
}

/** Returns the market of a word beside a symbol, as exchanges, brokers and charting sites write it: BSE, bfo, NSE_DLY. */
export function segmentCalled(word: string): Segment | undefined {
  return prefixCalled(word.trim().toUpperCase());
}

function readWithPrefix(before: string, inner: string): WrittenName[] {
  const prefix = prefixCalled(before);
  // INFY:NSE is written the other way round.
  const behind = prefix === undefined ? prefixCalled(inner) : undefined;
  if (behind !== undefined && before !== '') return readSuffixes({ text: before, ...behind });
  return prefix === undefined || inner === '' ? [] : readSuffixes({ text: inner, ...prefix });
}

/** Markets by the ways to write them, the longest first: NSE_EQ and NSE EQ are no EQ on NSE. */
const MARKETS = Object.keys(PREFIXES)
  .flatMap((market) => [...new Set([market, market.replace('_', ' ')])].map((word) => ({ market, word })))
  .sort((one, other) => other.word.length - one.word.length);
/** Signs between a name and a market behind it. */
const SIGNS_BEHIND = [...' /@_-', ' - ', ', ', ' , '];
const MARKETS_BEHIND = MARKETS.flatMap(({ market, word }) =>
  [` (${word})`, `(${word})`, ` [${word}]`, ...SIGNS_BEHIND.map((sign) => sign + word)].map((ending) => ({
    market,
    ending,
  })),
).sort((one, other) => other.ending.length - one.ending.length);
const isNameSign = (sign: string | undefined): boolean => sign !== undefined && /^[\p{L}\p{N}]$/u.test(sign);

/** Takes off a market before a name: NSE INFY, NSE/INFY, NSE-INFY, NSE.INFY, NSE - INFY. @returns the market and the name */
function marketBefore(whole: string): [market: string, name: string] | undefined {
  const market = MARKETS.find(({ word }) => whole.startsWith(word) && /^[ ./_-]$/.test(whole.charAt(word.length)));
  if (market === undefined) return undefined;
  const name = whole.slice(market.word.length).replace(/^( - |.)/, '');
  return isNameSign([...name][0]) ? [market.market, name] : undefined;
}

/** Takes off a market behind a name: INFY NSE, INFY NSE EQ, INFY (NSE), INFY, NSE, INFY@NSE, NIFTY26DECFUT-NFO. @returns the market and the name */
function marketBehind(whole: string): [market: string, name: string] | undefined {
  const namedEnding = MARKETS_BEHIND.find(({ ending }) => whole.endsWith(ending));
  if (namedEnding === undefined) return undefined;
  const name = whole.slice(0, -namedEnding.ending.length);
  return isNameSign([...name].at(-1)) ? [namedEnding.market, name] : undefined;
}

/** Indices that are called so behind "BSE": BSE SMALLCAP is the index, and not the fund SMALLCAP on BSE. */
const BSE_INDEX =
  /^BSE (SMALLCAP|MIDCAP|LARGECAP|IT|METAL|ENERGY|AUTO|PSU|PSU BANK|CPSE|FMCG|REALTY|POWER|TECK|IPO|SELECT IPO|SME IPO|HEALTHCARE)$/;

function readExchangeWord(whole: string): WrittenName[] {
  return [BSE_INDEX.test(whole) ? undefined : marketBefore(whole), marketBehind(whole)].flatMap((found) =>
    found === undefined ? [] : readWithPrefix(...found),
  );
}

/** Returns the exchange that a name certainly means, before anything is looked up; undefined if it means none. */
export function exchangeInName(text: string): Exchange | undefined {
  const exchanges = readWrittenName(text).map(({ exchange }) => exchange);
  const [first] = exchanges;
  return exchanges.every((exchange) => exchange === first) ? first : undefined;
}

/** A name without the codes that addresses and pages have for its signs: M%26M, M&amp;M, NSE_EQ%7CINE009A01021. */
function decodeSigns(text: string): string {
  return text
    .replace(/%([2-7][\dA-F])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&amp;/gi, '&');
}

function readSuffixes(name: WrittenName): WrittenName[] {
  const { text } = name;
  const dot = text.lastIndexOf('.');
  const ofDot = dot > 0 ? DOT_SUFFIXES[text.slice(dot + 1)] : undefined;
  const dotted = ofDot === undefined ? undefined : inSegment({ ...name, text: text.slice(0, dot) }, ofDot);
  if (dotted !== undefined) return readSuffixes(dotted);
  const found: (WrittenName | undefined)[] = [name];
  const { before, sign, after } = lastPart(text);
  if (after === 'INDEX') found.push(inSegment({ ...name, text: before }, { kinds: INDICES }));
  // A single letter behind a blank or an underscore is a part of the name: GOLD M, M_M.
  else if (SERIES_SUFFIX.test(after) && (sign === '-' || after.length > 1))
    found.push({ ...name, text: before, series: after });
  if (/^[-_]$/.test(sign) && ROMAN[after] !== undefined) found.push({ ...name, text: before, nthFuture: ROMAN[after] });
  if (text.startsWith('^') && text.length > 1)
    found.push(inSegment({ ...name, text: text.slice(1) }, { kinds: INDICES }));
  if (text.endsWith('!') && /^[1-9]$/.test(text.slice(-2, -1)))
    found.push({ ...name, text: text.slice(0, -2), nthFuture: Number(text.slice(-2, -1)) });
  if (name.exchange === 'BSE' && /^\d{6}$/.test(text)) found.push({ ...name, token: Number(text) });
  return found.filter((reading) => reading !== undefined);
}

/** INFY-EQ, INFY_EQ and INFY EQ: returns the parts before and after the last such sign. */
function lastPart(text: string): { before: string; sign: string; after: string } {
  const at = Math.max(text.lastIndexOf('-'), text.lastIndexOf('_'), text.lastIndexOf(' '));
  return at > 0
    ? { before: text.slice(0, at), sign: text[at]!, after: text.slice(at + 1) }
    : { before: '', sign: '', after: '' };
}
