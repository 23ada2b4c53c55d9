/** Takes a written name apart: exchange, series and kind that are written around it, and the name itself. Nothing is looked up. */
import { withoutInvisible } from '../../values/trim-end';
import { EXCHANGES, type Exchange, type InstrumentKind } from './exchanges';

/** One way to read a written name. All of the text is understood: nothing is left out. */
export interface WrittenName {
  /** The name itself, capitals. */
  text: string;
  /** The exchange that is written with it. */
  exchange?: Exchange;
  /** The series that is written with it (INFY-EQ). */
  series?: string;
  /** The kind that the written text requires (NIFTY50-INDEX). */
  kind?: InstrumentKind;
  /** Place of the future among those of the underlying: 1 is the nearest (NIFTY1!, NIFTY-I). */
  nthFuture?: number;
  /** Token of the exchange (BSE:500325). */
  token?: number;
}

/** Exchanges and segments as programs and charting sites write them before a colon or a bar. */
const PREFIXES: Readonly<Record<string, { exchange: Exchange; kind?: InstrumentKind }>> = {
  ...Object.fromEntries(EXCHANGES.map((exchange) => [exchange, { exchange }])),
  NFO: { exchange: 'NSE' },
  NSEFO: { exchange: 'NSE' },
  NSE_FO: { exchange: 'NSE' },
  NSE_FNO: { exchange: 'NSE' },
  NSE_EQ: { exchange: 'NSE' },
  NSE_CM: { exchange: 'NSE' },
  NSECM: { exchange: 'NSE' },
  NSE_INDEX: { exchange: 'NSE', kind: 'INDEX' },
  BFO: { exchange: 'BSE' },
  BSEFO: { exchange: 'BSE' },
  BSE_FO: { exchange: 'BSE' },
  BSE_FNO: { exchange: 'BSE' },
  BSE_EQ: { exchange: 'BSE' },
  BSE_CM: { exchange: 'BSE' },
  BSECM: { exchange: 'BSE' },
  BSE_INDEX: { exchange: 'BSE', kind: 'INDEX' },
  BOM: { exchange: 'BSE' },
  XBOM: { exchange: 'BSE' },
  XNSE: { exchange: 'NSE' },
  MCX_FO: { exchange: 'MCX' },
  MCX_COMM: { exchange: 'MCX' },
  MCXFO: { exchange: 'MCX' },
};

/** Endings after a dot, as data vendors write the exchange. */
const DOT_SUFFIXES: Readonly<Record<string, { exchange: Exchange; kind?: InstrumentKind }>> = {
  NS: { exchange: 'NSE' },
  NSE: { exchange: 'NSE' },
  NFO: { exchange: 'NSE' },
  NSE_IDX: { exchange: 'NSE', kind: 'INDEX' },
  BO: { exchange: 'BSE' },
  BSE: { exchange: 'BSE' },
  BFO: { exchange: 'BSE' },
  BSE_IDX: { exchange: 'BSE', kind: 'INDEX' },
  MCX: { exchange: 'MCX' },
};
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
function prefixCalled(word: string): { exchange: Exchange; kind?: InstrumentKind } | undefined {
  const name = word.replace(/_DLY?$/, '');
  return Object.hasOwn(PREFIXES, name) ? PREFIXES[name] : undefined;
}

/** Returns the exchange of a word beside a symbol, as exchanges, brokers and charting sites write it: BSE, bfo, NSE_DLY. */
export function exchangeCalled(word: string): Exchange | undefined {
  return prefixCalled(word.trim().toUpperCase())?.exchange;
}

function readWithPrefix(before: string, inner: string): WrittenName[] {
  const prefix = prefixCalled(before);
  // INFY:NSE is written the other way round.
  const behind = prefix === undefined ? prefixCalled(inner) : undefined;
  if (behind !== undefined && before !== '') return readSuffixes({ text: before, exchange: behind.exchange });
  return prefix === undefined || inner === '' ? [] : readSuffixes({ text: inner, ...prefix });
}

const isExchange = (word: string): word is Exchange => (EXCHANGES as readonly string[]).includes(word);

/** NSE INFY, INFY NSE, INFY (NSE), NSE/INFY, NSE-INFY, INFY@NSE. */
const EXCHANGE_BEFORE = /^(NSE|BSE|MCX)[ /_-](?=[\p{L}\p{N}])/u;
const EXCHANGE_BEHIND = /(?<=[\p{L}\p{N}])(?:[ /@_-](NSE|BSE|MCX)| ?\((NSE|BSE|MCX)\))$/u;

/** Indices that are called so behind "BSE": BSE SMALLCAP is the index, and not the fund SMALLCAP on BSE. */
const BSE_INDEX = /^BSE (SMALLCAP|MIDCAP|LARGECAP|IT|METAL|AUTO|PSU|CPSE|FMCG|REALTY|POWER|TECK|IPO|HEALTHCARE)$/;

function readExchangeWord(whole: string): WrittenName[] {
  const before = BSE_INDEX.test(whole) ? null : EXCHANGE_BEFORE.exec(whole);
  const behind = EXCHANGE_BEHIND.exec(whole);
  const named = (text: string, word: string): WrittenName[] =>
    isExchange(word) && text !== '' ? readSuffixes({ text, exchange: word }) : [];
  return [
    ...(before === null ? [] : named(whole.slice(before[0].length), before[1]!)),
    ...(behind === null ? [] : named(whole.slice(0, behind.index), behind[1] ?? behind[2]!)),
  ];
}

/** Returns the exchange that a name certainly means, before anything is looked up; undefined if it means none. */
export function exchangeInName(text: string): Exchange | undefined {
  const exchanges = readWrittenName(text).map(({ exchange }) => exchange);
  const [first] = exchanges;
  return exchanges.every((exchange) => exchange === first) ? first : undefined;
}

/** A name without the codes that addresses and pages have for its signs: M%26M, M&amp;M. */
function decodeSigns(text: string): string {
  return text
    .replace(/%26|&amp;/gi, '&')
    .replace(/%20/g, ' ')
    .replace(/%2D/gi, '-');
}

function readSuffixes(name: WrittenName): WrittenName[] {
  const { text } = name;
  const found: WrittenName[] = [];
  const dot = text.lastIndexOf('.');
  const ofDot = dot > 0 ? DOT_SUFFIXES[text.slice(dot + 1)] : undefined;
  if (ofDot !== undefined && (name.exchange ?? ofDot.exchange) === ofDot.exchange)
    return readSuffixes({ ...name, ...ofDot, text: text.slice(0, dot) });
  found.push(name);
  const { before, sign, after } = lastPart(text);
  if (after === 'INDEX') found.push({ ...name, text: before, kind: 'INDEX' });
  // A single letter behind a blank or an underscore is a part of the name: GOLD M, M_M.
  else if (SERIES_SUFFIX.test(after) && (sign === '-' || after.length > 1))
    found.push({ ...name, text: before, series: after });
  if (sign === '-' && ROMAN[after] !== undefined) found.push({ ...name, text: before, nthFuture: ROMAN[after] });
  if (text.startsWith('^') && text.length > 1) found.push({ ...name, text: text.slice(1), kind: 'INDEX' });
  if (text.endsWith('!') && /^[1-9]$/.test(text.slice(-2, -1)))
    found.push({ ...name, text: text.slice(0, -2), nthFuture: Number(text.slice(-2, -1)) });
  if (name.exchange === 'BSE' && /^\d{6}$/.test(text)) found.push({ ...name, token: Number(text) });
  return found;
}

/** INFY-EQ, INFY_EQ and INFY EQ: returns the parts before and after the last such sign. */
function lastPart(text: string): { before: string; sign: string; after: string } {
  const at = Math.max(text.lastIndexOf('-'), text.lastIndexOf('_'), text.lastIndexOf(' '));
  return at > 0
    ? { before: text.slice(0, at), sign: text[at]!, after: text.slice(at + 1) }
    : { before: '', sign: '', after: '' };
}
